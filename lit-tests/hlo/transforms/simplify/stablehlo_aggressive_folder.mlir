// RUN: halo-opt %s --stablehlo-aggressive-folder=fold-op-element-limit=8 | FileCheck %s --check-prefixes=CHECK,FLOAT
// RUN: halo-opt %s --stablehlo-aggressive-folder="fold-op-element-limit=8 optimize-float=false" | FileCheck %s --check-prefixes=CHECK,INTEGER
// RUN: halo-opt %s --stablehlo-aggressive-folder="assume-no-undeclared-side-effects=true" | FileCheck %s --check-prefix=ASSUME

// CHECK-LABEL: func.func @integers
// CHECK-DAG: %[[SUM:.*]] = stablehlo.constant dense<[11, 22]> : tensor<2xi32>
// CHECK-DAG: %[[REM:.*]] = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
// CHECK-DAG: %[[CLAMP:.*]] = stablehlo.constant dense<[2, 4]> : tensor<2xi32>
// CHECK-DAG: %[[SIGN:.*]] = stablehlo.constant dense<-1> : tensor<i32>
// CHECK-DAG: %[[WIDE:.*]] = stablehlo.constant dense<255> : tensor<i32>
// CHECK: return %[[SUM]], %[[REM]], %[[CLAMP]], %[[SIGN]], %[[WIDE]]
func.func @integers() -> (tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<i32>, tensor<i32>) {
  %a = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %b = stablehlo.constant dense<[10, 20]> : tensor<2xi32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %four = stablehlo.constant dense<4> : tensor<i32>
  %m = stablehlo.constant dense<-7> : tensor<i32>
  %u = stablehlo.constant dense<255> : tensor<ui8>
  %0 = stablehlo.add %a, %b : tensor<2xi32>
  %1 = stablehlo.remainder %a, %b : tensor<2xi32>
  %2 = stablehlo.multiply %a, %b : tensor<2xi32>
  %3 = stablehlo.divide %2, %b : tensor<2xi32>
  %4 = stablehlo.multiply %3, %a : tensor<2xi32>
  %5 = stablehlo.clamp %two, %4, %four : (tensor<i32>, tensor<2xi32>, tensor<i32>) -> tensor<2xi32>
  %6 = stablehlo.sign %m : tensor<i32>
  %7 = stablehlo.convert %u : (tensor<ui8>) -> tensor<i32>
  return %0, %1, %5, %6, %7 : tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<i32>, tensor<i32>
}

// CHECK-LABEL: func.func @floats
// FLOAT: %[[ROOT:.*]] = stablehlo.constant dense<[1.500000e+00, 2.000000e+00]> : tensor<2xf32>
// FLOAT: return %[[ROOT]]
// INTEGER: stablehlo.sqrt
func.func @floats() -> tensor<2xf32> {
  %x = stablehlo.constant dense<[2.25, 4.0]> : tensor<2xf32>
  %0 = stablehlo.sqrt %x : tensor<2xf32>
  return %0 : tensor<2xf32>
}

// Neither infinity nor 200 is an i8.
// CHECK-LABEL: func.func @undefined
// CHECK: stablehlo.convert
// CHECK: stablehlo.convert
// CHECK: stablehlo.remainder
func.func @undefined() -> (tensor<i8>, tensor<i8>, tensor<i32>) {
  %inf = stablehlo.constant dense<0x7F800000> : tensor<f32>
  %large = stablehlo.constant dense<200.0> : tensor<f32>
  %a = stablehlo.constant dense<1> : tensor<i32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.convert %inf : (tensor<f32>) -> tensor<i8>
  %1 = stablehlo.convert %large : (tensor<f32>) -> tensor<i8>
  %2 = stablehlo.remainder %a, %zero : tensor<i32>
  return %0, %1, %2 : tensor<i8>, tensor<i8>, tensor<i32>
}

// CHECK-LABEL: func.func @shapes
// CHECK-DAG: %[[IOTA:.*]] = stablehlo.constant dense<{{\[}}[0, 1, 2], [0, 1, 2]]> : tensor<2x3xi16>
// CHECK-DAG: %[[RESHAPE:.*]] = stablehlo.constant dense<{{\[}}[1, 2], [3, 4]]> : tensor<2x2xi32>
// CHECK-DAG: %[[TRANSPOSE:.*]] = stablehlo.constant dense<{{\[}}[1, 3], [2, 4]]> : tensor<2x2xi32>
// CHECK-DAG: %[[JOIN:.*]] = stablehlo.constant dense<{{\[}}[1, 2, 1, 3], [3, 4, 2, 4]]> : tensor<2x4xi32>
// CHECK-DAG: %[[SLICE:.*]] = stablehlo.constant dense<[2, 4]> : tensor<2xi32>
// CHECK-DAG: %[[WIDE:.*]] = stablehlo.constant dense<5> : tensor<100x100xi32>
// CHECK: return %[[IOTA]], %[[RESHAPE]], %[[TRANSPOSE]], %[[JOIN]], %[[SLICE]], %[[WIDE]]
func.func @shapes() -> (tensor<2x3xi16>, tensor<2x2xi32>, tensor<2x2xi32>, tensor<2x4xi32>, tensor<2xi32>, tensor<100x100xi32>) {
  %x = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %five = stablehlo.constant dense<5> : tensor<i32>
  %0 = stablehlo.iota dim = 1 : tensor<2x3xi16>
  %1 = stablehlo.reshape %x : (tensor<4xi32>) -> tensor<2x2xi32>
  %2 = stablehlo.transpose %1, dims = [1, 0] : (tensor<2x2xi32>) -> tensor<2x2xi32>
  %3 = stablehlo.concatenate %1, %2, dim = 1 : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x4xi32>
  %4 = stablehlo.slice %x [1:4:2] : (tensor<4xi32>) -> tensor<2xi32>
  %5 = stablehlo.broadcast_in_dim %five, dims = [] : (tensor<i32>) -> tensor<100x100xi32>
  return %0, %1, %2, %3, %4, %5 : tensor<2x3xi16>, tensor<2x2xi32>, tensor<2x2xi32>, tensor<2x4xi32>, tensor<2xi32>, tensor<100x100xi32>
}

// The limit is for elements that differ.
// CHECK-LABEL: func.func @limits
// CHECK-DAG: %[[SPLAT:.*]] = stablehlo.constant dense<12> : tensor<50xi32>
// CHECK-DAG: %[[IOTA:.*]] = stablehlo.iota dim = 0 : tensor<9xi32>
// CHECK: return %[[SPLAT]], %[[IOTA]]
func.func @limits() -> (tensor<50xi32>, tensor<9xi32>) {
  %a = stablehlo.constant dense<3> : tensor<50xi32>
  %b = stablehlo.constant dense<4> : tensor<50xi32>
  %0 = stablehlo.multiply %a, %b : tensor<50xi32>
  %1 = stablehlo.iota dim = 0 : tensor<9xi32>
  return %0, %1 : tensor<50xi32>, tensor<9xi32>
}

// CHECK-LABEL: func.func @reductions
// CHECK-DAG: %[[TRUE:.*]] = stablehlo.constant dense<true> : tensor<20xi1>
// CHECK-DAG: %[[SEVEN:.*]] = stablehlo.constant dense<7> : tensor<4xi32>
// CHECK: return %[[TRUE]], %[[SEVEN]]
func.func @reductions(%x: tensor<4x3xi32>, %i: tensor<i32>) -> (tensor<20xi1>, tensor<4xi32>) {
  %all = stablehlo.constant dense<true> : tensor<20x30xi1>
  %true = stablehlo.constant dense<true> : tensor<i1>
  %0 = stablehlo.reduce(%all init: %true) applies stablehlo.and across dimensions = [1] : (tensor<20x30xi1>, tensor<i1>) -> tensor<20xi1>
  %1 = stablehlo.reduce(%x init: %i) across dimensions = [1] : (tensor<4x3xi32>, tensor<i32>) -> tensor<4xi32>
    reducer(%a: tensor<i32>, %b: tensor<i32>) {
      %c = stablehlo.constant dense<7> : tensor<i32>
      stablehlo.return %c : tensor<i32>
    }
  return %0, %1 : tensor<20xi1>, tensor<4xi32>
}

// CHECK-LABEL: func.func @branches
// CHECK-NEXT: %[[SINE:.*]] = stablehlo.sine %arg0
// CHECK-NEXT: %[[COSINE:.*]] = stablehlo.cosine %arg0
// CHECK-NEXT: return %[[SINE]], %[[COSINE]]
func.func @branches(%x: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
  %m = stablehlo.constant dense<-1> : tensor<i32>
  %false = stablehlo.constant dense<false> : tensor<i1>
  %0 = "stablehlo.case"(%m) ({
    %2 = stablehlo.cosine %x : tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }, {
    %2 = stablehlo.sine %x : tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }) : (tensor<i32>) -> tensor<f32>
  %1 = "stablehlo.if"(%false) ({
    stablehlo.return %x : tensor<f32>
  }, {
    %2 = stablehlo.cosine %x : tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }) : (tensor<i1>) -> tensor<f32>
  return %0, %1 : tensor<f32>, tensor<f32>
}

// A call may do anything: the loop that calls it stays, unless told otherwise.
func.func private @unknown(tensor<i32>) -> tensor<i32>

// CHECK-LABEL: func.func @dead_loop
// CHECK: stablehlo.while
// CHECK: return %arg0
// ASSUME-LABEL: func.func @dead_loop
// ASSUME-NOT: stablehlo.while
// ASSUME: return %arg0
func.func @dead_loop(%x: tensor<i32>) -> tensor<i32> {
  %one = stablehlo.constant dense<1> : tensor<i32>
  %0 = stablehlo.while(%i = %x) : tensor<i32>
    cond {
      %1 = stablehlo.compare LT, %one, %one, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %1 : tensor<i1>
    } do {
      %1 = func.call @unknown(%i) : (tensor<i32>) -> tensor<i32>
      stablehlo.return %1 : tensor<i32>
    }
  return %0 : tensor<i32>
}
