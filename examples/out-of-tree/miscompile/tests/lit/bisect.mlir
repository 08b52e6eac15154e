// The pass and the application that make a program fail, and its crash or invalid IR.
// RUN: halo-run %s --random-inputs --load-plugin=%shlibdir/libmiscompile%shlibext --insert-passes='hlo:miscompile{after=stablehlo.tanh}' --bisect | FileCheck %s --check-prefixes=WRONG,OP,CHANGE
// RUN: halo-run %s --random-inputs --load-plugin=%shlibdir/libmiscompile%shlibext --insert-passes='hlo:miscompile{after=stablehlo.tanh fault=panic}' --bisect | FileCheck %s --check-prefixes=PANIC,OP
// RUN: halo-run %s --random-inputs --load-plugin=%shlibdir/libmiscompile%shlibext --insert-passes='hlo:miscompile{after=stablehlo.tanh fault=abort}' --bisect | FileCheck %s --check-prefixes=ABORT,OP
// RUN: halo-run %s --random-inputs --load-plugin=%shlibdir/libmiscompile%shlibext --insert-passes='hlo:miscompile{after=stablehlo.tanh fault=invalid}' --bisect | FileCheck %s --check-prefixes=INVALID,OP
// RUN: halo-opt %s --load-plugin=%shlibdir/libmiscompile%shlibext --cse --miscompile=after=stablehlo.tanh --bisect | FileCheck %s --check-prefixes=OPT,OP,CHANGE
// RUN: halo-opt %s --load-plugin=%shlibdir/libmiscompile%shlibext --cse '--miscompile=after=stablehlo.tanh fault=abort' --bisect | FileCheck %s --check-prefixes=ABORT,OP

// Programs without failure.
// RUN: not halo-run %s --random-inputs --bisect 2>&1 | FileCheck %s --check-prefix=NOTHING
// RUN: not halo-opt %s --cse --bisect 2>&1 | FileCheck %s --check-prefix=NOTHING
// RUN: not halo-run --random-inputs --bisect < %s 2>&1 | FileCheck %s --check-prefix=FILE
// RUN: not halo-run %s --bisect 2>&1 | FileCheck %s --check-prefix=INPUTS

// Slow runs: no run is, and every run is.
// RUN: not halo-run %s --random-inputs --bisect --bisect-slower=1e6 2>&1 | FileCheck %s --check-prefix=NOTHING
// RUN: not halo-run %s --random-inputs --bisect --bisect-slower=1e-6 2>&1 | FileCheck %s --check-prefix=SLOW

// A reference that is wrong.
// RUN: not halo-run %s --random-inputs --expect=7 --bisect 2>&1 | FileCheck %s --check-prefix=REFERENCE

// WRONG: result 0 is not interpreter-0.npy: 4 of 4 elements differ
// OPT: pass miscompile changes result 0 of the input: 4 of 4 elements differ
// PANIC: internal error in pass 'miscompile': no rule for 'stablehlo.subtract'
// ABORT: the process ended by a signal
// INVALID: pass 'miscompile' left invalid IR: 'stablehlo.subtract' op result 0 has shape 7x7x7
// OP-NEXT: pass {{(hlo/)?}}miscompile, pattern miscompile::miscompile::run, application 2{{.*}}, op 'stablehlo.subtract' at {{.*}}bisect.mlir:[[@LINE+11]]:8
// CHANGE: - %1 = stablehlo.subtract %0, %arg1
// CHANGE-NEXT: + %1 = stablehlo.subtract %arg1, %0
// NOTHING: error: nothing to bisect: the program does not fail
// FILE: error: --bisect reads the program several times: name a file
// INPUTS: warning: results are not compared: @main takes 2 inputs
// INPUTS: error: {{.*}}takes 2 inputs
// SLOW: error: the program also fails without {{.*}}: a run takes {{.*}} s, expected at most
// REFERENCE: error: the program also fails without {{[0-9]+}} optional passes, so another pass or the reference is wrong
func.func @main(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.tanh %a : tensor<4xf32>
  %1 = stablehlo.subtract %0, %b : tensor<4xf32>
  %2 = stablehlo.subtract %1, %a : tensor<4xf32>
  return %2 : tensor<4xf32>
}
