//! Why no rank can go on.

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// What has happened to a rank.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Cause {
    /// Its process has ended.
    Died,
    /// Nothing was heard of it for a time.
    Silent(Duration),
    /// It did not come to an op in time, though it answers.
    Late(Duration),
    /// Its run has failed, and it says why.
    Failed,
    /// It is one of those that wait for one another.
    Deadlock(String),
    /// The library of this rank failed.
    Library(String),
}

/// Why no rank can go on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    pub rank: usize,
    pub cause: Cause,
}

impl Fault {
    /// What a program says that waits for some ranks, after the name of its op.
    pub fn to_waiting(&self, ranks: &[usize]) -> String {
        match &self.cause {
            Cause::Deadlock(_) | Cause::Library(_) => self.to_string(),
            _ if ranks.contains(&self.rank) => format!("waits for {self}"),
            _ => format!("cannot go on without {self}"),
        }
    }

    /// Whether the rank still answers.
    pub fn leaves_rank_alive(&self) -> bool {
        !matches!(self.cause, Cause::Died | Cause::Silent(_))
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rank = self.rank;
        match &self.cause {
            Cause::Died => write!(formatter, "rank {rank}, whose process has ended"),
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
