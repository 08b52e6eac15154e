//! `--halo-bind-sizes`: makes the dynamic dimensions of an entry arguments.
//!
//! An entry of dynamic shape gets an index for each dynamic dimension of its arguments. All sizes in
//! the program are computed from these; equal sizes become one value. The caller learns the sizes of
//! the results, and whether the given ones are valid, from `halo.plan_sizes`, which is computed
//! before the program runs.
//!
//! ```mlir
//! func.func @main(%x: tensor<?x4xf32>, %y: tensor<?x4xf32>) -> tensor<?x8xf32> {
//!   %n = tensor.dim %x, %c0 : tensor<?x4xf32>
//!   %m = tensor.dim %y, %c0 : tensor<?x4xf32>
//!   %equal = arith.cmpi eq, %n, %m : index
//!   cf.assert %equal, "x and y have different sizes"
//!   ...
//! }
//! ```
//!
//! becomes
//!
//! ```mlir
//! func.func @main(%x: tensor<?x4xf32>, %y: tensor<?x4xf32>, %n: index, %m: index)
//!     -> tensor<?x8xf32> {
//!   %equal = arith.cmpi eq, %n, %m : index
//!   halo.plan_sizes(%n) checks(%equal) {messages = ["x and y have different sizes"]}
//!   ...
//! }
//! ```
//!
//! Elements of integer arguments that sizes are computed from become arguments too.

mod carried;
mod elements;

use crate::function::{Hoisting, append_argument, empty_dictionary, set_signature, signature};
use halo_hlo::custom_calls;
use halo_ir::{
    ops::{arith::constant_index, cf, halo},
    pipeline,
    pipeline::{nest, upstream},
    prelude::*,
};

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration::new(
    "halo-bind-sizes",
    "Make the dynamic dimensions of an entry index arguments",
    run,
)
.on::<builtin::ModuleOp>()
.dependent_dialects(&["arith", "cf", "func", "halo", "tensor"]);

fn run(pass: &mut PassInvocation) -> Result<(), PassFailure> {
    let entries = pass.operation().collect_nested(is_dynamic_entry);
    if entries.is_empty() {
        return Ok(());
    }
    for entry in entries {
        return_sizes(entry).ok_or(PassFailure)?;
        for op in entry.collect_nested(carried::is_loop) {
            carried::assert_kept_sizes(op).ok_or(PassFailure)?;
        }
    }
    let clean_up = || pipeline![upstream("canonicalize"), upstream("cse")];
    loop {
        pass.run_pipeline(&pipeline![
            nest::<func::FuncOp>(pipeline![upstream(
                "resolve-ranked-shaped-type-result-dims"
            )]),
            upstream("lower-affine"),
            clean_up(),
        ])?;
        // Sizes in loops and branches are computed from sizes in other loops and branches.
        let mut is_done = true;
        for entry in pass.operation().collect_nested(is_dynamic_entry) {
            is_done &= !replace_argument_sizes(entry).ok_or(PassFailure)?;
            is_done &= !join_equal_sizes(entry);
        }
        for op in pass.operation().collect_nested(carried::is_loop) {
            is_done &= !carried::replace_carried_sizes(op).ok_or(PassFailure)?;
        }
        for op in pass.operation().collect_nested(carried::is_branch) {
            is_done &= !carried::replace_branch_sizes(op).ok_or(PassFailure)?;
        }
        if is_done {
            break;
        }
    }
    for entry in pass.operation().collect_nested(is_dynamic_entry) {
        bind(entry).map_err(|(op, message)| PassFailure::at(op, message))?;
    }
    pass.run_pipeline(&clean_up())
}

/// Whether an op is a public function with an argument or a result of dynamic shape.
fn is_dynamic_entry(op: Operation) -> bool {
    let is_private =
        op.attribute("sym_visibility").and_then(Attribute::string_value) == Some("private");
    if !op.isa::<func::FuncOp>() || op.body(0).is_none() || is_private {
        return false;
    }
    let (inputs, results) = signature(op).unwrap_or_default();
    inputs.into_iter().chain(results).any(|ty| !dynamic_dimensions(ty).is_empty())
}

/// The dynamic dimensions of a tensor.
fn dynamic_dimensions(ty: Type) -> Vec<usize> {
    let shape = ty.shape().filter(|_| ty.is_tensor()).unwrap_or_default();
    let dimensions = shape.into_iter().enumerate();
    dimensions
        .filter_map(|(number, size)| size.is_none().then_some(number))
        .collect()
}

/// Adds the sizes of the arguments as arguments, and the sizes of the results as results.
fn return_sizes(entry: Operation<'_>) -> Option<()> {
    let block = entry.body(0)?;
    let index = Type::index(entry.context());
    for argument in block.arguments() {
        for _ in dynamic_dimensions(argument.ty()) {
            append_argument(entry, index)?;
        }
    }
    let end = block.terminator()?;
    with_builder(end, |b| {
        let mut returned = end.operands();
        for value in end.operands() {
            for dimension in dynamic_dimensions(value.ty()) {
                returned.push(dim(b, value, dimension));
            }
        }
        func::return_(b, &returned);
        let types = returned.types();
        b.erase(end);
        set_types(entry, &block.arguments().types(), &types);
    });
    Some(())
}

/// The arguments that are sizes of others, which [`return_sizes`] adds.
fn size_arguments<'c>(block: Block<'c>) -> Vec<Value<'c>> {
    let arguments = block.arguments();
    let count: usize = arguments.iter().map(|value| dynamic_dimensions(value.ty()).len()).sum();
    arguments[arguments.len() - count..].to_vec()
}

/// Replaces the sizes of the arguments by the arguments that have them. Returns whether it did.
fn replace_argument_sizes(entry: Operation<'_>) -> Option<bool> {
    let block = entry.body(0)?;
    let mut sizes = size_arguments(block).into_iter();
    let mut replaces = false;
    for argument in block.arguments() {
        for dimension in dynamic_dimensions(argument.ty()) {
            let size = sizes.next()?;
            for found in dims_of(argument, dimension) {
                replaces = true;
                with_builder(found, |b| b.replace(found, &[size]));
            }
        }
    }
    Some(replaces)
}

fn dim<'c>(b: &Builder<'c>, tensor: Value<'c>, dimension: usize) -> Value<'c> {
    let dimension = index::constant(b, dimension as i64);
    tensor::dim(b, tensor, dimension)
}

/// The ops that compute a dimension of a tensor.
fn dims_of<'c>(tensor: Value<'c>, dimension: usize) -> Vec<Operation<'c>> {
    let is_of = |op: &Operation<'c>| {
        let dim = op.cast::<tensor::DimOp>();
        dim.is_some_and(|dim| constant_index(dim.index()) == Some(dimension as i64))
    };
    tensor.users().into_iter().filter(is_of).collect()
}

/// Sets the types of an entry. New results have no attributes.
fn set_types<'c>(entry: Operation<'c>, inputs: &[Type<'c>], results: &[Type<'c>]) {
    if let (Some(attributes), Some(none)) = (
        entry.attribute("res_attrs"),
        empty_dictionary(entry.context()),
    ) {
        let mut attributes = attributes.array_elements();
        attributes.resize(results.len(), none);
        entry.set_attribute("res_attrs", array_attribute(entry.context(), &attributes));
    }
    set_signature(entry, inputs, results);
}

/// Plans the sizes of the results.
fn bind<'c>(entry: Operation<'c>) -> Result<(), (Operation<'c>, String)> {
    let internal = || (entry, "internal error: an entry has no body".to_owned());
    let block = entry.body(0).ok_or_else(internal)?;
    let (first, end) = block.first_operation().zip(block.terminator()).ok_or_else(internal)?;
    // Sizes are computed before this op, which stays.
    let place = with_builder(first, |b| arith::constant(b, Type::index(b.context()), 0));
    let first = place.defining_op().ok_or_else(internal)?;
    let sizes = size_arguments(block);
    let mut returned = end.operands();
    let planned =
        returned.split_off(returned.iter().filter(|value| value.ty().is_tensor()).count());
    let elements = elements::bind(entry, &planned).ok_or_else(internal)?;
    let mut hoisting = Hoisting::new(first, &[sizes, elements].concat());
    let mut results = returned.iter().enumerate().flat_map(|(number, value)| {
        std::iter::repeat_n(number, dynamic_dimensions(value.ty()).len())
    });
    for size in &planned {
        let result = results.next().unwrap_or_default();
        hoisting.hoist(*size).map_err(|op| {
            let op = op.unwrap_or(entry);
            let name = op.name();
            (
                op,
                format!(
                    "'{name}' op decides the size of result {result}: expected sizes that follow \
                     from sizes of arguments, and from elements of integer arguments of static \
                     shape"
                ),
            )
        })?;
    }
    let (mut checks, mut messages) = (Vec::new(), Vec::new());
    for assertion in entry.collect_nested(|op| op.isa::<cf::AssertOp>()) {
        let Some(op) = assertion.cast::<cf::AssertOp>() else {
            continue;
        };
        if compares_one_value(op.arg()) {
            continue;
        }
        if hoisting.hoist(op.arg()).is_ok() {
            checks.push(op.arg());
            messages.push(op.msg());
        } else {
            check_in_run(op);
        }
    }
    with_builder(first, |b| {
        halo::PlanSizesOp::build(b, &planned, &checks, &messages).insert();
        for assertion in entry.collect_nested(|op| op.isa::<cf::AssertOp>()) {
            b.erase(assertion);
        }
        b.set_before(end);
        func::return_(b, &returned);
        b.erase(end);
    });
    let inputs = block.arguments().types();
    set_types(entry, &inputs, &returned.types());
    Ok(())
}

/// Whether a value compares a size with itself, for equality.
fn compares_one_value(value: Value) -> bool {
    let compared = value.defined_by::<arith::CmpIOp>();
    compared.is_some_and(|op| op.predicate() == CmpIPredicate::Eq && op.lhs() == op.rhs())
}

/// Checks a condition that depends on elements when the program gets there.
fn check_in_run(assertion: cf::AssertOp<'_>) {
    let op = assertion.operation();
    with_builder(op, |b| {
        let ty = tensor_type(&[], assertion.arg().ty());
        let is_violated = arith::xori(
            b,
            assertion.arg(),
            arith::constant(b, assertion.arg().ty(), 1),
        );
        // A loop that checks sizes in each iteration does not pay for calls.
        scf::if_(b, is_violated, |b| {
            let condition = tensor::from_elements(b, &[assertion.arg()], ty);
            let target = custom_calls::SHAPE_ASSERTION;
            halo::CustomCallOp::build(b, &[condition], &[], target, &[ty], &[], &[])
                .backend_config(assertion.msg())
                .insert();
        });
    });
}

/// Uses one of two sizes that an assertion compares in all other ops, since all assertions about
/// sizes are checked before the run. Returns whether it changed something.
fn join_equal_sizes(entry: Operation<'_>) -> bool {
    let is_argument = |value: Value| value.as_block_argument().is_some();
    let mut changes = false;
    for assertion in entry.collect_nested(|op| op.isa::<cf::AssertOp>()) {
        let condition = assertion.operand(0).and_then(|it| it.defined_by::<arith::CmpIOp>());
        let Some(compared) = condition.filter(|it| it.predicate() == CmpIPredicate::Eq) else {
            continue;
        };
        let (kept, replaced) = (compared.lhs(), compared.rhs());
        let is_known = is_argument(kept) || constant_index(kept).is_some();
        if !is_known || !is_argument(replaced) || !replaced.ty().is_index() || kept == replaced {
            continue;
        }
        for (user, number) in replaced.uses() {
            if user != compared.operation() {
                user.set_operand(number, kept);
                changes = true;
            }
        }
    }
    changes
}
