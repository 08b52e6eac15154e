// RUN: halo-opt %s --halo-bind-sizes --split-input-file --verify-diagnostics

func.func @of_elements(%n: tensor<?xi64>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  // expected-error @+1 {{'tensor.extract' op decides the size of result 0: expected sizes that follow from sizes of arguments, and from elements of integer arguments of static shape}}
  %0 = tensor.extract %n[%c0] : tensor<?xi64>
  %1 = arith.index_cast %0 : i64 to index
  %2 = tensor.empty(%1) : tensor<?xf32>
  return %2 : tensor<?xf32>
}
