//! Evaluation of ops of dialects that are declared in Rust.
//!
//! A dialect declares syntax and verification of its ops ([`halo_ir::dialect`]); their evaluation
//! on tensors is registered here, for the whole process.

use super::prelude::*;
use halo_core::panics;
use halo_ir::dialect::{OpTrait, declaration_of};
use std::{
    collections::HashMap,
    fmt,
    sync::{LazyLock, PoisonError, RwLock},
};

/// Evaluates an op: computes its results from its operands.
pub type Evaluate = fn(&Call) -> Evaluated;

/// The error if the interpreter already evaluates an op.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AlreadyEvaluated {
    /// The name of the op.
    pub op: &'static str,
}

impl fmt::Display for AlreadyEvaluated {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        write!(formatter, "the interpreter evaluates '{}' already", self.op)
    }
}

impl std::error::Error for AlreadyEvaluated {}

static TABLE: LazyLock<RwLock<HashMap<&'static str, Evaluate>>> = LazyLock::new(RwLock::default);

/// Registers the evaluation of the ops with a name.
///
/// # Errors
/// Returns an error if the op already has an evaluation.
pub fn register_evaluation(op: &'static str, evaluate: Evaluate) -> Result<(), AlreadyEvaluated> {
    if super::is_interpreted(op) {
        return Err(AlreadyEvaluated { op });
    }
    let mut table = TABLE.write().unwrap_or_else(PoisonError::into_inner);
    match table.insert(op, evaluate) {
        None => Ok(()),
        Some(before) => {
            table.insert(op, before);
            Err(AlreadyEvaluated { op })
        }
    }
}

/// Returns true if an op of this name was registered.
pub(super) fn is_registered(op: &str) -> bool {
    TABLE.read().unwrap_or_else(PoisonError::into_inner).contains_key(op)
}

/// Evaluates a registered op. A panic is a failure of the op.
pub(super) fn evaluate(call: &Call) -> Evaluated {
    let registered = {
        let table = TABLE.read().unwrap_or_else(PoisonError::into_inner);
        table.get(call.op.name()).copied()
    };
    let evaluate = registered.ok_or("is not interpreted")?;
    panics::catch(|| evaluate(call)).unwrap_or_else(|panic| {
        Err(Failure::Here(format!(
            "panicked while it was evaluated: {panic}"
        )))
    })
}

/// Returns true if an op terminates a region of a declared op, and its operands are the region's
/// results.
pub(super) fn is_terminator(name: &str) -> bool {
    !name.starts_with("stablehlo.")
        && declaration_of(name)
            .is_some_and(|op| op.has(OpTrait::Terminator) && op.successors.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interpreter::{Environment, Evaluator, Value};
    use halo_core::{ElementType, Literal, Shape};
    use halo_ir::{
        declare_op,
        diagnostics::parse_module,
        dialect::{DialectDeclaration, register},
        ops::codec,
        prelude::*,
        root_of,
    };
    use std::sync::{Arc, Once};

    declare_op! {
        /// Adds a number to each element.
        struct OffsetOp = "grid.offset" {
            operands { input: One(Tensor) }
            results { output: One(Tensor) }
            attributes { by: Required(codec::Signless<64>) }
        }
        .traits(&[OpTrait::Pure, OpTrait::SameOperandsAndResultType])
        .assembly("$input `by` $by attr-dict `:` type($input)")
    }

    declare_op! {
        /// Applies its body twice.
        struct TwiceOp = "grid.twice" {
            operands { input: One(Tensor) }
            results { output: One(Tensor) }
            regions { body: One }
        }
        .traits(&[OpTrait::SingleBlock, OpTrait::RecursiveEffects])
        .assembly("$input $body attr-dict `:` functional-type($input, $output)")
    }

    declare_op! {
        /// Returns from a body.
        struct YieldOp = "grid.yield" {
            operands { values: Variadic(Any) }
        }
        .traits(&[OpTrait::Terminator, OpTrait::Pure])
        .assembly("($values^ `:` type($values))? attr-dict")
    }

    declare_op! {
        /// Panics.
        struct PanicOp = "grid.panic" {}
        .assembly("attr-dict")
    }

    static GRID: DialectDeclaration = DialectDeclaration::new("grid", "Test").ops(&[
        OffsetOp::DECLARATION,
        TwiceOp::DECLARATION,
        YieldOp::DECLARATION,
        PanicOp::DECLARATION,
    ]);

    fn offset(call: &Call) -> Evaluated {
        let by = call.operation()?.cast::<OffsetOp>().ok_or("is another op")?.by();
        let input = call.tensor(0)?;
        let output = super::super::call::fill(call.result_shape(0)?, |position| {
            Ok(i128::from(by) + input.get_i128(position))
        })?;
        Ok(vec![output.into()])
    }

    fn twice(call: &Call) -> Evaluated {
        let once = call.region(0, call.operands)?;
        call.region(0, &once)
    }

    fn set_up() {
        static ONCE: Once = Once::new();
        ONCE.call_once(|| {
            register(&GRID).unwrap();
            register_evaluation("grid.offset", offset).unwrap();
            register_evaluation("grid.twice", twice).unwrap();
            register_evaluation("grid.panic", |_| panic!("no such luck")).unwrap();
        });
    }

    fn run(program: &str, arguments: &[Value]) -> Result<Vec<Value>, String> {
        set_up();
        let context = crate::context();
        let module = parse_module(&context, program.as_bytes(), "p.mlir").ok_or("is not valid")?;
        let environment = Environment::new(root_of(&module), Arc::default());
        let result = Evaluator::new(&environment).call("main", arguments);
        result.map_err(|error| error.to_string())
    }

    #[test]
    fn ops_of_other_dialects_are_evaluated() {
        let program = "func.func @main(%x: tensor<2xi32>) -> tensor<2xi32> {
          %0 = grid.twice %x {
          ^bb0(%y: tensor<2xi32>):
            %1 = grid.offset %y by 3 : tensor<2xi32>
            %2 = stablehlo.multiply %1, %1 : tensor<2xi32>
            grid.yield %2 : tensor<2xi32>
          } : (tensor<2xi32>) -> tensor<2xi32>
          return %0 : tensor<2xi32>
        }";
        let mut input = Literal::try_zeros(Shape::new(ElementType::I32, [2]).unwrap()).unwrap();
        input.set(1, -1i128);
        let results = run(program, &[input.into()]).unwrap();
        // ((0 + 3)^2 + 3)^2 and ((-1 + 3)^2 + 3)^2
        let output = results[0].tensor().unwrap();
        assert_eq!((output.get_i128(0), output.get_i128(1)), (144, 49));
    }

    #[test]
    fn failures_name_the_op() {
        let error = run("func.func @main() {\n  grid.panic\n  return\n}", &[]).unwrap_err();
        assert!(
            error.contains("p.mlir:2:3")
                && error.contains("'grid.panic' op panicked while it was evaluated: no such luck"),
            "{error}"
        );
        let again = register_evaluation("grid.offset", offset).unwrap_err();
        assert_eq!(
            again.to_string(),
            "the interpreter evaluates 'grid.offset' already"
        );
        let ours = register_evaluation("stablehlo.add", offset).unwrap_err();
        assert_eq!(ours.op, "stablehlo.add");
    }
}
