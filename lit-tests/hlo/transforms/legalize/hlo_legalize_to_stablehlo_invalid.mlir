// RUN: halo-opt %s --hlo-legalize-to-stablehlo --split-input-file --verify-diagnostics

func.func @another(%x: tensor<4xf32>, %n: tensor<i32>) -> tensor<4xf32> {
  // expected-error @+1 {{'mhlo.unknown' is an instruction of HLO that XLA's exporter has no op for}}
  %0 = "mhlo.unknown"(%x, %n) : (tensor<4xf32>, tensor<i32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @of_nothing() {
  // expected-error @+1 {{'mhlo.unknown' is an instruction of HLO that XLA's exporter has no op for}}
  "mhlo.unknown"() : () -> ()
  return
}
