//! What ranks send one another.

use serde::{Deserialize, Serialize};

use super::fault::Fault;

/// The name of a meeting or of a route, which all ranks make of the same parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Key(pub [u8; 16]);

impl Key {
    /// That of the parts, which are told from one another by their places.
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

    /// The rank, of as many, that brings senders and receivers together.
    pub fn home(&self, ranks: usize) -> usize {
        let number = self.0.iter().take(8).fold(0, |sum, byte| (sum << 8) | usize::from(*byte));
        number % ranks.max(1)
    }
}

/// Where values belong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Address {
    /// A meeting, to which its sender has come with an op.
    Meeting { key: Key, operation: String },
    /// Whoever receives there.
    Route(Key),
}

/// One message. Those with values are followed by messages with their bytes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Frame {
    /// Values, by the texts of their shapes. The bytes of small ones are in the frame itself.
    Values {
        address: Address,
        shapes: Vec<String>,
        #[serde(with = "serde_bytes")]
        bytes: Vec<u8>,
        counted: bool,
    },
    /// The sender has values for whoever receives on a route.
    Offer(Key),
    /// The sender receives on a route.
    Want(Key),
    /// The values that were offered first are for a rank.
    Grant { route: Key, receiver: usize },
    /// How a rank is, several times a second.
    Beat(Status),
    /// How the run of a rank has failed.
    Report(Report),
    /// The rank has nothing more to say.
    Goodbye,
}

impl Frame {
    /// Whether a rank that waits may go on when it gets this.
    pub fn moves(&self) -> bool {
        !matches!(self, Self::Beat(_) | Self::Report(_) | Self::Goodbye)
    }
}

/// How a rank is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Status {
    /// What its program waits for, if it does.
    pub waiting: Option<Waiting>,
    /// How many frames that move something it has sent to each rank, and got from each.
    pub sent: Vec<u64>,
    pub received: Vec<u64>,
}

/// What a program waits for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Waiting {
    /// The ranks without which it cannot go on; any of them, if it is `of_any`.
    pub ranks: Vec<usize>,
    pub of_any: bool,
    /// The op, or what else it is.
    pub operation: String,
}

/// How the run of a rank has failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Report {
    /// What ended the run; nothing where the rank failed by itself.
    pub fault: Option<Fault>,
    /// Whether its message has a place in the program.
    pub is_located: bool,
}
