//! Conversion of attributes of MLIR and of StableHLO to VHLO.

use super::export::Exporter;
use halo_ir::{
    Location, LocationKind,
    prelude::*,
    stablehlo::attributes::{
        ChannelHandle, ComparisonDirection, ComparisonType, ConvDimensionNumbers,
        CustomCallApiVersion, DotAlgorithm, DotDimensionNumbers, FftType, GatherDimensionNumbers,
        MeshAttribute, OutputOperandAlias, Precision, ResultAccuracy, RngAlgorithm,
        RngDistribution, ScatterDimensionNumbers, Transpose, TypeExtensions,
    },
};
use halo_vhlo::{
    Attribute as Vhlo, AttributeId, Type as VhloType,
    attribute::{Builtin, Bytes, Enumeration, Location as VhloLocation},
    stablehlo::{AttributeMaker, Default, Encoding, Structure, defaults, encoding},
    types::DYNAMIC,
};
use melior::ir::AttributeLike;
use melior::ir::attribute::TypeAttribute;

pub(super) fn utf8(text: &str) -> Bytes {
    text.as_bytes().into()
}

impl<'c> Exporter<'c> {
    fn maker(&mut self) -> AttributeMaker<'_> {
        AttributeMaker {
            attributes: &mut self.attributes,
            types: &mut self.types,
        }
    }

    /// An attribute of an op, in VHLO's encoding.
    pub fn encoded(
        &mut self,
        value: Attribute<'c>,
        family: &str,
        name: &str,
    ) -> Result<AttributeId, String> {
        let unexpected = || format!("'{value}' has an unexpected kind");
        Ok(match encoding(family, name) {
            Encoding::Unit => self.maker().boolean(true),
            Encoding::ApiVersion => {
                let version = CustomCallApiVersion::from_attribute(value);
                let version = version.ok_or_else(unexpected)? as u32;
                let kind = Enumeration::CustomCallApiVersion;
                self.attributes.intern(Vhlo::Enumeration(kind, version))
            }
            // Other attributes have one encoding for each kind.
            _ => self.attribute(value)?,
        })
    }

    /// The number of an attribute of VHLO.
    pub fn attribute(&mut self, value: Attribute<'c>) -> Result<AttributeId, String> {
        let key = value.to_raw().ptr as usize;
        if let Some(id) = self.attribute_ids.get(&key) {
            return Ok(*id);
        }
        let made = self.make_attribute(value)?;
        self.attribute_ids.insert(key, made);
        Ok(made)
    }

    fn attributes_of(&mut self, values: &[Attribute<'c>]) -> Result<Vec<AttributeId>, String> {
        values.iter().map(|value| self.attribute(*value)).collect()
    }

    fn make_attribute(&mut self, value: Attribute<'c>) -> Result<AttributeId, String> {
        let made = if let Some((kind, case)) = enumeration(value) {
            Vhlo::Enumeration(kind, case)
        } else if let Some(accuracy) = ResultAccuracy::from_attribute(value) {
            return Ok(self.accuracy(accuracy));
        } else if let Some(alias) = OutputOperandAlias::from_attribute(value) {
            Vhlo::OutputOperandAlias {
                output_tuple_indices: alias.output_tuple_indices,
                operand_index: alias.operand_index,
                operand_tuple_indices: alias.operand_tuple_indices,
            }
        } else if let Some(extensions) = TypeExtensions::from_attribute(value) {
            let bounds = extensions.bounds.into_iter();
            Vhlo::TypeExtensions(bounds.map(|bound| bound.unwrap_or(DYNAMIC)).collect())
        } else if let Some(mesh) = MeshAttribute::from_attribute(value) {
            self.mesh(mesh)?
        } else if value.is_array() {
            Vhlo::Array(self.attributes_of(&value.array_elements())?)
        } else if value.is_dictionary() {
            let mut entries = Vec::new();
            for (name, value) in value.dictionary_entries() {
                entries.push((self.maker().string(name), self.attribute(value)?));
            }
            Vhlo::Dictionary(entries)
        } else if let Some(bytes) = value.bytes_value() {
            Vhlo::String(bytes.into())
        } else if let Some(symbol) = value.symbol_value() {
            Vhlo::String(utf8(symbol))
        } else if let Some(values) = value.i64_array_value() {
            return Ok(self.maker().list(&values));
        } else if let Some(values) = value.bool_array_value() {
            return Ok(self.maker().booleans(&values));
        } else if let Some(data) = value.dense_data() {
            Vhlo::Tensor {
                ty: self.ty(data.ty)?,
                data: data.bytes.into(),
            }
        } else if let Some(ty) = value.cast::<TypeAttribute>() {
            Vhlo::Type(self.ty(ty.value())?)
        } else if let Some((ty, bits)) = value.number_bits() {
            if ty.integer_width() == Some(1) {
                Vhlo::Boolean(bits & 1 == 1)
            } else if ty.is_float() {
                Vhlo::Float {
                    ty: self.ty(ty)?,
                    bits,
                }
            } else {
                Vhlo::Integer {
                    ty: self.ty(ty)?,
                    bits,
                }
            }
        } else if value.to_string().starts_with("#stablehlo") {
            return Err(format!("'{value}' has no equivalent in VHLO"));
        } else {
            return self.text_attribute(value);
        };
        Ok(self.attributes.intern(made))
    }

    /// An attribute of a dialect outside of VHLO, by its text.
    pub fn text_attribute(&mut self, value: Attribute<'c>) -> Result<AttributeId, String> {
        let text = value.to_string();
        let dialect = text.strip_prefix('#').and_then(|text| {
            let end = text.find(|letter: char| !(letter.is_ascii_alphanumeric() || letter == '_'));
            text.get(..end?)
        });
        let Some(dialect) = dialect.map(utf8) else {
            return Err(format!("the attribute '{text}' has no equivalent in VHLO"));
        };
        let text = text.into_bytes().into();
        Ok(self.attributes.intern(Vhlo::Text { dialect, text }))
    }

    fn accuracy(&mut self, accuracy: ResultAccuracy) -> AttributeId {
        let (mode, atol, rtol, ulps) = match accuracy {
            ResultAccuracy::Default => (0, 0.0, 0.0, 0),
            ResultAccuracy::Highest => (1, 0.0, 0.0, 0),
            ResultAccuracy::Tolerance { atol, rtol, ulps } => (2, atol, rtol, ulps),
        };
        self.maker().accuracy(mode, [atol, rtol], ulps)
    }

    fn mesh(&mut self, mesh: MeshAttribute<'c>) -> Result<Vhlo, String> {
        Ok(match mesh {
            MeshAttribute::SubAxisInfo { pre_size, size } => Vhlo::SubAxisInfo { pre_size, size },
            MeshAttribute::AxisRef {
                name,
                sub_axis_info,
            } => Vhlo::AxisRef {
                name: self.maker().string(&name),
                sub_axis_info: sub_axis_info.map(|info| self.attribute(info)).transpose()?,
            },
            MeshAttribute::MeshAxis { name, size } => Vhlo::MeshAxis {
                name: self.maker().string(&name),
                size,
            },
            MeshAttribute::Mesh { axes, device_ids } => {
                let axes = Vhlo::Array(self.attributes_of(&axes)?);
                Vhlo::Mesh {
                    axes: self.attributes.intern(axes),
                    device_ids: device_ids.map(|ids| self.attribute(ids)).transpose()?,
                }
            }
            MeshAttribute::ReplicaGroupMeshAxes { mesh, axes } => {
                let axes = Vhlo::Array(self.attributes_of(&axes)?);
                Vhlo::ReplicaGroupMeshAxes {
                    mesh: self.attribute(mesh)?,
                    axes: self.attributes.intern(axes),
                }
            }
        })
    }

    /// The attributes of VHLO that a structure becomes.
    pub fn structure(
        &mut self,
        value: Attribute<'c>,
        structure: Structure,
    ) -> Option<Vec<(Bytes, AttributeId)>> {
        let mut made = Vec::new();
        let mut add = |name: &str, id: AttributeId| made.push((utf8(name), id));
        match structure {
            Structure::Channel | Structure::ChannelWithType => {
                let channel = ChannelHandle::from_attribute(value)?;
                add("channel_id", self.maker().integer(channel.handle));
                if structure == Structure::ChannelWithType {
                    add("channel_type", self.maker().integer(channel.channel_type));
                }
            }
            Structure::ConvDimensionNumbers => {
                let dims = ConvDimensionNumbers::from_attribute(value)?;
                for (name, number) in [
                    ("input_batch_dimension", dims.input_batch_dimension),
                    ("input_feature_dimension", dims.input_feature_dimension),
                    (
                        "kernel_input_feature_dimension",
                        dims.kernel_input_feature_dimension,
                    ),
                    (
                        "kernel_output_feature_dimension",
                        dims.kernel_output_feature_dimension,
                    ),
                    ("output_batch_dimension", dims.output_batch_dimension),
                    ("output_feature_dimension", dims.output_feature_dimension),
                ] {
                    add(name, self.maker().integer(number));
                }
                for (name, list) in [
                    ("input_spatial_dimensions", dims.input_spatial_dimensions),
                    ("kernel_spatial_dimensions", dims.kernel_spatial_dimensions),
                    ("output_spatial_dimensions", dims.output_spatial_dimensions),
                ] {
                    add(name, self.maker().list(&list));
                }
            }
            Structure::DotDimensionNumbers => {
                let dims = DotDimensionNumbers::from_attribute(value)?;
                for (name, list) in [
                    ("lhs_batching_dimensions", dims.lhs_batching_dimensions),
                    ("rhs_batching_dimensions", dims.rhs_batching_dimensions),
                    (
                        "lhs_contracting_dimensions",
                        dims.lhs_contracting_dimensions,
                    ),
                    (
                        "rhs_contracting_dimensions",
                        dims.rhs_contracting_dimensions,
                    ),
                ] {
                    add(name, self.maker().list(&list));
                }
            }
            Structure::GatherDimensionNumbers => {
                let dims = GatherDimensionNumbers::from_attribute(value)?;
                for (name, list) in [
                    ("offset_dims", dims.offset_dims),
                    ("collapsed_slice_dims", dims.collapsed_slice_dims),
                    ("operand_batching_dims", dims.operand_batching_dims),
                    (
                        "start_indices_batching_dims",
                        dims.start_indices_batching_dims,
                    ),
                    ("start_index_map", dims.start_index_map),
                ] {
                    add(name, self.maker().list(&list));
                }
                add(
                    "index_vector_dim",
                    self.maker().integer(dims.index_vector_dim),
                );
            }
            Structure::ScatterDimensionNumbers => {
                let dims = ScatterDimensionNumbers::from_attribute(value)?;
                for (name, list) in [
                    ("update_window_dims", dims.update_window_dims),
                    ("inserted_window_dims", dims.inserted_window_dims),
                    ("input_batching_dims", dims.input_batching_dims),
                    (
                        "scatter_indices_batching_dims",
                        dims.scatter_indices_batching_dims,
                    ),
                    (
                        "scatter_dims_to_operand_dims",
                        dims.scatter_dims_to_operand_dims,
                    ),
                ] {
                    add(name, self.maker().list(&list));
                }
                add(
                    "index_vector_dim",
                    self.maker().integer(dims.index_vector_dim),
                );
            }
            Structure::DotAlgorithm => {
                let algorithm = DotAlgorithm::from_attribute(value)?;
                for (name, ty) in [
                    ("lhs_precision_type", algorithm.lhs_precision_type),
                    ("rhs_precision_type", algorithm.rhs_precision_type),
                    ("accumulation_type", algorithm.accumulation_type),
                ] {
                    let ty = self.ty(ty).ok()?;
                    add(name, self.attributes.intern(Vhlo::Type(ty)));
                }
                for (name, number) in [
                    ("lhs_component_count", algorithm.lhs_component_count),
                    ("rhs_component_count", algorithm.rhs_component_count),
                    (
                        "num_primitive_operations",
                        algorithm.num_primitive_operations,
                    ),
                ] {
                    add(name, self.maker().integer(number));
                }
                let imprecise = self.maker().boolean(algorithm.allow_imprecise_accumulation);
                add("allow_imprecise_accumulation", imprecise);
            }
        }
        Some(made)
    }

    /// Writes the defaults of absent attributes.
    pub fn add_defaults(
        &mut self,
        source: halo_ir::Operation<'c>,
        family: &str,
        made: &mut Vec<(Bytes, AttributeId)>,
    ) -> Result<(), String> {
        let dimensions = || {
            if let Some(numbers) = source.attribute("dimension_numbers") {
                let numbers = ConvDimensionNumbers::from_attribute(numbers);
                return numbers.map(|numbers| numbers.input_spatial_dimensions.len());
            }
            let window = source.attribute("window_dimensions");
            Some(window?.i64_array_value()?.len())
        };
        for (name, default) in defaults(family) {
            if made.iter().any(|(own, _)| **own == *name.as_bytes()) {
                continue;
            }
            let dimensions = || dimensions().ok_or("has no window");
            let value = match default {
                Default::EmptyConfiguration if is_typed_interface(source) => {
                    Default::EmptyDictionary.make(&mut self.maker(), 0)
                }
                Default::FalsePerDimension | Default::NoPadding | Default::PerDimension(_) => {
                    default.make(&mut self.maker(), dimensions()?)
                }
                _ => default.make(&mut self.maker(), 0),
            };
            made.push((utf8(name), value));
        }
        Ok(())
    }

    /// An attribute of a module, which is encoded as a builtin one.
    pub fn builtin_attribute(&mut self, value: Attribute<'c>) -> Result<AttributeId, String> {
        let made = if value.is_array() {
            let elements = value.array_elements().into_iter();
            let elements: Result<_, String> =
                elements.map(|element| self.builtin_attribute(element)).collect();
            Builtin::Array(elements?)
        } else if value.is_dictionary() {
            let mut entries = Vec::new();
            for (name, value) in value.dictionary_entries() {
                let name = Vhlo::Builtin(Builtin::String(utf8(name)));
                let name = self.attributes.intern(name);
                entries.push((name, self.builtin_attribute(value)?));
            }
            Builtin::Dictionary(entries)
        } else if let Some(bytes) = value.bytes_value() {
            Builtin::String(bytes.into())
        } else if let Some(symbol) = value.symbol_value() {
            let name = Vhlo::Builtin(Builtin::String(utf8(symbol)));
            Builtin::FlatSymbolRef(self.attributes.intern(name))
        } else if value.is_unit() {
            Builtin::Unit
        } else if let Some(values) = value.i64_array_value() {
            let data: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
            let signless = halo_vhlo::types::Builtin::Integer {
                width: 64,
                signedness: halo_vhlo::types::Signedness::Signless,
            };
            Builtin::DenseArray {
                element: self.types.intern(VhloType::Builtin(signless)),
                size: values.len() as u64,
                data: data.into(),
            }
        } else if let Some(data) = value.dense_data() {
            Builtin::DenseElements {
                ty: self.builtin_type(data.ty)?,
                data: data.bytes.into(),
            }
        } else if let Some(ty) = value.cast::<TypeAttribute>() {
            Builtin::Type(self.builtin_type(ty.value())?)
        } else if let Some((ty, bits)) = value.number_bits() {
            let id = self.builtin_type(ty)?;
            if ty.is_float() {
                Builtin::Float { ty: id, bits }
            } else {
                Builtin::Integer { ty: id, bits }
            }
        } else {
            return self.text_attribute(value);
        };
        Ok(self.attributes.intern(Vhlo::Builtin(made)))
    }

    /// The number of a location.
    pub fn location(&mut self, location: Location<'c>) -> AttributeId {
        let key = location.to_attribute().to_raw().ptr as usize;
        if let Some(id) = self.attribute_ids.get(&key) {
            return *id;
        }
        // Locations contain others; inner ones are exported first.
        let mut open = vec![location];
        while let Some(top) = open.last().copied() {
            let key = top.to_attribute().to_raw().ptr as usize;
            let mut inner = top.kind().parts();
            inner.retain(|part| {
                let key = part.to_attribute().to_raw().ptr as usize;
                !self.attribute_ids.contains_key(&key)
            });
            if !self.attribute_ids.contains_key(&key) && !inner.is_empty() {
                open.extend(inner);
                continue;
            }
            open.pop();
            if !self.attribute_ids.contains_key(&key) {
                let made = self.make_location(top);
                let id = self.attributes.intern(Vhlo::Location(made));
                self.attribute_ids.insert(key, id);
            }
        }
        let made = self.attribute_ids.get(&key).copied();
        made.unwrap_or_else(|| self.attributes.intern(Vhlo::Location(VhloLocation::Unknown)))
    }

    /// A location whose parts have been exported.
    fn make_location(&mut self, location: Location<'c>) -> VhloLocation {
        let kind = location.kind();
        let parts: Vec<AttributeId> = kind
            .clone()
            .parts()
            .into_iter()
            .map(|part| part.to_attribute().to_raw().ptr as usize)
            .filter_map(|key| self.attribute_ids.get(&key).copied())
            .collect();
        let mut string = |text: &str| {
            let text = Vhlo::Builtin(Builtin::String(utf8(text)));
            self.attributes.intern(text)
        };
        match (kind, &parts[..]) {
            (
                LocationKind::File {
                    name,
                    line,
                    column,
                    end_line,
                    end_column,
                },
                _,
            ) => VhloLocation::FileLineColRange {
                file: string(&name),
                start: (line as u64, column as u64),
                end: (end_line as u64, end_column as u64),
            },
            (LocationKind::Name { name, .. }, [child]) => VhloLocation::Name {
                name: string(&name),
                child: *child,
            },
            (LocationKind::CallSite { .. }, [callee, caller]) => VhloLocation::CallSite {
                callee: *callee,
                caller: *caller,
            },
            (LocationKind::Fused { .. }, _) => VhloLocation::Fused {
                locations: parts,
                metadata: None,
            },
            _ => VhloLocation::Unknown,
        }
    }

    /// The number of the location of an argument.
    pub fn argument_location(&mut self, argument: halo_ir::Value<'c>) -> AttributeId {
        self.location(argument.location())
    }
}

/// Returns true if a custom call's configuration is a dictionary.
fn is_typed_interface(call: halo_ir::Operation) -> bool {
    let version = call.attribute("api_version").and_then(CustomCallApiVersion::from_attribute);
    version == Some(CustomCallApiVersion::TypedFfi)
}

/// The enumeration and the case of an attribute.
fn enumeration(value: Attribute) -> Option<(Enumeration, u32)> {
    macro_rules! any_of {
        ($($name:ident),+) => {
            $(if let Some(case) = $name::from_attribute(value) {
                return Some((Enumeration::$name, case as u32));
            })+
        };
    }
    any_of!(
        ComparisonDirection,
        ComparisonType,
        FftType,
        Precision,
        RngAlgorithm,
        RngDistribution,
        Transpose
    );
    None
}
