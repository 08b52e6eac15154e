//! Kernels whose warpgroups run separately: barriers in shared memory, copies by tensor maps and
//! products of warpgroups become calls of the emulator.
//!
//! The function of such a kernel runs the threads of one warpgroup of a block, which [`GROUP`]
//! returns; the emulator calls it for all warpgroups as coroutines. Conditions around a convergence
//! point have one value for a warpgroup, which its first thread computes.

use super::error::{Emulated, EmulationError};
use halo_ir::{Region, ops::llvm, prelude::*};
use melior::{Context, ir::r#type::FunctionType};
use std::ffi::CStr;

/// Returns the number of the warpgroup.
pub const GROUP: &CStr = c"halo_emulator_group";
/// Returns the address of shared memory of a size.
pub const SHARED: &CStr = c"halo_emulator_shared";
/// Waits for all warpgroups.
pub const MEET: &CStr = c"halo_emulator_meet";
/// Initializes a barrier: address and count.
pub const INIT: &CStr = c"halo_emulator_barrier_init";
/// Arrives at a barrier, and expects bytes: address and bytes.
pub const EXPECT: &CStr = c"halo_emulator_barrier_expect";
/// Arrives at a barrier: address.
pub const ARRIVE: &CStr = c"halo_emulator_barrier_arrive";
/// Waits for a barrier: address and parity.
pub const WAIT: &CStr = c"halo_emulator_barrier_wait";
/// Copies a box: tensor map, target, barrier, and three indices.
pub const COPY: &CStr = c"halo_emulator_copy";
/// Starts a product: the descriptors of lhs and rhs, address and stride of the accumulators,
/// columns, and flags.
pub const PRODUCT: &CStr = c"halo_emulator_product";
/// Makes a group of the products.
pub const COMMIT: &CStr = c"halo_emulator_commit";
/// Waits for groups of products: the number of the ones that may be pending.
pub const WAIT_PRODUCTS: &CStr = c"halo_emulator_wait_products";

/// The flags of a product: elements of bf16 instead of f16, and operands with rows along k.
pub const BF16: i64 = 1;
pub const LHS_ALONG_K: i64 = 2;
pub const RHS_ALONG_K: i64 = 4;

/// Threads of a warpgroup.
pub const WARPGROUP: i64 = 128;

/// The functions, with the numbers of their arguments and results.
const FUNCTIONS: [(&CStr, usize, usize); 11] = [
    (GROUP, 0, 1),
    (SHARED, 1, 1),
    (MEET, 0, 0),
    (INIT, 2, 0),
    (EXPECT, 2, 0),
    (ARRIVE, 1, 0),
    (WAIT, 2, 0),
    (COPY, 6, 0),
    (PRODUCT, 6, 0),
    (COMMIT, 0, 0),
    (WAIT_PRODUCTS, 1, 0),
];

/// The ops that all threads of a warpgroup execute together.
pub const MULTIPLY: &str = "nvvm.wgmma.mma_async";
pub const COMMIT_GROUP: &str = "nvvm.wgmma.commit.group.sync.aligned";
pub const WAIT_GROUP: &str = "nvvm.wgmma.wait.group.sync.aligned";

const INIT_BARRIER: &str = "nvvm.mbarrier.init";

/// Returns true if an op is a convergence point of a warpgroup.
pub fn is_of_warpgroup(name: &str) -> bool {
    matches!(name, MULTIPLY | COMMIT_GROUP | WAIT_GROUP)
}

/// Returns true if the warpgroups of a kernel run on their own.
pub fn has_groups(kernel: Operation) -> bool {
    let is_asynchronous = |operation: Operation| {
        operation.name() == CALL
            && operation.attribute("callee").and_then(Attribute::symbol_value) == INIT.to_str().ok()
    };
    !kernel.collect_nested(is_asynchronous).is_empty()
}

const CALL: &str = func::CallOp::NAME;

/// The vector for a struct of accumulators; `None` for other types.
pub fn vector_of_struct<'c>(context: &'c Context, ty: Type<'c>) -> Option<Type<'c>> {
    let text = ty.to_string();
    let fields = text.strip_prefix("!llvm.struct<(")?.strip_suffix(")>")?;
    let count = fields.split(", ").map(|field| (field == "f32").then_some(1_i64));
    let count: i64 = count.sum::<Option<i64>>()?;
    Some(vector_type(&[count], Type::float32(context)))
}

/// Replaces an op that a thread executes for itself by a call. Returns false for other ops.
pub fn rewrite<'c>(b: &Builder<'c>, operation: Operation<'c>) -> Emulated<'c, bool> {
    let operands = operation.operands();
    let number = |value: Value<'c>| arith::index_cast(b, value, Type::index(b.context()));
    match (operation.name(), &operands[..]) {
        (INIT_BARRIER, [barrier, count]) => {
            let arguments = [address(b, operation, *barrier)?, number(*count)];
            call(b, INIT, &arguments);
        }
        ("nvvm.mbarrier.arrive.expect_tx", [barrier, bytes]) => {
            let arguments = [address(b, operation, *barrier)?, number(*bytes)];
            call(b, EXPECT, &arguments);
        }
        ("nvvm.mbarrier.arrive", [barrier]) => {
            let arguments = [address(b, operation, *barrier)?];
            call(b, ARRIVE, &arguments);
        }
        ("nvvm.mbarrier.try_wait.parity", [barrier, parity, _]) => {
            let arguments = [address(b, operation, *barrier)?, number(*parity)];
            call(b, WAIT, &arguments);
        }
        (
            "nvvm.cp.async.bulk.tensor.shared.cluster.global",
            [target, map, indices @ .., barrier],
        ) if (1..=3).contains(&indices.len()) => {
            let i64_type = integer_type(b.context(), 64);
            let map = number(llvm::ptrtoint(b, *map, i64_type));
            let mut arguments = vec![
                map,
                address(b, operation, *target)?,
                address(b, operation, *barrier)?,
            ];
            arguments.extend(indices.iter().copied().map(number));
            arguments.resize(6, index::constant(b, 0));
            call(b, COPY, &arguments);
        }
        ("nvvm.fence.mbarrier.init" | "nvvm.setmaxregister" | "nvvm.wgmma.fence.aligned", _) => {}
        ("llvm.mlir.zero", _) => {
            let ty = operation.results()[0].ty();
            if ty.is_vector() {
                b.replace(operation, &[arith::constant(b, ty, 0)]);
            }
            return Ok(true);
        }
        ("llvm.extractvalue", [whole]) if whole.ty().is_vector() => {
            let position = llvm::ExtractValueOp::from_unchecked(operation).position();
            b.replace(operation, &[vector::extract(b, *whole, &[], &position)]);
            return Ok(true);
        }
        _ => return Ok(false),
    }
    b.erase(operation);
    for pointer in operands {
        erase_unused(b, pointer);
    }
    Ok(true)
}

/// Erases the ops that make a pointer, if nothing uses it.
fn erase_unused<'c>(b: &Builder<'c>, pointer: Value<'c>) {
    let Some(source) = pointer.defining_op().filter(|_| pointer.is_unused()) else {
        return;
    };
    if source.isa::<llvm::IntToPtrOp>() || source.isa::<llvm::AddrSpaceCastOp>() {
        let operands = source.operands();
        b.erase(source);
        for operand in operands {
            erase_unused(b, operand);
        }
    }
}

/// The address of a pointer to shared memory.
fn address<'c>(
    b: &Builder<'c>,
    operation: Operation<'c>,
    pointer: Value<'c>,
) -> Emulated<'c, Value<'c>> {
    let cast = pointer.defined_by::<llvm::AddrSpaceCastOp>();
    let pointer = cast.map_or(pointer, llvm::AddrSpaceCastOp::arg);
    let source = pointer.defined_by::<llvm::IntToPtrOp>();
    let source =
        source.ok_or_else(|| EmulationError::op(operation, "has a pointer that is no address"))?;
    Ok(arith::index_cast(b, source.arg(), Type::index(b.context())))
}

pub fn call<'c>(b: &Builder<'c>, function: &CStr, arguments: &[Value<'c>]) -> Vec<Value<'c>> {
    let name = function.to_str().unwrap_or_default();
    let results = FUNCTIONS.iter().find(|(known, ..)| *known == function).map_or(0, |it| it.2);
    let types = vec![Type::index(b.context()); results];
    func::call(b, name, arguments, &types).operation().results()
}

/// Declares the functions in the module of a kernel, once.
pub fn declare<'c>(b: &Builder<'c>, kernel: Operation<'c>) {
    let Some(module) = kernel.parent() else {
        return;
    };
    let beside = module.block().map(Block::operations).unwrap_or_default();
    let index = Type::index(b.context());
    for (name, arguments, results) in FUNCTIONS {
        let name = name.to_str().unwrap_or_default();
        let is_declared = beside.iter().any(|operation| {
            operation.attribute("sym_name").and_then(Attribute::string_value) == Some(name)
        });
        if is_declared {
            continue;
        }
        let ty = FunctionType::new(b.context(), &vec![index; arguments], &vec![index; results]);
        b.with_insertion_point(|b| {
            b.set_before(module);
            func::FuncOp::build(b, name, ty.into(), Region::new())
                .sym_visibility("private")
                .insert()
        });
    }
}

/// The first thread of the warpgroup that a function runs.
pub fn first_thread<'c>(b: &Builder<'c>) -> Value<'c> {
    let group = call(b, GROUP, &[])[0];
    index::mul(b, group, WARPGROUP)
}
