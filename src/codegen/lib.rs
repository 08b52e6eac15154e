//! Code generation: lowers HLO to linalg, then to loops, vectors and kernels.
//!
//! Each folder is a stage of the lowering, and depends only on folders above it in this table:
//!
//! | folder | passes | from | to |
//! |---|---|---|---|
//! | [`conversion`] | [`stablehlo_legalize_to_linalg`](conversion::stablehlo_legalize_to_linalg) | StableHLO | linalg on tensors |
//! | [`loops`] | | | analyses of loop nests and aliases for the passes below |
//! | [`fusion`] | [`fuse_elementwise`](fusion::fuse_elementwise) | linalg on tensors | the same, with producers fused into users |
//! | | [`fold_unit_reshapes`](fusion::fold_unit_reshapes) | reshapes before elementwise ops | index maps |
//! | | [`fuse_multi_output`](fusion::fuse_multi_output) | elementwise ops | fused ops with several results |
//! | | [`fuse_gathers`](fusion::fuse_gathers) | gathers of elementwise results | gathers of their operands |
//! | | [`split_concatenations`](fusion::split_concatenations) | readers of a concatenation | one op for each part |
//! | | [`generalize_insertions`](fusion::generalize_insertions) | concatenations and interior padding | elementwise ops |
//! | | [`duplicate_producers`](fusion::duplicate_producers) | elementwise ops between reductions | a copy for each user |
//! | | [`apply_schedule`](fusion::apply_schedule) | linalg on tensors | the same, transformed by a schedule |
//! | | [`fuse_contraction_operands`](fusion::fuse_contraction_operands) | products of converted and scaled elements | products of the narrower elements |
//! | | [`fuse_contraction_chains`](fusion::fuse_contraction_chains) | dependent products | loops over tiles of rows that contain both products |
//! | | [`form_fusion_groups`](fusion::form_fusion_groups) | linalg on tensors | the same, in loops over rows |
//! | | [`fold_add_into_dest`](fusion::fold_add_into_dest) | sums of products | products that accumulate into others |
//! | | [`split_reductions`](fusion::split_reductions) | long sums of floats | sums of blocks, and their sum |
//! | | [`rematerialize`](fusion::rematerialize) | values of elementwise ops | the same, recomputed if cheap |
//! | | [`detensorize`](fusion::detensorize) | tensors of rank 0 | scalars |
//! | | [`uplift_while_to_for`](fusion::uplift_while_to_for) | `scf.while` | `scf.for` |
//! | | [`check_numerics`](fusion::check_numerics) | linalg on tensors | the same, with a call after a fault |
//! | [`bufferize`] | [`bind_sizes`](bufferize::bind_sizes) | dynamic dimensions of an entry | index arguments |
//! | | [`destination_passing`](bufferize::destination_passing) | linalg on tensors | the same, with a destination for every result |
//! | | [`insert_tensor_copies`](bufferize::insert_tensor_copies) | linalg on tensors | the same, with every write in place |
//! | | [`bufferize`](bufferize::bufferize) | tensors | buffers |
//! | | [`externalize_constants`](bufferize::externalize_constants) | large constants | views of an argument |
//! | | [`flatten_dynamic_buffers`](bufferize::flatten_dynamic_buffers) | buffers of several dynamic dimensions | one-dimensional buffers |
//! | | [`buffer_assignment`](bufferize::buffer_assignment) | `memref.alloc` | views of one arena |
//! | [`math`] | [`expand_math`](math::expand_math) | elementary functions | polynomials |
//! | | [`bf16_as_integers`](math::bf16_as_integers) | values of bf16 | values of i16 |
//! | | [`expand_bf16`](math::expand_bf16) | arithmetic on bf16 | the same on f32, rounded by integer arithmetic |
//! | | [`expand_remainder`](math::expand_remainder) | `arith.remf` | exact arithmetic |
//! | [`instrument_kernels`] | | calls of kernels | the same, with calls of the observer of a run before and after |
//! | [`contraction`] | | | plans, packing and kernels of contractions for the passes below |
//! | [`cpu`] | [`outline_repeated_contractions`](cpu::outline_repeated_contractions) | equal contractions | calls of one function |
//! | | [`lower_contractions`](cpu::lower_contractions) | contractions | packed panels, vector tiles |
//! | | [`linalg_to_loops`](cpu::linalg_to_loops) | linalg ops | `scf.parallel` around `scf.for` |
//! | | [`inline_repeated_contractions`](cpu::inline_repeated_contractions) | calls of such functions | inlined code |
//! | | [`fuse_parallel_loops`](cpu::fuse_parallel_loops) | `scf.parallel` over parts of a buffer | one `scf.parallel` |
//! | | [`nontemporal_stores`](cpu::nontemporal_stores) | stores of large results | non-temporal stores |
//! | | [`outline_kernels`](cpu::outline_kernels) | `scf.parallel` | kernels: functions of an iteration range |
//! | | [`split_kernels`](cpu::split_kernels) | a kernel with most of the code | two functions |
//! | | [`outline_streaming_regions`](cpu::outline_streaming_regions) | regions in SME's streaming mode | streaming functions |
//! | | [`lower_to_runtime_abi`](cpu::lower_to_runtime_abi) | calls of kernels and custom calls | the runtime's C interface |
//! | | [`split_entries`](cpu::split_entries) | long blocks of calls | calls of functions |
//! | | [`check_vector_length`](cpu::check_vector_length) | entries of code for an SVE vector length | the same, with a check of the length |
//! | | [`request_matrix_tiles`](cpu::request_matrix_tiles) | entries of code with AMX tiles | the same, after requesting permission from Linux |
//! | [`c`] | [`lower_to_emitc`](c::lower_to_emitc) | loops, kernels and entries | C functions |
//! | [`gpu`] | [`gpu_contractions`](gpu::gpu_contractions) | contractions, convolutions | kernels of tiles |
//! | | [`gpu_contraction_chains`](gpu::gpu_contraction_chains) | chains of contractions in parallel loops | kernels with tiles in registers |
//! | | [`linalg_to_kernels`](gpu::linalg_to_kernels) | linalg ops, parallel loops | `gpu.launch` |
//! | | [`outline_scalar_code`](gpu::outline_scalar_code) | scalar code between kernels | `gpu.launch` of one thread |
//! | | [`spill_scalars`](gpu::spill_scalars) | loop-carried scalars | rank-0 buffers |
//! | | [`annotate_kernel_arguments`](gpu::annotate_kernel_arguments) | `gpu.func` | the same with attributes |
//! | | [`hoist_tensor_maps`](gpu::hoist_tensor_maps) | tensor maps in `gpu.launch` | tensor maps of the host |
//! | | [`mark_grid_constants`](gpu::mark_grid_constants) | tensor maps | parameters by value |
//! | | [`dynamic_workgroup_memory`](gpu::dynamic_workgroup_memory) | workgroup memory of more than 48 KB | views of the launch's |
//! | | [`lower_kernel_math`](gpu::lower_kernel_math) | functions on floats | LLVM intrinsics |
//! | | [`lower_async_copies`](gpu::lower_async_copies) | `nvgpu.device_async_copy` | loads and stores |
//! | | [`lower_private_memory`](gpu::lower_private_memory) | `llvm.alloca` | the same in the private address space |
//! | | [`lower_bf16_mma`](gpu::lower_bf16_mma) | `nvgpu.mma.sync` of bf16 | `nvvm.mma.sync` |
//!
//! [`cleanup`] simplifies programs between these passes, and unrolled windows within one of them.
//! [`convert_to_llvm`] is the last step for processors, and [`add_debug_info`] adds line tables.
//! [`widen_bool_memory`] converts loads and stores of `i1` to bytes for both. The option `explain`
//! of a pass emits remarks with its decisions ([`explain::Decision`]). [`formula`] creates
//! arithmetic from formulas, [`structured`] creates structured ops. `tests/invariants.rs` of the
//! compiler checks the order of the folders.

pub mod add_debug_info;
pub mod bufferize;
pub mod c;
pub mod cleanup;
pub mod contraction;
pub mod conversion;
pub mod convert_to_llvm;
pub mod cpu;
pub mod explain;
pub mod formula;
pub mod function;
pub mod fusion;
pub mod gpu;
pub mod instrument_kernels;
pub mod loops;
pub mod math;
pub mod widen_bool_memory;

use halo_ir::prelude::*;

/// The passes, in alphabetical order of their arguments.
pub static PASSES: &[&PassDeclaration] = &[
    &add_debug_info::PASS,
    &gpu::annotate_kernel_arguments::PASS,
    &fusion::apply_schedule::PASS,
    &math::bf16_as_integers::PASS,
    &bufferize::bind_sizes::PASS,
    &bufferize::buffer_assignment::PASS,
    &bufferize::bufferize::PASS,
    &cleanup::canonicalize::PASS,
    &fusion::check_numerics::PASS,
    &cpu::check_vector_length::PASS,
    &convert_to_llvm::PASS,
    &cleanup::cse::PASS,
    &bufferize::destination_passing::PASS,
    &fusion::detensorize::PASS,
    &fusion::duplicate_producers::PASS,
    &gpu::dynamic_workgroup_memory::PASS,
    &math::expand_bf16::PASS,
    &math::expand_math::PASS,
    &math::expand_remainder::PASS,
    &bufferize::externalize_constants::PASS,
    &bufferize::flatten_dynamic_buffers::PASS,
    &fusion::fold_add_into_dest::PASS,
    &fusion::fold_unit_reshapes::PASS,
    &fusion::form_fusion_groups::PASS,
    &fusion::fuse_contraction_chains::PASS,
    &fusion::fuse_contraction_operands::PASS,
    &fusion::fuse_elementwise::PASS,
    &fusion::fuse_gathers::PASS,
    &fusion::fuse_multi_output::PASS,
    &cpu::fuse_parallel_loops::PASS,
    &fusion::generalize_insertions::PASS,
    &gpu::gpu_contraction_chains::PASS,
    &gpu::gpu_contractions::PASS,
    &gpu::hoist_tensor_maps::PASS,
    &cpu::inline_repeated_contractions::PASS,
    &bufferize::insert_tensor_copies::PASS,
    &instrument_kernels::PASS,
    &gpu::linalg_to_kernels::PASS,
    &cpu::linalg_to_loops::PASS,
    &gpu::lower_async_copies::PASS,
    &gpu::lower_bf16_mma::PASS,
    &cpu::lower_contractions::PASS,
    &gpu::lower_kernel_math::PASS,
    &gpu::lower_private_memory::PASS,
    &c::lower_to_emitc::PASS,
    &cpu::lower_to_runtime_abi::PASS,
    &gpu::mark_grid_constants::PASS,
    &cpu::mark_vectorized_kernels::PASS,
    &cpu::nontemporal_stores::PASS,
    &cpu::outline_kernels::PASS,
    &cpu::outline_repeated_contractions::PASS,
    &gpu::outline_scalar_code::PASS,
    &cpu::outline_streaming_regions::PASS,
    &fusion::rematerialize::PASS,
    &cpu::request_matrix_tiles::PASS,
    &gpu::spill_scalars::PASS,
    &fusion::split_concatenations::PASS,
    &cpu::split_entries::PASS,
    &cpu::split_kernels::PASS,
    &fusion::split_reductions::PASS,
    &fusion::uplift_while_to_for::PASS,
    &cpu::vectorize_loops::PASS,
    &widen_bool_memory::PASS,
    &conversion::stablehlo_legalize_to_linalg::PASS,
];
