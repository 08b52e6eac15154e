// RUN: halo-opt %s --split-input-file --stablehlo-legalize-to-linalg | FileCheck %s

// The patches beside each other, times the kernel.
// CHECK-DAG: #[[$PATCH:.*]] = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1 + d3, d2 + d4, d5)>
// CHECK-LABEL: func.func @patches
// CHECK: %[[PATCHES:.*]] = linalg.generic {indexing_maps = [#[[$PATCH]], #{{.*}}], {{.*}} ins(%arg0 : tensor<1x58x58x64xf32>) outs(%{{.*}} : tensor<1x56x56x3x3x64xf32>)
// CHECK: %[[LEFT:.*]] = tensor.collapse_shape %[[PATCHES]] {{\[}}[0, 1, 2], [3, 4, 5]] : tensor<1x56x56x3x3x64xf32> into tensor<3136x576xf32>
// CHECK: %[[RIGHT:.*]] = tensor.collapse_shape %arg1 {{\[}}[0, 1, 2], [3]] : tensor<3x3x64x32xf32> into tensor<576x32xf32>
// CHECK: linalg.generic {{.*}} ins(%[[LEFT]], %[[RIGHT]] : tensor<3136x576xf32>, tensor<576x32xf32>)
func.func @patches(%x: tensor<1x58x58x64xf32>, %w: tensor<3x3x64x32xf32>) -> tensor<1x56x56x32xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x58x58x64xf32>, tensor<3x3x64x32xf32>) -> tensor<1x56x56x32xf32>
  return %0 : tensor<1x56x56x32xf32>
}

// -----

// The input is its own patches.
// CHECK-LABEL: func.func @pointwise
// CHECK: %[[LEFT:.*]] = tensor.collapse_shape %arg0 {{.*}} into tensor<128x64xf32>
// CHECK: linalg.generic {{.*}} ins(%[[LEFT]], %{{.*}} : tensor<128x64xf32>, tensor<64x32xf32>)
// CHECK-NOT: linalg.generic
func.func @pointwise(%x: tensor<2x8x8x64xf32>, %w: tensor<1x1x64x32xf32>) -> tensor<2x8x8x32xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<2x8x8x64xf32>, tensor<1x1x64x32xf32>) -> tensor<2x8x8x32xf32>
  return %0 : tensor<2x8x8x32xf32>
}

// -----

// Patches of more than 256 MiB are made in parts.
// CHECK-LABEL: func.func @in_parts
// CHECK: scf.for %[[PART:.*]] = %{{.*}} to %{{.*}} step %{{.*}} iter_args
// CHECK: %[[READ:.*]] = tensor.extract_slice %arg0[%{{.*}}, %{{.*}}, %{{.*}}, 0] [32, 56, 56, 64] [1, 1, 1, 1]
// CHECK: linalg.generic {{.*}} ins(%[[READ]] : tensor<32x56x56x64xf32>) outs(%{{.*}} : tensor<32x54x54x3x3x64xf32>)
// CHECK: tensor.insert_slice %{{.*}} into %{{.*}}[%{{.*}}, %{{.*}}, %{{.*}}, 0] [32, 54, 54, 64] [1, 1, 1, 1] : tensor<32x54x54x64xf32> into tensor<96x54x54x64xf32>
func.func @in_parts(%x: tensor<96x56x56x64xf32>, %w: tensor<3x3x64x64xf32>) -> tensor<96x54x54x64xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<96x56x56x64xf32>, tensor<3x3x64x64xf32>) -> tensor<96x54x54x64xf32>
  return %0 : tensor<96x54x54x64xf32>
}

// -----

// No patch is read twice: one nest, with the channels as a loop of groups.
// CHECK-DAG: #[[$INPUT:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1 + d4, d2 + d5, d3)>
// CHECK-DAG: #[[$KERNEL:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d4, d5, d6, d3)>
// CHECK-LABEL: func.func @depthwise
// CHECK: linalg.generic {indexing_maps = [#[[$INPUT]], #[[$KERNEL]], #{{.*}}], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
// CHECK-NOT: linalg.generic
func.func @depthwise(%x: tensor<1x58x58x128xf32>, %w: tensor<3x3x1x128xf32>) -> tensor<1x56x56x128xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {feature_group_count = 128 : i64, batch_group_count = 1 : i64} : (tensor<1x58x58x128xf32>, tensor<3x3x1x128xf32>) -> tensor<1x56x56x128xf32>
  return %0 : tensor<1x56x56x128xf32>
}

// -----

// Sums of f16 are kept in f32. Each element of the filter meets every other element of the dilated
// input, so that there are two convolutions without dilation.
// CHECK-DAG: #[[$BACK:.*]] = affine_map<(d0, d1, d2) -> (d0, d1, -d2 + 1)>
// CHECK-LABEL: func.func @reversed
// CHECK: %[[KERNEL:.*]] = linalg.generic {indexing_maps = [#[[$BACK]], #{{.*}}], {{.*}} ins(%arg1 :
// CHECK: %[[SECOND:.*]] = tensor.extract_slice %[[KERNEL]][0, 0, 1] [1, 1, 1] [1, 1, 2]
// CHECK: linalg.generic {{.*}} ins(%arg0, %[[SECOND]] : tensor<1x1x4xf16>, tensor<1x1x1xf16>) outs(%{{.*}} : tensor<1x1x4xf32>)
// CHECK: %[[EVEN:.*]] = linalg.generic
// CHECK: arith.truncf
// CHECK: %[[HALF:.*]] = tensor.insert_slice %[[EVEN]] into %{{.*}}[0, 0, 0] [1, 1, 4] [1, 1, 2]
// CHECK: %[[FIRST:.*]] = tensor.extract_slice %[[KERNEL]][0, 0, 0] [1, 1, 1] [1, 1, 2]
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %[[FIRST]] : tensor<1x1x3xf16>, tensor<1x1x1xf16>) outs(%{{.*}} : tensor<1x1x3xf32>)
// CHECK: %[[ODD:.*]] = linalg.generic
// CHECK: tensor.insert_slice %[[ODD]] into %[[HALF]][0, 0, 1] [1, 1, 3] [1, 1, 2]
func.func @reversed(%x: tensor<1x1x4xf16>, %w: tensor<1x1x2xf16>) -> tensor<1x1x7xf16> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, f, 0]x[o, i, 0]->[b, f, 0], window = {pad = [[1, 0]], lhs_dilate = [2], reverse = [true]} {feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<1x1x4xf16>, tensor<1x1x2xf16>) -> tensor<1x1x7xf16>
  return %0 : tensor<1x1x7xf16>
}

// -----

// Images whose channels come first are a product each, with the same filters; what a
// single element of the filter reads is the image itself.

// CHECK-DAG: #[[$W:.*]] = affine_map<(d0, d1, d2, d3) -> (d1, d3)>
// CHECK-DAG: #[[$X:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>
// CHECK-DAG: #[[$R:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
// CHECK-LABEL: func.func @images
//  CHECK-SAME:   %[[IMAGES:.*]]: tensor<4x64x14x14xf32>
//   CHECK-NOT:   linalg.generic
//       CHECK:   %[[RHS:.*]] = tensor.collapse_shape %[[IMAGES]] {{\[\[}}0], [1], [2, 3]] : tensor<4x64x14x14xf32> into tensor<4x64x196xf32>
//       CHECK:   linalg.generic {indexing_maps = [#[[$W]], #[[$X]], #[[$R]]]
//  CHECK-SAME:     ins(%{{.*}}, %[[RHS]] : tensor<32x64xf32>, tensor<4x64x196xf32>)
//   CHECK-NOT:   linalg.generic
//       CHECK:   return
func.func @images(%x: tensor<4x64x14x14xf32>, %w: tensor<32x64x1x1xf32>) -> tensor<4x32x14x14xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {} {feature_group_count = 1 : i64, batch_group_count = 1 : i64} : (tensor<4x64x14x14xf32>, tensor<32x64x1x1xf32>) -> tensor<4x32x14x14xf32>
  return %0 : tensor<4x32x14x14xf32>
}

// A dynamic number of images is a loop over convolutions of static sizes.

// CHECK-LABEL: func.func @any_number_of_images
//       CHECK:   %[[COUNT:.*]] = tensor.dim %arg0, %c0
//       CHECK:   scf.for %[[I:.*]] = %c0{{.*}} to %[[COUNT]] step %c1{{.*}} iter_args(%[[DONE:.*]] = %{{.*}}) -> (tensor<?x6x4x8xf32>)
//       CHECK:     tensor.extract_slice %arg0[%[[I]], 0, 0, 0] [1, 8, 6, 4] [1, 1, 1, 1]
//       CHECK:     linalg.generic
//       CHECK:     tensor.insert_slice %{{.*}} into %[[DONE]][%[[I]], 0, 0, 0] [1, 6, 4, 8] [1, 1, 1, 1]
func.func @any_number_of_images(%x: tensor<?x8x6x4xf32>, %w: tensor<3x3x4x8xf32>) -> tensor<?x6x4x8xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<?x8x6x4xf32>, tensor<3x3x4x8xf32>) -> tensor<?x6x4x8xf32>
  return %0 : tensor<?x6x4x8xf32>
}
