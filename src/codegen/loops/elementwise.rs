//! Queries and builders of elementwise ops.

use halo_ir::prelude::*;

/// A generic op on tensors whose loops are all parallel and whose results have their elements in
/// loop order.
pub struct Elementwise<'c> {
    pub op: Operation<'c>,
    pub inputs: Vec<Value<'c>>,
    pub outputs: Vec<Value<'c>>,
    /// The maps of the inputs, then of the outputs.
    pub maps: Vec<AffineMap<'c>>,
}

impl<'c> Elementwise<'c> {
    pub fn of(op: Operation<'c>) -> Option<Self> {
        let generic = op.cast::<linalg::GenericOp>()?;
        let kinds = generic.iterator_types();
        let maps = op.indexing_maps()?;
        let (inputs, outputs) = (generic.inputs(), generic.outputs());
        let is_elementwise = kinds.iter().all(|kind| *kind == IteratorType::Parallel)
            && maps[inputs.len()..].iter().all(AffineMap::is_identity)
            && op.results().len() == outputs.len();
        is_elementwise.then_some(Self {
            op,
            inputs,
            outputs,
            maps,
        })
    }

    /// Whether each output is an empty tensor.
    pub fn has_empty_outputs(&self) -> bool {
        self.outputs.iter().copied().all(is_empty)
    }

    /// Whether it reads the elements that it overwrites.
    pub fn reads_outputs(&self) -> bool {
        self.op.body(0).is_none_or(|body| {
            let arguments = body.arguments().into_iter();
            let mut outputs = arguments.skip(self.inputs.len());
            outputs.any(|output| !output.is_unused())
        })
    }

    /// The number of ops in its body.
    pub fn length(&self) -> usize {
        self.op.body(0).map_or(0, |body| body.operations().len())
    }

    /// Clones the body for the given elements, and returns the yielded values.
    pub fn inline(&self, b: &Builder<'c>, elements: &[Value<'c>]) -> Vec<Value<'c>> {
        self.op.body(0).map_or(Vec::new(), |body| b.clone_body(body, elements))
    }
}

/// Whether a value is an empty tensor.
pub fn is_empty(value: Value) -> bool {
    value.defining_op().is_some_and(|op| op.isa::<tensor::EmptyOp>())
}

/// The tensor that reshapes give another shape.
pub fn before_reshapes(mut value: Value<'_>) -> Value<'_> {
    while let Some(op) = value
        .defining_op()
        .filter(|op| op.isa::<tensor::ExpandShapeOp>() || op.isa::<tensor::CollapseShapeOp>())
    {
        value = op.operands()[0];
    }
    value
}

/// A generic op whose loops are all parallel. `body` gets an element of each input and output, and
/// returns the elements of the outputs.
pub fn generic<'c>(
    b: &Builder<'c>,
    inputs: &[Value<'c>],
    outputs: &[Value<'c>],
    maps: &[AffineMap<'c>],
    body: impl FnOnce(&Builder<'c>, &[Value<'c>]) -> Vec<Value<'c>>,
) -> Operation<'c> {
    let kinds = vec![IteratorType::Parallel; maps.first().map_or(0, AffineMap::dim_count)];
    let op = linalg::generic(b, inputs, outputs, maps, &kinds, |b, elements| {
        body(b, elements)
    });
    op.operation()
}
