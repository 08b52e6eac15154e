//! Ops that move elements.

use super::{ELEMENTS, Precision, Writer, array};

impl Writer<'_> {
    pub(super) fn broadcast(&mut self) {
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
        if dims.len() > 5 {
            return;
        }
        let attributes = format!("broadcast_dimensions = {}", array(&map));
        let result = (value.element, dims);
        let name = "broadcast_in_dim";
        self.emit(name, &[&value], &attributes, "", result, value.precision);
    }

    pub(super) fn reshape(&mut self) {
        let value = self.any();
        let mut dims = value.dims.clone();
        let one = dims.iter().position(|dim| *dim == 1);
        if let Some(one) = one.filter(|_| self.pick.once_in(2)) {
            dims.remove(one);
        } else if dims.len() > 1 && self.pick.once_in(2) {
            let last = dims.pop().unwrap_or(1);
            if let Some(dim) = dims.last_mut() {
                *dim *= last;
            }
        } else if dims.len() == 2 && self.pick.once_in(2) {
            dims.reverse();
        } else {
            let at = self.pick.below(dims.len() + 1);
            dims.insert(at, 1);
        }
        let result = (value.element, dims);
        self.emit("reshape", &[&value], "", "", result, value.precision);
    }

    pub(super) fn transpose(&mut self) {
        let value = self.ranked();
        let order = self.order(value.dims.len());
        let dims = order.iter().map(|dim| value.dims[*dim as usize]).collect();
        let attributes = format!("permutation = {}", array(&order));
        let result = (value.element, dims);
        let name = "transpose";
        self.emit(name, &[&value], &attributes, "", result, value.precision);
    }

    pub(super) fn reverse(&mut self) {
        let value = self.ranked();
        let attributes = format!("dimensions = {}", array(&self.some_dims(&value)));
        let result = (value.element, value.dims.clone());
        let name = "reverse";
        self.emit(name, &[&value], &attributes, "", result, value.precision);
    }

    pub(super) fn slice(&mut self) {
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
        let result = (value.element, dims);
        let name = "slice";
        self.emit(name, &[&value], &attributes, "", result, value.precision);
    }

    pub(super) fn pad(&mut self) {
        let value = self.ranked();
        let padding = self.constant_of(value.element, vec![]);
        let (mut low, mut high, mut interior, mut dims) = (vec![], vec![], vec![], vec![]);
        for size in &value.dims {
            let between = self.pick.between(0, 2);
            let spread = size + (size - 1).max(0) * between;
            let before = self.pick.between(-2, 2);
            let after = self.pick.between(-2, 2).max(-spread - before);
            low.push(before);
            high.push(after);
            interior.push(between);
            dims.push(spread + before + after);
        }
        let attributes = format!(
            "edge_padding_low = {}, edge_padding_high = {}, interior_padding = {}",
            array(&low),
            array(&high),
            array(&interior)
        );
        let result = (value.element, dims);
        let operands = [&value, &padding];
        self.emit("pad", &operands, &attributes, "", result, value.precision);
    }

    pub(super) fn concatenate(&mut self) {
        let left = self.ranked();
        let dimension = self.pick.below(left.dims.len());
        let mut other = left.dims.clone();
        other[dimension] = self.pick.between(0, 3);
        let right = self.constant_of(left.element, other.clone());
        let mut dims = left.dims.clone();
        dims[dimension] += other[dimension];
        let attributes = format!("dimension = {dimension} : i64");
        let result = (left.element, dims);
        let name = "concatenate";
        let operands = [&left, &right];
        self.emit(name, &operands, &attributes, "", result, left.precision);
    }

    pub(super) fn iota(&mut self) {
        let mut dims = self.dims();
        dims.push(self.pick.between(1, 4));
        let element = *self.pick.one(ELEMENTS);
        let element = match element {
            "i1" => "i32",
            other => other,
        };
        let attributes = format!("iota_dimension = {} : i64", self.pick.below(dims.len()));
        let result = (element, dims);
        self.emit("iota", &[], &attributes, "", result, Precision::Exact);
    }
}
