// RUN: halo-run --backend=interpreter %s
// RUN: halo-run --backend=interpreter --entry=quantized %s

// Values: the formula of the specification with numpy; NaN in any operand wins. The first is its example.

func.func @main() {
  %low0 = stablehlo.constant dense<[5, 10, 15]> : tensor<3xi32>
  %x0 = stablehlo.constant dense<[3, 13, 23]> : tensor<3xi32>
  %high0 = stablehlo.constant dense<[10, 15, 20]> : tensor<3xi32>
  %r0 = stablehlo.clamp %low0, %x0, %high0
      : (tensor<3xi32>, tensor<3xi32>, tensor<3xi32>) -> tensor<3xi32>
  check.expect_eq_const %r0, dense<[5, 13, 20]> : tensor<3xi32>

  %low1 = stablehlo.constant dense<-1.0> : tensor<f32>
  %x1 = stablehlo.constant dense<[-5.0, 0.5, 0x7F800000, 0x7FC00000]> : tensor<4xf32>
  %high1 = stablehlo.constant dense<1.0> : tensor<f32>
  %r1 = stablehlo.clamp %low1, %x1, %high1
      : (tensor<f32>, tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  check.expect_eq_const %r1, dense<[-1.0, 0.5, 1.0, 0x7FC00000]> : tensor<4xf32>

  %low2 = stablehlo.constant dense<2> : tensor<ui8>
  %x2 = stablehlo.constant dense<[0, 2, 200]> : tensor<3xui8>
  %high2 = stablehlo.constant dense<[100, 100, 100]> : tensor<3xui8>
  %r2 = stablehlo.clamp %low2, %x2, %high2
      : (tensor<ui8>, tensor<3xui8>, tensor<3xui8>) -> tensor<3xui8>
  check.expect_eq_const %r2, dense<[2, 2, 100]> : tensor<3xui8>

  %low3 = stablehlo.constant dense<[3]> : tensor<1xi64>
  %x3 = stablehlo.constant dense<[1]> : tensor<1xi64>
  %high3 = stablehlo.constant dense<[2]> : tensor<1xi64>
  %r3 = stablehlo.clamp %low3, %x3, %high3
      : (tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<1xi64>
  check.expect_eq_const %r3, dense<[2]> : tensor<1xi64>

  %low4 = stablehlo.constant dense<0.0> : tensor<bf16>
  %x4 = stablehlo.constant dense<[-2.5, 0.25]> : tensor<2xbf16>
  %high4 = stablehlo.constant dense<1.0> : tensor<bf16>
  %r4 = stablehlo.clamp %low4, %x4, %high4
      : (tensor<bf16>, tensor<2xbf16>, tensor<bf16>) -> tensor<2xbf16>
  check.expect_eq_const %r4, dense<[0.0, 0.25]> : tensor<2xbf16>

  %low5 = stablehlo.constant dense<-1.0e300> : tensor<f64>
  %x5 = stablehlo.constant dense<[1.0e308, 5.0]> : tensor<2xf64>
  %high5 = stablehlo.constant dense<1.0e300> : tensor<f64>
  %r5 = stablehlo.clamp %low5, %x5, %high5
      : (tensor<f64>, tensor<2xf64>, tensor<f64>) -> tensor<2xf64>
  check.expect_eq_const %r5, dense<[1.0e300, 5.0]> : tensor<2xf64>

  %low6 = stablehlo.constant dense<> : tensor<0xf16>
  %x6 = stablehlo.constant dense<> : tensor<0xf16>
  %high6 = stablehlo.constant dense<> : tensor<0xf16>
  %r6 = stablehlo.clamp %low6, %x6, %high6
      : (tensor<0xf16>, tensor<0xf16>, tensor<0xf16>) -> tensor<0xf16>
  check.expect_eq_const %r6, dense<> : tensor<0xf16>
  func.return
}

func.func @quantized() {
  %low = stablehlo.constant dense<[-4, 0, 8]> : tensor<3xi8>
  %x = stablehlo.constant dense<[-9, 3, 30]> : tensor<3xi8>
  %high = stablehlo.constant dense<[9, 9, 9]> : tensor<3xi8>
  %l = stablehlo.bitcast_convert %low : (tensor<3xi8>) -> tensor<3x!quant.uniform<i8:f32, 0.5:2>>
  %m = stablehlo.bitcast_convert %x : (tensor<3xi8>) -> tensor<3x!quant.uniform<i8:f32, 0.5:2>>
  %h = stablehlo.bitcast_convert %high : (tensor<3xi8>) -> tensor<3x!quant.uniform<i8:f32, 0.5:2>>
  %y = stablehlo.clamp %l, %m, %h : tensor<3x!quant.uniform<i8:f32, 0.5:2>>
  %r = stablehlo.bitcast_convert %y : (tensor<3x!quant.uniform<i8:f32, 0.5:2>>) -> tensor<3xi8>
  check.expect_eq_const %r, dense<[-4, 3, 9]> : tensor<3xi8>
  func.return
}
