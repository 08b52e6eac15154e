//! `--halo-flatten-dynamic-buffers`: computes addresses in buffers of several dynamic dimensions.
//!
//! A buffer whose strides are constants is passed as a pointer, whatever its outermost size is.
//! This pass makes all other buffers of dynamic shape one-dimensional, and computes the indices of
//! their elements from the sizes. The sizes of an entry's buffers are its index arguments
//! (`--halo-bind-sizes`), and no `memref.dim` is left.
//!
//! ```mlir
//! func.func @main(%x: memref<?x?x8xf32>, %n: index, %m: index) attributes {halo.entry} {
//!   %0 = memref.load %x[%i, %j, %k] : memref<?x?x8xf32>
//!   ...
//! }
//! ```
//!
//! becomes
//!
//! ```mlir
//! func.func @main(%x: memref<?xf32>, %n: index, %m: index) attributes {halo.entry} {
//!   %stride = arith.muli %m, %c8 : index
//!   %row = arith.muli %i, %stride : index
//!   ...
//!   %0 = memref.load %x[%place] : memref<?xf32>
//!   ...
//! }
//! ```

use crate::function::{Hoisting, set_signature, signature};
use halo_ir::{
    ops::{
        arith::constant_index,
        halo::{ENTRY, PlanSizesOp},
        memref::view_source,
    },
    prelude::*,
};
use std::collections::HashMap;

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration::new(
    "halo-flatten-dynamic-buffers",
    "Make buffers of several dynamic dimensions one-dimensional",
    run,
)
.on::<func::FuncOp>()
.dependent_dialects(&["arith", "memref"]);

fn run(pass: &mut PassInvocation) -> Result<(), PassFailure> {
    let function = pass.operation();
    let Some(block) = function.body(0).filter(|_| function.has_attribute(ENTRY)) else {
        return Ok(());
    };
    let is_dynamic = |value: &Value| value.ty().is_memref() && value.ty().static_shape().is_none();
    let is_used = |op: Operation| op.operands().iter().any(is_dynamic);
    if !block.arguments().iter().any(is_dynamic) && function.collect_nested(is_used).is_empty() {
        return Ok(());
    }
    plan_first(function, block);
    drop_results(function, block);
    let mut buffers = Buffers::of(function, block);
    for op in function.collect_nested(|op| op.isa::<memref::DimOp>()) {
        buffers.replace_dim(op).map_err(|error| PassFailure::at(op, error))?;
    }
    let accesses = function.collect_nested(|op| {
        view_source(op).is_none() && op.operands().into_iter().any(has_varying_strides)
    });
    for op in accesses {
        buffers.flatten_access(op).map_err(|error| PassFailure::at(op, error))?;
    }
    buffers
        .flatten_roots(function)
        .map_err(|error| PassFailure::at(function, error))
}

/// Moves the plan of sizes and their computation before all uses of buffers.
fn plan_first<'c>(function: Operation<'c>, block: Block<'c>) {
    let plan = function.collect_nested(|op| op.isa::<PlanSizesOp>());
    let (Some(plan), Some(first)) = (plan.first().copied(), block.first_operation()) else {
        return;
    };
    let arguments = block.arguments().into_iter().filter(|argument| !argument.ty().is_memref());
    let arguments: Vec<Value> = arguments.collect();
    with_builder(first, |b| {
        let place = arith::constant(b, Type::index(b.context()), 0);
        if let Some(place) = place.defining_op() {
            let mut hoisting = Hoisting::new(place, &arguments);
            if plan.operands().into_iter().all(|size| hoisting.hoist(size).is_ok()) {
                plan.move_before(place);
            }
            b.erase(place);
        }
    });
}

/// Drops the results of varying strides, which are in arguments, as views of them.
fn drop_results<'c>(function: Operation<'c>, block: Block<'c>) {
    let Some(end) = block.terminator() else {
        return;
    };
    let operands = end.operands();
    let kept: Vec<Value> =
        operands.iter().copied().filter(|value| !has_varying_strides(*value)).collect();
    if kept.len() == operands.len() {
        return;
    }
    with_builder(end, |b| {
        func::return_(b, &kept);
        b.erase(end);
    });
    function.remove_attribute("res_attrs");
    set_signature(function, &block.arguments().types(), &kept.types());
}

/// Whether a value is a buffer whose strides are not all constants, or a view of one.
fn has_varying_strides(value: Value) -> bool {
    let strides = value.ty().strides();
    value.ty().is_memref()
        && (strides.is_none_or(|(strides, _)| strides.contains(&None))
            || value.defining_op().and_then(view_source).is_some_and(has_varying_strides))
}

/// The sizes, and the places of the elements, of a buffer.
#[derive(Clone)]
struct Place<'c> {
    /// The buffer that is allocated or an argument.
    root: Value<'c>,
    sizes: Vec<Value<'c>>,
    strides: Vec<Value<'c>>,
    /// The place of the first element.
    start: Value<'c>,
}

/// The buffers of an entry.
struct Buffers<'c> {
    block: Block<'c>,
    places: HashMap<usize, Place<'c>>,
    /// The flat form of each root.
    flat: HashMap<usize, Value<'c>>,
    /// The roots that become one-dimensional.
    changed: Vec<Value<'c>>,
}

impl<'c> Buffers<'c> {
    /// The buffers that are arguments. Their dynamic dimensions are the index arguments, and then
    /// the planned sizes, in order.
    fn of(function: Operation<'c>, block: Block<'c>) -> Self {
        let mut buffers = Self {
            block,
            places: HashMap::new(),
            flat: HashMap::new(),
            changed: Vec::new(),
        };
        let arguments = block.arguments();
        let plan = function.collect_nested(|op| op.isa::<PlanSizesOp>());
        let Some(plan) = plan.first().copied() else {
            return buffers;
        };
        let indices = arguments.iter().copied().filter(|argument| argument.ty().is_index());
        let planned = plan.operands().into_iter().filter(|size| size.ty().is_index());
        let mut indices = indices.chain(planned);
        with_builder(plan, |b| {
            b.set_after(plan);
            for argument in arguments.iter().copied().filter(|argument| argument.ty().is_memref()) {
                let shape = argument.ty().shape().unwrap_or_default();
                let sizes = shape.into_iter().map(|size| match size {
                    Some(size) => Some(index::constant(b, size)),
                    None => indices.next(),
                });
                if let Some(sizes) = sizes.collect::<Option<Vec<_>>>() {
                    buffers.places.insert(argument.key(), contiguous(b, argument, sizes));
                }
            }
        });
        buffers
    }

    fn replace_dim(&mut self, op: Operation<'c>) -> RewriteResult {
        let dim = op.cast::<memref::DimOp>().ok_or_else(|| no_match("it is no 'memref.dim'"))?;
        let number = constant_index(dim.index())
            .and_then(|number| usize::try_from(number).ok())
            .ok_or_else(|| no_match("the dimension varies"))?;
        let place = self.place(dim.source())?;
        let size = place.sizes.get(number).copied();
        let size = size.ok_or_else(|| no_match("the buffer has no such dimension"))?;
        with_builder(op, |b| b.replace(op, &[size]));
        Ok(())
    }

    /// The place of a buffer, whose computation follows its definition.
    fn place(&mut self, buffer: Value<'c>) -> RewriteResult<Place<'c>> {
        if let Some(place) = self.places.get(&buffer.key()) {
            return Ok(place.clone());
        }
        let op = buffer
            .defining_op()
            .ok_or_else(|| no_match("a buffer of dynamic shape is carried by a loop"))?;
        let place = with_builder(op, |b| {
            b.set_after(op);
            self.place_of_result(b, op, buffer)
        })?;
        self.places.insert(buffer.key(), place.clone());
        Ok(place)
    }

    fn place_of_result(
        &mut self,
        b: &Builder<'c>,
        op: Operation<'c>,
        buffer: Value<'c>,
    ) -> RewriteResult<Place<'c>> {
        if op.isa::<memref::AllocOp>()
            || op.isa::<memref::AllocaOp>()
            || op.isa::<memref::GetGlobalOp>()
        {
            return Ok(contiguous(
                b,
                buffer,
                all_sizes(b, buffer.ty(), &op.operands()),
            ));
        }
        let source = view_source(op)
            .ok_or_else(|| no_match(format!("'{}' makes a buffer of dynamic shape", op.name())))?;
        let source = self.place(source)?;
        if let Some(view) = op.cast::<memref::SubViewOp>() {
            return Ok(part(b, &source, view));
        }
        if let Some(view) = op.cast::<memref::CollapseShapeOp>() {
            let mut collapsed = Place {
                sizes: Vec::new(),
                strides: Vec::new(),
                ..source.clone()
            };
            for group in view.reassociation() {
                let mut size = index::constant(b, 1);
                let mut stride = index::constant(b, 1);
                for dimension in group {
                    let dimension = dimension as usize;
                    size = index::mul(b, size, source.sizes[dimension]);
                    stride = source.strides[dimension];
                }
                collapsed.sizes.push(size);
                collapsed.strides.push(stride);
            }
            return Ok(collapsed);
        }
        if let Some(view) = op.cast::<memref::ExpandShapeOp>() {
            let sizes = all_sizes(b, buffer.ty(), &view.output_shape());
            let mut strides = sizes.clone();
            for (number, group) in view.reassociation().into_iter().enumerate() {
                let mut stride = source.strides[number];
                for dimension in group.into_iter().rev() {
                    strides[dimension as usize] = stride;
                    stride = index::mul(b, stride, sizes[dimension as usize]);
                }
            }
            return Ok(Place {
                sizes,
                strides,
                ..source
            });
        }
        match op.name() {
            memref::CastOp::NAME | memref::AssumeAlignmentOp::NAME => Ok(source),
            name => Err(no_match(format!(
                "'{name}' makes a buffer of dynamic shape"
            ))),
        }
    }

    /// Replaces the buffers of an op of varying strides and their indices.
    fn flatten_access(&mut self, op: Operation<'c>) -> RewriteResult {
        if op.isa::<memref::DeallocOp>() {
            return Ok(());
        }
        let operands = op.operands();
        let position = operands.iter().position(|value| has_varying_strides(*value));
        let position = position.ok_or_else(|| no_match("it has no such buffer"))?;
        let place = self.place(operands[position])?;
        let end = position + 1 + place.strides.len();
        let is_access = matches!(op.name().split_once('.'), Some(("memref" | "vector", _)));
        if !is_access || end > operands.len() || op.region_count() != 0 {
            return Err(no_match(format!(
                "'{}' op has a buffer of several dynamic dimensions: expected one that is accessed \
                 by element",
                op.name()
            )));
        }
        with_builder(op, |b| {
            let mut index = place.start;
            for (at, stride) in operands[position + 1..end].iter().zip(&place.strides) {
                let offset = index::mul(b, *at, *stride);
                index = index::add(b, index, offset);
            }
            let flat = self.flat(b, place.root);
            let operands = [&operands[..position], &[flat, index], &operands[end..]].concat();
            let new = b.with_operands(op, &operands);
            b.replace(op, &new.results());
        });
        Ok(())
    }

    /// The one-dimensional form of a root.
    fn flat(&mut self, b: &Builder<'c>, root: Value<'c>) -> Value<'c> {
        if let Some(flat) = self.flat.get(&root.key()) {
            return *flat;
        }
        if has_varying_strides(root) {
            self.changed.push(root);
            self.flat.insert(root.key(), root);
            return root;
        }
        let rank = root.ty().shape().map_or(0, |shape| shape.len());
        let flat = b.with_insertion_point(|b| {
            match root.defining_op() {
                Some(op) => b.set_after(op),
                None => b.set_to_start(self.block),
            }
            let group: Vec<i64> = (0..rank as i64).collect();
            let elements =
                root.ty().static_shape().map_or(sizes::DYNAMIC, |shape| shape.iter().product());
            let ty = memref_type(&[elements], root.ty().element_type());
            memref::collapse_shape(b, root, &[&group], ty)
        });
        self.flat.insert(root.key(), flat);
        flat
    }

    /// Erases the unused views, and gives the roots their new types.
    fn flatten_roots(&mut self, function: Operation<'c>) -> RewriteResult {
        let views = function.collect_nested(|op| {
            view_source(op).is_some()
                && op.operands().into_iter().chain(op.results()).any(has_varying_strides)
        });
        for view in views.into_iter().rev() {
            if view.results().into_iter().all(Value::is_unused) {
                with_builder(view, |b| b.erase(view));
            }
        }
        let allocations = function.collect_nested(|op| {
            op.isa::<memref::AllocOp>() && op.results().into_iter().any(has_varying_strides)
        });
        for op in allocations {
            let buffer = op.results()[0];
            let place = self.place(buffer)?;
            with_builder(op, |b| {
                let mut elements = index::constant(b, 1);
                for size in &place.sizes {
                    elements = index::mul(b, elements, *size);
                }
                let ty = flat_type(buffer);
                let new = memref::AllocOp::build(b, &[elements], &[], ty).alignment(64).value();
                b.replace(op, &[new]);
            });
        }
        for argument in
            self.block.arguments().into_iter().filter(|value| has_varying_strides(*value))
        {
            argument.set_type(flat_type(argument));
        }
        let (_, results) = signature(function).unwrap_or_default();
        let inputs = self.block.arguments().types();
        set_signature(function, &inputs, &results);
        Ok(())
    }
}

/// `memref<?xT>` for a buffer of `T`.
fn flat_type<'c>(buffer: Value<'c>) -> Type<'c> {
    memref_type(&[sizes::DYNAMIC], buffer.ty().element_type())
}

/// The sizes of a shape whose dynamic sizes are given in order.
fn all_sizes<'c>(b: &Builder<'c>, ty: Type<'c>, dynamic: &[Value<'c>]) -> Vec<Value<'c>> {
    let mut dynamic = dynamic.iter().copied();
    let shape = ty.shape().unwrap_or_default().into_iter();
    shape
        .map(|size| match size {
            Some(size) => index::constant(b, size),
            None => dynamic.next().unwrap_or_else(|| index::constant(b, 0)),
        })
        .collect()
}

/// A contiguous buffer.
fn contiguous<'c>(b: &Builder<'c>, root: Value<'c>, sizes: Vec<Value<'c>>) -> Place<'c> {
    let mut stride = index::constant(b, 1);
    let mut strides = sizes.clone();
    for (own, size) in strides.iter_mut().zip(&sizes).rev() {
        *own = stride;
        stride = index::mul(b, stride, *size);
    }
    Place {
        root,
        sizes,
        strides,
        start: index::constant(b, 0),
    }
}

/// A part of a buffer.
fn part<'c>(b: &Builder<'c>, source: &Place<'c>, view: memref::SubViewOp<'c>) -> Place<'c> {
    let mixed = |fixed: Vec<i64>, dynamic: Vec<Value<'c>>| {
        let mut dynamic = dynamic.into_iter();
        let values = fixed.into_iter().map(|value| match value {
            sizes::DYNAMIC => dynamic.next().unwrap_or_else(|| index::constant(b, 0)),
            value => index::constant(b, value),
        });
        values.collect::<Vec<_>>()
    };
    let offsets = mixed(view.static_offsets(), view.offsets());
    let sizes = mixed(view.static_sizes(), view.sizes());
    let steps = mixed(view.static_strides(), view.strides());
    let mut start = source.start;
    let mut strides = Vec::new();
    for ((offset, step), stride) in offsets.iter().zip(&steps).zip(&source.strides) {
        let skipped = index::mul(b, *offset, *stride);
        start = index::add(b, start, skipped);
        strides.push(index::mul(b, *step, *stride));
    }
    let kept = kept_dimensions(view);
    let of_kept = |all: &[Value<'c>]| kept.iter().map(|number| all[*number]).collect::<Vec<_>>();
    Place {
        root: source.root,
        sizes: of_kept(&sizes),
        strides: of_kept(&strides),
        start,
    }
}

/// The dimensions of a part that its type has, without the unit dimensions that are dropped.
fn kept_dimensions(view: memref::SubViewOp) -> Vec<usize> {
    let shape = view.result().ty().shape().unwrap_or_default();
    let sizes = view.static_sizes();
    let mut kept = Vec::new();
    for (number, size) in sizes.iter().enumerate() {
        let left = sizes.len() - number;
        let wanted = shape.len() - kept.len();
        let next = shape.get(kept.len()).copied().flatten();
        let is_dropped = *size == 1 && left > wanted && next != Some(1);
        let is_dropped = is_dropped || (*size == 1 && left > wanted && wanted == 0);
        if !is_dropped && wanted > 0 {
            kept.push(number);
        }
    }
    kept
}
