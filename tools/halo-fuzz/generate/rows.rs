//! Reductions of rows and columns together with ops on the same elements, which fusion passes
//! group, with values that several ops read.
//!
//! Elements are small integers, so that sums are exact in any order, and a value may be an operand
//! of every op.

use super::{Precision, Value, Writer, array, list, pairs, type_of};

/// The largest number whose sums stay exact in f32.
const LARGEST: i64 = 1 << 20;

/// A value with the maximum magnitude of its elements.
#[derive(Clone)]
struct Bounded {
    value: Value,
    bound: i64,
}

/// A reduction of a value of the family, over some of its dimensions.
#[derive(Clone)]
struct Reduced {
    of: Bounded,
    /// The remaining dimensions.
    kept: Vec<i64>,
}

/// The existing values.
struct Family {
    element: &'static str,
    dims: Vec<i64>,
    full: Vec<Bounded>,
    reduced: Vec<Reduced>,
}

impl Writer<'_> {
    /// A family of ops on arrays of one shape and their reductions.
    pub(super) fn rows(&mut self) {
        let rank = 2 + usize::from(self.pick.once_in(3));
        let dims = (0..rank).map(|_| match self.pick.below(4) {
            0 => self.pick.between(33, 70),
            1 => self.pick.between(8, 20),
            _ => self.pick.between(1, 5),
        });
        let dims: Vec<i64> = dims.collect();
        let element = *self.pick.one(&["f32", "f32", "f32", "f64", "i32"]);
        let mut family = Family {
            element,
            dims,
            full: Vec::new(),
            reduced: Vec::new(),
        };
        for _ in 0..=self.pick.below(2) {
            let numbers = self.small_numbers(&family);
            family.full.push(numbers);
        }
        for _ in 0..self.pick.between(6, 18) {
            match self.pick.below(12) {
                0..3 => self.combine_rows(&mut family),
                3 => self.choose_rows(&mut family),
                4..7 => self.reduce_rows(&mut family),
                7..9 => self.broadcast_reduced(&mut family),
                9 => self.change_reduced(&mut family),
                10 => self.move_rows(&mut family),
                _ => self.window_of_rows(&mut family),
            }
        }
    }

    /// Integers from -4 to 4 that no pass can fold.
    fn small_numbers(&mut self, family: &Family) -> Bounded {
        let integers = ("i32", family.dims.clone());
        let axis = self.pick.below(family.dims.len());
        let attributes = format!("iota_dimension = {axis} : i64");
        let exact = Precision::Exact;
        let mut sum = self.emit("iota", &[], &attributes, "", integers.clone(), exact);
        for axis in 0..family.dims.len() {
            let attributes = format!("iota_dimension = {axis} : i64");
            let numbers = self.emit("iota", &[], &attributes, "", integers.clone(), exact);
            let factor = self.pick.between(1, 20);
            let factor = self.splat(&factor.to_string(), "i32", &family.dims);
            let operands = [&numbers, &factor];
            let scaled = self.emit("multiply", &operands, "", "", integers.clone(), exact);
            sum = self.emit("add", &[&sum, &scaled], "", "", integers.clone(), exact);
        }
        let modulus = self.splat("9", "i32", &family.dims);
        let operands = [&sum, &modulus];
        let rest = self.emit("remainder", &operands, "", "", integers.clone(), exact);
        let four = self.splat("4", "i32", &family.dims);
        let centred = self.emit("subtract", &[&rest, &four], "", "", integers, exact);
        let result = (family.element, family.dims.clone());
        let value = self.emit("convert", &[&centred], "", "", result.clone(), exact);
        let value = self.emit("optimization_barrier", &[&value], "", "", result, exact);
        Bounded { value, bound: 4 }
    }

    fn splat(&mut self, number: &str, element: &'static str, dims: &[i64]) -> Value {
        self.constant_text(number, element, dims.to_vec())
    }

    fn number(&mut self, family: &Family, number: i64, dims: &[i64]) -> Value {
        let text = match family.element {
            "i32" => number.to_string(),
            _ => format!("{number}.0"),
        };
        self.splat(&text, family.element, dims)
    }

    /// An op on two values of the same type; `None` if the numbers would become too large.
    fn arithmetic(&mut self, left: &Bounded, right: &Bounded) -> Option<Bounded> {
        let names = ["add", "subtract", "multiply", "maximum", "minimum"];
        let name = *self.pick.one(&names);
        let bound = match name {
            "add" | "subtract" => left.bound + right.bound,
            "multiply" => left.bound * right.bound,
            _ => left.bound.max(right.bound),
        };
        if bound > LARGEST {
            return None;
        }
        let result = (left.value.element, left.value.dims.clone());
        let operands = [&left.value, &right.value];
        let value = self.emit(name, &operands, "", "", result, Precision::Equal);
        Some(Bounded { value, bound })
    }

    fn combine_rows(&mut self, family: &mut Family) {
        let left = self.pick.one(&family.full).clone();
        let right = self.pick.one(&family.full).clone();
        family.full.extend(self.arithmetic(&left, &right));
    }

    fn choose_rows(&mut self, family: &mut Family) {
        let values = [(); 4].map(|()| self.pick.one(&family.full).clone());
        let [one, other, left, right] = &values;
        let attributes = "comparison_direction = #stablehlo<comparison_direction LT>";
        let condition = ("i1", family.dims.clone());
        let operands = [&one.value, &other.value];
        let exact = Precision::Exact;
        let condition = self.emit("compare", &operands, attributes, "", condition, exact);
        let result = (family.element, family.dims.clone());
        let operands = [&condition, &left.value, &right.value];
        let value = self.emit("select", &operands, "", "", result, Precision::Equal);
        let bound = left.bound.max(right.bound);
        family.full.push(Bounded { value, bound });
    }

    fn reduce_rows(&mut self, family: &mut Family) {
        let value = self.pick.one(&family.full).clone();
        let rank = family.dims.len() as i64;
        let mut over: Vec<i64> = (0..rank).filter(|_| self.pick.once_in(3)).collect();
        if over.is_empty() {
            over.push(if self.pick.once_in(3) { 0 } else { rank - 1 });
        }
        let count: i64 = over.iter().map(|dim| family.dims[*dim as usize]).product();
        let (name, bound, initial) = match self.pick.below(4) {
            0 => ("maximum", value.bound, -value.bound),
            1 => ("minimum", value.bound, value.bound),
            _ if value.bound * count > LARGEST => return,
            _ => ("add", value.bound * count, 0),
        };
        let scalar = type_of(family.element, &[]);
        let body = format!(
            "  ^bb0(%a: {scalar}, %b: {scalar}):\n    %c = stablehlo.{name} %a, %b : {scalar}\n    \
             stablehlo.return %c : {scalar}"
        );
        let kept: Vec<i64> = (0..rank).filter(|dim| !over.contains(dim)).collect();
        let dims = kept.iter().map(|dim| family.dims[*dim as usize]).collect();
        let initial = self.number(family, initial, &[]);
        let attributes = format!("dimensions = {}", array(&over));
        let operands = [&value.value, &initial];
        let result = (family.element, dims);
        let value = self.emit(
            "reduce",
            &operands,
            &attributes,
            &body,
            result,
            Precision::Equal,
        );
        family.reduced.push(Reduced {
            of: Bounded { value, bound },
            kept,
        });
    }

    /// A reduced value that is broadcast again, mostly combined with others.
    fn broadcast_reduced(&mut self, family: &mut Family) {
        if family.reduced.is_empty() {
            return self.reduce_rows(family);
        }
        let reduced = self.pick.one(&family.reduced).clone();
        let attributes = format!("broadcast_dimensions = {}", array(&reduced.kept));
        let result = (family.element, family.dims.clone());
        let value = self.emit(
            "broadcast_in_dim",
            &[&reduced.of.value],
            &attributes,
            "",
            result,
            Precision::Equal,
        );
        let wide = Bounded {
            value,
            bound: reduced.of.bound,
        };
        let other = self.pick.one(&family.full).clone();
        let combined = self.arithmetic(&other, &wide);
        family.full.push(combined.unwrap_or(wide));
    }

    /// An op on reduced values, such as the mean from the sum.
    fn change_reduced(&mut self, family: &mut Family) {
        if family.reduced.is_empty() {
            return self.reduce_rows(family);
        }
        let one = self.pick.one(&family.reduced).clone();
        let same: Vec<&Reduced> =
            family.reduced.iter().filter(|other| other.kept == one.kept).collect();
        let other = (*self.pick.one(&same)).clone();
        if let Some(of) = self.arithmetic(&one.of, &other.of) {
            let kept = one.kept;
            family.reduced.push(Reduced { of, kept });
        }
    }

    /// The same elements at other positions, or zeros for some.
    fn move_rows(&mut self, family: &mut Family) {
        let source = self.pick.one(&family.full).clone();
        let rank = family.dims.len();
        let axis = self.pick.below(rank);
        let result = (family.element, family.dims.clone());
        let equal = Precision::Equal;
        let value = match self.pick.below(3) {
            0 => {
                let attributes = format!("dimensions = {}", array(&[axis as i64]));
                let operands = [&source.value];
                self.emit("reverse", &operands, &attributes, "", result, equal)
            }
            1 => {
                // Shift by one position along the axis.
                let along = |number: i64| -> Vec<i64> {
                    let mut all = vec![0; rank];
                    all[axis] = number;
                    all
                };
                let zero = self.number(family, 0, &[]);
                let (low, high) = (along(1), along(-1));
                let attributes = format!(
                    "edge_padding_low = {}, edge_padding_high = {}, interior_padding = {}",
                    array(&low),
                    array(&high),
                    array(&along(0))
                );
                let operands = [&source.value, &zero];
                self.emit("pad", &operands, &attributes, "", result, equal)
            }
            _ => {
                // Swap both parts of the axis.
                let at = self.pick.between(0, family.dims[axis]);
                let mut parts = Vec::new();
                for (from, to) in [(at, family.dims[axis]), (0, at)] {
                    let (mut start, mut limit) = (vec![0; rank], family.dims.clone());
                    (start[axis], limit[axis]) = (from, to);
                    let mut dims = family.dims.clone();
                    dims[axis] = to - from;
                    let attributes = format!(
                        "start_indices = {}, limit_indices = {}, strides = {}",
                        array(&start),
                        array(&limit),
                        array(&vec![1; rank])
                    );
                    let part = (family.element, dims);
                    let operands = [&source.value];
                    parts.push(self.emit("slice", &operands, &attributes, "", part, equal));
                }
                let attributes = format!("dimension = {axis} : i64");
                let operands = [&parts[0], &parts[1]];
                self.emit("concatenate", &operands, &attributes, "", result, equal)
            }
        };
        let bound = source.bound;
        family.full.push(Bounded { value, bound });
    }

    /// A window of three elements along an axis, with padding.
    fn window_of_rows(&mut self, family: &mut Family) {
        let source = self.pick.one(&family.full).clone();
        let rank = family.dims.len();
        let (name, bound, initial) = match self.pick.below(2) {
            0 => ("maximum", source.bound, -source.bound),
            _ if source.bound * 3 > LARGEST => return,
            _ => ("add", source.bound * 3, 0),
        };
        let axis = self.pick.below(rank);
        let (mut sizes, mut padding) = (vec![1; rank], vec![(0, 0); rank]);
        (sizes[axis], padding[axis]) = (3, (1, 1));
        let scalar = type_of(family.element, &[]);
        let body = format!(
            "  ^bb0(%a: {scalar}, %b: {scalar}):\n    %c = stablehlo.{name} %a, %b : {scalar}\n    \
             stablehlo.return %c : {scalar}"
        );
        let attributes = format!(
            "window_dimensions = array<i64: {}>, padding = {}",
            list(&sizes),
            pairs(&padding)
        );
        let initial = self.number(family, initial, &[]);
        let operands = [&source.value, &initial];
        let result = (family.element, family.dims.clone());
        let value = self.emit(
            "reduce_window",
            &operands,
            &attributes,
            &body,
            result,
            Precision::Equal,
        );
        family.full.push(Bounded { value, bound });
    }
}
