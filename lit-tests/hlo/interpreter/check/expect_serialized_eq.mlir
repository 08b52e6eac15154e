// RUN: halo-run --backend=interpreter %s

// What a probe in a loop saw in its first and in its third run.

func.func @main() {
  %one = stablehlo.constant dense<1> : tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %eight = stablehlo.constant dense<8> : tensor<i32>
  %limit = stablehlo.constant dense<8> : tensor<i32>
  %s = stablehlo.while(%i = %one) : tensor<i32>
  cond {
    %c = stablehlo.compare LT, %i, %limit : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %t = stablehlo.add %i, %i : tensor<i32>
    %u = interpreter.probe %t, probe_id = "double" : tensor<i32>
    stablehlo.return %u : tensor<i32>
  }
  check.expect_serialized_eq %two, probe_id = "double" : tensor<i32>
  check.expect_serialized_eq %eight, probe_id = "double", iter = 2 : tensor<i32>
  check.expect_eq_const %s, dense<8> : tensor<i32>
  func.return
}
