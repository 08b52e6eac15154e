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
