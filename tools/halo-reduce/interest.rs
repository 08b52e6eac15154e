//! What becomes of a candidate, and whether that is the failure that is looked for.
//!
//! A smaller program may fail for another reason: by rounding, where the original computes a
//! wrong value; by another assertion. So the original says what a failure must be like.

use serde::{Deserialize, Serialize};

/// How a test ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Outcome {
    /// The program ran, or the passes did, and nothing was wrong.
    Passed,
    /// Two backends gave different results.
    Differs(Difference),
    /// The program was refused, or its run failed, as a user may see it.
    Failed(String),
    /// An internal error, or invalid IR.
    Faulty(String),
    /// The process ended by itself: how, and the line of standard error that tells why.
    Died { how: String, line: String },
    /// It took longer than it may.
    TimedOut,
    /// A script's exit code.
    Exited(i32),
}

/// How results differ.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Difference {
    /// The largest error of an element, relative to the largest element expected of its
    /// tensor. Infinite where only one of the two is a number.
    pub degree: f64,
    /// By how much the reference differs from itself if inputs are rounded otherwise.
    pub noise: f64,
    /// Whether an element differs whose reference is a finite number.
    pub is_finite: bool,
    /// The first result whose difference is no noise.
    pub first: Option<usize>,
    /// The result that is worst, and how, for people.
    pub text: String,
}

/// What a candidate must do.
#[derive(Clone, Debug, PartialEq)]
pub enum Interest {
    /// Differ by so much, where numbers are finite, and by more than noise.
    Differs {
        degree: f64,
        finite: bool,
        clear: bool,
    },
    /// Crash in the same way.
    Crashes(Signature),
    /// Fail with an error that contains a text.
    Fails(String),
    /// Let the script exit with a code.
    Exits(i32),
}

/// What two crashes of one cause have in common.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Signature {
    Faulty(String),
    Died { how: String, line: String },
    TimedOut,
}

/// An error this large, relative to the tensor, is no rounding.
const CLEARLY_WRONG: f64 = 1e-3;

/// Backends round more often than inputs are.
const NOISIER: f64 = 16.0;

/// The part of the original's error that must be left.
const REMAINDER: f64 = 0.1;

impl Difference {
    /// Whether it is more than rounding can make.
    pub fn is_clear(&self) -> bool {
        self.degree > NOISIER * self.noise
    }
}

impl Outcome {
    /// Whether it is no noise.
    pub fn is_clear(&self) -> bool {
        match self {
            Self::Differs(difference) => difference.is_clear(),
            _ => true,
        }
    }

    /// The crash that it is, if it is one.
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

    /// One line for people.
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
    /// What candidates must do to fail as a program does whose backends differ; `None`
    /// where they do not.
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

    /// Takes noise for a difference from now on: the original's is no more, and none of its
    /// parts alone has a clear one.
    pub fn accept_noise(&mut self) {
        if let Self::Differs { clear, .. } = self {
            *clear = false;
        }
    }

    /// As [`in_difference`](Self::in_difference), for a program that crashes.
    pub fn in_crash(outcome: &Outcome) -> Option<Self> {
        outcome.signature().map(Self::Crashes)
    }

    /// As [`in_difference`](Self::in_difference), for a program that has an error.
    pub fn in_error(outcome: &Outcome, text: &str) -> Option<Self> {
        let interest = Self::Fails(text.to_owned());
        interest.accepts(outcome).then_some(interest)
    }

    /// Whether a candidate fails as the original does.
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

/// The first line with something on it.
pub fn first_line(text: &str) -> &str {
    let mut lines = text.lines().map(str::trim);
    lines.find(|line| !line.is_empty()).unwrap_or_default()
}

/// The first line of an error without what changes with the program: where it is in the
/// program, numbers, names of values and functions. Places in sources of the compiler stay.
fn normalized(message: &str) -> String {
    let line = first_line(message);
    // `file:1:2: error: ` is of the program.
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
        // One that is small from the beginning may become a little smaller.
        let mut interest = Interest::in_difference(&differs(1e-5, true)).unwrap();
        assert!(interest.accepts(&differs(2e-6, true)));
        assert!(!interest.accepts(&differs(1e-6, true)));
        // Where nothing is clear, noise is all there is.
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
