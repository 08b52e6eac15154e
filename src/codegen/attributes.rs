//! The names by which the conversion tells later steps what an op of linalg or a
//! declaration stands for: attributes, and what names of functions begin with.

/// The attribute of a contraction that says how exact it is to be.
pub const PRECISION: &str = "halo.precision";
/// The attribute of the outermost loop of a scatter whose updates may come in
/// any order: `unique` where no two are of the same element, `combine` where
/// they are combined one by one.
pub const SCATTER: &str = "halo.scatter";

/// What the names of the declarations begin with; the number of the call site
/// follows.
pub const CUSTOM_CALL_PREFIX: &str = "halo_custom_call_";
/// The attribute of a declaration that names the target of a custom call.
pub const CUSTOM_CALL_TARGET: &str = "halo.custom_call_target";
/// The attribute with the types of the operands, unsigned ones included.
pub const CUSTOM_CALL_OPERAND_TYPES: &str = "halo.operand_types";
/// The attribute with the types of the results, unsigned ones included.
pub const CUSTOM_CALL_RESULT_TYPES: &str = "halo.result_types";
/// The attribute with the backend's configuration of a custom call.
pub const CUSTOM_CALL_CONFIG: &str = "halo.backend_config";
/// The attribute with the dictionary of a typed call, or the attributes of an
/// op that a handler computes.
pub const CUSTOM_CALL_ATTRIBUTES: &str = "halo.attributes";
/// The attribute with the order in which the elements of the operands lie.
pub const CUSTOM_CALL_OPERAND_LAYOUTS: &str = "halo.operand_layouts";
/// The attribute with the order in which the elements of the results lie.
pub const CUSTOM_CALL_RESULT_LAYOUTS: &str = "halo.result_layouts";
