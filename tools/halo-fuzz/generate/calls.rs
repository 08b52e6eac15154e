//! Runtime functions on views of buffers that other ops read, too.

use super::{Value, Writer, array};

impl Writer<'_> {
    /// A constant, or a slice of a larger one.
    pub(super) fn constant_or_view(
        &mut self,
        element: &'static str,
        dims: Vec<i64>,
        scalar: impl Fn(&mut Self, &str) -> String + Copy,
    ) -> Value {
        let is_view = self.division.is_none() && !dims.is_empty() && self.pick.once_in(2);
        let (mut start, mut limit, mut whole) = (vec![0; dims.len()], dims.clone(), dims.clone());
        if is_view {
            let at = self.pick.below(dims.len());
            start[at] = self.pick.between(0, 1);
            limit[at] += start[at];
            whole[at] = limit[at] + self.pick.between(0, 2);
        }
        let text = self.elements(element, &whole, scalar);
        let value = self.constant_text(&text, element, whole);
        if is_view {
            let view = self.slice_of(&value, &start, &limit);
            self.read_again(&view);
            view
        } else {
            value
        }
    }

    /// A collective of one process on a view, which changes nothing.
    pub(super) fn call_on_view(&mut self) {
        match self.pick.below(4) {
            0 => self.transpose(),
            1 => self.reshape(),
            2 => self.slice(),
            _ => {
                let value = self.ranked();
                let limit: Vec<i64> = value
                    .dims
                    .iter()
                    .map(|size| self.pick.between((*size).min(1), *size))
                    .collect();
                self.slice_of(&value, &vec![0; limit.len()], &limit);
            }
        }
        let Some(view) = self.values.last().cloned() else {
            return;
        };
        let groups = "replica_groups = dense<0> : tensor<1x1xi64>";
        let (name, attributes) = match self.pick.below(4) {
            0 if !view.dims.is_empty() && !view.is_empty() => {
                let dim = self.pick.below(view.dims.len());
                (
                    "all_gather",
                    format!("all_gather_dim = {dim} : i64, {groups}"),
                )
            }
            1 if !view.dims.is_empty() && !view.is_empty() => {
                let dim = self.pick.below(view.dims.len());
                let attributes = format!(
                    "split_dimension = {dim} : i64, concat_dimension = {dim} : i64, \
                     split_count = 1 : i64, {groups}"
                );
                ("all_to_all", attributes)
            }
            2 => ("collective_broadcast", groups.to_owned()),
            _ => {
                let pairs = "source_target_pairs = dense<0> : tensor<1x2xi64>";
                ("collective_permute", pairs.to_owned())
            }
        };
        let result = (view.element, view.dims.clone());
        self.emit(name, &[&view], &attributes, "", result, view.precision);
        self.read_again(&view);
    }

    fn slice_of(&mut self, value: &Value, start: &[i64], limit: &[i64]) -> Value {
        let attributes = format!(
            "start_indices = {}, limit_indices = {}, strides = {}",
            array(start),
            array(limit),
            array(&vec![1; start.len()])
        );
        let dims = start.iter().zip(limit).map(|(start, limit)| limit - start);
        let result = (value.element, dims.collect());
        self.emit("slice", &[value], &attributes, "", result, value.precision)
    }

    fn read_again(&mut self, view: &Value) {
        let attributes = format!("dimensions = {}", array(&self.some_dims(view)));
        let result = (view.element, view.dims.clone());
        self.emit("reverse", &[view], &attributes, "", result, view.precision);
    }
}
