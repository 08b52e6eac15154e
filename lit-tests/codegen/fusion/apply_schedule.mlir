// RUN: halo-opt %s --halo-apply-schedule=file=%p/Inputs/rows.mlir | FileCheck %s
// RUN: halo-opt %s --pass-pipeline='builtin.module(halo-apply-schedule{file=%p/Inputs/rows.mlir},func.func(halo-form-fusion-groups))' | FileCheck %s

#all = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// The reduction and what reads it are one loop, and the planner leaves its body as it is.

// CHECK-NOT: transform
// CHECK-LABEL: func.func @normalize
//       CHECK:   %[[RESULT:.*]] = scf.forall (%{{.*}}) = (0) to (64) step (4)
//   CHECK-NOT:     scf.forall (
//       CHECK:     linalg.generic {{.*}} ins(%{{.*}} : tensor<4x100xf32>) outs(%{{.*}} : tensor<4xf32>)
//       CHECK:     linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<4x100xf32>, tensor<4xf32>)
//       CHECK:   return %[[RESULT]]
func.func @normalize(%x: tensor<64x100xf32>) -> tensor<64x100xf32> {
  %zero = arith.constant 0.0 : f32
  %column = tensor.empty() : tensor<64xf32>
  %start = linalg.fill ins(%zero : f32) outs(%column : tensor<64xf32>) -> tensor<64xf32>
  %sum = linalg.generic {
    indexing_maps = [#all, #row],
    iterator_types = ["parallel", "reduction"]
  } ins(%x : tensor<64x100xf32>) outs(%start : tensor<64xf32>) {
  ^bb0(%a: f32, %b: f32):
    %0 = arith.addf %b, %a : f32
    linalg.yield %0 : f32
  } -> tensor<64xf32>
  %empty = tensor.empty() : tensor<64x100xf32>
  // The line that the schedule names.
  //
  //
  %result = linalg.generic {
    indexing_maps = [#all, #row, #all],
    iterator_types = ["parallel", "parallel"]
  } ins(%x, %sum : tensor<64x100xf32>, tensor<64xf32>) outs(%empty : tensor<64x100xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %0 = arith.divf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<64x100xf32>
  return %result : tensor<64x100xf32>
}

// CHECK-LABEL: func.func @columns
//       CHECK:   scf.forall (%{{.*}}) in (4)
//       CHECK:     linalg.generic {{.*}} outs(%{{.*}} : tensor<64x25xf32>)
func.func @columns(%x: tensor<64x100xf32>) -> tensor<64x100xf32> {
  %empty = tensor.empty() : tensor<64x100xf32>
  %result = linalg.generic {
    indexing_maps = [#all, #all],
    iterator_types = ["parallel", "parallel"]
  } ins(%x : tensor<64x100xf32>) outs(%empty : tensor<64x100xf32>) {
  ^bb0(%a: f32, %c: f32):
    %0 = math.sqrt %a : f32
    linalg.yield %0 : f32
  } -> tensor<64x100xf32>
  return %result : tensor<64x100xf32>
}
