// RUN: halo-opt %s --split-input-file --verify-diagnostics --allow-unregistered-dialect

// Values that have dimensions, of any size.
func.func @main(%a: tensor<8x6xf32>, %b: tensor<?xf32>) {
  sdy.sharding_group %a group_id=0 : tensor<8x6xf32>
  sdy.sharding_group %b group_id=1 : tensor<?xf32>
  return
}

// -----

// What is no tensor cannot be divided.
func.func @main(%a: !stablehlo.token) {
  // expected-error @+1 {{'sdy.sharding_group' op operand 0 is '!stablehlo.token', which is no ranked tensor}}
  sdy.sharding_group %a group_id=0 : !stablehlo.token
  return
}

// -----

// How a tensor without a rank is divided cannot be said.
func.func @main(%a: tensor<*xf32>) {
  // expected-error @+1 {{'sdy.sharding_group' op operand 0 is 'tensor<*xf32>', which is no ranked tensor}}
  sdy.sharding_group %a group_id=0 : tensor<*xf32>
  return
}
