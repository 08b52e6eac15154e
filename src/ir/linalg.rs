//! Questions to linalg ops.

use super::{Attribute, Operation, attributes::affine_map_value, attributes::attribute_list};
use melior::ir::AffineMap;

/// The indexing maps of a structured op, named or generic, one for each
/// operand; `None` for any other op.
pub fn indexing_maps<'c>(operation: Operation<'c>) -> Option<Vec<AffineMap<'c>>> {
    // SAFETY: The op is valid; the attribute belongs to its context.
    let attribute = unsafe {
        Attribute::from_option_raw(mlir_sys::mlirLinalgGetIndexingMapsAttribute(
            operation.to_raw(),
        ))
    }?;
    attribute_list(attribute).into_iter().map(affine_map_value).collect()
}

/// Whether an op is a structured op of linalg.
pub fn is_structured(operation: Operation) -> bool {
    super::name_of(operation).starts_with("linalg.") && indexing_maps(operation).is_some()
}
