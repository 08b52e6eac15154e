//! `--halo-destination-passing`: gives each result a destination.
//!
//! A program that returns new tensors would allocate them on every call, and loops and branches
//! that yield tensors would allocate on every iteration. This pass gives each result a destination:
//! an entry function takes a buffer for each of its results as an argument, a loop overwrites its
//! carried values, and the branches of a conditional write to one tensor. If an overwritten value
//! is still needed, `--halo-insert-tensor-copies` copies it. All remaining allocations have static
//! sizes and are live within one block, so they can be packed. A custom call writes its results to
//! buffers that it takes as arguments.
//!
//! ```mlir
//! func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
//!   %0 = linalg.exp ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
//!   return %0 : tensor<4xf32>
//! }
//! ```
//!
//! becomes
//!
//! ```mlir
//! func.func private @main(%context: !llvm.ptr, %x: tensor<4xf32> {bufferization.writable = false},
//!                 %out: tensor<4xf32> {bufferization.writable = true})
//!     -> tensor<4xf32> attributes {halo.entry} {
//!   %0 = linalg.exp ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
//!   %1 = bufferization.materialize_in_destination %0 in %out
//!     : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
//!   return %1 : tensor<4xf32>
//! }
//! ```
//!
//! The returned value is the argument's buffer, so that `drop-equivalent-buffer-results` removes
//! the result. It does so only for private functions; therefore `halo.entry` marks public functions
//! from here on.
//!
//! An argument that shares memory with a result (`tf.aliasing_output`) is first copied to the
//! result's buffer, where all ops read and update it. The copy does nothing if the caller passes
//! one buffer for both.
//!
//! The first argument is the call's context, through which generated code calls the runtime.
//!
//! The option `explain` emits a remark for each value that is computed elsewhere and copied to its
//! destination.

mod custom_calls;
mod duplicate;
mod empty;
mod forward;
mod in_place;
mod loops;

use crate::explain::{Decision, Outcome, Reason};
use halo_hlo::donated_arguments::shared_results;
use halo_ir::{
    bool_attribute,
    ops::{bufferization, halo},
    prelude::*,
    type_attribute,
};
use melior::ir::{Identifier, attribute::DictionaryAttribute, r#type::FunctionType};
use std::collections::HashSet;

use custom_calls::add_destinations;
use duplicate::duplicate_stored;
use empty::flatten_borders;
pub use forward::destination_operand;
use forward::forward;
use in_place::is_written_over;
pub use in_place::{overwritten, overwritten_by_branches};
use loops::align;

pass_options! {
    /// The options of the pass.
    struct Options {
        /// Report values that are copied to their destinations, with the reasons
        explain: bool = false,
    }
}

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration::new(
    "halo-destination-passing",
    "Give the results of functions, loops and branches destinations",
    run,
)
.on::<builtin::ModuleOp>()
.dependent_dialects(&[
    "bufferization",
    "func",
    "halo",
    "llvm",
    "memref",
    "scf",
    "tensor",
])
.options::<Options>();

fn run(pass: &mut PassInvocation) -> Result<(), PassFailure> {
    let pass = &*pass;
    let module = pass.operation();
    add_destinations(module).map_err(|_| PassFailure)?;
    for op in module.collect_nested(|op| op.isa::<scf::WhileOp>()) {
        with_builder(op, |builder| align(builder, op))
            .map_err(|error| PassFailure::at(op, error))?;
    }
    duplicate_stored(module);
    let ops = module.collect_nested(|op| {
        matches!(
            op.name(),
            scf::WhileOp::NAME
                | scf::ForOp::NAME
                | scf::IfOp::NAME
                | scf::IndexSwitchOp::NAME
                | func::FuncOp::NAME
        )
    });
    reject_calls(module)?;
    let explain = |operand: (Operation, usize), outcome: Outcome, reason| {
        if pass.options::<Options>().explain {
            explain(pass, operand, outcome.because(reason));
        }
    };
    // Inner ops first, so that their final state is known when an outer op is rewritten.
    for op in ops.into_iter().rev() {
        let outcome = with_builder(op, |builder| match op.name() {
            scf::WhileOp::NAME => loop_results(builder, op, (1, 0), &explain),
            // The induction variable of an `scf.for` precedes its carried
            // values.
            scf::ForOp::NAME => loop_results(builder, op, (0, 1), &explain),
            func::FuncOp::NAME => entry(builder, op, &explain),
            _ => branch_results(builder, op, &explain),
        });
        outcome.map_err(|error| PassFailure::at(op, error))?;
    }
    Ok(())
}

/// All functions except entries have been inlined, unless they are recursive.
fn reject_calls(module: Operation) -> Result<(), PassFailure> {
    let defined: HashSet<&str> = module
        .collect_nested(|op| op.isa::<func::FuncOp>() && op.body(0).is_some())
        .into_iter()
        .filter_map(|op| op.attribute("sym_name").and_then(Attribute::string_value))
        .collect();
    let calls = module.collect_nested(|op| {
        op.isa::<func::CallOp>()
            && op
                .attribute("callee")
                .and_then(Attribute::symbol_value)
                .is_some_and(|callee| defined.contains(callee))
    });
    match calls.first() {
        None => Ok(()),
        Some(call) => {
            let message = "a call is left after inlining: recursive functions cannot be compiled";
            Err(PassFailure::at(*call, message))
        }
    }
}

/// A callback that gets an operand of a terminator, the destination of its copy, and the reason.
type Explain<'e> = &'e dyn Fn((Operation, usize), Outcome, Reason);

/// Emits a remark for a value that is not computed in its destination.
fn explain(pass: &PassInvocation, (end, number): (Operation, usize), decision: Decision) {
    match end.operands()[number].defining_op() {
        Some(op) => {
            decision.remark(pass, op).note(end, format!("operand #{number}"));
        }
        None => {
            decision.remark_as(pass, end, format!("operand #{number} {decision}"));
        }
    }
}

/// Computes the next values of a loop in the buffers of its carried values, the
/// arguments of the body of `region` from `first` on.
fn loop_results<'c>(
    b: &Builder<'c>,
    op: Operation<'c>,
    (region, first): (usize, usize),
    explain: Explain,
) -> RewriteResult {
    let body = op.body(region).ok_or_else(|| no_match("a region is empty"))?;
    let Some(terminator) = body.operations().pop() else {
        return Ok(());
    };
    let carried = body.arguments().into_iter().skip(first);
    let values = terminator.operands().into_iter().enumerate();
    for ((operand, value), destination) in values.zip(carried) {
        if value.ty().is_tensor()
            && !is_written_over(value, destination)
            && let Some(reason) = forward(b, value, destination, body)?
        {
            explain(
                (terminator, operand),
                Outcome::CopiedToNextIteration,
                reason,
            );
        }
    }
    Ok(())
}

/// Creates one tensor for each result of a conditional, which all of its
/// branches write to. Branches that overwrite a common outer tensor need none.
fn branch_results<'c>(b: &Builder<'c>, op: Operation<'c>, explain: Explain) -> RewriteResult {
    b.set_before(op);
    let destinations = op
        .result_types()
        .into_iter()
        .enumerate()
        .map(|(number, ty)| {
            (ty.static_shape().is_some()
                && ty.is_tensor()
                && overwritten_by_branches(op, number).is_none())
            .then(|| tensor::empty(b, &[], ty))
        })
        .collect::<Vec<_>>();
    if destinations.iter().all(Option::is_none) {
        return Ok(());
    }
    for region in 0..op.region_count() {
        let Some(block) = op.body(region) else {
            continue;
        };
        let Some(terminator) = block.operations().pop() else {
            continue;
        };
        b.set_before(terminator);
        for (index, value) in terminator.operands().into_iter().enumerate() {
            if let Some(Some(destination)) = destinations.get(index) {
                if let Some(reason) = forward(b, value, *destination, block)? {
                    explain((terminator, index), Outcome::CopiedToConditional, reason);
                }
                let written = materialize(b, value, *destination);
                terminator.set_operand(index, written);
            }
        }
    }
    Ok(())
}

fn materialize<'c>(b: &Builder<'c>, value: Value<'c>, destination: Value<'c>) -> Value<'c> {
    let op = bufferization::MaterializeInDestinationOp::build(b, value, destination);
    op.result_type(value.ty()).value()
}

/// Turns a public function with a body into an entry: it takes the call's
/// context first, and buffers for its results last.
fn entry<'c>(b: &Builder<'c>, function: Operation<'c>, explain: Explain) -> RewriteResult {
    let context = b.context();
    let private =
        function.attribute("sym_visibility").and_then(Attribute::string_value) == Some("private");
    let Some(block) = function.body(0).filter(|_| !private) else {
        return Ok(());
    };
    let pointer = Type::parse(context, "!llvm.ptr")
        .ok_or_else(|| RewriteError::Invalid("internal error: llvm is not loaded".into()))?;
    let Some(terminator) = block.operations().pop() else {
        return Ok(());
    };
    flatten_borders(b, block, terminator);
    let inputs = block.arguments().types();
    let outputs = terminator.operands().types();
    for output in &outputs {
        require_ranked(*output)?;
    }
    add_arguments(b, block, pointer, &outputs);
    let arguments = block.arguments();
    let destinations = &arguments[1 + inputs.len()..];
    b.set_to_start(block);
    for (argument, result) in shared_results(function).into_iter().enumerate() {
        let Some(result) = result else {
            continue;
        };
        let (argument, destination) = (arguments[1 + argument], destinations.get(result));
        let Some(destination) = destination.filter(|to| to.ty() == argument.ty()) else {
            return Err(RewriteError::Invalid(format!(
                "an argument is to share its memory with result {result}, which has another type"
            )));
        };
        let moved = materialize(b, argument, *destination);
        argument.replace_uses_with(moved);
        if let Some(op) = moved.defining_op() {
            op.set_operand(0, argument);
        }
    }
    let returned = terminator.operands();
    b.set_before(terminator);
    for (index, (value, destination)) in returned.iter().zip(destinations).enumerate() {
        if let Some(reason) = forward(b, *value, *destination, block)? {
            explain((terminator, index), Outcome::CopiedToResult, reason);
        }
        let written = materialize(b, *value, *destination);
        terminator.set_operand(index, written);
    }

    let mut types = vec![pointer];
    types.extend(&inputs);
    types.extend(&outputs);
    let argument_attributes = argument_attributes(b, function, inputs.len(), outputs.len());
    let updated = function;
    for (name, attribute) in [
        (
            "function_type",
            type_attribute(FunctionType::new(context, &types, &outputs).into()),
        ),
        ("arg_attrs", argument_attributes),
        (halo::ENTRY, unit_attribute(context)),
        (
            "sym_visibility",
            halo_ir::string_attribute(context, "private"),
        ),
    ] {
        updated.set_attribute(name, attribute);
    }
    updated.remove_attribute("res_attrs");
    Ok(())
}

/// The caller allocates the results. Dynamic sizes are arguments (`--halo-bind-sizes`).
fn require_ranked(ty: Type) -> RewriteResult {
    if ty.is_tensor() && ty.shape().is_some() {
        return Ok(());
    }
    Err(RewriteError::Invalid(format!(
        "an entry function returns {ty}, and only ranked tensors can be returned"
    )))
}

/// Inserts the context before the arguments of an entry, and its results'
/// buffers after them.
fn add_arguments<'c>(b: &Builder<'c>, block: Block<'c>, pointer: Type<'c>, outputs: &[Type<'c>]) {
    block.insert_argument(0, pointer, b.location());
    for output in outputs {
        block.add_argument(*output, b.location());
    }
}

/// Keeps the attributes of the inputs, and marks inputs as not written.
fn argument_attributes<'c>(
    b: &Builder<'c>,
    function: Operation<'c>,
    inputs: usize,
    outputs: usize,
) -> Attribute<'c> {
    let context = b.context();
    let old = function
        .attribute("arg_attrs")
        .map(Attribute::array_elements)
        .unwrap_or_default();
    let none: Attribute = DictionaryAttribute::new(context, &[]).into();
    let mut all = vec![none];
    for index in 0..inputs {
        let mut entries = Vec::new();
        if let Some(dictionary) = old
            .get(index)
            .and_then(|attribute| DictionaryAttribute::try_from(*attribute).ok())
        {
            for position in 0..dictionary.len() {
                entries.extend(dictionary.element(position));
            }
        }
        entries.push((
            Identifier::new(context, "bufferization.writable"),
            bool_attribute(context, false),
        ));
        all.push(DictionaryAttribute::new(context, &entries).into());
    }
    let written: Attribute = DictionaryAttribute::new(
        context,
        &[(
            Identifier::new(context, "bufferization.writable"),
            bool_attribute(context, true),
        )],
    )
    .into();
    all.extend(std::iter::repeat_n(written, outputs));
    array_attribute(context, &all)
}
