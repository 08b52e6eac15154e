// RUN: halo-opt %s --split-input-file --halo-destination-passing=explain --verify-diagnostics -o /dev/null

#id = affine_map<(d0) -> (d0)>

// Arguments, constants, parts of tensors and results of conditionals are copied to the results
// of a function, and so is a value that is returned twice, the second time.
func.func @results(%x: tensor<4xf32>, %p: i1, %f: f32, %i: index) -> (tensor<4xf32>, tensor<4xf32>, tensor<2xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  // expected-remark @+2 {{is copied to a result of the function: it is a constant}}
  // expected-remark @+1 {{is copied to the result of a conditional: it is a constant}}
  %0 = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  // expected-remark @+1 {{is copied to a result of the function: it is a part of another tensor}}
  %1 = tensor.extract_slice %x[0] [2] [1] : tensor<4xf32> to tensor<2xf32>
  // expected-remark @+1 {{is copied to a result of the function: the op that computes it has a place of its own}}
  %2 = scf.if %p -> (tensor<4xf32>) {
    // expected-remark @+1 {{operand #0 is copied to the result of a conditional: it is an argument}}
    scf.yield %x : tensor<4xf32>
  } else {
    // expected-note @+1 {{operand #0}}
    scf.yield %0 : tensor<4xf32>
  }
  %e = tensor.empty() : tensor<4xf32>
  // expected-remark @+1 {{is copied to a result of the function: it is in the place of another result}}
  %3 = tensor.insert %f into %e[%i] : tensor<4xf32>
  // expected-note @+5 {{operand #1}}
  // expected-note @+4 {{operand #2}}
  // expected-note @+3 {{operand #3}}
  // expected-note @+2 {{operand #5}}
  // expected-remark @+1 {{operand #0 is copied to a result of the function: it is an argument}}
  return %x, %0, %1, %2, %3, %3 : tensor<4xf32>, tensor<4xf32>, tensor<2xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// -----

#id = affine_map<(d0) -> (d0)>

// A sum starts from a value that is read behind it.
func.func @read_later(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %e = tensor.empty() : tensor<4xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %9 = math.exp %a : f32
    linalg.yield %9 : f32
  } -> tensor<4xf32>
  // expected-remark @+1 {{is copied to a result of the function: what would be in its place is read later}}
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%0 : tensor<4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %9 = arith.addf %a, %o : f32
    linalg.yield %9 : f32
  } -> tensor<4xf32>
  %2 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%0 : tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %9 = math.sin %a : f32
    linalg.yield %9 : f32
  } -> tensor<4xf32>
  // expected-note @+1 {{operand #0}}
  return %1, %2 : tensor<4xf32>, tensor<4xf32>
}

// -----

#id = affine_map<(d0) -> (d0)>

// The next values of a loop are computed outside of it, or update other values that it carries.
func.func @loop(%x: tensor<4xf32>, %y: tensor<4xf32>, %f: f32) -> (tensor<4xf32>, tensor<4xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %e = tensor.empty() : tensor<4xf32>
  // expected-remark @+1 {{is copied to the next iteration: it is computed outside of the loop or branch}}
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %9 = math.exp %a : f32
    linalg.yield %9 : f32
  } -> tensor<4xf32>
  %1:2 = scf.for %i = %c0 to %c8 step %c1 iter_args(%a = %x, %b = %y) -> (tensor<4xf32>, tensor<4xf32>) {
    // expected-remark @+1 {{is copied to the next iteration: it overwrites another argument}}
    %2 = tensor.insert %f into %a[%i] : tensor<4xf32>
    // expected-note @+2 {{operand #0}}
    // expected-note @+1 {{operand #1}}
    scf.yield %0, %2 : tensor<4xf32>, tensor<4xf32>
  }
  return %1#0, %1#1 : tensor<4xf32>, tensor<4xf32>
}
