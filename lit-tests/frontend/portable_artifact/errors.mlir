// RUN: not halo-translate --serialize --target=1.8.0 %s -o %t.mlirbc 2>&1 | FileCheck %s
// RUN: not ls %t.mlirbc
// RUN: not halo-translate --serialize --target=0.8.0 %s 2>&1 | FileCheck %s --check-prefix=RANGE
// RUN: not halo-translate --serialize --target=new %s 2>&1 | FileCheck %s --check-prefix=VERSION
// RUN: not halo-translate --deserialize %s 2>&1 | FileCheck %s --check-prefix=FORM

// CHECK: errors.mlir:[[# @LINE + 5]]:{{.*}}error: {{.*}}1.8.0
// RANGE: errors.mlir: error: {{.*}}0.8.0
// VERSION: errors.mlir: error: {{.*}}'new'
// FORM: {{^}}{{.*}}errors.mlir: error: 
func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {
  %0 = stablehlo.tan %x {result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<HIGHEST>>} : tensor<3xf32>
  return %0 : tensor<3xf32>
}
