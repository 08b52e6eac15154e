//! Replaces other floats by `f32`, and other integers by `i32`.
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
use halo::{ir::root_of, prelude::*};

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
        let context = draft.root.context();
        Retyping::of_elements(|element| {
            if !chosen.contains(&element) {
                element
            } else if element.is_float() {
                Type::float32(context)
            } else {
                integer_type(context, 32)
            }
        })
        .apply(draft.root)
        .is_some()
    },
};

/// The element types that could be simpler.
fn others(root: Operation<'_>) -> Vec<Type<'_>> {
    let f32 = Type::float32(root.context());
    let mut found = Vec::new();
    for ty in value_types(root).into_iter().filter(|it| it.is_tensor()) {
        let element = ty.element_type();
        let is_other = if element.is_float() {
            element != f32
        } else {
            element.is_integer() && !matches!(element.integer_width(), Some(1 | 32))
        };
        if is_other && !found.contains(&element) {
            found.push(element);
        }
    }
    found
}
