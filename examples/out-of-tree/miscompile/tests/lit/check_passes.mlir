// The first pass that changes results, of programs on tensors and on buffers.
// RUN: split-file %s %t
// RUN: not halo-opt %t/fold.mlir --load-plugin=%shlibdir/libmiscompile%shlibext --cse --wrong-fold --canonicalize --check-passes 2>&1 | FileCheck %s --check-prefix=FOLD
// RUN: halo-opt %t/fold.mlir --cse --canonicalize --check-passes 2>&1 | FileCheck %s --check-prefix=RIGHT
// RUN: halo-opt %t/fold.mlir --halo-cpu-pipeline --check-passes 2>&1 | FileCheck %s --check-prefix=LLVM
// RUN: not halo-opt %t/buffers.mlir --load-plugin=%shlibdir/libmiscompile%shlibext --pass-pipeline='builtin.module(func.func(cse,wrong-bound))' --check-passes 2>&1 | FileCheck %s --check-prefix=BOUND
// RUN: not halo-opt %t/writes.mlir --load-plugin=%shlibdir/libmiscompile%shlibext --lost-write --check-passes --input=3 2>&1 | FileCheck %s --check-prefix=WRITE
// RUN: halo-opt %t/buffers.mlir --load-plugin=%shlibdir/libmiscompile%shlibext --wrong-bound --bisect | FileCheck %s --check-prefix=BISECT
// RUN: not halo-opt %t/layout.mlir --cse --check-passes 2>&1 | FileCheck %s --check-prefix=LAYOUT
// RUN: not halo-opt %t/fold.mlir --no-such-pass --check-passes 2>&1 | FileCheck %s --check-prefix=UNKNOWN

// FOLD: halo-opt: error: pass wrong-fold changes result 0 of the input: {{[0-9]}} of 4 elements differ
// RIGHT: 2 passes: 0 keep the results, 2 change nothing
// LLVM: passes: {{[0-9]+}} keep the results, {{[0-9]+}} change nothing, the program cannot be run after the last {{[0-9]+}}, from halo-
// BOUND: error: pass wrong-bound changes result 0 of the input: 2 of 10 elements differ
// WRITE: error: pass lost-write changes result 0 of the input: 10 of 10 elements differ
// BISECT: pass wrong-bound, pattern miscompile::faults::round_bound, application 2 of 2, op 'scf.for' at {{.*}}buffers.mlir:6:3
// LAYOUT: error: the function takes other values than buffers without layouts
// UNKNOWN: error: unexpected argument '--no-such-pass'

//--- fold.mlir
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %zeros = stablehlo.constant dense<0.0> : tensor<4xf32>
  %0 = stablehlo.maximum %x, %zeros : tensor<4xf32>
  return %0 : tensor<4xf32>
}

//--- buffers.mlir
func.func @main(%x: memref<10xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  %half = arith.constant 0.5 : f32
  scf.for %i = %c0 to %c10 step %c1 {
    %v = memref.load %x[%i] : memref<10xf32>
    %w = arith.mulf %v, %half : f32
    memref.store %w, %x[%i] : memref<10xf32>
  }
  return
}

//--- writes.mlir
func.func @main(%x: memref<10xf32>) {
  %half = arith.constant 0.5 : f32
  linalg.fill ins(%half : f32) outs(%x : memref<10xf32>)
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%x : memref<10xf32>) {
  ^bb0(%e: f32):
    %d = arith.addf %e, %e : f32
    linalg.yield %d : f32
  }
  return
}

//--- layout.mlir
func.func @main(%x: memref<4xf32, strided<[2]>>) {
  return
}
