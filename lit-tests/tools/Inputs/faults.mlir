// Planted faults, each at the line with FAULT, and programs without one.

func.func @log_of_zero(%x: tensor<4x32xf32>) -> tensor<4x32xf32> {
  %half = stablehlo.constant dense<0.5> : tensor<4x32xf32>
  %0 = stablehlo.multiply %x, %half : tensor<4x32xf32>
  %1 = stablehlo.log %0 : tensor<4x32xf32> // FAULT
  %2 = stablehlo.multiply %1, %x : tensor<4x32xf32>
  return %2 : tensor<4x32xf32>
}

func.func @zero_by_zero(%x: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %0 = stablehlo.tanh %x : tensor<64x64xf32>
  %1 = stablehlo.divide %0, %x : tensor<64x64xf32> // FAULT
  %2 = stablehlo.tanh %1 : tensor<64x64xf32>
  return %2 : tensor<64x64xf32>
}

// The infinity is lost: the result is 0.
func.func @overflow_of_exp(%x: tensor<100xf32>) -> tensor<100xf32> {
  %one = stablehlo.constant dense<1.0> : tensor<100xf32>
  %0 = stablehlo.exponential %x : tensor<100xf32> // FAULT
  %1 = stablehlo.add %one, %0 : tensor<100xf32>
  %2 = stablehlo.divide %one, %1 : tensor<100xf32>
  return %2 : tensor<100xf32>
}

func.func @root_of_negative(%x: tensor<8xf64>) -> tensor<f64> {
  %low = stablehlo.constant dense<0.0> : tensor<f64>
  %0 = stablehlo.sqrt %x : tensor<8xf64> // FAULT
  %1 = stablehlo.reduce(%0 init: %low) applies stablehlo.maximum across dimensions = [0] : (tensor<8xf64>, tensor<f64>) -> tensor<f64>
  return %1 : tensor<f64>
}

func.func @difference_of_infinities(%x: tensor<16xbf16>) -> tensor<16xbf16> {
  %0 = stablehlo.negate %x : tensor<16xbf16>
  %1 = stablehlo.add %x, %0 : tensor<16xbf16> // FAULT
  return %1 : tensor<16xbf16>
}

func.func @seventh_iteration(%x: tensor<f32>, %v: tensor<4xf32>) -> (tensor<f32>, tensor<4xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %many = stablehlo.constant dense<20> : tensor<i32>
  %six = stablehlo.constant dense<6> : tensor<i32>
  %0:3 = stablehlo.while(%i = %zero, %y = %x, %w = %v) : tensor<i32>, tensor<f32>, tensor<4xf32> // LOOP
    cond {
      %c = stablehlo.compare LT, %i, %many : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      %n = stablehlo.add %i, %one : tensor<i32>
      %d = stablehlo.subtract %i, %six : tensor<i32>
      %f = stablehlo.convert %d : (tensor<i32>) -> tensor<f32>
      %q = stablehlo.divide %y, %f : tensor<f32> // FAULT
      %s = stablehlo.broadcast_in_dim %f, dims = [] : (tensor<f32>) -> tensor<4xf32>
      %p = stablehlo.multiply %w, %s : tensor<4xf32>
      stablehlo.return %n, %q, %p : tensor<i32>, tensor<f32>, tensor<4xf32>
    }
  return %0#1, %0#2 : tensor<f32>, tensor<4xf32>
}

// The condition of a solver loses NaN.
func.func @solver(%x: tensor<64xf32>) -> tensor<f32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %small = stablehlo.constant dense<1.0e-3> : tensor<f32>
  %0:2 = stablehlo.while(%v = %x, %e = %small) : tensor<64xf32>, tensor<f32> // LOOP
    cond {
      %c = stablehlo.compare GE, %e, %small : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      %s = stablehlo.subtract %v, %v : tensor<64xf32>
      %r = stablehlo.sine %s : tensor<64xf32>
      %n = stablehlo.reduce(%r init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<64xf32>, tensor<f32>) -> tensor<f32>
      %q = stablehlo.divide %n, %zero : tensor<f32> // FAULT
      stablehlo.return %r, %q : tensor<64xf32>, tensor<f32>
    }
  return %0#1 : tensor<f32>
}

func.func @softmax_without_maximum(%x: tensor<64x128xf32>) -> tensor<64x128xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %e = stablehlo.exponential %x : tensor<64x128xf32> // FAULT
  %s = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<64x128xf32>, tensor<f32>) -> tensor<64xf32>
  %b = stablehlo.broadcast_in_dim %s, dims = [0] : (tensor<64xf32>) -> tensor<64x128xf32>
  %r = stablehlo.divide %e, %b : tensor<64x128xf32>
  return %r : tensor<64x128xf32>
}

func.func @variance_of_constant(%x: tensor<32x256xf32>) -> tensor<32x256xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %count = stablehlo.constant dense<256.0> : tensor<32xf32>
  %s = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<32x256xf32>, tensor<f32>) -> tensor<32xf32>
  %m = stablehlo.divide %s, %count : tensor<32xf32>
  %b = stablehlo.broadcast_in_dim %m, dims = [0] : (tensor<32xf32>) -> tensor<32x256xf32>
  %d = stablehlo.subtract %x, %b : tensor<32x256xf32>
  %q = stablehlo.multiply %d, %d : tensor<32x256xf32>
  %t = stablehlo.reduce(%q init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<32x256xf32>, tensor<f32>) -> tensor<32xf32>
  %v = stablehlo.rsqrt %t : tensor<32xf32> // FAULT
  %w = stablehlo.broadcast_in_dim %v, dims = [0] : (tensor<32xf32>) -> tensor<32x256xf32>
  %r = stablehlo.multiply %d, %w : tensor<32x256xf32>
  return %r : tensor<32x256xf32>
}

// With a mask that is false in a whole row, and without.
func.func @masked_softmax(%x: tensor<64x32xf32>, %w: tensor<32x128xf32>, %m: tensor<64x128xi1>) -> tensor<64x128xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %lows = stablehlo.constant dense<0xFF800000> : tensor<64x128xf32>
  %d = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<64x32xf32>, tensor<32x128xf32>) -> tensor<64x128xf32>
  %s = stablehlo.select %m, %d, %lows : tensor<64x128xi1>, tensor<64x128xf32>
  %g = stablehlo.reduce(%s init: %low) applies stablehlo.maximum across dimensions = [1] : (tensor<64x128xf32>, tensor<f32>) -> tensor<64xf32>
  %h = stablehlo.broadcast_in_dim %g, dims = [0] : (tensor<64xf32>) -> tensor<64x128xf32>
  %u = stablehlo.subtract %s, %h : tensor<64x128xf32> // FAULT
  %e = stablehlo.exponential %u : tensor<64x128xf32>
  %t = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<64x128xf32>, tensor<f32>) -> tensor<64xf32>
  %b = stablehlo.broadcast_in_dim %t, dims = [0] : (tensor<64xf32>) -> tensor<64x128xf32>
  %r = stablehlo.divide %e, %b : tensor<64x128xf32>
  return %r : tensor<64x128xf32>
}

func.func @sum_of_f16(%x: tensor<8x4096xf16>) -> tensor<8xf16> {
  %zero = stablehlo.constant dense<0.0> : tensor<f16>
  %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<8x4096xf16>, tensor<f16>) -> tensor<8xf16> // FAULT
  return %0 : tensor<8xf16>
}

// A relu loses the infinity.
func.func @product(%x: tensor<16x32xf32>, %w: tensor<32x64xf32>) -> tensor<16x64xf32> {
  %zeros = stablehlo.constant dense<0.0> : tensor<16x64xf32>
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<16x32xf32>, tensor<32x64xf32>) -> tensor<16x64xf32> // FAULT
  %1 = stablehlo.maximum %0, %zeros : tensor<16x64xf32>
  return %1 : tensor<16x64xf32>
}

func.func private @root(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.sqrt %x : tensor<8xf32> // FAULT
  return %0 : tensor<8xf32>
}
func.func @in_a_function(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.abs %x : tensor<8xf32>
  %1 = func.call @root(%0) : (tensor<8xf32>) -> tensor<8xf32>
  %2 = func.call @root(%x) : (tensor<8xf32>) -> tensor<8xf32> // CALL
  %3 = stablehlo.add %1, %2 : tensor<8xf32>
  return %3 : tensor<8xf32>
}

func.func @guarded(%x: tensor<8xf32>) -> tensor<8xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<8xf32>
  %c = stablehlo.compare GT, %x, %zero : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
  %0 = stablehlo.log %x : tensor<8xf32> // FAULT
  %1 = stablehlo.multiply %x, %0 : tensor<8xf32>
  %2 = stablehlo.select %c, %1, %zero : tensor<8xi1>, tensor<8xf32>
  return %2 : tensor<8xf32>
}

// The constant is infinite, and the product is NaN only of it and 0.
func.func @infinite_constant(%x: tensor<8xf32>) -> tensor<8xf32> {
  %high = stablehlo.constant dense<0x7F800000> : tensor<8xf32>
  %0 = stablehlo.multiply %x, %high : tensor<8xf32> // FAULT
  return %0 : tensor<8xf32>
}

func.func @tiny(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.multiply %x, %x : tensor<8xf32> // FAULT
  return %0 : tensor<8xf32>
}
