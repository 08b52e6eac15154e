// RUN: halo-run --backend=interpreter %s

// Values: numpy.fft.

func.func @main() {
  %x0 = stablehlo.constant dense<[(1.0, 0.0), (0.0, 0.0), (0.0, 0.0), (0.0, 0.0)]> : tensor<4xcomplex<f32>>
  %r0 = stablehlo.fft %x0, type = FFT, length = [4]
      : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  check.expect_almost_eq_const %r0, dense<(1.0, 0.0)> : tensor<4xcomplex<f32>>

  %x1 = stablehlo.constant dense<[(1.0, 0.0), (0.0, 2.0), (-1.0, 0.0), (4.0, 0.0)]> : tensor<4xcomplex<f64>>
  %r1 = stablehlo.fft %x1, type = FFT, length = [4]
      : (tensor<4xcomplex<f64>>) -> tensor<4xcomplex<f64>>
  check.expect_almost_eq_const %r1, dense<[(4.0, 2.0), (4.0, 4.0), (-4.0, -2.0), (0.0, -4.0)]> : tensor<4xcomplex<f64>>

  %x2 = stablehlo.constant dense<[(10.0, 0.0), (-2.0, 2.0), (-2.0, 0.0), (-2.0, -2.0)]> : tensor<4xcomplex<f64>>
  %r2 = stablehlo.fft %x2, type = IFFT, length = [4]
      : (tensor<4xcomplex<f64>>) -> tensor<4xcomplex<f64>>
  check.expect_almost_eq_const %r2, dense<[(1.0, 0.0), (2.0, 0.0), (3.0, 0.0), (4.0, 0.0)]> : tensor<4xcomplex<f64>>

  %x3 = stablehlo.constant dense<[(1.0, 0.0), (2.0, 0.0), (3.0, -1.0)]> : tensor<3xcomplex<f64>>
  %r3 = stablehlo.fft %x3, type = FFT, length = [3]
      : (tensor<3xcomplex<f64>>) -> tensor<3xcomplex<f64>>
  check.expect_almost_eq_const %r3, dense<[(6.0, -1.0),
                                           (-0.6339745962155614, 1.3660254037844386),
                                           (-2.3660254037844384, -0.3660254037844386)]> : tensor<3xcomplex<f64>>

  %x4 = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %r4 = stablehlo.fft %x4, type = RFFT, length = [4] : (tensor<4xf32>) -> tensor<3xcomplex<f32>>
  check.expect_almost_eq_const %r4, dense<[(10.0, 0.0), (-2.0, 2.0), (-2.0, 0.0)]> : tensor<3xcomplex<f32>>

  %x5 = stablehlo.constant dense<[1.0, 2.0, 4.0]> : tensor<3xf64>
  %r5 = stablehlo.fft %x5, type = RFFT, length = [3] : (tensor<3xf64>) -> tensor<2xcomplex<f64>>
  check.expect_almost_eq_const %r5, dense<[(7.0, 0.0), (-2.0, 1.7320508075688772)]> : tensor<2xcomplex<f64>>

  %x6 = stablehlo.constant dense<[(10.0, 0.0), (-2.0, 2.0), (-2.0, 0.0)]> : tensor<3xcomplex<f32>>
  %r6 = stablehlo.fft %x6, type = IRFFT, length = [4] : (tensor<3xcomplex<f32>>) -> tensor<4xf32>
  check.expect_almost_eq_const %r6, dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>

  %x7 = stablehlo.constant dense<[(7.0, 0.0), (-2.0, 1.0)]> : tensor<2xcomplex<f64>>
  %r7 = stablehlo.fft %x7, type = IRFFT, length = [3] : (tensor<2xcomplex<f64>>) -> tensor<3xf64>
  check.expect_almost_eq_const %r7, dense<[1.0, 2.4226497308103743, 3.5773502691896253]> : tensor<3xf64>

  %x8 = stablehlo.constant dense<[[(1.0, 0.0), (2.0, 0.0)], [(3.0, 0.0), (0.0, 4.0)]]> : tensor<2x2xcomplex<f32>>
  %r8 = stablehlo.fft %x8, type = FFT, length = [2, 2]
      : (tensor<2x2xcomplex<f32>>) -> tensor<2x2xcomplex<f32>>
  check.expect_almost_eq_const %r8, dense<[[(6.0, 4.0), (2.0, -4.0)],
                                           [(0.0, -4.0), (-4.0, 4.0)]]> : tensor<2x2xcomplex<f32>>

  %x9 = stablehlo.constant dense<[[(1.0, 0.0), (1.0, 0.0)], [(2.0, 0.0), (4.0, 0.0)]]> : tensor<2x2xcomplex<f32>>
  %r9 = stablehlo.fft %x9, type = FFT, length = [2]
      : (tensor<2x2xcomplex<f32>>) -> tensor<2x2xcomplex<f32>>
  check.expect_almost_eq_const %r9, dense<[[(2.0, 0.0), (0.0, 0.0)], [(6.0, 0.0), (-2.0, 0.0)]]> : tensor<2x2xcomplex<f32>>

  %x10 = stablehlo.constant dense<[[1.0, 2.0], [3.0, 5.0]]> : tensor<2x2xf32>
  %r10 = stablehlo.fft %x10, type = RFFT, length = [2, 2]
      : (tensor<2x2xf32>) -> tensor<2x2xcomplex<f32>>
  check.expect_almost_eq_const %r10, dense<[[(11.0, 0.0), (-3.0, 0.0)],
                                            [(-5.0, 0.0), (1.0, 0.0)]]> : tensor<2x2xcomplex<f32>>

  %x11 = stablehlo.constant dense<> : tensor<0x4xf32>
  %r11 = stablehlo.fft %x11, type = RFFT, length = [4]
      : (tensor<0x4xf32>) -> tensor<0x3xcomplex<f32>>
  check.expect_eq_const %r11, dense<> : tensor<0x3xcomplex<f32>>
  func.return
}
