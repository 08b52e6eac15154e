module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func private @main(%arg0: !llvm.ptr, %arg1: memref<1024x1024xf32>, %arg2: memref<1024x1024xf32>, %arg3: memref<1024x1024xf32>, %arg4: memref<2097152xi8>) attributes {halo.arena_bytes = 2097152 : i64, halo.arena_largest = "reproducer:3:10", halo.entry} {
    %c32 = arith.constant 32 : index
    %c16 = arith.constant 16 : index
    %c256 = arith.constant 256 : index
    %c0 = arith.constant 0 : index
    %view = memref.view %arg4[%c0][] : memref<2097152xi8> to memref<16x1024x32xf32>
    scf.for %arg5 = %c0 to %c32 step %c16 {
      halo.parallel_call @main_pack_0 from %c0 to %c16 grain 4 captures(%arg5, %arg2, %view : index, memref<1024x1024xf32>, memref<16x1024x32xf32>)
      halo.parallel_call @main_kernel_0 from %c0 to %c256 grain 1 captures(%arg5, %arg1, %view, %arg3 : index, memref<1024x1024xf32>, memref<16x1024x32xf32>, memref<1024x1024xf32>)
    }
    return
  }
  func.func private @main_kernel_0(%arg0: index, %arg1: index, %arg2: index, %arg3: memref<1024x1024xf32> {llvm.noalias}, %arg4: memref<16x1024x32xf32> {llvm.noalias}, %arg5: memref<1024x1024xf32> {llvm.noalias}) attributes {halo.kernel, halo.vectorized} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c128 = arith.constant 128 : index
    %c8 = arith.constant 8 : index
    %c1024 = arith.constant 1024 : index
    %c512 = arith.constant 512 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %c1023 = arith.constant 1023 : index
    %c32 = arith.constant 32 : index
    %cst = arith.constant dense<0.000000e+00> : vector<16xf32>
    %c2 = arith.constant 2 : index
    %c3 = arith.constant 3 : index
    %c4 = arith.constant 4 : index
    %c5 = arith.constant 5 : index
    %c6 = arith.constant 6 : index
    %c7 = arith.constant 7 : index
    %cst_0 = arith.constant dense<-0.000000e+00> : vector<16xf32>
    %alloca = memref.alloca() {alignment = 64 : i64} : memref<1x8x528xf32>
    %alloca_1 = memref.alloca() {alignment = 64 : i64} : memref<8x32xf32>
    scf.for %arg6 = %arg0 to %arg1 step %c1 {
      %0 = arith.remui %arg6, %c128 : index
      %1 = arith.divui %arg6, %c128 : index
      %2 = arith.muli %1, %c8 : index
      %3 = arith.addi %arg2, %2 : index
      %4 = arith.addi %3, %c8 overflow<nsw> : index
      scf.for %arg7 = %c0 to %c1024 step %c512 {
        %5 = arith.addi %arg7, %c512 overflow<nsw> : index
        %6 = arith.muli %0, %c8 : index
        %7 = arith.addi %arg7, %c512 : index
        scf.for %arg8 = %arg7 to %7 step %c16 {
          %8 = arith.subi %arg8, %arg7 : index
          scf.for %arg9 = %c0 to %c8 step %c1 {
            %9 = arith.addi %6, %arg9 : index
            %10 = vector.load %arg3[%9, %arg8] : memref<1024x1024xf32>, vector<16xf32>
            vector.store %10, %alloca[%c0, %arg9, %8] : memref<1x8x528xf32>, vector<16xf32>
          }
        }
        scf.for %arg8 = %3 to %4 step %c1 {
          %8 = arith.subi %arg8, %3 : index
          %9 = arith.muli %8, %c64 : index
          %10 = arith.addi %arg7, %9 : index
          %11 = arith.addi %10, %c64 : index
          %12 = arith.minsi %11, %5 : index
          %13 = arith.addi %6, %c8 : index
          scf.for %arg9 = %c0 to %c8 step %c1 {
            %18 = arith.addi %13, %arg9 : index
            %19 = arith.minsi %18, %c1023 : index
            scf.for %arg10 = %10 to %12 step %c16 {
              memref.prefetch %arg3[%19, %arg10], read, locality<2>, data : memref<1024x1024xf32>
            }
          }
          %14 = arith.muli %arg8, %c32 : index
          %15 = arith.subi %arg8, %arg2 : index
          %16 = arith.cmpi slt, %arg7, %c1 : index
          %17:16 = scf.for %arg9 = %arg7 to %5 step %c1 iter_args(%arg10 = %cst, %arg11 = %cst, %arg12 = %cst, %arg13 = %cst, %arg14 = %cst, %arg15 = %cst, %arg16 = %cst, %arg17 = %cst, %arg18 = %cst, %arg19 = %cst, %arg20 = %cst, %arg21 = %cst, %arg22 = %cst, %arg23 = %cst, %arg24 = %cst, %arg25 = %cst) -> (vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>) {
            %18 = vector.load %arg4[%15, %arg9, %c0] : memref<16x1024x32xf32>, vector<16xf32>
            %19 = vector.load %arg4[%15, %arg9, %c16] : memref<16x1024x32xf32>, vector<16xf32>
            %20 = arith.subi %arg9, %arg7 : index
            %21 = memref.load %alloca[%c0, %c0, %20] : memref<1x8x528xf32>
            %22 = vector.broadcast %21 : f32 to vector<16xf32>
            %23 = vector.fma %22, %18, %arg10 : vector<16xf32>
            %24 = vector.fma %22, %19, %arg11 : vector<16xf32>
            %25 = memref.load %alloca[%c0, %c1, %20] : memref<1x8x528xf32>
            %26 = vector.broadcast %25 : f32 to vector<16xf32>
            %27 = vector.fma %26, %18, %arg12 : vector<16xf32>
            %28 = vector.fma %26, %19, %arg13 : vector<16xf32>
            %29 = memref.load %alloca[%c0, %c2, %20] : memref<1x8x528xf32>
            %30 = vector.broadcast %29 : f32 to vector<16xf32>
            %31 = vector.fma %30, %18, %arg14 : vector<16xf32>
            %32 = vector.fma %30, %19, %arg15 : vector<16xf32>
            %33 = memref.load %alloca[%c0, %c3, %20] : memref<1x8x528xf32>
            %34 = vector.broadcast %33 : f32 to vector<16xf32>
            %35 = vector.fma %34, %18, %arg16 : vector<16xf32>
            %36 = vector.fma %34, %19, %arg17 : vector<16xf32>
            %37 = memref.load %alloca[%c0, %c4, %20] : memref<1x8x528xf32>
            %38 = vector.broadcast %37 : f32 to vector<16xf32>
            %39 = vector.fma %38, %18, %arg18 : vector<16xf32>
            %40 = vector.fma %38, %19, %arg19 : vector<16xf32>
            %41 = memref.load %alloca[%c0, %c5, %20] : memref<1x8x528xf32>
            %42 = vector.broadcast %41 : f32 to vector<16xf32>
            %43 = vector.fma %42, %18, %arg20 : vector<16xf32>
            %44 = vector.fma %42, %19, %arg21 : vector<16xf32>
            %45 = memref.load %alloca[%c0, %c6, %20] : memref<1x8x528xf32>
            %46 = vector.broadcast %45 : f32 to vector<16xf32>
            %47 = vector.fma %46, %18, %arg22 : vector<16xf32>
            %48 = vector.fma %46, %19, %arg23 : vector<16xf32>
            %49 = memref.load %alloca[%c0, %c7, %20] : memref<1x8x528xf32>
            %50 = vector.broadcast %49 : f32 to vector<16xf32>
            %51 = vector.fma %50, %18, %arg24 : vector<16xf32>
            %52 = vector.fma %50, %19, %arg25 : vector<16xf32>
            scf.yield %23, %24, %27, %28, %31, %32, %35, %36, %39, %40, %43, %44, %47, %48, %51, %52 : vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>
          }
          vector.store %17#0, %alloca_1[%c0, %c0] : memref<8x32xf32>, vector<16xf32>
          vector.store %17#1, %alloca_1[%c0, %c16] : memref<8x32xf32>, vector<16xf32>
          vector.store %17#2, %alloca_1[%c1, %c0] : memref<8x32xf32>, vector<16xf32>
          vector.store %17#3, %alloca_1[%c1, %c16] : memref<8x32xf32>, vector<16xf32>
          vector.store %17#4, %alloca_1[%c2, %c0] : memref<8x32xf32>, vector<16xf32>
          vector.store %17#5, %alloca_1[%c2, %c16] : memref<8x32xf32>, vector<16xf32>
          vector.store %17#6, %alloca_1[%c3, %c0] : memref<8x32xf32>, vector<16xf32>
          vector.store %17#7, %alloca_1[%c3, %c16] : memref<8x32xf32>, vector<16xf32>
          vector.store %17#8, %alloca_1[%c4, %c0] : memref<8x32xf32>, vector<16xf32>
          vector.store %17#9, %alloca_1[%c4, %c16] : memref<8x32xf32>, vector<16xf32>
          vector.store %17#10, %alloca_1[%c5, %c0] : memref<8x32xf32>, vector<16xf32>
          vector.store %17#11, %alloca_1[%c5, %c16] : memref<8x32xf32>, vector<16xf32>
          vector.store %17#12, %alloca_1[%c6, %c0] : memref<8x32xf32>, vector<16xf32>
          vector.store %17#13, %alloca_1[%c6, %c16] : memref<8x32xf32>, vector<16xf32>
          vector.store %17#14, %alloca_1[%c7, %c0] : memref<8x32xf32>, vector<16xf32>
          vector.store %17#15, %alloca_1[%c7, %c16] : memref<8x32xf32>, vector<16xf32>
          scf.for %arg9 = %c0 to %c8 step %c1 {
            %18 = vector.load %alloca_1[%arg9, %c0] : memref<8x32xf32>, vector<16xf32>
            %19 = vector.load %alloca_1[%arg9, %c16] : memref<8x32xf32>, vector<16xf32>
            %20 = arith.addi %6, %arg9 : index
            %21 = arith.addi %14, %c16 : index
            %22:2 = scf.if %16 -> (vector<16xf32>, vector<16xf32>) {
              scf.yield %cst_0, %cst_0 : vector<16xf32>, vector<16xf32>
            } else {
              %25 = vector.load %arg5[%20, %14] : memref<1024x1024xf32>, vector<16xf32>
              %26 = vector.load %arg5[%20, %21] : memref<1024x1024xf32>, vector<16xf32>
              scf.yield %25, %26 : vector<16xf32>, vector<16xf32>
            }
            %23 = arith.addf %22#0, %18 : vector<16xf32>
            vector.store %23, %arg5[%20, %14] : memref<1024x1024xf32>, vector<16xf32>
            %24 = arith.addf %22#1, %19 : vector<16xf32>
            vector.store %24, %arg5[%20, %21] : memref<1024x1024xf32>, vector<16xf32>
          }
        }
      }
    } {halo.parallel}
    return
  }
  func.func private @main_pack_0(%arg0: index, %arg1: index, %arg2: index, %arg3: memref<1024x1024xf32> {llvm.noalias}, %arg4: memref<16x1024x32xf32> {llvm.noalias}) attributes {halo.kernel, halo.vectorized} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %c1024 = arith.constant 1024 : index
    %c1023 = arith.constant 1023 : index
    %c16 = arith.constant 16 : index
    scf.for %arg5 = %arg0 to %arg1 step %c1 {
      %0 = arith.addi %arg2, %arg5 : index
      %1 = arith.muli %0, %c32 : index
      scf.for %arg6 = %c0 to %c1024 step %c1 {
        %2 = arith.addi %arg6, %c32 : index
        %3 = arith.minsi %2, %c1023 : index
        memref.prefetch %arg3[%3, %1], read, locality<2>, data : memref<1024x1024xf32>
        %4 = arith.addi %1, %c16 : index
        memref.prefetch %arg3[%3, %4], read, locality<2>, data : memref<1024x1024xf32>
        %5 = vector.load %arg3[%arg6, %1] : memref<1024x1024xf32>, vector<16xf32>
        vector.store %5, %arg4[%arg5, %arg6, %c0] : memref<16x1024x32xf32>, vector<16xf32>
        %6 = vector.load %arg3[%arg6, %4] : memref<1024x1024xf32>, vector<16xf32>
        vector.store %6, %arg4[%arg5, %arg6, %c16] : memref<16x1024x32xf32>, vector<16xf32>
      }
    } {halo.parallel}
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
