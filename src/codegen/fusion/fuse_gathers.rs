//! `--halo-fuse-gathers`: computes only the elements that a gather reads, instead of the whole
//! tensor.
//!
//! A loss function reads one element of each row of a log-softmax; all other elements would be
//! computed and stored without use. A structured op that reads an elementwise result at computed
//! indices reads the operands of the elementwise op there instead:
//!
//! ```mlir
//! %0 = linalg.generic ins(%x, %sum : tensor<64x1000xf32>, tensor<64x1xf32>) { subf }
//! %1 = linalg.generic ins(%labels : tensor<64xi32>) {
//!   ...
//!   %2 = tensor.extract %0[%row, %label] : tensor<64x1000xf32>
//!   linalg.yield %2
//! }
//! ```
//!
//! becomes
//!
//! ```mlir
//! %1 = linalg.generic ins(%labels : tensor<64xi32>) {
//!   ...
//!   %2 = tensor.extract %x[%row, %label] : tensor<64x1000xf32>
//!   %3 = tensor.extract %sum[%row, %c0] : tensor<64x1xf32>
//!   %4 = arith.subf %2, %3 : f32
//!   linalg.yield %4
//! }
//! ```
//!
//! A gather is fused if it reads a small fraction of the tensor, or if the tensor has no other uses
//! and fusion computes no more elements than before. The option `explain` emits a remark with the
//! reason for each gather that is not fused.
//!
//! Reads of slices and of fills become reads of their operands.
//!
//! The loops of a scatter read indices and updates in the same way. They run in one thread, so that
//! only cheap arithmetic is fused with them, unless the option `parallel-scatters` is set: then
//! gathers and padding are, too.

use super::{
    fold_unit_reshapes::unit_reshape,
    fuse_elementwise::{
        FEW_ELEMENTS, is_cheap as is_index_arithmetic, is_used_once, loop_sizes, only_moves,
    },
    is_cheap,
    padding::Padding,
};
use crate::{
    explain::{Outcome, Reason},
    loops::{bounds::exact_trip_count, elementwise::before_reshapes, prelude::*},
};
use halo_ir::{ops::halo, prelude::*};
use std::collections::HashSet;

/// A gather of at most one in so many elements is always fused.
const SMALL_PART: i64 = 8;
/// The maximal ops in the body of a gather, and in a loop of a scatter.
const LONGEST_BODY: usize = 128;
const LONGEST_SCATTER: usize = 48;

pass_options! {
    /// The options of the pass.
    struct Options {
        /// Report why gathers are not fused with the producers of their operands
        explain: bool = false,
        /// The loops of scatters run in parallel, and compute their operands
        parallel_scatters: bool = false,
    }
}

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration::new(
    "halo-fuse-gathers",
    "Fuse gathers with the producers of their operands",
    run,
)
.on::<func::FuncOp>()
.dependent_dialects(&["arith", "linalg", "tensor"])
.options::<Options>();

fn run(pass: &mut PassInvocation) -> Result<(), PassFailure> {
    let function = pass.operation();
    let options = pass.options::<Options>();
    let reader = |read, producer| Reader::of(read, producer, options.parallel_scatters);
    // A producer may be fused once all its users are.
    let mut is_changed = true;
    while std::mem::take(&mut is_changed) {
        let mut pending = function.collect_nested(|op| op.isa::<tensor::ExtractOp>());
        pending.reverse();
        while let Some(op) = pending.pop() {
            if let Some(new) = fuse(op, &reader) {
                pending.extend(new);
                is_changed = true;
            }
        }
    }
    if options.explain {
        explain(pass, &reader);
    }
    Ok(())
}

/// Emits remarks for the ops whose results gathers still read.
fn explain<'c>(pass: &'c PassInvocation, reader: &ReaderOf<'_, 'c>) {
    let mut explained = HashSet::new();
    for read in pass.operation().collect_nested(|op| op.isa::<tensor::ExtractOp>()) {
        let source = read.operands().first().copied();
        let producer = source.and_then(Value::defining_op);
        let gather = read.parent().filter(|gather| gather.is_structured());
        let (Some(producer), Some(gather)) = (producer, gather) else {
            continue;
        };
        if let Some(Err(reason)) = Source::of(read, reader)
            && explained.insert((producer.key(), reason))
        {
            Outcome::NotComputedInGather
                .because(reason)
                .remark(pass, producer)
                .note(gather, "the gather");
        }
    }
}

/// Fuses producers that have no other user, or only move elements, into an op in the body of a
/// structured op that reads each element of a tensor once.
pub(super) fn fuse_read(read: Operation) {
    let sizes = read.operands()[0].ty().sizes();
    let elements = sizes.into_iter().fold(1, i64::saturating_mul);
    let mut pending = vec![read];
    while let Some(read) = pending.pop() {
        let reader = |read, _| Reader::of_each(read, elements);
        pending.extend(fuse(read, &reader).unwrap_or_default());
    }
}

/// Fuses the producer into an op that reads one element, if it is profitable. Returns the new ops
/// that read the producer's operands.
fn fuse<'c>(read: Operation<'c>, reader: &ReaderOf<'_, 'c>) -> Option<Vec<Operation<'c>>> {
    let source = Source::of(read, reader)?.ok()?;
    let indices = read.operands()[1..].to_vec();
    let (value, new) = with_builder(read, |b| source.element(b, &indices));
    with_builder(read, |b| b.replace(read, &[value]));
    erase_unused(source.op());
    Some(new.into_iter().filter_map(Value::defining_op).collect())
}

/// The producer of a gathered tensor.
enum Source<'c> {
    /// One of the results of an elementwise op, in the order of its loops.
    Elementwise(linalg::GenericOp<'c>, usize, Vec<AffineMap<'c>>),
    /// A reshape that adds or removes dimensions of size 1, with the dimension of the result for
    /// each dimension of its operand whose size is not 1.
    Reshape(Operation<'c>, Vec<Option<usize>>),
    /// A slice of the rank of its operand.
    Slice(tensor::ExtractSliceOp<'c>),
    /// A tensor of one value.
    Fill(Operation<'c>),
    Padding(Operation<'c>, Padding<'c>),
}

impl<'c> Source<'c> {
    /// The producer of the tensor that an op in the body of a structured op or of a scatter reads,
    /// if it should be fused, else the reason; `None` if it is not a structured op or a reshape.
    fn of(read: Operation<'c>, reader: &ReaderOf<'_, 'c>) -> Option<Result<Self, Reason>> {
        let (op, number) = (*read.operands().first()?).as_result()?;
        let reader = reader(read, op)?;
        let tensor = *op.results().get(number)?;
        if op.isa::<linalg::FillOp>() {
            return Some(Ok(Self::Fill(op)));
        }
        if let Some(slice) = op.cast::<tensor::ExtractSliceOp>() {
            let rank = |value: Value| value.ty().static_shape().map(|shape| shape.len());
            let has_rank = rank(tensor) == rank(slice.source()) && rank(tensor).is_some();
            let is_overwritten = reader.overwrites(slice.source());
            return (has_rank && !is_overwritten).then_some(Ok(Self::Slice(slice)));
        }
        if let Some(padding) = Padding::of(op) {
            let is_fused = reader.is_parallel && !reader.overwrites(padding.source);
            return is_fused.then_some(Ok(Self::Padding(op, padding)));
        }
        if op.isa::<tensor::ExpandShapeOp>() || op.isa::<tensor::CollapseShapeOp>() {
            let source = op.operands()[0];
            let is_computed = source.defining_op().is_some_and(|op| op.isa::<linalg::GenericOp>());
            return match unit_reshape(source, tensor) {
                Some(dims) => Some(Ok(Self::Reshape(op, dims))),
                None => is_computed.then_some(Err(Reason::ReshapesNonUnitDims)),
            };
        }
        let generic = op.cast::<linalg::GenericOp>()?;
        let maps = op.indexing_maps()?;
        Some(
            can_compute(generic, number, &maps, &reader)
                .map(|()| Self::Elementwise(generic, number, maps)),
        )
    }

    fn op(&self) -> Operation<'c> {
        match self {
            Self::Elementwise(generic, ..) => generic.operation(),
            Self::Reshape(op, _) | Self::Fill(op) | Self::Padding(op, _) => *op,
            Self::Slice(slice) => slice.operation(),
        }
    }

    /// Emits the computation of one element. Returns it, and the elements of the operands.
    fn element(&self, b: &Builder<'c>, indices: &[Value<'c>]) -> (Value<'c>, Vec<Value<'c>>) {
        match self {
            Self::Elementwise(generic, number, maps) => {
                let (mut map, mut new) = (ValueMap::new(), Vec::new());
                let body = generic.operation().body(0);
                let arguments = body.map(Block::arguments).unwrap_or_default();
                for ((input, own), argument) in
                    generic.inputs().into_iter().zip(maps).zip(arguments)
                {
                    let indices = indices_of(b, own, indices);
                    let element = tensor::extract(b, input, &indices);
                    map.insert(argument.key(), element);
                    new.push(element);
                }
                let terminator = body.and_then(Block::terminator);
                for op in body.map(Block::operations).unwrap_or_default() {
                    if let Some(dim) = index_dimension(op) {
                        map.insert(op.results()[0].key(), indices[dim]);
                    } else if Some(op) != terminator {
                        b.clone_op(op, &mut map);
                    }
                }
                let yielded = terminator.map(Operation::operands).unwrap_or_default();
                (mapped(&map, yielded[*number]), new)
            }
            Self::Reshape(op, places) => {
                let mut before = Vec::new();
                for place in places {
                    before.push(match place {
                        Some(place) => indices[*place],
                        None => index::constant(b, 0),
                    });
                }
                let element = tensor::extract(b, op.operands()[0], &before);
                (element, vec![element])
            }
            Self::Slice(slice) => {
                let mut dynamic = slice.offsets().into_iter();
                let parts = slice.static_offsets().into_iter().zip(slice.static_strides());
                let before = indices.iter().zip(parts).map(|(index, (offset, stride))| {
                    let distance = index::mul(b, *index, stride);
                    match offset {
                        i64::MIN => dynamic.next().map_or(distance, |o| index::add(b, distance, o)),
                        offset => index::add(b, distance, offset),
                    }
                });
                let before: Vec<Value> = before.collect();
                let element = tensor::extract(b, slice.source(), &before);
                (element, vec![element])
            }
            Self::Fill(op) => (op.operands()[0], Vec::new()),
            Self::Padding(_, padding) => {
                let (element, read) = padding.element(b, indices);
                (element, read.into_iter().collect())
            }
        }
    }
}

/// Returns the reader with an op that reads an element of a result of another.
type ReaderOf<'a, 'c> = dyn Fn(Operation<'c>, Operation<'c>) -> Option<Reader<'c>> + 'a;

/// An op that reads elements of a tensor.
struct Reader<'c> {
    /// The block of the read.
    body: Block<'c>,
    /// The number of elements that it reads, if it is static.
    elements: Option<i64>,
    /// Set if it reads all elements of some tensor.
    reads_each: bool,
    /// The outermost loop of a scatter.
    scatter: Option<Operation<'c>>,
    /// Set if that is a scatter whose iterations run in parallel.
    is_parallel: bool,
}

impl<'c> Reader<'c> {
    /// An op that reads all elements of a tensor of so many.
    fn of_each(read: Operation<'c>, elements: i64) -> Option<Self> {
        Some(Self {
            body: read.block()?,
            elements: Some(elements),
            reads_each: true,
            scatter: None,
            is_parallel: false,
        })
    }

    /// The structured op, or the scatter, that reads an element of a result of `producer`.
    fn of(read: Operation<'c>, producer: Operation<'c>, is_parallel: bool) -> Option<Self> {
        let (body, around) = (read.block()?, read.parent()?);
        if around.is_structured() {
            let sizes = loop_sizes(around).map(|sizes| sizes.into_iter());
            return Some(Self {
                body,
                elements: sizes.map(|sizes| sizes.fold(1, i64::saturating_mul)),
                reads_each: false,
                scatter: None,
                is_parallel: false,
            });
        }
        let mut elements = Some(1_i64);
        let mut around = Some(around);
        while let Some(op) = around.filter(|op| op.isa::<scf::IfOp>() || op.isa::<scf::ForOp>()) {
            if let Some(op) = op.cast::<scf::ForOp>() {
                // The window of a scatter may be cut off at the edge of its operand.
                let trips = exact_trip_count(op);
                elements = elements.zip(trips).map(|(before, trips)| before.saturating_mul(trips));
            }
            if op.has_attribute(halo::SCATTER) && op.block() == producer.block() {
                // Updates of several tensors run in one thread on any device.
                let updates = op.collect_nested(|nested| nested.isa::<tensor::InsertOp>());
                let is_parallel = is_parallel && updates.len() == 1;
                return Some(Self {
                    body,
                    elements: elements.or_else(|| elements_of_distinct(read)),
                    reads_each: false,
                    scatter: Some(op),
                    is_parallel,
                });
            }
            around = op.parent();
        }
        None
    }

    /// Returns true if only one iteration of a scatter reads each element of an op.
    fn is_only_user(&self, op: Operation<'c>) -> bool {
        let mut uses = op.results().into_iter().flat_map(|result| result.uses());
        let is_read = |user: Operation<'c>| {
            user.isa::<tensor::ExtractOp>() && user.block() == Some(self.body)
        };
        self.scatter.is_some() && uses.all(|(user, _)| is_read(user))
    }

    /// Returns true if it is a scatter that overwrites a tensor.
    fn overwrites(&self, tensor: Value<'c>) -> bool {
        self.scatter
            .is_some_and(|scatter| scatter.operands().contains(&before_reshapes(tensor)))
    }

    /// Checks that a scatter may compute elements in its loop.
    fn check_scatter(&self, producer: linalg::GenericOp<'c>) -> Result<(), Reason> {
        if self.scatter.is_none() {
            return Ok(());
        }
        let body = producer.operation().body(0).ok_or(Reason::NoBody)?;
        let reads = producer.operation().collect_nested(|op| op.isa::<tensor::ExtractOp>());
        let gathered = reads.into_iter().map(|read| read.operands()[0]);
        if producer
            .inputs()
            .into_iter()
            .chain(gathered)
            .any(|input| self.overwrites(input))
        {
            return Err(Reason::ReadsWhatItOverwrites);
        }
        if self.is_parallel {
            return Ok(());
        }
        if !body.operations().into_iter().all(is_cheap)
            || body.operations().len() + self.body.operations().len() > LONGEST_SCATTER
        {
            return Err(Reason::LoopTooLong);
        }
        Ok(())
    }
}

/// The number of elements of a tensor that an op reads at the indices of different loops, which may
/// be cut off: each element is read at most once.
fn elements_of_distinct(read: Operation) -> Option<i64> {
    let (tensor, indices) = (read.operands()[0], &read.operands()[1..]);
    let is_loop = |index: Value| index.as_block_argument().is_some_and(|(_, at)| at == 0);
    let mut indices = indices.iter().enumerate();
    let are_distinct =
        indices.all(|(at, index)| is_loop(*index) && !read.operands()[1..][..at].contains(index));
    let elements = tensor.ty().static_shape()?.into_iter().fold(1, i64::saturating_mul);
    are_distinct.then_some(elements)
}

/// Checks that a gather can and should compute the elements that it reads.
fn can_compute<'c>(
    generic: linalg::GenericOp<'c>,
    number: usize,
    maps: &[AffineMap<'c>],
    reader: &Reader<'c>,
) -> Result<(), Reason> {
    const NO_BODY: Reason = Reason::NoBody;
    const DYNAMIC: Reason = Reason::DynamicShape;
    let op = generic.operation();
    let body = op.body(0).ok_or(NO_BODY)?;
    let (inputs, mut kinds) = (generic.inputs().len(), generic.iterator_types().into_iter());
    if !kinds.all(|kind| kind == IteratorType::Parallel) {
        return Err(Reason::IsReduction);
    }
    if !maps[inputs + number].is_identity() || !maps[..inputs].iter().all(is_plain) {
        return Err(Reason::PermutedElements);
    }
    if !(body.arguments()[inputs..].iter().copied()).all(Value::is_unused) {
        return Err(Reason::ReadsWhatItOverwrites);
    }
    let shape = op.results()[number].ty().static_shape().ok_or(DYNAMIC)?;
    let elements = shape.into_iter().fold(1, i64::saturating_mul);
    let read_elements = reader.elements.ok_or(DYNAMIC)?;
    let is_small_part = !reader.reads_each && read_elements.saturating_mul(SMALL_PART) <= elements;
    let is_index = (reader.is_parallel || reader.reads_each)
        && elements <= FEW_ELEMENTS
        && is_index_arithmetic(op);
    if !is_small_part && !only_moves(op) && !is_index {
        if !is_used_once(op) && !reader.is_only_user(op) {
            return Err(Reason::ManyElementsGathered);
        }
        if read_elements > elements {
            return Err(Reason::GatherRecomputes);
        }
    }
    if body.operations().len() + reader.body.operations().len() > LONGEST_BODY {
        return Err(Reason::LoopTooLong);
    }
    reader.check_scatter(generic)
}

/// Returns true if all results of a map are dimensions or constants.
fn is_plain(map: &AffineMap) -> bool {
    (0..map.result_count()).all(|position| {
        map.result(position).is_ok_and(|index| index.is_dim() || index.is_constant())
    })
}

/// The indices of an operand for given loop indices.
fn indices_of<'c>(b: &Builder<'c>, map: &AffineMap<'c>, loops: &[Value<'c>]) -> Vec<Value<'c>> {
    let mut indices = Vec::new();
    for position in 0..map.result_count() {
        let index = map.result(position).ok();
        indices.push(match index {
            Some(index) if index.is_dim() => loops[index.dim_position()],
            Some(index) if index.is_constant() => index::constant(b, index.constant_value()),
            _ => index::constant(b, 0),
        });
    }
    indices
}

/// Erases an unused op on tensors, and its producers if they become unused.
pub(super) fn erase_unused(op: Operation) {
    erase_unused_with(op, |_| false);
}

/// Like [`erase_unused`], for ops of other kinds, too.
pub(super) fn erase_unused_with(op: Operation, is_other: impl Fn(Operation) -> bool) {
    let mut pending = vec![op];
    while let Some(op) = pending.pop() {
        let computes = op.is_structured()
            || is_other(op)
            || op.isa::<tensor::ExtractSliceOp>()
            || op.isa::<tensor::ExpandShapeOp>()
            || op.isa::<tensor::CollapseShapeOp>();
        let is_needed = op.block().is_none()
            || !computes
            || op.results().is_empty()
            || !op.results().into_iter().all(Value::is_unused);
        if is_needed {
            continue;
        }
        let producers = op.operands().into_iter().filter_map(Value::defining_op);
        pending.extend(producers);
        with_builder(op, |b| b.erase(op));
    }
}
