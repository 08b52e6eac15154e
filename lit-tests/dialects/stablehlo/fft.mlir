// RUN: halo-opt %s | FileCheck %s
// RUN: halo-opt %s | halo-opt | FileCheck %s
// RUN: halo-opt %s --mlir-print-op-generic | halo-opt | FileCheck %s
// RUN: halo-opt %s --emit-bytecode | halo-opt | FileCheck %s

// CHECK-LABEL: func.func @kinds(
// CHECK: %0 = stablehlo.fft %arg0, type = FFT, length = [8] : (tensor<3x8xcomplex<f32>>) -> tensor<3x8xcomplex<f32>>
// CHECK: %1 = stablehlo.fft %arg0, type = IFFT, length = [3, 8] : (tensor<3x8xcomplex<f32>>) -> tensor<3x8xcomplex<f32>>
// CHECK: %2 = stablehlo.fft %arg1, type = RFFT, length = [8] : (tensor<3x8xf32>) -> tensor<3x5xcomplex<f32>>
// CHECK: %3 = stablehlo.fft %arg2, type = IRFFT, length = [8] : (tensor<3x5xcomplex<f32>>) -> tensor<3x8xf32>
func.func @kinds(%c: tensor<3x8xcomplex<f32>>, %r: tensor<3x8xf32>, %h: tensor<3x5xcomplex<f32>>) {
  %0 = stablehlo.fft %c, type = FFT, length = [8] : (tensor<3x8xcomplex<f32>>) -> tensor<3x8xcomplex<f32>>
  %1 = stablehlo.fft %c, type = IFFT, length = [3, 8] : (tensor<3x8xcomplex<f32>>) -> tensor<3x8xcomplex<f32>>
  %2 = stablehlo.fft %r, type = RFFT, length = [8] : (tensor<3x8xf32>) -> tensor<3x5xcomplex<f32>>
  %3 = stablehlo.fft %h, type = IRFFT, length = [8] : (tensor<3x5xcomplex<f32>>) -> tensor<3x8xf32>
  return
}

// CHECK-LABEL: func.func @types(
// CHECK: %0 = stablehlo.fft %arg0, type = FFT, length = [2, 3, 4] : (tensor<2x3x4xcomplex<f64>>) -> tensor<2x3x4xcomplex<f64>>
// CHECK: %1 = stablehlo.fft %arg1, type = RFFT, length = [9] : (tensor<?x9xf64>) -> tensor<?x5xcomplex<f64>>
func.func @types(%a: tensor<2x3x4xcomplex<f64>>, %b: tensor<?x9xf64>) {
  %0 = stablehlo.fft %a, type = FFT, length = [2, 3, 4] : (tensor<2x3x4xcomplex<f64>>) -> tensor<2x3x4xcomplex<f64>>
  %1 = stablehlo.fft %b, type = RFFT, length = [9] : (tensor<?x9xf64>) -> tensor<?x5xcomplex<f64>>
  return
}

// CHECK-LABEL: func.func @other_forms(
// CHECK: %0 = stablehlo.fft %arg0, type = IFFT, length = [8] : (tensor<8xcomplex<f32>>) -> tensor<8xcomplex<f32>>
// CHECK: %1 = stablehlo.fft %arg0, type = FFT, length = [8] {tag} : (tensor<8xcomplex<f32>>) -> tensor<8xcomplex<f32>>
func.func @other_forms(%c: tensor<8xcomplex<f32>>) {
  %0 = "stablehlo.fft"(%c) <{fft_length = array<i64: 8>, fft_type = #stablehlo<fft_type IFFT>}> : (tensor<8xcomplex<f32>>) -> tensor<8xcomplex<f32>>
  %1 = stablehlo.fft %c, type = FFT, length = [8] {tag} : (tensor<8xcomplex<f32>>) -> tensor<8xcomplex<f32>>
  return
}
