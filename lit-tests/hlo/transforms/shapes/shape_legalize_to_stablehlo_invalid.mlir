// RUN: halo-opt %s --shape-legalize-to-stablehlo --split-input-file --verify-diagnostics

func.func @computed_dimension(%a: tensor<?x?xf32>, %i: index) -> index {
  // expected-error @+1 {{failed to legalize operation 'tensor.dim' that was explicitly marked illegal: it has no form in StableHLO}}
  %0 = tensor.dim %a, %i : tensor<?x?xf32>
  return %0 : index
}

// -----

// No op is left behind that would be cast again and again.

func.func @size(%s: !shape.size) -> index {
  // expected-error @+1 {{failed to legalize operation 'shape.size_to_index' that was explicitly marked illegal}}
  %0 = shape.size_to_index %s : !shape.size
  return %0 : index
}

// -----

func.func @shape(%s: !shape.shape) -> !shape.size {
  // expected-error @+1 {{failed to legalize operation 'shape.num_elements' that was explicitly marked illegal}}
  %0 = shape.num_elements %s : !shape.shape -> !shape.size
  return %0 : !shape.size
}

// -----

func.func @shapes(%a: !shape.shape, %b: tensor<2xindex>) -> !shape.shape {
  // expected-error @+1 {{failed to legalize operation 'shape.broadcast' that was explicitly marked illegal}}
  %0 = shape.broadcast %a, %b : !shape.shape, tensor<2xindex> -> !shape.shape
  return %0 : !shape.shape
}

// -----

func.func @false_assumption(%a: tensor<f32>) -> tensor<f32> {
  // expected-error @+1 {{failed to legalize operation 'shape.const_witness' that was explicitly marked illegal}}
  %0 = shape.const_witness false
  // expected-error @+1 {{failed to legalize operation 'shape.assuming' that was explicitly marked illegal}}
  %1 = shape.assuming %0 -> (tensor<f32>) {
    // expected-error @+1 {{failed to legalize operation 'shape.assuming_yield' that was explicitly marked illegal}}
    shape.assuming_yield %a : tensor<f32>
  }
  return %1 : tensor<f32>
}

// -----

func.func @no_rank(%a: tensor<*xf32>) -> tensor<?xindex> {
  // expected-error @+1 {{failed to legalize operation 'shape.shape_of' that was explicitly marked illegal}}
  %0 = shape.shape_of %a : tensor<*xf32> -> tensor<?xindex>
  return %0 : tensor<?xindex>
}

// -----

func.func @bytes(%a: i8) -> tensor<1xi8> {
  // expected-error @+1 {{failed to legalize operation 'tensor.from_elements' that was explicitly marked illegal}}
  %0 = tensor.from_elements %a : tensor<1xi8>
  return %0 : tensor<1xi8>
}
