// RUN: halo-opt %s --pass-pipeline='builtin.module(func.func(halo-hoist-tensor-maps))' | FileCheck %s

!map = !nvgpu.tensormap.descriptor<tensor = memref<64x64xbf16, 3>, swizzle = swizzle_128b, l2promo = l2promo_128b, oob = zero, interleave = none>

// The constant has other uses in the kernel, so that it is copied.
// CHECK-LABEL: func.func @main
//  CHECK-SAME:   (%[[BUFFER:.*]]: memref<128x64xbf16>, %[[WORDS:.*]]: memref<64xindex>)
//   CHECK-DAG:   %[[ROWS:.*]] = arith.constant 64 : index
//       CHECK:   %[[TENSOR:.*]] = memref.cast %[[BUFFER]] : memref<128x64xbf16> to memref<*xbf16>
//       CHECK:   %[[MAP:.*]] = nvgpu.tma.create.descriptor %[[TENSOR]] box
//       CHECK:   %[[POINTER:.*]] = builtin.unrealized_conversion_cast %[[MAP]]
//       CHECK:   gpu.launch
//       CHECK:     %[[INNER:.*]] = arith.constant 64 : index
//       CHECK:     memref.store %[[INNER]], %[[WORDS]]
//       CHECK:     llvm.load %[[POINTER]]
func.func @main(%buffer: memref<128x64xbf16>, %words: memref<64xindex>) {
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
      threads(%x, %y, %z) in (%sx = %c1, %sy = %c1, %sz = %c1) {
    %c64 = arith.constant 64 : index
    memref.store %c64, %words[%x] : memref<64xindex>
    %tensor = memref.cast %buffer : memref<128x64xbf16> to memref<*xbf16>
    %map = nvgpu.tma.create.descriptor %tensor box[%c64, %c64] : memref<*xbf16> -> !map
    %pointer = builtin.unrealized_conversion_cast %map : !map to !llvm.ptr
    %byte = llvm.load %pointer : !llvm.ptr -> i8
    gpu.terminator
  }
  return
}
