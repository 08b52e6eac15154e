//! `--halo-pad-bounded-regions`: rewrites loops and branches on bounded values to static shapes.
//!
//! Kernels are generated for static shapes, and a program of dynamic shapes is compiled for the
//! sizes that its inputs imply. A size that changes between iterations or branches is not among
//! these. Like XLA's dynamic padder, this pass pads such values inside of loops and branches to
//! their bounds, and passes the sizes as separate values. Ops ignore the elements beyond the sizes:
//! reductions mask them, indices are clamped to the sizes.
//!
//! ```mlir
//! %0 = stablehlo.while(%s = %init) : tensor<?xf32, #stablehlo.bounds<8>> ...
//! ```
//!
//! becomes
//!
//! ```mlir
//! %n = stablehlo.get_dimension_size %init, dim = 0
//!   : (tensor<?xf32, #stablehlo.bounds<8>>) -> tensor<i32>
//! %padded = stablehlo.dynamic_pad %init, ... -> tensor<8xf32>
//! %1:2 = stablehlo.while(%s = %padded, %size = %n) : tensor<8xf32>, tensor<i32> ...
//! %0 = stablehlo.set_dimension_size %1#0, %1#1, dim = 0
//!   : (tensor<8xf32>, tensor<i32>) -> tensor<?xf32, #stablehlo.bounds<8>>
//! ```
//!
//! Loops and branches whose sizes provably do not change are left unchanged, and so are those with
//! an op without a padded form: `--stablehlo-refine-shapes` finds out whether their sizes change.

mod indexing;
mod layout;
mod operations;
mod padded;
mod reductions;
mod varying;

use crate::semantics::{Dim, dims_of};
use halo_ir::{Region, prelude::*, stablehlo::attributes::bounded_tensor_type};
use padded::{Padded, integer, is_static, limits_of, padded_type};
use std::collections::HashMap;

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration::new(
    "halo-pad-bounded-regions",
    "Pad values whose size changes in loops and branches to their bounds",
    run,
)
.dependent_dialects(&["stablehlo"]);

/// An error of the padding of an op.
type Failure = RewriteError;

fn run(pass: &mut PassInvocation) -> Result<(), PassFailure> {
    for function in pass.operation().collect_nested(|op| op.isa::<func::FuncOp>()) {
        for operation in function.blocks().into_iter().flat_map(Block::operations) {
            if !varying::is_varying(operation) {
                continue;
            }
            // An op that cannot be padded is left unchanged.
            match with_builder(operation, |b| replace(b, operation)) {
                Ok(()) => {}
                Err(error) if error.is_no_match() => {}
                Err(error) => return Err(pass.error(operation, error.to_string()).into()),
            }
        }
    }
    Ok(())
}

fn is_control_flow(op: Operation) -> bool {
    op.isa::<stablehlo::WhileOp>() || op.isa::<stablehlo::IfOp>() || op.isa::<stablehlo::CaseOp>()
}

/// Replaces a loop or branch by its padded form.
fn replace<'c>(b: &Builder<'c>, root: Operation<'c>) -> Result<(), Failure> {
    let block = root.block().ok_or_else(|| no_match("it is in no block"))?;
    let before = block.operations();
    let mut padder = Padder {
        root,
        values: ValueMap::new(),
        sizes: HashMap::new(),
    };
    let replaced = padder.control_flow(b, root).and_then(|()| {
        let results = root.results();
        let results = results.into_iter().map(|result| padder.restored(b, result));
        let results = results.collect::<Result<Vec<_>, _>>()?;
        b.replace(root, &results);
        Ok(())
    });
    if replaced.is_err() {
        // The ops created so far.
        let first = before.iter().take_while(|op| **op != root).count();
        let kept: std::collections::HashSet<usize> = before.iter().map(|op| op.key()).collect();
        let made = block.operations().into_iter().skip(first);
        let made = made.filter(|op| !kept.contains(&op.key()));
        for operation in made.collect::<Vec<_>>().into_iter().rev() {
            b.erase(operation);
        }
    }
    replaced
}

/// The values of one outermost loop or branch.
struct Padder<'c> {
    root: Operation<'c>,
    /// The data of each visited value, with the size of the bounds.
    values: ValueMap<'c>,
    /// The sizes of bounded values, by the key of the value.
    sizes: HashMap<usize, Vec<Option<Value<'c>>>>,
}

impl<'c> Padder<'c> {
    /// The padded form of a value.
    fn padded(&mut self, b: &Builder<'c>, value: Value<'c>) -> Result<Padded<'c>, Failure> {
        let key = value.key();
        if let Some(data) = self.values.get(&key) {
            let sizes = self.sizes.get(&key).cloned();
            return Ok(Padded::with_sizes(*data, sizes.unwrap_or_default()));
        }
        if is_static(value.ty()) {
            return Ok(Padded::whole(value));
        }
        // It is defined outside of the outermost loop or branch.
        let padded = b.with_insertion_point(|b| {
            b.set_before(self.root);
            Padded::of_bounded(b, value)
        })?;
        self.insert(value, &padded);
        Ok(padded)
    }

    fn insert(&mut self, value: Value<'c>, padded: &Padded<'c>) {
        self.values.insert(value.key(), padded.data);
        self.sizes.insert(value.key(), padded.sizes.clone());
    }

    fn all(&mut self, b: &Builder<'c>, values: &[Value<'c>]) -> Result<Vec<Padded<'c>>, Failure> {
        values.iter().map(|value| self.padded(b, *value)).collect()
    }

    /// Defines the results of an op.
    fn define(
        &mut self,
        b: &Builder<'c>,
        op: Operation<'c>,
        results: Vec<Padded<'c>>,
    ) -> Result<(), Failure> {
        for (value, padded) in op.results().into_iter().zip(results) {
            let padded = padded.fitted(b, value.ty())?;
            self.insert(value, &padded);
        }
        Ok(())
    }

    /// Converts back to a bounded value, after the outermost loop or branch. Uses that only need
    /// its size get the size.
    fn restored(&mut self, b: &Builder<'c>, value: Value<'c>) -> Result<Value<'c>, Failure> {
        let padded = self.padded(b, value)?;
        for (user, _) in value.uses() {
            let size = user.cast::<stablehlo::GetDimensionSizeOp>().and_then(|op| {
                let dimension = usize::try_from(op.dimension()).ok()?;
                padded.sizes.get(dimension).copied().flatten()
            });
            if let Some(size) = size {
                b.replace(user, &[size]);
            }
        }
        let (dims, limits) = (dims_of(value.ty()), limits_of(value.ty())?);
        let dims = dims.unwrap_or_default();
        let mut sizes: Vec<Option<i64>> = limits.iter().copied().map(Some).collect();
        let mut bounds = vec![None; sizes.len()];
        let mut restored = padded.data;
        for (dimension, size) in padded.sizes.iter().enumerate() {
            let (Some(size), Some(Dim::Bounded(bound))) = (size, dims.get(dimension)) else {
                continue;
            };
            sizes[dimension] = None;
            bounds[dimension] = Some(*bound);
            let ty = bounded_tensor_type(&sizes, &bounds, value.ty().element_type());
            let cut = stablehlo::SetDimensionSizeOp::build(b, restored, *size, dimension as i64);
            restored = cut.result_types(&[ty]).value();
        }
        Ok(restored)
    }

    /// Copies a block's ops on padded values, and returns the block's results.
    fn block(&mut self, b: &Builder<'c>, block: Block<'c>) -> Result<Vec<Padded<'c>>, Failure> {
        let terminator = block.terminator();
        for operation in block.operations() {
            if Some(operation) != terminator {
                self.operation(&b.at(operation.location()), operation)?;
            }
        }
        self.all(b, &terminator.map(Operation::operands).unwrap_or_default())
    }

    /// A region on values of static types, which returns values padded to types.
    fn region(
        &mut self,
        b: &Builder<'c>,
        body: Block<'c>,
        returned: Option<&[Type<'c>]>,
    ) -> Result<Region<'c>, Failure> {
        let arguments = body.arguments();
        let types = arguments.iter().map(|argument| argument.ty());
        let types = flat_types(b, &types.collect::<Vec<_>>())?;
        b.region(&types, |b, values| {
            let mut values = values.iter().copied();
            for argument in arguments {
                let padded = Padded::next(argument.ty(), &mut values)?;
                self.insert(argument, &padded);
            }
            let results = self.block(b, body)?;
            let flat = match returned {
                Some(types) => flat(b, results, types)?,
                None => results.into_iter().map(|padded| padded.data).collect(),
            };
            stablehlo::return_(b, &flat);
            Ok(())
        })
    }

    /// A loop or branch, at any depth.
    fn control_flow(&mut self, b: &Builder<'c>, op: Operation<'c>) -> Result<(), Failure> {
        let bodies: Option<Vec<Block>> =
            (0..op.region_count()).map(|number| op.body(number)).collect();
        let bodies = bodies.ok_or_else(|| no_match("a region has no block"))?;
        let types = match (op.cast::<stablehlo::WhileOp>(), bodies.first()) {
            (Some(_), Some(body)) => body.arguments().iter().map(|value| value.ty()).collect(),
            _ => op.result_types(),
        };
        let operands = self.all(b, &op.operands())?;
        let results = if op.isa::<stablehlo::WhileOp>() {
            let [condition, body] = bodies[..] else {
                return Err(no_match("it has other regions than a loop"));
            };
            let operands = flat(b, operands, &types)?;
            let condition = self.region(b, condition, None)?;
            let body = self.region(b, body, Some(&types))?;
            stablehlo::WhileOp::build(b, &operands, condition, body)
                .discardable_attributes_of(op)
                .insert()
                .results()
        } else {
            let mut spec = b.op(op.name());
            spec = spec.operands(&[operands[0].data]).results(&flat_types(b, &types)?);
            for body in bodies {
                spec = spec.region(self.region(b, body, Some(&types))?);
            }
            spec.insert().results()
        };
        let mut values = results.into_iter();
        let results = types.iter().map(|ty| Padded::next(*ty, &mut values));
        let results = results.collect::<Result<Vec<_>, _>>()?;
        self.define(b, op, results)
    }
}

/// Padded values and their sizes, concatenated.
fn flat<'c>(
    b: &Builder<'c>,
    values: Vec<Padded<'c>>,
    types: &[Type<'c>],
) -> Result<Vec<Value<'c>>, Failure> {
    let mut flat = Vec::new();
    for (padded, ty) in values.into_iter().zip(types) {
        let padded = padded.fitted(b, *ty)?;
        flat.push(padded.data);
        flat.extend(padded.sizes.into_iter().flatten());
    }
    Ok(flat)
}

fn flat_types<'c>(b: &Builder<'c>, types: &[Type<'c>]) -> Result<Vec<Type<'c>>, Failure> {
    let mut flat = Vec::new();
    for ty in types {
        flat.push(padded_type(*ty)?);
        let dims = dims_of(*ty).unwrap_or_default();
        let bounded = dims.iter().filter(|dim| matches!(dim, Dim::Bounded(_)));
        flat.extend(bounded.map(|_| tensor_type(&[], integer(b))));
    }
    Ok(flat)
}
