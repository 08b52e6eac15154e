func.func @f(%m: memref<64xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  scf.for %i = %c0 to %c64 step %c1 {
    %0 = memref.load %m[%i] : memref<64xf32>
    memref.store %0, %m[%i] : memref<64xf32>
  }
  return
}

{-#
  external_resources: {
    mlir_reproducer: {
      pipeline: "builtin.module(halo-convert-to-llvm)",
      disable_threading: true,
      verify_each: true
    }
  }
#-}
