// RUN: halo-opt %s --halo-inline-repeated-contractions --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s

// The code of a function takes the place of its calls, with their locations. Functions of
// the program stay.

// CHECK-LABEL: func.func private @main
//  CHECK-SAME:   %[[X:.*]]: memref<8xf32> {{.*}}, %[[Y:.*]]: memref<8xf32> {{.*}}, %[[Z:.*]]: memref<8xf32>
//   CHECK-DAG:   %[[C0:.*]] = arith.constant 0 : index
//   CHECK-DAG:   %[[C8:.*]] = arith.constant 8 : index
//   CHECK-DAG:   %[[C1:.*]] = arith.constant 1 : index
//   CHECK-NOT:   arith.constant
//       CHECK:   %[[FIRST:.*]] = memref.alloc() : memref<8xf32> loc("model.py":1:1)
//       CHECK:   scf.parallel {{.*}} = (%[[C0]]) to (%[[C8]]) step (%[[C1]])
//       CHECK:     memref.load %[[X]]
//       CHECK:     memref.store %{{.*}}, %[[FIRST]]
//       CHECK:   memref.copy %[[FIRST]], %[[Y]]
//       CHECK:   %[[SECOND:.*]] = memref.alloc() : memref<8xf32> loc("model.py":2:1)
//       CHECK:     memref.load %[[Y]]
//       CHECK:     memref.store %{{.*}}, %[[SECOND]]
//       CHECK:   memref.copy %[[SECOND]], %[[Z]]
//       CHECK:   call @other
//   CHECK-NOT: @main_contraction
//       CHECK: func.func private @other

// Constants are copied once for each block.

// CHECK-LABEL: func.func @loop
//       CHECK:   scf.for
//  CHECK-NEXT:     %[[BEGIN:.*]] = arith.constant 0 : index
//       CHECK:     scf.parallel {{.*}} = (%[[BEGIN]])
//   CHECK-NOT:     arith.constant
//       CHECK:     scf.parallel {{.*}} = (%[[BEGIN]])
//   CHECK-NOT: func.func
func.func private @main(%x: memref<8xf32>, %y: memref<8xf32>, %z: memref<8xf32>) attributes {halo.entry} {
  call @main_contraction_0(%x, %y) : (memref<8xf32>, memref<8xf32>) -> () loc("model.py":1:1)
  call @main_contraction_0(%y, %z) : (memref<8xf32>, memref<8xf32>) -> () loc("model.py":2:1)
  call @other(%z) : (memref<8xf32>) -> ()
  return
}
func.func private @main_contraction_0(%a: memref<8xf32>, %b: memref<8xf32>) attributes {halo.caller_bytes = 96 : i64} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %own = memref.alloc() : memref<8xf32>
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    %0 = memref.load %a[%i] : memref<8xf32>
    memref.store %0, %own[%i] : memref<8xf32>
    scf.reduce
  }
  memref.copy %own, %b : memref<8xf32> to memref<8xf32>
  return
}
func.func private @other(memref<8xf32>)
func.func @loop(%x: memref<8xf32>, %y: memref<8xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    func.call @main_contraction_0(%x, %y) : (memref<8xf32>, memref<8xf32>) -> ()
    func.call @main_contraction_0(%y, %x) : (memref<8xf32>, memref<8xf32>) -> ()
  }
  return
}
