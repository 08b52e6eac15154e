//! Ops with regions that are executed or not.

use super::{Precision, Value, Writer, array, is_wide_float, type_of};

impl Writer<'_> {
    /// Two values of one type.
    fn pair(&mut self) -> (Value, Value) {
        let (first, second) = (self.any(), self.any());
        if first.r#type() == second.r#type() {
            (first, second)
        } else {
            let second = self.like(&first);
            (first, second)
        }
    }

    pub(super) fn conditional(&mut self) {
        let (first, second) = self.pair();
        let condition = self.constant_of("i1", vec![]);
        self.mark_used(&first);
        self.mark_used(&second);
        let r#type = first.r#type();
        let [(a, begin), (b, other)] =
            [&first, &second].map(|value| self.constrained(&value.name, value));
        let region = format!(
            "{begin}    stablehlo.return {a} : {type}\n  }}, {{\n{other}    stablehlo.return {b} : \
             {type}"
        );
        let result = (first.element, first.dims.clone());
        let precision = first.precision.max(second.precision);
        self.emit("if", &[&condition], "", &region, result, precision);
    }

    /// Branches with ops.
    pub(super) fn case(&mut self) {
        let value = self.exact_with(("f32", &[2, 3]), |value| value.element != "i1");
        let other = self.like(&value);
        let index = self.integers("i32", vec![], (-1, 3));
        self.mark_used(&value);
        self.mark_used(&other);
        let r#type = value.r#type();
        let (a, b) = (&value.name, &other.name);
        let [(x, line), (z, last)] = ["%x", "%x"].map(|name| self.constrained(name, &value));
        let branches = [
            format!("    stablehlo.return {a} : {type}"),
            format!(
                "    %x = stablehlo.add {a}, {b} : {type}\n{line}    stablehlo.return {x} : {type}"
            ),
            format!(
                "    %x = stablehlo.subtract {b}, {a} : {type}\n{last}    %y = stablehlo.add {z}, {b} \
                 : {type}\n    stablehlo.return %y : {type}"
            ),
        ];
        let result = (value.element, value.dims.clone());
        let region = branches.join("\n  }, {\n");
        self.emit("case", &[&index], "", &region, result, Precision::Exact);
    }

    /// A loop whose counter has any step and bound, near the limits of its type, and which sums its
    /// values.
    pub(super) fn counted_loop(&mut self) {
        const TYPES: &[(&str, u32)] = &[
            ("ui2", 2),
            ("i2", 2),
            ("ui4", 4),
            ("i4", 4),
            ("ui8", 8),
            ("i8", 8),
            ("ui16", 16),
            ("i16", 16),
            ("ui32", 32),
            ("i32", 32),
            ("ui64", 64),
            ("i64", 64),
        ];
        let (element, width) = *self.pick.one(TYPES);
        let (half, whole) = (1_i128 << (width - 1), 1_i128 << width);
        let least = if element.starts_with('u') { 0 } else { -half };
        let wrapped = |number: i128| (number - least).rem_euclid(whole) + least;
        let mut near = |limits: &[i128]| {
            let limit = *self.pick.one(limits);
            wrapped(limit + i128::from(self.pick.between(-9, 9)))
        };
        let limits = [0, half, whole];
        let start = near(&limits);
        let step = wrapped(*self.pick.one(&[1, 1, 1, -1, -1, 2, -3, 5]));
        let bound = wrapped(start + i128::from(self.pick.between(-30, 30)));
        let direction = *self.pick.one(&["LT", "LE", "GT", "GE", "NE", "EQ"]);
        let mut counter = start;
        let goes_on = |counter: i128| match direction {
            "LT" => counter < bound,
            "LE" => counter <= bound,
            "GT" => counter > bound,
            "GE" => counter >= bound,
            "NE" => counter != bound,
            _ => counter == bound,
        };
        for _ in 0..64 {
            if goes_on(counter) {
                counter = wrapped(counter + step);
            }
        }
        if goes_on(counter) {
            return;
        }
        let first = self.constant_text(&start.to_string(), element, vec![]);
        let sum = self.constant_of("i64", vec![]);
        let scalar = type_of(element, &[]);
        let (operands, direction) = match (self.pick.once_in(3), direction) {
            (false, direction) => ("%i, %n", direction),
            (true, "LT") => ("%n, %i", "GT"),
            (true, "LE") => ("%n, %i", "GE"),
            (true, "GT") => ("%n, %i", "LT"),
            (true, "GE") => ("%n, %i", "LE"),
            (true, direction) => ("%n, %i", direction),
        };
        let region = format!(
            "  ^bb0(%i: {scalar}, %a: tensor<i64>):
    %n = stablehlo.constant dense<{bound}> : {scalar}
    %p = \"stablehlo.compare\"({operands}) {{comparison_direction = #stablehlo<comparison_direction {direction}>}} : ({scalar}, {scalar}) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }}, {{
  ^bb0(%i: {scalar}, %a: tensor<i64>):
    %step = stablehlo.constant dense<{step}> : {scalar}
    %next = stablehlo.add %i, %step : {scalar}
    %wide = stablehlo.convert %i : ({scalar}) -> tensor<i64>
    %two = stablehlo.constant dense<2> : tensor<i64>
    %twice = stablehlo.multiply %a, %two : tensor<i64>
    %sum = stablehlo.add %twice, %wide : tensor<i64>
    stablehlo.return %next, %sum : {scalar}, tensor<i64>"
        );
        let results = vec![
            (element, vec![], Precision::Exact),
            ("i64", vec![], Precision::Exact),
        ];
        self.emit_all("while", &[&first, &sum], "", &region, results);
    }

    /// A counted loop that carries a tensor and updates a row of it, and two values that are
    /// swapped.
    pub(super) fn while_loop(&mut self) {
        let holds =
            |value: &Value| value.dims.len() == 2 && !value.is_empty() && value.element != "i1";
        let value = self.exact_with(("f32", &[4, 3]), holds);
        let other = self.like(&value);
        let start = self.constant_text("0", "i32", vec![]);
        let rounds = self.pick.between(0, 5);
        let (whole, row) = (value.r#type(), type_of(value.element, &[1, value.dims[1]]));
        let columns = value.dims[1];
        let [(a, first), (b, second), (new, last)] =
            ["%a", "%b", "%new"].map(|name| self.constrained(name, &value));
        let region = format!(
            "  ^bb0(%i: tensor<i32>, %a: {whole}, %b: {whole}):
    %n = stablehlo.constant dense<{rounds}> : tensor<i32>
    %p = \"stablehlo.compare\"(%i, %n) {{comparison_direction = #stablehlo<comparison_direction LT>}} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }}, {{
  ^bb0(%i: tensor<i32>, %a: {whole}, %b: {whole}):
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %next = stablehlo.add %i, %one : tensor<i32>
{first}{second}    %row = \"stablehlo.dynamic_slice\"({a}, %next, %zero) {{slice_sizes = array<i64: 1, {columns}>}} : ({whole}, tensor<i32>, tensor<i32>) -> {row}
    %old = \"stablehlo.dynamic_slice\"({b}, %i, %zero) {{slice_sizes = array<i64: 1, {columns}>}} : ({whole}, tensor<i32>, tensor<i32>) -> {row}
    %sum = stablehlo.add %row, %old : {row}
    %new = \"stablehlo.dynamic_update_slice\"({b}, %sum, %i, %zero) : ({whole}, {row}, tensor<i32>, tensor<i32>) -> {whole}
{last}    stablehlo.return %next, {carried} : tensor<i32>, {whole}, {whole}",
            carried = self
                .pick
                .one(&[format!("%a, {new}"), format!("{new}, {a}")]),
        );
        self.emit_all(
            "while",
            &[&start, &value, &other],
            "",
            &region,
            vec![
                ("i32", vec![], Precision::Exact),
                (value.element, value.dims.clone(), Precision::Exact),
                (value.element, value.dims.clone(), Precision::Exact),
            ],
        );
    }

    /// A nest of two loops: both carry two tensors, and the inner one updates rows, reading values
    /// carried by either loop.
    pub(super) fn nested_loops(&mut self) {
        let holds =
            |value: &Value| value.dims.len() == 2 && !value.is_empty() && value.element != "i1";
        let value = self.exact_with(("f32", &[4, 3]), holds);
        let other = self.like(&value);
        let start = self.constant_text("0", "i32", vec![]);
        let (outer, inner) = (self.pick.between(0, 3), self.pick.between(0, 3));
        let (whole, row) = (value.r#type(), type_of(value.element, &[1, value.dims[1]]));
        let columns = value.dims[1];
        let compare = |number: &str, limit: i64| {
            format!(
                "    %n = stablehlo.constant dense<{limit}> : tensor<i32>
    %p = \"stablehlo.compare\"({number}, %n) {{comparison_direction = #stablehlo<comparison_direction LT>}} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>"
            )
        };
        let slice = |name: &str, source: &str, start: &str| {
            format!(
                "    {name} = \"stablehlo.dynamic_slice\"({source}, {start}, %zero) {{slice_sizes = array<i64: 1, {columns}>}} : ({whole}, tensor<i32>, tensor<i32>) -> {row}"
            )
        };
        let read = *self.pick.one(&["%a", "%b", "%c", "%d"]);
        let [(d, before), (new, behind), (c, first)] =
            ["%d", "%new", "%r#1"].map(|name| self.constrained(name, &value));
        let (updated, index) = (*self.pick.one(&["%c", "%d"]), *self.pick.one(&["%i", "%j"]));
        let region = format!(
            "  ^bb0(%i: tensor<i32>, %a: {whole}, %b: {whole}):
{outer_condition}
  }}, {{
  ^bb0(%i: tensor<i32>, %a: {whole}, %b: {whole}):
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %next = stablehlo.add %i, %one : tensor<i32>
    %r:3 = \"stablehlo.while\"(%{start_of_inner}, %a, %b) ({{
    ^bb0(%j: tensor<i32>, %c: {whole}, %d: {whole}):
{inner_condition}
    }}, {{
    ^bb0(%j: tensor<i32>, %c: {whole}, %d: {whole}):
    %following = stablehlo.add %j, %one : tensor<i32>
{before}{row_slice}
{old_slice}
    %sum = stablehlo.add %row, %old : {row}
    %new = \"stablehlo.dynamic_update_slice\"({d}, %sum, %j, %zero) : ({whole}, {row}, tensor<i32>, tensor<i32>) -> {whole}
{behind}    stablehlo.return %following, {carried} : tensor<i32>, {whole}, {whole}
    }}) : (tensor<i32>, {whole}, {whole}) -> (tensor<i32>, {whole}, {whole})
{first}    stablehlo.return %next, {passed} : tensor<i32>, {whole}, {whole}",
            outer_condition = compare("%i", outer),
            inner_condition = compare("%j", inner),
            start_of_inner = self.pick.one(&["zero", "i"]),
            row_slice = slice("%row", read, "%following"),
            old_slice = slice("%old", updated, index),
            carried = self.pick.one(&[
                format!("%c, {new}"),
                format!("{new}, %c"),
                format!("{new}, {d}"),
                format!("%new, {new}"),
            ]),
            passed = self.pick.one(&[
                format!("{c}, %r#2"),
                format!("%r#2, {c}"),
                "%b, %r#2".to_owned(),
                "%r#2, %a".to_owned(),
            ]),
        );
        self.emit_all(
            "while",
            &[&start, &value, &other],
            "",
            &region,
            vec![
                ("i32", vec![], Precision::Exact),
                (value.element, value.dims.clone(), Precision::Exact),
                (value.element, value.dims.clone(), Precision::Exact),
            ],
        );
    }

    pub(super) fn map(&mut self) {
        let value = self.exact_with(("f32", &[2, 3]), |value| {
            value.is_integer() || is_wide_float(value.element)
        });
        let other = self.like(&value);
        let scalar = type_of(value.element, &[]);
        let region = format!(
            "  ^bb0(%a: {scalar}, %b: {scalar}):
    %p = \"stablehlo.compare\"(%a, %b) {{comparison_direction = #stablehlo<comparison_direction LT>}} : ({scalar}, {scalar}) -> tensor<i1>
    %s = stablehlo.subtract %a, %b : {scalar}
    %r = stablehlo.select %p, %s, %b : tensor<i1>, {scalar}
    stablehlo.return %r : {scalar}"
        );
        let dimensions: Vec<i64> = (0..value.dims.len() as i64).collect();
        let attributes = format!("dimensions = {}", array(&dimensions));
        let result = (value.element, value.dims.clone());
        let operands = [&value, &other];
        let name = "map";
        self.emit(
            name,
            &operands,
            &attributes,
            &region,
            result,
            Precision::Exact,
        );
    }
}
