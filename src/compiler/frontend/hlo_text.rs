//! HLO text and StableHLO.

mod export;

pub use export::export;
