//! `--stablehlo-legalize-to-linalg`: lowers HLO to structured ops on tensors.
//!
//! All ops become ops of linalg, tensor, arith, math, complex and scf, so that fusion, tiling and
//! bufferization, which are independent of HLO, apply. Unsigned integers become signless integers,
//! and integers of less than a byte and floats of at most a byte become bytes (see
//! `conversion/scalar/storage.rs`); the ops determine their interpretation.
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
//! Tensors may have dynamic shapes (`tensor<?xf32>`): sizes become values, and requirements on them
//! assertions (`result_shapes.rs`). The ops of `REQUIRES_STATIC_SHAPES` are exceptions.
//!
//! The conversion rebuilds each function next to the old one. A lowering gets the original op with
//! its converted operands, and no casts between old and new types are needed.

mod arithmetic_types;
mod bitonic_sort;
mod bounded;
mod constant;
mod control_flow;
mod convolution;
mod custom_call;
pub mod dot;
mod elementwise;
mod gather;
mod merge_sort;
mod radix_sort;
mod reduce;
mod reduce_window;
mod region;
mod result_shapes;
mod row_loops;
mod rows;
mod scatter;
mod select_and_scatter;
mod shape;
mod shape_operands;
mod slice;
mod sort;
mod sort_key;
mod top_k;
mod top_k_network;

use crate::conversion::scalar::storage;
use halo_ir::{
    conversion::{Conversion, Legality, Lowered, OpConversion},
    ops::{check, halo, interpreter},
    prelude::*,
};
use melior::ir::TypeLike;

use std::ops::{Deref, DerefMut};

pass_options! {
    /// The options of the pass.
    #[derive(Copy)]
    pub struct Options {
        /// Use sorting networks, for devices of many threads
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
    "cf",
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

/// Ops of the dialect `halo` that become calls of runtime functions with the same names.
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

/// Ops that are lowered for static shapes only.
const REQUIRES_STATIC_SHAPES: &[&str] = &[
    check::ExpectAlmostEqConstOp::NAME,
    check::ExpectAlmostEqOp::NAME,
    check::ExpectCloseOp::NAME,
    check::ExpectEqConstOp::NAME,
    check::ExpectEqOp::NAME,
    check::ExpectSerializedEqOp::NAME,
    interpreter::PrintOp::NAME,
    interpreter::ProbeOp::NAME,
    stablehlo::CholeskyOp::NAME,
    stablehlo::CustomCallOp::NAME,
    stablehlo::FftOp::NAME,
    stablehlo::RngOp::NAME,
    stablehlo::SelectAndScatterOp::NAME,
    stablehlo::TriangularSolveOp::NAME,
];

fn run(pass: &mut PassInvocation) -> Result<(), PassFailure> {
    bounded::check_bounds(pass.operation());
    check_signatures(pass.operation())?;
    conversion(&pass.options::<Options>()).apply_partial(pass)?;
    result_shapes::remove_repeated_assertions(pass.operation());
    Ok(())
}

/// The priority of Halo's lowerings.
pub const PRIORITY: i32 = 0;

/// The conversion of the pass. Another pass can override lowerings by adding ones of a higher
/// priority than [`PRIORITY`].
///
/// Lowerings also apply to ops in regions on scalars, such as the body of `stablehlo.reduce`, with
/// [`OpConversion::on_elements`], where operands and results are elements.
/// [`structured::gather_elements`] handles both cases for an elementwise op.
pub fn conversion(options: &Options) -> Conversion {
    let options = *options;
    let mut conversion = Conversion::new().types(storage::stored_type);
    let dialects = ["stablehlo", "chlo", "check", "interpreter"];
    for dialect in dialects {
        conversion = conversion.illegal_dialect(dialect);
    }
    // The other ops of `halo` belong to later phases.
    for name in COMMUNICATION {
        conversion = conversion.legality(name, Legality::Illegal);
    }
    for name in dialects.iter().chain(COMMUNICATION) {
        conversion = conversion.lowering_of(name, PRIORITY, move |op| {
            Lowering::new(op, options)?.dispatch()
        });
    }
    conversion
}

/// Reports unsupported argument types of functions, since no op may use the arguments.
fn check_signatures(module: Operation) -> Result<(), PassFailure> {
    for function in module.collect_nested(|op| op.isa::<func::FuncOp>()) {
        let arguments = function.body(0).map(Block::arguments);
        for (number, argument) in arguments.into_iter().flatten().enumerate() {
            let ty = argument.ty();
            let is_dynamic = ty.is_tensor() && ty.shape().is_none_or(|shape| shape.contains(&None));
            if ty.is_unranked_tensor() || is_dynamic && ty.encoding().is_some() {
                let message = format!(
                    "argument {number} has the type {ty}, and code is made for ranked tensors \
                     without encodings: refine the shapes first"
                );
                return Err(PassFailure::at(function, &message));
            }
        }
    }
    Ok(())
}

/// An op to be lowered.
struct Lowering<'a, 'c> {
    conversion: OpConversion<'a, 'c>,
    /// The element types of the operands in HLO.
    original: Vec<Type<'c>>,
    options: Options,
}

impl<'a, 'c> Deref for Lowering<'a, 'c> {
    type Target = OpConversion<'a, 'c>;

    fn deref(&self) -> &Self::Target {
        &self.conversion
    }
}

impl DerefMut for Lowering<'_, '_> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.conversion
    }
}

impl<'a, 'c> Lowering<'a, 'c> {
    /// The lowering of an op, if its types are supported.
    fn new(conversion: OpConversion<'a, 'c>, options: Options) -> RewriteResult<Self> {
        let op = conversion.op;
        let fail = |message: String| Err(RewriteError::Invalid(message));
        let name = op.name();
        let is_dynamic = |ty: &Type| ty.shape().is_some_and(|shape| shape.contains(&None));
        if REQUIRES_STATIC_SHAPES.contains(&name) || COMMUNICATION.contains(&name) {
            let operands = conversion.operands.iter().map(|operand| ("an operand", operand.ty()));
            let results = conversion.results.iter().map(|ty| ("a result", *ty));
            if let Some((which, ty)) = operands.chain(results).find(|(_, ty)| is_dynamic(ty)) {
                return fail(format!(
                    "'{name}' has {which} of dynamic shape {ty}, and its code is made for static \
                     shapes: refine the shapes first"
                ));
            }
        }
        for ty in &conversion.results {
            if !fits_in_memory(*ty) {
                return fail(format!(
                    "'{name}' has a result of type {ty}, which does not fit in memory"
                ));
            }
        }
        let types = conversion.operands.iter().map(|operand| operand.ty());
        for ty in types.chain(conversion.results.iter().copied()) {
            if ty.encoding().is_some() {
                return fail(format!(
                    "there is no code for the encoding of {ty}, an operand or result of '{name}'"
                ));
            }
            if !has_native_elements(ty) {
                return fail(format!(
                    "there is no code for elements of {ty}, an operand or result of '{name}'"
                ));
            }
        }
        let original =
            op.operands().into_iter().map(|operand| operand.ty().element_type()).collect();
        Ok(Self {
            conversion,
            original,
            options,
        })
    }
}

impl<'c> Lowering<'_, 'c> {
    fn dispatch(&mut self) -> Lowered<'c> {
        if self.on_elements {
            return self.lower_scalar();
        }
        let values = self.lower_tensors()?;
        self.cast_results(values)
    }

    fn lower_tensors(&mut self) -> Lowered<'c> {
        let name = self.op.name();
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
            stablehlo::ConvolutionOp::NAME | stablehlo::DynamicConvOp::NAME => {
                self.in_arithmetic(Self::convolution)
            }
            stablehlo::CustomCallOp::NAME => self.custom_call(),
            stablehlo::DotOp::NAME => self.in_arithmetic(Self::dot),
            stablehlo::DotGeneralOp::NAME => self.in_arithmetic(Self::dot_general),
            stablehlo::DynamicBroadcastInDimOp::NAME => self.dynamic_broadcast_in_dim(),
            stablehlo::DynamicIotaOp::NAME => self.dynamic_iota(),
            stablehlo::DynamicPadOp::NAME => self.dynamic_pad(),
            stablehlo::DynamicReshapeOp::NAME => self.dynamic_reshape(),
            stablehlo::DynamicSliceOp::NAME => self.dynamic_slice(),
            stablehlo::DynamicUpdateSliceOp::NAME => self.dynamic_update_slice(),
            stablehlo::DynamicGatherOp::NAME | stablehlo::GatherOp::NAME => self.gather(),
            stablehlo::FftOp::NAME => self.call_handler("halo.fft"),
            stablehlo::GetDimensionSizeOp::NAME => self.get_dimension_size(),
            stablehlo::IfOp::NAME => self.if_op(),
            stablehlo::IotaOp::NAME => self.iota(),
            stablehlo::MapOp::NAME => self.map_op(),
            stablehlo::OptimizationBarrierOp::NAME => Ok(self.operands.clone()),
            stablehlo::PadOp::NAME => self.pad(),
            stablehlo::PartitionIdOp::NAME => self.call_handler("halo.partition_id"),
            stablehlo::RealDynamicSliceOp::NAME => self.real_dynamic_slice(),
            stablehlo::ReduceOp::NAME => self.reduce(),
            stablehlo::ReduceWindowOp::NAME => self.reduce_window(),
            stablehlo::ReplicaIdOp::NAME => self.call_handler("halo.replica_id"),
            stablehlo::ReshapeOp::NAME => self.reshape(),
            stablehlo::ReverseOp::NAME => self.reverse(),
            stablehlo::RngOp::NAME => self.call_handler("halo.rng"),
            stablehlo::ScatterOp::NAME => self.scatter(),
            stablehlo::SelectAndScatterOp::NAME => self.select_and_scatter(),
            stablehlo::SetDimensionSizeOp::NAME => self.set_dimension_size(),
            stablehlo::SliceOp::NAME => self.slice(),
            stablehlo::SortOp::NAME => self.sort(),
            stablehlo::TransposeOp::NAME => self.transpose(),
            stablehlo::TriangularSolveOp::NAME => self.call_handler("halo.triangular_solve"),
            stablehlo::WhileOp::NAME => self.while_op(),
            chlo::TopKOp::NAME => self.top_k(),
            name if COMMUNICATION.contains(&name) => self.call_handler(name),
            _ => Err(RewriteError::NoMatch),
        }
    }
}

/// Returns true if the elements of a type in memory are supported: integers, f16, bf16, f32, f64,
/// and complex numbers of f32 and f64.
fn has_native_elements(ty: Type) -> bool {
    let element = ty.element_type();
    let element = element.complex_element().unwrap_or(element);
    element.is_float() || element.is_integer() || element.is_index()
}

/// Returns true if the size of a tensor is in the range of addresses, as far as it is static. The
/// widest elements take 16 bytes.
fn fits_in_memory(ty: Type) -> bool {
    ty.shape().is_none_or(|shape| {
        shape
            .into_iter()
            .try_fold(16_i64, |size, dim| size.checked_mul(dim.unwrap_or(1)))
            .is_some()
    })
}
