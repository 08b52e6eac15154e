// RUN: halo-opt %s --split-input-file --verify-diagnostics --allow-unregistered-dialect

// Axes, parts of axes, open dimensions, priorities, axes that divide nothing, and terms.
sdy.mesh @mesh = <["x"=8, "y"=2, "z"=3]>
sdy.mesh @only = <[], device_ids=[2]>
func.func @main(%a: tensor<8x6xf32>, %b: tensor<?x6xf32>, %t: !stablehlo.token) {
  %0 = sdy.sharding_constraint %a <@mesh, [{"x"}, {"y", "z", ?}p1]> : tensor<8x6xf32>
  %1 = sdy.sharding_constraint %a <@mesh, [{"x":(1)2}, {"x":(4)2}], replicated={"x":(2)2, "y"}, unreduced={"z"}> : tensor<8x6xf32>
  %2 = sdy.sharding_constraint %a <mesh<["x"=2]>, [{"x"}, {}]> : tensor<8x6xf32>
  %3 = sdy.sharding_constraint %b <@mesh, [{"x"}, {}]> : tensor<?x6xf32>
  %4 = sdy.sharding_constraint %a <@only, []> : tensor<8x6xf32>
  %5 = sdy.sharding_constraint %t <@mesh, []> : !stablehlo.token
  return
}

// -----

// The mesh is there.
sdy.mesh @mesh = <["x"=8, "y"=2, "z"=3]>
sdy.mesh @only = <[], device_ids=[2]>
func.func @main(%a: tensor<8x6xf32>) -> tensor<8x6xf32> {
  // expected-error @+1 {{'sdy.sharding_constraint' op there is no mesh 'other'}}
  %0 = sdy.sharding_constraint %a <@other, [{}, {}]> : tensor<8x6xf32>
  return %0 : tensor<8x6xf32>
}

// -----

// A mesh in its place is a mesh.
sdy.mesh @mesh = <["x"=8, "y"=2, "z"=3]>
sdy.mesh @only = <[], device_ids=[2]>
func.func @main(%a: tensor<8x6xf32>) -> tensor<8x6xf32> {
  // expected-error @+1 {{'sdy.sharding_constraint' op axis 'x' has size 0}}
  %0 = sdy.sharding_constraint %a <mesh<["x"=0]>, [{}, {}]> : tensor<8x6xf32>
  return %0 : tensor<8x6xf32>
}

// -----

// There are as many dimensions.
sdy.mesh @mesh = <["x"=8, "y"=2, "z"=3]>
sdy.mesh @only = <[], device_ids=[2]>
func.func @main(%a: tensor<8x6xf32>) -> tensor<8x6xf32> {
  // expected-error @+1 {{'sdy.sharding_constraint' op a sharding of 1 dimensions is given to a tensor of 2}}
  %0 = sdy.sharding_constraint %a <@mesh, [{"x"}]> : tensor<8x6xf32>
  return %0 : tensor<8x6xf32>
}

// -----

// What is no tensor has no dimensions.
sdy.mesh @mesh = <["x"=8, "y"=2, "z"=3]>
sdy.mesh @only = <[], device_ids=[2]>
func.func @main(%a: !stablehlo.token) -> !stablehlo.token {
  // expected-error @+1 {{'sdy.sharding_constraint' op a sharding of what is no tensor has dimensions or axes}}
  %0 = sdy.sharding_constraint %a <@mesh, [{}]> : !stablehlo.token
  return %0 : !stablehlo.token
}

// -----

// A tensor on one device is not divided.
sdy.mesh @mesh = <["x"=8, "y"=2, "z"=3]>
sdy.mesh @only = <[], device_ids=[2]>
func.func @main(%a: tensor<8x6xf32>) -> tensor<8x6xf32> {
  // expected-error @+1 {{'sdy.sharding_constraint' op a sharding on one device has dimensions or axes}}
  %0 = sdy.sharding_constraint %a <@only, [{}, {}]> : tensor<8x6xf32>
  return %0 : tensor<8x6xf32>
}

// -----

// Axes are those of the mesh.
sdy.mesh @mesh = <["x"=8, "y"=2, "z"=3]>
sdy.mesh @only = <[], device_ids=[2]>
func.func @main(%a: tensor<8x6xf32>) -> tensor<8x6xf32> {
  // expected-error @+1 {{'sdy.sharding_constraint' op the mesh has no axis 'w'}}
  %0 = sdy.sharding_constraint %a <@mesh, [{"w"}, {}]> : tensor<8x6xf32>
  return %0 : tensor<8x6xf32>
}

// -----

// An axis divides once.
sdy.mesh @mesh = <["x"=8, "y"=2, "z"=3]>
sdy.mesh @only = <[], device_ids=[2]>
func.func @main(%a: tensor<8x6xf32>) -> tensor<8x6xf32> {
  // expected-error @+1 {{'sdy.sharding_constraint' op axis "x" is used twice}}
  %0 = sdy.sharding_constraint %a <@mesh, [{"x"}, {"x"}]> : tensor<8x6xf32>
  return %0 : tensor<8x6xf32>
}

// -----

// An axis that divides is not one that does not.
sdy.mesh @mesh = <["x"=8, "y"=2, "z"=3]>
sdy.mesh @only = <[], device_ids=[2]>
func.func @main(%a: tensor<8x6xf32>) -> tensor<8x6xf32> {
  // expected-error @+1 {{'sdy.sharding_constraint' op axis "x" is used twice}}
  %0 = sdy.sharding_constraint %a <@mesh, [{"x"}, {}], replicated={"x"}> : tensor<8x6xf32>
  return %0 : tensor<8x6xf32>
}

// -----

// An axis that divides has no terms.
sdy.mesh @mesh = <["x"=8, "y"=2, "z"=3]>
sdy.mesh @only = <[], device_ids=[2]>
func.func @main(%a: tensor<8x6xf32>) -> tensor<8x6xf32> {
  // expected-error @+1 {{'sdy.sharding_constraint' op axis "x" is used twice}}
  %0 = sdy.sharding_constraint %a <@mesh, [{"x"}, {}], unreduced={"x"}> : tensor<8x6xf32>
  return %0 : tensor<8x6xf32>
}

// -----

// A part of an axis is a part of it.
sdy.mesh @mesh = <["x"=8, "y"=2, "z"=3]>
sdy.mesh @only = <[], device_ids=[2]>
func.func @main(%a: tensor<8x6xf32>) -> tensor<8x6xf32> {
  // expected-error @+1 {{'sdy.sharding_constraint' op axes "x" and "x":(1)2 overlap}}
  %0 = sdy.sharding_constraint %a <@mesh, [{"x"}, {"x":(1)2}]> : tensor<8x6xf32>
  return %0 : tensor<8x6xf32>
}

// -----

// Parts do not overlap.
sdy.mesh @mesh = <["x"=8, "y"=2, "z"=3]>
sdy.mesh @only = <[], device_ids=[2]>
func.func @main(%a: tensor<8x6xf32>) -> tensor<8x6xf32> {
  // expected-error @+1 {{'sdy.sharding_constraint' op axes "x":(1)4 and "x":(2)4 overlap}}
  %0 = sdy.sharding_constraint %a <@mesh, [{"x":(1)4}, {"x":(2)4}]> : tensor<8x6xf32>
  return %0 : tensor<8x6xf32>
}

// -----

// Parts side by side are one.
sdy.mesh @mesh = <["x"=8, "y"=2, "z"=3]>
sdy.mesh @only = <[], device_ids=[2]>
func.func @main(%a: tensor<8x6xf32>) -> tensor<8x6xf32> {
  // expected-error @+1 {{'sdy.sharding_constraint' op parts "x":(1)2 and "x":(2)2 are one part}}
  %0 = sdy.sharding_constraint %a <@mesh, [{"x":(1)2, "x":(2)2}, {}]> : tensor<8x6xf32>
  return %0 : tensor<8x6xf32>
}

// -----

// A part begins behind a factor.
sdy.mesh @mesh = <["x"=8, "y"=2, "z"=3]>
sdy.mesh @only = <[], device_ids=[2]>
func.func @main(%a: tensor<8x6xf32>) -> tensor<8x6xf32> {
  // expected-error @+1 {{'sdy.sharding_constraint' op part "x":(0)2 begins at 0}}
  %0 = sdy.sharding_constraint %a <@mesh, [{"x":(0)2}, {}]> : tensor<8x6xf32>
  return %0 : tensor<8x6xf32>
}

// -----

// A part divides something.
sdy.mesh @mesh = <["x"=8, "y"=2, "z"=3]>
sdy.mesh @only = <[], device_ids=[2]>
func.func @main(%a: tensor<8x6xf32>) -> tensor<8x6xf32> {
  // expected-error @+1 {{'sdy.sharding_constraint' op part "x":(2)1 has size 1}}
  %0 = sdy.sharding_constraint %a <@mesh, [{"x":(2)1}, {}]> : tensor<8x6xf32>
  return %0 : tensor<8x6xf32>
}

// -----

// A part is a factor.
sdy.mesh @mesh = <["x"=8, "y"=2, "z"=3]>
sdy.mesh @only = <[], device_ids=[2]>
func.func @main(%a: tensor<8x6xf32>) -> tensor<8x6xf32> {
  // expected-error @+1 {{'sdy.sharding_constraint' op part "x":(1)3 does not divide an axis of size 8}}
  %0 = sdy.sharding_constraint %a <@mesh, [{"x":(1)3}, {}]> : tensor<8x6xf32>
  return %0 : tensor<8x6xf32>
}

// -----

// A part ends within its axis.
sdy.mesh @mesh = <["x"=8, "y"=2, "z"=3]>
sdy.mesh @only = <[], device_ids=[2]>
func.func @main(%a: tensor<8x6xf32>) -> tensor<8x6xf32> {
  // expected-error @+1 {{'sdy.sharding_constraint' op part "x":(4)4 does not divide an axis of size 8}}
  %0 = sdy.sharding_constraint %a <@mesh, [{"x":(4)4}, {}]> : tensor<8x6xf32>
  return %0 : tensor<8x6xf32>
}

// -----

// A part is less than its axis.
sdy.mesh @mesh = <["x"=8, "y"=2, "z"=3]>
sdy.mesh @only = <[], device_ids=[2]>
func.func @main(%a: tensor<8x6xf32>) -> tensor<8x6xf32> {
  // expected-error @+1 {{'sdy.sharding_constraint' op part "y":(1)2 is a whole axis}}
  %0 = sdy.sharding_constraint %a <@mesh, [{"y":(1)2}, {}]> : tensor<8x6xf32>
  return %0 : tensor<8x6xf32>
}

// -----

// Axes that divide nothing have the order of the mesh.
sdy.mesh @mesh = <["x"=8, "y"=2, "z"=3]>
sdy.mesh @only = <[], device_ids=[2]>
func.func @main(%a: tensor<8x6xf32>) -> tensor<8x6xf32> {
  // expected-error @+1 {{'sdy.sharding_constraint' op replicated axes are not in the order of the mesh}}
  %0 = sdy.sharding_constraint %a <@mesh, [{}, {}], replicated={"y", "x"}> : tensor<8x6xf32>
  return %0 : tensor<8x6xf32>
}

// -----

// So have those of terms.
sdy.mesh @mesh = <["x"=8, "y"=2, "z"=3]>
sdy.mesh @only = <[], device_ids=[2]>
func.func @main(%a: tensor<8x6xf32>) -> tensor<8x6xf32> {
  // expected-error @+1 {{'sdy.sharding_constraint' op unreduced axes are not in the order of the mesh}}
  %0 = sdy.sharding_constraint %a <@mesh, [{}, {}], unreduced={"z", "y"}> : tensor<8x6xf32>
  return %0 : tensor<8x6xf32>
}

// -----

// What has a priority propagates.
sdy.mesh @mesh = <["x"=8, "y"=2, "z"=3]>
sdy.mesh @only = <[], device_ids=[2]>
func.func @main(%a: tensor<8x6xf32>) -> tensor<8x6xf32> {
  // expected-error @+1 {{'sdy.sharding_constraint' op dimension 1 has a priority, but nothing that propagates}}
  %0 = sdy.sharding_constraint %a <@mesh, [{"x"}, {}p1]> : tensor<8x6xf32>
  return %0 : tensor<8x6xf32>
}

// -----

// In a manual computation, its axes divide nothing more.
sdy.mesh @mesh = <["x"=8, "y"=2, "z"=3]>
sdy.mesh @only = <[], device_ids=[2]>
func.func @main(%a: tensor<8x6xf32>) -> tensor<8x6xf32> {
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%b: tensor<1x6xf32>) {
    %1 = sdy.sharding_constraint %b <@mesh, [{}, {"y"}]> : tensor<1x6xf32>
    // expected-error @+1 {{'sdy.sharding_constraint' op axis 'x' is manual in the computation around it}}
    %2 = sdy.sharding_constraint %1 <@mesh, [{}, {"x":(1)2}]> : tensor<1x6xf32>
    sdy.return %2 : tensor<1x6xf32>
  } : (tensor<8x6xf32>) -> tensor<8x6xf32>
  return %0 : tensor<8x6xf32>
}

// -----

// It is a sharding.
sdy.mesh @mesh = <["x"=8, "y"=2, "z"=3]>
sdy.mesh @only = <[], device_ids=[2]>
func.func @main(%a: tensor<8x6xf32>) -> tensor<8x6xf32> {
  // expected-error @+1 {{'sdy.sharding_constraint' op '#sdy.sharding<@mesh>' is not an attribute of Shardy that is expected here}}
  %0 = sdy.sharding_constraint %a <@mesh> : tensor<8x6xf32>
  return %0 : tensor<8x6xf32>
}
