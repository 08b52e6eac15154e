// RUN: halo-run %s --backend=cpu | FileCheck %s
// RUN: halo-run %s --backend=interpreter | FileCheck %s
// RUN: halo-run %s --backend=interpreter --entry=f | FileCheck %s --check-prefix=F
// RUN: halo-compile %s --emit=hlo | FileCheck %s --check-prefix=HLO

// A file of several modules is one module around them. The module of the only `main` is the
// program, with the attributes of those around it.

// CHECK: dense<4> : tensor<i32>
// F: dense<1> : tensor<i32>
// HLO: module attributes
// HLO-SAME: mhlo.num_partitions = 1
// HLO-NOT: module
module @first {
  func.func @f() -> tensor<i32> {
    %0 = stablehlo.constant dense<1> : tensor<i32>
    return %0 : tensor<i32>
  }
}

module @second {
  module attributes {mhlo.num_partitions = 1 : i32} {
    func.func @main() -> tensor<i32> {
      %0 = stablehlo.constant dense<2> : tensor<i32>
      %1 = func.call @g(%0) : (tensor<i32>) -> tensor<i32>
      return %1 : tensor<i32>
    }
    func.func private @g(%a: tensor<i32>) -> tensor<i32> {
      %0 = stablehlo.add %a, %a : tensor<i32>
      return %0 : tensor<i32>
    }
  }
}
