//! Ops that rearrange, repeat and slice elements.

use crate::{
    builder::{Builder, Results, Value},
    error::ErrorKind,
    ops::Attributes,
    semantics::GatherDimensionNumbers,
    types::{ElementType, Type},
};

/// Ops of shapes.
impl<'b> Value<'b> {
    /// The op `stablehlo.broadcast`: the new sizes come first.
    #[track_caller]
    pub fn broadcast(self, broadcast_sizes: impl AsRef<[i64]>) -> Self {
        let attributes = vec![("broadcast_sizes", self.builder.list(broadcast_sizes))];
        self.builder.one("broadcast", &[self], attributes, Results::Inferred)
    }

    /// The op `stablehlo.broadcast_in_dim`: dimension `i` becomes dimension
    /// `broadcast_dimensions[i]` of the result.
    #[track_caller]
    pub fn broadcast_in_dim(
        self,
        sizes: impl AsRef<[i64]>,
        broadcast_dimensions: impl AsRef<[i64]>,
    ) -> Self {
        let Some(element) = self.element() else {
            return self.of_invalid_type("broadcast_in_dim");
        };
        self.broadcast_in_dim_to(&Type::tensor(element, sizes), broadcast_dimensions)
    }

    /// The op `stablehlo.broadcast_in_dim` with any type of the result: of bounded dimensions, or
    /// quantized along another dimension.
    #[track_caller]
    pub fn broadcast_in_dim_to(self, ty: &Type, broadcast_dimensions: impl AsRef<[i64]>) -> Self {
        let b = self.builder;
        let attributes = vec![("broadcast_dimensions", b.list(broadcast_dimensions))];
        b.one("broadcast_in_dim", &[self], attributes, b.of_type(ty))
    }

    /// An error for a value that is no tensor, unless it is one of an invalid op.
    #[track_caller]
    pub(crate) fn of_invalid_type(self, op: &str) -> Self {
        match self.ty() {
            None => self.builder.invalid(),
            Some(found) => {
                let kind = ErrorKind::OperandType {
                    operand: 0,
                    expected: "a tensor".to_owned(),
                    found,
                };
                self.builder.fail(&format!("stablehlo.{op}"), kind)
            }
        }
    }

    /// The op `stablehlo.reshape`.
    #[track_caller]
    pub fn reshape(self, sizes: impl AsRef<[i64]>) -> Self {
        let Some(element) = self.element() else {
            return self.of_invalid_type("reshape");
        };
        self.reshape_to(&Type::tensor(element, sizes))
    }

    /// The op `stablehlo.reshape` with any type of the result.
    #[track_caller]
    pub fn reshape_to(self, ty: &Type) -> Self {
        self.builder.one("reshape", &[self], Vec::new(), self.builder.of_type(ty))
    }

    /// The op `stablehlo.transpose`.
    #[track_caller]
    pub fn transpose(self, permutation: impl AsRef<[i64]>) -> Self {
        let (b, permutation) = (self.builder, permutation.as_ref());
        let attributes = vec![("permutation", b.list(permutation))];
        // A quantized dimension moves.
        let results = match self.element() {
            Some(ElementType::Quantized(mut quantization)) if quantization.dimension.is_some() => {
                let moved =
                    permutation.iter().position(|from| Some(*from) == quantization.dimension);
                quantization.dimension = moved.map(|dimension| dimension as i64);
                b.of_element(&ElementType::Quantized(quantization))
            }
            _ => Results::Inferred,
        };
        b.one("transpose", &[self], attributes, results)
    }

    /// The op `stablehlo.reverse`.
    #[track_caller]
    pub fn reverse(self, dimensions: impl AsRef<[i64]>) -> Self {
        let attributes = vec![("dimensions", self.builder.list(dimensions))];
        self.builder.one("reverse", &[self], attributes, Results::Inferred)
    }

    /// The op `stablehlo.slice`.
    #[track_caller]
    pub fn slice(
        self,
        start_indices: impl AsRef<[i64]>,
        limit_indices: impl AsRef<[i64]>,
        strides: impl AsRef<[i64]>,
    ) -> Self {
        let b = self.builder;
        let attributes = vec![
            ("limit_indices", b.list(limit_indices)),
            ("start_indices", b.list(start_indices)),
            ("strides", b.list(strides)),
        ];
        b.one("slice", &[self], attributes, Results::Inferred)
    }

    /// The op `stablehlo.dynamic_slice`.
    #[track_caller]
    pub fn dynamic_slice(
        self,
        start_indices: &[Value<'b>],
        slice_sizes: impl AsRef<[i64]>,
    ) -> Self {
        let attributes = vec![("slice_sizes", self.builder.list(slice_sizes))];
        let operands = [&[self], start_indices].concat();
        self.builder.one("dynamic_slice", &operands, attributes, Results::Inferred)
    }

    /// The op `stablehlo.dynamic_update_slice`.
    #[track_caller]
    pub fn dynamic_update_slice(self, update: Value<'b>, start_indices: &[Value<'b>]) -> Self {
        let operands = [&[self, update], start_indices].concat();
        self.builder.one(
            "dynamic_update_slice",
            &operands,
            Vec::new(),
            Results::Inferred,
        )
    }

    /// The op `stablehlo.pad`.
    #[track_caller]
    pub fn pad(
        self,
        padding_value: Value<'b>,
        edge_padding_low: impl AsRef<[i64]>,
        edge_padding_high: impl AsRef<[i64]>,
        interior_padding: impl AsRef<[i64]>,
    ) -> Self {
        let b = self.builder;
        let attributes = vec![
            ("edge_padding_high", b.list(edge_padding_high)),
            ("edge_padding_low", b.list(edge_padding_low)),
            ("interior_padding", b.list(interior_padding)),
        ];
        b.one("pad", &[self, padding_value], attributes, Results::Inferred)
    }

    /// The op `stablehlo.gather`.
    #[track_caller]
    pub fn gather(
        self,
        start_indices: Value<'b>,
        numbers: &GatherDimensionNumbers,
        slice_sizes: impl AsRef<[i64]>,
        indices_are_sorted: bool,
    ) -> Self {
        let b = self.builder;
        let mut attributes = b.gather_numbers(numbers, indices_are_sorted);
        attributes.push(("slice_sizes", b.list(slice_sizes)));
        b.one(
            "gather",
            &[self, start_indices],
            attributes,
            Results::Inferred,
        )
    }

    /// The op `stablehlo.torch_index_select`.
    #[track_caller]
    pub fn torch_index_select(self, index: Value<'b>, dim: i64, batch_dims: i64) -> Self {
        let b = self.builder;
        let attributes = vec![("batch_dims", b.int(batch_dims)), ("dim", b.int(dim))];
        b.one(
            "torch_index_select",
            &[self, index],
            attributes,
            Results::Inferred,
        )
    }

    /// The op `stablehlo.get_dimension_size`.
    #[track_caller]
    pub fn get_dimension_size(self, dimension: i64) -> Self {
        let attributes = vec![("dimension", self.builder.int(dimension))];
        self.builder.one("get_dimension_size", &[self], attributes, Results::Inferred)
    }

    /// The op `stablehlo.set_dimension_size`.
    #[track_caller]
    pub fn set_dimension_size(self, size: Value<'b>, dimension: i64) -> Self {
        let attributes = vec![("dimension", self.builder.int(dimension))];
        self.builder.one(
            "set_dimension_size",
            &[self, size],
            attributes,
            Results::Inferred,
        )
    }

    /// The op `stablehlo.get_tuple_element`.
    #[track_caller]
    pub fn get_tuple_element(self, index: i32) -> Self {
        let attributes = vec![("index", self.builder.int32(index))];
        self.builder.one("get_tuple_element", &[self], attributes, Results::Inferred)
    }
}

/// Ops whose result sizes are operands. The sizes of the result are known if the operands are
/// constants.
impl<'b> Value<'b> {
    /// The op `stablehlo.dynamic_broadcast_in_dim`. `known` has the dimensions that expand at
    /// run time, and the dimensions that do not.
    #[track_caller]
    pub fn dynamic_broadcast_in_dim(
        self,
        output_dimensions: Value<'b>,
        broadcast_dimensions: impl AsRef<[i64]>,
        ty: &Type,
        known: Option<[&[i64]; 2]>,
    ) -> Self {
        let b = self.builder;
        let mut attributes = vec![("broadcast_dimensions", b.list(broadcast_dimensions))];
        if let Some([expanding, nonexpanding]) = known {
            attributes.push(("known_expanding_dimensions", b.list(expanding)));
            attributes.push(("known_nonexpanding_dimensions", b.list(nonexpanding)));
        }
        let operands = [self, output_dimensions];
        b.one(
            "dynamic_broadcast_in_dim",
            &operands,
            attributes,
            b.of_type(ty),
        )
    }

    /// The op `stablehlo.dynamic_reshape`.
    #[track_caller]
    pub fn dynamic_reshape(self, output_shape: Value<'b>) -> Self {
        let results = match self.element() {
            Some(element) => self.builder.of_element(&element),
            None => Results::Inferred,
        };
        self.builder.one(
            "dynamic_reshape",
            &[self, output_shape],
            Vec::new(),
            results,
        )
    }

    /// The op `stablehlo.dynamic_iota`: this value is the shape.
    #[track_caller]
    pub fn dynamic_iota(self, element: ElementType, iota_dimension: i64) -> Self {
        let b = self.builder;
        let attributes = vec![("iota_dimension", b.int(iota_dimension))];
        b.one("dynamic_iota", &[self], attributes, b.of_element(&element))
    }

    /// The op `stablehlo.dynamic_pad`.
    #[track_caller]
    pub fn dynamic_pad(
        self,
        padding_value: Value<'b>,
        edge_padding_low: Value<'b>,
        edge_padding_high: Value<'b>,
        interior_padding: Value<'b>,
    ) -> Self {
        let edges = [edge_padding_low, edge_padding_high, interior_padding];
        let operands = [&[self, padding_value][..], &edges].concat();
        self.builder.one("dynamic_pad", &operands, Vec::new(), Results::Inferred)
    }

    /// The op `stablehlo.dynamic_gather`.
    #[track_caller]
    pub fn dynamic_gather(
        self,
        start_indices: Value<'b>,
        slice_sizes: Value<'b>,
        numbers: &GatherDimensionNumbers,
        indices_are_sorted: bool,
    ) -> Self {
        let attributes = self.builder.gather_numbers(numbers, indices_are_sorted);
        let operands = [self, start_indices, slice_sizes];
        self.builder.one("dynamic_gather", &operands, attributes, Results::Inferred)
    }

    /// The op `stablehlo.real_dynamic_slice`.
    #[track_caller]
    pub fn real_dynamic_slice(
        self,
        start_indices: Value<'b>,
        limit_indices: Value<'b>,
        strides: Value<'b>,
    ) -> Self {
        let b = self.builder;
        for other in [limit_indices, strides] {
            if let (Some(first), Some(other)) = (start_indices.ty(), other.ty())
                && first != other
            {
                let kind = ErrorKind::ElementTypes(first, other);
                return b.fail("stablehlo.real_dynamic_slice", kind);
            }
        }
        let operands = [self, start_indices, limit_indices, strides];
        b.one(
            "real_dynamic_slice",
            &operands,
            Vec::new(),
            Results::Inferred,
        )
    }
}

impl Builder {
    fn gather_numbers(&self, numbers: &GatherDimensionNumbers, is_sorted: bool) -> Attributes {
        vec![
            (
                "collapsed_slice_dims",
                self.list(&numbers.collapsed_slice_dims),
            ),
            ("index_vector_dim", self.int(numbers.index_vector_dim)),
            ("indices_are_sorted", self.flag(is_sorted)),
            ("offset_dims", self.list(&numbers.offset_dims)),
            (
                "operand_batching_dims",
                self.list(&numbers.operand_batching_dims),
            ),
            ("start_index_map", self.list(&numbers.start_index_map)),
            (
                "start_indices_batching_dims",
                self.list(&numbers.start_indices_batching_dims),
            ),
        ]
    }
}
