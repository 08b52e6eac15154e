// RUN: not vendor-run %s --input=1 2>&1 | FileCheck %s
// RUN: not vendor-run %s --insert-passes=hlo:vendor-dott 2>&1 | FileCheck %s --check-prefix=PASS
// RUN: not vendor-run %s --insert-passes=lowest:vendor-dot 2>&1 | FileCheck %s --check-prefix=PHASE

// PASS: vendor-run: error: --insert-passes=hlo:vendor-dott:
// PHASE: vendor-run: error: --insert-passes=lowest:vendor-dot:
// CHECK: errors.mlir:[[@LINE+2]]:8: error: 'vendor.saturating_add' op adds elements of type i32
func.func @main(%x: tensor<4xi64>) -> tensor<4xi64> {
  %0 = vendor.saturating_add %x, %x : tensor<4xi64>
  return %0 : tensor<4xi64>
}
