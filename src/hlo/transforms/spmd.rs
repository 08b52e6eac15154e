//! Programs of one process from shardings.

pub mod partition;
pub mod propagate_shardings;
pub mod replica_groups;
pub mod shardy_legalize_to_stablehlo;
