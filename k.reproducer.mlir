module {
  func.func private @main(%arg0: !llvm.ptr, %arg1: memref<4x4xf32>, %arg2: memref<4x4xf32>, %arg3: memref<0xi8>) attributes {halo.arena_bytes = 0 : i64, halo.entry} {
    %c16 = arith.constant 16 : index
    %c0 = arith.constant 0 : index
    %collapse_shape = memref.collapse_shape %arg1 [[0, 1]] : memref<4x4xf32> into memref<16xf32>
    %collapse_shape_0 = memref.collapse_shape %arg2 [[0, 1]] : memref<4x4xf32> into memref<16xf32>
    halo.parallel_call @main_kernel_0 from %c0 to %c16 grain 75000 captures(%collapse_shape, %collapse_shape_0 : memref<16xf32>, memref<16xf32>)
    return
  }
  func.func private @main_kernel_0(%arg0: index, %arg1: index, %arg2: memref<16xf32> {llvm.noalias}, %arg3: memref<16xf32> {llvm.noalias}) attributes {halo.kernel, halo.vectorized} {
    %c1 = arith.constant 1 : index
    %c64 = arith.constant 64 : index
    %0 = arith.subi %arg1, %arg0 : index
    %c0 = arith.constant 0 : index
    %1 = arith.maxsi %0, %c0 : index
    %2 = arith.remui %1, %c64 : index
    %3 = arith.subi %1, %2 : index
    %4 = arith.addi %arg0, %3 : index
    scf.for %arg4 = %arg0 to %4 step %c64 {
      %5 = vector.load %arg2[%arg4] : memref<16xf32>, vector<64xf32>
      %6 = arith.addf %5, %5 : vector<64xf32>
      vector.store %6, %arg3[%arg4] : memref<16xf32>, vector<64xf32>
    }
    scf.for %arg4 = %4 to %arg1 step %c1 {
      %5 = memref.load %arg2[%arg4] : memref<16xf32>
      %6 = arith.addf %5, %5 : f32
      memref.store %6, %arg3[%arg4] : memref<16xf32>
    } {halo.remainder}
    return
  }
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
