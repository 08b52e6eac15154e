//! Sums in index notation, which have no section in the specification: the rules are the same as
//! for XLA's `Einsum`.
//!
//! A letter names a dimension, and has the same size at all its occurrences. `...` stands for any
//! number of dimensions, which broadcast as in NumPy: aligned at the last one, with sizes of one
//! expanded.

use super::prelude::*;

/// The labels of one operand or result: a letter for each dimension.
struct Labels {
    /// The letters before `...`, or all of them.
    before: Vec<char>,
    /// The letters after `...`, if present.
    after: Option<Vec<char>>,
}

impl Labels {
    fn parse(text: &str, config: &str) -> Result<Self, String> {
        let letters = |part: &str| -> Result<Vec<char>, String> {
            let letters = part.chars().filter(|letter| !letter.is_whitespace());
            letters
                .map(|letter| if letter.is_alphabetic() {
Ok(letter)
} else {
Err(format!(
                        "attribute 'einsum_config' is \"{config}\", which has '{letter}' where a \
                         letter must be"
                    ))
})
                .collect()
        };
        Ok(match text.split_once("...") {
            None => Self {
                before: letters(text)?,
                after: None,
            },
            Some((before, after)) => Self {
                before: letters(before)?,
                after: Some(letters(after)?),
            },
        })
    }

    fn letters(&self) -> impl Iterator<Item = char> {
        self.before.iter().chain(self.after.iter().flatten()).copied()
    }
}

/// The sizes of letters and of `...` in the operands.
#[derive(Default)]
struct Sizes {
    letters: Vec<(char, Dim)>,
    rest: Vec<Dim>,
}

impl Sizes {
    fn of(&self, letter: char) -> Option<Dim> {
        let known = self.letters.iter().find(|known| known.0 == letter)?;
        Some(known.1)
    }

    fn add_letter(&mut self, letter: char, dim: Dim, subject: Subject) -> VerifyResult {
        match self.letters.iter_mut().find(|known| known.0 == letter) {
            None => self.letters.push((letter, dim)),
            Some((_, known)) if known.agrees_with(dim) => *known = known.meet(dim),
            Some((_, known)) => {
                return Err(format!(
                    "{subject} has size {dim} for '{letter}' of attribute 'einsum_config', but \
                     another dimension of that letter has size {known}"
                ));
            }
        }
        Ok(())
    }

    fn add_rest(&mut self, rest: &[Dim]) -> VerifyResult {
        let missing = rest.len().saturating_sub(self.rest.len());
        self.rest.splice(0..0, std::iter::repeat_n(Dim::Static(1), missing));
        for (known, dim) in self.rest.iter_mut().rev().zip(rest.iter().rev()) {
            *known = match (*known, *dim) {
                (known, Dim::Static(1)) => known,
                (Dim::Static(1), dim) => dim,
                (known, dim) if known.agrees_with(dim) => known.meet(dim),
                (known, dim) => {
                    return Err(format!(
                        "'...' of attribute 'einsum_config' stands for dimensions of sizes {dim} \
                         and {known}, which do not broadcast"
                    ));
                }
            };
        }
        Ok(())
    }

    fn add(&mut self, labels: &Labels, operand: &Tensor<impl Ty>) -> VerifyResult {
        let count = labels.letters().count();
        let rank = operand.rank();
        if rank < count || (labels.after.is_none() && rank != count) {
            return Err(format!(
                "{} has rank {rank}, but attribute 'einsum_config' has {count} letters for it",
                operand.subject
            ));
        }
        let (before, rest) = operand.dims.split_at(labels.before.len());
        let (rest, after) = rest.split_at(rank - count);
        for (letter, dim) in labels.letters().zip(before.iter().chain(after)) {
            self.add_letter(letter, *dim, operand.subject)?;
        }
        self.add_rest(rest)
    }
}

/// The ops `einsum` and `unary_einsum`: `ab,bc->ac`.
pub fn einsum<O: Op>(op: O) -> Inference<O::Type> {
    let config = required("einsum_config", op.string("einsum_config"))?;
    let Some((inputs, output)) = config.split_once("->") else {
        return Err(format!(
            "attribute 'einsum_config' is \"{config}\", which has no '->'"
        ));
    };
    let inputs: Vec<&str> = inputs.split(',').collect();
    if inputs.len() != op.operand_count() {
        return Err(format!(
            "attribute 'einsum_config' is \"{config}\", which has {} inputs, but there are {} \
             operands",
            inputs.len(),
            op.operand_count()
        ));
    }
    let mut sizes = Sizes::default();
    for (text, operand) in inputs.into_iter().zip(op.tensors()?) {
        sizes.add(&Labels::parse(text, &config)?, &operand)?;
    }
    let output = Labels::parse(output, &config)?;
    let mut shape = Vec::new();
    let mut seen = Vec::new();
    for letter in output.letters() {
        let Some(dim) = sizes.of(letter) else {
            return Err(format!(
                "attribute 'einsum_config' is \"{config}\", which has '{letter}' in the result \
                 alone"
            ));
        };
        if seen.contains(&letter) {
            return Err(format!(
                "attribute 'einsum_config' is \"{config}\", which has '{letter}' twice in the \
                 result"
            ));
        }
        seen.push(letter);
        shape.push(dim);
    }
    if output.after.is_some() {
        let at = output.before.len();
        shape.splice(at..at, sizes.rest);
    }
    one(Inferred::shape(shape))
}
