//! `--stablehlo-refine-shapes`: propagates the argument shapes of the main function through the
//! program.
//!
//! A program that was exported for any batch size computes its shapes. Once the arguments of the
//! main function have static types, these computations fold, and the inferred types of each op's
//! results replace the declared ones. Ops are visited in order, so that each has refined operands.
//! A function is specialized for each combination of argument types and constant arguments in its
//! calls, and functions without calls are removed. Constant scalar arguments are moved into the
//! function; a constant result replaces the result of the call.
//!
//! A loop has types that are valid in all of its iterations: its operands' types, unless its body
//! returns others, and a conditional has types that are valid for all of its branches. A value
//! whose size changes keeps its bound, or a dynamic size, and is converted to that type where it
//! enters or leaves a region.
//!
//! ```mlir
//! func.func @main(%a: tensor<4x3xf32>) -> tensor<?x3xf32> {
//!   %0 = stablehlo.get_dimension_size %a, dim = 0 : (tensor<4x3xf32>) -> tensor<i32>
//!   %1 = func.call @ones(%0) : (tensor<i32>) -> tensor<?xf32>
//!   ...
//! }
//! func.func private @ones(%n: tensor<i32>) -> tensor<?xf32> {
//!   %0 = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
//!   %1 = stablehlo.constant dense<1.0> : tensor<f32>
//!   %2 = stablehlo.dynamic_broadcast_in_dim %1, %0, dims = [] : (tensor<f32>, tensor<1xi32>) -> tensor<?xf32>
//!   return %2 : tensor<?xf32>
//! }
//! ```
//!
//! becomes
//!
//! ```mlir
//! func.func @main(%a: tensor<4x3xf32>) -> tensor<4x3xf32> {
//!   %1 = func.call @ones() : () -> tensor<4xf32>
//!   ...
//! }
//! func.func private @ones() -> tensor<4xf32> {
//!   %0 = stablehlo.constant dense<4> : tensor<1xi32>
//!   %1 = stablehlo.constant dense<1.0> : tensor<f32>
//!   %2 = stablehlo.dynamic_broadcast_in_dim %1, %0, dims = [] : (tensor<f32>, tensor<1xi32>) -> tensor<4xf32>
//!   return %2 : tensor<4xf32>
//! }
//! ```

mod calls;
mod control_flow;
mod custom_call;
mod effects;
pub mod evaluate;
mod values;

use crate::semantics::custom_call::function_named;
use crate::semantics::{Dim, dims_of, refine_result_types, refine_type, tensor_of};
use calls::Specializations;
pub use calls::{function_results, set_function_type};
pub(super) use control_flow::{reconcile, without_shape_cast};
pub use custom_call::{
    OPERAND_WRAPPER, SHAPE_OPERANDS, constant_integers, result_shapes, shape_operands,
};
use halo_ir::prelude::*;
use values::{is_ours, refine_values, replace_refined};

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration::new(
    "stablehlo-refine-shapes",
    "Propagate the shapes of the main function's arguments through the program",
    run,
)
.on::<builtin::ModuleOp>()
.dependent_dialects(&["func", "stablehlo"]);

fn run(pass: &mut PassInvocation) -> Result<(), PassFailure> {
    let module = pass.operation();
    let main = main_function(module)?;
    let mut refinement = Refinement {
        calls: Specializations::new(module),
    };
    refinement.function(main)?;
    refinement.calls.finish();
    Ok(())
}

/// The function whose arguments determine the shapes: `main`, the only public one, or the only one.
pub fn main_function(module: Operation<'_>) -> Result<Operation<'_>, PassFailure> {
    let functions: Vec<Operation> = module
        .body(0)
        .map(Block::operations)
        .unwrap_or_default()
        .into_iter()
        .filter(|op| op.isa::<func::FuncOp>() && op.body(0).is_some())
        .collect();
    let named = functions.iter().find(|function| calls::name_of_function(**function) == "main");
    let public: Vec<&Operation> = functions
        .iter()
        .filter(|function| {
            let function = func::FuncOp::from_unchecked(**function);
            function.sym_visibility() != Some("private")
        })
        .collect();
    match (named, &public[..], &functions[..]) {
        (Some(main), ..) => Ok(*main),
        (None, [only], _) => Ok(**only),
        (None, _, [only]) => Ok(*only),
        _ => Err(PassFailure::at(
            module,
            "must have no more than one function or a `main` function to clearly identify \
                 which function will be refined",
        )),
    }
}

/// The function called `name`, or the [`main_function`] for an empty name; none if it does not
/// exist, which the caller that chose the entry reports.
pub(in crate::transforms) fn entry_function<'c>(
    module: Operation<'c>,
    name: &str,
) -> Result<Option<Operation<'c>>, PassFailure> {
    if name.is_empty() {
        return main_function(module).map(Some);
    }
    Ok(function_named(module, name).map(|function| function.operation()))
}

/// One run of the pass.
struct Refinement<'c> {
    calls: Specializations<'c>,
}

impl<'c> Refinement<'c> {
    /// Refines the body of a function, updates its type, and returns the types of its results.
    fn function(&mut self, function: Operation<'c>) -> Result<Vec<Type<'c>>, PassFailure> {
        let Some(body) = function.body(0) else {
            return Ok(calls::function_results(function));
        };
        if function.blocks().len() != 1 {
            return Err(PassFailure::at(
                function,
                "'func.func' op must have exactly one block",
            ));
        }
        self.block(body)?;
        let results: Vec<Type> = match body.terminator() {
            Some(terminator) if terminator.isa::<func::ReturnOp>() => {
                terminator.operands().iter().map(|value| value.ty()).collect()
            }
            _ => calls::function_results(function),
        };
        let arguments = body.arguments().types();
        calls::set_function_type(function, &arguments, &results);
        Ok(results)
    }

    /// Refines the ops of a block in order, and removes constants that only folded ops used.
    fn block(&mut self, block: Block<'c>) -> Result<(), PassFailure> {
        for operation in block.operations() {
            self.operation(operation)?;
        }
        for operation in block.operations() {
            if operation.isa::<stablehlo::ConstantOp>()
                && operation.results().into_iter().all(Value::is_unused)
            {
                with_builder(operation, |b| b.erase(operation));
            }
        }
        Ok(())
    }

    fn operation(&mut self, operation: Operation<'c>) -> Result<(), PassFailure> {
        let name = operation.name();
        match name {
            func::CallOp::NAME => return self.call(operation, "callee"),
            stablehlo::CompositeOp::NAME => return self.call(operation, "decomposition"),
            stablehlo::CustomCallOp::NAME => {
                return custom_call::refine(operation)
                    .map_err(|message| PassFailure::at(operation, &message));
            }
            builtin::UnrealizedConversionCastOp::NAME => {
                remove_cast(operation);
                return Ok(());
            }
            stablehlo::WhileOp::NAME => return self.while_loop(operation),
            _ => {
                if let Some(scan) = operation.cast::<chlo::ScanOp>() {
                    scan_arguments(scan);
                }
            }
        }
        for block in operation.blocks() {
            self.block(block)?;
        }
        if !is_ours(name) {
            return Ok(());
        }
        if let Some(cut) = operation.cast() {
            control_flow::keep_bound(cut);
        }
        reconcile(operation);
        if let Some(constants) = evaluate::fold(operation) {
            with_builder(operation, |b| {
                let values = constants.iter().map(|constant| stablehlo::constant(b, *constant));
                b.replace(operation, &values.collect::<Vec<_>>());
            });
            return Ok(());
        }
        refine_values(&operation.results(), &refine_result_types(operation));
        if let Some(cut) = operation.cast::<stablehlo::SetDimensionSizeOp>() {
            let size = constant_size(cut);
            refine_values(&[cut.result()], &[size.unwrap_or(cut.result().ty())]);
        }
        Ok(())
    }
}

/// The type of a value that is truncated to a constant size within its bounds.
fn constant_size(cut: stablehlo::SetDimensionSizeOp<'_>) -> Option<Type<'_>> {
    let ty = cut.result().ty();
    let mut dims = dims_of(ty)?;
    let size = *constant_integers(cut.size())?.first()?;
    let dim = dims.get_mut(usize::try_from(cut.dimension()).ok()?)?;
    let is_within = matches!(dim, Dim::Bounded(bound) if (0..=*bound).contains(&size));
    *dim = Dim::Static(size);
    is_within.then(|| tensor_of(&dims, ty.element_type()))
}

/// The region of a scan takes slices of the inputs, and the carries unchanged.
fn scan_arguments(scan: chlo::ScanOp) {
    let (Some(block), Ok(dimension)) =
        (scan.operation().body(0), usize::try_from(scan.dimension()))
    else {
        return;
    };
    let slices = scan.inputs().into_iter().map(|input| {
        let mut shape = input.ty().shape()?;
        (dimension < shape.len()).then(|| shape.remove(dimension))?;
        let sizes: Vec<i64> = shape.iter().map(|size| size.unwrap_or(i64::MIN)).collect();
        Some(tensor_type(&sizes, input.ty().element_type()))
    });
    let carries = scan.inits().into_iter().map(|init| Some(init.ty()));
    for (argument, ty) in block.arguments().into_iter().zip(slices.chain(carries)) {
        let refined = ty.and_then(|ty| refine_type(argument.ty(), ty));
        if let Some(refined) = refined {
            refine_values(&[argument], &[refined]);
        }
    }
}

/// Removes a cast to a less specific type.
fn remove_cast(cast: Operation) {
    if let ([operand], [result]) = (&cast.operands()[..], &cast.results()[..])
        && refine_type(result.ty(), operand.ty()) == Some(operand.ty())
        && replace_refined(*result, *operand)
    {
        with_builder(cast, |b| b.erase(cast));
    }
}
