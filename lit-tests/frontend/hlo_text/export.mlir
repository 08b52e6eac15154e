// RUN: halo-translate --stablehlo-to-hlo-text --hlo-text-form=short --split-input-file %s | FileCheck %s

// A function and a region become computations, callees first. A constant of
// equal elements is one that is broadcast.

// CHECK-LABEL: HloModule m, entry_computation_layout={(f32[4]{0})->f32[]}
// CHECK: double {
// CHECK-NEXT: Arg_0 = f32[4]{0} parameter(0)
// CHECK-NEXT: constant = f32[] constant(2)
// CHECK-NEXT: broadcast = f32[4]{0} broadcast(constant), dimensions={}
// CHECK-NEXT: ROOT multiply = f32[4]{0} multiply(Arg_0, broadcast)
// CHECK: region {
// CHECK: ROOT add = f32[] add(Arg_0.2, Arg_1)
// CHECK: ENTRY main {
// CHECK-NEXT: Arg_0.1 = f32[4]{0} parameter(0)
// CHECK-NEXT: call = f32[4]{0} call(Arg_0.1), to_apply=double
// CHECK-NEXT: constant.1 = f32[] constant(0)
// CHECK-NEXT: ROOT reduce = f32[] reduce(call, constant.1), dimensions={0}, to_apply=region
module @m {
  func.func public @main(%x: tensor<4xf32>) -> tensor<f32> {
    %0 = call @double(%x) : (tensor<4xf32>) -> tensor<4xf32>
    %1 = stablehlo.constant dense<0.0> : tensor<f32>
    %2 = stablehlo.reduce(%0 init: %1) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
    return %2 : tensor<f32>
  }
  func.func private @double(%x: tensor<4xf32>) -> tensor<4xf32> {
    %0 = stablehlo.constant dense<2.0> : tensor<4xf32>
    %1 = stablehlo.multiply %x, %0 : tensor<4xf32>
    return %1 : tensor<4xf32>
  }
}

// -----

// What the regions of a loop use of the values around them goes along.

// CHECK-LABEL: HloModule loop
// CHECK: region {
// CHECK-NEXT: arg_tuple = (s32[], f32[2]{0}, s32[], f32[2]{0}) parameter(0)
// CHECK-NEXT: get-tuple-element = s32[] get-tuple-element(arg_tuple), index=0
// CHECK: ROOT compare = pred[] compare(get-tuple-element, get-tuple-element.2), direction=LT
// CHECK: region.1 {
// CHECK: ROOT tuple{{.*}} = (s32[], f32[2]{0}, s32[], f32[2]{0}) tuple(
// CHECK: ENTRY main {
// CHECK: [[STATE:tuple.*]] = (s32[], f32[2]{0}, s32[], f32[2]{0}) tuple(constant, Arg_1, Arg_0, Arg_1)
// CHECK: while = (s32[], f32[2]{0}, s32[], f32[2]{0}) while([[STATE]]), condition=region, body=region.1
module @loop {
  func.func @main(%n: tensor<i32>, %x: tensor<2xf32>) -> (tensor<i32>, tensor<2xf32>) {
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %r:2 = stablehlo.while(%i = %zero, %y = %x) : tensor<i32>, tensor<2xf32>
     cond {
      %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %one = stablehlo.constant dense<1> : tensor<i32>
      %j = stablehlo.add %i, %one : tensor<i32>
      %z = stablehlo.add %y, %x : tensor<2xf32>
      stablehlo.return %j, %z : tensor<i32>, tensor<2xf32>
    }
    return %r#0, %r#1 : tensor<i32>, tensor<2xf32>
  }
}

// -----

// A branch takes the one value that it uses, or a tuple of them; `if` and `case`
// have their own spellings.

// CHECK-LABEL: HloModule branches
// CHECK: region {
// CHECK-NEXT: arg = f32[2]{0} parameter(0)
// CHECK-NEXT: ROOT add = f32[2]{0} add(arg, arg)
// CHECK: region.1 {
// CHECK-NEXT: arg_tuple = (f32[2]{0}, f32[2]{0}) parameter(0)
// CHECK: ENTRY main {
// CHECK: tuple = (f32[2]{0}, f32[2]{0}) tuple(Arg_1, Arg_2)
// CHECK-NEXT: conditional = f32[2]{0} conditional(Arg_0, Arg_1, tuple), true_computation=region, false_computation=region.1
// CHECK: tuple{{.*}} = () tuple()
// CHECK-NEXT: ROOT conditional.1 = f32[2]{0} conditional(Arg_3, conditional, tuple{{.*}}), branch_computations={region.2, region.3}
module @branches {
  func.func @main(%p: tensor<i1>, %x: tensor<2xf32>, %y: tensor<2xf32>, %i: tensor<i32>) -> tensor<2xf32> {
    %0 = "stablehlo.if"(%p) ({
      %1 = stablehlo.add %x, %x : tensor<2xf32>
      stablehlo.return %1 : tensor<2xf32>
    }, {
      %1 = stablehlo.add %x, %y : tensor<2xf32>
      stablehlo.return %1 : tensor<2xf32>
    }) : (tensor<i1>) -> tensor<2xf32>
    %2 = "stablehlo.case"(%i) ({
      stablehlo.return %0 : tensor<2xf32>
    }, {
      %c = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>
      stablehlo.return %c : tensor<2xf32>
    }) : (tensor<i32>) -> tensor<2xf32>
    return %2 : tensor<2xf32>
  }
}

// -----

// What a module, its arguments and its results say of devices and memory.

// CHECK-LABEL: HloModule devices, input_output_alias={ {0}: (0, {}, may-alias) }, buffer_donor={ (1, {}) }, entry_computation_layout={{.*}}, replica_count=2, num_partitions=4
// CHECK: Arg_0 = f32[8]{0} parameter(0), sharding={devices=[4]0,1,2,3}
// CHECK: Arg_1 = f32[8]{0} parameter(1)
// CHECK: ROOT tuple = (f32[8]{0}, f32[8]{0}) tuple(Arg_0, Arg_1), sharding={{[{][{]}}devices=[4]<=[4]}, {replicated}}
module @devices attributes {mhlo.num_replicas = 2 : i32, mhlo.num_partitions = 4 : i32} {
  func.func @main(%x: tensor<8xf32> {mhlo.sharding = "{devices=[4]0,1,2,3}", tf.aliasing_output = 0 : i32}, %y: tensor<8xf32> {jax.buffer_donor = true})
      -> (tensor<8xf32> {mhlo.sharding = "{devices=[4]<=[4]}"}, tensor<8xf32>) {
    return %x, %y : tensor<8xf32>, tensor<8xf32>
  }
}

// -----

// CHLO without an opcode is decomposed, and so is quantized arithmetic.

// CHECK-LABEL: HloModule chlo
// CHECK: erf = f32[4]{0} erf(Arg_0)
// CHECK-NEXT: multiply = f32[4]{0} multiply(erf, erf)
// CHECK-NEXT: ROOT is-finite = pred[4]{0} is-finite(multiply)
module @chlo {
  func.func @main(%x: tensor<4xf32>) -> tensor<4xi1> {
    %0 = chlo.erf %x : tensor<4xf32> -> tensor<4xf32>
    %1 = chlo.square %0 : tensor<4xf32> -> tensor<4xf32>
    %2 = stablehlo.is_finite %1 : (tensor<4xf32>) -> tensor<4xi1>
    return %2 : tensor<4xi1>
  }
}
