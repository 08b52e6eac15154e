// RUN: halo-opt %s --halo-expand-bf16 --split-input-file | FileCheck %s

// An op is computed in f32; both conversions are integer arithmetic.

// CHECK-LABEL: func.func @add
//   CHECK-DAG:   arith.bitcast %arg0 : bf16 to i16
//   CHECK-DAG:   arith.bitcast %arg1 : bf16 to i16
//       CHECK:   %[[SUM:.*]] = arith.addf %{{.*}}, %{{.*}} : f32
//       CHECK:   %[[BITS:.*]] = arith.bitcast %[[SUM]] : f32 to i32
//       CHECK:   arith.cmpf uno
//       CHECK:   %[[LOW:.*]] = arith.trunci %{{.*}} : i32 to i16
//       CHECK:   arith.bitcast %[[LOW]] : i16 to bf16
//   CHECK-NOT:   arith.truncf
func.func @add(%x: bf16, %y: bf16) -> bf16 {
  %0 = arith.addf %x, %y : bf16
  return %0 : bf16
}

// -----

// CHECK-LABEL: func.func @extend
//       CHECK:   %[[BITS:.*]] = arith.bitcast %arg0 : vector<8xbf16> to vector<8xi16>
//       CHECK:   %[[WIDE:.*]] = arith.extui %[[BITS]] : vector<8xi16> to vector<8xi32>
//       CHECK:   %[[HIGH:.*]] = arith.shli %[[WIDE]], %{{.*}} : vector<8xi32>
//       CHECK:   arith.bitcast %[[HIGH]] : vector<8xi32> to vector<8xf32>
//   CHECK-NOT:   arith.extf
func.func @extend(%x: vector<8xbf16>) -> vector<8xf32> {
  %0 = arith.extf %x : vector<8xbf16> to vector<8xf32>
  return %0 : vector<8xf32>
}

// -----

// CHECK-LABEL: func.func @extend_further
//       CHECK:   arith.extf %{{.*}} : f32 to f64
func.func @extend_further(%x: bf16) -> f64 {
  %0 = arith.extf %x : bf16 to f64
  return %0 : f64
}

// -----

// A comparison has no result to round.

// CHECK-LABEL: func.func @compare
//       CHECK:   %[[RESULT:.*]] = arith.cmpf olt, %{{.*}}, %{{.*}} : f32
//       CHECK:   return %[[RESULT]] : i1
func.func @compare(%x: bf16, %y: bf16) -> i1 {
  %0 = arith.cmpf olt, %x, %y : bf16
  return %0 : i1
}

// -----

// CHECK-LABEL: func.func @sign
//       CHECK:   arith.xori %{{.*}}, %{{.*}} : i16
//       CHECK:   arith.andi %{{.*}}, %{{.*}} : i16
//       CHECK:   arith.ori %{{.*}}, %{{.*}} : i16
//   CHECK-NOT:   f32
func.func @sign(%x: bf16, %y: bf16) -> (bf16, bf16, bf16) {
  %0 = arith.negf %x : bf16
  %1 = math.absf %x : bf16
  %2 = math.copysign %x, %y : bf16
  return %0, %1, %2 : bf16, bf16, bf16
}

// -----

// f16 is not touched.

// CHECK-LABEL: func.func @half
//  CHECK-NEXT:   arith.addf %{{.*}}, %{{.*}} : f16
func.func @half(%x: f16, %y: f16) -> f16 {
  %0 = arith.addf %x, %y : f16
  return %0 : f16
}
