//! Makes `f32` of other floats, and `i32` of other integers.
//!
//! ```mlir
//! %0 = stablehlo.add %a, %b : tensor<4xbf16>
//! ```
//! becomes
//! ```mlir
//! %0 = stablehlo.add %a, %b : tensor<4xf32>
//! ```

use crate::{
    program::{Program, value_types},
    retyping::Retyping,
    session::Reduction,
};
use halo::ir::{
    Operation, Type, context_of, element_type, integer_type, integer_width, is_float, is_integer,
    is_tensor, root_of,
};

pub const REDUCTION: Reduction = Reduction {
    name: "simplify element types",
    alternatives: false,
    restarts: false,
    sites: |program: &Program| others(root_of(program.module())).len(),
    apply: |draft, range| {
        let others = others(draft.root);
        let Some(chosen) = others.get(range) else {
            return false;
        };
        let context = context_of(draft.root);
        Retyping::of_elements(|element| {
            if !chosen.contains(&element) {
                element
            } else if is_float(element) {
                Type::float32(context)
            } else {
                integer_type(context, 32)
            }
        })
        .apply(draft.root)
        .is_some()
    },
};

/// The types of elements that could be simpler.
fn others(root: Operation<'_>) -> Vec<Type<'_>> {
    let f32 = Type::float32(context_of(root));
    let mut found = Vec::new();
    for r#type in value_types(root).into_iter().filter(|it| is_tensor(*it)) {
        let element = element_type(r#type);
        let is_other = if is_float(element) {
            element != f32
        } else {
            is_integer(element) && !matches!(integer_width(element), Some(1 | 32))
        };
        if is_other && !found.contains(&element) {
            found.push(element);
        }
    }
    found
}
