// RUN: halo-opt %s --pass-pipeline='builtin.module(halo-externalize-constants{min-bytes=16})' --split-input-file | FileCheck %s
// RUN: halo-opt %s --halo-externalize-constants --split-input-file | FileCheck %s --check-prefix=LARGE

// Each constant begins at a multiple of 64. Views are made where the entry begins, for uses in
// any region. What is small stays.

// CHECK: module attributes {halo.constants = dense<[0, 0, -128, 63, 0, 0, 0, 64, 0, 0, 64, 64, 0, 0, -128, 64, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7, 0, 7, 0, 7, 0, 7, 0, 7, 0, 7, 0, 7, 0, 7, 0, 7, 0, 7, 0, 7, 0, 7, 0, 7, 0, 7, 0, 7, 0, 7, 0]> : tensor<96xi8>}
// CHECK-NEXT:  memref.global "private" constant @small
// CHECK-LABEL: func.func @main
//  CHECK-SAME:   (%[[IN:.*]]: memref<4xf32>, %{{.*}}: i1, %[[CONSTANTS:.*]]: memref<96xi8>)
//   CHECK-DAG:   %[[C0:.*]] = arith.constant 0 : index
//   CHECK-DAG:   %[[C64:.*]] = arith.constant 64 : index
//   CHECK-DAG:   %[[SPLAT:.*]] = memref.view %[[CONSTANTS]][%[[C64]]][] : memref<96xi8> to memref<16xi16>
//   CHECK-DAG:   %[[W:.*]] = memref.view %[[CONSTANTS]][%[[C0]]][] : memref<96xi8> to memref<4xf32>
//       CHECK:   memref.get_global @small
//       CHECK:   memref.copy %[[W]], %[[IN]]
//       CHECK:   scf.if
//       CHECK:     memref.copy %[[W]], %[[IN]]
//       CHECK:     memref.copy %[[SPLAT]], %{{.*}}

// LARGE: module attributes {halo.constants = dense<> : tensor<0xi8>}
// LARGE: memref.global "private" constant @w
// LARGE: func.func @main(%{{.*}}, %{{.*}}: i1, %{{.*}}: memref<0xi8>)
// LARGE: memref.get_global @w
module {
  memref.global "private" constant @w : memref<4xf32> = dense<[1.0, 2.0, 3.0, 4.0]>
  memref.global "private" constant @small : memref<2xf32> = dense<[1.0, 2.0]>
  memref.global "private" constant @splat : memref<16xi16> = dense<7>
  func.func @main(%in: memref<4xf32>, %condition: i1) attributes {halo.entry} {
    %small = memref.get_global @small : memref<2xf32>
    %first = memref.get_global @w : memref<4xf32>
    memref.copy %first, %in : memref<4xf32> to memref<4xf32>
    scf.if %condition {
      %second = memref.get_global @w : memref<4xf32>
      memref.copy %second, %in : memref<4xf32> to memref<4xf32>
      %splat = memref.get_global @splat : memref<16xi16>
      %buffer = memref.alloc() : memref<16xi16>
      memref.copy %splat, %buffer : memref<16xi16> to memref<16xi16>
    }
    return
  }
}

// -----

// Booleans are bytes in memory; what another function reads, and what is no constant, stays.

// CHECK: module attributes {halo.constants = dense<[1, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]> : tensor<16xi8>}
// CHECK-NEXT:  memref.global "private" constant @shared
// CHECK-NEXT:  memref.global "private" @variable
// CHECK-LABEL: func.func @main
//       CHECK:   memref.view %{{.*}} : memref<16xi8> to memref<16xi1>
//       CHECK:   memref.get_global @shared
//       CHECK:   memref.get_global @variable
// CHECK-LABEL: func.func @other()
//       CHECK:   memref.get_global @shared
module {
  memref.global "private" constant @mask : memref<16xi1> = dense<[true, false, true, true, false, false, false, false, false, false, false, false, false, false, false, true]>
  memref.global "private" constant @shared : memref<4xi32> = dense<[1, 2, 3, 4]>
  memref.global "private" @variable : memref<4xi32> = dense<[1, 2, 3, 4]>
  func.func @main(%out: memref<16xi1>, %other: memref<4xi32>) attributes {halo.entry} {
    %mask = memref.get_global @mask : memref<16xi1>
    memref.copy %mask, %out : memref<16xi1> to memref<16xi1>
    %shared = memref.get_global @shared : memref<4xi32>
    memref.copy %shared, %other : memref<4xi32> to memref<4xi32>
    %variable = memref.get_global @variable : memref<4xi32>
    memref.copy %variable, %other : memref<4xi32> to memref<4xi32>
    return
  }
  func.func @other() {
    %shared = memref.get_global @shared : memref<4xi32>
    return
  }
}

// -----

// Parts of complex numbers, and floats of 16 bits. What nothing reads stays.

// CHECK: module attributes {halo.constants = dense<[0, 0, -128, 63, 0, 0, 0, 64, 0, 0, 64, 64, 0, 0, -128, 64, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -128, 63, 0, 64, 64, 64, -128, 64, -96, 64, -64, 64, -32, 64, 0, 65]> : tensor<80xi8>}
// CHECK-NEXT:  memref.global "private" constant @unread
//       CHECK:   memref.view %{{.*}} : memref<80xi8> to memref<2xcomplex<f32>>
//       CHECK:   memref.view %{{.*}} : memref<80xi8> to memref<8xbf16>
module {
  memref.global "private" constant @pair : memref<2xcomplex<f32>> = dense<[(1.0, 2.0), (3.0, 4.0)]>
  memref.global "private" constant @halves : memref<8xbf16> = dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]>
  memref.global "private" constant @unread : memref<4xi32> = dense<[1, 2, 3, 4]>
  func.func @main(%out: memref<2xcomplex<f32>>, %other: memref<8xbf16>) attributes {halo.entry} {
    %pair = memref.get_global @pair : memref<2xcomplex<f32>>
    memref.copy %pair, %out : memref<2xcomplex<f32>> to memref<2xcomplex<f32>>
    %halves = memref.get_global @halves : memref<8xbf16>
    memref.copy %halves, %other : memref<8xbf16> to memref<8xbf16>
    return
  }
}
