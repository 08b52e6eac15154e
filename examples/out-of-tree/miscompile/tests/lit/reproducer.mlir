// A pass that panics, leaves invalid IR or ends the process leaves a reproducer behind, which
// halo-opt runs and halo-reduce reduces. One that refuses a program leaves none.
// RUN: rm -rf %t && mkdir %t
// RUN: env HALO_REPRODUCER_DIR=%t not halo-opt %s --load-plugin=%shlibdir/libmiscompile%shlibext --cse --miscompile=fault=panic 2>&1 | FileCheck %s --check-prefix=SAID
// RUN: FileCheck %s --check-prefix=FILE < %t/reproducer.reproducer.mlir
// RUN: not halo-opt --load-plugin=%shlibdir/libmiscompile%shlibext --run-reproducer %t/reproducer.reproducer.mlir 2>&1 | FileCheck %s --check-prefix=PANIC
// RUN: halo-reduce %t/reproducer.reproducer.mlir -o %t/panic.mlir --load-plugin=%shlibdir/libmiscompile%shlibext
// RUN: FileCheck %s --check-prefix=REDUCED < %t/panic.mlir

// What is there stays.
// RUN: env HALO_REPRODUCER_DIR=%t not --crash halo-opt %s --load-plugin=%shlibdir/libmiscompile%shlibext --miscompile=fault=abort 2>&1 | FileCheck %s --check-prefix=SECOND
// RUN: FileCheck %s --check-prefix=FILE < %t/reproducer.reproducer.mlir
// RUN: rm %t/reproducer.reproducer.mlir
// RUN: env HALO_REPRODUCER_DIR=%t not --crash halo-opt %s --load-plugin=%shlibdir/libmiscompile%shlibext --miscompile=fault=abort 2>&1 | FileCheck %s --check-prefix=SAID
// RUN: not --crash halo-opt --load-plugin=%shlibdir/libmiscompile%shlibext --run-reproducer %t/reproducer.reproducer.mlir

// RUN: rm %t/reproducer.reproducer.mlir
// RUN: env HALO_REPRODUCER_DIR=%t not halo-opt %s --load-plugin=%shlibdir/libmiscompile%shlibext --miscompile=fault=invalid 2>&1 | FileCheck %s --check-prefix=SAID
// RUN: not halo-opt --load-plugin=%shlibdir/libmiscompile%shlibext --run-reproducer %t/reproducer.reproducer.mlir 2>&1 | FileCheck %s --check-prefix=INVALID
// RUN: halo-reduce %t/reproducer.reproducer.mlir -o %t/invalid.mlir --load-plugin=%shlibdir/libmiscompile%shlibext
// RUN: FileCheck %s --check-prefix=REDUCED < %t/invalid.mlir

// A program of another format becomes text.
// RUN: halo-opt %s --emit-bytecode -o %t/other.mlirbc
// RUN: env HALO_REPRODUCER_DIR=%t not halo-opt %t/other.mlirbc --load-plugin=%shlibdir/libmiscompile%shlibext --miscompile=fault=panic 2>&1 | FileCheck %s --check-prefix=PANIC
// RUN: not halo-opt --load-plugin=%shlibdir/libmiscompile%shlibext --run-reproducer %t/other.reproducer.mlir 2>&1 | FileCheck %s --check-prefix=PANIC

// RUN: rm %t/reproducer.reproducer.mlir
// RUN: env HALO_REPRODUCER_DIR=%t not halo-opt %s '--stablehlo-refine-arguments=types=tensor<2xf32>'
// RUN: not ls %t/reproducer.reproducer.mlir
// RUN: env HALO_REPRODUCER_DIR=%t/none not halo-opt %s --load-plugin=%shlibdir/libmiscompile%shlibext --miscompile=fault=panic 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: env HALO_REPRODUCER_DIR= not halo-opt %s --load-plugin=%shlibdir/libmiscompile%shlibext --miscompile=fault=panic
// RUN: not ls %t/reproducer.reproducer.mlir

// SAID: halo-opt: note: the program and its passes are in {{.*}}reproducer.reproducer.mlir; halo-opt --run-reproducer runs them
// SECOND: halo-opt: note: the program and its passes are in {{.*}}reproducer.2.reproducer.mlir; halo-opt --run-reproducer runs them
// NONE: halo-opt: warning: no reproducer can be written: {{.*}}none/reproducer.reproducer.mlir
// FILE: stablehlo.subtract %a, %b
// FILE: mlir_reproducer
// FILE: pipeline: "builtin.module(cse,miscompile{{.*}}fault=panic{{.*}})"
// PANIC: internal error in pass 'miscompile': no rule for 'stablehlo.subtract'
// INVALID: error: pass 'miscompile' left invalid IR
// REDUCED: // {{.*}}internal error
// REDUCED-NEXT: // halo-opt {{.*}}--pass-pipeline=
// REDUCED: func.func @main(%arg0: tensor<1xf32>, %arg1: tensor<1xf32>)
// REDUCED-NEXT: stablehlo.subtract %arg0, %arg1
// REDUCED-NEXT: return
func.func @main(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.sine %a : tensor<4xf32>
  %1 = stablehlo.subtract %a, %b : tensor<4xf32>
  %2 = stablehlo.add %0, %1 : tensor<4xf32>
  return %2 : tensor<4xf32>
}
