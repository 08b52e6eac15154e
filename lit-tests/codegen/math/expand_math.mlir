// RUN: halo-opt %s --halo-expand-math --split-input-file | FileCheck %s
// RUN: halo-opt %s --halo-expand-math='doubles=true' --split-input-file \
// RUN:   | FileCheck %s --check-prefix=DOUBLES
// RUN: halo-opt %s --halo-expand-math='bf16-rounding=false' --split-input-file \
// RUN:   | FileCheck %s --check-prefix=TRUNCF

// CHECK-LABEL: func.func @exp
//   CHECK-NOT:   math.exp
// A subnormal result is rounded by an addition, and no product is subnormal.
//       CHECK:   math.fma
//       CHECK:   %[[SUBNORMAL:.*]] = arith.cmpi slt
//   CHECK-NOT:   arith.mulf
//       CHECK:   arith.select %[[SUBNORMAL]], %{{.*}} : i32
//       CHECK:   %[[ONE:.*]] = arith.select %[[SUBNORMAL]], %{{.*}} : i32
//       CHECK:   %[[ADDEND:.*]] = arith.bitcast %[[ONE]] : i32 to f32
//       CHECK:   arith.addf %{{.*}}, %[[ADDEND]] : f32
//       CHECK:   arith.subi %{{.*}}, %[[ONE]] : i32
//       CHECK:   return %{{.*}} : f32
func.func @exp(%x: f32) -> f32 {
  %0 = math.exp %x : f32
  return %0 : f32
}

// -----

// CHECK-LABEL: func.func @vector
//   CHECK-NOT:   math.tanh
//       CHECK:   math.fma %{{.*}} : vector<4x8xf32>
//       CHECK:   math.copysign %{{.*}} : vector<4x8xf32>
func.func @vector(%x: vector<4x8xf32>) -> vector<4x8xf32> {
  %0 = math.tanh %x : vector<4x8xf32>
  return %0 : vector<4x8xf32>
}

// -----

// Narrow floats go through f32, and to bf16 by way of the bits.

// CHECK-LABEL: func.func @narrow
//       CHECK:   arith.extf %{{.*}} : f16 to f32
//   CHECK-NOT:   math.erf
//       CHECK:   arith.truncf %{{.*}} : f32 to f16
//       CHECK:   arith.extf %{{.*}} : bf16 to f32
//   CHECK-NOT:   math.erf
//       CHECK:   arith.trunci %{{.*}} : i32 to i16
//       CHECK:   arith.bitcast %{{.*}} : i16 to bf16
// TRUNCF-LABEL: func.func @narrow
//       TRUNCF:   arith.truncf %{{.*}} : f32 to bf16
//  TRUNCF-NEXT:   return
func.func @narrow(%x: f16, %y: bf16) -> (f16, bf16) {
  %0 = math.erf %x : f16
  %1 = math.erf %y : bf16
  return %0, %1 : f16, bf16
}

// -----

// CHECK-LABEL: func.func @round_to_bf16
//   CHECK-NOT:   arith.truncf
//       CHECK:   arith.bitcast %{{.*}} : i16 to bf16
// TRUNCF-LABEL: func.func @round_to_bf16
//  TRUNCF-NEXT:   arith.truncf %{{.*}} : f32 to bf16
func.func @round_to_bf16(%x: f32) -> bf16 {
  %0 = arith.truncf %x : f32 to bf16
  return %0 : bf16
}

// -----

// erfc is e^(-x^2) times a quotient, for all arguments.

// CHECK-LABEL: func.func @erfc
//       CHECK:   arith.divf %{{.*}} : f32
//       CHECK:   arith.divf %{{.*}} : f32
//   CHECK-NOT:   arith.divf
//       CHECK:   arith.divf %{{.*}} : f64
//   CHECK-NOT:   math.erfc
//       CHECK:   return
func.func @erfc(%x: f32, %y: f64) -> (f32, f64) {
  %0 = math.erfc %x : f32
  %1 = math.erfc %y : f64
  return %0, %1 : f32, f64
}

// -----

// The sine goes through f64, with an exact reduction of any argument.

// CHECK-LABEL: func.func @sin
//       CHECK:   arith.extf %{{.*}} : f32 to f64
//       CHECK:   arith.muli %{{.*}} : i64
//   CHECK-NOT:   math.sin
//       CHECK:   arith.truncf %{{.*}} : f64 to f32
func.func @sin(%x: f32) -> f32 {
  %0 = math.sin %x : f32
  return %0 : f32
}

// -----

// Of f64, what is not expanded is left to libm, unless there is none; what is one
// instruction stays.

// CHECK-LABEL: func.func @stays
//   CHECK-NOT:   math.log
//   CHECK-DAG:   math.exp2 %{{.*}} : f64
//   CHECK-DAG:   math.sqrt %{{.*}} : f32
//   CHECK-DAG:   math.floor %{{.*}} : f32
//
// DOUBLES-LABEL: func.func @stays
//   DOUBLES-NOT:   math.exp2
//       DOUBLES:   math.floor %{{.*}} : f32
func.func @stays(%x: f64, %y: f32) -> (f64, f64, f32, f32) {
  %0 = math.log %x : f64
  %1 = math.exp2 %x : f64
  %2 = math.sqrt %y : f32
  %3 = math.floor %y : f32
  return %0, %1, %2, %3 : f64, f64, f32, f32
}

// -----

// A large argument takes a window of the bits of 2/pi, whose product with the mantissa has 128
// bits.

// CHECK-LABEL: func.func @double_tan
//       CHECK:   arith.mului_extended %{{.*}} : i64
//   CHECK-NOT:   math.tan
//       CHECK:   return
func.func @double_tan(%x: f64) -> f64 {
  %0 = math.tan %x : f64
  return %0 : f64
}

// -----

// CHECK-LABEL: func.func @double_pair
//       CHECK:   math.powf %{{.*}} : vector<4xf64>
//   CHECK-NOT:   math.atan2
//       CHECK:   return
//
// DOUBLES-LABEL: func.func @double_pair
//   DOUBLES-NOT:   math.{{powf|atan2}}
//       DOUBLES:   return
func.func @double_pair(%x: vector<4xf64>, %y: vector<4xf64>) -> vector<4xf64> {
  %0 = math.powf %x, %y : vector<4xf64>
  %1 = math.atan2 %0, %y : vector<4xf64>
  return %1 : vector<4xf64>
}
