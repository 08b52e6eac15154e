// RUN: halo-opt %s --split-input-file --verify-diagnostics

func.func private @part(tensor<f32>) -> tensor<f32>
func.func @composite_c1(%a: tensor<f32>) {
  // expected-error @+1 {{'stablehlo.composite' op attribute 'name' is "gelu", but must be a namespace and a name with a point between them}}
  %0 = "stablehlo.composite"(%a) {name = "gelu", decomposition = @part} : (tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func private @part(tensor<f32>) -> tensor<f32>
func.func @composite_c1_empty(%a: tensor<f32>) {
  // expected-error @+1 {{'stablehlo.composite' op attribute 'name' is "", but must be a namespace and a name with a point between them}}
  %0 = "stablehlo.composite"(%a) {name = "", decomposition = @part} : (tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func private @part(tensor<f32>) -> tensor<f32>
func.func @composite_c2(%a: tensor<f32>) {
  // expected-error @+1 {{'stablehlo.composite' op attribute 'decomposition' is @missing, which is not a function}}
  %0 = "stablehlo.composite"(%a) {name = "my.gelu", decomposition = @missing} : (tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func private @part(tensor<f64>) -> tensor<f32>
func.func @composite_c3(%a: tensor<f32>) {
  // expected-error @+1 {{'stablehlo.composite' op operand 0 has type tensor<f32>, but that of @part has type tensor<f64>}}
  %0 = "stablehlo.composite"(%a) {name = "my.gelu", decomposition = @part} : (tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func private @part(tensor<f32>) -> tensor<f32>
func.func @composite_c3_count(%a: tensor<f32>, %b: tensor<f32>) {
  // expected-error @+1 {{'stablehlo.composite' op has 2 operands, but @part has 1}}
  %0 = "stablehlo.composite"(%a, %b) {name = "my.gelu", decomposition = @part} : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func private @part(tensor<f32>) -> tensor<f64>
func.func @composite_c4(%a: tensor<f32>) {
  // expected-error @+1 {{'stablehlo.composite' op result 0 has type tensor<f32>, but that of @part has type tensor<f64>}}
  %0 = "stablehlo.composite"(%a) {name = "my.gelu", decomposition = @part} : (tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func private @part(tensor<f32>) -> tensor<f32>
func.func @composite_c4_count(%a: tensor<f32>) {
  // expected-error @+1 {{'stablehlo.composite' op has 0 results, but @part has 1}}
  "stablehlo.composite"(%a) {name = "my.gelu", decomposition = @part} : (tensor<f32>) -> ()
  return
}

// -----

func.func private @part(tensor<f32>) -> tensor<f32>
func.func @composite_decomposition(%a: tensor<f32>) {
  // expected-error @+1 {{'stablehlo.composite' op requires attribute 'decomposition'}}
  %0 = "stablehlo.composite"(%a) {name = "my.gelu"} : (tensor<f32>) -> tensor<f32>
  return
}
