// RUN: halo-opt %s --stablehlo-convert-to-signless | FileCheck %s

// CHECK-LABEL: func.func @tensors
// CHECK-SAME: (%[[X:.*]]: tensor<3xi8>) -> (tensor<3xi8>, tensor<i64>)
func.func @tensors(%x: tensor<3xui8>) -> (tensor<3xui8>, tensor<ui64>) {
  // CHECK: %[[C:.*]] = stablehlo.constant dense<[1, -56, -1]> : tensor<3xi8>
  %c = stablehlo.constant dense<[1, 200, 255]> : tensor<3xui8>
  // CHECK: %[[S:.*]] = stablehlo.constant dense<-1> : tensor<i64>
  %s = stablehlo.constant dense<18446744073709551615> : tensor<ui64>
  // CHECK: %[[SUM:.*]] = stablehlo.add %[[X]], %[[C]] : tensor<3xi8>
  %0 = stablehlo.add %x, %c : tensor<3xui8>
  // CHECK: return %[[SUM]], %[[S]] : tensor<3xi8>, tensor<i64>
  return %0, %s : tensor<3xui8>, tensor<ui64>
}

// Bodies and their arguments, too.
// CHECK-LABEL: func.func @bodies
// CHECK: stablehlo.reduce(%arg0 init: %arg1) applies stablehlo.maximum across dimensions = [0] : (tensor<4xi16>, tensor<i16>) -> tensor<i16>
func.func @bodies(%x: tensor<4xui16>, %i: tensor<ui16>) -> tensor<ui16> {
  %0 = stablehlo.reduce(%x init: %i) applies stablehlo.maximum across dimensions = [0] : (tensor<4xui16>, tensor<ui16>) -> tensor<ui16>
  return %0 : tensor<ui16>
}

// Casts to and from signless types are no longer any.
// CHECK-LABEL: func.func @casts
// CHECK-SAME: (%[[M:.*]]: memref<*xi32>, %[[T:.*]]: tuple<tensor<i8>, tensor<f32>>) -> memref<4xi32, strided<[2]>>
// CHECK-NEXT: %[[CAST:.*]] = memref.cast %[[M]] : memref<*xi32> to memref<4xi32, strided<[2]>>
// CHECK-NEXT: return %[[CAST]]
func.func @casts(%m: memref<*xui32>, %t: tuple<tensor<ui8>, tensor<f32>>) -> memref<4xui32, strided<[2]>> {
  %0 = builtin.unrealized_conversion_cast %m : memref<*xui32> to memref<*xi32>
  %1 = memref.cast %0 : memref<*xi32> to memref<4xi32, strided<[2]>>
  %2 = builtin.unrealized_conversion_cast %1 : memref<4xi32, strided<[2]>> to memref<4xui32, strided<[2]>>
  return %2 : memref<4xui32, strided<[2]>>
}
