//! Frames that ranks send one another.

use serde::{Deserialize, Serialize};

use super::fault::Fault;

/// The name of a meeting or a route, which all ranks derive from the same fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Key(pub [u8; 16]);

impl Key {
    /// The key of a sequence of fields, which are distinguished by position.
    pub fn of(parts: &[&[u8]]) -> Self {
        let mut hasher = blake3::Hasher::new();
        for part in parts {
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part);
        }
        let mut key = [0; 16];
        key.copy_from_slice(&hasher.finalize().as_bytes()[..16]);
        Self(key)
    }

    /// The rank, of `ranks`, that matches senders and receivers.
    pub fn home(&self, ranks: usize) -> usize {
        let number = self.0.iter().take(8).fold(0, |sum, byte| (sum << 8) | usize::from(*byte));
        number % ranks.max(1)
    }
}

/// A meeting or a route of a grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Exchange {
    pub grid: Key,
    pub key: Key,
}

/// The destination of values.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Address {
    /// A meeting, which the process `from` has joined with an op. The values are for all processes
    /// of the receiving rank, or for the process `to`.
    Meeting {
        exchange: Exchange,
        from: usize,
        to: Option<usize>,
        operation: String,
    },
    /// The receiver on a channel.
    Route(Exchange),
}

impl Address {
    pub fn exchange(&self) -> Exchange {
        match self {
            Self::Meeting { exchange, .. } | Self::Route(exchange) => *exchange,
        }
    }
}

/// One message. Those with values are followed by messages with their bytes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Frame {
    /// Values, by the texts of their shapes. The bytes of small ones are in the frame itself.
    /// `program` is the program of the sender's grid.
    Values {
        address: Address,
        program: String,
        shapes: Vec<String>,
        #[serde(with = "serde_bytes")]
        bytes: Vec<u8>,
        counted: bool,
    },
    /// The sender has values for the receiver on a route.
    Offer(Exchange),
    /// The sender receives on a route.
    Want(Exchange),
    /// The values that were offered first are for a rank.
    Grant { route: Exchange, receiver: usize },
    /// A process of a grid has failed; the reason is the failure of another one that it waited for.
    Failed {
        grid: Key,
        process: usize,
        reason: Option<String>,
    },
    /// A heartbeat, several times a second.
    Beat(Status),
    /// The failure of a rank's run.
    Report(Report),
    /// The rank sends nothing more.
    Goodbye,
}

impl Frame {
    /// Returns true if this frame may unblock a waiting rank.
    pub fn moves(&self) -> bool {
        !matches!(self, Self::Beat(_) | Self::Report(_) | Self::Goodbye)
    }
}

/// The status of a rank.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Status {
    /// The wait of its program, if any.
    pub waiting: Option<Waiting>,
    /// The number of counted frames that it has sent to each rank, and received from each.
    pub sent: Vec<u64>,
    pub received: Vec<u64>,
}

/// The wait of a program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Waiting {
    /// The ranks that can unblock it: all of them are needed, or any of them, if it is `of_any`.
    pub ranks: Vec<usize>,
    pub of_any: bool,
    /// The op, or another operation.
    pub operation: String,
}

/// The failure of a rank's run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Report {
    /// The fault that ended the run; `None` if the rank failed by itself.
    pub fault: Option<Fault>,
    /// Whether its message has a location in the program.
    pub is_located: bool,
}
