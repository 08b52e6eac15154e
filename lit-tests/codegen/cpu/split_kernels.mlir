// RUN: halo-opt --pass-pipeline='builtin.module(halo-split-kernels{least-size=40})' --split-input-file %s | FileCheck %s
// RUN: halo-opt --pass-pipeline='builtin.module(halo-split-kernels)' --split-input-file %s | FileCheck %s --check-prefix=DEFAULT

// Kernels this small are LLVM's work of a millisecond.
// DEFAULT-NOT: __part

// Of two loops, the one becomes a function that runs less often: the edges of a window.

// CHECK-LABEL: func.func private @kernel(
// CHECK-SAME: %[[BEGIN:[a-z0-9]+]]: index, %{{.*}}: index, %[[A:.*]]: memref<64x512xf32> {llvm.noalias}, %[[B:.*]]: memref<64x512xf32> {llvm.noalias})
// CHECK: scf.for %[[I:.*]] = %[[BEGIN]]
// CHECK:   scf.if
// CHECK:     arith.mulf
// CHECK:   } else {
// CHECK-NEXT: func.call @kernel__part(%[[A]], %[[I]], %[[B]]) : (memref<64x512xf32>, index, memref<64x512xf32>) -> ()
// CHECK-NEXT: }
// CHECK: func.func private @kernel__part(%[[A:.*]]: memref<64x512xf32> {llvm.noalias}, %[[I:.*]]: index, %[[B:.*]]: memref<64x512xf32> {llvm.noalias}) attributes {halo.kernel, halo.vectorized} {
// CHECK-DAG: %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[C512:.*]] = arith.constant 512 : index
// CHECK: scf.for %[[J:.*]] = %[[C0]] to %[[C512]]
// CHECK: %[[X:.*]] = vector.load %[[A]][%[[I]], %[[J]]]
// CHECK-NEXT: %[[Y:.*]] = arith.negf %[[X]]
// CHECK-NEXT: vector.store %[[Y]], %[[B]][%[[I]], %[[J]]]
// CHECK: return
func.func private @kernel(%begin: index, %end: index, %a: memref<64x512xf32> {llvm.noalias}, %b: memref<64x512xf32> {llvm.noalias})
    attributes {halo.kernel, halo.vectorized} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c512 = arith.constant 512 : index
  scf.for %i = %begin to %end step %c1 {
    %inner = arith.cmpi ult, %i, %c16 : index
    scf.if %inner {
      scf.for %j = %c0 to %c512 step %c16 {
        scf.for %k = %c0 to %c16 step %c1 {
          scf.for %l = %c0 to %c16 step %c1 {
            %x = vector.load %a[%k, %j] : memref<64x512xf32>, vector<16xf32>
            %y = arith.mulf %x, %x : vector<16xf32>
            vector.store %y, %b[%l, %j] : memref<64x512xf32>, vector<16xf32>
          }
        }
      }
    } else {
      scf.for %j = %c0 to %c512 step %c16 {
        scf.for %k = %c0 to %c16 step %c1 {
          scf.for %l = %c0 to %c16 step %c1 {
            %x = vector.load %a[%i, %j] : memref<64x512xf32>, vector<16xf32>
            %y = arith.negf %x : vector<16xf32>
            vector.store %y, %b[%i, %j] : memref<64x512xf32>, vector<16xf32>
          }
        }
      }
    }
  }
  return
}

// -----

// A scalar comes back. Buffers of a kernel that may overlap may do so in the part.

// CHECK-LABEL: func.func private @sum(
// CHECK: %[[SUM:.*]] = {{.*}}call @sum__part(%{{.*}}, %{{.*}}) : (memref<64x512xf32>, index) -> f32
// CHECK-NEXT: %[[TWICE:.*]] = arith.mulf %[[SUM]]
// CHECK-NEXT: memref.store %[[TWICE]]
// CHECK: func.func private @sum__part(%{{.*}}: memref<64x512xf32>, %{{.*}}: index) -> f32 attributes {halo.kernel} {
// CHECK: %[[SUM:.*]] = scf.for
// CHECK-NOT: arith.mulf
// CHECK: return %[[SUM]] : f32
func.func private @sum(%begin: index, %end: index, %a: memref<64x512xf32>, %b: memref<64x512xf32>)
    attributes {halo.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c512 = arith.constant 512 : index
  %zero = arith.constant 0.0 : f32
  %two = arith.constant 2.0 : f32
  scf.for %i = %begin to %end step %c1 {
    %sum = scf.for %j = %c0 to %c512 step %c1 iter_args(%s = %zero) -> (f32) {
      %x = memref.load %a[%i, %j] : memref<64x512xf32>
      %t = arith.addf %s, %x : f32
      scf.yield %t : f32
    }
    %scaled = arith.mulf %sum, %two : f32
    memref.store %scaled, %b[%i, %c0] : memref<64x512xf32>
  }
  return
}

// -----

// The end of a range of a constant length is computed again: the part knows that it is not empty.

// CHECK-LABEL: func.func private @ranges(
// CHECK: call @ranges__part(%[[I:.*]], %{{.*}}, %{{.*}}) : (index, memref<1024xf32>, memref<64x512xf32>) -> ()
// CHECK: func.func private @ranges__part(%[[I:[a-z0-9]+]]: index
// CHECK: %[[END:.*]] = arith.addi %[[I]], %{{.*}} overflow<nsw> : index
// CHECK: scf.for %{{.*}} = %[[I]] to %[[END]]
func.func private @ranges(%begin: index, %end: index, %a: memref<1024xf32> {llvm.noalias}, %b: memref<64x512xf32> {llvm.noalias})
    attributes {halo.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c512 = arith.constant 512 : index
  %two = arith.constant 2.0 : f32
  scf.for %i = %begin to %end step %c1 {
    %last = arith.addi %i, %c512 overflow<nsw> : index
    scf.for %j = %i to %last step %c1 {
      scf.for %k = %c0 to %c512 step %c1 {
        %x = memref.load %a[%j] : memref<1024xf32>
        %y = arith.mulf %x, %two : f32
        memref.store %y, %b[%i, %k] : memref<64x512xf32>
      }
    }
    scf.for %j = %i to %last step %c1 {
      scf.for %k = %c0 to %c512 step %c1 {
        %x = memref.load %a[%j] : memref<1024xf32>
        %y = arith.negf %x : f32
        %z = math.absf %y : f32
        %s = math.sqrt %z : f32
        %t = math.ceil %s : f32
        %u = math.floor %t : f32
        %v = math.exp %u : f32
        %w = math.log %v : f32
        memref.store %w, %b[%i, %k] : memref<64x512xf32>
      }
    }
  }
  return
}

// -----

// Vectors are not passed, in or out.

// CHECK-LABEL: func.func private @vectors(
// CHECK-NOT: call
func.func private @vectors(%begin: index, %end: index, %a: memref<64x512xf32> {llvm.noalias}, %b: memref<64x512xf32> {llvm.noalias})
    attributes {halo.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c512 = arith.constant 512 : index
  scf.for %i = %begin to %end step %c1 {
    %first = vector.load %a[%i, %c0] : memref<64x512xf32>, vector<16xf32>
    %sum = scf.for %j = %c16 to %c512 step %c16 iter_args(%s = %first) -> (vector<16xf32>) {
      %inner = scf.for %k = %c0 to %c16 step %c1 iter_args(%r = %s) -> (vector<16xf32>) {
        %x = vector.load %a[%k, %j] : memref<64x512xf32>, vector<16xf32>
        %t = scf.for %l = %c0 to %c16 step %c1 iter_args(%q = %r) -> (vector<16xf32>) {
          %y = arith.addf %q, %x : vector<16xf32>
          scf.yield %y : vector<16xf32>
        }
        scf.yield %t : vector<16xf32>
      }
      scf.yield %inner : vector<16xf32>
    }
    %twice = arith.addf %sum, %first : vector<16xf32>
    vector.store %twice, %b[%i, %c0] : memref<64x512xf32>, vector<16xf32>
  }
  return
}

// -----

// Kernels of one size are compiled at the same time anyway.

// CHECK-NOT: call
func.func private @one(%begin: index, %end: index, %a: memref<64x512xf32> {llvm.noalias}) attributes {halo.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c512 = arith.constant 512 : index
  scf.for %i = %begin to %end step %c1 {
    scf.for %j = %c0 to %c512 step %c1 {
      %x = memref.load %a[%i, %j] : memref<64x512xf32>
      %y = arith.negf %x : f32
      memref.store %y, %a[%i, %j] : memref<64x512xf32>
    }
  }
  return
}
func.func private @other(%begin: index, %end: index, %a: memref<64x512xf32> {llvm.noalias}) attributes {halo.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c512 = arith.constant 512 : index
  scf.for %i = %begin to %end step %c1 {
    scf.for %j = %c0 to %c512 step %c1 {
      %x = memref.load %a[%i, %j] : memref<64x512xf32>
      %y = arith.mulf %x, %x : f32
      memref.store %y, %a[%i, %j] : memref<64x512xf32>
    }
  }
  return
}

// -----

// Another kernel has some of the program's code: one thread compiles it with the last loop of this
// one, another one the three loops before. Alone, the kernel would be divided behind the second.

// CHECK-LABEL: func.func private @four(
// CHECK: arith.negf
// CHECK: arith.mulf
// CHECK: arith.addf
// CHECK-NOT: scf.for
// CHECK: call @four__part
// CHECK: func.func private @four__part(
// CHECK: arith.divf
// CHECK: func.func private @other
func.func private @four(%begin: index, %end: index, %a: memref<64x512xf32> {llvm.noalias}, %b: memref<64x512xf32> {llvm.noalias})
    attributes {halo.kernel, halo.vectorized} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c512 = arith.constant 512 : index
  scf.for %j = %c0 to %c512 step %c16 {
    %x = vector.load %a[%begin, %j] : memref<64x512xf32>, vector<16xf32>
    %y0 = arith.negf %x : vector<16xf32>
    vector.store %y0, %b[%end, %j] : memref<64x512xf32>, vector<16xf32>
  }
  scf.for %j = %c0 to %c512 step %c16 {
    %x = vector.load %a[%begin, %j] : memref<64x512xf32>, vector<16xf32>
    %y0 = arith.mulf %x, %x : vector<16xf32>
    %y1 = arith.mulf %y0, %x : vector<16xf32>
    %y2 = arith.mulf %y1, %x : vector<16xf32>
    %y3 = arith.mulf %y2, %x : vector<16xf32>
    %y4 = arith.mulf %y3, %x : vector<16xf32>
    vector.store %y4, %b[%end, %j] : memref<64x512xf32>, vector<16xf32>
  }
  scf.for %j = %c0 to %c512 step %c16 {
    %x = vector.load %a[%begin, %j] : memref<64x512xf32>, vector<16xf32>
    %y0 = arith.addf %x, %x : vector<16xf32>
    vector.store %y0, %b[%end, %j] : memref<64x512xf32>, vector<16xf32>
  }
  scf.for %j = %c0 to %c512 step %c16 {
    %x = vector.load %a[%begin, %j] : memref<64x512xf32>, vector<16xf32>
    %y0 = arith.divf %x, %x : vector<16xf32>
    %y1 = arith.divf %y0, %x : vector<16xf32>
    %y2 = arith.divf %y1, %x : vector<16xf32>
    %y3 = arith.divf %y2, %x : vector<16xf32>
    %y4 = arith.divf %y3, %x : vector<16xf32>
    %y5 = arith.divf %y4, %x : vector<16xf32>
    %y6 = arith.divf %y5, %x : vector<16xf32>
    %y7 = arith.divf %y6, %x : vector<16xf32>
    %y8 = arith.divf %y7, %x : vector<16xf32>
    %y9 = arith.divf %y8, %x : vector<16xf32>
    %y10 = arith.divf %y9, %x : vector<16xf32>
    %y11 = arith.divf %y10, %x : vector<16xf32>
    %y12 = arith.divf %y11, %x : vector<16xf32>
    %y13 = arith.divf %y12, %x : vector<16xf32>
    %y14 = arith.divf %y13, %x : vector<16xf32>
    %y15 = arith.divf %y14, %x : vector<16xf32>
    %y16 = arith.divf %y15, %x : vector<16xf32>
    vector.store %y16, %b[%end, %j] : memref<64x512xf32>, vector<16xf32>
  }
  return
}
func.func private @other(%begin: index, %end: index, %a: memref<64x512xf32> {llvm.noalias}) attributes {halo.kernel, halo.vectorized} {
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  scf.for %i = %begin to %end step %c1 {
    %x = memref.load %a[%i, %c0] : memref<64x512xf32>
    memref.store %x, %a[%i, %c1] : memref<64x512xf32>
  }
  return
}
