//! Removes optional attributes of ops.
//!
//! ```mlir
//! %0 = stablehlo.add %a, %b {mhlo.frontend_attributes = {x = "y"}} : tensor<4xf32>
//! ```
//! becomes
//! ```mlir
//! %0 = stablehlo.add %a, %b : tensor<4xf32>
//! ```

use crate::{program::Program, session::Reduction};
use halo::{ir::root_of, prelude::*};

/// Attributes that are optional or have a default in the op's definition.
const OPTIONAL: [&str; 19] = [
    "algorithm",
    "arg_attrs",
    "backend_config",
    "base_dilations",
    "compare_type",
    "indices_are_sorted",
    "is_stable",
    "lhs_dilation",
    "operand_layouts",
    "output_operand_aliases",
    "padding",
    "precision_config",
    "res_attrs",
    "result_accuracy",
    "result_layouts",
    "rhs_dilation",
    "unique_indices",
    "window_dilations",
    "window_reversal",
];

/// Attributes of a module.
const OF_MODULE: [&str; 1] = ["sym_name"];

pub const REDUCTION: Reduction = Reduction {
    name: "remove attributes",
    alternatives: false,
    restarts: false,
    sites: |program: &Program| sites(root_of(program.module())).len(),
    apply: |draft, range| {
        let sites = sites(draft.root);
        let Some(chosen) = sites.get(range) else {
            return false;
        };
        for (op, name) in chosen {
            op.remove_attribute(name);
        }
        true
    },
};

fn sites(root: Operation<'_>) -> Vec<(Operation<'_>, String)> {
    let mut found = Vec::new();
    root.visit(&mut |op| {
        let discardable = op.discardable_attributes().into_iter().map(|(name, _)| name);
        let names = discardable.chain(OPTIONAL);
        let names = names.chain(OF_MODULE.into_iter().filter(|_| op == root));
        let present = names.filter(|name| op.has_attribute(name));
        found.extend(present.map(|name| (op, name.to_owned())));
    });
    found
}
