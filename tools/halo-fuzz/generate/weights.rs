//! Products with weights of few bits: converted, with zero points and scales of groups.

use super::{Precision, Value, Writer, array};

const EXACT: Precision = Precision::Exact;

impl Writer<'_> {
    /// A product with weights that are unpacked first.
    pub(super) fn low_bit_product(&mut self) {
        let depth = *self.pick.one(&[64, 96, 128]);
        let columns = *self.pick.one(&[64, 72, 80]);
        let rows = *self.pick.one(&[1, 3, 8, 20]);
        let is_transposed = self.pick.once_in(3);
        let dims = if is_transposed {
            vec![columns, depth]
        } else {
            vec![depth, columns]
        };
        let element = *self.pick.one(&["f32", "f32", "bf16"]);
        let mut weights = self.unpacked_weights(element, &dims);
        if self.pick.once_in(2) {
            // Groups along k have a scale for each column.
            let group = *self.pick.one(&[16, 32]);
            let (grouped, scales, at) = if is_transposed {
                (
                    vec![columns, depth / group, group],
                    vec![columns, depth / group],
                    [0, 1],
                )
            } else {
                (
                    vec![depth / group, group, columns],
                    vec![depth / group, columns],
                    [0, 2],
                )
            };
            weights = self.emit("reshape", &[&weights], "", "", (element, grouped), EXACT);
            weights = self.scaled(&weights, scales, &at);
            weights = self.emit("reshape", &[&weights], "", "", (element, dims), EXACT);
        } else {
            weights = self.scaled(&weights, vec![columns], &[i64::from(!is_transposed)]);
        }
        let inputs = self.low_bit_numbers(element, vec![rows, depth]);
        let attributes = format!(
            "dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], \
             rhs_contracting_dimensions = [{}]>",
            i64::from(is_transposed)
        );
        let result = (element, vec![rows, columns]);
        let operands = [&inputs, &weights];
        self.emit(
            "dot_general",
            &operands,
            &attributes,
            "",
            result,
            Precision::Summed,
        );
    }

    /// Weights in a float type, from narrower elements or from two in a byte.
    fn unpacked_weights(&mut self, element: &'static str, dims: &[i64]) -> Value {
        let stored = *self.pick.one(&[
            "i8", "ui8", "i4", "ui4", "f8E4M3FN", "f8E5M2", "bytes", "bytes",
        ]);
        if stored != "bytes" {
            let numbers = self.low_bit_numbers(stored, dims.to_vec());
            return self.emit(
                "convert",
                &[&numbers],
                "",
                "",
                (element, dims.to_vec()),
                EXACT,
            );
        }
        // Pairs are adjacent along a dimension, or the halves of it.
        let dim = self.pick.below(2);
        let mut halved = dims.to_vec();
        halved[dim] /= 2;
        let bytes = self.integers("ui8", halved.clone(), (0, 255));
        let mut parts = Vec::new();
        for (name, number) in [("and", 15), ("shift_right_logical", 4)] {
            let number = self.integers("ui8", vec![], (number, number));
            let attributes = format!("broadcast_dimensions = {}", array(&[]));
            let result = ("ui8", halved.clone());
            let number = self.emit(
                "broadcast_in_dim",
                &[&number],
                &attributes,
                "",
                result,
                EXACT,
            );
            let result = ("ui8", halved.clone());
            parts.push(self.emit(name, &[&bytes, &number], "", "", result, EXACT));
        }
        let mut whole = dims.to_vec();
        let mut along = dim;
        if self.pick.once_in(2) {
            along += 1;
            let mut single = halved.clone();
            single.insert(along, 1);
            for part in &mut parts {
                *part = self.emit("reshape", &[part], "", "", ("ui8", single.clone()), EXACT);
            }
            whole = halved.clone();
            whole.insert(along, 2);
        }
        let attributes = format!("dimension = {along} : i64");
        let operands = [&parts[0], &parts[1]];
        let numbers = self.emit(
            "concatenate",
            &operands,
            &attributes,
            "",
            ("ui8", whole),
            EXACT,
        );
        let numbers = self.emit(
            "reshape",
            &[&numbers],
            "",
            "",
            ("ui8", dims.to_vec()),
            EXACT,
        );
        self.emit(
            "convert",
            &[&numbers],
            "",
            "",
            (element, dims.to_vec()),
            EXACT,
        )
    }

    /// Weights minus zero points, if any, times scales, both of which are broadcast.
    fn scaled(&mut self, weights: &Value, dims: Vec<i64>, at: &[i64]) -> Value {
        let mut scaled = weights.clone();
        for name in ["subtract", "multiply"] {
            if name == "subtract" && self.pick.once_in(2) {
                continue;
            }
            let numbers = self.low_bit_numbers(weights.element, dims.clone());
            let attributes = format!("broadcast_dimensions = {}", array(at));
            let result = || (weights.element, weights.dims.clone());
            let numbers = self.emit(
                "broadcast_in_dim",
                &[&numbers],
                &attributes,
                "",
                result(),
                EXACT,
            );
            scaled = self.emit(name, &[&scaled, &numbers], "", "", result(), EXACT);
        }
        scaled
    }

    /// A constant without infinities, of numbers whose sums are not large.
    fn low_bit_numbers(&mut self, element: &'static str, dims: Vec<i64>) -> Value {
        let text = self.elements(element, &dims, |writer, element| match element {
            "i4" => writer.pick.between(-8, 7).to_string(),
            "ui4" => writer.pick.between(0, 15).to_string(),
            "i8" => writer.pick.between(-128, 127).to_string(),
            "ui8" => writer.pick.between(0, 255).to_string(),
            _ => format!("{:.2}", writer.pick.between(-8, 8) as f64 / 4.0),
        });
        self.constant_text(&text, element, dims)
    }
}
