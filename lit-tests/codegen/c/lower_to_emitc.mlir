// RUN: halo-opt %s --halo-lower-to-emitc | FileCheck %s
// RUN: halo-opt %s --halo-lower-to-emitc | halo-translate --mlir-to-cpp | FileCheck %s --check-prefix=C

// CHECK: module attributes {halo.call_sites = [{backend_config = "config", location = "{{.*}}lower_to_emitc.mlir:[[#]]:3", operand_types = [tensor<4xui8>], result_types = [], target = "f"}]}

// Bits are written where a number is not one, and zeros at the end are not.
// CHECK: emitc.verbatim "static const _Alignas(64) float constant_0[4] = {1.5f, -INFINITY};"
// C: static const _Alignas(64) union { uint32_t bits[2]; float values[2]; } constant_1 = {{[{][{]}}2143289344u, 1065353216u}};
memref.global "private" constant @weights : memref<4xf32> = dense<[1.5, 0xFF800000, 0.0, 0.0]>
memref.global "private" constant @numbers : memref<2xf32> = dense<[0x7FC00000, 1.0]>

// Sizes are planned by a function, whose array they are read from in a run.
// C-LABEL: int32_t dynamic__sizes(int64_t* v1) {
// C-NEXT: int64_t [[N:v.*]] = v1[0];
// C-NEXT: int64_t [[M:v.*]] = v1[1];
// C-NEXT: v1[2] = [[M]];
// C: [[BYTES:v.*]] = [[N]] * 64;
// C: v1[3] = [[BYTES]];
// C: [[FITS:v.*]] = [[N]] < [[M]];
// C: [[FAILED:v.*]] = [[FITS]] ? 0u : 1u;
// C: return
// C-LABEL: int32_t dynamic__entry(
// C: uint8_t *const [[SLOT:v.*]] = v2[2];
// C: int64_t* [[SIZES:v.*]] = (int64_t*) [[SLOT]];
// C: int64_t [[N:v.*]] = [[SIZES]][0];
// C: int64_t [[M:v.*]] = [[SIZES]][1];
func.func @dynamic(%context: !llvm.ptr, %x: memref<?xf32>, %arena: memref<?xi8>, %n: index, %m: index) attributes {halo.entry} {
  %c64 = arith.constant 64 : index
  %bytes = arith.muli %n, %c64 : index
  %fits = arith.cmpi slt, %n, %m : index
  halo.plan_sizes(%m, %bytes) checks(%fits) {messages = ["too few"]}
  return
}

// Functions come before those that call them.
// C-LABEL: static void main_kernel_0(int64_t v1, int64_t v2, float*restrict v3) {
// C-NEXT: float* [[X:v.*]] = (float*) v3;
// C-NEXT: for (int64_t [[I:.*]] = v1; [[I]] < v2; [[I]] += 1) {
// C-NEXT: [[X]][[[I]]] = 0.0f;
// C: struct main_kernel_0_captures {
// C-NEXT: float* capture0;
// C-NEXT: };
// C-NEXT: static void main_kernel_0__task(const halo_context* v1, int64_t v2, int64_t v3, const uint8_t* v4)
// C: [[CAPTURE:v.*]] = v{{.*}}->capture0;
// C: main_kernel_0(v2, v3, [[CAPTURE]]);

// Names are none of the C library.
// C-LABEL: static float program_sin(float v1)
// C: return v1;

// An entry has the runtime's interface, and loops that share work have a structure.
// CHECK-LABEL: emitc.func @main__entry(
// CHECK-SAME: %[[CONTEXT:.*]]: !emitc.ptr<!emitc.opaque<"const halo_context">>, %[[TABLE:.*]]: !emitc.ptr<!emitc.opaque<"uint8_t *const">>) -> i32
// CHECK: %[[SLOT:.*]] = subscript %[[TABLE]]
// CHECK: load %[[SLOT]] : <!emitc.opaque<"uint8_t *const">>
// C-LABEL: int32_t main__entry(const halo_context* v1, uint8_t *const* v2) {
// C: float* [[X:v.*]] = (float*)
// C: uint8_t* [[FLAGS:v.*]] = (uint8_t*)
// C: struct main_kernel_0_captures [[CAPTURES:v.*]];
// C: [[CAPTURES]].capture0 = [[X]];
// C: [[ADDRESS:v.*]] = &[[CAPTURES]];
// C: halo_parallel_for(v1, main_kernel_0__task, 64, 16, [[ADDRESS]]);
// C: main_kernel_0(0, 64, [[X]]);
// C: uint8_t* [[BUFFERS:v.*]][1];
// C: [[BUFFERS]][0] = [[FLAGS]];
// C: [[STATUS:v.*]] = halo_custom_call(v1, 0,
// C: if ([[STATUS]] != 0) return 1;
// C: = program_sin(
// C: = ((float*)constant_1.values)[1];
// C: = ((float*)constant_0)[1];
// C: return 0;
func.func @main(%context: !llvm.ptr, %x: memref<64xf32>, %flags: memref<4xi8>, %arena: memref<256xi8>) attributes {halo.entry} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  halo.parallel_call @main_kernel_0 from %c0 to %c64 grain 16 captures(%x : memref<64xf32>)
  halo.parallel_call @main_kernel_0 from %c0 to %c64 grain 64 captures(%x : memref<64xf32>)
  halo.custom_call "f"(%flags) {backend_config = "config", operand_types = [tensor<4xui8>], result_types = []} : (memref<4xi8>) -> ()
  %0 = memref.load %x[%c0] : memref<64xf32>
  %1 = func.call @sin(%0) : (f32) -> f32
  %numbers = memref.get_global @numbers : memref<2xf32>
  %weights = memref.get_global @weights : memref<4xf32>
  %2 = memref.load %numbers[%c1] : memref<2xf32>
  %3 = memref.load %weights[%c1] : memref<4xf32>
  return
}

func.func private @sin(%x: f32) -> f32 {
  return %x : f32
}

func.func private @main_kernel_0(%begin: index, %end: index, %x: memref<64xf32> {llvm.noalias}) attributes {halo.kernel} {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  scf.for %i = %begin to %end step %c1 {
    memref.store %zero, %x[%i] : memref<64xf32>
  }
  return
}

// What loops carry is in variables. The next values are all computed before one is assigned.
// C-LABEL: static uint64_t program_carried(int64_t v1, uint64_t v2, uint64_t v3) {
// C-NEXT: uint64_t [[A:v.*]];
// C-NEXT: uint64_t [[B:v.*]];
// C-NEXT: [[A]] = v2;
// C-NEXT: [[B]] = v3;
// C-NEXT: for (int64_t {{.*}} = 0; {{.*}} < v1; {{.*}} += 1) {
// C-NEXT: uint64_t [[OLD_A:v.*]] = [[A]];
// C-NEXT: uint64_t [[OLD_B:v.*]] = [[B]];
// C-NEXT: uint64_t [[SUM:v.*]] = [[OLD_A]] + [[OLD_B]];
// C-NEXT: [[A]] = [[OLD_B]];
// C-NEXT: [[B]] = [[SUM]];
// C-NEXT: }
// C-NEXT: [[RESULT:v.*]] = [[A]];
// C: return [[RESULT]];
func.func private @carried(%n: index, %a: i64, %b: i64) -> i64 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a, %y = %b) -> (i64, i64) {
    %1 = arith.addi %x, %y : i64
    scf.yield %y, %1 : i64, i64
  }
  return %0#0 : i64
}

// The terms of a sum may be added up in any order, where the program says so.
// C-LABEL: static float program_sums(float* v1) {
// C: #pragma omp simd reduction(+:[[SUM:v.*]])
// C-NEXT: for (
// C-NEXT: float [[OLD:v.*]] = [[SUM]];
// C-NEXT: float [[X:v.*]] = v1[
// C-NEXT: float [[NEW:v.*]] = [[OLD]] + [[X]];
// C-NEXT: [[SUM]] = [[NEW]];
// C-NOT: #pragma
// C: return
func.func private @sums(%x: memref<64xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %0 = scf.for %i = %c0 to %c64 step %c1 iter_args(%sum = %zero) -> (f32) {
    %1 = memref.load %x[%i] : memref<64xf32>
    %2 = arith.addf %sum, %1 fastmath<reassoc> : f32
    scf.yield %2 : f32
  }
  %3 = scf.for %i = %c0 to %c64 step %c1 iter_args(%sum = %0) -> (f32) {
    %4 = memref.load %x[%i] : memref<64xf32>
    %5 = arith.addf %sum, %4 : f32
    scf.yield %5 : f32
  }
  return %3 : f32
}

// C-LABEL: static uint32_t program_until(uint32_t v1) {
// C: bool [[GOES_ON:v.*]];
// C-NEXT: do {
// C-NEXT: uint32_t [[X:v.*]] =
// C-NEXT: int32_t [[SIGNED:v.*]] = (int32_t) [[X]];
// C-NEXT: int32_t [[LIMIT:v.*]] = (int32_t) 100u;
// C-NEXT: bool [[LESS:v.*]] = [[SIGNED]] < [[LIMIT]];
// C-NEXT: [[GOES_ON]] = [[LESS]];
// C-NEXT: {{v.*}} = [[X]];
// C-NEXT: if ([[LESS]]) {
// C-NEXT: uint32_t [[NEXT:v.*]] = [[X]] * 3u;
// C: } while ([[GOES_ON]]);
func.func private @until(%x: i32) -> i32 {
  %three = arith.constant 3 : i32
  %limit = arith.constant 100 : i32
  %0 = scf.while (%y = %x) : (i32) -> i32 {
    %less = arith.cmpi slt, %y, %limit : i32
    scf.condition(%less) %y : i32
  } do {
  ^bb0(%y: i32):
    %next = arith.muli %y, %three : i32
    scf.yield %next : i32
  }
  return %0 : i32
}

// C-LABEL: static float program_branches(bool v1, int64_t v2, float v3) {
// C: if (v1) {
// C: } else {
// C: if ([[FIRST:v.*]]) {
// C: } else {
// C-NEXT: bool {{.*}} = v2 == 7;
func.func private @branches(%condition: i1, %case: index, %x: f32) -> f32 {
  %one = arith.constant 1.0 : f32
  %0 = scf.if %condition -> (f32) {
    %1 = arith.negf %x : f32
    scf.yield %1 : f32
  } else {
    scf.yield %one : f32
  }
  %2 = scf.index_switch %case -> f32
  case 2 {
    scf.yield %0 : f32
  }
  case 7 {
    scf.yield %one : f32
  }
  default {
    scf.yield %x : f32
  }
  return %2 : f32
}

// Integers are unsigned, for overflow, and computed in at least 32 bits. C leaves undefined what
// the integer of a large number is.
// C-LABEL: static uint8_t program_integers(
// C: [[X:v.*]] = (uint32_t) v1;
// C: [[Y:v.*]] = (uint32_t) v2;
// C: [[SUM:v.*]] = [[X]] + [[Y]];
// C: (uint8_t) [[SUM]];
// C: (int8_t)
// C: (int32_t)
// C: {{v.*}} >> {{v.*}};
// C: halo_f32_to_i32(v3);
// C: ? {{v.*}} : {{v.*}};
func.func private @integers(%x: i8, %y: i8, %z: f32) -> i8 {
  %0 = arith.addi %x, %y : i8
  %1 = arith.shrsi %0, %y : i8
  %2 = arith.fptosi %z : f32 to i8
  %3 = arith.maxsi %1, %2 : i8
  return %3 : i8
}

// C-LABEL: static bool program_floats(uint16_t v1, float v2) {
// C: [[WIDE:v.*]] = halo_f16_to_f32(v1);
// C: [[PRODUCT:v.*]] = {{v.*}} * {{v.*}};
// C: halo_f32_to_f16([[PRODUCT]]);
// C: fmaf({{.*}}, halo_u32_as_f32(2143289344u));
// C: = halo_maximumf(
// C: [[ORDERED:v.*]] = {{v.*}} <= {{v.*}};
// C: = ![[ORDERED]];
func.func private @floats(%x: f16, %y: f32) -> i1 {
  %nan = arith.constant 0x7FC00000 : f32
  %0 = arith.mulf %x, %x : f16
  %1 = arith.extf %0 : f16 to f32
  %2 = math.fma %1, %y, %nan : f32
  %3 = arith.maximumf %2, %y : f32
  %4 = arith.cmpf ugt, %3, %y : f32
  return %4 : i1
}

// A view is a pointer to its first element, a complex number two, and a boolean in memory a byte.
// C-LABEL: static void program_memory(uint8_t* v1, int64_t v2, uint8_t* v3) {
// C: uint8_t* [[START:v.*]] = v1 + 64;
// C: float* [[NUMBERS:v.*]] = (float*) [[START]];
// C: [[OFFSET:v.*]] = v2 * 16;
// C: [[ALL:v.*]] = [[OFFSET]] + 2;
// C: float* [[ROW:v.*]] = [[NUMBERS]] + [[ALL]];
// C: [[INDEX:v.*]] = v2 * 2;
// C: float [[REAL:v.*]] = [[ROW]][[[INDEX]]];
// C: [[SECOND:v.*]] = [[INDEX]] + 1;
// C: float [[IMAGINARY:v.*]] = [[ROW]][[[SECOND]]];
// C: float [[STACK:v.*]][4];
// C: uint8_t [[BYTE:v.*]] = v3[v2];
// C: bool [[FLAG:v.*]] = [[BYTE]] != 0u;
// C: (uint8_t) [[FLAG]];
// C: memmove(
func.func private @memory(%arena: memref<256xi8>, %i: index, %flags: memref<8xi1>) {
  %c64 = arith.constant 64 : index
  %c0 = arith.constant 0 : index
  %numbers = memref.view %arena[%c64][] : memref<256xi8> to memref<3x8xcomplex<f32>>
  %row = memref.subview %numbers[%i, 1] [1, 4] [1, 1]
    : memref<3x8xcomplex<f32>> to memref<4xcomplex<f32>, strided<[1], offset: ?>>
  %0 = memref.load %row[%i] : memref<4xcomplex<f32>, strided<[1], offset: ?>>
  %stack = memref.alloca() : memref<4xf32>
  %1 = complex.im %0 : complex<f32>
  memref.store %1, %stack[%c0] : memref<4xf32>
  %flag = memref.load %flags[%i] : memref<8xi1>
  memref.store %flag, %flags[%c0] : memref<8xi1>
  %part = memref.view %arena[%c0][] : memref<256xi8> to memref<4xf32>
  memref.copy %stack, %part : memref<4xf32> to memref<4xf32>
  return
}
