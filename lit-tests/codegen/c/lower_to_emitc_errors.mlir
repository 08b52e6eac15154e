// RUN: halo-opt %s --halo-lower-to-emitc --split-input-file --verify-diagnostics

func.func private @vector(%x: memref<8xf32>, %i: index) {
  // expected-error @+1 {{'vector.load' op has no lowering to C}}
  %0 = vector.load %x[%i] : memref<8xf32>, vector<4xf32>
  return
}

// -----

func.func private @width(%x: i128) -> i128 {
  // expected-error @+1 {{there is no lowering for 'arith.addi': C has no type i128}}
  %0 = arith.addi %x, %x : i128
  return %0 : i128
}
