// RUN: halo-translate --stablehlo-to-hlo-text --hlo-text-form=short %s | FileCheck %s

// What attributes become. What is the default is not written.

// CHECK: compare = pred[4,8]{1,0} compare(Arg_0, Arg_0), direction=GT, type=TOTALORDER
// CHECK: exponential = f32[4,8]{1,0} exponential(Arg_0), result_accuracy={mode=highest}
// CHECK: reduce-precision = f32[4,8]{1,0} reduce-precision(Arg_0), exponent_bits=5, mantissa_bits=10
// CHECK: slice = f32[2,7]{1,0} slice(Arg_0), slice={[0:4:2], [1:8:1]}
// CHECK: pad = f32[5,16]{1,0} pad(Arg_0, constant), padding=1_0_0x-1_2_1
// CHECK: transpose = f32[8,4]{1,0} transpose(Arg_0), dimensions={1,0}
// CHECK: reverse = f32[4,8]{1,0} reverse(Arg_0), dimensions={1}
// CHECK: concatenate = f32[8,8]{1,0} concatenate(Arg_0, Arg_0), dimensions={0}
// CHECK: dynamic-slice = f32[2,3]{1,0} dynamic-slice(Arg_0, Arg_1, Arg_1), dynamic_slice_sizes={2,3}
// CHECK: dynamic-update-slice = f32[4,8]{1,0} dynamic-update-slice(Arg_0, dynamic-slice, Arg_1, Arg_1)
// CHECK: iota = s32[2,3]{1,0} iota(), iota_dimension=1
// CHECK: dot = f32[4]{0} dot(Arg_0, Arg_0), lhs_batch_dims={0}, lhs_contracting_dims={1}, rhs_batch_dims={0}, rhs_contracting_dims={1}, algorithm=dot_tf32_tf32_f32_x3
// CHECK: dot.1 = f32[4,4]{1,0} dot(Arg_0, transpose), lhs_contracting_dims={1}, rhs_contracting_dims={0}, operand_precision={highest,default}
// CHECK: convolution = f32[1,3,15,4]{3,2,1,0} convolution(Arg_2, Arg_3), window={size=3x3 stride=2x1 pad=1_1x0_2 lhs_dilate=1x2 rhs_dilate=2x1 rhs_reversal=1x0}, dim_labels=b01f_01io->b01f, feature_group_count=2
// CHECK: gather = f32[2,8]{1,0} gather(Arg_0, Arg_4), offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1,8}, indices_are_sorted=true
// CHECK: scatter = f32[4,8]{1,0} scatter(Arg_0, Arg_4, Arg_5), update_window_dims={1}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, unique_indices=true, to_apply=region
// CHECK: reduce-window = f32[4,3]{1,0} reduce-window(Arg_0, constant), window={size=1x3 stride=1x2 pad=0_0x2_0 rhs_dilate=1x2}, to_apply=region.1
// CHECK: sort = (f32[4,8]{1,0}, f32[4,8]{1,0}) sort(Arg_0, Arg_0), dimensions={1}, is_stable=true, to_apply=region.2
// CHECK: cholesky = f32[4,4]{1,0} cholesky(Arg_6), lower=true
// CHECK: triangular-solve = f32[4,8]{1,0} triangular-solve(Arg_6, Arg_0), left_side=true, unit_diagonal=true, transpose_a=ADJOINT
// CHECK: fft = c64[4,8]{1,0} fft(Arg_8), fft_type=IFFT, fft_length={8}
// CHECK: rng-bit-generator = (u64[2]{0}, u32[3]{0}) rng-bit-generator(Arg_7), algorithm=rng_philox
// CHECK: get-dimension-size = s32[] get-dimension-size(Arg_0), dimensions={1}
// CHECK: select = f32[4,8]{1,0} select(compare, Arg_0, reverse)
// CHECK: all-gather = f32[4,16]{1,0} all-gather(Arg_0), channel_id=7, replica_groups={{[{][{]}}0,1},{2,3}}, use_global_device_ids=true, dimensions={1}
// CHECK: collective-permute = f32[4,8]{1,0} collective-permute(Arg_0), source_target_pairs={{[{][{]}}0,1},{1,2}}
// CHECK: reduce-scatter = f32[4,4]{1,0} reduce-scatter(Arg_0), replica_groups={{[{][{]}}0,1}}, dimensions={1}, to_apply=region.3
// CHECK: partition-id = u32[] partition-id()
// CHECK: broadcast = f32[2,4,4]{2,1,0} broadcast(Arg_6), dimensions={1,2}
// CHECK: reshape = f32[2,1,8]{2,1,0} reshape(Arg_5)
// CHECK: reshape.1 = f32[2,8]{1,0} reshape(reshape)
// CHECK: broadcast.1 = f32[2,3,8]{2,1,0} broadcast(reshape.1), dimensions={0,2}
// CHECK: ROOT custom-call = f32[4,8]{0,1} custom-call(Arg_0), custom_call_target="f", operand_layout_constraints={f32[4,8]{0,1}}, output_to_operand_aliasing={{[{][{]}}}: (0, {})}, api_version=API_VERSION_STATUS_RETURNING, backend_config={"a": 1}
module @ops {
  func.func @main(%x: tensor<4x8xf32>, %i: tensor<i32>, %img: tensor<1x8x8x4xf32>, %ker: tensor<3x3x2x4xf32>, %idx: tensor<2x1xi32>, %upd: tensor<2x8xf32>, %sq: tensor<4x4xf32>, %st: tensor<2xui64>, %c: tensor<4x8xcomplex<f32>>) -> (tensor<4x8xf32>) {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %0 = stablehlo.compare GT, %x, %x, TOTALORDER : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xi1>
    %1 = stablehlo.exponential %x {result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<HIGHEST>>} : tensor<4x8xf32>
    %2 = stablehlo.reduce_precision %x, format = e5m10 : tensor<4x8xf32>
    %3 = stablehlo.slice %x [0:4:2, 1:8] : (tensor<4x8xf32>) -> tensor<2x7xf32>
    %4 = stablehlo.pad %x, %zero, low = [1, -1], high = [0, 2], interior = [0, 1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<5x16xf32>
    %5 = stablehlo.transpose %x, dims = [1, 0] : (tensor<4x8xf32>) -> tensor<8x4xf32>
    %6 = stablehlo.reverse %x, dims = [1] : tensor<4x8xf32>
    %7 = stablehlo.concatenate %x, %x, dim = 0 : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
    %8 = stablehlo.dynamic_slice %x, %i, %i, sizes = [2, 3] : (tensor<4x8xf32>, tensor<i32>, tensor<i32>) -> tensor<2x3xf32>
    %9 = stablehlo.dynamic_update_slice %x, %8, %i, %i : (tensor<4x8xf32>, tensor<2x3xf32>, tensor<i32>, tensor<i32>) -> tensor<4x8xf32>
    %10 = stablehlo.iota dim = 1 : tensor<2x3xi32>
    %11 = stablehlo.dot_general %x, %x, batching_dims = [0] x [0], contracting_dims = [1] x [1], algorithm = <lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 3, allow_imprecise_accumulation = false> : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4xf32>
    %31 = stablehlo.dot_general %x, %5, contracting_dims = [1] x [0], precision = [HIGHEST, DEFAULT] : (tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<4x4xf32>
    %12 = stablehlo.convolution(%img, %ker) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 1], pad = [[1, 1], [0, 2]], lhs_dilate = [1, 2], rhs_dilate = [2, 1], reverse = [true, false]} {batch_group_count = 1 : i64, feature_group_count = 2 : i64} : (tensor<1x8x8x4xf32>, tensor<3x3x2x4xf32>) -> tensor<1x3x15x4xf32>
    %13 = "stablehlo.gather"(%x, %idx) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = true, slice_sizes = array<i64: 1, 8>}> : (tensor<4x8xf32>, tensor<2x1xi32>) -> tensor<2x8xf32>
    %14 = "stablehlo.scatter"(%x, %idx, %upd) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<4x8xf32>, tensor<2x1xi32>, tensor<2x8xf32>) -> tensor<4x8xf32>
    %15 = "stablehlo.reduce_window"(%x, %zero) <{window_dimensions = array<i64: 1, 3>, window_strides = array<i64: 1, 2>, padding = dense<[[0, 0], [2, 0]]> : tensor<2x2xi64>, base_dilations = array<i64: 1, 1>, window_dilations = array<i64: 1, 2>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = stablehlo.maximum %a, %b : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x3xf32>
    %16:2 = "stablehlo.sort"(%x, %x) <{dimension = 1 : i64, is_stable = true}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>, %p: tensor<f32>, %q: tensor<f32>):
      %s = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %s : tensor<i1>
    }) : (tensor<4x8xf32>, tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>)
    %17 = stablehlo.cholesky %sq, lower = true : tensor<4x4xf32>
    %18 = "stablehlo.triangular_solve"(%sq, %x) <{left_side = true, lower = false, unit_diagonal = true, transpose_a = #stablehlo<transpose ADJOINT>}> : (tensor<4x4xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    %19 = stablehlo.fft %c, type = IFFT, length = [8] : (tensor<4x8xcomplex<f32>>) -> tensor<4x8xcomplex<f32>>
    %20:2 = stablehlo.rng_bit_generator %st, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3xui32>)
    %21 = stablehlo.get_dimension_size %x, dim = 1 : (tensor<4x8xf32>) -> tensor<i32>
    %22 = stablehlo.select %0, %x, %6 : tensor<4x8xi1>, tensor<4x8xf32>
    %23 = "stablehlo.all_gather"(%x) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 7, type = 1>, use_global_device_ids}> : (tensor<4x8xf32>) -> tensor<4x16xf32>
    %24 = "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %25 = "stablehlo.reduce_scatter"(%x) <{scatter_dimension = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<4x8xf32>) -> tensor<4x4xf32>
    %26 = stablehlo.partition_id : tensor<ui32>
    %27 = stablehlo.broadcast_in_dim %sq, dims = [1, 2] : (tensor<4x4xf32>) -> tensor<2x4x4xf32>
    %28 = stablehlo.reshape %upd : (tensor<2x8xf32>) -> tensor<2x1x8xf32>
    %29 = stablehlo.broadcast_in_dim %28, dims = [0, 1, 2] : (tensor<2x1x8xf32>) -> tensor<2x3x8xf32>
    %30 = stablehlo.custom_call @f(%x) {api_version = 2 : i32, backend_config = "{\22a\22: 1}", operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>]} : (tensor<4x8xf32>) -> tensor<4x8xf32>
    return %30 : tensor<4x8xf32>
  }
}
