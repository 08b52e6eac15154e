// RUN: halo-opt %s --halo-lower-to-runtime-abi | FileCheck %s

// CHECK: module attributes {halo.call_sites = [{backend_config = "config", location = "{{.*}}runtime_abi.mlir:[[#]]:3", operand_types = [tensor<4xui8>], result_types = [], target = "f"}, {{.*}}target = "g"}]}

// CHECK: llvm.func internal @kernel{{.*}} attributes {{{.*}}no_inline
llvm.func @kernel(%begin: i64, %end: i64, %x: !llvm.ptr) attributes {halo.kernel} {
  llvm.return
}

// Buffers are in a table.
// CHECK-LABEL: llvm.func @main__entry
// CHECK-SAME: (%[[CONTEXT:.*]]: !llvm.ptr, %[[BUFFERS:.*]]: !llvm.ptr) -> i32
// CHECK: %[[SLOT:.*]] = llvm.getelementptr %[[BUFFERS]][0]
// CHECK: %[[X:.*]] = llvm.load %[[SLOT]]
// CHECK: llvm.insertvalue %[[X]],
llvm.func @main(%context: !llvm.ptr, %x: !llvm.ptr, %arena: !llvm.ptr) attributes {halo.entry} {
  %begin = llvm.mlir.constant(0 : i64) : i64
  %end = llvm.mlir.constant(64 : i64) : i64
  // What conversions leave of operands that they do not know.
  %first = builtin.unrealized_conversion_cast %begin : i64 to index
  %last = builtin.unrealized_conversion_cast %end : i64 to index
  %empty = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  %descriptor = llvm.insertvalue %x, %empty[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  %buffer = builtin.unrealized_conversion_cast %descriptor : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> to memref<4xi8>

  // CHECK: llvm.extractvalue %{{.*}}[1]
  // CHECK: llvm.getelementptr %[[CONTEXT]][8]
  // CHECK: llvm.call %{{.*}}(%[[CONTEXT]], %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) : !llvm.ptr, (!llvm.ptr, !llvm.ptr, i64, i64, !llvm.ptr) -> ()
  halo.parallel_call @kernel from %first to %last grain 16 captures(%buffer : memref<4xi8>)

  // Work for one task is a plain call.
  // CHECK: %[[POINTER:.*]] = llvm.extractvalue %{{.*}}[1]
  // CHECK: llvm.call @kernel(%{{.*}}, %{{.*}}, %[[POINTER]]) : (i64, i64, !llvm.ptr) -> ()
  halo.parallel_call @kernel from %first to %last grain 64 captures(%buffer : memref<4xi8>)

  // CHECK: %[[SITE:.*]] = llvm.mlir.constant(0 : i64)
  // CHECK: llvm.getelementptr %[[CONTEXT]][16]
  // CHECK: %[[STATUS:.*]] = llvm.call %{{.*}}(%[[CONTEXT]], %[[SITE]], %{{.*}}) : !llvm.ptr, (!llvm.ptr, i64, !llvm.ptr) -> i32
  // What fails ends the program.
  // CHECK: %[[OK:.*]] = llvm.icmp "eq" %[[STATUS]], %{{.*}} : i32
  // CHECK: llvm.cond_br %[[OK]], ^[[REST:.*]], ^[[FAILED:.*]]
  // CHECK: ^[[REST]]:
  // CHECK: llvm.mlir.constant(0 : i32) : i32
  // CHECK: llvm.return
  // CHECK: ^[[FAILED]]:
  // CHECK: llvm.mlir.constant(1 : i32) : i32
  // CHECK: llvm.return
  halo.custom_call "f"(%buffer) {backend_config = "config", operand_types = [tensor<4xui8>], result_types = []} : (memref<4xi8>) -> ()
  llvm.return
}

// What a view was a chain of casts of is erased with them.
// CHECK-LABEL: llvm.func @view__entry
// CHECK-NOT: unrealized_conversion_cast
// CHECK-LABEL: llvm.func internal @vectors
llvm.func @view(%context: !llvm.ptr, %x: !llvm.ptr) attributes {halo.entry} {
  %empty = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  %descriptor = llvm.insertvalue %x, %empty[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  %slice = builtin.unrealized_conversion_cast %descriptor : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> to memref<4xi8, strided<[1]>>
  %again = builtin.unrealized_conversion_cast %slice : memref<4xi8, strided<[1]>> to !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  %buffer = builtin.unrealized_conversion_cast %again : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> to memref<4xi8>
  halo.custom_call "g"(%buffer) {operand_types = [tensor<4xui8>], result_types = []} : (memref<4xi8>) -> ()
  llvm.return
}

// The runtime calls a kernel of vectors itself.
// CHECK-SAME: (%{{.*}}: !llvm.ptr, %[[BEGIN:.*]]: i64, %[[END:.*]]: i64, %[[CAPTURES:.*]]: !llvm.ptr)
// CHECK: %[[FIRST:.*]] = llvm.getelementptr %[[CAPTURES]][0, 0] {{.*}} !llvm.struct<(ptr, ptr)>
// CHECK: %[[X:.*]] = llvm.load %[[FIRST]]
// CHECK: %[[SECOND:.*]] = llvm.getelementptr %[[CAPTURES]][0, 1]
// CHECK: %[[Y:.*]] = llvm.load %[[SECOND]]
// What another buffer does not overlap is read before loops, element by element.
// CHECK: %[[PLACE:.*]] = llvm.getelementptr %[[X]][%[[BEGIN]]]
// CHECK: llvm.load %[[PLACE]] invariant : !llvm.ptr -> f32
// CHECK: llvm.load %[[X]] : !llvm.ptr -> vector<4xf32>
// CHECK: llvm.load %[[Y]] : !llvm.ptr -> f32
llvm.func @vectors(%begin: i64, %end: i64, %x: !llvm.ptr {llvm.noalias}, %y: !llvm.ptr {llvm.noalias}) attributes {halo.kernel, halo.vectorized} {
  %place = llvm.getelementptr %x[%begin] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  %element = llvm.load %place : !llvm.ptr -> f32
  %vector = llvm.load %x : !llvm.ptr -> vector<4xf32>
  %other = llvm.load %y : !llvm.ptr -> f32
  llvm.store %vector, %y : vector<4xf32>, !llvm.ptr
  llvm.return
}

// CHECK-LABEL: llvm.func @second__entry
llvm.func @second(%context: !llvm.ptr, %x: !llvm.ptr, %y: !llvm.ptr) attributes {halo.entry} {
  %begin = llvm.mlir.constant(0 : i64) : i64
  %end = llvm.mlir.constant(64 : i64) : i64
  %first = builtin.unrealized_conversion_cast %begin : i64 to index
  %last = builtin.unrealized_conversion_cast %end : i64 to index
  // CHECK: llvm.mlir.addressof @vectors
  halo.parallel_call @vectors from %first to %last grain 16 captures(%x, %y : !llvm.ptr, !llvm.ptr)
  // CHECK: llvm.call @vectors(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) : (!llvm.ptr, i64, i64, !llvm.ptr) -> ()
  halo.parallel_call @vectors from %first to %last grain 64 captures(%x, %y : !llvm.ptr, !llvm.ptr)
  llvm.return
}

// The loops of another one are LLVM's, which has to know that its arguments are apart.
// CHECK-LABEL: llvm.func internal @kernel__task
// CHECK: llvm.call @kernel(
