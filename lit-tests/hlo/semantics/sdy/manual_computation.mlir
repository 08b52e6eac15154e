// RUN: halo-opt %s --split-input-file --verify-diagnostics --allow-unregistered-dialect

// Along one axis or both, one computation in another, and along none.
sdy.mesh @mesh = <["x"=2, "y"=2]>
sdy.mesh @other = <["x"=4]>
func.func @main(%a: tensor<8x6xf32>, %t: !stablehlo.token, %d: tensor<?x6xf32>) {
  %0:3 = sdy.manual_computation(%a, %t, %d) in_shardings=[<@mesh, [{"x", "y"}, {?}]>, <@mesh, []>, <@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{}, {"x"}]>, <@mesh, []>, <@mesh, [{"x"}, {}]>] manual_axes={"x"} (%b: tensor<4x6xf32>, %u: !stablehlo.token, %e: tensor<?x6xf32>) {
    %1 = sdy.manual_computation(%b) in_shardings=[<@mesh, [{"y"}, {}]>] out_shardings=[<@mesh, [{}, {"y"}]>] manual_axes={"y"} (%c: tensor<2x6xf32>) {
      %2 = stablehlo.reshape %c : (tensor<2x6xf32>) -> tensor<4x3xf32>
      sdy.return %2 : tensor<4x3xf32>
    } : (tensor<4x6xf32>) -> tensor<4x6xf32>
    %3 = stablehlo.reshape %1 : (tensor<4x6xf32>) -> tensor<8x3xf32>
    sdy.return %3, %u, %e : tensor<8x3xf32>, !stablehlo.token, tensor<?x6xf32>
  } : (tensor<8x6xf32>, !stablehlo.token, tensor<?x6xf32>) -> (tensor<8x6xf32>, !stablehlo.token, tensor<?x6xf32>)
  sdy.manual_computation() in_shardings=[] out_shardings=[] manual_axes={"x"} () {
    sdy.return
  } : () -> ()
  return
}

// -----

// Operands have a sharding each.
sdy.mesh @mesh = <["x"=2, "y"=2]>
sdy.mesh @other = <["x"=4]>
func.func @main(%a: tensor<8x6xf32>) -> tensor<8x6xf32> {
  // expected-error @+1 {{'sdy.manual_computation' op has 1 operands and 0 shardings of them}}
  %0 = sdy.manual_computation(%a) in_shardings=[] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%b: tensor<4x6xf32>) {
    sdy.return %b : tensor<4x6xf32>
  } : (tensor<8x6xf32>) -> tensor<8x6xf32>
  return %0 : tensor<8x6xf32>
}

// -----

// So have results.
sdy.mesh @mesh = <["x"=2, "y"=2]>
sdy.mesh @other = <["x"=4]>
func.func @main(%a: tensor<8x6xf32>) -> tensor<8x6xf32> {
  // expected-error @+1 {{'sdy.manual_computation' op has 1 results and 2 shardings of them}}
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>, <@mesh, [{"x"}, {}]>] manual_axes={"x"} (%b: tensor<4x6xf32>) {
    sdy.return %b : tensor<4x6xf32>
  } : (tensor<8x6xf32>) -> tensor<8x6xf32>
  return %0 : tensor<8x6xf32>
}

// -----

// The body has an argument for each operand.
sdy.mesh @mesh = <["x"=2, "y"=2]>
sdy.mesh @other = <["x"=4]>
func.func @main(%a: tensor<8x6xf32>) -> tensor<8x6xf32> {
  // expected-error @+1 {{'sdy.manual_computation' op has 1 operands and 2 in its body}}
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%b: tensor<4x6xf32>, %c: tensor<4x6xf32>) {
    sdy.return %b : tensor<4x6xf32>
  } : (tensor<8x6xf32>) -> tensor<8x6xf32>
  return %0 : tensor<8x6xf32>
}

// -----

// The body returns each result.
sdy.mesh @mesh = <["x"=2, "y"=2]>
sdy.mesh @other = <["x"=4]>
func.func @main(%a: tensor<8x6xf32>) -> tensor<8x6xf32> {
  // expected-error @+1 {{'sdy.manual_computation' op has 1 results and 0 in its body}}
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%b: tensor<4x6xf32>) {
    sdy.return
  } : (tensor<8x6xf32>) -> tensor<8x6xf32>
  return %0 : tensor<8x6xf32>
}

// -----

// Shardings are such.
sdy.mesh @mesh = <["x"=2, "y"=2]>
sdy.mesh @other = <["x"=4]>
func.func @main(%a: tensor<8x6xf32>) -> tensor<8x6xf32> {
  // expected-error @+1 {{'sdy.manual_computation' op operand 0: the mesh has no axis 'z'}}
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"z"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%b: tensor<4x6xf32>) {
    sdy.return %b : tensor<4x6xf32>
  } : (tensor<8x6xf32>) -> tensor<8x6xf32>
  return %0 : tensor<8x6xf32>
}

// -----

// Those of results, too.
sdy.mesh @mesh = <["x"=2, "y"=2]>
sdy.mesh @other = <["x"=4]>
func.func @main(%a: tensor<8x6xf32>) -> tensor<8x6xf32> {
  // expected-error @+1 {{'sdy.manual_computation' op result 0: a sharding of 1 dimensions is given to a tensor of 2}}
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}]>] manual_axes={"x"} (%b: tensor<4x6xf32>) {
    sdy.return %b : tensor<4x6xf32>
  } : (tensor<8x6xf32>) -> tensor<8x6xf32>
  return %0 : tensor<8x6xf32>
}

// -----

// Manual axes divide first.
sdy.mesh @mesh = <["x"=2, "y"=2]>
sdy.mesh @other = <["x"=4]>
func.func @main(%a: tensor<8x6xf32>) -> tensor<8x6xf32> {
  // expected-error @+1 {{'sdy.manual_computation' op operand 0: dimension 0 is divided by a manual axis behind one that is not}}
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"y", "x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%b: tensor<4x6xf32>) {
    sdy.return %b : tensor<4x6xf32>
  } : (tensor<8x6xf32>) -> tensor<8x6xf32>
  return %0 : tensor<8x6xf32>
}

// -----

// They divide without padding.
sdy.mesh @mesh = <["x"=2, "y"=2]>
sdy.mesh @other = <["x"=4]>
func.func @main(%a: tensor<7x6xf32>) -> tensor<8x6xf32> {
  // expected-error @+1 {{'sdy.manual_computation' op operand 0: dimension 0 of size 7 does not divide among 2 partitions}}
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%b: tensor<4x6xf32>) {
    sdy.return %b : tensor<4x6xf32>
  } : (tensor<7x6xf32>) -> tensor<8x6xf32>
  return %0 : tensor<8x6xf32>
}

// -----

// An argument is a tile.
sdy.mesh @mesh = <["x"=2, "y"=2]>
sdy.mesh @other = <["x"=4]>
func.func @main(%a: tensor<8x6xf32>) -> tensor<8x6xf32> {
  // expected-error @+1 {{'sdy.manual_computation' op operand 0 is 'tensor<8x6xf32>', whose tile in the body is not 'tensor<8x6xf32>'}}
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%b: tensor<8x6xf32>) {
    sdy.return %b : tensor<8x6xf32>
  } : (tensor<8x6xf32>) -> tensor<8x6xf32>
  return %0 : tensor<8x6xf32>
}

// -----

// A result is a tile, too.
sdy.mesh @mesh = <["x"=2, "y"=2]>
sdy.mesh @other = <["x"=4]>
func.func @main(%a: tensor<8x6xf32>) -> tensor<8x6xf32> {
  // expected-error @+1 {{'sdy.manual_computation' op result 0 is 'tensor<8x6xf32>', whose tile in the body is not 'tensor<4x6xf32>'}}
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{}, {"x"}]>] manual_axes={"x"} (%b: tensor<4x6xf32>) {
    sdy.return %b : tensor<4x6xf32>
  } : (tensor<8x6xf32>) -> tensor<8x6xf32>
  return %0 : tensor<8x6xf32>
}

// -----

// Elements stay what they are.
sdy.mesh @mesh = <["x"=2, "y"=2]>
sdy.mesh @other = <["x"=4]>
func.func @main(%a: tensor<8x6xf32>) -> tensor<8x6xf32> {
  // expected-error @+1 {{'sdy.manual_computation' op operand 0 is 'tensor<8x6xf32>', whose tile in the body is not 'tensor<4x6xf64>'}}
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%b: tensor<4x6xf64>) {
    sdy.return %b : tensor<4x6xf64>
  } : (tensor<8x6xf32>) -> tensor<8x6xf32>
  return %0 : tensor<8x6xf32>
}

// -----

// Manual axes are those of the mesh.
sdy.mesh @mesh = <["x"=2, "y"=2]>
sdy.mesh @other = <["x"=4]>
func.func @main(%a: tensor<8x6xf32>) -> tensor<8x6xf32> {
  // expected-error @+1 {{'sdy.manual_computation' op the mesh has no axis 'z'}}
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x", "z"} (%b: tensor<4x6xf32>) {
    sdy.return %b : tensor<4x6xf32>
  } : (tensor<8x6xf32>) -> tensor<8x6xf32>
  return %0 : tensor<8x6xf32>
}

// -----

// They are named once.
sdy.mesh @mesh = <["x"=2, "y"=2]>
sdy.mesh @other = <["x"=4]>
func.func @main(%a: tensor<8x6xf32>) -> tensor<8x6xf32> {
  // expected-error @+1 {{'sdy.manual_computation' op a manual axis is named twice}}
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x", "x"} (%b: tensor<4x6xf32>) {
    sdy.return %b : tensor<4x6xf32>
  } : (tensor<8x6xf32>) -> tensor<8x6xf32>
  return %0 : tensor<8x6xf32>
}

// -----

// All shardings are along one mesh.
sdy.mesh @mesh = <["x"=2, "y"=2]>
sdy.mesh @other = <["x"=4]>
func.func @main(%a: tensor<8x6xf32>) -> tensor<8x6xf32> {
  // expected-error @+1 {{'sdy.manual_computation' op shardings are along different meshes}}
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@other, [{}, {}]>] manual_axes={"y"} (%b: tensor<8x6xf32>) {
    sdy.return %b : tensor<8x6xf32>
  } : (tensor<8x6xf32>) -> tensor<8x6xf32>
  return %0 : tensor<8x6xf32>
}

// -----

// Manual axes are those of some sharding.
sdy.mesh @mesh = <["x"=2, "y"=2]>
sdy.mesh @other = <["x"=4]>
func.func @main() {
  // expected-error @+1 {{'sdy.manual_computation' op manual axes divide nothing: there are no shardings}}
  sdy.manual_computation() in_shardings=[] out_shardings=[] manual_axes={"x"} () {
    %0 = stablehlo.constant dense<1.0> : tensor<f32>
    sdy.return
  } : () -> ()
  return
}

// -----

// An axis is manual once.
sdy.mesh @mesh = <["x"=2, "y"=2]>
sdy.mesh @other = <["x"=4]>
func.func @main(%a: tensor<8x6xf32>) -> tensor<8x6xf32> {
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%b: tensor<4x6xf32>) {
    // expected-error @+1 {{'sdy.manual_computation' op axis 'x' is manual in the computation around it}}
    %1 = sdy.manual_computation(%b) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%c: tensor<2x6xf32>) {
      sdy.return %c : tensor<2x6xf32>
    } : (tensor<4x6xf32>) -> tensor<4x6xf32>
    sdy.return %1 : tensor<4x6xf32>
  } : (tensor<8x6xf32>) -> tensor<8x6xf32>
  return %0 : tensor<8x6xf32>
}

// -----

// It divides nothing more within, either.
sdy.mesh @mesh = <["x"=2, "y"=2]>
sdy.mesh @other = <["x"=4]>
func.func @main(%a: tensor<8x6xf32>) -> tensor<8x6xf32> {
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%b: tensor<4x6xf32>) {
    // expected-error @+1 {{'sdy.manual_computation' op operand 0: axis 'x' is manual in the computation around it}}
    %1 = sdy.manual_computation(%b) in_shardings=[<@mesh, [{"y"}, {"x"}]>] out_shardings=[<@mesh, [{"y"}, {}]>] manual_axes={"y"} (%c: tensor<2x6xf32>) {
      sdy.return %c : tensor<2x6xf32>
    } : (tensor<4x6xf32>) -> tensor<4x6xf32>
    sdy.return %1 : tensor<4x6xf32>
  } : (tensor<8x6xf32>) -> tensor<8x6xf32>
  return %0 : tensor<8x6xf32>
}
