//! Conversion of attributes of VHLO to MLIR and StableHLO.

use super::{
    import::{Failure, Importer, fail},
    import_shardy::attribute_name,
};
use halo_ir::{
    Location,
    prelude::*,
    stablehlo::attributes::{
        ChannelHandle, ComparisonDirection, ComparisonType, ConvDimensionNumbers,
        CustomCallApiVersion, DotAlgorithm, DotDimensionNumbers, FftType, GatherDimensionNumbers,
        MeshAttribute, OutputOperandAlias, Precision, ResultAccuracy, RngAlgorithm,
        RngDistribution, ScatterDimensionNumbers, Transpose, TypeExtensions,
    },
};
use halo_vhlo::{
    Attribute as Vhlo, AttributeId, Operation, Type,
    attribute::{Builtin, Enumeration, Location as VhloLocation},
    stablehlo::{Encoding, Structure, defaults, encoding, left_out_together, structures},
    types::DYNAMIC,
};
use melior::ir::attribute::FlatSymbolRefAttribute;

/// Attributes of an op by name.
type Named<'n, 'c> = Vec<(&'n str, Attribute<'c>)>;

impl<'c, 't> Importer<'c, 't> {
    /// The attributes of an op of StableHLO.
    pub fn op_attributes<'o>(
        &self,
        operation: &'o Operation,
        family: &str,
    ) -> Result<Named<'o, 'c>, Failure> {
        let mut made: Named<'o, 'c> = Vec::with_capacity(operation.attributes.len());
        let structures = structures(family);
        for (name, structure) in structures {
            made.extend(self.structure(operation, *structure)?.map(|value| (*name, value)));
        }
        let defaults = defaults(family);
        let is_default = |name: &str, id| {
            let default = defaults.iter().find(|(own, _)| *own == name);
            default.is_some_and(|(_, default)| default.is(id, &self.tree.attributes))
        };
        // Attributes that are present together although one has its default.
        let joined = left_out_together(family).filter(|names| {
            let mut ids = names.iter().map(|name| (name, operation.attribute(name)));
            ids.any(|(name, id)| id.is_some_and(|id| !is_default(name, id)))
        });
        for (name, id) in &operation.attributes {
            let name = attribute_name(name)?;
            if is_default(name, *id) && joined.is_none_or(|joined| !joined.contains(&name))
                || structures.iter().any(|(_, structure)| structure.parts().contains(&name))
            {
                continue;
            }
            let value = self.decoded(*id, encoding(family, name));
            let value =
                value.map_err(|Failure(why)| Failure(format!("attribute '{name}': {why}")))?;
            made.extend(value.map(|value| (name, value)));
        }
        Ok(made)
    }

    /// An attribute in the encoding that an op expects; `None` if its absence has the same meaning.
    fn decoded(
        &self,
        id: AttributeId,
        encoding: Encoding,
    ) -> Result<Option<Attribute<'c>>, Failure> {
        let context = self.context;
        Ok(Some(match encoding {
            Encoding::Plain => self.attribute(id)?,
            Encoding::Integers => halo_ir::i64_array_attribute(context, &self.integers(id)?),
            Encoding::Booleans => {
                let integers = self.attribute(id)?.dense_i64s();
                let integers = integers.ok_or("expected booleans")?;
                let values: Vec<bool> = integers.iter().map(|value| *value != 0).collect();
                halo_ir::untrusted::bool_array_attribute(context, &values)
            }
            Encoding::Symbol => self.symbol(id)?,
            Encoding::Symbols => {
                let Vhlo::Array(elements) = self.tree.attributes.get(id) else {
                    return fail("expected an array");
                };
                let symbols: Result<Vec<_>, _> =
                    elements.iter().map(|element| self.symbol(*element)).collect();
                halo_ir::array_attribute(context, &symbols?)
            }
            Encoding::Unit => match self.tree.attributes.get(id) {
                Vhlo::Boolean(true) => halo_ir::unit_attribute(context),
                Vhlo::Boolean(false) => return Ok(None),
                _ => return fail("expected a boolean"),
            },
            Encoding::ApiVersion => match self.tree.attributes.get(id) {
                Vhlo::Enumeration(Enumeration::CustomCallApiVersion, _) => self.attribute(id)?,
                _ => return fail("expected the version of an interface"),
            },
        }))
    }

    /// A structure of StableHLO from the attributes of VHLO; `None` if all of them are defaults
    /// that mean its absence.
    fn structure(
        &self,
        operation: &Operation,
        structure: Structure,
    ) -> Result<Option<Attribute<'c>>, Failure> {
        let context = self.context;
        let id = |name: &str| {
            let id = operation.attribute(name);
            id.ok_or_else(|| Failure(format!("there is no attribute '{name}'")))
        };
        let number = |name: &str| self.integer(id(name)?);
        let list = |name: &str| self.integers(id(name)?);
        Ok(Some(match structure {
            Structure::Channel => match number("channel_id")? {
                0 => return Ok(None),
                handle => ChannelHandle {
                    handle,
                    channel_type: 0,
                }
                .to_attribute(context),
            },
            Structure::ChannelWithType => ChannelHandle {
                handle: number("channel_id")?,
                channel_type: number("channel_type")?,
            }
            .to_attribute(context),
            Structure::ConvDimensionNumbers => ConvDimensionNumbers {
                input_batch_dimension: number("input_batch_dimension")?,
                input_feature_dimension: number("input_feature_dimension")?,
                input_spatial_dimensions: list("input_spatial_dimensions")?,
                kernel_input_feature_dimension: number("kernel_input_feature_dimension")?,
                kernel_output_feature_dimension: number("kernel_output_feature_dimension")?,
                kernel_spatial_dimensions: list("kernel_spatial_dimensions")?,
                output_batch_dimension: number("output_batch_dimension")?,
                output_feature_dimension: number("output_feature_dimension")?,
                output_spatial_dimensions: list("output_spatial_dimensions")?,
            }
            .to_attribute(context),
            Structure::DotDimensionNumbers => DotDimensionNumbers {
                lhs_batching_dimensions: list("lhs_batching_dimensions")?,
                rhs_batching_dimensions: list("rhs_batching_dimensions")?,
                lhs_contracting_dimensions: list("lhs_contracting_dimensions")?,
                rhs_contracting_dimensions: list("rhs_contracting_dimensions")?,
            }
            .to_attribute(context),
            Structure::GatherDimensionNumbers => GatherDimensionNumbers {
                offset_dims: list("offset_dims")?,
                collapsed_slice_dims: list("collapsed_slice_dims")?,
                operand_batching_dims: list("operand_batching_dims")?,
                start_indices_batching_dims: list("start_indices_batching_dims")?,
                start_index_map: list("start_index_map")?,
                index_vector_dim: number("index_vector_dim")?,
            }
            .to_attribute(context),
            Structure::ScatterDimensionNumbers => ScatterDimensionNumbers {
                update_window_dims: list("update_window_dims")?,
                inserted_window_dims: list("inserted_window_dims")?,
                input_batching_dims: list("input_batching_dims")?,
                scatter_indices_batching_dims: list("scatter_indices_batching_dims")?,
                scatter_dims_to_operand_dims: list("scatter_dims_to_operand_dims")?,
                index_vector_dim: number("index_vector_dim")?,
            }
            .to_attribute(context),
            Structure::DotAlgorithm => {
                let mut absent = 0;
                for part in structure.parts() {
                    absent += usize::from(self.is_no_type(id(part)?));
                }
                if absent == structure.parts().len() {
                    return Ok(None);
                }
                let ty = |name: &str| match self.tree.attributes.get(id(name)?) {
                    Vhlo::Type(ty) => self.ty(*ty),
                    _ => fail("expected the type of an algorithm"),
                };
                let algorithm = DotAlgorithm {
                    lhs_precision_type: ty("lhs_precision_type")?,
                    rhs_precision_type: ty("rhs_precision_type")?,
                    accumulation_type: ty("accumulation_type")?,
                    lhs_component_count: number("lhs_component_count")?,
                    rhs_component_count: number("rhs_component_count")?,
                    num_primitive_operations: number("num_primitive_operations")?,
                    allow_imprecise_accumulation: {
                        let value = self.tree.attributes.get(id("allow_imprecise_accumulation")?);
                        match value {
                            Vhlo::Boolean(value) => *value,
                            _ => return fail("expected a boolean of an algorithm"),
                        }
                    },
                };
                let made = algorithm.to_attribute(context);
                made.ok_or("an algorithm that is not valid")?
            }
        }))
    }

    fn is_no_type(&self, id: AttributeId) -> bool {
        match self.tree.attributes.get(id) {
            Vhlo::Type(ty) => *self.tree.types.get(*ty) == Type::None,
            _ => false,
        }
    }

    fn integer(&self, id: AttributeId) -> Result<i64, Failure> {
        match self.tree.attributes.get(id) {
            Vhlo::Integer { ty, bits } => match self.tree.types.get(*ty) {
                Type::Integer { width: 64, .. } => Ok(*bits as i64),
                _ => fail("expected an integer of 64 bits"),
            },
            _ => fail("expected an integer"),
        }
    }

    /// The elements of a tensor of one dimension.
    fn integers(&self, id: AttributeId) -> Result<Vec<i64>, Failure> {
        let Vhlo::Tensor { ty, data } = self.tree.attributes.get(id) else {
            return fail("expected a tensor of integers");
        };
        let (shape, wide) = match self.tree.types.get(*ty) {
            Type::RankedTensor { shape, element, .. } => {
                let element = self.tree.types.get(*element);
                (shape, matches!(element, Type::Integer { width: 64, .. }))
            }
            _ => return fail("expected a tensor of integers"),
        };
        let (words, rest) = data.as_chunks::<8>();
        let mut values = words.iter().map(|word| i64::from_le_bytes(*word));
        match (&shape[..], values.len()) {
            (&[count], length) if wide && rest.is_empty() && count == length as i64 => {
                Ok(values.collect())
            }
            // A splat; no list of an op is longer than this.
            (&[count @ 1..=65_536], 1) if wide && rest.is_empty() => {
                Ok(vec![values.next().unwrap_or_default(); count as usize])
            }
            _ => fail("expected a tensor of one dimension, of 64-bit integers"),
        }
    }

    /// A reference to the symbol that a string names.
    fn symbol(&self, id: AttributeId) -> Result<Attribute<'c>, Failure> {
        let name = self.tree.attributes.string(id).ok_or("expected a name")?;
        let name = std::str::from_utf8(name).map_err(|_| "a name that is not valid UTF-8")?;
        if name.is_empty() {
            return fail("a name that is empty");
        }
        Ok(FlatSymbolRefAttribute::new(self.context, name).into())
    }

    fn text(&self, id: AttributeId) -> Result<&'t str, Failure> {
        let bytes = self.tree.attributes.string(id).ok_or("expected a string")?;
        std::str::from_utf8(bytes).map_err(|_| "a string that is not valid UTF-8".into())
    }

    fn array(&self, id: AttributeId) -> Result<Vec<Attribute<'c>>, Failure> {
        match self.tree.attributes.get(id) {
            Vhlo::Array(elements) => elements.iter().map(|id| self.attribute(*id)).collect(),
            _ => fail("expected an array"),
        }
    }

    /// Creates an attribute whose parts have been imported.
    pub fn make_attribute(&self, attribute: &Vhlo) -> Result<Attribute<'c>, Failure> {
        let context = self.context;
        let mesh = |mesh: MeshAttribute<'c>| {
            let made = mesh.to_attribute(context);
            made.ok_or_else(|| Failure("a mesh that is not valid".into()))
        };
        Ok(match attribute {
            Vhlo::Array(elements) | Vhlo::Builtin(Builtin::Array(elements)) => {
                let elements: Result<Vec<_>, _> =
                    elements.iter().map(|id| self.attribute(*id)).collect();
                halo_ir::array_attribute(context, &elements?)
            }
            Vhlo::Boolean(value) => halo_ir::bool_attribute(context, *value),
            Vhlo::Enumeration(kind, case) => {
                enumeration(context, *kind, *case).ok_or("a case that does not exist")?
            }
            Vhlo::Dictionary(entries) | Vhlo::Builtin(Builtin::Dictionary(entries)) => {
                self.dictionary(entries)?
            }
            Vhlo::Float { ty, bits }
            | Vhlo::Integer { ty, bits }
            | Vhlo::Builtin(Builtin::Float { ty, bits } | Builtin::Integer { ty, bits }) => {
                halo_ir::untrusted::checked_number(self.ty(*ty)?, *bits)
                    .ok_or("a number whose type is not a number type")?
            }
            Vhlo::OutputOperandAlias {
                output_tuple_indices,
                operand_index,
                operand_tuple_indices,
            } => OutputOperandAlias {
                output_tuple_indices: output_tuple_indices.clone(),
                operand_index: *operand_index,
                operand_tuple_indices: operand_tuple_indices.clone(),
            }
            .to_attribute(context),
            Vhlo::String(bytes) | Vhlo::Builtin(Builtin::String(bytes)) => {
                halo_ir::untrusted::bytes_attribute(context, bytes)
            }
            Vhlo::Tensor { ty, data } | Vhlo::Builtin(Builtin::DenseElements { ty, data }) => {
                halo_ir::untrusted::checked_dense(self.ty(*ty)?, data)
                    .ok_or("a tensor whose elements do not fit its type")?
            }
            Vhlo::Type(ty) | Vhlo::Builtin(Builtin::Type(ty)) => {
                halo_ir::type_attribute(self.ty(*ty)?)
            }
            Vhlo::TypeExtensions(bounds) => TypeExtensions {
                bounds: bounds.iter().map(|bound| (*bound != DYNAMIC).then_some(*bound)).collect(),
            }
            .to_attribute(context),
            Vhlo::ResultAccuracy {
                atol,
                rtol,
                ulps,
                mode,
            } => {
                let accuracy = match self.tree.attributes.get(*mode) {
                    Vhlo::Enumeration(Enumeration::ResultAccuracyMode, 0) => {
                        ResultAccuracy::Default
                    }
                    Vhlo::Enumeration(Enumeration::ResultAccuracyMode, 1) => {
                        ResultAccuracy::Highest
                    }
                    Vhlo::Enumeration(Enumeration::ResultAccuracyMode, 2) => {
                        ResultAccuracy::Tolerance {
                            atol: f64::from_bits(*atol),
                            rtol: f64::from_bits(*rtol),
                            ulps: *ulps,
                        }
                    }
                    _ => return fail("an accuracy without a mode"),
                };
                accuracy.to_attribute(context).ok_or("an accuracy that is not valid")?
            }
            Vhlo::SubAxisInfo { pre_size, size } => mesh(MeshAttribute::SubAxisInfo {
                pre_size: *pre_size,
                size: *size,
            })?,
            Vhlo::AxisRef {
                name,
                sub_axis_info,
            } => {
                let info = sub_axis_info.map(|info| self.attribute(info)).transpose()?;
                mesh(MeshAttribute::AxisRef {
                    name: self.text(*name)?.to_owned(),
                    sub_axis_info: info,
                })?
            }
            Vhlo::MeshAxis { name, size } => mesh(MeshAttribute::MeshAxis {
                name: self.text(*name)?.to_owned(),
                size: *size,
            })?,
            Vhlo::Mesh { axes, device_ids } => {
                let device_ids = device_ids.map(|ids| self.attribute(ids)).transpose()?;
                mesh(MeshAttribute::Mesh {
                    axes: self.array(*axes)?,
                    device_ids,
                })?
            }
            Vhlo::ReplicaGroupMeshAxes { mesh: of, axes } => {
                let of = match self.tree.attributes.get(*of) {
                    Vhlo::String(_) => self.symbol(*of)?,
                    _ => self.attribute(*of)?,
                };
                mesh(MeshAttribute::ReplicaGroupMeshAxes {
                    mesh: of,
                    axes: self.array(*axes)?,
                })?
            }
            Vhlo::Builtin(Builtin::FlatSymbolRef(name)) => self.symbol(*name)?,
            Vhlo::Builtin(Builtin::Unit) => halo_ir::unit_attribute(context),
            Vhlo::Builtin(Builtin::DenseArray {
                element,
                size,
                data,
            }) => self.dense_array(*element, *size, data)?,
            Vhlo::Location(location) => self.make_location(location)?.to_attribute(),
            Vhlo::Text { text, .. } => {
                let text = std::str::from_utf8(text)
                    .map_err(|_| "an attribute that is not valid UTF-8")?;
                self.parse_attribute(text)?
            }
            Vhlo::Sharding(_) => return fail("a sharding that is not an attribute by itself"),
        })
    }

    fn dictionary(&self, entries: &[(AttributeId, AttributeId)]) -> Result<Attribute<'c>, Failure> {
        let mut named = Vec::with_capacity(entries.len());
        for (name, value) in entries {
            let name = attribute_name(self.text(*name)?.as_bytes())?;
            named.push((name, self.attribute(*value)?));
        }
        named.sort_by_key(|(name, _)| *name);
        if named.windows(2).any(|pair| matches!(pair, [(a, _), (b, _)] if a == b)) {
            return fail("a dictionary with a name twice");
        }
        Ok(halo_ir::dictionary_attribute(self.context, &named))
    }

    fn dense_array(
        &self,
        element: halo_vhlo::TypeId,
        size: u64,
        data: &[u8],
    ) -> Result<Attribute<'c>, Failure> {
        let ty = self.ty(element)?;
        let (words, rest) = data.as_chunks::<8>();
        if ty.integer_width() == Some(64) && rest.is_empty() && words.len() as u64 == size {
            let values: Vec<i64> = words.iter().map(|word| i64::from_le_bytes(*word)).collect();
            return Ok(halo_ir::i64_array_attribute(self.context, &values));
        }
        if ty.integer_width() == Some(1) && data.len() as u64 == size {
            let values: Vec<bool> = data.iter().map(|byte| *byte != 0).collect();
            return Ok(halo_ir::untrusted::bool_array_attribute(
                self.context,
                &values,
            ));
        }
        fail("an array of neither 64-bit integers nor booleans")
    }

    fn make_location(&self, location: &VhloLocation) -> Result<Location<'c>, Failure> {
        let context = self.context;
        let text = |id: AttributeId| {
            let bytes = self.tree.attributes.string(id);
            bytes
                .map(|bytes| String::from_utf8_lossy(bytes))
                .ok_or("a location without a name")
        };
        // MLIR counts lines in 32 bits.
        let number = |value: u64| value.min(u64::from(u32::MAX)) as usize;
        Ok(match location {
            VhloLocation::Unknown => Location::unknown(context),
            VhloLocation::FileLineCol { file, line, column } => {
                Location::new(context, &text(*file)?, number(*line), number(*column))
            }
            VhloLocation::FileLineColRange { file, start, end } => Location::file_line_col_range(
                context,
                &text(*file)?,
                number(start.0),
                number(start.1),
                number(end.0),
                number(end.1),
            ),
            VhloLocation::Name { name, child } => {
                Location::name(context, &text(*name)?, self.location_at(*child)?)
            }
            VhloLocation::CallSite { callee, caller } => {
                Location::call_site(self.location_at(*callee)?, self.location_at(*caller)?)
            }
            VhloLocation::Fused {
                locations,
                metadata,
            } => {
                let locations: Result<Vec<_>, _> =
                    locations.iter().map(|id| self.location_at(*id)).collect();
                let metadata = metadata.map(|metadata| self.attribute(metadata));
                halo_ir::fused_location(context, &locations?, metadata.transpose()?)
            }
        })
    }

    /// Parses the text of an attribute.
    pub fn parse_attribute(&self, text: &str) -> Result<Attribute<'c>, Failure> {
        halo_ir::limits::check(text.as_bytes()).map_err(|error| error.to_string())?;
        Attribute::parse(self.context, text)
            .ok_or_else(|| format!("the attribute '{text}' is not valid").into())
    }
}

/// The attribute of an enum case, by its number.
fn enumeration(context: &melior::Context, kind: Enumeration, case: u32) -> Option<Attribute<'_>> {
    macro_rules! case_of {
        ($name:ident: $($case:ident),+) => {
            [$($name::$case),+]
                .into_iter()
                .find(|known| *known as u32 == case)?
                .to_attribute(context)
        };
    }
    Some(match kind {
        Enumeration::ComparisonDirection => case_of!(ComparisonDirection: Eq, Ne, Ge, Gt, Le, Lt),
        Enumeration::ComparisonType => {
            case_of!(ComparisonType: NoType, Float, TotalOrder, Signed, Unsigned)
        }
        Enumeration::CustomCallApiVersion => case_of!(
            CustomCallApiVersion: Unspecified, Original, StatusReturning, StatusReturningUnified,
            TypedFfi
        ),
        Enumeration::FftType => case_of!(FftType: Fft, Ifft, Rfft, Irfft),
        Enumeration::Precision => case_of!(Precision: Default, High, Highest),
        // Only inside of an accuracy.
        Enumeration::ResultAccuracyMode => halo_ir::unit_attribute(context),
        Enumeration::RngAlgorithm => case_of!(RngAlgorithm: Default, ThreeFry, Philox),
        Enumeration::RngDistribution => case_of!(RngDistribution: Uniform, Normal),
        Enumeration::Transpose => case_of!(Transpose: Invalid, NoTranspose, Transpose, Adjoint),
    })
}
