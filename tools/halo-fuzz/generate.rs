//! Valid programs of random ops.
//!
//! A program is one function without arguments: constants, and then ops on the
//! values that are there, each chosen so that its constraints hold. All values
//! that nothing used are returned.

use crate::pick::Pick;

/// A value of the program.
#[derive(Clone, Debug)]
struct Value {
    name: String,
    element: &'static str,
    dims: Vec<i64>,
}

impl Value {
    fn r#type(&self) -> String {
        type_of(self.element, &self.dims)
    }

    fn is_float(&self) -> bool {
        matches!(self.element, "f32" | "f64" | "bf16")
    }

    fn is_integer(&self) -> bool {
        matches!(self.element, "i8" | "i32" | "i64" | "ui8" | "ui32")
    }
}

fn type_of(element: &str, dims: &[i64]) -> String {
    let dims: String = dims.iter().map(|dim| format!("{dim}x")).collect();
    format!("tensor<{dims}{element}>")
}

/// `array<i64: ...>`.
fn array(values: &[i64]) -> String {
    match values {
        [] => "array<i64>".to_owned(),
        _ => format!("array<i64: {}>", list(values)),
    }
}

fn list(values: &[i64]) -> String {
    let texts: Vec<String> = values.iter().map(ToString::to_string).collect();
    texts.join(", ")
}

const ELEMENTS: &[&str] = &[
    "i1",
    "i8",
    "i32",
    "i64",
    "ui8",
    "ui32",
    "f32",
    "f32",
    "f64",
    "bf16",
    "complex<f32>",
];

struct Writer<'p> {
    pick: &'p mut Pick,
    lines: Vec<String>,
    values: Vec<Value>,
    used: Vec<bool>,
}

/// The text of a program.
pub fn program(pick: &mut Pick) -> String {
    let mut writer = Writer {
        pick,
        lines: Vec::new(),
        values: Vec::new(),
        used: Vec::new(),
    };
    for _ in 0..=writer.pick.below(3) {
        writer.constant();
    }
    for _ in 0..=writer.pick.below(14) {
        writer.op();
    }
    writer.finish()
}

impl Writer<'_> {
    fn finish(self) -> String {
        let results: Vec<&Value> = self
            .values
            .iter()
            .zip(&self.used)
            .filter(|(_, used)| !**used)
            .map(|(value, _)| value)
            .collect();
        let types: Vec<String> = results.iter().map(|value| value.r#type()).collect();
        let names: Vec<&str> = results.iter().map(|value| value.name.as_str()).collect();
        format!(
            "func.func @main() -> ({types}) {{\n{body}\n  return {names} : {types}\n}}\n",
            types = types.join(", "),
            body = self.lines.join("\n"),
            names = names.join(", "),
        )
    }

    /// Adds a value that a line defines: the text has `{}` where its name is.
    fn define(&mut self, line: &str, element: &'static str, dims: Vec<i64>) -> Value {
        let value = Value {
            name: format!("%{}", self.values.len()),
            element,
            dims,
        };
        self.lines
            .push(format!("  {} = {line} : {}", value.name, value.r#type()));
        self.values.push(value.clone());
        self.used.push(false);
        value
    }

    /// An op in generic form.
    fn emit(
        &mut self,
        name: &str,
        operands: &[&Value],
        attributes: &str,
        region: &str,
        element: &'static str,
        dims: Vec<i64>,
    ) -> Value {
        for operand in operands {
            if let Some(number) = operand.name[1..]
                .parse::<usize>()
                .ok()
                .filter(|n| *n < self.used.len())
            {
                self.used[number] = true;
            }
        }
        let names: Vec<&str> = operands.iter().map(|value| value.name.as_str()).collect();
        let types: Vec<String> = operands.iter().map(|value| value.r#type()).collect();
        let region = match region {
            "" => String::new(),
            region => format!("({{\n{region}\n  }}) "),
        };
        let line = format!(
            "\"stablehlo.{name}\"({}) {region}{{{attributes}}} : ({}) ->",
            names.join(", "),
            types.join(", ")
        );
        let value = Value {
            name: format!("%{}", self.values.len()),
            element,
            dims,
        };
        self.lines
            .push(format!("  {} = {line} {}", value.name, value.r#type()));
        self.values.push(value.clone());
        self.used.push(false);
        value
    }

    fn dims(&mut self) -> Vec<i64> {
        let rank = self.pick.below(4);
        (0..rank)
            .map(|_| match self.pick.below(12) {
                0 => 0,
                1..4 => 1,
                _ => self.pick.between(2, 4),
            })
            .collect()
    }

    fn constant(&mut self) -> Value {
        let element = *self.pick.one(ELEMENTS);
        let dims = self.dims();
        self.constant_of(element, dims)
    }

    fn constant_of(&mut self, element: &'static str, dims: Vec<i64>) -> Value {
        let text = self.elements(element, &dims);
        self.define(&format!("stablehlo.constant dense<{text}>"), element, dims)
    }

    fn elements(&mut self, element: &str, dims: &[i64]) -> String {
        if dims.contains(&0) {
            return String::new();
        }
        match dims {
            [] => self.scalar(element),
            [size, inner @ ..] => {
                let parts: Vec<String> =
                    (0..*size).map(|_| self.elements(element, inner)).collect();
                format!("[{}]", parts.join(", "))
            }
        }
    }

    fn scalar(&mut self, element: &str) -> String {
        let special = self.pick.once_in(12);
        let number = self.pick.between(-9, 9);
        match element {
            "i1" => (number > 0).to_string(),
            "i8" if special => self.pick.one(&["127", "-128"]).to_string(),
            "i32" if special => self.pick.one(&["2147483647", "-2147483648"]).to_string(),
            "i64" if special => "-9223372036854775808".to_owned(),
            "ui8" | "ui32" => number.unsigned_abs().to_string(),
            "f32" if special => self
                .pick
                .one(&["0x7F800000", "0x7FC00000", "-0.0"])
                .to_string(),
            "f64" if special => "0xFFF0000000000000".to_owned(),
            "f32" | "f64" | "bf16" => format!("{:.2}", number as f64 / 4.0),
            "complex<f32>" => format!("({:.1}, 0.5)", number as f64 / 2.0),
            _ => number.to_string(),
        }
    }

    fn any(&mut self) -> Value {
        let number = self.pick.below(self.values.len());
        self.values[number].clone()
    }

    /// A value for which the predicate holds, or a new one.
    fn any_with(&mut self, element: &'static str, holds: impl Fn(&Value) -> bool) -> Value {
        let fitting: Vec<Value> = self
            .values
            .iter()
            .filter(|value| holds(value))
            .cloned()
            .collect();
        match fitting.is_empty() || self.pick.once_in(6) {
            true => {
                let mut dims = self.dims();
                if dims.is_empty() {
                    dims.push(self.pick.between(1, 4));
                }
                let value = self.constant_of(element, dims);
                match holds(&value) {
                    true => value,
                    false => self.constant_of(element, vec![2, 3]),
                }
            }
            false => self.pick.one(&fitting).clone(),
        }
    }

    /// A value of the same type as another one.
    fn like(&mut self, value: &Value) -> Value {
        let same: Vec<Value> = self
            .values
            .iter()
            .filter(|other| other.r#type() == value.r#type())
            .cloned()
            .collect();
        match self.pick.once_in(2) {
            true => self.pick.one(&same).clone(),
            false => self.constant_of(value.element, value.dims.clone()),
        }
    }

    fn ranked(&mut self) -> Value {
        self.any_with("f32", |value| !value.dims.is_empty())
    }

    fn op(&mut self) {
        match self.pick.below(22) {
            0..3 => self.unary(),
            3..6 => self.binary(),
            6 => self.compare_and_select(),
            7 => self.convert(),
            8 => self.broadcast(),
            9 => self.reshape(),
            10 => self.transpose(),
            11 => self.reverse(),
            12 => self.slice(),
            13 => self.pad(),
            14 => self.concatenate(),
            15 => self.dynamic_slice(),
            16 => self.reduce(),
            17 => self.dot(),
            18 => self.iota(),
            19 => self.sort(),
            20 => self.gather(),
            _ => self.conditional(),
        }
    }

    fn unary(&mut self) {
        let value = self.any();
        let names: &[&str] = match value.element {
            "i1" => &["not"],
            "ui8" | "ui32" => &["not", "popcnt", "count_leading_zeros"],
            "complex<f32>" => &["negate"],
            _ if value.is_integer() => &["abs", "negate", "not", "sign", "popcnt"],
            _ => &[
                "abs",
                "negate",
                "sign",
                "floor",
                "ceil",
                "tanh",
                "logistic",
                "cosine",
                "round_nearest_even",
                "round_nearest_afz",
                "is_finite",
            ],
        };
        let name = *self.pick.one(names);
        let element = if name == "is_finite" {
            "i1"
        } else {
            value.element
        };
        self.emit(name, &[&value], "", "", element, value.dims.clone());
    }

    fn binary(&mut self) {
        let left = self.any();
        let right = self.like(&left);
        let names: &[&str] = match left.element {
            "i1" => &["and", "or", "xor"],
            "complex<f32>" => &["add", "subtract", "multiply"],
            _ if left.is_integer() => &[
                "add",
                "subtract",
                "multiply",
                "divide",
                "remainder",
                "maximum",
                "minimum",
                "and",
                "or",
                "xor",
                "shift_left",
                "shift_right_logical",
                "shift_right_arithmetic",
                "power",
            ],
            _ => &["add", "subtract", "multiply", "maximum", "minimum"],
        };
        let name = *self.pick.one(names);
        self.emit(
            name,
            &[&left, &right],
            "",
            "",
            left.element,
            left.dims.clone(),
        );
    }

    fn compare_and_select(&mut self) {
        let left = self.any_with("i32", |value| value.element != "complex<f32>");
        let right = self.like(&left);
        let direction = *self.pick.one(&["EQ", "NE", "LT", "LE", "GT", "GE"]);
        let attributes =
            format!("comparison_direction = #stablehlo<comparison_direction {direction}>");
        let dims = left.dims.clone();
        let mask = self.emit(
            "compare",
            &[&left, &right],
            &attributes,
            "",
            "i1",
            dims.clone(),
        );
        self.emit(
            "select",
            &[&mask, &left, &right],
            "",
            "",
            left.element,
            dims,
        );
    }

    fn convert(&mut self) {
        let value = self.any_with("i32", |value| value.element != "complex<f32>");
        let targets = [
            "i8", "i32", "i64", "ui8", "ui32", "f32", "f64", "bf16", "i1",
        ];
        let element = *self.pick.one(&targets);
        self.emit("convert", &[&value], "", "", element, value.dims.clone());
    }

    fn broadcast(&mut self) {
        let value = self.any();
        let mut dims = value.dims.clone();
        let mut map: Vec<i64> = (0..dims.len() as i64).collect();
        let at = self.pick.below(dims.len() + 1);
        dims.insert(at, self.pick.between(0, 3));
        for dimension in &mut map {
            if *dimension >= at as i64 {
                *dimension += 1;
            }
        }
        for (position, dimension) in map.iter().enumerate() {
            if value.dims[position] == 1 && self.pick.once_in(2) {
                dims[*dimension as usize] = self.pick.between(1, 3);
            }
        }
        let attributes = format!("broadcast_dimensions = {}", array(&map));
        self.emit(
            "broadcast_in_dim",
            &[&value],
            &attributes,
            "",
            value.element,
            dims,
        );
    }

    fn reshape(&mut self) {
        let value = self.any();
        let mut dims = value.dims.clone();
        if let Some(one) = dims
            .iter()
            .position(|dim| *dim == 1)
            .filter(|_| self.pick.once_in(2))
        {
            dims.remove(one);
        } else if dims.len() > 1 && self.pick.once_in(2) {
            let last = dims.pop().unwrap_or(1);
            if let Some(dim) = dims.last_mut() {
                *dim *= last;
            }
        } else {
            let at = self.pick.below(dims.len() + 1);
            dims.insert(at, 1);
        }
        self.emit("reshape", &[&value], "", "", value.element, dims);
    }

    fn transpose(&mut self) {
        let value = self.ranked();
        let mut order: Vec<i64> = (0..value.dims.len() as i64).collect();
        for last in (1..order.len()).rev() {
            order.swap(last, self.pick.below(last + 1));
        }
        let dims = order.iter().map(|dim| value.dims[*dim as usize]).collect();
        let attributes = format!("permutation = {}", array(&order));
        self.emit("transpose", &[&value], &attributes, "", value.element, dims);
    }

    fn some_dims(&mut self, value: &Value) -> Vec<i64> {
        (0..value.dims.len() as i64)
            .filter(|_| self.pick.once_in(2))
            .collect()
    }

    fn reverse(&mut self) {
        let value = self.ranked();
        let attributes = format!("dimensions = {}", array(&self.some_dims(&value)));
        self.emit(
            "reverse",
            &[&value],
            &attributes,
            "",
            value.element,
            value.dims.clone(),
        );
    }

    fn slice(&mut self) {
        let value = self.ranked();
        let (mut start, mut limit, mut stride, mut dims) = (vec![], vec![], vec![], vec![]);
        for size in &value.dims {
            let first = self.pick.between(0, *size);
            let end = self.pick.between(first, *size);
            let step = self.pick.between(1, 3);
            start.push(first);
            limit.push(end);
            stride.push(step);
            dims.push((end - first + step - 1) / step);
        }
        let attributes = format!(
            "start_indices = {}, limit_indices = {}, strides = {}",
            array(&start),
            array(&limit),
            array(&stride)
        );
        self.emit("slice", &[&value], &attributes, "", value.element, dims);
    }

    fn pad(&mut self) {
        let value = self.ranked();
        let padding = self.constant_of(value.element, vec![]);
        let (mut low, mut high, mut interior, mut dims) = (vec![], vec![], vec![], vec![]);
        for size in &value.dims {
            let between = self.pick.between(0, 2);
            let spread = size + (size - 1).max(0) * between;
            let before = self.pick.between(-1, 2);
            let after = self.pick.between(-1, 2).max(-spread - before);
            low.push(before);
            high.push(after);
            interior.push(between);
            dims.push(spread + before + after);
        }
        if dims.iter().any(|dim| *dim < 0) {
            return;
        }
        let attributes = format!(
            "edge_padding_low = {}, edge_padding_high = {}, interior_padding = {}",
            array(&low),
            array(&high),
            array(&interior)
        );
        self.emit(
            "pad",
            &[&value, &padding],
            &attributes,
            "",
            value.element,
            dims,
        );
    }

    fn concatenate(&mut self) {
        let left = self.ranked();
        let dimension = self.pick.below(left.dims.len());
        let mut other = left.dims.clone();
        other[dimension] = self.pick.between(0, 3);
        let right = self.constant_of(left.element, other.clone());
        let mut dims = left.dims.clone();
        dims[dimension] += other[dimension];
        let attributes = format!("dimension = {dimension} : i64");
        self.emit(
            "concatenate",
            &[&left, &right],
            &attributes,
            "",
            left.element,
            dims,
        );
    }

    fn dynamic_slice(&mut self) {
        let value = self.ranked();
        let sizes: Vec<i64> = value
            .dims
            .iter()
            .map(|dim| self.pick.between(0, *dim))
            .collect();
        let starts: Vec<Value> = sizes
            .iter()
            .map(|_| self.constant_of("i32", vec![]))
            .collect();
        let mut operands = vec![&value];
        operands.extend(&starts);
        let attributes = format!("slice_sizes = {}", array(&sizes));
        let slice = self.emit(
            "dynamic_slice",
            &operands,
            &attributes,
            "",
            value.element,
            sizes,
        );
        let mut operands = vec![&value, &slice];
        operands.extend(&starts);
        let name = "dynamic_update_slice";
        self.emit(name, &operands, "", "", value.element, value.dims.clone());
    }

    /// A region that combines two elements.
    fn body(&mut self, element: &str) -> String {
        let names: &[&str] = match element {
            "i1" => &["and", "or"],
            "complex<f32>" => &["add"],
            _ => &["add", "maximum", "minimum"],
        };
        let name = self.pick.one(names);
        let scalar = type_of(element, &[]);
        format!(
            "  ^bb0(%a: {scalar}, %b: {scalar}):\n    %c = stablehlo.{name} %a, %b : {scalar}\n    \
             stablehlo.return %c : {scalar}"
        )
    }

    fn reduce(&mut self) {
        let value = self.ranked();
        let initial = self.constant_of(value.element, vec![]);
        let dimensions = self.some_dims(&value);
        let kept = |dim: &usize| !dimensions.contains(&(*dim as i64));
        let dims = (0..value.dims.len())
            .filter(kept)
            .map(|dim| value.dims[dim])
            .collect();
        let attributes = format!("dimensions = {}", array(&dimensions));
        let body = self.body(value.element);
        self.emit(
            "reduce",
            &[&value, &initial],
            &attributes,
            &body,
            value.element,
            dims,
        );
    }

    fn dot(&mut self) {
        let left = self.any_with("f32", |value| value.dims.len() == 2);
        let depth = left.dims.last().copied().unwrap_or(1);
        let right_dims = vec![depth, self.pick.between(1, 3)];
        let dims = vec![left.dims.first().copied().unwrap_or(1), right_dims[1]];
        let right = self.constant_of(left.element, right_dims);
        if left.dims.len() != 2 {
            return;
        }
        let attributes = "dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], \
                          rhs_contracting_dimensions = [0]>";
        self.emit(
            "dot_general",
            &[&left, &right],
            attributes,
            "",
            left.element,
            dims,
        );
    }

    fn iota(&mut self) {
        let mut dims = self.dims();
        dims.push(self.pick.between(1, 4));
        let element = *self.pick.one(&["i32", "i64", "f32", "ui8"]);
        let attributes = format!("iota_dimension = {} : i64", self.pick.below(dims.len()));
        self.emit("iota", &[], &attributes, "", element, dims);
    }

    fn sort(&mut self) {
        let holds = |value: &Value| !value.dims.is_empty() && value.element != "complex<f32>";
        let value = self.any_with("i32", holds);
        let dimension = self.pick.below(value.dims.len());
        let order = if value.is_float() {
            ", compare_type = #stablehlo<comparison_type TOTALORDER>"
        } else {
            ""
        };
        let scalar = type_of(value.element, &[]);
        let body = format!(
            "  ^bb0(%a: {scalar}, %b: {scalar}):\n    %c = \"stablehlo.compare\"(%a, %b) \
             {{comparison_direction = #stablehlo<comparison_direction LT>{order}}} : ({scalar}, \
             {scalar}) -> tensor<i1>\n    stablehlo.return %c : tensor<i1>"
        );
        let attributes = format!("dimension = {dimension} : i64, is_stable = true");
        self.emit(
            "sort",
            &[&value],
            &attributes,
            &body,
            value.element,
            value.dims.clone(),
        );
    }

    fn gather(&mut self) {
        let holds = |value: &Value| value.dims.len() == 2 && !value.dims.contains(&0);
        let value = self.any_with("f32", holds);
        if !holds(&value) {
            return;
        }
        let count = self.pick.between(0, 3);
        let indices = self.constant_of("i32", vec![count, 1]);
        let columns = value.dims[1];
        let attributes = format!(
            "dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], \
             start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, {columns}>"
        );
        let dims = vec![count, columns];
        let rows = self.emit(
            "gather",
            &[&value, &indices],
            &attributes,
            "",
            value.element,
            dims,
        );
        let attributes = "scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], \
                          inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], \
                          index_vector_dim = 1>";
        let body = self.body(value.element);
        let operands = [&value, &indices, &rows];
        self.emit(
            "scatter",
            &operands,
            attributes,
            &body,
            value.element,
            value.dims.clone(),
        );
    }

    fn conditional(&mut self) {
        let (first, second) = (self.any(), self.any());
        let second = match first.r#type() == second.r#type() {
            true => second,
            false => self.like(&first),
        };
        let condition = self.constant_of("i1", vec![]);
        for value in [&first, &second] {
            if let Ok(number) = value.name[1..].parse::<usize>() {
                self.used[number] = true;
            }
        }
        let r#type = first.r#type();
        let region = format!(
            "    stablehlo.return {} : {type}\n  }}, {{\n    stablehlo.return {} : {type}",
            first.name, second.name
        );
        self.emit(
            "if",
            &[&condition],
            "",
            &region,
            first.element,
            first.dims.clone(),
        );
    }
}
