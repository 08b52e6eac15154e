//! An op of the builder, as the rules of the specification read it.

use crate::{
    cases::case_name,
    elements::{integer_in, integers_in},
    semantics::{
        Body, ChannelHandle, ConvDimensionNumbers, DotDimensionNumbers, GatherDimensionNumbers, Op,
        ScatterDimensionNumbers,
    },
    types::{TypeRef, Types},
};
use halo_vhlo::{Attribute, AttributeId, Block, OpKind, Type as Vhlo, TypeId};

/// A region that was built, and the types of its arguments and results.
pub(crate) struct Region {
    pub block: Block,
    pub arguments: Vec<TypeId>,
    pub results: Vec<TypeId>,
}

#[derive(Clone, Copy)]
pub(crate) struct Planned<'a> {
    pub types: &'a Types,
    /// With the dialect.
    pub name: &'a str,
    pub operands: &'a [TypeId],
    /// The values of operands that are constants.
    pub constants: &'a [Option<AttributeId>],
    pub results: &'a [TypeId],
    pub attributes: &'a [(&'static str, AttributeId)],
    pub regions: &'a [Region],
}

impl<'a> Planned<'a> {
    fn id(self, name: &str) -> Option<AttributeId> {
        self.attributes.iter().find(|(own, _)| *own == name).map(|(_, id)| *id)
    }

    fn attribute(self, name: &str) -> Option<Attribute> {
        Some(self.types.attributes.borrow().get(self.id(name)?).clone())
    }

    fn elements(self, id: AttributeId) -> Option<(Vec<i64>, Vec<i64>)> {
        integers_in(
            &self.types.types.borrow(),
            &self.types.attributes.borrow(),
            id,
        )
    }

    fn list(self, name: &str) -> Vec<i64> {
        self.optional_integers(name).unwrap_or_default()
    }

    fn number(self, name: &str) -> i64 {
        self.optional_integer(name).unwrap_or_default()
    }

    fn all(self, ids: &[TypeId]) -> Vec<TypeRef<'a>> {
        ids.iter().map(|id| self.types.get(*id)).collect()
    }
}

impl<'a> Op for Planned<'a> {
    type Type = TypeRef<'a>;

    fn name(&self) -> &str {
        self.name
    }

    fn operand_count(self) -> usize {
        self.operands.len()
    }

    fn result_count(self) -> usize {
        self.results.len()
    }

    fn region_count(self) -> usize {
        self.regions.len()
    }

    fn operand_type(self, number: usize) -> Result<TypeRef<'a>, String> {
        let id = self.operands.get(number).ok_or_else(|| format!("has no operand {number}"))?;
        Ok(self.types.get(*id))
    }

    fn result_type(self, number: usize) -> Result<TypeRef<'a>, String> {
        let id = self.results.get(number).ok_or_else(|| format!("has no result {number}"))?;
        Ok(self.types.get(*id))
    }

    fn body(self, region: usize) -> Option<Body<TypeRef<'a>>> {
        let built = self.regions.get(region)?;
        Some(Body {
            region,
            arguments: self.all(&built.arguments),
            results: self.all(&built.results),
        })
    }

    fn body_op_names(self, region: usize) -> Vec<String> {
        let operations = self.regions.get(region).map(|region| &region.block.operations);
        let names = operations.into_iter().flatten().filter_map(|op| match op.kind {
            OpKind::Vhlo(definition) => Some(format!("stablehlo.{}", definition.family())),
            _ => None,
        });
        names.collect()
    }

    fn optional_integers(self, name: &str) -> Option<Vec<i64>> {
        let (shape, values) = self.integer_elements(name)?;
        (shape.len() == 1).then_some(values)
    }

    fn optional_integer(self, name: &str) -> Option<i64> {
        let id = self.id(name)?;
        integer_in(
            &self.types.types.borrow(),
            &self.types.attributes.borrow(),
            id,
        )
    }

    fn flag(self, name: &str) -> bool {
        self.attribute(name) == Some(Attribute::Boolean(true))
    }

    fn bool_array_size(self, name: &str) -> Option<usize> {
        self.optional_integers(name).map(|values| values.len())
    }

    fn integer_elements(self, name: &str) -> Option<(Vec<i64>, Vec<i64>)> {
        self.elements(self.id(name)?)
    }

    fn string(self, name: &str) -> Option<String> {
        match self.attribute(name)? {
            Attribute::String(bytes) => Some(String::from_utf8_lossy(&bytes).into_owned()),
            _ => None,
        }
    }

    fn case(self, name: &str) -> Option<&'static str> {
        match self.attribute(name)? {
            Attribute::Enumeration(kind, case) => case_name(kind, case),
            _ => None,
        }
    }

    fn cases(self, name: &str) -> Vec<&'static str> {
        let Some(Attribute::Array(ids)) = self.attribute(name) else {
            return Vec::new();
        };
        let attributes = self.types.attributes.borrow();
        let cases = ids.iter().filter_map(|id| match attributes.get(*id) {
            Attribute::Enumeration(kind, case) => case_name(*kind, *case),
            _ => None,
        });
        cases.collect()
    }

    fn has(self, name: &str) -> bool {
        match name {
            "algorithm" => match self.attribute("accumulation_type") {
                Some(Attribute::Type(ty)) => self.types.vhlo(ty) != Vhlo::None,
                _ => false,
            },
            _ => self.id(name).is_some(),
        }
    }

    fn value_type(self) -> Option<TypeRef<'a>> {
        match self.attribute("value")? {
            Attribute::Tensor { ty, .. } => Some(self.types.get(ty)),
            _ => None,
        }
    }

    /// The builder writes none.
    fn layouts(self) -> Result<Option<Vec<Vec<i64>>>, String> {
        Ok(None)
    }

    fn dot_dimension_numbers(self) -> Option<DotDimensionNumbers> {
        Some(DotDimensionNumbers {
            lhs_batching_dimensions: self.list("lhs_batching_dimensions"),
            rhs_batching_dimensions: self.list("rhs_batching_dimensions"),
            lhs_contracting_dimensions: self.list("lhs_contracting_dimensions"),
            rhs_contracting_dimensions: self.list("rhs_contracting_dimensions"),
        })
    }

    fn gather_dimension_numbers(self) -> Option<GatherDimensionNumbers> {
        Some(GatherDimensionNumbers {
            offset_dims: self.list("offset_dims"),
            collapsed_slice_dims: self.list("collapsed_slice_dims"),
            operand_batching_dims: self.list("operand_batching_dims"),
            start_indices_batching_dims: self.list("start_indices_batching_dims"),
            start_index_map: self.list("start_index_map"),
            index_vector_dim: self.number("index_vector_dim"),
        })
    }

    fn scatter_dimension_numbers(self) -> Option<ScatterDimensionNumbers> {
        Some(ScatterDimensionNumbers {
            update_window_dims: self.list("update_window_dims"),
            inserted_window_dims: self.list("inserted_window_dims"),
            input_batching_dims: self.list("input_batching_dims"),
            scatter_indices_batching_dims: self.list("scatter_indices_batching_dims"),
            scatter_dims_to_operand_dims: self.list("scatter_dims_to_operand_dims"),
            index_vector_dim: self.number("index_vector_dim"),
        })
    }

    fn conv_dimension_numbers(self) -> Option<ConvDimensionNumbers> {
        Some(ConvDimensionNumbers {
            input_batch_dimension: self.number("input_batch_dimension"),
            input_feature_dimension: self.number("input_feature_dimension"),
            input_spatial_dimensions: self.list("input_spatial_dimensions"),
            kernel_input_feature_dimension: self.number("kernel_input_feature_dimension"),
            kernel_output_feature_dimension: self.number("kernel_output_feature_dimension"),
            kernel_spatial_dimensions: self.list("kernel_spatial_dimensions"),
            output_batch_dimension: self.number("output_batch_dimension"),
            output_feature_dimension: self.number("output_feature_dimension"),
            output_spatial_dimensions: self.list("output_spatial_dimensions"),
        })
    }

    fn channel_handle(self) -> Option<ChannelHandle> {
        Some(ChannelHandle {
            handle: self.optional_integer("channel_id")?,
            channel_type: self.number("channel_type"),
        })
    }

    fn constant_elements(self, number: usize) -> Option<(Vec<i64>, Vec<i64>)> {
        self.elements((*self.constants.get(number)?)?)
    }

    /// Only constants are followed, not sums.
    fn constant_spans(self) -> Option<Vec<i64>> {
        None
    }

    fn integer_type(self, width: u32, unsigned: bool) -> TypeRef<'a> {
        self.types.get(self.types.add(match width {
            1 => Vhlo::Boolean,
            _ => Vhlo::Integer { width, unsigned },
        }))
    }

    fn token_type(self) -> TypeRef<'a> {
        self.types.get(self.types.add(Vhlo::Token))
    }

    fn tuple_type(self, types: &[TypeRef<'a>]) -> TypeRef<'a> {
        let parts = types.iter().map(|ty| ty.id).collect();
        self.types.get(self.types.add(Vhlo::Tuple(parts)))
    }

    fn future_type(self, types: &[TypeRef<'a>]) -> Option<TypeRef<'a>> {
        use crate::semantics::Ty as _;
        let is_tensors = types.iter().all(|ty| ty.is_tensor());
        let parts = types.iter().map(|ty| ty.id).collect();
        is_tensors.then(|| self.types.get(self.types.add(Vhlo::Future(parts))))
    }
}
