// RUN: halo-translate --stablehlo-to-hlo-text --split-input-file --verify-diagnostics %s

func.func @main(%x: tensor<f32>) -> tensor<f32> {
  // expected-error@+1 {{'arith.addf' op has no equivalent in HLO text}}
  %0 = arith.addf %x, %x : tensor<f32>
  return %0 : tensor<f32>
}

// -----

// expected-error@+1 {{'func.func' op HLO has no values of type f32}}
func.func @main(%x: f32) -> f32 {
  return %x : f32
}

// -----

// expected-error@+1 {{'builtin.module' op has no function 'main' and not exactly one public function}}
module {
  func.func @f() {
    return
  }
  func.func @g() {
    return
  }
}

// -----

func.func @main() {
  call @f() : () -> ()
  return
}
// expected-error@+1 {{'func.func' op 'f' calls itself, which HLO cannot}}
func.func private @f() {
  call @main() : () -> ()
  return
}

// -----

func.func @main(%x: tensor<4xf32>, %y: tensor<f32>) -> tensor<f32> {
  %0 = "stablehlo.reduce"(%x, %y) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    // expected-error@+1 {{'stablehlo.add' op uses a value of the code around it, which a computation of HLO cannot}}
    %1 = stablehlo.add %a, %y : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) {dimensions = array<i64: 0>} : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}
