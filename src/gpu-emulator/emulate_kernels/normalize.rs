//! Rewrites GPU-only ops before the kernel is split at barriers.
//!
//! Memory spaces are removed; asynchronous copies become synchronous ones, and
//! their tokens constants; ids are read once, at the top, so that nested ops do
//! not read them.

use super::{
    WARP,
    accesses::element_address,
    error::{Emulated, EmulationError},
    warpgroups,
};
use halo_codegen::gpu::lower_async_copies::copy_elements;
use halo_ir::{
    ops::{
        llvm::{self, AtomicOrdering},
        nvgpu,
    },
    prelude::*,
};

/// The type of the tokens of asynchronous copies.
const TOKEN: &str = "!nvgpu.device.async.token";

/// Rewrites a kernel in place.
pub fn normalize(kernel: Operation<'_>) -> Emulated<'_, ()> {
    let operations = kernel.collect_nested(|_| true);
    let types = kernel
        .regions()
        .into_iter()
        .chain(operations.iter().flat_map(|operation| operation.regions()))
        .flat_map(RegionExt::blocks)
        .flat_map(Block::arguments)
        .chain(operations.iter().flat_map(|operation| operation.results()));
    let boolean = integer_type(kernel.context(), 1);
    for value in types {
        let ty = if value.ty().to_string() == TOKEN {
            boolean
        } else {
            let vector = warpgroups::vector_of_struct(kernel.context(), value.ty());
            vector.unwrap_or_else(|| value.ty().without_memory_space())
        };
        if ty != value.ty() {
            value.set_type(ty);
        }
    }
    for operation in operations {
        with_builder(operation, |builder| rewrite(builder, operation))?;
    }
    unify_ids(kernel)
}

fn rewrite<'c>(builder: &Builder<'c>, operation: Operation<'c>) -> Emulated<'c, ()> {
    if warpgroups::rewrite(builder, operation)? {
        return Ok(());
    }
    match operation.name() {
        memref::MemorySpaceCastOp::NAME => {
            builder.replace(operation, &operation.operands());
        }
        nvgpu::DeviceAsyncCopyOp::NAME => {
            copy_elements(builder, nvgpu::DeviceAsyncCopyOp::from_unchecked(operation));
            let token = token(builder);
            builder.replace(operation, &[token]);
        }
        nvgpu::DeviceAsyncCreateGroupOp::NAME => {
            let token = token(builder);
            builder.replace(operation, &[token]);
        }
        nvgpu::DeviceAsyncWaitOp::NAME => builder.erase(operation),
        memref::GenericAtomicRMWOp::NAME => exchange_bits(builder, operation)?,
        _ => {}
    }
    Ok(())
}

/// Lowers an atomic update of a float to a loop of compare-exchange of its
/// bits, because LLVM's does not take floats. MLIR lowers the others.
fn exchange_bits<'c>(builder: &Builder<'c>, operation: Operation<'c>) -> Emulated<'c, ()> {
    let operands = operation.operands();
    let (Some((memory, indices)), Some(update)) = (operands.split_first(), operation.body(0))
    else {
        return Ok(());
    };
    let element = memory.ty().element_type();
    let (true, Some(width)) = (element.is_float(), element.bit_width()) else {
        return Ok(());
    };
    let context = builder.context();
    let bits = integer_type(context, width);
    let parse = |text: &str| {
        Type::parse(context, text)
            .ok_or_else(|| EmulationError::op(operation, "needs the LLVM dialect"))
    };
    let pointer = parse("!llvm.ptr")?;
    let address = element_address(builder, *memory, indices);
    let address = arith::index_cast(builder, address, integer_type(context, 64));
    let address = llvm::inttoptr(builder, address, pointer);
    let first = llvm::load(builder, address, bits);
    let exchange = |builder: &Builder<'c>, expected: &[Value<'c>]| -> Emulated<'c, _> {
        let old = arith::bitcast(builder, expected[0], element);
        let mut map = ValueMap::new();
        for argument in update.arguments() {
            map.insert(argument.key(), old);
        }
        let mut new = old;
        for nested in update.operations() {
            match nested.cast::<memref::AtomicYieldOp>() {
                Some(end) => new = mapped(&map, end.result()),
                None => {
                    builder.clone_op(nested, &mut map);
                }
            }
        }
        let new = arith::bitcast(builder, new, bits);
        let (success, failure) = (AtomicOrdering::SeqCst, AtomicOrdering::Monotonic);
        let pair = llvm::cmpxchg(builder, address, expected[0], new, success, failure);
        let found = llvm::extractvalue(builder, pair, &[0], bits);
        let done = llvm::extractvalue(builder, pair, &[1], integer_type(context, 1));
        let always = arith::scalar(builder, done.ty(), 0.0, 1);
        let again = arith::xori(builder, done, always);
        Ok((again, vec![found]))
    };
    let retry = |_: &Builder<'c>, found: &[Value<'c>]| Ok(found.to_vec());
    let exchanged = scf::while_(builder, &[first], exchange, retry)?.results();
    let [old] = exchanged[..] else {
        return Err(EmulationError::op(operation, "gives no value"));
    };
    let old = arith::bitcast(builder, old, element);
    builder.replace(operation, &[old]);
    Ok(())
}

/// The constant that replaces a token.
fn token<'c>(builder: &Builder<'c>) -> Value<'c> {
    let boolean = integer_type(builder.context(), 1);
    arith::scalar(builder, boolean, 0.0, 0)
}

/// Reads each used id once, at the top of the kernel, and expresses the others
/// in terms of these.
fn unify_ids(kernel: Operation<'_>) -> Emulated<'_, ()> {
    let Some(body) = kernel.body(0) else {
        return Ok(());
    };
    let Some(first) = body.operations().first().copied() else {
        return Ok(());
    };
    let asked = kernel.collect_nested(|operation| {
        matches!(
            operation.name(),
            gpu::ThreadIdOp::NAME
                | gpu::BlockIdOp::NAME
                | gpu::BlockDimOp::NAME
                | gpu::GridDimOp::NAME
                | gpu::GlobalIdOp::NAME
                | gpu::LaneIdOp::NAME
                | gpu::SubgroupIdOp::NAME
                | gpu::SubgroupSizeOp::NAME
                | gpu::NumSubgroupsOp::NAME
        )
    });
    let mut made: Vec<((&str, Option<gpu::Dimension>), Value<'_>)> = Vec::new();
    with_builder(first, |builder| {
        for operation in asked {
            let key = (operation.name(), gpu::dimension(operation));
            let known = made.iter().find(|(name, _)| *name == key).map(|it| it.1);
            let value = match known {
                Some(value) => value,
                None => {
                    // The previous op there may be erased.
                    builder.set_to_start(body);
                    let value = id(builder, operation)?;
                    made.push((key, value));
                    value
                }
            };
            for result in operation.results() {
                result.replace_uses_with(value);
            }
            builder.erase(operation);
        }
        Ok(())
    })
}

fn id<'c>(builder: &Builder<'c>, operation: Operation<'c>) -> Emulated<'c, Value<'c>> {
    let dimension = || {
        gpu::dimension(operation)
            .ok_or_else(|| EmulationError::op(operation, "asks for no dimension"))
    };
    Ok(match operation.name() {
        gpu::ThreadIdOp::NAME => gpu::thread_id(builder, dimension()?),
        gpu::BlockIdOp::NAME => gpu::block_id(builder, dimension()?),
        gpu::BlockDimOp::NAME => gpu::block_dim(builder, dimension()?),
        gpu::GridDimOp::NAME => gpu::grid_dim(builder, dimension()?),
        gpu::LaneIdOp::NAME => gpu::lane_id(builder),
        gpu::SubgroupIdOp::NAME => gpu::subgroup_id(builder),
        gpu::NumSubgroupsOp::NAME => gpu::num_subgroups(builder),
        gpu::SubgroupSizeOp::NAME => index::constant(builder, WARP),
        gpu::GlobalIdOp::NAME => {
            let block = gpu::block_id(builder, dimension()?);
            let extent = gpu::block_dim(builder, dimension()?);
            let first = index::mul(builder, block, extent);
            index::add(builder, first, gpu::thread_id(builder, dimension()?))
        }
        _ => return Err(EmulationError::op(operation, "has no emulation")),
    })
}
