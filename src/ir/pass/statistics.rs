//! Statistics of passes, for `--mlir-pass-statistics`.
//!
//! MLIR's own statistics are compiled out in builds of LLVM without assertions, such as
//! distributions'. These count in every build.

use std::{
    collections::BTreeMap,
    fmt::Write,
    sync::{Mutex, PoisonError},
};

/// Something that a pass counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Statistic {
    /// The name, with hyphens between words.
    pub name: &'static str,
    /// The description of the counter.
    pub description: &'static str,
}

impl Statistic {
    /// A statistic, for [`PassDeclaration::statistics`](super::PassDeclaration::statistics).
    pub const fn new(name: &'static str, description: &'static str) -> Self {
        Self { name, description }
    }
}

/// A statistic of the passes of this process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Count {
    /// The argument of the pass.
    pub pass: &'static str,
    /// The statistic.
    pub statistic: Statistic,
    /// The value of the counter.
    pub value: u64,
}

type Counts = BTreeMap<(&'static str, &'static str), Count>;

static COUNTS: Mutex<Counts> = Mutex::new(BTreeMap::new());

/// Adds to a statistic of a pass.
pub(super) fn add(pass: &'static str, statistic: Statistic, number: u64) {
    let mut counts = COUNTS.lock().unwrap_or_else(PoisonError::into_inner);
    let count = counts.entry((pass, statistic.name)).or_insert(Count {
        pass,
        statistic,
        value: 0,
    });
    count.value = count.value.saturating_add(number);
}

/// The statistics of all passes that ran in this process, in the order of their names.
pub fn counts() -> Vec<Count> {
    let counts = COUNTS.lock().unwrap_or_else(PoisonError::into_inner);
    counts.values().copied().collect()
}

/// The statistics in the format of `--mlir-pass-statistics`.
pub(crate) fn report(counts: &[Count]) -> String {
    let mut text = String::new();
    for of_pass in counts.chunk_by(|one, other| one.pass == other.pass) {
        let name = |count: &Count| count.statistic.name.len();
        let value = |count: &Count| count.value.to_string().len();
        let names = of_pass.iter().map(name).max().unwrap_or_default();
        let values = of_pass.iter().map(value).max().unwrap_or_default();
        let _ = writeln!(text, "  {}", of_pass[0].pass);
        for Count {
            statistic, value, ..
        } in of_pass
        {
            let Statistic { name, description } = statistic;
            let _ = writeln!(
                text,
                "    (S) {value:values$} {name:names$} - {description}"
            );
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn listed_by_pass() {
        let count = |pass, name, value| Count {
            pass,
            statistic: Statistic::new(name, "Something"),
            value,
        };
        let counts = [count("a", "x", 7), count("a", "yy", 12), count("b", "x", 0)];
        let expected = "  a\n    (S)  7 x  - Something\n    (S) 12 yy - Something\n  \
                        b\n    (S) 0 x - Something\n";
        assert_eq!(report(&counts), expected);
    }

    #[test]
    fn counts_do_not_overflow() {
        let statistic = Statistic::new("num-test", "Something");
        add("test-statistics", statistic, 2);
        add("test-statistics", statistic, u64::MAX);
        let found = counts().into_iter().find(|count| count.pass == "test-statistics");
        assert_eq!(found.map(|count| count.value), Some(u64::MAX));
    }
}
