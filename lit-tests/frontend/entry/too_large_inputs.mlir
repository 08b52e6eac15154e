// RUN: not halo-run %s --backend=interpreter --random-inputs 2>&1 | FileCheck %s
// RUN: not halo-run %s --backend=cpu --random-inputs 2>&1 | FileCheck %s

// CHECK: error: there is no memory for a value of tensor<1000000000000000xf32>
func.func @main(%x: tensor<1000000000000000xf32>) -> tensor<1000000000000000xf32> {
  return %x : tensor<1000000000000000xf32>
}
