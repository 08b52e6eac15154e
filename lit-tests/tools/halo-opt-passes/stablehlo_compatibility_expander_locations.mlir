// RUN: halo-opt %s --stablehlo-compatibility-expander=target=1.8.9 --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s
// RUN: halo-opt %s --stablehlo-compatibility-expander=target=1.9.0 --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s --check-prefix=NEWER

// Of a range its begin stays, of ops, arguments and functions, however deep it
// is in a location; what else a location says stays as it is.

// CHECK: func.func @main(%arg0: tensor<f32> loc("model.py":1:2))
// CHECK: stablehlo.negate %arg0 {{.*}} loc(callsite("neg"("model.py":3:4) at fused<"pass">["main.py":9:1]))
// CHECK: return {{.*}} loc("model.py":5:1)
// CHECK: loc("model.py":1:1)

// NEWER: loc("model.py":1:2 to :9)
// NEWER: "neg"("model.py":3:4 to 4:2)
module {
  func.func @main(%x: tensor<f32> loc("model.py":1:2 to :9)) -> tensor<f32> {
    %0 = stablehlo.negate %x : tensor<f32> loc(callsite("neg"("model.py":3:4 to 4:2) at fused<"pass">["main.py":9:1 to :5]))
    return %0 : tensor<f32> loc("model.py":5:1)
  } loc("model.py":1:1 to 5:2)
}
