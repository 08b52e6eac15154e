// RUN: halo-opt %s --split-input-file --verify-diagnostics

func.func @send_c1(%a: tensor<8xf32>, %b: !stablehlo.token) {
  // expected-error @+1 {{'stablehlo.send' op attribute 'channel_handle' has type 2, but 'is_host_transfer' is false, which needs type 1}}
  %0 = "stablehlo.send"(%a, %b) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 2>} : (tensor<8xf32>, !stablehlo.token) -> !stablehlo.token
  return
}

// -----

func.func @send_c1_host(%a: tensor<8xf32>, %b: !stablehlo.token) {
  // expected-error @+1 {{'stablehlo.send' op attribute 'channel_handle' has type 1, but 'is_host_transfer' is true, which needs type 2}}
  %0 = "stablehlo.send"(%a, %b) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, is_host_transfer = true} : (tensor<8xf32>, !stablehlo.token) -> !stablehlo.token
  return
}

// -----

func.func @send_pairs(%a: tensor<8xf32>, %b: !stablehlo.token) {
  // expected-error @+1 {{'stablehlo.send' op attribute 'source_target_pairs' has 0 twice as source}}
  %0 = "stablehlo.send"(%a, %b) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [0, 2]]> : tensor<2x2xi64>} : (tensor<8xf32>, !stablehlo.token) -> !stablehlo.token
  return
}

// -----

func.func @send_attribute(%a: tensor<8xf32>, %b: !stablehlo.token) {
  // expected-error @+1 {{'stablehlo.send' op requires attribute 'channel_handle'}}
  %0 = "stablehlo.send"(%a, %b) : (tensor<8xf32>, !stablehlo.token) -> !stablehlo.token
  return
}

// -----

func.func @send_result_type(%a: !stablehlo.token) {
  // expected-error @+1 {{'stablehlo.send' op result #0 must be token, but got 'tensor<f32>'}}
  %0 = "stablehlo.send"(%a) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>} : (!stablehlo.token) -> tensor<f32>
  return
}
