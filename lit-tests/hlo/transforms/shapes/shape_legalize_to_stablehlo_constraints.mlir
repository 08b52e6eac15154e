// RUN: halo-opt %s --shape-legalize-to-stablehlo=legalize-constraints=true | FileCheck %s
// RUN: not halo-opt %s --shape-legalize-to-stablehlo 2>&1 | FileCheck %s --check-prefix=LEFT

// LEFT: error: failed to legalize operation 'shape.cstr_broadcastable' that was explicitly marked illegal: it has no form in StableHLO

// CHECK-LABEL: @broadcastable
func.func @broadcastable(%a: tensor<?xf32>, %b: tensor<?xf32>) {
  // CHECK: %[[ONES:.*]] = stablehlo.constant dense<1> : tensor<1xi32>
  // CHECK: %[[L:.*]] = stablehlo.compare EQ, %{{.*}}, %[[ONES]]
  // CHECK: %[[R:.*]] = stablehlo.compare EQ, %{{.*}}, %[[ONES]]
  // CHECK: %[[ONE:.*]] = stablehlo.or %[[L]], %[[R]] : tensor<1xi1>
  // CHECK: %[[SAME:.*]] = stablehlo.compare EQ
  // CHECK: %[[EACH:.*]] = stablehlo.or %[[ONE]], %[[SAME]] : tensor<1xi1>
  // CHECK: %[[ALL:.*]] = stablehlo.and
  // CHECK: %[[CONDITION:.*]] = stablehlo.reshape %[[ALL]] : (tensor<1xi1>) -> tensor<i1>
  // CHECK: stablehlo.custom_call @shape_assertion(%[[CONDITION]]) {error_message = "Shape assertion failed", has_side_effect = true} : (tensor<i1>) -> ()
  // CHECK-NOT: shape.cstr_broadcastable
  // CHECK: return
  %0 = shape.shape_of %a : tensor<?xf32> -> tensor<1xindex>
  %1 = shape.shape_of %b : tensor<?xf32> -> tensor<1xindex>
  %2 = shape.cstr_broadcastable %0, %1 : tensor<1xindex>, tensor<1xindex>
  shape.assuming %2 {
    shape.assuming_yield
  }
  return
}
