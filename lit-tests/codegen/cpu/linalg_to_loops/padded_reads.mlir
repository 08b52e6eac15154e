// RUN: halo-opt %s --halo-linalg-to-loops --canonicalize --cse --split-input-file | FileCheck %s
// RUN: halo-opt %s --halo-linalg-to-loops=explain --split-input-file --verify-diagnostics -o /dev/null

// The maximum over windows of a padded image reads the image: inside of it without a
// comparison in the innermost loop, at its border with one for each element.

// CHECK-LABEL: func.func @window
//   CHECK-NOT:   memref.alloc
//       CHECK:   scf.parallel (%[[Y:.*]]) = (%{{.*}}) to (%c64)
//   CHECK-DAG:     %[[BEFORE:.*]] = arith.addi %[[Y]], %c-1
//       CHECK:     %[[INSIDE:.*]] = arith.cmpi ult, %[[BEFORE]], %c62
//       CHECK:     scf.if %[[INSIDE]] {
//       CHECK:       scf.for %[[C:.*]] = %c0 to %c32
//       CHECK:         memref.load %arg0[%[[BEFORE]], %[[C]]] : memref<64x32xf32>
//   CHECK-NOT:         arith.cmpi
//       CHECK:         memref.store
//       CHECK:     } else {
//       CHECK:       scf.for %[[C:.*]] = %c0 to %c32
//       CHECK:         %[[IS:.*]] = arith.cmpi ult, %[[BEFORE]], %c64
//       CHECK:         %[[ROW:.*]] = arith.select %[[IS]], %[[BEFORE]], %c0
//       CHECK:         %[[X:.*]] = memref.load %arg0[%[[ROW]], %[[C]]]
//       CHECK:         arith.select %[[IS]], %[[X]], %cst
//   CHECK-NOT:   scf.parallel
func.func @window(%x: memref<64x32xf32>, %shape: memref<3xi8>, %out: memref<64x32xf32>) {
  %least = arith.constant 0xFF800000 : f32
  %padded = memref.alloc() : memref<66x32xf32>
  linalg.fill ins(%least : f32) outs(%padded : memref<66x32xf32>)
  %inside = memref.subview %padded[1, 0] [64, 32] [1, 1] : memref<66x32xf32> to memref<64x32xf32, strided<[32, 1], offset: 32>>
  memref.copy %x, %inside : memref<64x32xf32> to memref<64x32xf32, strided<[32, 1], offset: 32>>
  linalg.fill ins(%least : f32) outs(%out : memref<64x32xf32>)
  linalg.generic {
      indexing_maps = [affine_map<(y, c, i) -> (y + i, c)>, affine_map<(y, c, i) -> (i)>, affine_map<(y, c, i) -> (y, c)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%padded, %shape : memref<66x32xf32>, memref<3xi8>) outs(%out : memref<64x32xf32>) {
  ^bb0(%e: f32, %unread: i8, %most: f32):
    %0 = arith.maximumf %most, %e : f32
    linalg.yield %0 : f32
  }
  return
}

// -----

// If the innermost loop moves the index, its range is divided.

// CHECK-LABEL: func.func @row
//   CHECK-NOT:   memref.alloc
//       CHECK:   scf.parallel (%[[C:.*]]) = (%{{.*}}) to (%c32)
//       CHECK:     memref.store %{{.*}}, %arg2[%[[C]], %c0]
//       CHECK:     scf.for %[[X:.*]] = %c1 to %c63 step
//   CHECK-NOT:       arith.select
//       CHECK:       memref.store %{{.*}}, %arg2[%[[C]], %[[X]]]
//       CHECK:     memref.store %{{.*}}, %arg2[%[[C]], %c63]
func.func @row(%x: memref<32x64xf32>, %shape: memref<3xi8>, %out: memref<32x64xf32>) {
  %zero = arith.constant 0.0 : f32
  %padded = memref.alloc() : memref<32x66xf32>
  linalg.fill ins(%zero : f32) outs(%padded : memref<32x66xf32>)
  %inside = memref.subview %padded[0, 1] [32, 64] [1, 1] : memref<32x66xf32> to memref<32x64xf32, strided<[66, 1], offset: 1>>
  memref.copy %x, %inside : memref<32x64xf32> to memref<32x64xf32, strided<[66, 1], offset: 1>>
  linalg.fill ins(%zero : f32) outs(%out : memref<32x64xf32>)
  linalg.generic {
      indexing_maps = [affine_map<(c, x, i) -> (c, x + i)>, affine_map<(c, x, i) -> (i)>, affine_map<(c, x, i) -> (c, x)>],
      iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%padded, %shape : memref<32x66xf32>, memref<3xi8>) outs(%out : memref<32x64xf32>) {
  ^bb0(%e: f32, %unread: i8, %sum: f32):
    %0 = arith.addf %sum, %e : f32
    linalg.yield %0 : f32
  }
  return
}

// -----

// An op that computes what is padded writes it without padding.

// CHECK-LABEL: func.func @computed
//       CHECK:   %[[COMPUTED:.*]] = memref.alloc() {{.*}} : memref<64x32xf32>
//   CHECK-NOT:   memref.alloc
//       CHECK:   memref.store
//       CHECK:   scf.parallel (%[[Y:.*]]) = (%{{.*}}) to (%c65)
//       CHECK:     %[[IS:.*]] = arith.cmpi ult, %[[Y]], %c64
//       CHECK:     scf.if %[[IS]] {
//       CHECK:       memref.load %[[COMPUTED]][%[[Y]], %{{.*}}]
//       CHECK:     } else {
//       CHECK:       arith.select %{{.*}}, %{{.*}}, %cst
func.func @computed(%x: memref<64x32xf32>, %out: memref<65x32xf32>) {
  %one = arith.constant 1.0 : f32
  %padded = memref.alloc() : memref<65x32xf32>
  linalg.fill ins(%one : f32) outs(%padded : memref<65x32xf32>)
  %inside = memref.subview %padded[0, 0] [64, 32] [1, 1] : memref<65x32xf32> to memref<64x32xf32, strided<[32, 1]>>
  linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<64x32xf32>) outs(%inside : memref<64x32xf32, strided<[32, 1]>>) {
  ^bb0(%e: f32, %unread: f32):
    %0 = math.absf %e : f32
    linalg.yield %0 : f32
  }
  linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%padded : memref<65x32xf32>) outs(%out : memref<65x32xf32>) {
  ^bb0(%e: f32, %unread: f32):
    %0 = arith.negf %e : f32
    linalg.yield %0 : f32
  }
  return
}

// -----

// What is padded is copied if it changes before the padding is read,

// CHECK-LABEL: func.func @changed
//       CHECK:   memref.alloc() : memref<65x32xf32>
func.func @changed(%x: memref<64x32xf32>, %out: memref<65x32xf32>) {
  %one = arith.constant 1.0 : f32
  // expected-remark @+1 {{stays padded, in a buffer of 'memref<65x32xf32>': what was copied into it changes before it is read}}
  %padded = memref.alloc() : memref<65x32xf32>
  linalg.fill ins(%one : f32) outs(%padded : memref<65x32xf32>)
  %inside = memref.subview %padded[0, 0] [64, 32] [1, 1] : memref<65x32xf32> to memref<64x32xf32, strided<[32, 1]>>
  memref.copy %x, %inside : memref<64x32xf32> to memref<64x32xf32, strided<[32, 1]>>
  linalg.fill ins(%one : f32) outs(%x : memref<64x32xf32>)
  linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%padded : memref<65x32xf32>) outs(%out : memref<65x32xf32>) {
  ^bb0(%e: f32, %unread: f32):
    %0 = arith.negf %e : f32
    linalg.yield %0 : f32
  }
  return
}

// or if the padding may share its memory with the result,

// CHECK-LABEL: func.func @donated
//       CHECK:   memref.alloc() : memref<65x32xf32>
func.func @donated(%x: memref<64x32xf32> {tf.aliasing_output = 0 : i32}, %out: memref<65x32xf32>) {
  %one = arith.constant 1.0 : f32
  // expected-remark @+1 {{stays padded, in a buffer of 'memref<65x32xf32>': what was copied into it changes before it is read}}
  %padded = memref.alloc() : memref<65x32xf32>
  linalg.fill ins(%one : f32) outs(%padded : memref<65x32xf32>)
  %inside = memref.subview %padded[0, 0] [64, 32] [1, 1] : memref<65x32xf32> to memref<64x32xf32, strided<[32, 1]>>
  memref.copy %x, %inside : memref<64x32xf32> to memref<64x32xf32, strided<[32, 1]>>
  linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%padded : memref<65x32xf32>) outs(%out : memref<65x32xf32>) {
  ^bb0(%e: f32, %unread: f32):
    %0 = arith.negf %e : f32
    linalg.yield %0 : f32
  }
  return
}

// or if something but a structured op reads the padding.

// CHECK-LABEL: func.func @other_reader
//       CHECK:   memref.alloc() : memref<65x32xf32>
func.func @other_reader(%x: memref<64x32xf32>, %out: memref<65x32xf32>) {
  %one = arith.constant 1.0 : f32
  // expected-remark @+1 {{stays padded, in a buffer of 'memref<65x32xf32>': something but a structured op reads it}}
  %padded = memref.alloc() : memref<65x32xf32>
  linalg.fill ins(%one : f32) outs(%padded : memref<65x32xf32>)
  %inside = memref.subview %padded[0, 0] [64, 32] [1, 1] : memref<65x32xf32> to memref<64x32xf32, strided<[32, 1]>>
  memref.copy %x, %inside : memref<64x32xf32> to memref<64x32xf32, strided<[32, 1]>>
  // expected-note @+1 {{what reads it}}
  memref.copy %padded, %out : memref<65x32xf32> to memref<65x32xf32>
  return
}

// -----

// Padding in the place of a result that an elementwise op overwrites: the op reads what is
// padded. Slices of padding are read so too, each with its offset.

// CHECK-LABEL: func.func @result
//   CHECK-NOT:   memref.copy
//       CHECK:   scf.parallel
//       CHECK:     scf.for %[[X:.*]] = %c1 to %c63 step
//       CHECK:       %[[BEFORE:.*]] = arith.addi %[[X]], %c-1
//       CHECK:       memref.load %arg0[%{{.*}}, %[[BEFORE]]] : memref<32x62xf32>
//   CHECK-NOT:       arith.select
//       CHECK:       math.absf
//   CHECK-NOT:   scf.parallel
func.func @result(%x: memref<32x62xf32>, %out: memref<32x64xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%out : memref<32x64xf32>)
  %inside = memref.subview %out[0, 1] [32, 62] [1, 1] : memref<32x64xf32> to memref<32x62xf32, strided<[64, 1], offset: 1>>
  memref.copy %x, %inside : memref<32x62xf32> to memref<32x62xf32, strided<[64, 1], offset: 1>>
  linalg.generic {
      indexing_maps = [affine_map<(y, x) -> (y, x)>, affine_map<(y, x) -> (y, x)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%out : memref<32x64xf32>) outs(%out : memref<32x64xf32>) {
  ^bb0(%e: f32, %o: f32):
    %0 = math.absf %e : f32
    linalg.yield %0 : f32
  }
  return
}

// CHECK-LABEL: func.func @slices
//   CHECK-NOT:   memref.alloc
//   CHECK-NOT:   memref.copy
//       CHECK:   scf.parallel
//       CHECK:     scf.for %[[X:.*]] = %c1 to %c63 step
//   CHECK-DAG:       %[[BEFORE:.*]] = arith.addi %[[X]], %c-1
//   CHECK-DAG:       %[[BEHIND:.*]] = arith.addi %[[X]], %c1
//   CHECK-DAG:       memref.load %arg0[%{{.*}}, %[[BEFORE]]] : memref<32x64xf32>
//   CHECK-DAG:       memref.load %arg0[%{{.*}}, %[[BEHIND]]] : memref<32x64xf32>
//   CHECK-NOT:   scf.parallel
func.func @slices(%x: memref<32x64xf32>, %out: memref<32x64xf32>) {
  %zero = arith.constant 0.0 : f32
  %padded = memref.alloc() : memref<32x66xf32>
  linalg.fill ins(%zero : f32) outs(%padded : memref<32x66xf32>)
  %inside = memref.subview %padded[0, 1] [32, 64] [1, 1] : memref<32x66xf32> to memref<32x64xf32, strided<[66, 1], offset: 1>>
  memref.copy %x, %inside : memref<32x64xf32> to memref<32x64xf32, strided<[66, 1], offset: 1>>
  %left = memref.subview %padded[0, 0] [32, 64] [1, 1] : memref<32x66xf32> to memref<32x64xf32, strided<[66, 1]>>
  %right = memref.subview %padded[0, 2] [32, 64] [1, 1] : memref<32x66xf32> to memref<32x64xf32, strided<[66, 1], offset: 2>>
  linalg.generic {
      indexing_maps = [affine_map<(y, x) -> (y, x)>, affine_map<(y, x) -> (y, x)>, affine_map<(y, x) -> (y, x)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%left, %right : memref<32x64xf32, strided<[66, 1]>>, memref<32x64xf32, strided<[66, 1], offset: 2>>) outs(%out : memref<32x64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = arith.subf %b, %a : f32
    linalg.yield %0 : f32
  }
  return
}

// Padding that is a result itself stays, whatever reads it.

// CHECK-LABEL: func.func @both
// CHECK-COUNT-3:   scf.parallel
func.func @both(%x: memref<32x62xf32>, %padded: memref<32x64xf32>, %out: memref<32x64xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%padded : memref<32x64xf32>)
  %inside = memref.subview %padded[0, 1] [32, 62] [1, 1] : memref<32x64xf32> to memref<32x62xf32, strided<[64, 1], offset: 1>>
  memref.copy %x, %inside : memref<32x62xf32> to memref<32x62xf32, strided<[64, 1], offset: 1>>
  linalg.generic {
      indexing_maps = [affine_map<(y, x) -> (y, x)>, affine_map<(y, x) -> (y, x)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%padded : memref<32x64xf32>) outs(%out : memref<32x64xf32>) {
  ^bb0(%e: f32, %o: f32):
    %0 = math.absf %e : f32
    linalg.yield %0 : f32
  }
  return
}
