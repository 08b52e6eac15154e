//! Ops that combine many elements into one.

use super::{Precision, Value, Writer, array, list, pairs, type_of};

/// A window over the dimensions of a value, and the sizes that result.
struct Window {
    sizes: Vec<i64>,
    strides: Vec<i64>,
    base: Vec<i64>,
    dilations: Vec<i64>,
    padding: Vec<(i64, i64)>,
    result: Vec<i64>,
}

impl Writer<'_> {
    /// The body of a reduction: one that combines elements or one that returns an outer value.
    fn reducer(&mut self, element: &'static str) -> (String, Precision) {
        if self.division.is_some() || !self.pick.once_in(10) {
            return self.body(element);
        }
        let outer = self.constant_of(element, vec![]);
        self.mark_used(&outer);
        let (scalar, name) = (type_of(element, &[]), &outer.name);
        let text =
            format!("  ^bb0(%a: {scalar}, %b: {scalar}):\n    stablehlo.return {name} : {scalar}");
        (text, Precision::Exact)
    }

    /// A region that combines two elements, and the precision of the result in any order.
    pub(super) fn body(&mut self, element: &str) -> (String, Precision) {
        let exact = Precision::Exact;
        let float = super::is_float(element) || element.starts_with("complex");
        let (sum, extremum) = if float {
            (Precision::Summed, Precision::Equal)
        } else {
            (exact, exact)
        };
        let choices: &[(&str, Precision)] = match element {
            "i1" => &[("and", exact), ("or", exact), ("xor", exact)],
            _ if element.starts_with("complex") => &[("add", sum)],
            // Sums of floats with few bits depend on their order.
            _ if float && !super::is_wide_float(element) => {
                &[("maximum", extremum), ("minimum", extremum)]
            }
            _ => &[
                ("add", sum),
                ("add", sum),
                ("maximum", extremum),
                ("minimum", extremum),
            ],
        };
        let (name, precision) = *self.pick.one(choices);
        let scalar = type_of(element, &[]);
        let text = format!(
            "  ^bb0(%a: {scalar}, %b: {scalar}):\n    %c = stablehlo.{name} %a, %b : {scalar}\n    \
             stablehlo.return %c : {scalar}"
        );
        (text, precision)
    }

    /// The neutral element of a body, or any element.
    fn initial(&mut self, element: &'static str) -> Value {
        if !self.pick.once_in(2) {
            self.constant_of(element, vec![])
        } else if element == "i1" {
            self.constant_text("false", element, vec![])
        } else if element.starts_with("complex") {
            self.constant_text("(0.0, 0.0)", element, vec![])
        } else if super::is_float(element) {
            self.constant_text("0.0", element, vec![])
        } else {
            self.constant_text("0", element, vec![])
        }
    }

    pub(super) fn reduce(&mut self) {
        let value = self.exact_with(("f32", &[2, 40]), |value| !value.dims.is_empty());
        let initial = self.initial(value.element);
        let dimensions = self.some_dims(&value);
        let kept = |dim: &usize| !dimensions.contains(&(*dim as i64));
        let dims = (0..value.dims.len()).filter(kept).map(|dim| value.dims[dim]).collect();
        let attributes = format!("dimensions = {}", array(&dimensions));
        let (body, precision) = self.reducer(value.element);
        let result = (value.element, dims);
        let operands = [&value, &initial];
        self.emit("reduce", &operands, &attributes, &body, result, precision);
    }

    /// The largest element and its index, as argmax is exported.
    pub(super) fn reduce_pair(&mut self) {
        let value = self.exact_with(("f32", &[3, 5]), |value| {
            value.dims.len() == 2 && !value.is_complex() && value.element != "i1"
        });
        let numbers = ("i32", value.dims.clone());
        let axis = self.pick.below(2);
        let attributes = format!("iota_dimension = {axis} : i64");
        let exact = Precision::Exact;
        let numbers = self.emit("iota", &[], &attributes, "", numbers, exact);
        let first = self.constant_of(value.element, vec![]);
        let none = self.constant_text("-1", "i32", vec![]);
        let scalar = type_of(value.element, &[]);
        // Partitions compare in another order, which must not change the result.
        let (larger, nan) = if self.division.is_some() {
            (
                "%larger",
                format!(
                    "
    %nan = \"stablehlo.compare\"(%a, %a) {{comparison_direction = #stablehlo<comparison_direction NE>}} : ({scalar}, {scalar}) -> tensor<i1>
    %ge = stablehlo.or %larger, %nan : tensor<i1>"
                ),
            )
        } else {
            ("%ge", String::new())
        };
        let body = format!(
            "  ^bb0(%a: {scalar}, %i: tensor<i32>, %b: {scalar}, %j: tensor<i32>):
    {larger} = \"stablehlo.compare\"(%a, %b) {{comparison_direction = #stablehlo<comparison_direction GE>}} : ({scalar}, {scalar}) -> tensor<i1>{nan}
    %v = stablehlo.select %ge, %a, %b : tensor<i1>, {scalar}
    %eq = \"stablehlo.compare\"(%a, %b) {{comparison_direction = #stablehlo<comparison_direction EQ>}} : ({scalar}, {scalar}) -> tensor<i1>
    %m = stablehlo.minimum %i, %j : tensor<i32>
    %s = stablehlo.select %ge, %i, %j : tensor<i1>, tensor<i32>
    %n = stablehlo.select %eq, %m, %s : tensor<i1>, tensor<i32>
    stablehlo.return %v, %n : {scalar}, tensor<i32>"
        );
        // The order of comparisons with NaN changes the result.
        if value.is_float() && self.pick.once_in(2) {
            return;
        }
        let dims = vec![value.dims[1 - axis]];
        let precision = exact;
        self.emit_all(
            "reduce",
            &[&value, &numbers, &first, &none],
            &format!("dimensions = array<i64: {axis}>"),
            &body,
            vec![
                (value.element, dims.clone(), precision),
                ("i32", dims, precision),
            ],
        );
    }

    fn window(&mut self, value: &Value, dilated: bool) -> Option<Window> {
        let mut window = Window {
            sizes: vec![],
            strides: vec![],
            base: vec![],
            dilations: vec![],
            padding: vec![],
            result: vec![],
        };
        for size in &value.dims {
            let extent = self.pick.between(1, 3);
            let stride = self.pick.between(1, 2);
            let (base, dilation) = if dilated && self.pick.once_in(3) {
                (self.pick.between(1, 2), self.pick.between(1, 2))
            } else {
                (1, 1)
            };
            let padding = if self.pick.once_in(2) {
                (0, 0)
            } else {
                (self.pick.between(-1, 2), self.pick.between(-1, 2))
            };
            let spread = match size {
                0 => 0,
                _ => (size - 1) * base + 1,
            };
            let padded = spread + padding.0 + padding.1;
            let reach = (extent - 1) * dilation + 1;
            if padded < 0 {
                return None;
            }
            window.result.push(if padded == 0 || reach > padded {
                0
            } else {
                (padded - reach) / stride + 1
            });
            window.sizes.push(extent);
            window.strides.push(stride);
            window.base.push(base);
            window.dilations.push(dilation);
            window.padding.push(padding);
        }
        Some(window)
    }

    pub(super) fn reduce_window(&mut self) {
        let value = self.exact_with(("f32", &[4, 5]), |value| value.dims.len() < 4);
        let Some(window) = self.window(&value, true) else {
            return;
        };
        let initial = self.initial(value.element);
        let attributes = format!(
            "window_dimensions = {}, window_strides = {}, base_dilations = {}, \
             window_dilations = {}, padding = {}",
            array(&window.sizes),
            array(&window.strides),
            array(&window.base),
            array(&window.dilations),
            pairs(&window.padding)
        );
        let (body, precision) = self.reducer(value.element);
        let result = (value.element, window.result);
        let operands = [&value, &initial];
        let name = "reduce_window";
        self.emit(name, &operands, &attributes, &body, result, precision);
    }

    /// A window over all preceding elements, as JAX exports cumulative sums.
    pub(super) fn scan(&mut self) {
        let value = self.exact_with(("f32", &[3, 6]), |value| {
            !value.dims.is_empty() && !value.is_empty()
        });
        let axis = self.pick.below(value.dims.len());
        let mut sizes = vec![1; value.dims.len()];
        let mut padding = vec![(0, 0); value.dims.len()];
        sizes[axis] = value.dims[axis];
        padding[axis] = if self.pick.once_in(2) {
            (value.dims[axis] - 1, 0)
        } else {
            (0, value.dims[axis] - 1)
        };
        let initial = self.initial(value.element);
        let attributes = format!(
            "window_dimensions = {}, padding = {}",
            array(&sizes),
            pairs(&padding)
        );
        let (body, precision) = self.reducer(value.element);
        let result = (value.element, value.dims.clone());
        let operands = [&value, &initial];
        let name = "reduce_window";
        self.emit(name, &operands, &attributes, &body, result, precision);
    }

    pub(super) fn select_and_scatter(&mut self) {
        let value = self.exact_with(("f32", &[4, 5]), |value| {
            value.dims.len() < 4 && !value.is_complex() && value.element != "i1"
        });
        let Some(mut window) = self.window(&value, false) else {
            return;
        };
        // A window must not lie in the padding only.
        let inside = |index: usize| {
            let (low, high) = window.padding[index];
            low < window.sizes[index] && high < window.sizes[index] && low >= 0 && high >= 0
        };
        if !(0..window.sizes.len()).all(inside) {
            window.padding = vec![(0, 0); window.sizes.len()];
            window.result = (0..window.sizes.len())
                .map(|index| {
                    if value.dims[index] < window.sizes[index] {
                        0
                    } else {
                        (value.dims[index] - window.sizes[index]) / window.strides[index] + 1
                    }
                })
                .collect();
        }
        let source = self.constant_of(value.element, window.result);
        let initial = self.initial(value.element);
        let direction = *self.pick.one(&["GE", "LE", "GT"]);
        let scalar = type_of(value.element, &[]);
        let select = format!(
            "  ^bb0(%a: {scalar}, %b: {scalar}):\n    %c = \"stablehlo.compare\"(%a, %b) \
             {{comparison_direction = #stablehlo<comparison_direction {direction}>}} : ({scalar}, \
             {scalar}) -> tensor<i1>\n    stablehlo.return %c : tensor<i1>"
        );
        let (scatter, precision) = self.body(value.element);
        let attributes = format!(
            "window_dimensions = {}, window_strides = {}, padding = {}",
            array(&window.sizes),
            array(&window.strides),
            pairs(&window.padding)
        );
        self.emit(
            "select_and_scatter",
            &[&value, &source, &initial],
            &attributes,
            &format!("{select}\n  }}, {{\n{scatter}"),
            (value.element, value.dims.clone()),
            precision,
        );
    }

    /// The precision of a sum of products.
    fn product_precision(value: &Value) -> Precision {
        if value.is_float() || value.is_complex() {
            Precision::Summed
        } else {
            Precision::Exact
        }
    }

    pub(super) fn dot(&mut self) {
        let left = self.exact_with(("f32", &[2, 3, 4]), |value| value.element != "i1");
        // Each dimension of lhs is a batch, contracting, or free dimension.
        let mut roles: Vec<usize> = left.dims.iter().map(|_| self.pick.below(3)).collect();
        if roles.iter().filter(|role| **role == 0).count() > 1 {
            roles.iter_mut().for_each(|role| *role = (*role).max(1));
        }
        let of = |role: usize| -> Vec<i64> {
            (0..roles.len() as i64).filter(|dim| roles[*dim as usize] == role).collect()
        };
        let (batch, contracted, own) = (of(0), of(1), of(2));
        let mut right: Vec<(i64, Option<i64>)> = batch
            .iter()
            .chain(&contracted)
            .map(|dim| (left.dims[*dim as usize], Some(*dim)))
            .collect();
        for _ in 0..self.pick.below(3) {
            right.push((self.size(), None));
        }
        let order = self.order(right.len());
        let right: Vec<(i64, Option<i64>)> =
            order.iter().map(|index| right[*index as usize]).collect();
        let position = |dim: &i64| -> i64 {
            right.iter().position(|(_, of)| *of == Some(*dim)).unwrap_or(0) as i64
        };
        let right_batch: Vec<i64> = batch.iter().map(position).collect();
        let right_contracted: Vec<i64> = contracted.iter().map(position).collect();
        let mut dims: Vec<i64> =
            batch.iter().chain(&own).map(|dim| left.dims[*dim as usize]).collect();
        dims.extend(right.iter().filter(|(_, of)| of.is_none()).map(|(size, _)| *size));
        let sizes = right.iter().map(|(size, _)| *size).collect();
        let right = self.constant_of(left.element, sizes);
        let attributes = format!(
            "dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [{}], \
             rhs_batching_dimensions = [{}], lhs_contracting_dimensions = [{}], \
             rhs_contracting_dimensions = [{}]>",
            list(&batch),
            list(&right_batch),
            list(&contracted),
            list(&right_contracted)
        );
        let precision = Self::product_precision(&left);
        let result = (left.element, dims);
        let operands = [&left, &right];
        self.emit("dot_general", &operands, &attributes, "", result, precision);
    }

    pub(super) fn convolution(&mut self) {
        let element = *self.pick.one(&["f32", "f32", "f32", "f64", "bf16", "i32", "complex<f32>"]);
        let spatial = self.pick.below(3);
        let (groups, batch_groups) = match self.pick.below(4) {
            0 => (self.pick.between(1, 3), 1),
            1 => (1, self.pick.between(1, 3)),
            _ => (1, 1),
        };
        let batch = batch_groups * self.pick.between(1, 2);
        let input_features = groups * self.pick.between(1, 3);
        let output_features = groups * batch_groups * self.pick.between(1, 3);
        let (mut input, mut kernel, mut output) = (vec![], vec![], vec![]);
        let (mut strides, mut base, mut dilations) = (vec![], vec![], vec![]);
        let (mut padding, mut reversal) = (vec![], vec![]);
        for _ in 0..spatial {
            let size = self.pick.between(1, 6);
            let extent = self.pick.between(1, 3);
            let stride = self.pick.between(1, 2);
            let spread = self.pick.between(1, 2);
            let dilation = self.pick.between(1, 2);
            let pad = (self.pick.between(0, 2), self.pick.between(-1, 2));
            let padded = (size - 1) * spread + 1 + pad.0 + pad.1;
            let reach = (extent - 1) * dilation + 1;
            if padded < 0 {
                return;
            }
            input.push(size);
            kernel.push(extent);
            output.push(if padded == 0 || reach > padded {
                0
            } else {
                (padded - reach) / stride + 1
            });
            strides.push(stride);
            base.push(spread);
            dilations.push(dilation);
            padding.push(pad);
            reversal.push(self.pick.once_in(3).to_string());
        }
        // The positions of batch, feature and the spatial dimensions.
        let mut arrange = |first: i64, second: i64, rest: &[i64]| {
            let order = self.order(spatial + 2);
            let mut dims = vec![0; spatial + 2];
            dims[order[0] as usize] = first;
            dims[order[1] as usize] = second;
            for (number, size) in rest.iter().enumerate() {
                dims[order[number + 2] as usize] = *size;
            }
            (order, dims)
        };
        let (input_order, input_dims) = arrange(batch, input_features, &input);
        let (kernel_order, kernel_dims) =
            arrange(input_features / groups, output_features, &kernel);
        let (output_order, output_dims) = arrange(batch / batch_groups, output_features, &output);
        let text = |order: &[i64], names: [&str; 2]| {
            let mut labels = vec![String::new(); order.len()];
            labels[order[0] as usize] = names[0].to_owned();
            labels[order[1] as usize] = names[1].to_owned();
            for (number, position) in order[2..].iter().enumerate() {
                labels[*position as usize] = number.to_string();
            }
            labels.join(", ")
        };
        let left = self.exact_with((element, &input_dims), |value| {
            value.element == element && value.dims == input_dims
        });
        let right = self.constant_of(element, kernel_dims);
        let reversal = if reversal.is_empty() {
            "array<i1>".to_owned()
        } else {
            format!("array<i1: {}>", reversal.join(", "))
        };
        let attributes = format!(
            "dimension_numbers = #stablehlo.conv<[{}]x[{}]->[{}]>, window_strides = {}, \
             padding = {}, lhs_dilation = {}, rhs_dilation = {}, window_reversal = {reversal}, \
             feature_group_count = {groups} : i64, batch_group_count = {batch_groups} : i64",
            text(&input_order, ["b", "f"]),
            text(&kernel_order, ["i", "o"]),
            text(&output_order, ["b", "f"]),
            array(&strides),
            pairs(&padding),
            array(&base),
            array(&dilations),
        );
        let precision = Self::product_precision(&left);
        let result = (element, output_dims);
        let operands = [&left, &right];
        self.emit("convolution", &operands, &attributes, "", result, precision);
    }

    pub(super) fn sort(&mut self) {
        // The sign of NaN determines its position in an order.
        let holds = |value: &Value| {
            !value.dims.is_empty() && !value.is_complex() && (value.bits || !value.is_float())
        };
        let value = self.exact_with(("i32", &[3, 4]), holds);
        let dimension = self.pick.below(value.dims.len());
        let order = if super::is_wide_float(value.element) {
            ", compare_type = #stablehlo<comparison_type TOTALORDER>"
        } else {
            ""
        };
        let direction = *self.pick.one(&["LT", "GT"]);
        let scalar = type_of(value.element, &[]);
        let compare = format!(
            "\"stablehlo.compare\"(%a, %b) {{comparison_direction = \
             #stablehlo<comparison_direction {direction}>{order}}} : ({scalar}, {scalar}) -> \
             tensor<i1>\n    stablehlo.return %c : tensor<i1>"
        );
        let attributes = format!("dimension = {dimension} : i64, is_stable = true");
        let dims = value.dims.clone();
        if self.pick.once_in(2) {
            let body = format!("  ^bb0(%a: {scalar}, %b: {scalar}):\n    %c = {compare}");
            let result = (value.element, dims);
            self.emit(
                "sort",
                &[&value],
                &attributes,
                &body,
                result,
                Precision::Exact,
            );
            return;
        }
        let second = self.any_with(("f32", &dims), |value| value.dims == dims);
        if second.dims != dims {
            return;
        }
        let other = type_of(second.element, &[]);
        let body = format!(
            "  ^bb0(%a: {scalar}, %b: {scalar}, %x: {other}, %y: {other}):\n    %c = {compare}"
        );
        self.emit_all(
            "sort",
            &[&value, &second],
            &attributes,
            &body,
            vec![
                (value.element, dims.clone(), Precision::Exact),
                (second.element, dims, second.precision),
            ],
        );
    }

    pub(super) fn top_k(&mut self) {
        let holds = |value: &Value| {
            !value.dims.is_empty()
                && (value.bits || !value.is_float())
                && (value.is_integer() || super::is_wide_float(value.element))
                && value.dims.last().is_some_and(|size| *size > 0)
        };
        let value = self.exact_with(("f32", &[2, 6]), holds);
        let mut dims = value.dims.clone();
        let Some(last) = dims.last_mut() else {
            return;
        };
        *last = self.pick.between(1, *last);
        let attributes = format!("k = {last} : i64");
        self.emit_all(
            "chlo.top_k",
            &[&value],
            &attributes,
            "",
            vec![
                (value.element, dims.clone(), Precision::Exact),
                ("i32", dims, Precision::Exact),
            ],
        );
    }
}
