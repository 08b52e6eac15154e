// Halo's conversion alone has no lowering for the vendor's ops, which is told at the op.
//
// RUN: not vendor-run %s --input=1 \
// RUN:   --replace-pass=linalg/vendor-legalize-to-linalg:stablehlo-legalize-to-linalg 2>&1 | FileCheck %s
// RUN: not vendor-run %s --input=1 --entry=region \
// RUN:   --replace-pass=linalg/vendor-legalize-to-linalg:stablehlo-legalize-to-linalg 2>&1 | FileCheck %s --check-prefix=REGION

// CHECK: unlowered.mlir:[[@LINE+2]]:8: error: 'vendor.saturating_add' op has no lowering: it works on tensors still
func.func @main(%x: tensor<4xi32>) -> tensor<4xi32> {
  %0 = vendor.saturating_add %x, %x : tensor<4xi32>
  return %0 : tensor<4xi32>
}

// REGION: unlowered.mlir:[[@LINE+5]]:10: error: {{.*}}there is no lowering for 'vendor.saturating_add' in a region on elements
func.func @region(%x: tensor<3xi32>) -> tensor<i32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.reduce(%x init: %zero) across dimensions = [0] : (tensor<3xi32>, tensor<i32>) -> tensor<i32>
   reducer(%a: tensor<i32>, %b: tensor<i32>) {
    %1 = vendor.saturating_add %a, %b : tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }
  return %0 : tensor<i32>
}
