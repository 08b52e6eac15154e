// RUN: halo-opt %s --split-input-file --verify-diagnostics

func.func @run_parallel_attribute(%a: tensor<2xf32>) {
  // expected-error @+1 {{'interpreter.run_parallel' op requires attribute 'programs'}}
  %0 = "interpreter.run_parallel"(%a) : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @run_parallel_programs(%a: tensor<2xf32>) {
  // expected-error @+1 {{'interpreter.run_parallel' op attribute 'programs' failed to satisfy constraint: array of arrays of functions}}
  %0 = "interpreter.run_parallel"(%a) {programs = [@f]} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @run_parallel_infeed(%a: tensor<2xf32>) {
  // expected-error @+1 {{'interpreter.run_parallel' op attribute 'infeed' failed to satisfy constraint: array of functions}}
  %0 = "interpreter.run_parallel"(%a) {programs = [[@f]], infeed = [1 : i32]} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @run_parallel_input_type(%a: tuple<tensor<f32>>) {
  // expected-error @+1 {{'interpreter.run_parallel' op operand #0 must be variadic of ranked tensor of 4/6/8/16/32/64-bit float or bool or 2/4/8/16/32/64-bit integer or complex type with 32/64-bit float elements or per-tensor integer quantized or per-axis integer quantized values or token, but got 'tuple<tensor<f32>>'}}
  %0 = "interpreter.run_parallel"(%a) {programs = [[@f]]} : (tuple<tensor<f32>>) -> tensor<2xf32>
  return
}
