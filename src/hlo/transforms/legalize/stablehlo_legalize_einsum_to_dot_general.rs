//! `--stablehlo-legalize-einsum-to-dot-general`: converts index notation to products, sums and
//! transpositions.
//!
//! A letter of both operands and the result is a batching dimension, a letter of only both operands
//! is contracted, a letter of only one operand is first summed over. The product is transposed if
//! the right side has another order.
//!
//! ```mlir
//! %0 = stablehlo.einsum %a, %b, config = "ij,kj->ki"
//!        : (tensor<2x3xf32>, tensor<4x3xf32>) -> tensor<4x2xf32>
//! ```
//!
//! becomes
//!
//! ```mlir
//! %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [1]
//!        : (tensor<2x3xf32>, tensor<4x3xf32>) -> tensor<2x4xf32>
//! %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<2x4xf32>) -> tensor<4x2xf32>
//! ```

use crate::matchers::is_iota;
use halo_ir::{apply_without_folding, prelude::*, stablehlo::attributes::DotDimensionNumbers};

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration::new(
    "stablehlo-legalize-einsum-to-dot-general",
    "Express einsum by dot_general, sums and transpositions",
    |pass| apply_without_folding(pass, &patterns()),
)
.dependent_dialects(&["stablehlo"]);

fn patterns() -> Vec<Pattern<'static>> {
    vec![Pattern::new::<stablehlo::EinsumOp>(einsum)]
}

/// The letters of the two operands and of the result.
#[derive(Debug, PartialEq)]
struct Config {
    lhs: Vec<char>,
    rhs: Vec<char>,
    result: Vec<char>,
}

fn parse(text: &str) -> Result<Config, String> {
    let letters = |part: &str| -> Result<Vec<char>, String> {
        let letters: Vec<char> = part.chars().filter(|c| !c.is_whitespace()).collect();
        for (index, letter) in letters.iter().enumerate() {
            if !letter.is_alphabetic() {
                return Err(format!(
                    "einsum config '{text}' has '{letter}', where only letters are supported"
                ));
            }
            if letters[..index].contains(letter) {
                return Err(format!(
                    "einsum config '{text}' names '{letter}' twice in one place, which is not \
                     supported"
                ));
            }
        }
        Ok(letters)
    };
    let parts = text
        .split_once("->")
        .and_then(|(operands, result)| Some((operands.split_once(',')?, result)));
    let Some(((lhs, rhs), result)) = parts else {
        return Err(format!(
            "einsum config '{text}' is not of the form 'ab,bc->ac'"
        ));
    };
    let config = Config {
        lhs: letters(lhs)?,
        rhs: letters(rhs)?,
        result: letters(result)?,
    };
    match config
        .result
        .iter()
        .find(|letter| !config.lhs.contains(letter) && !config.rhs.contains(letter))
    {
        Some(letter) => Err(format!(
            "einsum config '{text}' has '{letter}' in its result alone"
        )),
        None => Ok(config),
    }
}

fn einsum<'c>(b: &Builder<'c>, op: stablehlo::EinsumOp<'c>) -> RewriteResult {
    let (lhs, rhs) = (op.lhs(), op.rhs());
    let Config {
        lhs: lhs_letters,
        rhs: rhs_letters,
        result: letters,
    } = parse(op.einsum_config()).map_err(RewriteError::Invalid)?;
    let (lhs, lhs_letters) = sum_alone(b, lhs, lhs_letters, &rhs_letters, &letters)?;
    let (rhs, rhs_letters) = sum_alone(b, rhs, rhs_letters, &lhs_letters, &letters)?;
    let position = |letters: &[char], letter: &char| -> RewriteResult<i64> {
        let index = letters.iter().position(|other| other == letter);
        index
            .map(|index| index as i64)
            .ok_or_else(|| no_match("an index of the equation is not there"))
    };
    let mut numbers = DotDimensionNumbers::default();
    let mut produced = Vec::new();
    for letter in &lhs_letters {
        if !rhs_letters.contains(letter) {
            continue;
        }
        let (left, right) = (
            position(&lhs_letters, letter)?,
            position(&rhs_letters, letter)?,
        );
        if letters.contains(letter) {
            numbers.lhs_batching_dimensions.push(left);
            numbers.rhs_batching_dimensions.push(right);
            produced.push(*letter);
        } else {
            numbers.lhs_contracting_dimensions.push(left);
            numbers.rhs_contracting_dimensions.push(right);
        }
    }
    produced.extend(lhs_letters.iter().filter(|letter| !rhs_letters.contains(letter)));
    produced.extend(rhs_letters.iter().filter(|letter| !lhs_letters.contains(letter)));

    let result = op.result().ty();
    let sizes = result.static_shape().ok_or_else(unknown_shape)?;
    let size_of = |letter: &char| -> RewriteResult<i64> {
        let index = position(&letters, letter)? as usize;
        sizes
            .get(index)
            .copied()
            .ok_or_else(|| no_match("an index of the equation is not there"))
    };
    let shape = produced.iter().map(size_of).collect::<Result<Vec<_>, _>>()?;
    let product = tensor_type(&shape, result.element_type());
    let product = stablehlo::DotGeneralOp::build(b, lhs, rhs, &numbers, product)
        .discardable_attributes_of(op.operation())
        .value();
    let permutation = letters
        .iter()
        .map(|letter| position(&produced, letter))
        .collect::<Result<Vec<_>, _>>()?;
    let value = if is_iota(&permutation) {
        product
    } else {
        stablehlo::TransposeOp::build(b, product, &permutation)
            .result_types(&[result])
            .value()
    };
    b.replace(op.operation(), &[value]);
    Ok(())
}

fn unknown_shape() -> RewriteError {
    RewriteError::Invalid("einsum is supported on static shapes only".into())
}

/// Sums over the dimensions of one operand whose letters occur nowhere else.
fn sum_alone<'c>(
    b: &Builder<'c>,
    operand: Value<'c>,
    letters: Vec<char>,
    other: &[char],
    result: &[char],
) -> RewriteResult<(Value<'c>, Vec<char>)> {
    let shape = operand.ty().static_shape().ok_or_else(unknown_shape)?;
    if shape.len() != letters.len() {
        return Err(RewriteError::Invalid(format!(
            "einsum config has {} letters for an operand of rank {}",
            letters.len(),
            shape.len()
        )));
    }
    let (alone, kept): (Vec<usize>, Vec<usize>) = (0..letters.len())
        .partition(|index| !other.contains(&letters[*index]) && !result.contains(&letters[*index]));
    if alone.is_empty() {
        return Ok((operand, letters));
    }
    let dimensions: Vec<i64> = alone.iter().map(|index| *index as i64).collect();
    let sum = stablehlo::sum(b, operand, &dimensions)?;
    Ok((sum, kept.iter().map(|index| letters[*index]).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_are_read() {
        let config = parse("ab, bc->ac").unwrap();
        assert_eq!(config.lhs, ['a', 'b']);
        assert_eq!(config.rhs, ['b', 'c']);
        assert_eq!(config.result, ['a', 'c']);
        assert_eq!(parse(",ab->a").unwrap().lhs, []);
    }

    #[test]
    fn what_is_not_supported_is_named() {
        assert!(parse("ab->a").unwrap_err().contains("form"));
        assert!(parse("aa,b->b").unwrap_err().contains("twice"));
        assert!(parse("a...,b->b").unwrap_err().contains("letters"));
        assert!(parse("a,b->c").unwrap_err().contains("alone"));
    }
}
