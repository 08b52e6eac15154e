// RUN: halo-opt %s --halo-canonicalize | FileCheck %s

// The body gets the value of the true branch, 2, as both arguments: upstream's pass gives it 20 as
// the second one.
// CHECK-LABEL: func.func @forwarded_twice(
// CHECK-NOT: scf.yield %c20
// CHECK: scf.while (%[[I:.*]] = %c0)
// CHECK: %[[GOES_ON:.*]] = arith.cmpi slt, %[[I]], %c1
// CHECK: scf.condition(%[[GOES_ON]])
// CHECK: ^bb0(%[[OLD:.*]]: index
// CHECK-NOT: scf.yield %c20
// CHECK: return
func.func @forwarded_twice() -> index {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %twenty = arith.constant 20 : index
  %0:3 = scf.while (%i = %zero) : (index) -> (index, index, index) {
    %goes_on = arith.cmpi slt, %i, %one : index
    %next = scf.if %goes_on -> index {
      %1 = arith.addi %i, %two : index
      scf.yield %1 : index
    } else {
      scf.yield %twenty : index
    }
    scf.condition(%goes_on) %next, %next, %i : index, index, index
  } do {
  ^bb0(%a: index, %b: index, %old: index):
    scf.yield %b : index
  }
  return %0#2 : index
}
