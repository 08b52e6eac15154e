// RUN: halo-opt --pass-pipeline='builtin.module(gpu.module(halo-lower-kernel-math))' --split-input-file --verify-diagnostics %s | FileCheck %s

gpu.module @kernels {
  // CHECK-LABEL: gpu.func @intrinsics
  // CHECK: llvm.call_intrinsic "llvm.sqrt"(%{{.*}}) : (f32) -> f32
  // CHECK: llvm.call_intrinsic "llvm.fma"(%{{.*}}, %{{.*}}, %{{.*}}) : (f64, f64, f64) -> f64
  // CHECK: math.ctpop
  gpu.func @intrinsics(%a: f32, %b: f64, %c: i32, %out: memref<1xf64>) kernel {
    %c0 = arith.constant 0 : index
    %0 = math.sqrt %a : f32
    %1 = arith.extf %0 : f32 to f64
    %2 = math.fma %1, %b, %b : f64
    %3 = math.ctpop %c : i32
    memref.store %2, %out[%c0] : memref<1xf64>
    gpu.return
  }
}

// -----

gpu.module @kernels {
  gpu.func @left(%a: f64, %out: memref<1xf64>) kernel {
    %c0 = arith.constant 0 : index
    // expected-error @+1 {{'math.sinh' op on 64 bits has no code for GPUs}}
    %0 = math.sinh %a : f64
    memref.store %0, %out[%c0] : memref<1xf64>
    gpu.return
  }
}

// -----

// A shift of PTX looks at 32 bits of its amount.
gpu.module @kernels {
  // CHECK-LABEL: gpu.func @shifts
  // CHECK-SAME: (%[[A:.*]]: i64, %[[N:.*]]: i64, %[[B:.*]]: i32, %[[M:.*]]: i32,
  // CHECK: %[[LAST:.*]] = arith.constant 63 : i64
  // CHECK-NEXT: %[[AMOUNT:.*]] = arith.andi %[[N]], %[[LAST]]
  // CHECK-NEXT: %[[SHIFTED:.*]] = arith.shli %[[A]], %[[AMOUNT]]
  // CHECK: %[[AMOUNT:.*]] = arith.andi %[[N]], %{{.*}}
  // CHECK-NEXT: arith.shrui %[[SHIFTED]], %[[AMOUNT]]
  // CHECK-NEXT: arith.shli %[[B]], %[[M]]
  gpu.func @shifts(%a: i64, %n: i64, %b: i32, %m: i32, %out: memref<2xi64>, %other: memref<1xi32>) kernel {
    %c0 = arith.constant 0 : index
    %0 = arith.shli %a, %n : i64
    %1 = arith.shrui %0, %n : i64
    %2 = arith.shli %b, %m : i32
    memref.store %1, %out[%c0] : memref<2xi64>
    memref.store %2, %other[%c0] : memref<1xi32>
    gpu.return
  }
}
