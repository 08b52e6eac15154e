// RUN: halo-opt %s --split-input-file --verify-diagnostics

func.func @fft_c1(%a: tensor<8xcomplex<f32>>) {
  // expected-error @+1 {{'stablehlo.fft' op operand 0 has rank 1, but attribute 'fft_length' has 2 entries}}
  %0 = "stablehlo.fft"(%a) {fft_type = #stablehlo<fft_type FFT>, fft_length = array<i64: 8, 8>} : (tensor<8xcomplex<f32>>) -> tensor<8xcomplex<f32>>
  return
}

// -----

func.func @fft_c3_empty(%a: tensor<8xcomplex<f32>>) {
  // expected-error @+1 {{'stablehlo.fft' op attribute 'fft_length' has 0 entries, but a transform has 1 to 3 dimensions}}
  %0 = "stablehlo.fft"(%a) {fft_type = #stablehlo<fft_type FFT>, fft_length = array<i64>} : (tensor<8xcomplex<f32>>) -> tensor<8xcomplex<f32>>
  return
}

// -----

func.func @fft_c2(%a: tensor<8xf32>) {
  // expected-error @+1 {{'stablehlo.fft' op operand 0 has element type f32, which FFT does not transform}}
  %0 = "stablehlo.fft"(%a) {fft_type = #stablehlo<fft_type FFT>, fft_length = array<i64: 8>} : (tensor<8xf32>) -> tensor<8xcomplex<f32>>
  return
}

// -----

func.func @fft_c2_rfft(%a: tensor<8xcomplex<f32>>) {
  // expected-error @+1 {{'stablehlo.fft' op operand 0 has element type complex<f32>, which RFFT does not transform}}
  %0 = "stablehlo.fft"(%a) {fft_type = #stablehlo<fft_type RFFT>, fft_length = array<i64: 8>} : (tensor<8xcomplex<f32>>) -> tensor<5xcomplex<f32>>
  return
}

// -----

func.func @fft_c2_irfft(%a: tensor<5xf32>) {
  // expected-error @+1 {{'stablehlo.fft' op operand 0 has element type f32, which IRFFT does not transform}}
  %0 = "stablehlo.fft"(%a) {fft_type = #stablehlo<fft_type IRFFT>, fft_length = array<i64: 8>} : (tensor<5xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @fft_c2_result(%a: tensor<8xf32>) {
  // expected-error @+1 {{'stablehlo.fft' op result 0 has element type complex<f64>, but the operands and attributes of the op imply complex<f32>}}
  %0 = "stablehlo.fft"(%a) {fft_type = #stablehlo<fft_type RFFT>, fft_length = array<i64: 8>} : (tensor<8xf32>) -> tensor<5xcomplex<f64>>
  return
}

// -----

func.func @fft_c3(%a: tensor<8xcomplex<f32>>) {
  // expected-error @+1 {{'stablehlo.fft' op attribute 'fft_length' has 4 entries, but a transform has 1 to 3 dimensions}}
  %0 = "stablehlo.fft"(%a) {fft_type = #stablehlo<fft_type FFT>, fft_length = array<i64: 1, 1, 1, 8>} : (tensor<8xcomplex<f32>>) -> tensor<8xcomplex<f32>>
  return
}

// -----

func.func @fft_c3_rank(%a: tensor<1x1x1x8xcomplex<f32>>) {
  // expected-error @+1 {{'stablehlo.fft' op attribute 'fft_length' has 4 entries, but a transform has 1 to 3 dimensions}}
  %0 = "stablehlo.fft"(%a) {fft_type = #stablehlo<fft_type FFT>, fft_length = array<i64: 1, 1, 1, 8>} : (tensor<1x1x1x8xcomplex<f32>>) -> tensor<1x1x1x8xcomplex<f32>>
  return
}

// -----

func.func @fft_c4(%a: tensor<8xf32>) {
  // expected-error @+1 {{'stablehlo.fft' op dimension 0 of operand 0 has size 8, but 'fft_length' implies 9}}
  %0 = "stablehlo.fft"(%a) {fft_type = #stablehlo<fft_type RFFT>, fft_length = array<i64: 9>} : (tensor<8xf32>) -> tensor<5xcomplex<f32>>
  return
}

// -----

func.func @fft_c5_operand(%a: tensor<5xcomplex<f32>>) {
  // expected-error @+1 {{'stablehlo.fft' op dimension 0 of operand 0 has size 5, but 'fft_length' implies 4}}
  %0 = "stablehlo.fft"(%a) {fft_type = #stablehlo<fft_type IRFFT>, fft_length = array<i64: 7>} : (tensor<5xcomplex<f32>>) -> tensor<7xf32>
  return
}

// -----

func.func @fft_c5(%a: tensor<8xf32>) {
  // expected-error @+1 {{'stablehlo.fft' op result 0 has shape 8, but the operands and attributes of the op imply shape 5}}
  %0 = "stablehlo.fft"(%a) {fft_type = #stablehlo<fft_type RFFT>, fft_length = array<i64: 8>} : (tensor<8xf32>) -> tensor<8xcomplex<f32>>
  return
}

// -----

func.func @fft_c4_irfft(%a: tensor<5xcomplex<f32>>) {
  // expected-error @+1 {{'stablehlo.fft' op result 0 has shape 9, but the operands and attributes of the op imply shape 8}}
  %0 = "stablehlo.fft"(%a) {fft_type = #stablehlo<fft_type IRFFT>, fft_length = array<i64: 8>} : (tensor<5xcomplex<f32>>) -> tensor<9xf32>
  return
}

// -----

// The length says the size that the operand does not.
func.func @fft_c5_dynamic(%a: tensor<?x?xf64>) {
  // expected-error @+1 {{'stablehlo.fft' op result 0 has shape ?x5, but the operands and attributes of the op imply shape ?x10}}
  %0 = "stablehlo.fft"(%a) {fft_type = #stablehlo<fft_type RFFT>, fft_length = array<i64: 18>} : (tensor<?x?xf64>) -> tensor<?x5xcomplex<f64>>
  return
}

// -----

func.func @fft_length(%a: tensor<8xcomplex<f32>>) {
  // expected-error @+1 {{'stablehlo.fft' op dimension 0 of operand 0 has size 8, but 'fft_length' implies 4}}
  %0 = "stablehlo.fft"(%a) {fft_type = #stablehlo<fft_type FFT>, fft_length = array<i64: 4>} : (tensor<8xcomplex<f32>>) -> tensor<8xcomplex<f32>>
  return
}

// -----

func.func @ifft_length(%a: tensor<2x8x4xcomplex<f32>>) {
  // expected-error @+1 {{'stablehlo.fft' op dimension 1 of operand 0 has size 8, but 'fft_length' implies 4}}
  %0 = "stablehlo.fft"(%a) {fft_type = #stablehlo<fft_type IFFT>, fft_length = array<i64: 4, 4>} : (tensor<2x8x4xcomplex<f32>>) -> tensor<2x8x4xcomplex<f32>>
  return
}

// -----

func.func @fft_length_bounded(%a: tensor<?xcomplex<f32>, #stablehlo.bounds<6>>) {
  // expected-error @+1 {{'stablehlo.fft' op dimension 0 of operand 0 has size ?(<=6), but 'fft_length' implies 8}}
  %0 = "stablehlo.fft"(%a) {fft_type = #stablehlo<fft_type FFT>, fft_length = array<i64: 8>} : (tensor<?xcomplex<f32>, #stablehlo.bounds<6>>) -> tensor<?xcomplex<f32>, #stablehlo.bounds<6>>
  return
}

// -----

func.func @irfft_length_negative(%a: tensor<0xcomplex<f32>>) {
  // expected-error @+1 {{'stablehlo.fft' op attribute 'fft_length' has -2 for dimension 0, but must be at least 0}}
  %0 = "stablehlo.fft"(%a) {fft_type = #stablehlo<fft_type IRFFT>, fft_length = array<i64: -2>} : (tensor<0xcomplex<f32>>) -> tensor<0xf32>
  return
}

// -----

// A length that the operand may have at run time.
func.func @fft_length_open(%a: tensor<?x?xcomplex<f32>, #stablehlo.bounds<?, 8>>) -> tensor<?x?xcomplex<f32>, #stablehlo.bounds<?, 8>> {
  %0 = "stablehlo.fft"(%a) {fft_type = #stablehlo<fft_type FFT>, fft_length = array<i64: 4, 8>} : (tensor<?x?xcomplex<f32>, #stablehlo.bounds<?, 8>>) -> tensor<?x?xcomplex<f32>, #stablehlo.bounds<?, 8>>
  return %0 : tensor<?x?xcomplex<f32>, #stablehlo.bounds<?, 8>>
}
