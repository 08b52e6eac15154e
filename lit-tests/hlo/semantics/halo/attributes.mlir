// RUN: halo-opt %s --verify-diagnostics --split-input-file

// expected-error @+1 {{has attribute 'halo.unknown', which the dialect does not have}}
func.func @f() attributes {halo.unknown} {
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{has attribute 'halo.entry', which belongs on functions}}
  %0 = arith.constant {halo.entry} 0 : i32
  return
}

// -----

// expected-error @+1 {{has attribute 'halo.kernel' = 1 : i64, which is not a unit attribute}}
func.func @f() attributes {halo.kernel = 1 : i64} {
  return
}

// -----

// expected-error @+1 {{has halo.arena_bytes = 64, but no last argument memref<64xi8>}}
func.func @f(%arena: memref<32xi8>) attributes {halo.arena_bytes = 64 : i64} {
  return
}

// -----

// expected-error @+1 {{has attribute 'halo.arena_bytes' = -1 : i64, which is not a number of bytes}}
func.func @f() attributes {halo.arena_bytes = -1 : i64} {
  return
}

// -----

// expected-error @+1 {{has attribute 'halo.caller_bytes' = -1 : i64, which is not a number of bytes}}
func.func @f() attributes {halo.caller_bytes = -1 : i64} {
  return
}

// -----

func.func @f(%out: memref<4xf32>, %zero: f32) {
  // expected-error @+1 {{has attribute 'halo.precision' = "tf32", which is not #halo.precision}}
  linalg.fill {halo.precision = "tf32"} ins(%zero : f32) outs(%out : memref<4xf32>)
  return
}

// -----

func.func @f(%i: index) {
  // expected-error @+1 {{has attribute 'halo.scatter', which belongs on 'scf.for'}}
  scf.parallel (%j) = (%i) to (%i) step (%i) {
    scf.reduce
  } {halo.scatter = #halo.scatter<combine>}
  return
}

// -----

func.func @f(%i: index) {
  // expected-error @+1 {{has attribute 'halo.strategy' = "two words", which is not a string of letters, digits and underscores}}
  gpu.launch blocks(%x, %y, %z) in (%gx = %i, %gy = %i, %gz = %i) threads(%tx, %ty, %tz) in (%bx = %i, %by = %i, %bz = %i) {
    gpu.terminator
  } {halo.strategy = "two words"}
  return
}

// -----

// expected-error @+1 {{has attribute 'halo.constants' = dense<[1, 2]> : tensor<2xi32>, which is not a vector of i8}}
module attributes {halo.constants = dense<[1, 2]> : tensor<2xi32>} {
}

// -----

// expected-error @+1 {{has a call site without the string 'location'}}
module attributes {halo.call_sites = [{target = "f", operand_types = [], result_types = []}]} {
}

// -----

// expected-error @+1 {{has a call site without 'result_types'}}
module attributes {halo.call_sites = [{target = "f", location = "", operand_types = []}]} {
}

// -----

// expected-error @+1 {{attribute 'operand_layouts' has array<i64: 1>, which does not order the dimensions of tensor<2xf32>}}
module attributes {halo.call_sites = [{target = "f", location = "", operand_types = [tensor<2xf32>], result_types = [], operand_layouts = [array<i64: 1>]}]} {
}

// -----

// expected-error @+1 {{has attribute 'halo.call_sites', which belongs on modules}}
func.func @f() attributes {halo.call_sites = []} {
  return
}

// -----

// No attribute of the dialect stands on arguments or results.
// expected-error @+1 {{has attribute 'halo.entry' on argument 1, which belongs on functions}}
func.func @f(%a: i32, %b: i32 {halo.entry}) {
  return
}

// -----

// expected-error @+1 {{has attribute 'halo.unknown' on result 0, which the dialect does not have}}
func.func private @f() -> (i32 {halo.unknown})

// -----

// expected-error @+1 {{has attribute 'halo.kernel' on argument 0, which belongs on functions}}
llvm.func @f(!llvm.ptr {halo.kernel})

// -----

gpu.module @kernels {
  // expected-error @+1 {{has attribute 'halo.arena_bytes' on argument 0, which belongs on functions}}
  gpu.func @f(%a: memref<4xi8> {halo.arena_bytes = 4 : i64}) kernel {
    gpu.return
  }
}

// -----

func.func @f() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error @+1 {{has attribute 'halo.parallel', which belongs on 'scf.for'}}
  scf.parallel (%i) = (%c0) to (%c1) step (%c1) {
  } {halo.parallel}
  return
}

// -----

func.func @f() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error @+1 {{has attribute 'halo.remainder' = true, which is not a unit attribute}}
  scf.for %i = %c0 to %c1 step %c1 {
  } {halo.remainder = true}
  return
}

// -----

func.func @f() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error @+1 {{has attribute 'halo.unroll' = 0 : index, which is not a positive number of iterations}}
  scf.for %i = %c0 to %c1 step %c1 {
  } {halo.unroll = 0 : index}
  return
}
