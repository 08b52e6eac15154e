// RUN: halo-opt %s --stablehlo-aggressive-simplification | FileCheck %s

// Constants go to the right of commutative ops; others keep their order.
// CHECK-LABEL: func.func @constants_go_right
// CHECK-SAME: %[[X:.*]]: tensor<3xi32>
func.func @constants_go_right(%x: tensor<3xi32>) -> (tensor<3xi32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>) {
  %c = stablehlo.constant dense<[5, 6, 7]> : tensor<3xi32>
  // CHECK: %[[ADD:.*]] = stablehlo.add %[[X]], %{{.*}} {mhlo.frontend_attributes = {a = "1"}} : tensor<3xi32>
  %0 = stablehlo.add %c, %x {mhlo.frontend_attributes = {a = "1"}} : tensor<3xi32>
  // CHECK: %[[MAX:.*]] = stablehlo.maximum %[[X]], %{{.*}} : tensor<3xi32>
  %1 = stablehlo.maximum %c, %x : tensor<3xi32>
  // CHECK: %[[XOR:.*]] = stablehlo.xor %[[X]], %{{.*}} : tensor<3xi32>
  %2 = stablehlo.xor %c, %x : tensor<3xi32>
  // CHECK: %[[SUB:.*]] = stablehlo.subtract %{{.*}}, %[[X]] : tensor<3xi32>
  %3 = stablehlo.subtract %c, %x : tensor<3xi32>
  // CHECK: return %[[ADD]], %[[MAX]], %[[XOR]], %[[SUB]]
  return %0, %1, %2, %3 : tensor<3xi32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>
}

// CHECK-LABEL: func.func @neutral_elements
// CHECK-SAME: %[[X:.*]]: tensor<2xi32>, %[[F:.*]]: tensor<2xf64>, %[[P:.*]]: tensor<2xi1>, %[[C:.*]]: tensor<2xcomplex<f32>>
func.func @neutral_elements(%x: tensor<2xi32>, %f: tensor<2xf64>, %p: tensor<2xi1>, %c: tensor<2xcomplex<f32>>)
    -> (tensor<2xi32>, tensor<2xf64>, tensor<2xi1>, tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>) {
  %i0 = stablehlo.constant dense<0> : tensor<2xi32>
  %i1 = stablehlo.constant dense<1> : tensor<2xi32>
  %ones = stablehlo.constant dense<-1> : tensor<2xi32>
  %f0 = stablehlo.constant dense<0.0> : tensor<2xf64>
  %minus_f0 = stablehlo.constant dense<-0.0> : tensor<2xf64>
  %f1 = stablehlo.constant dense<1.0> : tensor<2xf64>
  %true = stablehlo.constant dense<true> : tensor<2xi1>
  %false = stablehlo.constant dense<false> : tensor<2xi1>
  %c0 = stablehlo.constant dense<(0.0, 0.0)> : tensor<2xcomplex<f32>>
  %minus_c0 = stablehlo.constant dense<(-0.0, -0.0)> : tensor<2xcomplex<f32>>
  %c1 = stablehlo.constant dense<(1.0, 0.0)> : tensor<2xcomplex<f32>>
  %0 = stablehlo.add %i0, %x : tensor<2xi32>
  %1 = stablehlo.multiply %0, %i1 : tensor<2xi32>
  %2 = stablehlo.divide %1, %i1 : tensor<2xi32>
  %3 = stablehlo.subtract %2, %i0 : tensor<2xi32>
  %4 = stablehlo.and %ones, %3 : tensor<2xi32>
  %5 = stablehlo.or %4, %i0 : tensor<2xi32>
  %6 = stablehlo.xor %5, %i0 : tensor<2xi32>
  %7 = stablehlo.shift_left %6, %i0 : tensor<2xi32>
  %8 = stablehlo.shift_right_logical %7, %i0 : tensor<2xi32>
  %9 = stablehlo.shift_right_arithmetic %8, %i0 : tensor<2xi32>
  %10 = stablehlo.add %f, %minus_f0 : tensor<2xf64>
  %11 = stablehlo.subtract %10, %f0 : tensor<2xf64>
  %12 = stablehlo.multiply %f1, %11 : tensor<2xf64>
  %13 = stablehlo.divide %12, %f1 : tensor<2xf64>
  %14 = stablehlo.and %p, %true : tensor<2xi1>
  %15 = stablehlo.or %false, %14 : tensor<2xi1>
  %16 = stablehlo.add %c, %minus_c0 : tensor<2xcomplex<f32>>
  %17 = stablehlo.subtract %16, %c0 : tensor<2xcomplex<f32>>
  // CHECK: %[[KEPT:.*]] = stablehlo.add %[[C]], %{{.*}} : tensor<2xcomplex<f32>>
  %18 = stablehlo.add %c, %c1 : tensor<2xcomplex<f32>>
  // CHECK: return %[[X]], %[[F]], %[[P]], %[[C]], %[[KEPT]]
  return %9, %13, %15, %17, %18 : tensor<2xi32>, tensor<2xf64>, tensor<2xi1>, tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>
}

// The sum of zeros of both signs is positive, and products of complex numbers mix their parts.
// CHECK-LABEL: func.func @zeros_have_signs
// CHECK: stablehlo.add
// CHECK: stablehlo.subtract
// CHECK: stablehlo.add
// CHECK: stablehlo.add
// CHECK: stablehlo.multiply
// CHECK: stablehlo.divide
// CHECK: stablehlo.negate
// CHECK: stablehlo.negate
// CHECK-NOT: stablehlo.{{add|negate}}
// CHECK: return
func.func @zeros_have_signs(%f: tensor<2xf16>, %c: tensor<2xcomplex<f32>>, %u: tensor<2xf8E4M3FNUZ>, %e: tensor<2xf8E8M0FNU>)
    -> (tensor<2xf16>, tensor<2xf16>, tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>, tensor<2xf8E8M0FNU>, tensor<2xf8E4M3FNUZ>) {
  %f0 = stablehlo.constant dense<0.0> : tensor<2xf16>
  %minus_f0 = stablehlo.constant dense<-0.0> : tensor<2xf16>
  %c0 = stablehlo.constant dense<(0.0, 0.0)> : tensor<2xcomplex<f32>>
  %mixed = stablehlo.constant dense<(-0.0, 0.0)> : tensor<2xcomplex<f32>>
  %c1 = stablehlo.constant dense<(1.0, 0.0)> : tensor<2xcomplex<f32>>
  %u0 = stablehlo.constant dense<0.0> : tensor<2xf8E4M3FNUZ>
  %0 = stablehlo.add %f, %f0 : tensor<2xf16>
  %1 = stablehlo.subtract %f, %minus_f0 : tensor<2xf16>
  %2 = stablehlo.add %c, %c0 : tensor<2xcomplex<f32>>
  %3 = stablehlo.add %c, %mixed : tensor<2xcomplex<f32>>
  %4 = stablehlo.multiply %c, %c1 : tensor<2xcomplex<f32>>
  %5 = stablehlo.divide %c, %c1 : tensor<2xcomplex<f32>>
  // f8E8M0FNU has no negative numbers.
  %6 = stablehlo.negate %e : tensor<2xf8E8M0FNU>
  %7 = stablehlo.negate %6 : tensor<2xf8E8M0FNU>
  // f8E4M3FNUZ has one zero.
  %8 = stablehlo.add %u, %u0 : tensor<2xf8E4M3FNUZ>
  return %0, %1, %2, %3, %4, %5, %7, %8 : tensor<2xf16>, tensor<2xf16>, tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>, tensor<2xf8E8M0FNU>, tensor<2xf8E4M3FNUZ>
}

// A one that is not all bits leaves bitwise ops alone.
// CHECK-LABEL: func.func @one_is_not_all_ones
func.func @one_is_not_all_ones(%x: tensor<2xi32>, %u: tensor<2xui8>) -> (tensor<2xi32>, tensor<2xi32>, tensor<2xui8>) {
  %1 = stablehlo.constant dense<1> : tensor<2xi32>
  %255 = stablehlo.constant dense<255> : tensor<2xui8>
  // CHECK: %[[AND:.*]] = stablehlo.and
  %2 = stablehlo.and %x, %1 : tensor<2xi32>
  // CHECK: %[[OR:.*]] = stablehlo.or
  %3 = stablehlo.or %x, %1 : tensor<2xi32>
  %4 = stablehlo.and %u, %255 : tensor<2xui8>
  // CHECK: return %[[AND]], %[[OR]], %arg1
  return %2, %3, %4 : tensor<2xi32>, tensor<2xi32>, tensor<2xui8>
}

// CHECK-LABEL: func.func @absorbing_elements
// CHECK-DAG: %[[ZERO:.*]] = stablehlo.constant dense<0> : tensor<2xi32>
// CHECK-DAG: %[[TRUE:.*]] = stablehlo.constant dense<true> : tensor<2xi1>
// CHECK-DAG: %[[FALSE:.*]] = stablehlo.constant dense<false> : tensor<2xi1>
// CHECK: return %[[ZERO]], %[[ZERO]], %[[TRUE]], %[[FALSE]]
func.func @absorbing_elements(%x: tensor<2xi32>, %p: tensor<2xi1>) -> (tensor<2xi32>, tensor<2xi32>, tensor<2xi1>, tensor<2xi1>) {
  %i0 = stablehlo.constant dense<0> : tensor<2xi32>
  %true = stablehlo.constant dense<true> : tensor<2xi1>
  %false = stablehlo.constant dense<false> : tensor<2xi1>
  %0 = stablehlo.multiply %x, %i0 : tensor<2xi32>
  %1 = stablehlo.and %i0, %x : tensor<2xi32>
  %2 = stablehlo.or %p, %true : tensor<2xi1>
  %3 = stablehlo.and %false, %p : tensor<2xi1>
  return %0, %1, %2, %3 : tensor<2xi32>, tensor<2xi32>, tensor<2xi1>, tensor<2xi1>
}

// A float times zero may be no number, and infinity minus itself is none.
// CHECK-LABEL: func.func @floats_are_not_absorbed
// CHECK: %[[MUL:.*]] = stablehlo.multiply
// CHECK: %[[SUB:.*]] = stablehlo.subtract
// CHECK: return %[[MUL]], %[[SUB]]
func.func @floats_are_not_absorbed(%f: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %f0 = stablehlo.constant dense<0.0> : tensor<2xf32>
  %0 = stablehlo.multiply %f, %f0 : tensor<2xf32>
  %1 = stablehlo.subtract %f, %f : tensor<2xf32>
  return %0, %1 : tensor<2xf32>, tensor<2xf32>
}

// CHECK-LABEL: func.func @same_operands
// CHECK-SAME: %[[X:.*]]: tensor<2xi32>, %[[F:.*]]: tensor<2xf32>
// CHECK: %[[ZERO:.*]] = stablehlo.constant dense<0> : tensor<2xi32>
// CHECK: return %[[ZERO]], %[[ZERO]], %[[X]], %[[F]]
func.func @same_operands(%x: tensor<2xi32>, %f: tensor<2xf32>) -> (tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xf32>) {
  %0 = stablehlo.subtract %x, %x : tensor<2xi32>
  %1 = stablehlo.xor %x, %x : tensor<2xi32>
  %2 = stablehlo.and %x, %x : tensor<2xi32>
  %3 = stablehlo.or %2, %2 : tensor<2xi32>
  %4 = stablehlo.maximum %f, %f : tensor<2xf32>
  %5 = stablehlo.minimum %4, %4 : tensor<2xf32>
  return %0, %1, %3, %5 : tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xf32>
}

// CHECK-LABEL: func.func @involutions
// CHECK: return %arg0, %arg1
func.func @involutions(%x: tensor<2xi1>, %f: tensor<2xf32>) -> (tensor<2xi1>, tensor<2xf32>) {
  %0 = stablehlo.not %x : tensor<2xi1>
  %1 = stablehlo.not %0 : tensor<2xi1>
  %2 = stablehlo.negate %f : tensor<2xf32>
  %3 = stablehlo.negate %2 : tensor<2xf32>
  return %1, %3 : tensor<2xi1>, tensor<2xf32>
}

// CHECK-LABEL: func.func @parts_of_complex_numbers
// CHECK-SAME: %[[C:.*]]: tensor<2xcomplex<f32>>, %[[R:.*]]: tensor<2xf32>, %[[I:.*]]: tensor<2xf32>
// CHECK: %[[ZERO:.*]] = stablehlo.constant dense<0.000000e+00> : tensor<2xf32>
// CHECK: return %[[C]], %[[R]], %[[I]], %[[R]], %[[ZERO]]
func.func @parts_of_complex_numbers(%c: tensor<2xcomplex<f32>>, %r: tensor<2xf32>, %i: tensor<2xf32>)
    -> (tensor<2xcomplex<f32>>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
  %0 = stablehlo.real %c : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
  %1 = stablehlo.imag %c : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
  %2 = stablehlo.complex %0, %1 : tensor<2xcomplex<f32>>
  %3 = stablehlo.complex %r, %i : tensor<2xcomplex<f32>>
  %4 = stablehlo.real %3 : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
  %5 = stablehlo.imag %3 : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
  %6 = stablehlo.real %r : tensor<2xf32>
  %7 = stablehlo.imag %r : tensor<2xf32>
  return %2, %4, %5, %6, %7 : tensor<2xcomplex<f32>>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}

// What takes the place of an op takes over what frameworks hung on it.
// CHECK-LABEL: func.func @attributes_are_merged
// CHECK: %[[SINE:.*]] = stablehlo.sine %arg0 {mhlo.frontend_attributes = {both = "new", new = "1", old = "1"}, mhlo.sharding = "{replicated}"} : tensor<2xf32>
// CHECK: return %[[SINE]]
func.func @attributes_are_merged(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.sine %x {mhlo.frontend_attributes = {both = "old", old = "1"}} : tensor<2xf32>
  %1 = stablehlo.convert %0 {mhlo.frontend_attributes = {both = "new", new = "1"}, mhlo.sharding = "{replicated}"} : tensor<2xf32>
  return %1 : tensor<2xf32>
}

// Quantized values are rounded by every op.
// CHECK-LABEL: func.func @quantized_stay
// CHECK: stablehlo.negate
// CHECK: stablehlo.negate
func.func @quantized_stay(%x: tensor<2x!quant.uniform<i8:f32, 0.5:3>>) -> tensor<2x!quant.uniform<i8:f32, 0.5:3>> {
  %0 = stablehlo.negate %x : tensor<2x!quant.uniform<i8:f32, 0.5:3>>
  %1 = stablehlo.negate %0 : tensor<2x!quant.uniform<i8:f32, 0.5:3>>
  return %1 : tensor<2x!quant.uniform<i8:f32, 0.5:3>>
}
