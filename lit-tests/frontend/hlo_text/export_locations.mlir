// RUN: halo-translate --stablehlo-to-hlo-text %s | FileCheck %s
// RUN: halo-translate --stablehlo-to-hlo-text --hlo-text-omit-metadata %s | FileCheck %s --check-prefix=WITHOUT

// The last part of what a framework calls an op is the name of its instruction;
// frames of a stack are tables, each of them once. A parent is one more than its
// number.

// CHECK: FileNames
// CHECK-NEXT: 1 "f.py"
// CHECK: FunctionNames
// CHECK-NEXT: 1 "main"
// CHECK-NEXT: 2 "f"
// CHECK: FileLocations
// CHECK-NEXT: 1 {file_name_id=1 function_name_id=1 line=9 end_line=9 column=2 end_column=5}
// CHECK-NEXT: 2 {file_name_id=1 function_name_id=2 line=3 end_line=3 column=7 end_column=9}
// CHECK: StackFrames
// CHECK-NEXT: 1 {file_location_id=1 parent_frame_id=1}
// CHECK-NEXT: 2 {file_location_id=2 parent_frame_id=2}
// CHECK: %x = f32[4]{0} parameter(0)
// CHECK-NEXT: %sin = f32[4]{0} sine(%x), metadata={op_name="jit(f)/sin" stack_frame_id=2}
// CHECK-NEXT: %sin.1 = f32[4]{0} sine(%sin), metadata={op_name="jit(f)/sin" stack_frame_id=2}
// CHECK-NEXT: %cosine = f32[4]{0} cosine(%sin.1), metadata={op_name="" source_file="-"}
// CHECK-NEXT: ROOT %neg = f32[4]{0} negate(%cosine), metadata={op_name="jit(f)/neg" source_file="g.py" source_line=5 source_column=1}

// WITHOUT-NOT: FileNames
// WITHOUT-NOT: metadata
#file = loc("f.py":3:7 to :9)
#caller = loc("f.py":9:2 to :5)
#f = loc("f"(#file))
#main = loc("main"(#caller))
#stack = loc(callsite(#f at #main))
#sin = loc("jit(f)/sin"(#stack))
// An empty name has no address.
#neg = loc("jit(f)/neg"("g.py":5:1))
#empty = loc(""("":0:0))
module @m {
  func.func @main(%x: tensor<4xf32> loc("x")) -> tensor<4xf32> {
    %0 = stablehlo.sine %x : tensor<4xf32> loc(#sin)
    %1 = stablehlo.sine %0 : tensor<4xf32> loc(#sin)
    %3 = stablehlo.cosine %1 : tensor<4xf32> loc(#empty)
    %2 = stablehlo.negate %3 : tensor<4xf32> loc(#neg)
    return %2 : tensor<4xf32>
  }
}
