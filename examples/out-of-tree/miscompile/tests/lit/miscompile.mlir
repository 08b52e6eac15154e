// RUN: halo-reduce %s -o %t.mlir --differs=cpu,interpreter --load-plugin=%shlibdir/libmiscompile%shlibext --insert-passes='hlo:miscompile{after=stablehlo.tanh}' 2>&1 | FileCheck %s --check-prefix=SUMMARY
// RUN: FileCheck %s < %t.mlir
// RUN: halo-reduce %t.mlir --check --differs=cpu,interpreter --load-plugin=%shlibdir/libmiscompile%shlibext --insert-passes='hlo:miscompile{after=stablehlo.tanh}' | FileCheck %s --check-prefix=CHECK-ONLY
// RUN: not halo-reduce %s --check --differs=cpu,interpreter 2>&1 | FileCheck %s --check-prefix=AGREE

// SUMMARY: halo-reduce: 7 ops to 2 in {{[0-9]+}} tests
// CHECK-ONLY: result 0: 1 of 1 elements differ
// AGREE: halo-reduce: error: nothing to reduce: cpu and interpreter give the same results

// CHECK: // result 0: {{.*}} elements differ
// CHECK-NEXT: // halo-run {{.*}} --backend=interpreter --random-inputs=0 --output=@expected-0.npy
// CHECK-NEXT: // halo-run {{.*}} --backend=cpu --random-inputs=0 {{.*}}insert-passes={{.*}} --expect=@expected-0.npy
// CHECK-NEXT: module
// CHECK-NEXT: func.func @main
// CHECK-NEXT: stablehlo.tanh
// CHECK-NEXT: stablehlo.subtract
// CHECK-NEXT: return
func.func @main(%a: tensor<8x16xf32>, %b: tensor<16xf32>) -> tensor<8x16xf32> {
  %0 = stablehlo.sine %a : tensor<8x16xf32>
  %1 = stablehlo.tanh %0 : tensor<8x16xf32>
  %2 = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<16xf32>) -> tensor<8x16xf32>
  %3 = stablehlo.subtract %1, %2 : tensor<8x16xf32>
  %4 = stablehlo.add %3, %0 : tensor<8x16xf32>
  %5 = stablehlo.subtract %4, %0 : tensor<8x16xf32>
  %6 = stablehlo.logistic %5 : tensor<8x16xf32>
  return %6 : tensor<8x16xf32>
}
