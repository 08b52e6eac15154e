//! The outcome of a candidate, and its comparison with the original failure.
//!
//! A smaller program may fail for another reason, for example by rounding instead of a miscompile,
//! or by another assertion. So the original defines the signature of the failure.

use serde::{Deserialize, Serialize};

/// The outcome of a test.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Outcome {
    /// The program or the passes ran without failure.
    Passed,
    /// Two backends gave different results.
    Differs(Difference),
    /// The program was rejected, or its run failed with a user error.
    Failed(String),
    /// An internal error, or invalid IR.
    Faulty(String),
    /// The process ended: how, and the line of standard error with the reason.
    Died { how: String, line: String },
    /// It exceeded the time limit.
    TimedOut,
    /// A script's exit code.
    Exited(i32),
}

/// A difference of results.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Difference {
    /// The largest error of an element, relative to the largest expected element of its tensor.
    /// Infinite if only one of the two is a number.
    pub degree: f64,
    /// The sensitivity of the reference to rounding of its inputs.
    pub noise: f64,
    /// Set if an element differs whose reference is finite.
    pub is_finite: bool,
    /// The first result whose difference is not noise.
    pub first: Option<usize>,
    /// A description of the worst result, for users.
    pub text: String,
}

/// The criterion for candidates.
#[derive(Clone, Debug, PartialEq)]
pub enum Interest {
    /// Results differ by at least this much, where finite, and by more than noise.
    Differs {
        degree: f64,
        finite: bool,
        clear: bool,
    },
    /// It crashes in the same way.
    Crashes(Signature),
    /// It fails with an error that contains a text.
    Fails(String),
    /// The script has this exit code.
    Exits(i32),
}

/// The common part of crashes with the same cause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Signature {
    Faulty(String),
    Died { how: String, line: String },
    TimedOut,
}

/// A relative error of this size is not rounding.
const CLEARLY_WRONG: f64 = 1e-3;

/// Backends round more often than the inputs are rounded.
const NOISIER: f64 = 16.0;

/// The minimum part of the original's error in a candidate.
const REMAINDER: f64 = 0.1;

impl Difference {
    /// Returns true if the difference cannot be rounding.
    pub fn is_clear(&self) -> bool {
        self.degree > NOISIER * self.noise
    }
}

impl Outcome {
    /// Returns true if the difference is not noise.
    pub fn is_clear(&self) -> bool {
        match self {
            Self::Differs(difference) => difference.is_clear(),
            _ => true,
        }
    }

    /// The signature of the crash, if it is one.
    fn signature(&self) -> Option<Signature> {
        match self {
            Self::Faulty(message) => Some(Signature::Faulty(normalized(message))),
            Self::Died { how, line } => Some(Signature::Died {
                how: how.clone(),
                line: normalized(line),
            }),
            Self::TimedOut => Some(Signature::TimedOut),
            _ => None,
        }
    }

    /// A one-line description for users.
    pub fn describe(&self) -> String {
        match self {
            Self::Passed => "nothing is wrong with it".to_owned(),
            Self::Differs(difference) => difference.text.clone(),
            Self::Failed(message) | Self::Faulty(message) => first_line(message).to_owned(),
            Self::Died { how, line } if line.is_empty() => format!("the process ended by {how}"),
            Self::Died { how, line } => format!("the process ended by {how}: {line}"),
            Self::TimedOut => "it took too long".to_owned(),
            Self::Exited(code) => format!("the script exits with {code}"),
        }
    }
}

impl Interest {
    /// The criterion for a program on which backends differ; `None` if they do not.
    pub fn in_difference(outcome: &Outcome) -> Option<Self> {
        let Outcome::Differs(difference) = outcome else {
            return None;
        };
        Some(Self::Differs {
            degree: (difference.degree * REMAINDER).min(CLEARLY_WRONG),
            finite: difference.is_finite,
            clear: true,
        })
    }

    /// Accepts noise as a difference from now on, if the original and its parts show no clear
    /// difference.
    pub fn accept_noise(&mut self) {
        if let Self::Differs { clear, .. } = self {
            *clear = false;
        }
    }

    /// Like [`in_difference`](Self::in_difference), for a program that crashes.
    pub fn in_crash(outcome: &Outcome) -> Option<Self> {
        outcome.signature().map(Self::Crashes)
    }

    /// Like [`in_difference`](Self::in_difference), for a program with an error.
    pub fn in_error(outcome: &Outcome, text: &str) -> Option<Self> {
        let interest = Self::Fails(text.to_owned());
        interest.accepts(outcome).then_some(interest)
    }

    /// Returns true if a candidate fails like the original.
    pub fn accepts(&self, outcome: &Outcome) -> bool {
        match (self, outcome) {
            (
                Self::Differs {
                    degree,
                    finite,
                    clear,
                },
                Outcome::Differs(difference),
            ) => {
                difference.degree >= *degree
                    && (difference.is_finite || !finite)
                    && (difference.is_clear() || !clear)
            }
            (Self::Crashes(signature), outcome) => outcome.signature().as_ref() == Some(signature),
            (Self::Fails(text), Outcome::Failed(message) | Outcome::Faulty(message)) => {
                message.contains(text)
            }
            (Self::Exits(code), Outcome::Exited(other)) => code == other,
            _ => false,
        }
    }
}

/// The first non-empty line.
pub fn first_line(text: &str) -> &str {
    let mut lines = text.lines().map(str::trim);
    lines.find(|line| !line.is_empty()).unwrap_or_default()
}

/// The first line of an error without parts that depend on the program: locations in the program,
/// numbers, names of values and functions. Locations in compiler sources are kept.
fn normalized(message: &str) -> String {
    let line = first_line(message);
    // `file:1:2: error: ` refers to the program.
    let line = line.split_once("error: ").map_or(line, |(_, rest)| rest);
    let mut text = String::new();
    let mut rest = line;
    while let Some(letter) = rest.chars().next() {
        let is_of_word = |letter: char| letter.is_alphanumeric() || "_.:/-".contains(letter);
        let end = rest.find(|letter| !is_of_word(letter));
        let (word, after) = rest.split_at(end.unwrap_or(rest.len()));
        if word.is_empty() {
            let width = letter.len_utf8();
            text.push(letter);
            rest = &rest[width..];
            if matches!(letter, '%' | '@' | '^') {
                rest = rest.trim_start_matches(is_of_word);
            }
            continue;
        }
        let is_place = [".rs:", ".cpp:", ".h:"].iter().any(|end| word.contains(end));
        if is_place {
            text.push_str(word)
        } else {
            text.push_str(&without_numbers(word))
        }
        rest = after;
    }
    text
}

fn without_numbers(word: &str) -> String {
    let mut text = String::new();
    for letter in word.chars() {
        if !letter.is_ascii_digit() {
            text.push(letter)
        } else if text.ends_with('#') {
        } else {
            text.push('#')
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn differs(degree: f64, is_finite: bool) -> Outcome {
        Outcome::Differs(Difference {
            degree,
            noise: 1e-7,
            is_finite,
            first: None,
            text: String::new(),
        })
    }

    #[test]
    fn rounding_is_no_miscompile() {
        let interest = Interest::in_difference(&differs(0.5, true)).unwrap();
        assert!(interest.accepts(&differs(2e-3, true)));
        assert!(!interest.accepts(&differs(1e-6, true)));
        // A difference that is small from the beginning may become a little smaller.
        let mut interest = Interest::in_difference(&differs(1e-5, true)).unwrap();
        assert!(interest.accepts(&differs(2e-6, true)));
        assert!(!interest.accepts(&differs(1e-6, true)));
        // If no difference is clear, noise is accepted.
        interest.accept_noise();
        assert!(interest.accepts(&differs(1.1e-6, true)));
        assert_eq!(Interest::in_difference(&Outcome::Passed), None);
    }

    #[test]
    fn infinities_stand_for_no_number() {
        let interest = Interest::in_difference(&differs(1.0, true)).unwrap();
        assert!(!interest.accepts(&differs(f64::INFINITY, false)));
        let interest = Interest::in_difference(&differs(f64::INFINITY, false)).unwrap();
        assert!(interest.accepts(&differs(1.0, true)));
    }

    #[test]
    fn crashes_are_told_apart() {
        let faulty = |text: &str| Outcome::Faulty(text.to_owned());
        let first = "a.mlir:3:4: error: internal error in pass 'halo-x': index out of bounds: \
                     the len is 3 but the index is 7 (panicked at src/a.rs:12:5)\nmore";
        let interest = Interest::in_crash(&faulty(first)).unwrap();
        let same = first.replace("3:4", "10:20").replace("is 7", "is 17");
        assert!(interest.accepts(&faulty(&same)));
        assert!(!interest.accepts(&faulty(&first.replace("a.rs:12", "a.rs:13"))));
        assert!(!interest.accepts(&faulty(&first.replace("halo-x", "halo-y"))));
        let died = |how: &str, line: &str| Outcome::Died {
            how: how.to_owned(),
            line: line.to_owned(),
        };
        let interest = Interest::in_crash(&died("signal 6", "LLVM ERROR: %a1 of @f"));
        let interest = interest.unwrap();
        assert!(interest.accepts(&died("signal 6", "LLVM ERROR: %b of @main_2")));
        assert!(!interest.accepts(&died("signal 11", "LLVM ERROR: %b of @main_2")));
        assert!(!interest.accepts(&Outcome::TimedOut));
        assert_eq!(Interest::in_crash(&Outcome::Failed(String::new())), None);
    }
}
