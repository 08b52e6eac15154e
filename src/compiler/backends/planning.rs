//! Translates a host program of launches to a plan.
//!
//! An entry function after the `kernels` phase consists of a few kinds of ops,
//! each of which becomes one thunk:
//!
//! | op | thunk |
//! |---|---|
//! | `gpu.launch_func` | launch |
//! | `memref.copy` | copy |
//! | `halo.custom_call` | custom call |
//! | `halo.gemm` | matrix product, by a library |
//! | `scf.while`, `scf.for` | the same |
//! | `scf.if`, `scf.index_switch` | conditional |
//!
//! Views, constants, and loads of conditions only describe the operands of
//! thunks.

use crate::{call_sites, lowering::Lowering};
use halo_codegen::gpu::{
    annotate_kernel_arguments::kernel_of,
    dynamic_workgroup_memory::dynamic_bytes,
    linalg_to_kernels::is_contiguous,
    outline_scalar_code::KERNELS,
    slices::{Base, Range, range_of},
};
use halo_core::ElementType;
use halo_hlo::literals::literal_of;
use halo_ir::{
    diagnostics::position_of,
    ops::{
        arith::constant_index,
        builtin,
        halo::{self, ENTRY},
        nvgpu,
    },
    prelude::*,
};
use halo_runtime::{
    CustomCallSite, Error, Plan, Result,
    plan::{
        BufferReference, ConditionalKind, Gemm, GemmMatrix, GemmPrecision, KernelArgument,
        KernelDescription, PlanTarget, Slice, Swizzle, TensorMap, TensorMapDimension, Thunk,
    },
};
use melior::ir::Module;
use std::collections::HashMap;

/// The plan of a program after the `kernels` phase, without the code of its kernels.
///
/// # Errors
/// Returns an internal error for host ops without a thunk, and invalid input for numbers that are
/// too large for a device.
pub fn plan_of(lowering: &Lowering<'_>, target: PlanTarget) -> Result<Plan> {
    let (signature, metadata) = (&lowering.signature, &lowering.metadata);
    let mut builder = Builder {
        module: lowering.operation(),
        inputs: signature.inputs.len(),
        outputs: signature.outputs.len(),
        custom_calls: Vec::new(),
        kernels: Vec::new(),
        kernel_numbers: HashMap::new(),
        constants: Vec::new(),
        constant_numbers: HashMap::new(),
        sequences: Vec::new(),
        loops: HashMap::new(),
        dynamic_memory: dynamic_memory(lowering.operation()),
    };
    let entries = lowering
        .operation()
        .collect_nested(|op| op.isa::<func::FuncOp>() && op.has_attribute(ENTRY));
    let body = entries
        .first()
        .and_then(|entry| entry.body(0))
        .ok_or_else(|| Error::internal("a program without an entry"))?;
    builder.sequence(Some(body))?;
    Ok(Plan {
        target,
        signature: signature.clone(),
        code: Vec::new(),
        kernels: builder.kernels,
        arena_size: metadata.arena_size as u64,
        arena_largest: metadata.arena_largest.clone(),
        constants: builder.constants,
        sequences: builder.sequences,
        custom_calls: builder.custom_calls,
    })
}

/// The `gpu.module` of a program's kernels, if it has any.
pub fn kernels_of<'m>(module: &'m Module) -> Option<Operation<'m>> {
    let kernels = halo_ir::root_of(module).collect_nested(|op| {
        op.isa::<gpu::GPUModuleOp>()
            && op.attribute("sym_name").and_then(Attribute::string_value) == Some(KERNELS)
    });
    kernels.first().copied()
}

struct Builder<'c> {
    module: Operation<'c>,
    inputs: usize,
    outputs: usize,
    custom_calls: Vec<CustomCallSite>,
    kernels: Vec<KernelDescription>,
    kernel_numbers: HashMap<String, u32>,
    constants: Vec<Vec<u8>>,
    constant_numbers: HashMap<String, u32>,
    sequences: Vec<Vec<Thunk>>,
    /// The sequences of the bodies of counted loops.
    loops: HashMap<usize, u32>,
    /// The bytes of workgroup memory that launches give a kernel, by its name.
    dynamic_memory: HashMap<String, i64>,
}

fn dynamic_memory(module: Operation) -> HashMap<String, i64> {
    let kernels = module.collect_nested(|op| op.isa::<gpu::GPUFuncOp>()).into_iter();
    let named = kernels.filter_map(|kernel| {
        let name = kernel.attribute("sym_name").and_then(Attribute::string_value)?;
        Some((name.to_owned(), dynamic_bytes(kernel)))
    });
    named.collect()
}

impl<'c> Builder<'c> {
    /// Adds the thunks of a block as a sequence, followed by nested sequences.
    fn sequence(&mut self, block: Option<Block<'c>>) -> Result<u32> {
        let number = self.sequences.len();
        self.sequences.push(Vec::new());
        let mut thunks = Vec::new();
        for operation in block.map(Block::operations).unwrap_or_default() {
            if let Some(thunk) = self.thunk(operation)? {
                thunks.push(thunk);
            }
        }
        self.sequences[number] = thunks;
        u32::try_from(number).map_err(|_| Error::internal("too many sequences"))
    }

    fn thunk(&mut self, operation: Operation<'c>) -> Result<Option<Thunk>> {
        Ok(Some(match operation.name() {
            gpu::LaunchFuncOp::NAME => self.launch(operation)?,
            memref::CopyOp::NAME => {
                let copy = memref::CopyOp::from_unchecked(operation);
                let source = self.slice(operation, copy.source())?;
                let target = self.slice(operation, copy.target())?;
                if source == target || source.size == 0 {
                    return Ok(None);
                }
                Thunk::Copy { source, target }
            }
            halo::GemmOp::NAME => Thunk::Gemm(self.gemm(halo::GemmOp::from_unchecked(operation))?),
            halo::CustomCallOp::NAME => {
                self.custom_call(halo::CustomCallOp::from_unchecked(operation))?
            }
            scf::WhileOp::NAME => {
                let condition = self.sequence(operation.body(0))?;
                let end = operation.body(0).and_then(Block::terminator);
                let verdict = end.and_then(|end| end.operands().first().copied());
                let predicate = self.cell(operation, verdict)?;
                let body = self.sequence(operation.body(1))?;
                Thunk::While {
                    condition,
                    predicate,
                    body,
                }
            }
            scf::ForOp::NAME => self.counted(operation)?,
            scf::IfOp::NAME => {
                let condition = scf::IfOp::from_unchecked(operation).condition();
                let index = self.cell(operation, Some(condition))?;
                let mut branches = Vec::new();
                for region in 0..2 {
                    branches.push(self.sequence(operation.body(region))?);
                }
                Thunk::Conditional {
                    kind: ConditionalKind::Predicate,
                    index,
                    branches,
                }
            }
            scf::IndexSwitchOp::NAME => {
                let chosen = scf::IndexSwitchOp::from_unchecked(operation).arg();
                let cell = self.cell(operation, Some(chosen))?;
                // The lower half of an index that was extended from i32.
                let index = Slice { size: 4, ..cell };
                let mut branches = Vec::new();
                // The first region is the default case.
                for region in (1..operation.region_count()).chain([0]) {
                    branches.push(self.sequence(operation.body(region))?);
                }
                Thunk::Conditional {
                    kind: ConditionalKind::Index,
                    index,
                    branches,
                }
            }
            name if names_something(name) => return Ok(None),
            _ => return Err(left(operation)),
        }))
    }

    fn launch(&mut self, operation: Operation<'c>) -> Result<Thunk> {
        let launch = gpu::LaunchFuncOp::from_unchecked(operation);
        let kernel = kernel_of(launch).ok_or_else(|| left(operation))?.to_owned();
        let sizes = [
            launch.grid_size_x(),
            launch.grid_size_y(),
            launch.grid_size_z(),
            launch.block_size_x(),
            launch.block_size_y(),
            launch.block_size_z(),
        ];
        let sizes: Option<Vec<u32>> = sizes
            .into_iter()
            .map(|size| constant_index(size).and_then(|size| u32::try_from(size).ok()))
            .collect();
        let Some(&[gx, gy, gz, bx, by, bz]) = sizes.as_deref() else {
            let message = format!("a grid of '{kernel}' has more blocks than a device runs");
            return Err(at(operation, message));
        };
        let arguments = launch
            .kernel_operands()
            .into_iter()
            .map(|value| self.argument(operation, value))
            .collect::<Result<_>>()?;
        let dynamic = self.dynamic_memory.get(&kernel).copied().unwrap_or(0);
        let number = self.kernels.len() as u32;
        let kernels = &mut self.kernels;
        let number = *self.kernel_numbers.entry(kernel.clone()).or_insert_with(|| {
            kernels.push(KernelDescription {
                name: kernel,
                static_shared_memory: 0,
            });
            number
        });
        Ok(Thunk::Launch {
            kernel: number,
            grid: [gx, gy, gz],
            block: [bx, by, bz],
            dynamic_shared_memory: u32::try_from(dynamic).map_err(|_| left(operation))?,
            arguments,
        })
    }

    fn argument(&mut self, launch: Operation<'c>, value: Value<'c>) -> Result<KernelArgument> {
        if value.ty().is_memref() {
            return Ok(KernelArgument::Buffer(self.slice(launch, value)?));
        }
        if let Some(constant) = constant_index(value) {
            return Ok(KernelArgument::Scalar(constant.to_le_bytes().to_vec()));
        }
        if let Some(map) = self.tensor_map(launch, value)? {
            return Ok(KernelArgument::TensorMap(map));
        }
        let counter = value
            .as_block_argument()
            .and_then(|(block, _)| block.parent())
            .and_then(|owner| self.loops.get(&owner.key()));
        counter
            .map(|sequence| KernelArgument::Counter(*sequence))
            .ok_or_else(|| left(launch))
    }

    /// The tensor map to which a value points, if any.
    fn tensor_map(&mut self, launch: Operation<'c>, value: Value<'c>) -> Result<Option<TensorMap>> {
        let cast = value.defined_by::<builtin::UnrealizedConversionCastOp>();
        let map = cast.and_then(|cast| cast.operation().operands().first().copied());
        let Some(created) = map.and_then(|map| map.defined_by::<nvgpu::TmaCreateDescriptorOp>())
        else {
            return Ok(None);
        };
        let tensor = created.tensor().defined_by::<memref::CastOp>();
        let tensor = tensor.map(|cast| cast.source()).ok_or_else(|| left(launch))?;
        let slice = self.slice(launch, tensor)?;
        let element_type: ElementType = tensor.ty().element_type().to_string().parse()?;
        let width = element_type.byte_width() as u64;
        let sizes = tensor.ty().static_shape().unwrap_or_default();
        let (strides, _) = tensor.ty().strides().unwrap_or_default();
        let dimensions = sizes.into_iter().zip(strides).zip(created.box_dimensions());
        // The contiguous dimension is the last one of the memref, and the first one of the map.
        let dimensions: Option<Vec<TensorMapDimension>> = dimensions
            .rev()
            .map(|((size, stride), box_size)| {
                Some(TensorMapDimension {
                    size: u64::try_from(size).ok()?,
                    stride: u64::try_from(stride?).ok()?.checked_mul(width)?,
                    box_size: u32::try_from(constant_index(box_size)?).ok()?,
                })
            })
            .collect();
        Ok(Some(TensorMap {
            slice,
            element_type,
            dimensions: dimensions.ok_or_else(|| left(launch))?,
            swizzle: Swizzle::Bytes128,
        }))
    }

    fn counted(&mut self, operation: Operation<'c>) -> Result<Thunk> {
        let bounds: Option<Vec<i64>> =
            operation.operands().into_iter().map(constant_index).collect();
        let Some(&[lower, upper, step]) = bounds.as_deref() else {
            return Err(left(operation));
        };
        // The ops in the body refer to its number.
        let next = self.sequences.len() as u32;
        self.loops.insert(operation.key(), next);
        let body = self.sequence(operation.body(0))?;
        Ok(Thunk::For {
            lower,
            upper,
            step,
            body,
        })
    }

    fn custom_call(&mut self, call: halo::CustomCallOp<'c>) -> Result<Thunk> {
        let site = u32::try_from(self.custom_calls.len())
            .map_err(|_| Error::internal("too many custom calls"))?;
        self.custom_calls.push(call_sites::of_op(call)?);
        let mut slices = |values: Vec<Value<'c>>| {
            let mut slices = Vec::new();
            for value in values {
                if !is_contiguous(value.ty()) {
                    return Err(left(call.operation()));
                }
                slices.push(self.slice(call.operation(), value)?);
            }
            Ok(slices)
        };
        Ok(Thunk::CustomCall {
            site,
            operands: slices(call.inputs())?,
            results: slices(call.outputs())?,
        })
    }

    fn gemm(&mut self, gemm: halo::GemmOp<'c>) -> Result<Gemm> {
        let call = gemm.operation();
        let size = |size: i64| u64::try_from(size).map_err(|_| left(call));
        Ok(Gemm {
            batch: size(gemm.batch())?,
            m: size(gemm.m())?,
            n: size(gemm.n())?,
            k: size(gemm.k())?,
            a: self.matrix(call, gemm.lhs(), gemm.lhs_matrix())?,
            b: self.matrix(call, gemm.rhs(), gemm.rhs_matrix())?,
            c: self.matrix(call, gemm.output(), gemm.output_matrix())?,
            precision: match gemm.precision() {
                halo::GemmPrecision::Full => GemmPrecision::Full,
                halo::GemmPrecision::Tf32 => GemmPrecision::Tf32,
            },
        })
    }

    fn matrix(
        &mut self,
        call: Operation<'c>,
        value: Value<'c>,
        matrix: halo::Matrix,
    ) -> Result<GemmMatrix> {
        let slice = self.slice(call, value)?;
        let name = value.ty().element_type().to_string();
        let element_type: ElementType = name.parse()?;
        let number = |number: i64| u64::try_from(number).ok();
        let skipped = number(matrix.start)
            .and_then(|start| start.checked_mul(element_type.byte_width() as u64));
        let rest = skipped.and_then(|skipped| {
            Some((
                slice.offset.checked_add(skipped)?,
                slice.size.checked_sub(skipped)?,
            ))
        });
        let (offset, size) = rest.ok_or_else(|| left(call))?;
        Ok(GemmMatrix {
            slice: Slice {
                offset,
                size,
                ..slice
            },
            element_type,
            leading_dimension: number(matrix.leading_dimension).ok_or_else(|| left(call))?,
            batch_stride: number(matrix.batch_stride).ok_or_else(|| left(call))?,
            transposed: matrix.transposed,
        })
    }

    /// The memory from which a condition is loaded.
    fn cell(&mut self, user: Operation<'c>, value: Option<Value<'c>>) -> Result<Slice> {
        let load = value.and_then(|value| value.defined_by::<memref::LoadOp>());
        match load.filter(|load| load.indices().is_empty()) {
            Some(load) => self.slice(user, load.memref()),
            None => Err(left(user)),
        }
    }

    fn slice(&mut self, user: Operation<'c>, memref: Value<'c>) -> Result<Slice> {
        let Range { base, offset, size } = range_of(memref).ok_or_else(|| left(user))?;
        let buffer = match base {
            Base::Global(name) => BufferReference::Constant(self.constant(user, &name)?),
            // The first argument is the context of host code.
            Base::Argument(number) => match number.checked_sub(1) {
                Some(input) if input < self.inputs => BufferReference::Input(input as u32),
                Some(position) if position < self.inputs + self.outputs => {
                    BufferReference::Output((position - self.inputs) as u32)
                }
                Some(_) => BufferReference::Arena,
                None => return Err(left(user)),
            },
            Base::Allocation(_) => return Err(left(user)),
        };
        Ok(Slice {
            buffer,
            offset,
            size,
        })
    }

    fn constant(&mut self, user: Operation<'c>, name: &str) -> Result<u32> {
        if let Some(number) = self.constant_numbers.get(name) {
            return Ok(*number);
        }
        let global = self.module.collect_nested(|op| {
            op.isa::<memref::GlobalOp>()
                && op.attribute("sym_name").and_then(Attribute::string_value) == Some(name)
        });
        let value = global
            .first()
            .and_then(|global| global.cast::<memref::GlobalOp>()?.initial_value())
            .ok_or_else(|| left(user))?;
        let literal = literal_of(value).map_err(Error::internal)?;
        let number = self.constants.len() as u32;
        self.constants.push(literal.bytes().to_vec());
        self.constant_numbers.insert(name.to_owned(), number);
        Ok(number)
    }
}

fn names_something(name: &str) -> bool {
    name.starts_with("arith.")
        || matches!(
            name,
            memref::LoadOp::NAME
                | memref::GetGlobalOp::NAME
                | nvgpu::TmaCreateDescriptorOp::NAME
                | builtin::UnrealizedConversionCastOp::NAME
                | scf::YieldOp::NAME
                | scf::ConditionOp::NAME
                | func::ReturnOp::NAME
        )
        || (name.starts_with("memref.")
            && name != memref::StoreOp::NAME
            && name != memref::AllocOp::NAME)
}

fn left(operation: Operation) -> Error {
    let name = operation.name();
    at(
        operation,
        format!("'{name}' op is left to the host, which has no step for it"),
    )
}

fn at(operation: Operation, message: String) -> Error {
    match position_of(operation.location()) {
        Some(position) => Error::invalid_at(position, message),
        None => Error::internal(message),
    }
}

#[cfg(test)]
#[path = "planning_tests.rs"]
mod tests;
