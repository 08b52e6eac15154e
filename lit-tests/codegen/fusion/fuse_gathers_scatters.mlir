// RUN: halo-opt %s --halo-fuse-gathers=parallel-scatters --canonicalize | FileCheck %s
// RUN: halo-opt %s --halo-fuse-gathers --canonicalize | FileCheck %s --check-prefix=ONE

#loop = affine_map<(d0) -> (d0)>

// The loops of a scatter that run in parallel gather their updates, and read the source of padding.
//
// CHECK-LABEL: func.func @gathered_updates
// CHECK-SAME: %[[X:.*]]: tensor<64xf32>, %[[I:.*]]: tensor<8xindex>
// CHECK-NOT: linalg.generic
// CHECK: scf.for
// CHECK: tensor.extract %[[X]]
// CHECK: arith.mulf
// CHECK: tensor.insert
// ONE-LABEL: func.func @gathered_updates
// ONE: linalg.generic
// ONE: scf.for
func.func @gathered_updates(%x: tensor<64xf32>, %i: tensor<8xindex>, %out: tensor<64xf32>) -> tensor<64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %e = tensor.empty() : tensor<8xf32>
  %updates = linalg.generic {indexing_maps = [#loop, #loop], iterator_types = ["parallel"]} ins(%i : tensor<8xindex>) outs(%e : tensor<8xf32>) {
  ^bb0(%at: index, %o: f32):
    %0 = tensor.extract %x[%at] : tensor<64xf32>
    %1 = arith.mulf %0, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<8xf32>
  %r = scf.for %n = %c0 to %c8 step %c1 iter_args(%t = %out) -> tensor<64xf32> {
    %at = tensor.extract %i[%n] : tensor<8xindex>
    %u = tensor.extract %updates[%n] : tensor<8xf32>
    %old = tensor.extract %t[%at] : tensor<64xf32>
    %new = arith.addf %old, %u : f32
    %next = tensor.insert %new into %t[%at] : tensor<64xf32>
    scf.yield %next : tensor<64xf32>
  } {halo.scatter = #halo.scatter<combine>}
  return %r : tensor<64xf32>
}

// CHECK-LABEL: func.func @padded_updates
// CHECK-SAME: %[[X:.*]]: tensor<6xf32>, %[[S:.*]]: f32
// CHECK-NOT: tensor.insert_slice
// CHECK: scf.for %[[N:.*]] = %c0
// CHECK: %[[AT:.*]] = arith.subi %[[N]], %c1
// CHECK: %[[IN:.*]] = arith.cmpi ult, %[[AT]], %c6
// CHECK: scf.if %[[IN]] -> (f32) {
// CHECK: tensor.extract %[[X]][%[[AT]]]
// CHECK: scf.yield %[[S]]
// ONE-LABEL: func.func @padded_updates
// ONE: tensor.insert_slice
func.func @padded_updates(%x: tensor<6xf32>, %s: f32, %i: tensor<8xindex>, %out: tensor<64xf32>) -> tensor<64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %e = tensor.empty() : tensor<8xf32>
  %fill = linalg.fill ins(%s : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %updates = tensor.insert_slice %x into %fill[1] [6] [1] : tensor<6xf32> into tensor<8xf32>
  %r = scf.for %n = %c0 to %c8 step %c1 iter_args(%t = %out) -> tensor<64xf32> {
    %at = tensor.extract %i[%n] : tensor<8xindex>
    %u = tensor.extract %updates[%n] : tensor<8xf32>
    %next = tensor.insert %u into %t[%at] : tensor<64xf32>
    scf.yield %next : tensor<64xf32>
  } {halo.scatter = #halo.scatter<combine>}
  return %r : tensor<64xf32>
}
