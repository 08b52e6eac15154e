// RUN: halo-opt %s --split-input-file --verify-diagnostics

func.func @recv_c1(%a: !stablehlo.token) {
  // expected-error @+1 {{'stablehlo.recv' op attribute 'channel_handle' has type 3, but 'is_host_transfer' is false, which needs type 1}}
  %0 = "stablehlo.recv"(%a) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 3>} : (!stablehlo.token) -> !stablehlo.token
  return
}

// -----

func.func @recv_c1_host(%a: !stablehlo.token) {
  // expected-error @+1 {{'stablehlo.recv' op attribute 'channel_handle' has type 1, but 'is_host_transfer' is true, which needs type 3}}
  %0 = "stablehlo.recv"(%a) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, is_host_transfer = true} : (!stablehlo.token) -> !stablehlo.token
  return
}

// -----

func.func @recv_c2(%a: !stablehlo.token) {
  // expected-error @+1 {{'stablehlo.recv' op has no results, but must give a token}}
  "stablehlo.recv"(%a) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>} : (!stablehlo.token) -> ()
  return
}

// -----

func.func @recv_token(%a: !stablehlo.token) {
  // expected-error @+1 {{'stablehlo.recv' op result 0 has type tensor<2xi32>, but must be a token}}
  %0 = "stablehlo.recv"(%a) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>} : (!stablehlo.token) -> tensor<2xi32>
  return
}

// -----

func.func @recv_pairs(%a: !stablehlo.token) {
  // expected-error @+1 {{'stablehlo.recv' op attribute 'source_target_pairs' has 1 twice as target}}
  %0 = "stablehlo.recv"(%a) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [2, 1]]> : tensor<2x2xi64>} : (!stablehlo.token) -> !stablehlo.token
  return
}

// -----

func.func @recv_dynamic(%a: !stablehlo.token) {
  // expected-error @+1 {{'stablehlo.recv' op result #0 must be variadic of statically shaped tensor of 4/6/8/16/32/64-bit float or bool or 2/4/8/16/32/64-bit integer or complex type with 32/64-bit float elements or per-tensor integer quantized values or statically shaped tensor of 4/6/8/16/32/64-bit float or bool or 2/4/8/16/32/64-bit integer or complex type with 32/64-bit float elements or per-tensor integer quantized or per-axis integer quantized values or token, but got 'tensor<?xi32>'}}
  %0:2 = "stablehlo.recv"(%a) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>} : (!stablehlo.token) -> (tensor<?xi32>, !stablehlo.token)
  return
}

// -----

func.func @recv_attribute(%a: !stablehlo.token) {
  // expected-error @+1 {{'stablehlo.recv' op requires attribute 'channel_handle'}}
  %0 = "stablehlo.recv"(%a) : (!stablehlo.token) -> !stablehlo.token
  return
}
