// halo-run and halo-compile leave a reproducer behind where a pass of their pipelines panics,
// leaves invalid IR or ends the process: the program before that pass, or, after a crash, before
// the first phase, with the passes. One that refuses a program leaves none.
// RUN: rm -rf %t && mkdir %t
// RUN: env HALO_REPRODUCER_DIR=%t not halo-run %s --random-inputs --load-plugin=%shlibdir/libmiscompile%shlibext --insert-passes=hlo:miscompile{fault=panic} 2>&1 | FileCheck %s --check-prefixes=SAID,PANIC
// RUN: FileCheck %s --check-prefix=FILE < %t/reproducer_of_pipelines.reproducer.mlir
// RUN: not halo-opt --load-plugin=%shlibdir/libmiscompile%shlibext --run-reproducer %t/reproducer_of_pipelines.reproducer.mlir 2>&1 | FileCheck %s --check-prefix=PANIC
// RUN: halo-reduce %t/reproducer_of_pipelines.reproducer.mlir -o %t/panic.mlir --load-plugin=%shlibdir/libmiscompile%shlibext
// RUN: FileCheck %s --check-prefix=REDUCED < %t/panic.mlir

// What is there stays.
// RUN: env HALO_REPRODUCER_DIR=%t not halo-compile %s --emit=obj -o %t/x.o --load-plugin=%shlibdir/libmiscompile%shlibext --insert-passes=linalg:cse --insert-passes=hlo:miscompile{fault=invalid} 2>&1 | FileCheck %s --check-prefix=SECOND
// RUN: not halo-opt --load-plugin=%shlibdir/libmiscompile%shlibext --run-reproducer %t/reproducer_of_pipelines.2.reproducer.mlir 2>&1 | FileCheck %s --check-prefix=INVALID

// RUN: env HALO_REPRODUCER_DIR=%t not --crash halo-run %s --random-inputs --load-plugin=%shlibdir/libmiscompile%shlibext --insert-passes=hlo:miscompile{fault=abort} 2>&1 | FileCheck %s --check-prefix=THIRD
// RUN: FileCheck %s --check-prefix=CRASHED < %t/reproducer_of_pipelines.3.reproducer.mlir
// RUN: not --crash halo-opt --load-plugin=%shlibdir/libmiscompile%shlibext --run-reproducer %t/reproducer_of_pipelines.3.reproducer.mlir

// RUN: env HALO_REPRODUCER_DIR=%t/none not halo-run %s --random-inputs --load-plugin=%shlibdir/libmiscompile%shlibext --insert-passes=hlo:miscompile{fault=panic} 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: rm -rf %t/*.reproducer.mlir
// RUN: env HALO_REPRODUCER_DIR=%t not halo-run %s --random-inputs '--insert-passes=hlo:stablehlo-refine-arguments{types=tensor<2xf32>}'
// RUN: env HALO_REPRODUCER_DIR= not halo-run %s --random-inputs --load-plugin=%shlibdir/libmiscompile%shlibext --insert-passes=hlo:miscompile{fault=panic}
// RUN: not ls %t/reproducer_of_pipelines.reproducer.mlir

// SAID: halo-run: note: the program and its passes are in {{.*}}reproducer_of_pipelines.reproducer.mlir; halo-opt --run-reproducer runs them
// SECOND: halo-compile: note: the program and its passes are in {{.*}}reproducer_of_pipelines.2.reproducer.mlir; halo-opt
// THIRD: halo-run: note: the program and its passes are in {{.*}}reproducer_of_pipelines.3.reproducer.mlir; halo-opt
// NONE: halo-run: warning: no reproducer can be written: {{.*}}none{{.}}reproducer_of_pipelines.reproducer.mlir
// The double negation is gone before the pass.
// FILE-NOT: stablehlo.negate
// FILE: stablehlo.subtract
// FILE: pipeline: "builtin.module(miscompile{{.*}}fault=panic{{.*}})"
// CRASHED: stablehlo.negate
// CRASHED: pipeline: "builtin.module({{.*}},miscompile{{.*}}fault=abort{{.*}})"
// PANIC: internal error in pass 'miscompile': no rule for 'stablehlo.subtract'
// INVALID: error: pass 'miscompile' left invalid IR
// REDUCED: // {{.*}}internal error
// REDUCED: func.func @main(%arg0: tensor<1xf32>, %arg1: tensor<1xf32>)
// REDUCED-NEXT: stablehlo.subtract %arg0, %arg1
// REDUCED-NEXT: return
func.func @main(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.sine %a : tensor<4xf32>
  %1 = stablehlo.negate %b : tensor<4xf32>
  %2 = stablehlo.negate %1 : tensor<4xf32>
  %3 = stablehlo.subtract %a, %2 : tensor<4xf32>
  %4 = stablehlo.add %0, %3 : tensor<4xf32>
  return %4 : tensor<4xf32>
}
