// RUN: halo-opt %s --halo-bf16-as-integers | FileCheck %s

// CHECK-LABEL: llvm.func @select
//       CHECK:   %[[X:.*]] = llvm.load %{{.*}} : !llvm.ptr -> i16
//       CHECK:   %[[Y:.*]] = llvm.load %{{.*}} : !llvm.ptr -> i16
//       CHECK:   %[[Z:.*]] = llvm.select %{{.*}}, %[[X]], %[[Y]] : i1, i16
//       CHECK:   llvm.store %[[Z]], %{{.*}} : i16, !llvm.ptr
//       CHECK:   llvm.return %[[Z]] : i16
llvm.func @select(%p: !llvm.ptr, %q: !llvm.ptr, %condition: i1) -> i16 {
  %0 = llvm.load %p : !llvm.ptr -> bf16
  %1 = llvm.load %q : !llvm.ptr -> bf16
  %2 = llvm.select %condition, %0, %1 : i1, bf16
  llvm.store %2, %p : bf16, !llvm.ptr
  %bits = llvm.bitcast %2 : bf16 to i16
  llvm.return %bits : i16
}

// Vectors, and the arguments of blocks.

// CHECK-LABEL: llvm.func @block
//       CHECK:   llvm.br ^[[BODY:.*]](%{{.*}} : vector<4xi16>)
//       CHECK: ^[[BODY]](%[[X:.*]]: vector<4xi16>):
//       CHECK:   llvm.extractelement %[[X]][%{{.*}} : i64] : vector<4xi16>
//       CHECK:   llvm.store %{{.*}}, %{{.*}} : i16, !llvm.ptr
llvm.func @block(%p: !llvm.ptr, %i: i64) {
  %0 = llvm.load %p : !llvm.ptr -> vector<4xbf16>
  llvm.br ^body(%0 : vector<4xbf16>)
^body(%x: vector<4xbf16>):
  %1 = llvm.extractelement %x[%i : i64] : vector<4xbf16>
  llvm.store %1, %p : bf16, !llvm.ptr
  llvm.return
}

// What is gathered and scattered, which registers of SVE have no instruction for as bf16.

// CHECK-LABEL: llvm.func @gathered
//       CHECK:   %[[ZEROS:.*]] = llvm.bitcast %{{.*}} : vector<8xbf16> to vector<8xi16>
//       CHECK:   %[[X:.*]] = llvm.intr.masked.gather %{{.*}}, %{{.*}}, %[[ZEROS]] {alignment = 2 : i32} : (vector<8x!llvm.ptr>, vector<8xi1>, vector<8xi16>) -> vector<8xi16>
//       CHECK:   llvm.intr.masked.scatter %[[X]], %{{.*}}, %{{.*}} {alignment = 2 : i32} : vector<8xi16>, vector<8xi1> into vector<8x!llvm.ptr>
llvm.func @gathered(%from: vector<8x!llvm.ptr>, %to: vector<8x!llvm.ptr>, %mask: vector<8xi1>) {
  %zeros = llvm.mlir.constant(dense<0.0> : vector<8xbf16>) : vector<8xbf16>
  %0 = llvm.intr.masked.gather %from, %mask, %zeros {alignment = 2 : i32} : (vector<8x!llvm.ptr>, vector<8xi1>, vector<8xbf16>) -> vector<8xbf16>
  llvm.intr.masked.scatter %0, %to, %mask {alignment = 2 : i32} : vector<8xbf16>, vector<8xi1> into vector<8x!llvm.ptr>
  llvm.return
}

// Vectors of a length that the processor has.

// CHECK-LABEL: llvm.func @scalable
//       CHECK:   llvm.load %{{.*}} : !llvm.ptr -> vector<[8]xi16>
//       CHECK:   llvm.store %{{.*}}, %{{.*}} : vector<[8]xi16>, !llvm.ptr
llvm.func @scalable(%p: !llvm.ptr) {
  %0 = llvm.load %p : !llvm.ptr -> vector<[8]xbf16>
  llvm.store %0, %p : vector<[8]xbf16>, !llvm.ptr
  llvm.return
}

// A constant and the arguments of a function keep their types.

// CHECK-LABEL: llvm.func @others
//  CHECK-SAME:   (%[[ARGUMENT:.*]]: bf16, %{{.*}}: !llvm.ptr)
//       CHECK:   %[[ONE:.*]] = llvm.mlir.constant(1.000000e+00 : bf16) : bf16
//   CHECK-DAG:   %[[X:.*]] = llvm.bitcast %[[ARGUMENT]] : bf16 to i16
//   CHECK-DAG:   %[[Y:.*]] = llvm.bitcast %[[ONE]] : bf16 to i16
//       CHECK:   %[[Z:.*]] = llvm.select %{{.*}}, %[[X]], %[[Y]] : i1, i16
//       CHECK:   %[[RESULT:.*]] = llvm.bitcast %[[Z]] : i16 to bf16
//       CHECK:   llvm.return %[[RESULT]] : bf16
llvm.func @others(%x: bf16, %p: !llvm.ptr) -> bf16 {
  %one = llvm.mlir.constant(1.0 : bf16) : bf16
  %condition = llvm.load %p : !llvm.ptr -> i1
  %0 = llvm.select %condition, %x, %one : i1, bf16
  llvm.return %0 : bf16
}

// Other floats stay.

// CHECK-LABEL: llvm.func @half
//       CHECK:   llvm.load %{{.*}} : !llvm.ptr -> f16
llvm.func @half(%p: !llvm.ptr) {
  %0 = llvm.load %p : !llvm.ptr -> f16
  llvm.store %0, %p : f16, !llvm.ptr
  llvm.return
}
