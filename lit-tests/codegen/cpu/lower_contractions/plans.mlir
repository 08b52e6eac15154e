// RUN: halo-opt %s '--halo-lower-contractions=plans=*:tile=6x4/loops=blocks/k=128/columns=2' --canonicalize --cse | FileCheck %s
// RUN: halo-opt %s '--halo-lower-contractions=explain=true plans=1x600x512x1024-f32-f32-f32-f32-mk-kn:tile=6x4/k=128,*:' 2>&1 | FileCheck %s --check-prefix=EXPLAIN
// RUN: halo-opt %s '--halo-lower-contractions=report-products=true' 2>&1 | FileCheck %s --check-prefix=REPORT
// RUN: not halo-opt %s '--halo-lower-contractions=plans=tile=6x4' 2>&1 | FileCheck %s --check-prefix=FORM
// RUN: not halo-opt %s '--halo-lower-contractions=plans=*:tile=6x4/size=8' 2>&1 | FileCheck %s --check-prefix=CHOICE
// RUN: not halo-opt %s '--halo-lower-contractions=plans=*:tile=16x4' 2>&1 | FileCheck %s --check-prefix=REGISTERS
// RUN: not halo-opt %s '--halo-lower-contractions=plans=*:rows=999' 2>&1 | FileCheck %s --check-prefix=STACK

// A plan replaces choices of the model: panels of four vectors, tiles of six rows, and ranges of 128
// elements of k.

// CHECK-LABEL: func.func @product
//       CHECK:   memref.alloc() {{.*}} : memref<8x1024x64xf32>
//       CHECK:   } {halo.packing}
//       CHECK:   scf.for {{.*}} step %c128
//       CHECK:     memref.alloc() {{.*}} : memref<1x6x144xf32>
// CHECK-COUNT-24:  vector.fma
//   CHECK-NOT:     vector.fma

// EXPLAIN: remark: is tiled by tile=6x4/k=128, the fastest plan measured, in place of tile=8x2/loops=held-panels/k=256/rows={{[0-9]+}}/columns={{[0-9]+}}
// EXPLAIN: remark: is tiled by the model's plan tile=8x2/{{.*}}: it was the fastest one measured

// REPORT: remark: is the product 1x600x512x1024-f32-f32-f32-f32-mk-kn
// REPORT: remark: is the product 1x700x512x1024-f32-f32-f32-f32-mk-kn

// FORM: error: option 'plans': expected SIGNATURE:PLAN, found 'tile=6x4'
// CHOICE: error: option 'plans': expected choices such as tile=8x2, loops=blocks, k=256, rows=4 or columns=2, found 'size=8'
// REGISTERS: error: plan 'tile=16x4' does not fit '1x600x512x1024-f32-f32-f32-f32-mk-kn': expected a tile of at most 16x8 in 32 registers
// STACK: error: plan 'rows=999' does not fit {{.*}}: expected packed blocks of at most 114688 bytes, found
func.func @product(%a: memref<600x1024xf32>, %b: memref<1024x512xf32>, %c: memref<600x512xf32>) {
  linalg.matmul ins(%a, %b : memref<600x1024xf32>, memref<1024x512xf32>) outs(%c : memref<600x512xf32>)
  return
}

func.func @other(%a: memref<700x1024xf32>, %b: memref<1024x512xf32>, %c: memref<700x512xf32>) {
  linalg.matmul ins(%a, %b : memref<700x1024xf32>, memref<1024x512xf32>) outs(%c : memref<700x512xf32>)
  return
}
