// RUN: halo-opt %s --split-input-file --verify-diagnostics

module attributes {
  a.any_f8 = #stablehlo.dot_algorithm<lhs_precision_type = f8E5M2, rhs_precision_type = f8E4M3FN, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = true>,
  a.bf16_x6 = #stablehlo.dot_algorithm<lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 6, allow_imprecise_accumulation = false>,
  a.tf32 = #stablehlo.dot_algorithm<lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false>
} {}

// -----

// expected-error @+1 {{a dot algorithm has lhs_component_count = 0, but it must be positive}}
module attributes {a.b = #stablehlo.dot_algorithm<lhs_precision_type = f32, rhs_precision_type = f32, accumulation_type = f32, lhs_component_count = 0, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false>} {}

// -----

// expected-error @+1 {{a dot algorithm has rhs_component_count = -1, but it must be positive}}
module attributes {a.b = #stablehlo.dot_algorithm<lhs_precision_type = f32, rhs_precision_type = f32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = -1, num_primitive_operations = 1, allow_imprecise_accumulation = false>} {}

// -----

// expected-error @+1 {{a dot algorithm has num_primitive_operations = 0, but it must be positive}}
module attributes {a.b = #stablehlo.dot_algorithm<lhs_precision_type = f32, rhs_precision_type = f32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 0, allow_imprecise_accumulation = false>} {}

// -----

// expected-error @+1 {{no hardware is known to have a dot algorithm of f32 and f32 accumulated in i8 with 1 products}}
module attributes {a.b = #stablehlo.dot_algorithm<lhs_precision_type = f32, rhs_precision_type = f32, accumulation_type = i8, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false>} {}

// -----

// expected-error @+1 {{no hardware is known to have a dot algorithm of bf16 and bf16 accumulated in f32 with 4 products}}
module attributes {a.b = #stablehlo.dot_algorithm<lhs_precision_type = bf16, rhs_precision_type = bf16, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 4, allow_imprecise_accumulation = false>} {}
