// A few dozen runs of the tools on hostile inputs, each the same on every machine.
// RUN: halo-fuzz --tools --corpus %S/../frontend --first 100 --count 36 --jobs 2 --seconds 3000 --out %t | FileCheck %s

// CHECK: 36 cases, 0 failures
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  return %x : tensor<2xf32>
}
