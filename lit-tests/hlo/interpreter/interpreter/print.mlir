// RUN: halo-run --backend=interpreter %s 2>&1 | FileCheck %s

// A value is printed when it is met: in a loop each time, also by a process of
// its own.

func.func @main() {
  // CHECK: dense<[1.500000e+00, -2.000000e+00]> : tensor<2xf32>
  %x = stablehlo.constant dense<[1.5, -2.0]> : tensor<2xf32>
  interpreter.print %x : tensor<2xf32>

  // CHECK-NEXT: dense<2> : tensor<i8>
  // CHECK-NEXT: dense<1> : tensor<i8>
  // CHECK-NOT: tensor<i8>
  %two = stablehlo.constant dense<2> : tensor<i8>
  %one = stablehlo.constant dense<1> : tensor<i8>
  %zero = stablehlo.constant dense<0> : tensor<i8>
  %last = stablehlo.while(%i = %two) : tensor<i8>
  cond {
    %more = stablehlo.compare GT, %i, %zero : (tensor<i8>, tensor<i8>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    interpreter.print %i : tensor<i8>
    %j = stablehlo.subtract %i, %one : tensor<i8>
    stablehlo.return %j : tensor<i8>
  }

  // CHECK: dense<[true, false]> : tensor<2xi1>
  %p = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  "interpreter.run_parallel"(%p) {programs = [[@shows]]} : (tensor<2xi1>) -> ()
  func.return
}

func.func private @shows(%p: tensor<2xi1>) {
  interpreter.print %p : tensor<2xi1>
  func.return
}
