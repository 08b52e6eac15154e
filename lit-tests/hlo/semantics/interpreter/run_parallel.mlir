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

// -----

func.func @run_parallel_empty(%a: tensor<2xf32>) {
  // expected-error @+1 {{'interpreter.run_parallel' op attribute 'programs' has no function to run}}
  "interpreter.run_parallel"(%a) {programs = []} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @run_parallel_empty_row(%a: tensor<2xf32>) {
  // expected-error @+1 {{'interpreter.run_parallel' op attribute 'programs' has no function to run}}
  "interpreter.run_parallel"(%a) {programs = [[]]} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @run_parallel_rows(%a: tensor<2xf32>) {
  // expected-error @+1 {{'interpreter.run_parallel' op attribute 'programs' has 2 functions for replica 1, but 1 for replica 0}}
  "interpreter.run_parallel"(%a) {programs = [[@f], [@f, @f]]} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @run_parallel_unknown(%a: tensor<2xf32>) {
  // expected-error @+1 {{'interpreter.run_parallel' op attribute 'programs' has @g, which is not a function}}
  "interpreter.run_parallel"(%a) {programs = [[@f], [@g]]} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

func.func private @f(%x: tensor<2xf32>) -> tensor<2xf32> {
  return %x : tensor<2xf32>
}

// -----

func.func @run_parallel_unknown_infeed(%a: tensor<2xf32>) {
  // expected-error @+1 {{'interpreter.run_parallel' op attribute 'infeed' has @g, which is not a function}}
  "interpreter.run_parallel"(%a) {programs = [[@f]], infeed = [@g]} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

func.func private @f(%x: tensor<2xf32>) -> tensor<2xf32> {
  return %x : tensor<2xf32>
}

// -----

func.func @run_parallel_operands(%a: tensor<2xf32>) {
  // expected-error @+1 {{'interpreter.run_parallel' op has 1 operands, but attribute 'programs' has 2}}
  "interpreter.run_parallel"(%a) {programs = [[@f, @f]]} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

func.func private @f(%x: tensor<2xf32>) -> tensor<2xf32> {
  return %x : tensor<2xf32>
}

// -----

func.func @run_parallel_results(%a: tensor<2xf32>) {
  // expected-error @+1 {{'interpreter.run_parallel' op result 0 has type tensor<3xf32>, but that of attribute 'programs' has type tensor<2xf32>}}
  "interpreter.run_parallel"(%a) {programs = [[@f]]} : (tensor<2xf32>) -> tensor<3xf32>
  return
}

func.func private @f(%x: tensor<2xf32>) -> tensor<2xf32> {
  return %x : tensor<2xf32>
}
