//! Typed builders and accessors for the ops, generated from the TableGen files.
//!
//! For every op there is a function that builds it from its operands and
//! attributes, and a type that an op converts to, with a method for each of
//! them. An op whose result types follow from its parts takes no result types:
//! the semantics hook infers them. The functions expect an op that satisfies its
//! TableGen definition.

melior::dialect! {
    name: "stablehlo",
    files: ["stablehlo/Ops.td"],
    include_directory_env_vars: ["HALO_DIALECTS_TABLEGEN"],
}

melior::dialect! {
    name: "chlo",
    files: ["chlo/Ops.td"],
    include_directory_env_vars: ["HALO_DIALECTS_TABLEGEN"],
}

melior::dialect! {
    name: "check",
    files: ["check/CheckOps.td"],
    include_directory_env_vars: ["HALO_DIALECTS_TABLEGEN"],
}
