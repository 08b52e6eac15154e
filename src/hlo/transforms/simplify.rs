//! Rewrite rules, constant folding and loops of known trip counts.

pub mod split_long_sums;
pub mod stablehlo_aggressive_folder;
pub mod stablehlo_aggressive_simplification;
pub mod while_loop_unroller;
