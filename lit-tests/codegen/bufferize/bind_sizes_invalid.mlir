// RUN: halo-opt %s --halo-bind-sizes --split-input-file --verify-diagnostics

func.func @of_elements(%n: tensor<i64>) -> tensor<?xf32> {
  // expected-error @+1 {{'tensor.extract' op decides the size of result 0: expected sizes that follow from the sizes of the arguments, not from their elements}}
  %0 = tensor.extract %n[] : tensor<i64>
  %1 = arith.index_cast %0 : i64 to index
  %2 = tensor.empty(%1) : tensor<?xf32>
  return %2 : tensor<?xf32>
}
