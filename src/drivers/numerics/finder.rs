//! The handler of the calls that `--halo-observe-ops` inserts: tests results against operands.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use halo_core::{Diagnostic, ElementType, Position, literal::scalar_at};
use halo_runtime::CustomCallSite;

use super::Kinds;
use crate::observation::{Elements, Observed, Relation, index_of, texts};
use halo_runtime::custom_call::CustomCall;

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
                let tested = Observed::of(call.site, call.operands.iter().map(Elements::from))?;
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

impl Elements<'_> {
    /// Class and value of a float, from its bits.
    fn class_of_part(&self, part: usize) -> Class {
        let ty = self.ty().real_part();
        let (width, mantissa) = match ty {
            ElementType::BF16 => (2, 7),
            ElementType::F16 => (2, 10),
            ElementType::F32 => (4, 23),
            ElementType::F64 => (8, 52),
            _ if ty.float_format().is_some() => {
                let value = scalar_at(ty, self.bytes, part).to_f64();
                return Class {
                    nan: value.is_nan(),
                    infinite: value.is_infinite(),
                    subnormal: false,
                };
            }
            _ => return Class::default(),
        };
        let mut bytes = [0; 8];
        let own = self.bytes.get(part * width..(part + 1) * width);
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
}

impl Observed<'_> {
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
