//! The calls that `--halo-observe-ops` inserts: the results of ops, with their operands.
//! `--check-numerics` and `--compare` read them.

use std::sync::Arc;

use halo_backend::{CompileOptions, Compiler, EditAction, PipelineEdit};
use halo_core::{ElementType, Literal, Shape, literal::scalar_at};
use halo_runtime::custom_call::{Attribute, CustomCall, View};
use halo_runtime::{CustomCallSite, Error, Result};

/// The name of the call.
const OBSERVE: &str = "halo.observe";

/// The phase before which ops are observed.
const HLO: &str = "hlo";

/// Compiles programs whose ops are passed to a function.
pub struct Observation<'a> {
    /// The option that observes, for errors.
    pub option: &'a str,
    /// The options of `--halo-observe-ops`.
    pub ops: String,
}

impl Observation<'_> {
    /// The options to compile with.
    ///
    /// # Errors
    /// Returns an invalid-input error if the backend has no passes.
    pub fn instrument(
        &self,
        compiler: &dyn Compiler,
        options: &CompileOptions,
        observe: impl Fn(&mut CustomCall<'_>) -> Result<(), String> + Send + Sync + 'static,
    ) -> Result<CompileOptions> {
        let Self { option, ops } = self;
        if !compiler.description().has_passes || compiler.phase(HLO).is_err() {
            return Err(Error::invalid(format!(
                "{option}: the backend has no phase '{HLO}' of passes, which makes ops visible"
            )));
        }
        // Calls become code at the place of the call.
        let passes =
            format!("stablehlo-legalize-composite-to-call,inline,halo-observe-ops{{{ops}}}");
        let mut options = instrumented(compiler, options, (EditAction::InsertBefore, HLO, passes))?;
        let mut calls = (*options.custom_calls).clone();
        calls.register(OBSERVE, observe);
        options.custom_calls = Arc::new(calls);
        Ok(options)
    }
}

/// The options with more passes.
///
/// # Errors
/// Returns the errors of [`Compiler::check_pipeline`].
pub fn instrumented(
    compiler: &dyn Compiler,
    options: &CompileOptions,
    (action, place, passes): (EditAction, &str, String),
) -> Result<CompileOptions> {
    let mut options = options.clone();
    options.pipeline_edits.push(PipelineEdit {
        action,
        place: place.to_owned(),
        passes,
    });
    compiler.check_pipeline(&options)?;
    Ok(options)
}

/// The texts in a list.
pub fn texts(site: &CustomCallSite, name: &str) -> Vec<String> {
    let list = match site.attributes.0.get(name) {
        Some(Attribute::List(list)) => &list[..],
        _ => &[],
    };
    let texts = list.iter().filter_map(|text| match text {
        Attribute::Text(text) => Some(text.clone()),
        _ => None,
    });
    texts.collect()
}

/// The values of a tensor, in row-major order.
#[derive(Clone, Copy)]
pub struct Elements<'a> {
    pub shape: &'a Shape,
    pub bytes: &'a [u8],
}

impl<'a> From<&View<'a>> for Elements<'a> {
    fn from(view: &View<'a>) -> Self {
        Self {
            shape: view.shape,
            bytes: view.bytes,
        }
    }
}

impl<'a> From<&'a Literal> for Elements<'a> {
    fn from(literal: &'a Literal) -> Self {
        Self {
            shape: literal.shape(),
            bytes: literal.bytes(),
        }
    }
}

impl Elements<'_> {
    pub fn dims(&self) -> &[usize] {
        self.shape.dims()
    }

    pub fn count(&self) -> usize {
        self.shape.element_count()
    }

    pub fn ty(&self) -> ElementType {
        self.shape.element_type()
    }

    /// The number of floats in an element.
    pub fn parts(&self) -> usize {
        if self.ty() == self.ty().real_part() {
            1
        } else {
            2
        }
    }

    /// The position of the element that belongs to one of another tensor.
    pub fn position(&self, position: usize) -> usize {
        if self.count() == 1 { 0 } else { position }
    }

    pub fn number(&self, position: usize) -> f64 {
        scalar_at(self.ty(), self.bytes, position).to_f64()
    }

    pub fn text(&self, position: usize) -> String {
        let ty = self.ty();
        if self.parts() == 2 {
            let part = |part| text(scalar_at(ty.real_part(), self.bytes, part).to_f64(), ty);
            return format!("({}, {})", part(2 * position), part(2 * position + 1));
        }
        match ty.float_format() {
            Some(_) => text(self.number(position), ty),
            None => scalar_at(ty, self.bytes, position).to_i128().to_string(),
        }
    }

    /// The smallest and the largest of some elements.
    pub fn range(&self, positions: &[usize]) -> String {
        if self.parts() == 2 || positions.is_empty() {
            return "elements".to_owned();
        }
        let by_value =
            |one: &&usize, other: &&usize| self.number(**one).total_cmp(&self.number(**other));
        let least = positions.iter().min_by(by_value).map_or(0, |position| *position);
        let most = positions.iter().max_by(by_value).map_or(0, |position| *position);
        format!("elements from {} to {}", self.text(least), self.text(most))
    }
}

/// A float as text.
fn text(value: f64, ty: ElementType) -> String {
    if value.is_nan() {
        return "NaN".to_owned();
    }
    let is_double = ty.real_part() == ElementType::F64;
    let magnitude = value.abs();
    let is_plain = magnitude == 0.0 || (1e-4..1e7).contains(&magnitude) || value.is_infinite();
    match (is_plain, is_double) {
        (true, true) => format!("{value}"),
        (true, false) => format!("{}", value as f32),
        (false, true) => format!("{value:e}"),
        (false, false) => format!("{:e}", value as f32),
    }
}

/// The elements of operands that an element of the result depends on.
pub enum Relation {
    /// The same element.
    Elementwise,
    /// The first half of the operands, along some dimensions, and one initial value each.
    Reduce { dimensions: Vec<usize> },
    Dot {
        batch: [Vec<usize>; 2],
        contracted: [Vec<usize>; 2],
    },
    /// All elements.
    All,
}

/// A result and its operands.
pub struct Observed<'a> {
    pub op: &'a str,
    pub result: Elements<'a>,
    pub operands: Vec<Elements<'a>>,
    pub relation: Relation,
    /// Predicates, and their values for which an element of the result is used; if there are none,
    /// all elements are.
    pub choices: Vec<(Elements<'a>, bool)>,
}

impl<'a> Observed<'a> {
    /// The values of a call.
    ///
    /// # Errors
    /// Returns an error if an attribute of the call is missing.
    pub fn of(
        site: &'a CustomCallSite,
        mut values: impl Iterator<Item = Elements<'a>>,
    ) -> Result<Self, String> {
        let attributes = &site.attributes;
        let result = values.next().ok_or("there is no result")?;
        let mut operands: Vec<Elements> = values.collect();
        let chosen = attributes.integers("choices").unwrap_or_default();
        let predicates = operands.split_off(operands.len().saturating_sub(chosen.len()));
        let chosen = chosen.into_iter().map(|chosen| chosen != 0);
        let dims = |name: &str| -> Result<Vec<usize>, String> {
            let dims = attributes.integers(name)?;
            Ok(dims.into_iter().map(|dim| dim as usize).collect())
        };
        let relation = match attributes.text("relation")? {
            "elementwise" => Relation::Elementwise,
            "reduce" => Relation::Reduce {
                dimensions: dims("dimensions")?,
            },
            "dot" => Relation::Dot {
                batch: [dims("lhs_batch")?, dims("rhs_batch")?],
                contracted: [dims("lhs_contracted")?, dims("rhs_contracted")?],
            },
            _ => Relation::All,
        };
        Ok(Self {
            op: attributes.text("op")?,
            result,
            operands,
            relation,
            choices: predicates.into_iter().zip(chosen).collect(),
        })
    }

    /// The elements of an operand that an element of the result depends on; none if it depends on
    /// all of them.
    pub fn positions(&self, operand: usize, position: usize) -> Vec<usize> {
        let Some(elements) = self.operands.get(operand) else {
            return Vec::new();
        };
        match &self.relation {
            Relation::All => Vec::new(),
            Relation::Elementwise => vec![elements.position(position)],
            Relation::Reduce { .. } if 2 * operand >= self.operands.len() => vec![0],
            Relation::Reduce { dimensions } => {
                let index = index_of(self.result.dims(), position);
                let mut kept = index.into_iter();
                let fixed = (0..elements.dims().len()).map(|dim| {
                    if dimensions.contains(&dim) {
                        None
                    } else {
                        kept.next()
                    }
                });
                slice(elements.dims(), &fixed.collect::<Vec<_>>())
            }
            Relation::Dot { batch, contracted } if operand < 2 => {
                let index = index_of(self.result.dims(), position);
                let (batches, free) = index.split_at(batch[0].len().min(index.len()));
                let is_free = |dim: usize| {
                    !batch[operand].contains(&dim) && !contracted[operand].contains(&dim)
                };
                let rank = elements.dims().len();
                let lhs_free = self.operands[0].dims().len() - batch[0].len() - contracted[0].len();
                let own = if operand == 0 {
                    &free[..lhs_free]
                } else {
                    &free[lhs_free..]
                };
                let mut own = own.iter().copied();
                let fixed = (0..rank).map(|dim| {
                    let of_batch = batch[operand].iter().position(|batched| *batched == dim);
                    match of_batch {
                        Some(number) => batches.get(number).copied(),
                        None if is_free(dim) => own.next(),
                        None => None,
                    }
                });
                slice(elements.dims(), &fixed.collect::<Vec<_>>())
            }
            Relation::Dot { .. } => Vec::new(),
        }
    }
}

/// The index of an element in row-major order.
pub fn index_of(dims: &[usize], mut position: usize) -> Vec<usize> {
    let mut index = vec![0; dims.len()];
    for (dim, size) in dims.iter().enumerate().rev() {
        index[dim] = position % size.max(&1);
        position /= size.max(&1);
    }
    index
}

/// The positions of the elements with some indices.
fn slice(dims: &[usize], fixed: &[Option<usize>]) -> Vec<usize> {
    let mut positions = vec![0];
    for (size, index) in dims.iter().zip(fixed) {
        let range = match index {
            Some(index) => *index..index + 1,
            None => 0..*size,
        };
        let before = std::mem::take(&mut positions);
        for position in before {
            positions.extend(range.clone().map(|index| position * size + index));
        }
    }
    positions
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slices_are_in_row_major_order() {
        assert_eq!(slice(&[2, 3], &[Some(1), None]), [3, 4, 5]);
        assert_eq!(slice(&[2, 3], &[None, Some(2)]), [2, 5]);
        assert_eq!(slice(&[], &[]), [0]);
        assert_eq!(index_of(&[2, 3], 5), [1, 2]);
    }

    #[test]
    fn floats_are_short() {
        let texts = [
            0.1_f32,
            -3.5,
            3e38,
            f32::NEG_INFINITY,
            f32::NAN,
            -0.0,
            65504.0,
        ];
        let texts = texts.map(|value| text(value.into(), ElementType::F32));
        assert_eq!(texts, ["0.1", "-3.5", "3e38", "-inf", "NaN", "-0", "65504"]);
    }
}
