//! `--stablehlo-legalize-to-linalg`: from HLO to structured loops on tensors.
//!
//! Every op becomes ops of linalg, tensor, arith, math, complex and scf, so
//! that fusion, tiling and bufferization, which know nothing of HLO, apply.
//! Unsigned integers become signless ones, and elements of less than a byte and
//! floats of no more than that become bytes (see `conversion/scalar/storage.rs`);
//! the ops say how to read them.
//!
//! ```mlir
//! func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
//!   %0 = stablehlo.add %x, %x : tensor<4xf32>
//!   return %0 : tensor<4xf32>
//! }
//! ```
//!
//! becomes
//!
//! ```mlir
//! #map = affine_map<(d0) -> (d0)>
//! func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
//!   %0 = tensor.empty() : tensor<4xf32>
//!   %1 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]}
//!          ins(%x, %x : tensor<4xf32>, tensor<4xf32>) outs(%0 : tensor<4xf32>) {
//!        ^bb0(%a: f32, %b: f32, %out: f32):
//!          %2 = arith.addf %a, %b : f32
//!          linalg.yield %2 : f32
//!        } -> tensor<4xf32>
//!   return %1 : tensor<4xf32>
//! }
//! ```
//!
//! The conversion builds each function anew beside the old one, so that a
//! lowering sees the op as it was, its operands already converted, and no
//! casts between the two worlds are ever needed.

mod arithmetic_types;
mod bitonic_sort;
mod constant;
mod control_flow;
mod convolution;
mod custom_call;
pub mod dot;
mod elementwise;
mod gather;
mod loops;
mod merge_sort;
mod radix_sort;
mod reduce;
mod reduce_window;
mod region;
mod rows;
mod scatter;
mod select_and_scatter;
mod shape;
mod slice;
mod sort;
mod sort_key;
mod structured;
mod top_k;

use crate::conversion::scalar::storage;
use halo_ir::pass::{PassDeclaration, PassFailure, PassInvocation, emit_error};
use halo_ir::{
    Attribute, Block, Builder, Operation, RewriteError, Type, Value, arguments_of, blocks_of,
    collect_operations, name_of, operands_of, operations_of,
    ops::{Op, OperationExt, builtin, check, chlo, func, halo, interpreter, stablehlo},
    pass_options, result_types_of, results_of, shape_of, value_key, with_builder,
};
use melior::{
    Context,
    ir::{
        TypeLike, ValueLike, attribute::TypeAttribute, operation::OperationLike,
        r#type::FunctionType,
    },
};
use std::collections::HashMap;

pass_options! {
    /// The options of the pass.
    struct Options {
        /// Sort by networks, for devices of many threads
        parallel_sort: bool = false,
    }
}

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration::new(
    "stablehlo-legalize-to-linalg",
    "Lower StableHLO to linalg, tensor, arith, math, complex and scf on tensors",
    run,
)
.on::<builtin::ModuleOp>()
.dependent_dialects(&[
    "arith",
    "bufferization",
    "complex",
    "func",
    "halo",
    "linalg",
    "math",
    "memref",
    "scf",
    "tensor",
])
.options::<Options>();

/// Ops of the dialect `halo` that become calls of the runtime under their own names.
const COMMUNICATION: &[&str] = &[
    halo::CollectiveEndOp::NAME,
    halo::CollectiveMemberOp::NAME,
    halo::CollectiveStartOp::NAME,
    halo::CollectiveWaitOp::NAME,
    halo::InfeedOp::NAME,
    halo::OutfeedOp::NAME,
    halo::RecvOp::NAME,
    halo::RunParallelOp::NAME,
    halo::SendOp::NAME,
];

/// The outcome of lowering an op: a value for each of its results.
type Lowered<'c> = Result<Vec<Value<'c>>, RewriteError>;

fn run(pass: &mut PassInvocation) -> Result<(), PassFailure> {
    let module = pass.operation();
    let context = halo_ir::context_of(module);
    let mut converter = Converter {
        context,
        values: HashMap::new(),
        parallel_sort: pass.options::<Options>().parallel_sort,
        failed: false,
    };
    for function in collect_operations(module, |op| op.isa::<func::FuncOp>()) {
        let copied = with_builder(function, |builder| {
            converter.check_signature(function)?;
            converter.copy(builder, function)?;
            builder.erase(function)?;
            Ok::<_, RewriteError>(())
        });
        if let Err(error) = copied {
            converter.report(function, &error);
            break;
        }
    }
    if converter.failed {
        Err(PassFailure)
    } else {
        Ok(())
    }
}

/// Builds new ops from old ones and maps old values to new ones.
struct Converter<'c> {
    context: &'c Context,
    values: HashMap<usize, Value<'c>>,
    /// Whether rows are sorted by networks.
    parallel_sort: bool,
    failed: bool,
}

/// An op to be lowered, with its operands and result types converted.
struct Lowering<'a, 'c> {
    converter: &'a mut Converter<'c>,
    builder: Builder<'c>,
    op: Operation<'c>,
    operands: Vec<Value<'c>>,
    /// The element types of the operands in HLO.
    original: Vec<Type<'c>>,
    results: Vec<Type<'c>>,
}

impl<'c> Converter<'c> {
    fn convert_type(&self, r#type: Type<'c>) -> Type<'c> {
        storage::stored_type(self.context, r#type)
    }

    /// Says why there is no code for the arguments of a function, which no op need use.
    fn check_signature(&self, function: Operation<'c>) -> Result<(), RewriteError> {
        let Some(body) = halo_ir::body_of(function, 0) else {
            return Ok(());
        };
        for (number, argument) in arguments_of(body).into_iter().enumerate() {
            let r#type = argument.r#type();
            let is_dynamic = halo_ir::is_tensor(r#type)
                && shape_of(r#type).is_none_or(|shape| shape.contains(&None));
            if is_dynamic || r#type.is_unranked_tensor() {
                return Err(RewriteError::Invalid(format!(
                    "argument {number} has the dynamic shape {type}, and code is made for static \
                     shapes: refine the shapes first"
                )));
            }
        }
        Ok(())
    }

    fn lookup(&self, value: Value<'c>) -> Value<'c> {
        self.values.get(&value_key(value)).copied().unwrap_or(value)
    }

    fn map(&mut self, from: &[Value<'c>], to: &[Value<'c>]) {
        for (from, to) in from.iter().zip(to) {
            self.values.insert(value_key(*from), *to);
        }
    }

    /// Reports an error at an op once.
    fn report(&mut self, op: Operation<'c>, error: &RewriteError) {
        if !std::mem::replace(&mut self.failed, true) {
            emit_error(op.location(), &error.to_string());
        }
    }

    /// Converts the ops of a block, the terminator left out, at the insertion
    /// point. Returns the converted operands of the terminator.
    fn convert_block(&mut self, builder: &Builder<'c>, block: Block<'c>) -> Lowered<'c> {
        let mut operations = operations_of(block);
        let terminator = operations.pop().ok_or(RewriteError::NoMatch)?;
        for op in operations {
            let results = self.convert(&builder.at(op.location()), op)?;
            self.map(&results_of(op), &results);
        }
        Ok(operands_of(terminator)
            .into_iter()
            .map(|value| self.lookup(value))
            .collect())
    }

    fn convert(&mut self, builder: &Builder<'c>, op: Operation<'c>) -> Lowered<'c> {
        let dialect = name_of(op).split('.').next();
        let lowered = match dialect {
            Some("stablehlo" | "chlo" | "check" | "interpreter") => self.lower(builder, op),
            Some("halo") if COMMUNICATION.contains(&name_of(op)) => self.lower(builder, op),
            _ => self.copy(builder, op),
        };
        if let Err(error) = &lowered {
            self.report(op, error);
        }
        lowered
    }

    fn lower(&mut self, builder: &Builder<'c>, op: Operation<'c>) -> Lowered<'c> {
        let results: Vec<Type> = result_types_of(op)
            .into_iter()
            .map(|r#type| self.convert_type(r#type))
            .collect();
        for r#type in &results {
            if shape_of(*r#type).is_some_and(|shape| shape.contains(&None)) {
                return Err(RewriteError::Invalid(format!(
                    "'{}' has a result of dynamic shape {}, and code is made for static shapes: \
                     refine the shapes first",
                    name_of(op),
                    r#type
                )));
            }
            if !fits_in_memory(*r#type) {
                return Err(RewriteError::Invalid(format!(
                    "'{}' has a result of type {}, which does not fit in memory",
                    name_of(op),
                    r#type
                )));
            }
        }
        let operands: Vec<Value> = operands_of(op)
            .into_iter()
            .map(|value| self.lookup(value))
            .collect();
        let types = operands.iter().map(|operand| operand.r#type());
        for r#type in types.chain(results.iter().copied()) {
            if !has_native_elements(r#type) {
                return Err(RewriteError::Invalid(format!(
                    "there is no code for elements of {type}, an operand or result of \
                     '{}'",
                    name_of(op)
                )));
            }
        }
        let mut lowering = Lowering {
            converter: self,
            builder: *builder,
            op,
            operands,
            original: operands_of(op)
                .into_iter()
                .map(|operand| halo_ir::element_type(operand.r#type()))
                .collect(),
            results,
        };
        lowering.dispatch()
    }

    /// Creates the same op again on converted operands, types and regions.
    fn copy(&mut self, builder: &Builder<'c>, op: Operation<'c>) -> Lowered<'c> {
        let operands: Vec<Value> = operands_of(op)
            .into_iter()
            .map(|value| self.lookup(value))
            .collect();
        let results: Vec<Type> = result_types_of(op)
            .into_iter()
            .map(|r#type| self.convert_type(r#type))
            .collect();
        let mut spec = builder
            .op(name_of(op))
            .operands(&operands)
            .results(&results);
        for (name, attribute) in op.attributes() {
            let text = name.as_string_ref();
            let attribute = self.convert_attribute(attribute);
            spec = spec.attribute(text.as_str().unwrap_or_default(), attribute);
        }
        for region in op.regions() {
            let blocks = blocks_of(region);
            spec = match blocks.as_slice() {
                [] => spec.region(halo_ir::Region::new()),
                [block] => spec.region(self.copy_block(builder, *block)?),
                _ => {
                    return Err(RewriteError::Invalid(format!(
                        "'{}' has a region of several blocks, which structured lowering cannot take",
                        name_of(op)
                    )));
                }
            };
        }
        Ok(results_of(spec.insert()?))
    }

    fn copy_block(
        &mut self,
        builder: &Builder<'c>,
        block: Block<'c>,
    ) -> Result<halo_ir::Region<'c>, RewriteError> {
        let arguments = arguments_of(block);
        let types: Vec<Type> = arguments
            .iter()
            .map(|argument| self.convert_type(argument.r#type()))
            .collect();
        builder.region(&types, |builder, converted| {
            self.map(&arguments, converted);
            for op in operations_of(block) {
                let results = self.convert(&builder.at(op.location()), op)?;
                self.map(&results_of(op), &results);
            }
            Ok(())
        })
    }

    /// Function types are the only attributes that name types of values.
    fn convert_attribute(&self, attribute: Attribute<'c>) -> Attribute<'c> {
        let function = halo_ir::attribute_as::<TypeAttribute>(attribute)
            .and_then(|attribute| FunctionType::try_from(attribute.value()).ok());
        let Some(function) = function else {
            return attribute;
        };
        let convert = |count: usize, get: &dyn Fn(usize) -> Result<Type<'c>, melior::Error>| {
            (0..count)
                .filter_map(|index| get(index).ok())
                .map(|r#type| self.convert_type(r#type))
                .collect::<Vec<_>>()
        };
        let inputs = convert(function.input_count(), &|index| function.input(index));
        let results = convert(function.result_count(), &|index| function.result(index));
        halo_ir::type_attribute(FunctionType::new(self.context, &inputs, &results).into())
    }
}

impl<'c> Lowering<'_, 'c> {
    fn dispatch(&mut self) -> Lowered<'c> {
        let name = name_of(self.op);
        if crate::conversion::scalar::is_elementwise(name) && !self.changes_width() {
            return self.elementwise();
        }
        match name {
            stablehlo::BitcastConvertOp::NAME if !self.changes_width() => self.elementwise(),
            stablehlo::BitcastConvertOp::NAME => self.bitcast_convert(),
            stablehlo::BroadcastInDimOp::NAME => self.broadcast_in_dim(),
            stablehlo::BroadcastOp::NAME => self.broadcast(),
            check::ExpectAlmostEqOp::NAME
            | check::ExpectAlmostEqConstOp::NAME
            | check::ExpectCloseOp::NAME
            | check::ExpectEqOp::NAME
            | check::ExpectEqConstOp::NAME => self.check(),
            check::ExpectSerializedEqOp::NAME => self.call_handler("halo.expect_serialized_eq"),
            interpreter::PrintOp::NAME => self.call_handler("halo.print"),
            interpreter::ProbeOp::NAME => self.probe(),
            stablehlo::CaseOp::NAME => self.case(),
            stablehlo::CholeskyOp::NAME => self.call_handler("halo.cholesky"),
            stablehlo::ConcatenateOp::NAME => self.concatenate(),
            stablehlo::ConstantOp::NAME | chlo::ConstantOp::NAME => self.constant(),
            stablehlo::ConvolutionOp::NAME => self.in_arithmetic(Self::convolution),
            stablehlo::CustomCallOp::NAME => self.custom_call(),
            stablehlo::DotOp::NAME => self.in_arithmetic(Self::dot),
            stablehlo::DotGeneralOp::NAME => self.in_arithmetic(Self::dot_general),
            stablehlo::DynamicSliceOp::NAME => self.dynamic_slice(),
            stablehlo::DynamicUpdateSliceOp::NAME => self.dynamic_update_slice(),
            stablehlo::DynamicGatherOp::NAME | stablehlo::GatherOp::NAME => self.gather(),
            stablehlo::FftOp::NAME => self.call_handler("halo.fft"),
            stablehlo::IfOp::NAME => self.if_op(),
            stablehlo::IotaOp::NAME => self.iota(),
            stablehlo::MapOp::NAME => self.map_op(),
            stablehlo::OptimizationBarrierOp::NAME => Ok(self.operands.clone()),
            stablehlo::PadOp::NAME => self.pad(),
            stablehlo::PartitionIdOp::NAME => self.call_handler("halo.partition_id"),
            stablehlo::ReduceOp::NAME => self.reduce(),
            stablehlo::ReduceWindowOp::NAME => self.reduce_window(),
            stablehlo::ReplicaIdOp::NAME => self.call_handler("halo.replica_id"),
            stablehlo::ReshapeOp::NAME => self.reshape(),
            stablehlo::ReverseOp::NAME => self.reverse(),
            stablehlo::RngOp::NAME => self.call_handler("halo.rng"),
            stablehlo::ScatterOp::NAME => self.scatter(),
            stablehlo::SelectAndScatterOp::NAME => self.select_and_scatter(),
            stablehlo::SliceOp::NAME => self.slice(),
            stablehlo::SortOp::NAME => self.sort(),
            stablehlo::TransposeOp::NAME => self.transpose(),
            stablehlo::TriangularSolveOp::NAME => self.call_handler("halo.triangular_solve"),
            stablehlo::WhileOp::NAME => self.while_op(),
            chlo::TopKOp::NAME => self.top_k(),
            name if COMMUNICATION.contains(&name) => self.call_handler(name),
            _ => Err(RewriteError::Invalid(format!(
                "the CPU backend has no lowering for '{name}'"
            ))),
        }
    }

    /// The op as one of a kind, of which it must be.
    fn op_as<O: halo_ir::ops::Op<'c>>(&self) -> Result<O, RewriteError> {
        self.op.cast::<O>().ok_or(RewriteError::NoMatch)
    }

    fn operand(&self, index: usize) -> Result<Value<'c>, RewriteError> {
        self.operands.get(index).copied().ok_or_else(|| {
            RewriteError::Invalid(format!("'{}' lacks operand {index}", name_of(self.op)))
        })
    }

    fn result(&self) -> Result<Type<'c>, RewriteError> {
        self.results
            .first()
            .copied()
            .ok_or_else(|| RewriteError::Invalid(format!("'{}' has no result", name_of(self.op))))
    }

    /// The region of the op with a number.
    fn body(&self, region: usize) -> Result<Block<'c>, RewriteError> {
        halo_ir::body_of(self.op, region).ok_or_else(|| {
            RewriteError::Invalid(format!("'{}' lacks region {region}", name_of(self.op)))
        })
    }
}

/// Whether there is code for the elements of a type in memory: integers, f16,
/// bf16, f32, f64, and complex numbers of the last two.
fn has_native_elements(r#type: Type) -> bool {
    let element = halo_ir::element_type(r#type);
    let element = halo_ir::complex_element(element).unwrap_or(element);
    halo_ir::is_float(element) || halo_ir::is_integer(element) || halo_ir::is_index(element)
}

/// The sizes of a value's static type.
fn dims(value: Value) -> Result<Vec<i64>, RewriteError> {
    type_dims(value.r#type())
}

/// The sizes of a static type.
fn type_dims(r#type: Type) -> Result<Vec<i64>, RewriteError> {
    shape_of(r#type)
        .and_then(|shape| shape.into_iter().collect::<Option<Vec<_>>>())
        .ok_or_else(|| {
            RewriteError::Invalid(format!(
                "{type} has no static shape: refine the shapes first"
            ))
        })
}

/// Whether the size of a tensor of static shape is a number that addresses have.
/// The widest elements take 16 bytes.
fn fits_in_memory(r#type: Type) -> bool {
    shape_of(r#type).is_none_or(|shape| {
        shape
            .into_iter()
            .try_fold(16_i64, |size, dim| size.checked_mul(dim?))
            .is_some()
    })
}
