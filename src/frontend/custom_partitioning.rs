//! Custom calls that the framework partitions, as `jax.experimental.custom_partitioning` creates
//! them.
//!
//! The framework is given the shardings of the operands and results of a call, and returns a
//! function on tiles with the shardings that it expects. The call becomes a manual computation with
//! this function, so that `--halo-partition` needs no framework:
//!
//! ```mlir
//! %r = stablehlo.custom_call @CustomSPMDPartitioning(%a) {backend_config = "7"} : tensor<8xf32>
//! ```
//!
//! becomes
//!
//! ```mlir
//! %0 = stablehlo.custom_call @Sharding(%a) {mhlo.sharding = "{devices=[2]0,1}"} : tensor<8xf32>
//! %1 = stablehlo.custom_call @SPMDFullToShardShape(%0) {mhlo.sharding = "{manual}"} : tensor<4xf32>
//! %2 = stablehlo.sine %1 : tensor<4xf32>
//! %r = stablehlo.custom_call @SPMDShardToFullShape(%2) {mhlo.sharding = "{devices=[2]0,1}"} : tensor<8xf32>
//! ```

use super::{entry::chosen_function, entry::keep_module_of_entry, inline, parse};
use halo_backend::Program;
use halo_core::ElementType;
use halo_hlo::{
    context,
    literals::element_type_of,
    run_pipeline,
    sharding::{
        MESHES, SHARDING, Tiling,
        analysis::{Analysis, SHARDING_CONSTRAINT},
        manual::{FULL_TO_SHARD, SHARD_TO_FULL},
        op_sharding::{self, OP_SHARDING, OpSharding},
        rules::sizes_of,
    },
};
use halo_ir::{
    diagnostics::{bytecode_of, position_of},
    edit_module,
    prelude::*,
};
use halo_runtime::Error;
use melior::ir::Module;

/// A tensor, and its tiles; `None` is replicated.
pub struct PartitionedTensor {
    pub sizes: Vec<i64>,
    pub element_type: ElementType,
    pub tiling: Option<Tiling>,
}

/// A call in a program for several partitions.
pub struct PartitionedCall {
    pub target: String,
    pub backend_config: String,
    pub operands: Vec<PartitionedTensor>,
    pub results: Vec<PartitionedTensor>,
}

/// The function of each partition. Shardings are strings, as in `mhlo.sharding`.
pub struct TileFunction {
    /// A program on tiles.
    pub code: Vec<u8>,
    pub operands: Vec<String>,
    pub results: Vec<String>,
}

/// The framework's part.
pub trait CustomPartitioner {
    /// Returns true if calls of a target are partitioned.
    fn has(&self, target: &str) -> bool;

    /// The function on tiles of a call.
    ///
    /// # Errors
    /// Returns the message of the framework.
    fn partition(&self, call: &PartitionedCall) -> Result<TileFunction, String>;

    /// The shardings of the results that follow from the operands.
    ///
    /// # Errors
    /// Returns the message of the framework.
    fn infer_results(&self, call: &PartitionedCall) -> Result<Vec<String>, String>;

    /// The shardings of the results that follow from their users.
    ///
    /// # Errors
    /// Returns the message of the framework.
    fn propagate_users(&self, call: &PartitionedCall) -> Result<Vec<String>, String>;
}

/// The attribute of a call whose shardings propagate by a rule.
const SHARDING_RULE: &str = "sdy.sharding_rule";

/// A program whose calls are partitioned; `None` if it has none.
///
/// # Errors
/// Returns an invalid-input error with diagnostics, also of the framework.
pub fn partition_custom_calls(
    program: &Program,
    partitions: usize,
    partitioner: &dyn CustomPartitioner,
) -> Result<Option<Vec<u8>>, Error> {
    let context = context();
    let mut module = parse(&context, program)?;
    keep_module_of_entry(&mut module, program, None)?;
    run_pipeline(&context, &mut module, &inline())?;
    let entry = chosen_function(&module, program, None)?;
    let position = functions(halo_ir::root_of(&module)).iter().position(|op| *op == entry);
    let count = calls(entry, partitioner).len();
    if count == 0 {
        return Ok(None);
    }
    // Their blocks are freed after the program's edits.
    let mut bodies: Vec<Module> = Vec::new();
    let is_of_shardy = halo_ir::root_of(&module).has_attribute(MESHES);
    let edited = edit_module(&mut module, |root| -> Result<(), Error> {
        let entry = functions(root)[position.unwrap_or_default()];
        let calls = calls(entry, partitioner);
        for call in &calls {
            if !is_of_shardy && !call.has_attribute(SHARDING_RULE) {
                let analysis = analysis(root, entry, partitions)?;
                propagate(*call, &analysis, partitioner).map_err(|error| at(*call, error))?;
            }
        }
        let analysis = analysis(root, entry, partitions)?;
        let views = calls.iter().map(|call| {
            let view = view(*call, &analysis).map_err(|error| at(*call, error))?;
            Ok((*call, view))
        });
        for (call, view) in views.collect::<Result<Vec<_>, Error>>()? {
            let function = partitioner.partition(&view).map_err(|error| at(call, error))?;
            let name = format!("the function of {}", view.target);
            let body = Program {
                name,
                code: function.code.clone(),
            };
            let mut inner = parse(&context, &body)?;
            run_pipeline(&context, &mut inner, &inline())?;
            bodies.push(inner);
            let Some(inner) = bodies.last() else {
                continue;
            };
            let inner = chosen_function(inner, &body, None)?;
            // Each partition has its own values.
            inner.visit(&mut |op| {
                op.remove_attribute(SHARDING);
                op.remove_attribute(OP_SHARDING);
            });
            let done = with_builder(call, |b| {
                replace(b, call, &view, &function, inner, partitions)
            });
            done.map_err(|error| at(call, error))?;
        }
        Ok(())
    });
    edited.map_err(|error| Error::internal(error.to_string()))??;
    Ok(Some(bytecode_of(&module)))
}

fn functions(root: Operation<'_>) -> Vec<Operation<'_>> {
    root.collect_nested(|op| op.isa::<func::FuncOp>())
}

fn calls<'c>(entry: Operation<'c>, partitioner: &dyn CustomPartitioner) -> Vec<Operation<'c>> {
    entry.collect_nested(|op| {
        let call = op.cast::<stablehlo::CustomCallOp>();
        call.is_some_and(|call| partitioner.has(call.call_target_name()))
    })
}

fn at(call: Operation, message: String) -> Error {
    Error::invalid_at(position_of(call.location()), message)
}

fn analysis(root: Operation, entry: Operation, partitions: usize) -> Result<Analysis, Error> {
    Analysis::of(root, entry, partitions).map_err(Error::invalid)
}

fn view(call: Operation, analysis: &Analysis) -> Result<PartitionedCall, String> {
    if analysis.manual.has_part_in(call) {
        return Err("a call with custom partitioning is in a manual computation".to_owned());
    }
    let tensors = |values: Vec<Value>| -> Result<Vec<PartitionedTensor>, String> {
        let tensor = |value: Value| {
            let sizes = sizes_of(value);
            let ty = value.ty();
            Ok(PartitionedTensor {
                sizes: sizes
                    .ok_or_else(|| format!("expected a tensor of known sizes, got '{ty}'"))?,
                element_type: element_type_of(ty.element_type())?,
                tiling: analysis.whole_tiling(value),
            })
        };
        values.into_iter().map(tensor).collect()
    };
    let text = |name: &str| call.attribute(name).and_then(Attribute::string_value);
    Ok(PartitionedCall {
        target: text("call_target_name").unwrap_or_default().to_owned(),
        backend_config: text("backend_config").unwrap_or_default().to_owned(),
        operands: tensors(call.operands())?,
        results: tensors(call.results())?,
    })
}

/// Constrains the results of a call without a rule, in programs of the older partitioner.
fn propagate(
    call: Operation,
    analysis: &Analysis,
    partitioner: &dyn CustomPartitioner,
) -> Result<(), String> {
    let view = view(call, analysis)?;
    let is_divided = |all: &[PartitionedTensor]| all.iter().any(|one| one.tiling.is_some());
    let mut shardings = Vec::new();
    if is_divided(&view.operands) {
        shardings = partitioner.infer_results(&view)?;
    }
    let is_open = shardings.iter().all(|sharding| *sharding == op_sharding::print(None));
    if is_open && is_divided(&view.results) {
        shardings = partitioner.propagate_users(&view)?;
    }
    with_builder(call, |b| {
        b.set_after(call);
        for (result, sharding) in call.results().into_iter().zip(&shardings) {
            let constrained = annotate(b, SHARDING_CONSTRAINT, result, result.ty(), sharding);
            b.replace_uses(result, constrained);
            if let Some(constraint) = constrained.defining_op() {
                constraint.set_operand(0, result);
            }
        }
    });
    Ok(())
}

/// A custom call that annotates a value.
fn annotate<'c>(
    b: &Builder<'c>,
    target: &str,
    value: Value<'c>,
    ty: Type<'c>,
    sharding: &str,
) -> Value<'c> {
    let call = b
        .op(stablehlo::CustomCallOp::NAME)
        .operands(&[value])
        .results(&[ty])
        .attribute("call_target_name", string_attribute(b.context(), target))
        .attribute(OP_SHARDING, string_attribute(b.context(), sharding));
    call.insert().results()[0]
}

/// The type of the tiles of a sharding.
fn tile_type<'c>(full: Type<'c>, sharding: &str, partitions: usize) -> Result<Type<'c>, String> {
    let sizes = full.static_shape().unwrap_or_default();
    match op_sharding::parse(sharding, sizes.len(), partitions)? {
        OpSharding::Tiled(tiling) if tiling.terms.is_empty() => {
            let sizes = tiling.even_tile_sizes(&sizes)?;
            Ok(tensor_type(&sizes, full.element_type()))
        }
        _ => Err(format!(
            "a partition function cannot have operands or results with sharding '{sharding}'"
        )),
    }
}

/// Replaces a call by a manual computation with the body of a function.
fn replace<'c>(
    b: &Builder<'c>,
    call: Operation<'c>,
    view: &PartitionedCall,
    function: &TileFunction,
    inner: Operation<'c>,
    partitions: usize,
) -> Result<(), String> {
    let (operands, results) = (call.operands(), call.results());
    let body = inner.body(0).ok_or("the partition function has no body")?;
    let returned = body.terminator().map(Operation::operands).unwrap_or_default();
    for (what, values, shardings, found) in [
        ("operand", &operands, &function.operands, body.arguments()),
        ("result", &results, &function.results, returned),
    ] {
        if values.len() != found.len() || values.len() != shardings.len() {
            return Err(format!(
                "expected a partition function of {} {what}s, got one of {} with {} shardings",
                values.len(),
                found.len(),
                shardings.len()
            ));
        }
        for (number, value) in values.iter().enumerate() {
            let at = |message: String| format!("{what} {number} of the call: {message}");
            let (ty, found) = (value.ty(), found[number].ty());
            let tile = tile_type(ty, &shardings[number], partitions).map_err(at)?;
            if tile != found {
                return Err(at(format!(
                    "expected a partition function on tiles '{tile}' of '{ty}', got '{found}'"
                )));
            }
        }
    }
    let arguments = body.arguments();
    let tiles = operands.iter().zip(&function.operands).zip(arguments);
    let tiles: Vec<Value> = tiles
        .map(|((operand, sharding), argument)| {
            let whole = annotate(b, SHARDING_CONSTRAINT, *operand, operand.ty(), sharding);
            annotate(b, FULL_TO_SHARD, whole, argument.ty(), "{manual}")
        })
        .collect();
    let tiles = b.inline_before(body, call, &tiles);
    let shardings = function.results.iter().zip(&view.results);
    let replaced = results.iter().zip(tiles).zip(shardings);
    let replaced: Vec<Value> = replaced
        .map(|((result, tile), (sharding, wanted))| {
            let ty = result.ty();
            let whole = annotate(b, SHARD_TO_FULL, tile, ty, sharding);
            let wanted = op_sharding::print(wanted.tiling.as_ref());
            annotate(b, SHARDING_CONSTRAINT, whole, ty, &wanted)
        })
        .collect();
    b.replace(call, &replaced);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROGRAM: &str = r#"
        sdy.mesh @mesh = <["x"=2, "y"=2]>
        func.func @main(%a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>})
            -> tensor<8x4xf32> {
          %0 = stablehlo.custom_call @custom(%a) {backend_config = "7",
            sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, j]) {i=8, j=4}, custom>}
            : (tensor<8x4xf32>) -> tensor<8x4xf32>
          return %0 : tensor<8x4xf32>
        }"#;

    const ROWS: &str = "{devices=[2,1,2]<=[4] last_tile_dim_replicate}";

    /// Returns the same function for each call.
    struct Fixed {
        code: &'static str,
        operand: &'static str,
    }

    impl CustomPartitioner for Fixed {
        fn has(&self, target: &str) -> bool {
            target == "custom"
        }

        fn partition(&self, call: &PartitionedCall) -> Result<TileFunction, String> {
            assert_eq!((&*call.target, &*call.backend_config), ("custom", "7"));
            let both = op_sharding::parse("{devices=[2,2]0,1,2,3}", 2, 4)?;
            for tensor in call.operands.iter().chain(&call.results) {
                assert_eq!(tensor.sizes, [8, 4]);
                assert_eq!(tensor.element_type, ElementType::F32);
                assert_eq!(
                    tensor.tiling.clone().map(OpSharding::Tiled),
                    Some(both.clone())
                );
            }
            Ok(TileFunction {
                code: self.code.into(),
                operands: vec![self.operand.to_owned()],
                results: vec![ROWS.to_owned()],
            })
        }

        fn infer_results(&self, _: &PartitionedCall) -> Result<Vec<String>, String> {
            Err("no rule is needed".to_owned())
        }

        fn propagate_users(&self, _: &PartitionedCall) -> Result<Vec<String>, String> {
            Err("no rule is needed".to_owned())
        }
    }

    fn partitioned(program: &str, code: &'static str, operand: &'static str) -> String {
        let program = Program {
            name: "test.mlir".to_owned(),
            code: program.into(),
        };
        match partition_custom_calls(&program, 4, &Fixed { code, operand }) {
            Ok(Some(code)) => {
                let context = context();
                let program = Program { code, ..program };
                let module = parse(&context, &program).unwrap();
                module.as_operation().to_string()
            }
            Ok(None) => "unchanged".to_owned(),
            Err(error) => error.to_string(),
        }
    }

    const TANH: &str = "func.func private @f(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
          %0 = stablehlo.tanh %x : tensor<4x4xf32>
          return %0 : tensor<4x4xf32>
        }
        func.func @main(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
          %0 = call @f(%x) : (tensor<4x4xf32>) -> tensor<4x4xf32>
          return %0 : tensor<4x4xf32>
        }";

    #[test]
    fn calls_become_manual_computations() {
        let text = partitioned(PROGRAM, TANH, ROWS);
        let lines = [
            "@Sharding(%arg0)",
            "@SPMDFullToShardShape(%0)",
            "stablehlo.tanh %1 : tensor<4x4xf32>",
            "@SPMDShardToFullShape(%2)",
            "@Sharding(%3) {mhlo.sharding = \"{devices=[2,2]0,1,2,3}\"}",
        ];
        let positions = lines.map(|line| text.find(line).unwrap_or_else(|| panic!("{text}")));
        assert!(positions.is_sorted());
        assert_eq!(partitioned(TANH, TANH, ROWS), "unchanged");
    }

    #[test]
    fn functions_must_fit() {
        let manual = PROGRAM.replace(
            "%0 = stablehlo.custom_call @custom(%a)",
            "%p = stablehlo.partition_id : tensor<ui32>
             %q = stablehlo.convert %p : (tensor<ui32>) -> tensor<f32>
             %b = stablehlo.broadcast_in_dim %q, dims = [] : (tensor<f32>) -> tensor<8x4xf32>
             %0 = stablehlo.custom_call @custom(%b)",
        );
        for (program, code, operand, expected) in [
            (PROGRAM, "", ROWS, "there is no public function"),
            (
                PROGRAM,
                TANH,
                "{devices=[2,2]0,1,2,3}",
                "operand 0 of the call: expected a partition function on tiles \
                 'tensor<4x2xf32>' of 'tensor<8x4xf32>', got 'tensor<4x4xf32>'",
            ),
            (
                PROGRAM,
                TANH,
                "{manual}",
                "cannot have operands or results with sharding '{manual}'",
            ),
            (
                PROGRAM,
                TANH,
                "{devices=[2]0,1}",
                "is not a sharding of 2 dimensions",
            ),
            (
                PROGRAM,
                "func.func @main() { return }",
                ROWS,
                "expected a partition function of 1 operands, got one of 0 with 1 shardings",
            ),
            (
                &*manual,
                TANH,
                ROWS,
                "a call with custom partitioning is in a manual computation",
            ),
        ] {
            let error = partitioned(program, code, operand);
            assert!(error.contains(expected), "{error}");
        }
    }
}
