// RUN: halo-opt %s --halo-generalize-insertions --canonicalize | FileCheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>

// A rotation reads one tensor at shifted indices.
//
// CHECK-LABEL: func.func @rotation
// CHECK-SAME: %[[X:.*]]: tensor<4x8xf32>
// CHECK-NOT: tensor.extract_slice
// CHECK-NOT: tensor.insert_slice
// CHECK: %[[R:.*]] = linalg.generic
// CHECK: %[[I:.*]] = linalg.index 0
// CHECK: %[[J:.*]] = linalg.index 1
// CHECK: %[[FIRST:.*]] = arith.cmpi ult, %[[J]], %c3
// CHECK: scf.if %[[FIRST]] -> (f32) {
// CHECK: %[[J5:.*]] = arith.addi %[[J]], %c5
// CHECK: tensor.extract %[[X]][%[[I]], %[[J5]]]
// CHECK: } else {
// CHECK: %[[J3:.*]] = arith.subi %[[J]], %c3
// CHECK: tensor.extract %[[X]][%[[I]], %[[J3]]]
// CHECK: return %[[R]]
func.func @rotation(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %a = tensor.extract_slice %x[0, 5] [4, 3] [1, 1] : tensor<4x8xf32> to tensor<4x3xf32>
  %b = tensor.extract_slice %x[0, 0] [4, 5] [1, 1] : tensor<4x8xf32> to tensor<4x5xf32>
  %e = tensor.empty() : tensor<4x8xf32>
  %0 = tensor.insert_slice %a into %e[0, 0] [4, 3] [1, 1] : tensor<4x3xf32> into tensor<4x8xf32>
  %1 = tensor.insert_slice %b into %0[0, 3] [4, 5] [1, 1] : tensor<4x5xf32> into tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}

// A source with no other user and a fill are computed in the op; slices, also at computed offsets,
// are indices.
//
// CHECK-LABEL: func.func @computed
// CHECK-SAME: %[[X:.*]]: tensor<2x8xf32>, %[[Y:.*]]: tensor<9x8xf32>, %[[AT:.*]]: index, %[[S:.*]]: f32
// CHECK-COUNT-1: linalg.generic
// CHECK: %[[V:.*]] = tensor.extract %[[X]]
// CHECK: math.exp %[[V]]
// CHECK: } else {
// CHECK: scf.if
// CHECK: scf.yield %[[S]]
// CHECK: } else {
// CHECK: %[[ROW:.*]] = arith.addi %{{.*}}, %[[AT]]
// CHECK: tensor.extract %[[Y]][%[[ROW]], %{{.*}}]
// CHECK-NOT: linalg.generic
func.func @computed(%x: tensor<2x8xf32>, %y: tensor<9x8xf32>, %at: index, %s: f32) -> tensor<6x8xf32> {
  %e2 = tensor.empty() : tensor<2x8xf32>
  %exp = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<2x8xf32>) outs(%e2 : tensor<2x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %3 = math.exp %in : f32
    linalg.yield %3 : f32
  } -> tensor<2x8xf32>
  %fill = linalg.fill ins(%s : f32) outs(%e2 : tensor<2x8xf32>) -> tensor<2x8xf32>
  %slice = tensor.extract_slice %y[%at, 0] [2, 8] [1, 1] : tensor<9x8xf32> to tensor<2x8xf32>
  %e = tensor.empty() : tensor<6x8xf32>
  %0 = tensor.insert_slice %exp into %e[0, 0] [2, 8] [1, 1] : tensor<2x8xf32> into tensor<6x8xf32>
  %1 = tensor.insert_slice %fill into %0[2, 0] [2, 8] [1, 1] : tensor<2x8xf32> into tensor<6x8xf32>
  %2 = tensor.insert_slice %slice into %1[4, 0] [2, 8] [1, 1] : tensor<2x8xf32> into tensor<6x8xf32>
  return %2 : tensor<6x8xf32>
}

// Interior padding.
//
// CHECK-LABEL: func.func @interior
// CHECK-SAME: %[[X:.*]]: tensor<4xf32>, %[[S:.*]]: f32
// CHECK: %[[R:.*]] = linalg.generic
// CHECK: %[[I:.*]] = linalg.index 0
// CHECK: %[[D:.*]] = arith.subi %[[I]], %c2
// CHECK-DAG: %[[AT:.*]] = arith.divui %[[D]], %c3
// CHECK-DAG: %[[REST:.*]] = arith.remui %[[D]], %c3
// CHECK-DAG: %[[IN:.*]] = arith.cmpi ult, %[[AT]], %c4
// CHECK-DAG: %[[ON:.*]] = arith.cmpi {{.*}} %[[REST]]
// CHECK: %[[BOTH:.*]] = arith.andi %[[IN]], %[[ON]]
// CHECK: scf.if %[[BOTH]] -> (f32) {
// CHECK: tensor.extract %[[X]][%[[AT]]]
// CHECK: } else {
// CHECK: scf.yield %[[S]]
// CHECK: return %[[R]]
func.func @interior(%x: tensor<4xf32>, %s: f32) -> tensor<14xf32> {
  %e = tensor.empty() : tensor<14xf32>
  %fill = linalg.fill ins(%s : f32) outs(%e : tensor<14xf32>) -> tensor<14xf32>
  %0 = tensor.insert_slice %x into %fill[2] [4] [3] : tensor<4xf32> into tensor<14xf32>
  return %0 : tensor<14xf32>
}

// A product writes its result in place, and one copy is no fewer kernels than one elementwise op.
//
// CHECK-LABEL: func.func @in_place
// CHECK: linalg.matmul
// CHECK: tensor.insert_slice
// CHECK: tensor.insert_slice
// CHECK-NOT: linalg.generic
func.func @in_place(%x: tensor<4x4xf32>, %y: tensor<4x4xf32>, %sum: tensor<4x4xf32>) -> tensor<4x8xf32> {
  %p = linalg.matmul ins(%x, %y : tensor<4x4xf32>, tensor<4x4xf32>) outs(%sum : tensor<4x4xf32>) -> tensor<4x4xf32>
  %e = tensor.empty() : tensor<4x8xf32>
  %0 = tensor.insert_slice %p into %e[0, 0] [4, 4] [1, 1] : tensor<4x4xf32> into tensor<4x8xf32>
  %1 = tensor.insert_slice %y into %0[0, 4] [4, 4] [1, 1] : tensor<4x4xf32> into tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}
