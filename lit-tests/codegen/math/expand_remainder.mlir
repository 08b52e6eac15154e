// RUN: halo-opt --halo-expand-remainder %s | FileCheck %s

// CHECK-LABEL: func.func @double
// CHECK: scf.while
// CHECK: arith.cmpf oge
// CHECK: scf.condition
// CHECK: arith.divf
// CHECK: math.trunc
// CHECK: math.fma
// CHECK: scf.yield
// CHECK: math.copysign
// CHECK-NOT: arith.remf
// CHECK: return
func.func @double(%x: f64, %y: f64) -> f64 {
  %0 = arith.remf %x, %y : f64
  return %0 : f64
}

// CHECK-LABEL: func.func @half
// CHECK-COUNT-2: arith.extf %{{.*}} : f16 to f64
// CHECK: scf.while
// CHECK: arith.truncf %{{.*}} : f64 to f16
func.func @half(%x: f16, %y: f16) -> f16 {
  %0 = arith.remf %x, %y : f16
  return %0 : f16
}
