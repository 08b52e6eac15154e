//! `--stablehlo-check-shape-assertions`: a program's assertions about its
//! shapes, checked once they are known.
//!
//! Exporters of dynamic programs state conditions on shapes as custom calls of
//! `@shape_assertion`: the first operand must hold, and the others are put into
//! the message for `{0}`, `{1}` and so on if it does not. After shape refinement
//! all of them are constants. An assertion that holds is removed.
//!
//! ```mlir
//! %0 = stablehlo.constant dense<true> : tensor<i1>
//! stablehlo.custom_call @shape_assertion(%0) {error_message = "b must be even", has_side_effect = true} : (tensor<i1>) -> ()
//! ```
//!
//! becomes
//!
//! ```mlir
//! %0 = stablehlo.constant dense<true> : tensor<i1>
//! ```

use halo_hlo::custom_calls::{SHAPE_ASSERTION, error_message};
use halo_hlo::transforms::shapes::stablehlo_refine_shapes::constant_integers;
use halo_ir::prelude::*;

pass_options! {
    /// The options of the pass.
    struct Options {
        /// Check assertions; if not, they are removed unchecked
        enable_shape_assertions: bool = true,
    }
}

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration::new(
    "stablehlo-check-shape-assertions",
    "Check the assertions about shapes and remove those that hold",
    run,
)
.options::<Options>()
.source(include_str!("stablehlo_check_shape_assertions.rs"));

/// The maximum number of values in a message.
const MAX_INPUTS: usize = 32;

fn run(pass: &mut PassInvocation) -> Result<(), PassFailure> {
    let enabled = pass.options::<Options>().enable_shape_assertions;
    let assertions = pass.operation().collect_nested(|op| {
        op.cast::<stablehlo::CustomCallOp>()
            .is_some_and(|call| call.call_target_name() == SHAPE_ASSERTION)
    });
    let mut result = Ok(());
    for assertion in assertions {
        let checked = if enabled { check(assertion) } else { Ok(()) };
        match checked {
            Ok(()) => with_builder(assertion, |b| b.erase(assertion)),
            Err(message) => {
                emit_error(assertion.location(), &message);
                result = Err(PassFailure);
            }
        }
    }
    result
}

/// Returns the error of an assertion that fails or is malformed.
fn check(assertion: Operation) -> Result<(), String> {
    let operands = assertion.operands();
    let Some((condition, inputs)) = operands.split_first() else {
        return Err("a shape assertion needs a condition as its first operand".to_owned());
    };
    if inputs.len() > MAX_INPUTS {
        return Err(format!(
            "a shape assertion has {} values for its message, but at most {MAX_INPUTS} are taken",
            inputs.len()
        ));
    }
    if assertion.result_count() != 0 {
        return Err("a shape assertion has no results".to_owned());
    }
    if !is_scalar(*condition, &[1]) {
        return Err(format!(
            "operand 0 of a shape assertion has type {}, but must have type tensor<i1>",
            condition.ty()
        ));
    }
    for (number, input) in (1..).zip(inputs) {
        if !is_scalar(*input, &[32, 64]) {
            return Err(format!(
                "operand {number} of a shape assertion has type {}, but must have type \
                 tensor<i32> or tensor<i64>",
                input.ty()
            ));
        }
    }
    let template = error_message(assertion)
        .ok_or("a shape assertion needs an attribute 'error_message' that is a string")?;
    if let Some(number) = placeholders(template).into_iter().find(|number| *number >= inputs.len())
    {
        return Err(format!(
            "the message of a shape assertion names value {number}, but there are {}",
            inputs.len()
        ));
    }
    let value = |number: usize, operand: Value| {
        let role = if number == 0 {
            "assert_what"
        } else {
            "error_message_input"
        };
        constant_integers(operand)
            .and_then(|values| values.first().copied())
            .ok_or_else(|| format!("expects static {role} (operand #{number})"))
    };
    if value(0, *condition)? != 0 {
        return Ok(());
    }
    let mut message = template.to_owned();
    for (number, input) in inputs.iter().enumerate() {
        let text = value(number + 1, *input)?.to_string();
        message = message.replace(&format!("{{{number}}}"), &text);
    }
    Err(message)
}

fn is_scalar(value: Value, widths: &[u32]) -> bool {
    let element = value.ty().element_type();
    value.ty().static_shape().is_some_and(|shape| shape.is_empty())
        && element.is_signless()
        && element.integer_width().is_some_and(|width| widths.contains(&width))
}

/// The numbers in braces of a message; a number ends at the brace, a comma or a colon.
fn placeholders(template: &str) -> Vec<usize> {
    template
        .split('{')
        .skip(1)
        .filter_map(|rest| rest.split(['}', ',', ':']).next()?.trim().parse().ok())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::placeholders;

    #[test]
    fn placeholders_are_numbers_in_braces() {
        assert_eq!(placeholders("{0} is not {1:d}, {2,4}"), [0, 1, 2]);
        assert!(placeholders("no {such} thing").is_empty());
    }
}
