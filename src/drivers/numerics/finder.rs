//! The handler of the calls that `--halo-observe-ops` inserts: tests results against operands.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use halo_core::{Diagnostic, ElementType, Position, literal::scalar_at};
use halo_runtime::CustomCallSite;
use halo_runtime::custom_call::{Attribute, CustomCall, View};

use super::Kinds;

/// The name of the call.
pub const OBSERVE: &str = "halo.observe";

/// Finds the first fault of a run.
pub struct Finder {
    kinds: Kinds,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// The iterations of each loop, by its number.
    iterations: BTreeMap<i64, u64>,
    found: Option<Diagnostic>,
}

impl Finder {
    pub fn new(kinds: Kinds) -> Self {
        Self {
            kinds,
            state: Mutex::default(),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins a run.
    pub fn start(&self) {
        *self.state() = State::default();
    }

    /// The fault, if one was found.
    pub fn take(&self) -> Option<Diagnostic> {
        self.state().found.take()
    }

    /// Counts an iteration, or tests a result.
    pub fn observe(&self, call: &mut CustomCall<'_>) -> Result<(), String> {
        let attributes = &call.site.attributes;
        let loops = attributes.integers("loops")?;
        let mut state = self.state();
        match (attributes.text("event")?, loops.last()) {
            ("loop", Some(inner)) => drop(state.iterations.insert(*inner, 0)),
            ("iteration", Some(inner)) => *state.iterations.entry(*inner).or_default() += 1,
            _ => {
                let tested = Tested::of(call)?;
                if let Some(message) = tested.fault(self.kinds) {
                    state.found = Some(diagnostic(call.site, message, &state.iterations)?);
                    return Err("a fault was found".to_owned());
                }
            }
        }
        Ok(())
    }
}

/// The error about an op, with notes about the loops and calls around it.
fn diagnostic(
    site: &CustomCallSite,
    message: String,
    iterations: &BTreeMap<i64, u64>,
) -> Result<Diagnostic, String> {
    let attributes = &site.attributes;
    let loops = attributes.integers("loops")?;
    let lines = texts(site, "lines");
    let mut diagnostic = Diagnostic::new(Position::parse(&site.location), message);
    let in_condition = attributes.integer("condition")? != 0;
    for (depth, (number, line)) in loops.iter().zip(&lines).enumerate().rev() {
        // The condition is evaluated before the iteration is counted.
        let ahead = u64::from(in_condition && depth + 1 == loops.len());
        let iteration = iterations.get(number).copied().unwrap_or_default() + ahead;
        let note = format!("in iteration {iteration} of this stablehlo.while");
        diagnostic = diagnostic.note(Position::parse(line), note);
    }
    let callers = texts(site, "callers");
    Ok(callers.iter().fold(diagnostic, |diagnostic, caller| {
        diagnostic.note(Position::parse(caller), "called here")
    }))
}

/// The texts in a list.
fn texts(site: &CustomCallSite, name: &str) -> Vec<String> {
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

/// Properties of a number, or of one of several numbers.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Class {
    nan: bool,
    infinite: bool,
    subnormal: bool,
}

impl Class {
    fn or(self, other: Self) -> Self {
        Self {
            nan: self.nan || other.nan,
            infinite: self.infinite || other.infinite,
            subnormal: self.subnormal || other.subnormal,
        }
    }
}

/// The values of a tensor.
#[derive(Clone, Copy)]
struct Elements<'a> {
    view: View<'a>,
}

impl Elements<'_> {
    fn dims(&self) -> &[usize] {
        self.view.shape.dims()
    }

    fn count(&self) -> usize {
        self.view.shape.element_count()
    }

    fn ty(&self) -> ElementType {
        self.view.shape.element_type()
    }

    /// The number of floats in an element.
    fn parts(&self) -> usize {
        if self.ty() == self.ty().real_part() {
            1
        } else {
            2
        }
    }

    /// Class and value of a float, from its bits.
    fn class_of_part(&self, part: usize) -> Class {
        let ty = self.ty().real_part();
        let (width, mantissa) = match ty {
            ElementType::BF16 => (2, 7),
            ElementType::F16 => (2, 10),
            ElementType::F32 => (4, 23),
            ElementType::F64 => (8, 52),
            _ if ty.float_format().is_some() => {
                let value = scalar_at(ty, self.view.bytes, part).to_f64();
                return Class {
                    nan: value.is_nan(),
                    infinite: value.is_infinite(),
                    subnormal: false,
                };
            }
            _ => return Class::default(),
        };
        let mut bytes = [0; 8];
        let own = self.view.bytes.get(part * width..(part + 1) * width);
        bytes[..width].copy_from_slice(own.unwrap_or(&[0; 8][..width]));
        let magnitude = u64::from_le_bytes(bytes) & (u64::MAX >> (65 - 8 * width));
        let subnormal = (1 << mantissa) - 1;
        let infinity = (u64::MAX >> (65 - 8 * width)) - subnormal;
        Class {
            nan: magnitude > infinity,
            infinite: magnitude == infinity,
            subnormal: magnitude != 0 && magnitude <= subnormal,
        }
    }

    fn class(&self, position: usize) -> Class {
        let parts = self.parts();
        let of_parts = (0..parts).map(|part| self.class_of_part(parts * position + part));
        of_parts.fold(Class::default(), Class::or)
    }

    /// Returns true if an element is not finite, or subnormal.
    fn has_special(&self) -> bool {
        (0..self.parts() * self.count()).any(|part| self.class_of_part(part) != Class::default())
    }

    /// The position of the element that belongs to one of another tensor.
    fn position(&self, position: usize) -> usize {
        if self.count() == 1 { 0 } else { position }
    }

    fn number(&self, position: usize) -> f64 {
        scalar_at(self.ty(), self.view.bytes, position).to_f64()
    }

    fn text(&self, position: usize) -> String {
        let ty = self.ty();
        if self.parts() == 2 {
            let part = |part| {
                text(
                    scalar_at(ty.real_part(), self.view.bytes, part).to_f64(),
                    ty,
                )
            };
            return format!("({}, {})", part(2 * position), part(2 * position + 1));
        }
        match ty.float_format() {
            Some(_) => text(self.number(position), ty),
            None => scalar_at(ty, self.view.bytes, position).to_i128().to_string(),
        }
    }

    /// The smallest and the largest of some elements.
    fn range(&self, positions: &[usize]) -> String {
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
enum Relation {
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
struct Tested<'a> {
    op: &'a str,
    result: Elements<'a>,
    operands: Vec<Elements<'a>>,
    relation: Relation,
    /// Predicates, and their values for which an element of the result is used; if there are none,
    /// all elements are.
    choices: Vec<(Elements<'a>, bool)>,
}

impl<'a> Tested<'a> {
    fn of(call: &CustomCall<'a>) -> Result<Self, String> {
        let attributes = &call.site.attributes;
        let mut values = call.operands.iter().map(|view| Elements { view: *view });
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

    /// The message about the first element that is a fault.
    fn fault(&self, kinds: Kinds) -> Option<String> {
        if !self.result.has_special() {
            return None;
        }
        let of_all = self
            .operands
            .iter()
            .flat_map(|operand| (0..operand.count()).map(|position| operand.class(position)));
        let of_all = match self.relation {
            Relation::All => of_all.fold(Class::default(), Class::or),
            _ => Class::default(),
        };
        let (mut first, mut count) = (None, 0);
        for position in 0..self.result.count() {
            let class = self.result.class(position);
            if class == Class::default()
                || !self.is_used(position)
                || !self.is_fault(kinds, position, class, of_all)
            {
                continue;
            }
            first = first.or(Some(position));
            count += 1;
            if matches!(self.relation, Relation::Dot { .. }) {
                break;
            }
        }
        Some(self.message(first?, count))
    }

    /// Returns false for an element that no selection chooses.
    fn is_used(&self, position: usize) -> bool {
        let is_chosen = |(predicate, chosen): &(Elements, bool)| {
            (predicate.number(predicate.position(position)) != 0.0) == *chosen
        };
        self.choices.is_empty() || self.choices.iter().any(is_chosen)
    }

    fn is_fault(&self, kinds: Kinds, position: usize, class: Class, of_all: Class) -> bool {
        let excuse = self.operands.iter().enumerate().fold(of_all, |excuse, (number, operand)| {
            let positions = self.positions(number, position);
            positions.into_iter().fold(excuse, |excuse, at| excuse.or(operand.class(at)))
        });
        let infinite = class.infinite && !excuse.infinite && !excuse.nan;
        kinds.nan && class.nan && !excuse.nan
            || kinds.inf && infinite
            || kinds.overflow && infinite && !self.is_pole(position)
            || kinds.subnormal && class.subnormal && !excuse.subnormal
    }

    /// Returns true if the infinite result of finite operands is exact.
    fn is_pole(&self, position: usize) -> bool {
        let is = |operand: usize, value: f64| {
            let operand = self.operands.get(operand);
            operand.is_some_and(|operand| operand.number(operand.position(position)).abs() == value)
        };
        match self.op {
            "stablehlo.divide" => is(1, 0.0),
            "stablehlo.log" | "stablehlo.rsqrt" | "stablehlo.power" => is(0, 0.0),
            "stablehlo.log_plus_one" | "chlo.atanh" => is(0, 1.0),
            "chlo.digamma" | "chlo.lgamma" | "chlo.polygamma" | "chlo.zeta" => true,
            _ => false,
        }
    }

    /// The elements of an operand that an element of the result depends on; none if it depends on
    /// all of them.
    fn positions(&self, operand: usize, position: usize) -> Vec<usize> {
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

    fn message(&self, position: usize, count: usize) -> String {
        let (op, result) = (self.op, self.result.text(position));
        let ranges = |operands: std::ops::Range<usize>| -> Vec<String> {
            operands
                .filter_map(|number| {
                    let operand = self.operands.get(number)?;
                    let all = || (0..operand.count()).collect();
                    let positions = match self.relation {
                        Relation::All => all(),
                        _ => self.positions(number, position),
                    };
                    let range = operand.range(&positions);
                    Some(format!("{} {range}", positions.len()))
                })
                .collect()
        };
        let of = match &self.relation {
            Relation::Elementwise => {
                let texts =
                    self.operands.iter().map(|operand| operand.text(operand.position(position)));
                texts.collect()
            }
            Relation::Reduce { .. } => ranges(0..self.operands.len() / 2),
            Relation::Dot { .. } => ranges(0..2),
            Relation::All => ranges(0..self.operands.len()),
        };
        let of = if of.is_empty() {
            String::new()
        } else {
            format!(" of {}", listed(&of))
        };
        let index: Vec<String> =
            index_of(self.result.dims(), position).iter().map(usize::to_string).collect();
        let place = if index.is_empty() {
            String::new()
        } else {
            format!(" at [{}]", index.join(", "))
        };
        let all = self.result.count();
        let others = match count {
            0 | 1 => String::new(),
            _ => format!(" ({count} of {all} elements)"),
        };
        format!("{op} makes {result}{of}{place}{others}")
    }
}

/// `a, b and c`.
fn listed(texts: &[String]) -> String {
    match texts {
        [rest @ .., last] if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => texts.concat(),
    }
}

/// The index of an element in row-major order.
fn index_of(dims: &[usize], mut position: usize) -> Vec<usize> {
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
