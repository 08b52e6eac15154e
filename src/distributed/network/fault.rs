//! The reasons for which no rank can continue.

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// The failure of a rank.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Cause {
    /// Its process has ended.
    Died,
    /// Its connection has failed.
    Unreachable(String),
    /// It was silent for a time.
    Silent(Duration),
    /// It did not reach an op in time, though it responds.
    Late(Duration),
    /// Its run has failed with an error message.
    Failed,
    /// It is part of a deadlock.
    Deadlock(String),
    /// The library of this rank failed.
    Library(String),
}

/// The reason for which no rank can continue.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    pub rank: usize,
    pub cause: Cause,
}

impl Fault {
    /// The error of a program that waits for some ranks, after the name of its op.
    pub fn to_waiting(&self, ranks: &[usize]) -> String {
        match &self.cause {
            Cause::Deadlock(_) | Cause::Library(_) => self.to_string(),
            _ if ranks.contains(&self.rank) => format!("waits for {self}"),
            _ => format!("cannot go on without {self}"),
        }
    }

    /// Returns true if the rank still responds.
    pub fn leaves_rank_alive(&self) -> bool {
        !matches!(self.cause, Cause::Died | Cause::Silent(_))
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rank = self.rank;
        match &self.cause {
            Cause::Died => write!(formatter, "rank {rank}, whose process has ended"),
            Cause::Unreachable(reason) => {
                write!(
                    formatter,
                    "rank {rank}, whose connection has failed: {reason}"
                )
            }
            Cause::Silent(limit) => write!(
                formatter,
                "rank {rank}, which has not answered for {} s",
                limit.as_secs_f32()
            ),
            Cause::Late(limit) => write!(
                formatter,
                "rank {rank}, which has not come for {} s",
                limit.as_secs_f32()
            ),
            Cause::Failed => write!(formatter, "rank {rank}, which has failed"),
            Cause::Deadlock(waiting) => {
                write!(formatter, "waits for what never comes: {waiting}")
            }
            Cause::Library(message) => formatter.write_str(message),
        }
    }
}
