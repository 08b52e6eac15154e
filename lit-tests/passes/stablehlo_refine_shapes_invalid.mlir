// RUN: halo-opt %s --stablehlo-refine-shapes --split-input-file --verify-diagnostics

func.func @main(%a: tensor<3xf32>) -> tensor<?xf32> {
  %0 = func.call @forever(%a) : (tensor<3xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
func.func private @forever(%a: tensor<3xf32>) -> tensor<?xf32> {
  // expected-error @+1 {{a recursive function has no shapes that follow from its arguments}}
  %0 = func.call @forever(%a) : (tensor<3xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// expected-error @+1 {{has no function 'main' whose arguments shapes follow from}}
module {
  func.func @a() { return }
  func.func @b() { return }
}
