// RUN: halo-opt %s --halo-lower-contractions=explain --split-input-file --verify-diagnostics -o /dev/null

// The epilogue is computed by the tasks of the product: nothing is said.

func.func @fused(%a: memref<256x768xf32>, %b: memref<768x256xf32>, %out: memref<256x256xf32>) {
  %zero = arith.constant 0.0 : f32
  %sums = memref.alloc() : memref<256x256xf32>
  linalg.fill ins(%zero : f32) outs(%sums : memref<256x256xf32>)
  linalg.matmul ins(%a, %b : memref<256x768xf32>, memref<768x256xf32>) outs(%sums : memref<256x256xf32>)
  linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%sums : memref<256x256xf32>) outs(%out : memref<256x256xf32>) {
  ^bb0(%x: f32, %y: f32):
    %0 = arith.maximumf %x, %zero : f32
    linalg.yield %0 : f32
  }
  return
}

// -----

// What nothing reads has nothing to be fused with.

func.func @alone(%a: memref<256x768xf32>, %b: memref<768x256xf32>, %out: memref<256x256xf32>) {
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%out : memref<256x256xf32>)
  linalg.matmul ins(%a, %b : memref<256x768xf32>, memref<768x256xf32>) outs(%out : memref<256x256xf32>)
  return
}

// -----

// Panels of so deep a product do not stay in the caches.

func.func @parts(%a: memref<256x6144xf32>, %b: memref<6144x768xf32>, %out: memref<256x768xf32>) {
  %zero = arith.constant 0.0 : f32
  %sums = memref.alloc() : memref<256x768xf32>
  linalg.fill ins(%zero : f32) outs(%sums : memref<256x768xf32>)
  // expected-remark @+1 {{is not fused with the op that reads it: its sums are made in parts, one after the other}}
  linalg.matmul ins(%a, %b : memref<256x6144xf32>, memref<6144x768xf32>) outs(%sums : memref<256x768xf32>)
  // expected-note @+1 {{what reads it}}
  linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%sums : memref<256x768xf32>) outs(%out : memref<256x768xf32>) {
  ^bb0(%x: f32, %y: f32):
    %0 = arith.maximumf %x, %zero : f32
    linalg.yield %0 : f32
  }
  return
}

// -----

func.func @overwritten(%a: memref<256x768xf32>, %b: memref<768x256xf32>, %out: memref<256x256xf32>) {
  %zero = arith.constant 0.0 : f32
  %sums = memref.alloc() : memref<256x256xf32>
  linalg.fill ins(%zero : f32) outs(%sums : memref<256x256xf32>)
  // expected-remark @+1 {{is not fused with the op that reads it: an operand is overwritten in between}}
  linalg.matmul ins(%a, %b : memref<256x768xf32>, memref<768x256xf32>) outs(%sums : memref<256x256xf32>)
  linalg.fill ins(%zero : f32) outs(%a : memref<256x768xf32>)
  linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%sums : memref<256x256xf32>) outs(%out : memref<256x256xf32>) {
  ^bb0(%x: f32, %y: f32):
    %0 = arith.maximumf %x, %zero : f32
    linalg.yield %0 : f32
  }
  return
}

// -----

// A convolution, whose patches are not stored.

func.func @convolution(%image: memref<1x64x56x56xf32>, %filter: memref<64x576xf32>, %out: memref<64x3136xf32>) {
  %zero = arith.constant 0.0 : f32
  %padded = memref.alloc() : memref<1x64x58x58xf32>
  linalg.fill ins(%zero : f32) outs(%padded : memref<1x64x58x58xf32>)
  %patches = memref.alloc() : memref<64x3x3x1x56x56xf32>
  %inside = memref.subview %padded[0, 0, 1, 1] [1, 64, 56, 56] [1, 1, 1, 1] : memref<1x64x58x58xf32> to memref<1x64x56x56xf32, strided<[215296, 3364, 58, 1], offset: 59>>
  memref.copy %image, %inside : memref<1x64x56x56xf32> to memref<1x64x56x56xf32, strided<[215296, 3364, 58, 1], offset: 59>>
  linalg.generic {
      indexing_maps = [affine_map<(c, i, j, b, y, x) -> (b, c, y + i, x + j)>, affine_map<(c, i, j, b, y, x) -> (c, i, j, b, y, x)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "parallel"]}
      ins(%padded : memref<1x64x58x58xf32>) outs(%patches : memref<64x3x3x1x56x56xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  }
  %rhs = memref.collapse_shape %patches [[0, 1, 2], [3, 4, 5]] : memref<64x3x3x1x56x56xf32> into memref<576x3136xf32>
  %sums = memref.alloc() : memref<64x3136xf32>
  linalg.fill ins(%zero : f32) outs(%sums : memref<64x3136xf32>)
  // expected-remark @+1 {{is not fused with the op that reads it: by the rule for convolutions, another kernel computes that, whatever it is, so that equal convolutions become one kernel}}
  linalg.matmul ins(%filter, %rhs : memref<64x576xf32>, memref<576x3136xf32>) outs(%sums : memref<64x3136xf32>)
  // expected-note @+1 {{what reads it}}
  linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%sums : memref<64x3136xf32>) outs(%out : memref<64x3136xf32>) {
  ^bb0(%x: f32, %y: f32):
    %0 = arith.maximumf %x, %zero : f32
    linalg.yield %0 : f32
  }
  return
}

// -----

// What reads it is computed row by row with other ops.

func.func @rows(%a: memref<256x768xf32>, %b: memref<768x256xf32>, %out: memref<256x256xf32>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c256 = arith.constant 256 : index
  %sums = memref.alloc() : memref<256x256xf32>
  linalg.fill ins(%zero : f32) outs(%sums : memref<256x256xf32>)
  // expected-remark @+1 {{is not fused with the op that reads it: a loop that computes several ops reads it}}
  linalg.matmul ins(%a, %b : memref<256x768xf32>, memref<768x256xf32>) outs(%sums : memref<256x256xf32>)
  scf.parallel (%i) = (%c0) to (%c256) step (%c1) {
    scf.for %j = %c0 to %c256 step %c1 {
      %0 = memref.load %sums[%i, %j] : memref<256x256xf32>
      memref.store %0, %out[%i, %j] : memref<256x256xf32>
    }
  }
  return
}

// -----

// A single row is no matrix: the reason is another one.

func.func @row(%a: memref<1x512xf32>, %b: memref<512x1000xf32>, %bias: memref<1x1000xf32>, %out: memref<1x1000xf32>) {
  %zero = arith.constant 0.0 : f32
  %sums = memref.alloc() : memref<1x1000xf32>
  linalg.fill ins(%zero : f32) outs(%sums : memref<1x1000xf32>)
  // expected-remark @+1 {{is not fused with the op that reads it: the few rows of its result stay in the caches while the other operand is streamed}}
  linalg.matmul ins(%a, %b : memref<1x512xf32>, memref<512x1000xf32>) outs(%sums : memref<1x1000xf32>)
  // expected-note @+1 {{what reads it}}
  linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (m, n)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%sums, %bias : memref<1x1000xf32>, memref<1x1000xf32>) outs(%out : memref<1x1000xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %0 = arith.addf %x, %y : f32
    linalg.yield %0 : f32
  }
  return
}

// -----

#x = affine_map<(m, n, k) -> (m, k)>
#w = affine_map<(m, n, k) -> (k, n)>
#s = affine_map<(m, n, k) -> (n)>
#y = affine_map<(m, n, k) -> (m, n)>

func.func @streams_computed_operand(%x: memref<1x256xf32>, %w: memref<256x64xi8>, %s: memref<64xf32>, %y: memref<1x64xf32>) {
  // expected-remark @+1 {{computes an operand in registers: its elements are streamed once, and no buffer holds them}}
  linalg.generic {indexing_maps = [#x, #w, #s, #y], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w, %s : memref<1x256xf32>, memref<256x64xi8>, memref<64xf32>) outs(%y : memref<1x64xf32>) {
  ^bb0(%a: f32, %b: i8, %c: f32, %out: f32):
    %f = arith.sitofp %b : i8 to f32
    %p = arith.mulf %f, %c : f32
    %q = arith.mulf %a, %p : f32
    %t = arith.addf %out, %q : f32
    linalg.yield %t : f32
  }
  return
}

// -----

#x = affine_map<(m, n, k) -> (m, k)>
#w = affine_map<(m, n, k) -> (k, n)>
#s = affine_map<(m, n, k) -> (n)>
#y = affine_map<(m, n, k) -> (m, n)>

func.func @packs_computed_operand(%x: memref<96x256xf32>, %w: memref<256x64xi8>, %s: memref<64xf32>, %y: memref<96x64xf32>) {
  // expected-remark @+1 {{computes an operand in registers: its elements are packed once, and no buffer holds all of them}}
  linalg.generic {indexing_maps = [#x, #w, #s, #y], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w, %s : memref<96x256xf32>, memref<256x64xi8>, memref<64xf32>) outs(%y : memref<96x64xf32>) {
  ^bb0(%a: f32, %b: i8, %c: f32, %out: f32):
    %f = arith.sitofp %b : i8 to f32
    %p = arith.mulf %f, %c : f32
    %q = arith.mulf %a, %p : f32
    %t = arith.addf %out, %q : f32
    linalg.yield %t : f32
  }
  return
}
