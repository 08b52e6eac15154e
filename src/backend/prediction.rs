//! The predicted time and memory of a run, without running it.

use serde::Serialize;

/// The predicted step of a program: one run on all processes.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Prediction {
    pub replicas: usize,
    pub partitions: usize,
    /// The time of the step, in seconds.
    pub seconds: f64,
    /// The time in which a process computes.
    pub computing_seconds: f64,
    /// The time during which messages of a process are in flight.
    pub communicating_seconds: f64,
    /// The part of it during which the process computes nothing.
    pub waiting_seconds: f64,
    /// Bytes that a process sends.
    pub sent_bytes: f64,
    /// Floating-point operations of a process, and its elementary functions.
    pub flops: f64,
    pub transcendentals: f64,
    /// Components of the time, the largest first.
    pub parts: Vec<PredictedPart>,
    pub memory: PredictedMemory,
    /// Assumptions of the prediction.
    pub notes: Vec<String>,
}

/// Kernels or collectives of one kind.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct PredictedPart {
    /// The op, such as `stablehlo.dot_general`; for a kernel, the op that it is named after.
    pub op: String,
    /// The algorithm of a collective.
    pub algorithm: Option<String>,
    /// The number of executions.
    pub count: f64,
    pub seconds: f64,
    pub flops: f64,
    /// Bytes of memory that are read and written, or that are sent.
    pub bytes: f64,
}

/// The memory of a process, in bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct PredictedMemory {
    pub arguments: u64,
    /// Results that do not share the memory of an argument.
    pub results: u64,
    /// The arena.
    pub temporaries: u64,
    pub constants: u64,
    /// The memory of a device, if the topology specifies it.
    pub available: Option<u64>,
}

impl PredictedMemory {
    pub fn total(&self) -> u64 {
        self.arguments + self.results + self.temporaries + self.constants
    }
}
