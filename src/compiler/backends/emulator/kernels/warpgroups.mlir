// A product of bf16 by wgmma as the CUDA backend compiles it for sm_90a: 1024x512 by 512x1152, in
// tiles of 64x64.
!sums = !llvm.struct<(f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32, f32)>
gpu.module @kernels {
  gpu.func @product(%arg0: memref<1024x1152xf32> {llvm.align = 16 : i64, llvm.noalias}, %arg1: !llvm.ptr {llvm.dereferenceable = 128 : i64}, %arg2: !llvm.ptr {llvm.dereferenceable = 128 : i64}) workgroup(%arg3 : memref<66624xi8, #gpu.address_space<workgroup>>) kernel attributes {known_block_size = array<i32: 256, 1, 1>, known_grid_size = array<i32: 288, 1, 1>} {
    %c16384_i32 = arith.constant 16384 : i32
    %c32_i32 = arith.constant 32 : i32
    %c384_i64 = arith.constant 384 : i64
    %c6_i64 = arith.constant 6 : i64
    %c256_i64 = arith.constant 256 : i64
    %c128_i64 = arith.constant 128 : i64
    %c2_i64 = arith.constant 2 : i64
    %c4611686293338849280_i64 = arith.constant 4611686293338849280 : i64
    %c4611686293305360384_i64 = arith.constant 4611686293305360384 : i64
    %c4_i64 = arith.constant 4 : i64
    %c262143_i64 = arith.constant 262143 : i64
    %c10000000_i32 = arith.constant 10000000 : i32
    %c8192 = arith.constant 8192 : index
    %c16384 = arith.constant 16384 : index
    %c0_i32 = arith.constant 0 : i32
    %0 = llvm.mlir.zero : !sums
    %c1152 = arith.constant 1152 : index
    %c48 = arith.constant 48 : index
    %c4 = arith.constant 4 : index
    %c4_i32 = arith.constant 4 : i32
    %c1_i32 = arith.constant 1 : i32
    %c65592 = arith.constant 65592 : index
    %c65584 = arith.constant 65584 : index
    %c65576 = arith.constant 65576 : index
    %c65568 = arith.constant 65568 : index
    %c65560 = arith.constant 65560 : index
    %c65552 = arith.constant 65552 : index
    %c2 = arith.constant 2 : index
    %c65544 = arith.constant 65544 : index
    %c65536 = arith.constant 65536 : index
    %c1 = arith.constant 1 : index
    %c32 = arith.constant 32 : index
    %c128 = arith.constant 128 : index
    %c1024 = arith.constant 1024 : index
    %c1023 = arith.constant 1023 : index
    %c16 = arith.constant 16 : index
    %c8 = arith.constant 8 : index
    %c144 = arith.constant 144 : index
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %block_id_x = gpu.block_id  x
    %thread_id_x = gpu.thread_id  x
    %1 = arith.divui %block_id_x, %c144 : index
    %2 = arith.remui %block_id_x, %c144 : index
    %3 = arith.muli %1, %c8 : index
    %4 = arith.subi %c16, %3 : index
    %5 = arith.minsi %4, %c8 : index
    %6 = arith.remui %2, %5 : index
    %7 = arith.divui %2, %5 : index
    %8 = arith.addi %3, %6 : index
    %9 = arith.muli %8, %c64 : index
    %10 = arith.muli %7, %c64 : index
    %intptr = memref.extract_aligned_pointer_as_index %arg3 : memref<66624xi8, #gpu.address_space<workgroup>> -> index
    %11 = arith.addi %intptr, %c1023 : index
    %12 = arith.remui %11, %c1024 : index
    %13 = arith.divui %thread_id_x, %c128 : index
    %14 = arith.remui %thread_id_x, %c128 : index
    %15 = arith.divui %14, %c32 : index
    %16 = arith.remui %14, %c32 : index
    %17 = arith.subi %11, %12 : index
    %18 = arith.cmpi eq, %thread_id_x, %c0 : index
    scf.if %18 {
      %20 = arith.addi %17, %c65536 : index
      %21 = arith.index_cast %20 : index to i64
      %22 = llvm.inttoptr %21 : i64 to !llvm.ptr<3>
      nvvm.mbarrier.init %22, %c1_i32 : !llvm.ptr<3>, i32
      %23 = arith.addi %17, %c65544 : index
      %24 = arith.index_cast %23 : index to i64
      %25 = llvm.inttoptr %24 : i64 to !llvm.ptr<3>
      nvvm.mbarrier.init %25, %c1_i32 : !llvm.ptr<3>, i32
      %26 = arith.addi %17, %c65552 : index
      %27 = arith.index_cast %26 : index to i64
      %28 = llvm.inttoptr %27 : i64 to !llvm.ptr<3>
      nvvm.mbarrier.init %28, %c1_i32 : !llvm.ptr<3>, i32
      %29 = arith.addi %17, %c65560 : index
      %30 = arith.index_cast %29 : index to i64
      %31 = llvm.inttoptr %30 : i64 to !llvm.ptr<3>
      nvvm.mbarrier.init %31, %c1_i32 : !llvm.ptr<3>, i32
      %32 = arith.addi %17, %c65568 : index
      %33 = arith.index_cast %32 : index to i64
      %34 = llvm.inttoptr %33 : i64 to !llvm.ptr<3>
      nvvm.mbarrier.init %34, %c4_i32 : !llvm.ptr<3>, i32
      %35 = arith.addi %17, %c65576 : index
      %36 = arith.index_cast %35 : index to i64
      %37 = llvm.inttoptr %36 : i64 to !llvm.ptr<3>
      nvvm.mbarrier.init %37, %c4_i32 : !llvm.ptr<3>, i32
      %38 = arith.addi %17, %c65584 : index
      %39 = arith.index_cast %38 : index to i64
      %40 = llvm.inttoptr %39 : i64 to !llvm.ptr<3>
      nvvm.mbarrier.init %40, %c4_i32 : !llvm.ptr<3>, i32
      %41 = arith.addi %17, %c65592 : index
      %42 = arith.index_cast %41 : index to i64
      %43 = llvm.inttoptr %42 : i64 to !llvm.ptr<3>
      nvvm.mbarrier.init %43, %c4_i32 : !llvm.ptr<3>, i32
      nvvm.fence.mbarrier.init
    }
    gpu.barrier
    %19 = arith.cmpi ult, %13, %c1 : index
    scf.if %19 {
      %20 = arith.cmpi eq, %16, %c0 : index
      %21:4 = scf.for %arg4 = %c0 to %c8 step %c1 iter_args(%arg5 = %c0, %arg6 = %c0_i32, %arg7 = %c0, %arg8 = %0) -> (index, i32, index, !sums) {
        %138 = arith.muli %arg5, %c8 : index
        %139 = arith.addi %138, %c65536 : index
        %140 = arith.addi %17, %139 : index
        %141 = arith.index_cast %140 : index to i64
        %142 = llvm.inttoptr %141 : i64 to !llvm.ptr<3>
        nvvm.mbarrier.try_wait.parity %142, %arg6, %c10000000_i32 : !llvm.ptr<3>, i32, i32
        nvvm.wgmma.fence.aligned
        %143 = arith.muli %arg5, %c16384 : index
        %144 = arith.addi %17, %143 : index
        %145 = arith.muli %13, %c8192 : index
        %146 = arith.addi %144, %c8192 : index
        %147 = arith.addi %144, %145 : index
        %148 = arith.index_cast %147 : index to i64
        %149 = arith.andi %148, %c262143_i64 : i64
        %150 = arith.shrui %149, %c4_i64 : i64
        %151 = arith.ori %150, %c4611686293305360384_i64 : i64
        %152 = arith.index_cast %146 : index to i64
        %153 = arith.andi %152, %c262143_i64 : i64
        %154 = arith.shrui %153, %c4_i64 : i64
        %155 = arith.ori %154, %c4611686293338849280_i64 : i64
        %156 = nvvm.wgmma.mma_async %151, %155, %arg8, <m = 64, n = 64, k = 16>, D[<f32>, <one>], A[<bf16>, <one>, <row>], B[<bf16>, <one>, <row>] : !sums -> !sums
        %157 = arith.addi %151, %c2_i64 : i64
        %158 = arith.addi %155, %c128_i64 : i64
        %159 = nvvm.wgmma.mma_async %157, %158, %156, <m = 64, n = 64, k = 16>, D[<f32>, <one>], A[<bf16>, <one>, <row>], B[<bf16>, <one>, <row>] : !sums -> !sums
        %160 = arith.addi %151, %c4_i64 : i64
        %161 = arith.addi %155, %c256_i64 : i64
        %162 = nvvm.wgmma.mma_async %160, %161, %159, <m = 64, n = 64, k = 16>, D[<f32>, <one>], A[<bf16>, <one>, <row>], B[<bf16>, <one>, <row>] : !sums -> !sums
        %163 = arith.addi %151, %c6_i64 : i64
        %164 = arith.addi %155, %c384_i64 : i64
        %165 = nvvm.wgmma.mma_async %163, %164, %162, <m = 64, n = 64, k = 16>, D[<f32>, <one>], A[<bf16>, <one>, <row>], B[<bf16>, <one>, <row>] : !sums -> !sums
        nvvm.wgmma.commit.group.sync.aligned
        nvvm.wgmma.wait.group.sync.aligned 1
        %166 = arith.cmpi ugt, %arg4, %c0 : index
        %167 = arith.andi %20, %166 : i1
        scf.if %167 {
          %173 = arith.muli %arg7, %c8 : index
          %174 = arith.addi %173, %c65568 : index
          %175 = arith.addi %17, %174 : index
          %176 = arith.index_cast %175 : index to i64
          %177 = llvm.inttoptr %176 : i64 to !llvm.ptr<3>
          %178 = nvvm.mbarrier.arrive %177 : !llvm.ptr<3> -> i64
        }
        %168 = arith.addi %arg5, %c1 : index
        %169 = arith.cmpi ult, %168, %c4 : index
        %170 = arith.xori %arg6, %c1_i32 : i32
        %171 = arith.select %169, %168, %c0 : index
        %172 = arith.select %169, %arg6, %170 : i32
        scf.yield %171, %172, %arg5, %165 : index, i32, index, !sums
      }
      nvvm.wgmma.wait.group.sync.aligned 0
      %22 = llvm.extractvalue %21#3[0] : !sums 
      %23 = llvm.extractvalue %21#3[1] : !sums 
      %24 = llvm.extractvalue %21#3[2] : !sums 
      %25 = llvm.extractvalue %21#3[3] : !sums 
      %26 = llvm.extractvalue %21#3[4] : !sums 
      %27 = llvm.extractvalue %21#3[5] : !sums 
      %28 = llvm.extractvalue %21#3[6] : !sums 
      %29 = llvm.extractvalue %21#3[7] : !sums 
      %30 = llvm.extractvalue %21#3[8] : !sums 
      %31 = llvm.extractvalue %21#3[9] : !sums 
      %32 = llvm.extractvalue %21#3[10] : !sums 
      %33 = llvm.extractvalue %21#3[11] : !sums 
      %34 = llvm.extractvalue %21#3[12] : !sums 
      %35 = llvm.extractvalue %21#3[13] : !sums 
      %36 = llvm.extractvalue %21#3[14] : !sums 
      %37 = llvm.extractvalue %21#3[15] : !sums 
      %38 = llvm.extractvalue %21#3[16] : !sums 
      %39 = llvm.extractvalue %21#3[17] : !sums 
      %40 = llvm.extractvalue %21#3[18] : !sums 
      %41 = llvm.extractvalue %21#3[19] : !sums 
      %42 = llvm.extractvalue %21#3[20] : !sums 
      %43 = llvm.extractvalue %21#3[21] : !sums 
      %44 = llvm.extractvalue %21#3[22] : !sums 
      %45 = llvm.extractvalue %21#3[23] : !sums 
      %46 = llvm.extractvalue %21#3[24] : !sums 
      %47 = llvm.extractvalue %21#3[25] : !sums 
      %48 = llvm.extractvalue %21#3[26] : !sums 
      %49 = llvm.extractvalue %21#3[27] : !sums 
      %50 = llvm.extractvalue %21#3[28] : !sums 
      %51 = llvm.extractvalue %21#3[29] : !sums 
      %52 = llvm.extractvalue %21#3[30] : !sums 
      %53 = llvm.extractvalue %21#3[31] : !sums 
      %54 = arith.divui %16, %c4 : index
      %55 = arith.remui %16, %c4 : index
      %56 = arith.muli %13, %c64 : index
      %57 = arith.muli %15, %c16 : index
      %58 = arith.addi %9, %56 : index
      %59 = arith.addi %58, %57 : index
      %60 = arith.addi %59, %54 : index
      %reinterpret_cast = memref.reinterpret_cast %arg0 to offset: [0], sizes: [1179648], strides: [1] : memref<1024x1152xf32> to memref<1179648xf32>
      %61 = arith.divui %55, %c2 : index
      %62 = arith.remui %55, %c2 : index
      %63 = arith.muli %62, %c8 : index
      %64 = arith.muli %61, %c4 : index
      %65 = arith.addi %10, %63 : index
      %66 = arith.addi %65, %64 : index
      %67 = arith.cmpi ne, %62, %c0 : index
      %68 = arith.select %67, %22, %26 : f32
      %shuffleResult, %valid = gpu.shuffle  xor %68, %c1_i32, %c32_i32 : f32
      %69 = arith.select %67, %shuffleResult, %22 : f32
      %70 = arith.select %67, %26, %shuffleResult : f32
      %71 = arith.select %67, %23, %27 : f32
      %shuffleResult_0, %valid_1 = gpu.shuffle  xor %71, %c1_i32, %c32_i32 : f32
      %72 = arith.select %67, %shuffleResult_0, %23 : f32
      %73 = arith.select %67, %27, %shuffleResult_0 : f32
      %74 = arith.select %67, %30, %34 : f32
      %shuffleResult_2, %valid_3 = gpu.shuffle  xor %74, %c1_i32, %c32_i32 : f32
      %75 = arith.select %67, %shuffleResult_2, %30 : f32
      %76 = arith.select %67, %34, %shuffleResult_2 : f32
      %77 = arith.select %67, %31, %35 : f32
      %shuffleResult_4, %valid_5 = gpu.shuffle  xor %77, %c1_i32, %c32_i32 : f32
      %78 = arith.select %67, %shuffleResult_4, %31 : f32
      %79 = arith.select %67, %35, %shuffleResult_4 : f32
      %80 = arith.select %67, %38, %42 : f32
      %shuffleResult_6, %valid_7 = gpu.shuffle  xor %80, %c1_i32, %c32_i32 : f32
      %81 = arith.select %67, %shuffleResult_6, %38 : f32
      %82 = arith.select %67, %42, %shuffleResult_6 : f32
      %83 = arith.select %67, %39, %43 : f32
      %shuffleResult_8, %valid_9 = gpu.shuffle  xor %83, %c1_i32, %c32_i32 : f32
      %84 = arith.select %67, %shuffleResult_8, %39 : f32
      %85 = arith.select %67, %43, %shuffleResult_8 : f32
      %86 = arith.select %67, %46, %50 : f32
      %shuffleResult_10, %valid_11 = gpu.shuffle  xor %86, %c1_i32, %c32_i32 : f32
      %87 = arith.select %67, %shuffleResult_10, %46 : f32
      %88 = arith.select %67, %50, %shuffleResult_10 : f32
      %89 = arith.select %67, %47, %51 : f32
      %shuffleResult_12, %valid_13 = gpu.shuffle  xor %89, %c1_i32, %c32_i32 : f32
      %90 = arith.select %67, %shuffleResult_12, %47 : f32
      %91 = arith.select %67, %51, %shuffleResult_12 : f32
      %92 = arith.select %67, %24, %28 : f32
      %shuffleResult_14, %valid_15 = gpu.shuffle  xor %92, %c1_i32, %c32_i32 : f32
      %93 = arith.select %67, %shuffleResult_14, %24 : f32
      %94 = arith.select %67, %28, %shuffleResult_14 : f32
      %95 = arith.select %67, %25, %29 : f32
      %shuffleResult_16, %valid_17 = gpu.shuffle  xor %95, %c1_i32, %c32_i32 : f32
      %96 = arith.select %67, %shuffleResult_16, %25 : f32
      %97 = arith.select %67, %29, %shuffleResult_16 : f32
      %98 = arith.select %67, %32, %36 : f32
      %shuffleResult_18, %valid_19 = gpu.shuffle  xor %98, %c1_i32, %c32_i32 : f32
      %99 = arith.select %67, %shuffleResult_18, %32 : f32
      %100 = arith.select %67, %36, %shuffleResult_18 : f32
      %101 = arith.select %67, %33, %37 : f32
      %shuffleResult_20, %valid_21 = gpu.shuffle  xor %101, %c1_i32, %c32_i32 : f32
      %102 = arith.select %67, %shuffleResult_20, %33 : f32
      %103 = arith.select %67, %37, %shuffleResult_20 : f32
      %104 = arith.select %67, %40, %44 : f32
      %shuffleResult_22, %valid_23 = gpu.shuffle  xor %104, %c1_i32, %c32_i32 : f32
      %105 = arith.select %67, %shuffleResult_22, %40 : f32
      %106 = arith.select %67, %44, %shuffleResult_22 : f32
      %107 = arith.select %67, %41, %45 : f32
      %shuffleResult_24, %valid_25 = gpu.shuffle  xor %107, %c1_i32, %c32_i32 : f32
      %108 = arith.select %67, %shuffleResult_24, %41 : f32
      %109 = arith.select %67, %45, %shuffleResult_24 : f32
      %110 = arith.select %67, %48, %52 : f32
      %shuffleResult_26, %valid_27 = gpu.shuffle  xor %110, %c1_i32, %c32_i32 : f32
      %111 = arith.select %67, %shuffleResult_26, %48 : f32
      %112 = arith.select %67, %52, %shuffleResult_26 : f32
      %113 = arith.select %67, %49, %53 : f32
      %shuffleResult_28, %valid_29 = gpu.shuffle  xor %113, %c1_i32, %c32_i32 : f32
      %114 = arith.select %67, %shuffleResult_28, %49 : f32
      %115 = arith.select %67, %53, %shuffleResult_28 : f32
      %116 = arith.addi %60, %c8 : index
      %117 = arith.addi %66, %c16 : index
      %118 = arith.addi %66, %c32 : index
      %119 = arith.addi %66, %c48 : index
      %120 = arith.muli %60, %c1152 : index
      %121 = arith.muli %116, %c1152 : index
      %122 = arith.addi %120, %66 : index
      %123 = vector.from_elements %69, %72, %70, %73 : vector<4xf32>
      vector.store %123, %reinterpret_cast[%122] {alignment = 16 : i64} : memref<1179648xf32>, vector<4xf32>
      %124 = arith.addi %120, %117 : index
      %125 = vector.from_elements %75, %78, %76, %79 : vector<4xf32>
      vector.store %125, %reinterpret_cast[%124] {alignment = 16 : i64} : memref<1179648xf32>, vector<4xf32>
      %126 = arith.addi %120, %118 : index
      %127 = vector.from_elements %81, %84, %82, %85 : vector<4xf32>
      vector.store %127, %reinterpret_cast[%126] {alignment = 16 : i64} : memref<1179648xf32>, vector<4xf32>
      %128 = arith.addi %120, %119 : index
      %129 = vector.from_elements %87, %90, %88, %91 : vector<4xf32>
      vector.store %129, %reinterpret_cast[%128] {alignment = 16 : i64} : memref<1179648xf32>, vector<4xf32>
      %130 = arith.addi %121, %66 : index
      %131 = vector.from_elements %93, %96, %94, %97 : vector<4xf32>
      vector.store %131, %reinterpret_cast[%130] {alignment = 16 : i64} : memref<1179648xf32>, vector<4xf32>
      %132 = arith.addi %121, %117 : index
      %133 = vector.from_elements %99, %102, %100, %103 : vector<4xf32>
      vector.store %133, %reinterpret_cast[%132] {alignment = 16 : i64} : memref<1179648xf32>, vector<4xf32>
      %134 = arith.addi %121, %118 : index
      %135 = vector.from_elements %105, %108, %106, %109 : vector<4xf32>
      vector.store %135, %reinterpret_cast[%134] {alignment = 16 : i64} : memref<1179648xf32>, vector<4xf32>
      %136 = arith.addi %121, %119 : index
      %137 = vector.from_elements %111, %114, %112, %115 : vector<4xf32>
      vector.store %137, %reinterpret_cast[%136] {alignment = 16 : i64} : memref<1179648xf32>, vector<4xf32>
    } else {
      %20 = arith.cmpi eq, %14, %c0 : index
      scf.if %20 {
        %21:2 = scf.for %arg4 = %c0 to %c8 step %c1 iter_args(%arg5 = %c0, %arg6 = %c1_i32) -> (index, i32) {
          %22 = arith.muli %arg5, %c8 : index
          %23 = arith.addi %22, %c65568 : index
          %24 = arith.addi %17, %23 : index
          %25 = arith.index_cast %24 : index to i64
          %26 = llvm.inttoptr %25 : i64 to !llvm.ptr<3>
          nvvm.mbarrier.try_wait.parity %26, %arg6, %c10000000_i32 : !llvm.ptr<3>, i32, i32
          %27 = arith.addi %22, %c65536 : index
          %28 = arith.addi %17, %27 : index
          %29 = arith.index_cast %28 : index to i64
          %30 = llvm.inttoptr %29 : i64 to !llvm.ptr<3>
          nvvm.mbarrier.arrive.expect_tx %30, %c16384_i32 : !llvm.ptr<3>, i32
          %31 = arith.muli %arg4, %c64 : index
          %32 = arith.muli %arg5, %c16384 : index
          %33 = arith.addi %17, %32 : index
          %34 = arith.index_cast %33 : index to i64
          %35 = llvm.inttoptr %34 : i64 to !llvm.ptr<3>
          %36 = llvm.addrspacecast %35 : !llvm.ptr<3> to !llvm.ptr<7>
          %37 = arith.index_cast %31 : index to i32
          %38 = arith.index_cast %9 : index to i32
          nvvm.cp.async.bulk.tensor.shared.cluster.global %36, %arg1, %30, box[%37, %38] : !llvm.ptr<7>, !llvm.ptr
          %39 = arith.addi %33, %c8192 : index
          %40 = arith.index_cast %39 : index to i64
          %41 = llvm.inttoptr %40 : i64 to !llvm.ptr<3>
          %42 = llvm.addrspacecast %41 : !llvm.ptr<3> to !llvm.ptr<7>
          %43 = arith.index_cast %10 : index to i32
          nvvm.cp.async.bulk.tensor.shared.cluster.global %42, %arg2, %30, box[%43, %37] : !llvm.ptr<7>, !llvm.ptr
          %44 = arith.addi %arg5, %c1 : index
          %45 = arith.cmpi ult, %44, %c4 : index
          %46 = arith.xori %arg6, %c1_i32 : i32
          %47 = arith.select %45, %44, %c0 : index
          %48 = arith.select %45, %arg6, %46 : i32
          scf.yield %47, %48 : index, i32
        }
      }
    }
    gpu.return
  }
}
