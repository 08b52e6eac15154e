// RUN: halo-run %s --random-inputs --backend=interpreter --output=@%t.0.npy --output=@%t.1.npy --output=@%t.2.npy --output=@%t.3.npy --output=@%t.4.npy --output=@%t.5.npy
// RUN: halo-run %s --random-inputs --backend=cuda-emulator --backend-option=checks=accesses --expect=@%t.0.npy --expect=@%t.1.npy --expect=@%t.2.npy --expect=@%t.3.npy --expect=@%t.4.npy --expect=@%t.5.npy
// RUN: halo-run %s --backend=cuda --compile-to=kernels | FileCheck %s

// Positions of maxima of rows, of columns and of all elements, and a function that does not commute.

// CHECK-LABEL: func.func private @main
// CHECK: @main_ordered_reduction_
// The columns are short.
// CHECK: @main_sequential_reduction_
// CHECK: @main_ordered_reduction_
// CHECK: @main_ordered_reduction_
// CHECK: @main_ordered_reduction_
func.func @main(%x: tensor<5x7000xi32>, %b: tensor<5x7000xi1>)
    -> (tensor<5xi32>, tensor<5xi32>, tensor<7000xi32>, tensor<i32>, tensor<5xi32>, tensor<5xi32>) {
  %least = stablehlo.constant dense<-2147483648> : tensor<i32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %false = stablehlo.constant dense<false> : tensor<i1>
  %columns = stablehlo.iota dim = 1 : tensor<5x7000xi32>
  %rows = stablehlo.iota dim = 0 : tensor<5x7000xi32>
  %0:2 = stablehlo.reduce(%x init: %least), (%columns init: %zero) across dimensions = [1] : (tensor<5x7000xi32>, tensor<5x7000xi32>, tensor<i32>, tensor<i32>) -> (tensor<5xi32>, tensor<5xi32>)
    reducer(%v: tensor<i32>, %w: tensor<i32>) (%i: tensor<i32>, %j: tensor<i32>) {
      %c = stablehlo.compare GE, %v, %w, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %m = stablehlo.select %c, %v, %w : tensor<i1>, tensor<i32>
      %n = stablehlo.select %c, %i, %j : tensor<i1>, tensor<i32>
      stablehlo.return %m, %n : tensor<i32>, tensor<i32>
    }
  %1:2 = stablehlo.reduce(%x init: %least), (%rows init: %zero) across dimensions = [0] : (tensor<5x7000xi32>, tensor<5x7000xi32>, tensor<i32>, tensor<i32>) -> (tensor<7000xi32>, tensor<7000xi32>)
    reducer(%v: tensor<i32>, %w: tensor<i32>) (%i: tensor<i32>, %j: tensor<i32>) {
      %c = stablehlo.compare GE, %v, %w, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %m = stablehlo.select %c, %v, %w : tensor<i1>, tensor<i32>
      %n = stablehlo.select %c, %i, %j : tensor<i1>, tensor<i32>
      stablehlo.return %m, %n : tensor<i32>, tensor<i32>
    }
  %flat = stablehlo.reshape %x : (tensor<5x7000xi32>) -> tensor<35000xi32>
  %all = stablehlo.iota dim = 0 : tensor<35000xi32>
  %2:2 = stablehlo.reduce(%flat init: %least), (%all init: %zero) across dimensions = [0] : (tensor<35000xi32>, tensor<35000xi32>, tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>)
    reducer(%v: tensor<i32>, %w: tensor<i32>) (%i: tensor<i32>, %j: tensor<i32>) {
      %c = stablehlo.compare GE, %v, %w, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %m = stablehlo.select %c, %v, %w : tensor<i1>, tensor<i32>
      %n = stablehlo.select %c, %i, %j : tensor<i1>, tensor<i32>
      stablehlo.return %m, %n : tensor<i32>, tensor<i32>
    }
  // The first element of a negated mask that is set.
  %not = stablehlo.not %b : tensor<5x7000xi1>
  %3:2 = stablehlo.reduce(%not init: %false), (%columns init: %zero) across dimensions = [1] : (tensor<5x7000xi1>, tensor<5x7000xi32>, tensor<i1>, tensor<i32>) -> (tensor<5xi1>, tensor<5xi32>)
    reducer(%v: tensor<i1>, %w: tensor<i1>) (%i: tensor<i32>, %j: tensor<i32>) {
      %c = stablehlo.compare GE, %v, %w, UNSIGNED : (tensor<i1>, tensor<i1>) -> tensor<i1>
      %m = stablehlo.select %c, %v, %w : tensor<i1>, tensor<i1>
      %n = stablehlo.select %c, %i, %j : tensor<i1>, tensor<i32>
      stablehlo.return %m, %n : tensor<i1>, tensor<i32>
    }
  // The last element that is not negative.
  %4 = stablehlo.reduce(%x init: %least) across dimensions = [1] : (tensor<5x7000xi32>, tensor<i32>) -> tensor<5xi32>
    reducer(%v: tensor<i32>, %w: tensor<i32>) {
      %c = stablehlo.compare GE, %w, %zero, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %m = stablehlo.select %c, %w, %v : tensor<i1>, tensor<i32>
      stablehlo.return %m : tensor<i32>
    }
  return %0#0, %0#1, %1#1, %2#1, %3#1, %4 : tensor<5xi32>, tensor<5xi32>, tensor<7000xi32>, tensor<i32>, tensor<5xi32>, tensor<5xi32>
}
