//! Ops that take shapes as operands, here constants.

use super::{Precision, Value, Writer, array, list};

impl Writer<'_> {
    fn numbers_of(&mut self, values: &[i64]) -> Value {
        let element = *self.pick.one(&["i32", "i64"]);
        let text = match values {
            [] => String::new(),
            _ => format!("[{}]", list(values)),
        };
        self.constant_text(&text, element, vec![values.len() as i64])
    }

    pub(super) fn dynamic_shape(&mut self) {
        match self.pick.below(6) {
            0 => {
                let value = self.any();
                let mut dims = value.dims.clone();
                dims.insert(0, 1);
                let shape = self.numbers_of(&dims);
                let result = (value.element, dims);
                let operands = [&value, &shape];
                self.emit(
                    "dynamic_reshape",
                    &operands,
                    "",
                    "",
                    result,
                    value.precision,
                );
            }
            1 => {
                let value = self.any();
                let mut dims = vec![self.pick.between(0, 3)];
                let map: Vec<i64> = (1..=value.dims.len() as i64).collect();
                dims.extend(&value.dims);
                let shape = self.numbers_of(&dims);
                let attributes = format!("broadcast_dimensions = {}", array(&map));
                let result = (value.element, dims);
                let operands = [&value, &shape];
                let name = "dynamic_broadcast_in_dim";
                self.emit(name, &operands, &attributes, "", result, value.precision);
            }
            2 => {
                let mut dims = self.dims();
                dims.push(3);
                let shape = self.numbers_of(&dims);
                let attributes = format!("iota_dimension = {} : i64", self.pick.below(dims.len()));
                let result = ("f32", dims);
                let name = "dynamic_iota";
                self.emit(name, &[&shape], &attributes, "", result, Precision::Exact);
            }
            3 => {
                let value = self.ranked();
                let padding = self.constant_of(value.element, vec![]);
                let ones = vec![1; value.dims.len()];
                let zeros = vec![0; value.dims.len()];
                let dims = value.dims.iter().map(|dim| dim + 1).collect();
                let (low, high) = (self.numbers_of(&ones), zeros);
                let element = low.element;
                let text = format!("[{}]", list(&high));
                let count = vec![high.len() as i64];
                let high = self.constant_text(&text, element, count.clone());
                let interior = self.constant_text(&text, element, count);
                let operands = [&value, &padding, &low, &high, &interior];
                let result = (value.element, dims);
                self.emit("dynamic_pad", &operands, "", "", result, value.precision);
            }
            4 => {
                let value = self.ranked();
                let dimension = self.pick.below(value.dims.len());
                let attributes = format!("dimension = {dimension} : i64");
                let name = "get_dimension_size";
                let result = ("i32", vec![]);
                self.emit(name, &[&value], &attributes, "", result, Precision::Exact);
            }
            _ => {
                let value = self.ranked();
                let zeros = vec![0; value.dims.len()];
                let ones = vec![1; value.dims.len()];
                let start = self.numbers_of(&zeros);
                let element = start.element;
                let count = vec![zeros.len() as i64];
                let limit =
                    self.constant_text(&format!("[{}]", list(&value.dims)), element, count.clone());
                let step = self.constant_text(&format!("[{}]", list(&ones)), element, count);
                let operands = [&value, &start, &limit, &step];
                let result = (value.element, value.dims.clone());
                let name = "real_dynamic_slice";
                self.emit(name, &operands, "", "", result, value.precision);
            }
        }
    }
}
