// RUN: halo-opt --pass-pipeline='builtin.module(func.func(halo-linalg-to-kernels))' --split-input-file %s | FileCheck %s

// Elements of any rank that lie side by side are one dimension, of which each
// thread takes 128 bits.

// CHECK-LABEL: func.func @elementwise
// CHECK-DAG: %[[BLOCKS:.*]] = arith.constant 2 : index
// CHECK-DAG: %[[THREADS:.*]] = arith.constant 256 : index
// CHECK: gpu.launch blocks({{.*}}) in (%{{.*}} = %[[BLOCKS]],{{.*}}) threads({{.*}}) in (%{{.*}} = %[[THREADS]],
// CHECK: arith.constant 500 : index
// CHECK: scf.if
// CHECK: vector.load {{.*}} {alignment = 16 : i64} : memref<2000xf32>, vector<4xf32>
// CHECK-COUNT-4: math.exp
// CHECK: vector.store {{.*}} {alignment = 16 : i64} : memref<2000xf32>, vector<4xf32>
// CHECK: halo.strategy = "elementwise"
#map = affine_map<(i, j) -> (i, j)>
func.func @elementwise(%in: memref<20x100xf32>, %out: memref<20x100xf32>) {
  linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]}
      ins(%in : memref<20x100xf32>) outs(%out : memref<20x100xf32>) {
  ^bb0(%x: f32, %y: f32):
    %0 = math.exp %x : f32
    linalg.yield %0 : f32
  }
  return
}

// -----

// Elements of 16 bits go eight at a time; a row that begins at an odd place
// goes one by one.

// CHECK-LABEL: func.func @broadcast
// CHECK: memref.load %{{.*}}[%{{.*}}] : memref<20xbf16>
// CHECK: vector.store {{.*}} : memref<20x64xbf16>, vector<8xbf16>
// CHECK-LABEL: func.func @odd_rows
// CHECK-NOT: vector.
// CHECK: memref.store
// CHECK-NOT: vector.
// CHECK: return
#rows = affine_map<(i, j) -> (i)>
#all = affine_map<(i, j) -> (i, j)>
func.func @broadcast(%in: memref<20xbf16>, %out: memref<20x64xbf16>) {
  linalg.generic {indexing_maps = [#rows, #all], iterator_types = ["parallel", "parallel"]}
      ins(%in : memref<20xbf16>) outs(%out : memref<20x64xbf16>) {
  ^bb0(%x: bf16, %y: bf16):
    linalg.yield %x : bf16
  }
  return
}
func.func @odd_rows(%in: memref<20xf32>, %out: memref<20x63xf32>) {
  linalg.generic {indexing_maps = [#rows, #all], iterator_types = ["parallel", "parallel"]}
      ins(%in : memref<20xf32>) outs(%out : memref<20x63xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  }
  return
}

// -----

// Rows of 1024 are a warp's, eight in a block; longer ones a block's; a single
// one is cut into pieces, which a second kernel reduces.

// CHECK-LABEL: func.func @rows
// CHECK: gpu.launch blocks({{.*}}) in (%{{.*}} = %c8{{.*}}, {{.*}}) threads({{.*}}) in (%{{.*}} = %c32{{.*}}, %{{.*}} = %c8
// CHECK: vector.load
// CHECK-COUNT-5: gpu.shuffle xor
// CHECK-NOT: gpu.barrier
// CHECK: halo.strategy = "row_reduction"

// CHECK-LABEL: func.func @long_rows
// CHECK: workgroup(%{{.*}} : memref<32xf32, #gpu.address_space<workgroup>>)
// CHECK-COUNT-5: gpu.shuffle xor
// CHECK: gpu.barrier
// CHECK-COUNT-5: gpu.shuffle xor
// CHECK: halo.strategy = "row_reduction"

// CHECK-LABEL: func.func @one_row
// CHECK: memref.alloc() {{.*}} : memref<1x1024xf32>
// CHECK: halo.strategy = "row_reduction"
// CHECK: halo.strategy = "row_reduction"
#in = affine_map<(i, j) -> (i, j)>
#out = affine_map<(i, j) -> (i)>
func.func @rows(%in: memref<64x1024xf32>, %out: memref<64xf32>) {
  linalg.generic {indexing_maps = [#in, #out], iterator_types = ["parallel", "reduction"]}
      ins(%in : memref<64x1024xf32>) outs(%out : memref<64xf32>) {
  ^bb0(%x: f32, %sum: f32):
    %0 = arith.addf %sum, %x : f32
    linalg.yield %0 : f32
  }
  return
}
func.func @long_rows(%in: memref<512x4096xf32>, %out: memref<512xf32>) {
  linalg.generic {indexing_maps = [#in, #out], iterator_types = ["parallel", "reduction"]}
      ins(%in : memref<512x4096xf32>) outs(%out : memref<512xf32>) {
  ^bb0(%x: f32, %sum: f32):
    %0 = arith.maximumf %sum, %x : f32
    linalg.yield %0 : f32
  }
  return
}
#line = affine_map<(i) -> (i)>
#point = affine_map<(i) -> ()>
func.func @one_row(%in: memref<16777216xf32>, %out: memref<f32>) {
  linalg.generic {indexing_maps = [#line, #point], iterator_types = ["reduction"]}
      ins(%in : memref<16777216xf32>) outs(%out : memref<f32>) {
  ^bb0(%x: f32, %sum: f32):
    %0 = arith.addf %sum, %x : f32
    linalg.yield %0 : f32
  }
  return
}

// -----

// Columns: threads side by side read side by side, eight to a column.

// CHECK-LABEL: func.func @columns
// CHECK: memref<8x32xf32, #gpu.address_space<workgroup>>
// CHECK: gpu.barrier
// CHECK: halo.strategy = "column_reduction"
#in = affine_map<(i, j) -> (i, j)>
#out = affine_map<(i, j) -> (j)>
func.func @columns(%in: memref<100x4096xf32>, %out: memref<4096xf32>) {
  linalg.generic {indexing_maps = [#in, #out], iterator_types = ["reduction", "parallel"]}
      ins(%in : memref<100x4096xf32>) outs(%out : memref<4096xf32>) {
  ^bb0(%x: f32, %sum: f32):
    %0 = arith.addf %sum, %x : f32
    linalg.yield %0 : f32
  }
  return
}

// -----

// Running sums: threads, warps and tiles hand on what came before. Across
// memory each column is a thread's.

// CHECK-LABEL: func.func @running
// CHECK: workgroup(%[[TOTALS:.*]] : memref<32xf32, #gpu.address_space<workgroup>>)
// CHECK: scf.for
// CHECK-COUNT-6: gpu.shuffle up
// CHECK: memref.store %{{.*}}, %[[TOTALS]]
// CHECK: gpu.barrier
// CHECK: vector.store {{.*}} : memref<64x4096xf32>, vector<4xf32>
// CHECK: gpu.barrier
// CHECK: halo.strategy = "scan"

// CHECK-LABEL: func.func @running_across
// CHECK-NOT: gpu.barrier
// CHECK: halo.strategy = "sequential_reduction"
#in = affine_map<(i, j) -> (i, j)>
#out = affine_map<(i, j) -> (i)>
func.func @running(%in: memref<64x4096xf32>, %all: memref<64x4096xf32>, %last: memref<64xf32>) {
  linalg.generic {indexing_maps = [#in, #in, #out], iterator_types = ["parallel", "reduction"]}
      ins(%in : memref<64x4096xf32>) outs(%all, %last : memref<64x4096xf32>, memref<64xf32>) {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %0 = arith.addf %sum, %x : f32
    linalg.yield %0, %0 : f32, f32
  }
  return
}
#column = affine_map<(i, j) -> (j)>
func.func @running_across(%in: memref<64x64xf32>, %all: memref<64x64xf32>, %last: memref<64xf32>) {
  linalg.generic {indexing_maps = [#in, #in, #column], iterator_types = ["reduction", "parallel"]}
      ins(%in : memref<64x64xf32>) outs(%all, %last : memref<64x64xf32>, memref<64xf32>) {
  ^bb0(%x: f32, %y: f32, %sum: f32):
    %0 = arith.addf %sum, %x : f32
    linalg.yield %0, %0 : f32, f32
  }
  return
}

// -----

// A block takes each iteration of a group of a softmax, and what an iteration allocates is
// in workgroup memory. The first thread alone fills and finishes a reduction: there is no
// barrier between these, but one before all threads read the result.

// CHECK-LABEL: func.func @softmax
// CHECK: gpu.launch blocks(%[[ROW:.*]], %{{.*}}, %{{.*}}) in (%{{.*}} = %c4096
// CHECK-SAME: %[[MAX:[^ ]*]] : memref<1xf32, #gpu.address_space<workgroup>>
// CHECK-SAME: memref<1x1024xf32, #gpu.address_space<workgroup>>
// CHECK: memref.store %{{.*}}, %[[MAX]]
// CHECK-NOT: gpu.barrier
// CHECK: %[[X:.*]] = memref.subview %arg0[%[[ROW]], 0] [1, 1024] [1, 1]
// CHECK: vector.load %[[X]][%{{.*}}, %{{.*}}] {alignment = 16 : i64}
// CHECK: gpu.barrier
// CHECK: memref.load %[[MAX]]
// CHECK: gpu.barrier
// CHECK: math.exp
// CHECK: gpu.barrier
// CHECK: arith.addf
// CHECK: gpu.barrier
// CHECK: arith.divf
// CHECK: vector.store
// CHECK: halo.strategy = "group"
// CHECK-NOT: gpu.launch
// CHECK: return
#all = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
func.func @softmax(%in: memref<4096x1024xf32>, %out: memref<4096x1024xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4096 = arith.constant 4096 : index
  %lowest = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  scf.parallel (%i) = (%c0) to (%c4096) step (%c1) {
    %max = memref.alloc() : memref<1xf32>
    linalg.fill ins(%lowest : f32) outs(%max : memref<1xf32>)
    %x = memref.subview %in[%i, 0] [1, 1024] [1, 1] : memref<4096x1024xf32> to memref<1x1024xf32, strided<[1024, 1], offset: ?>>
    linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]}
        ins(%x : memref<1x1024xf32, strided<[1024, 1], offset: ?>>) outs(%max : memref<1xf32>) {
    ^bb0(%a: f32, %m: f32):
      %0 = arith.maximumf %m, %a : f32
      linalg.yield %0 : f32
    }
    %exp = memref.alloc() : memref<1x1024xf32>
    linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel"]}
        ins(%x, %max : memref<1x1024xf32, strided<[1024, 1], offset: ?>>, memref<1xf32>) outs(%exp : memref<1x1024xf32>) {
    ^bb0(%a: f32, %m: f32, %e: f32):
      %0 = arith.subf %a, %m : f32
      %1 = math.exp %0 : f32
      linalg.yield %1 : f32
    }
    %sum = memref.alloc() : memref<1xf32>
    linalg.fill ins(%zero : f32) outs(%sum : memref<1xf32>)
    linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]}
        ins(%exp : memref<1x1024xf32>) outs(%sum : memref<1xf32>) {
    ^bb0(%a: f32, %s: f32):
      %0 = arith.addf %s, %a : f32
      linalg.yield %0 : f32
    }
    %y = memref.subview %out[%i, 0] [1, 1024] [1, 1] : memref<4096x1024xf32> to memref<1x1024xf32, strided<[1024, 1], offset: ?>>
    linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel"]}
        ins(%exp, %sum : memref<1x1024xf32>, memref<1xf32>) outs(%y : memref<1x1024xf32, strided<[1024, 1], offset: ?>>) {
    ^bb0(%a: f32, %s: f32, %e: f32):
      %0 = arith.divf %a, %s : f32
      linalg.yield %0 : f32
    }
    scf.reduce
  }
  return
}

// -----

// A buffer too large for workgroup memory is a part of one in global memory.

// CHECK-LABEL: func.func @long_rows
// CHECK: %[[MEMORY:.*]] = memref.alloc() {{.*}}: memref<640000xi8>
// CHECK: gpu.launch blocks(%[[ROW:.*]], %{{.*}}, %{{.*}}) in (%{{.*}} = %c8
// CHECK: %[[PART:.*]] = arith.muli %[[ROW]], %c80000
// CHECK: memref.view %[[MEMORY]]
// CHECK: halo.strategy = "group"
#element = affine_map<(i) -> (i)>
func.func @long_rows(%in: memref<8x20000xf32>, %out: memref<8x20000xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    %x = memref.subview %in[%i, 0] [1, 20000] [1, 1] : memref<8x20000xf32> to memref<20000xf32, strided<[1], offset: ?>>
    %y = memref.subview %out[%i, 0] [1, 20000] [1, 1] : memref<8x20000xf32> to memref<20000xf32, strided<[1], offset: ?>>
    %row = memref.alloc() : memref<20000xf32>
    linalg.generic {indexing_maps = [#element, #element], iterator_types = ["parallel"]}
        ins(%x : memref<20000xf32, strided<[1], offset: ?>>) outs(%row : memref<20000xf32>) {
    ^bb0(%a: f32, %b: f32):
      %0 = math.exp %a : f32
      linalg.yield %0 : f32
    }
    linalg.generic {indexing_maps = [#element, #element], iterator_types = ["parallel"]}
        ins(%row : memref<20000xf32>) outs(%y : memref<20000xf32, strided<[1], offset: ?>>) {
    ^bb0(%a: f32, %b: f32):
      %0 = math.sqrt %a : f32
      linalg.yield %0 : f32
    }
    scf.reduce
  }
  return
}

// -----

// Small ops next to each other are one kernel of one block.

// CHECK-LABEL: func.func @small
// CHECK: gpu.launch blocks({{.*}}) in (%{{.*}} = %c1,
// CHECK: arith.addf
// CHECK: gpu.barrier
// CHECK: arith.divf
// CHECK: gpu.barrier
// CHECK: arith.subf
// CHECK: halo.strategy = "small_ops"
// CHECK-NOT: gpu.launch
// CHECK: return
#all = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#one = affine_map<(i) -> (i)>
func.func @small(%in: memref<1x768xf32>, %sum: memref<1xf32>, %out: memref<1x768xf32>) {
  %count = arith.constant 768.0 : f32
  linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "reduction"]}
      ins(%in : memref<1x768xf32>) outs(%sum : memref<1xf32>) {
  ^bb0(%x: f32, %s: f32):
    %0 = arith.addf %s, %x : f32
    linalg.yield %0 : f32
  }
  linalg.generic {indexing_maps = [#one], iterator_types = ["parallel"]} outs(%sum : memref<1xf32>) {
  ^bb0(%s: f32):
    %0 = arith.divf %s, %count : f32
    linalg.yield %0 : f32
  }
  linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel"]}
      ins(%in, %sum : memref<1x768xf32>, memref<1xf32>) outs(%out : memref<1x768xf32>) {
  ^bb0(%x: f32, %m: f32, %y: f32):
    %0 = arith.subf %x, %m : f32
    linalg.yield %0 : f32
  }
  return
}

// -----

// Ops of more elements have kernels of their own.

// CHECK-LABEL: func.func @large
// CHECK-COUNT-2: halo.strategy = "elementwise"
// CHECK-NOT: small_ops
// CHECK: return
#element = affine_map<(i) -> (i)>
func.func @large(%in: memref<10000xf32>, %one: memref<10000xf32>, %two: memref<10000xf32>) {
  linalg.generic {indexing_maps = [#element, #element], iterator_types = ["parallel"]}
      ins(%in : memref<10000xf32>) outs(%one : memref<10000xf32>) {
  ^bb0(%a: f32, %b: f32):
    %0 = math.exp %a : f32
    linalg.yield %0 : f32
  }
  linalg.generic {indexing_maps = [#element, #element], iterator_types = ["parallel"]}
      ins(%in : memref<10000xf32>) outs(%two : memref<10000xf32>) {
  ^bb0(%a: f32, %b: f32):
    %0 = math.sqrt %a : f32
    linalg.yield %0 : f32
  }
  return
}

// -----

// A square goes through shared memory, whose rows are one element longer.

// CHECK-LABEL: func.func @transpose
// CHECK: workgroup(%[[TILE:.*]] : memref<32x33xf32, #gpu.address_space<workgroup>>)
// CHECK-COUNT-4: memref.store %{{.*}}, %[[TILE]]
// CHECK: gpu.barrier
// CHECK-COUNT-4: memref.load %[[TILE]]
// CHECK: halo.strategy = "transpose"
#from = affine_map<(i, j) -> (j, i)>
#to = affine_map<(i, j) -> (i, j)>
func.func @transpose(%in: memref<64x128xf32>, %out: memref<128x64xf32>) {
  linalg.generic {indexing_maps = [#from, #to], iterator_types = ["parallel", "parallel"]}
      ins(%in : memref<64x128xf32>) outs(%out : memref<128x64xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  }
  return
}

// -----

// Each iteration is a thread; a large buffer of an iteration lies in memory that
// all of them share out, a small one is private.

// CHECK-LABEL: func.func @iterations
// CHECK: %[[SCRATCH:.*]] = memref.alloc() {{.*}} : memref<{{[0-9]+}}xi8>
// CHECK: gpu.launch
// CHECK: memref.view %[[SCRATCH]]
// CHECK: memref.alloca() : memref<4xf32>
// CHECK: halo.strategy = "parallel_loop"
func.func @iterations(%out: memref<100xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c100 = arith.constant 100 : index
  scf.parallel (%i) = (%c0) to (%c100) step (%c1) {
    %large = memref.alloc() : memref<1000xf32>
    %small = memref.alloc() : memref<4xf32>
    %0 = memref.load %large[%i] : memref<1000xf32>
    memref.store %0, %small[%c0] : memref<4xf32>
    %1 = memref.load %small[%c1] : memref<4xf32>
    memref.store %1, %out[%i] : memref<100xf32>
    scf.reduce
  }
  return
}

// -----

// Updates meet in atomic operations; the threads of a block share the window.

// CHECK-LABEL: func.func @scatter
// CHECK: gpu.launch blocks({{.*}}) in (%{{.*}} = %c100{{.*}}) threads({{.*}}) in (%{{.*}} = %c64
// CHECK: memref.atomic_rmw addf
// CHECK-NOT: memref.store
// CHECK: halo.strategy = "scatter"
func.func @scatter(%at: memref<100xindex>, %rows: memref<100x64xf32>, %table: memref<10x64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c100 = arith.constant 100 : index
  scf.for %i = %c0 to %c100 step %c1 {
    %row = memref.load %at[%i] : memref<100xindex>
    scf.for %j = %c0 to %c64 step %c1 {
      %old = memref.load %table[%row, %j] : memref<10x64xf32>
      %update = memref.load %rows[%i, %j] : memref<100x64xf32>
      %new = arith.addf %old, %update : f32
      memref.store %new, %table[%row, %j] : memref<10x64xf32>
    }
  } {halo.scatter = #halo.scatter<combine>}
  return
}

// -----

// The window of one index vector: a thread for each element, and the bounds and the condition in the
// kernel.

// CHECK-LABEL: func.func @scatter_of_one_window
// CHECK-NOT: scf.if
// CHECK: gpu.launch blocks({{.*}}) in (%{{.*}} = %c125{{.*}}) threads({{.*}}) in (%{{.*}} = %c256
// CHECK: arith.cmpi sge, %[[J:.*]], %{{.*}}
// CHECK: arith.cmpi slt, %[[J]], %{{.*}}
// CHECK: arith.andi %arg2
// CHECK: scf.if
// CHECK-NOT: scf.for
// CHECK: arith.mulf
// CHECK: memref.store
// CHECK: halo.strategy = "scatter"
// CHECK-NOT: scf.if
func.func @scatter_of_one_window(%table: memref<64x500xf32>, %window: memref<64x500xf32>, %inside: i1, %lower: index, %room: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c500 = arith.constant 500 : index
  %first = arith.maxsi %lower, %c0 : index
  %last = arith.minsi %room, %c500 : index
  scf.if %inside {
    scf.for %i = %c0 to %c64 step %c1 {
      scf.for %j = %first to %last step %c1 {
        %old = memref.load %table[%i, %j] : memref<64x500xf32>
        %update = memref.load %window[%i, %j] : memref<64x500xf32>
        %new = arith.mulf %old, %update : f32
        memref.store %new, %table[%i, %j] : memref<64x500xf32>
      }
    } {halo.scatter = #halo.scatter<unique>}
  }
  return
}

// -----

// Where all loops are over updates, a thread does each: no loop is left to share.

// CHECK-LABEL: func.func @scatter_without_window
// CHECK: gpu.launch blocks({{.*}}) in (%{{.*}} = %c1{{.*}}) threads({{.*}}) in (%{{.*}} = %c192
// CHECK: memref.atomic_rmw addf
// CHECK: halo.strategy = "scatter"
func.func @scatter_without_window(%updates: memref<3x64xf32>, %table: memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c64 = arith.constant 64 : index
  scf.for %i = %c0 to %c3 step %c1 {
    scf.for %j = %c0 to %c64 step %c1 {
      %old = memref.load %table[%j] : memref<64xf32>
      %update = memref.load %updates[%i, %j] : memref<3x64xf32>
      %new = arith.addf %old, %update : f32
      memref.store %new, %table[%j] : memref<64xf32>
    }
  } {halo.scatter = #halo.scatter<combine>}
  return
}

// -----

// More elements than can be counted stay as they are.

// CHECK-LABEL: func.func @uncountable
// CHECK: linalg.generic
#id = affine_map<(i, j, k) -> (i, j, k)>
func.func @uncountable(%x: memref<4294967296x4294967296x4xf32>, %y: memref<4294967296x4294967296x4xf32>) {
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x : memref<4294967296x4294967296x4xf32>) outs(%y : memref<4294967296x4294967296x4xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  }
  return
}

// -----

// So do more iterations than can be counted, over operands that each can be.

// CHECK-LABEL: func.func @uncountable_together
// CHECK: linalg.generic
func.func @uncountable_together(%x: memref<4611686018427387xf32>, %y: memref<4611686018427387xf32>,
                                %z: memref<4611686018427387xf32>, %out: memref<f32>) {
  linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i)>, affine_map<(i, j, k) -> (j)>,
                                   affine_map<(i, j, k) -> (k)>, affine_map<(i, j, k) -> ()>],
                  iterator_types = ["reduction", "reduction", "reduction"]}
      ins(%x, %y, %z : memref<4611686018427387xf32>, memref<4611686018427387xf32>, memref<4611686018427387xf32>)
      outs(%out : memref<f32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %d: f32):
    %s = arith.addf %a, %d : f32
    linalg.yield %s : f32
  }
  return
}

// -----

// The position of a maximum: each thread reduces adjacent elements, from the first one on, and a
// tree combines the results in order. The initial values come last. The last kernel combines the
// results of the blocks.

// CHECK-LABEL: func.func @position_of_maximum
// CHECK: gpu.launch {{.*}} workgroup(%{{.*}} : memref<256x1xf32, #gpu.address_space<workgroup>>, %{{.*}} : memref<256x1xi32, #gpu.address_space<workgroup>>)
// CHECK: scf.for {{.*}} iter_args
// CHECK-COUNT-8: gpu.barrier
// CHECK: halo.strategy = "ordered_reduction"
// CHECK: gpu.launch
// CHECK: halo.strategy = "ordered_reduction"
#in = affine_map<(i) -> (i)>
#out = affine_map<(i) -> ()>
func.func @position_of_maximum(%in: memref<1000000xf32>, %max: memref<f32>, %at: memref<i32>) {
  linalg.generic {indexing_maps = [#in, #out, #out], iterator_types = ["reduction"]}
      ins(%in : memref<1000000xf32>) outs(%max, %at : memref<f32>, memref<i32>) {
  ^bb0(%x: f32, %value: f32, %number: i32):
    %i = linalg.index 0 : index
    %own = arith.index_cast %i : index to i32
    %greater = arith.cmpf ogt, %value, %x : f32
    %0 = arith.select %greater, %value, %x : f32
    %1 = arith.select %greater, %number, %own : i32
    linalg.yield %0, %1 : f32, i32
  }
  return
}

// -----

// A difference is no sum of adjacent parts.

// CHECK-LABEL: func.func @difference
// CHECK: halo.strategy = "sequential_reduction"
#in = affine_map<(i) -> (i)>
#out = affine_map<(i) -> ()>
func.func @difference(%in: memref<1000xi32>, %out: memref<i32>) {
  linalg.generic {indexing_maps = [#in, #out], iterator_types = ["reduction"]}
      ins(%in : memref<1000xi32>) outs(%out : memref<i32>) {
  ^bb0(%x: i32, %sum: i32):
    %0 = arith.subi %sum, %x : i32
    linalg.yield %0 : i32
  }
  return
}
