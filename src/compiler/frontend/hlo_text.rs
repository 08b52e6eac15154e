//! HLO text and StableHLO.

mod export;
mod locations;

pub use export::export;
