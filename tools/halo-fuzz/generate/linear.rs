//! Transforms, factorizations, normalization, random bits.

use super::{Precision, Value, Writer, array};

impl Writer<'_> {
    pub(super) fn fft(&mut self) {
        let kind = *self.pick.one(&["FFT", "IFFT", "RFFT", "IRFFT"]);
        let double = self.pick.once_in(3);
        let (real, complex) = if double {
            ("f64", "complex<f64>")
        } else {
            ("f32", "complex<f32>")
        };
        let rank = self.pick.between(1, 3) as usize;
        let mut dims: Vec<i64> = (0..rank).map(|_| self.pick.between(1, 6)).collect();
        let count = self.pick.between(1, rank as i64) as usize;
        let lengths = dims[rank - count..].to_vec();
        let half = lengths.last().map_or(1, |last| last / 2 + 1);
        let mut result = dims.clone();
        let (from, to) = match kind {
            "RFFT" => {
                result[rank - 1] = half;
                (real, complex)
            }
            "IRFFT" => {
                dims[rank - 1] = half;
                (complex, real)
            }
            _ => (complex, complex),
        };
        // Only finite numbers: an infinity turns every sum into NaN.
        let value = self.constant_or_view(from, dims, |writer, element| {
            let number = |writer: &mut Self| writer.pick.between(-9, 9) as f64 / 4.0;
            if element.starts_with('c') {
                format!("({:.2}, {:.2})", number(writer), number(writer))
            } else {
                format!("{:.2}", number(writer))
            }
        });
        let attributes = format!(
            "fft_type = #stablehlo<fft_type {kind}>, fft_length = {}",
            array(&lengths)
        );
        self.emit(
            "fft",
            &[&value],
            &attributes,
            "",
            (to, result),
            Precision::Summed,
        );
    }

    /// Batches of triangular matrices with a dominant diagonal, or of symmetric ones.
    fn matrices(&mut self, batch: &[i64], size: i64) -> String {
        match batch {
            [count, inner @ ..] => {
                let parts: Vec<String> = (0..*count).map(|_| self.matrices(inner, size)).collect();
                format!("[{}]", parts.join(", "))
            }
            [] => {
                let rows: Vec<String> = (0..size)
                    .map(|row| {
                        let row: Vec<String> = (0..size)
                            .map(|column| {
                                if row == column {
                                    format!("{:.1}", 6.0 + self.pick.between(0, 4) as f64)
                                } else {
                                    format!("{:.2}", self.pick.between(-2, 2) as f64 / 4.0)
                                }
                            })
                            .collect();
                        format!("[{}]", row.join(", "))
                    })
                    .collect();
                format!("[{}]", rows.join(", "))
            }
        }
    }

    pub(super) fn factorization(&mut self) {
        let element = *self.pick.one(&["f32", "f64"]);
        let batch: Vec<i64> = (0..self.pick.below(2)).map(|_| self.pick.between(1, 3)).collect();
        let size = self.pick.between(1, 5);
        let mut dims = batch.clone();
        dims.extend([size, size]);
        let text = self.matrices(&batch, size);
        let matrix = self.constant_text(&text, element, dims.clone());
        let lower = self.pick.once_in(2);
        if self.pick.once_in(2) {
            // Only one triangle is read, so any matrix represents a symmetric one.
            let attributes = format!("lower = {lower}");
            let result = (element, dims);
            let name = "cholesky";
            let factor = self.emit(name, &[&matrix], &attributes, "", result, Precision::Summed);
            // The other triangle is arbitrary.
            self.mark_used(&factor);
            return;
        }
        let left = self.pick.once_in(2);
        let columns = self.pick.between(1, 4);
        let mut dims = batch;
        if left {
            dims.extend([size, columns])
        } else {
            dims.extend([columns, size])
        }
        let right = self.constant_or_view(element, dims.clone(), |writer, _| {
            format!("{:.2}", writer.pick.between(-9, 9) as f64 / 4.0)
        });
        let transpose = *self.pick.one(&["NO_TRANSPOSE", "TRANSPOSE", "ADJOINT"]);
        let attributes = format!(
            "left_side = {left}, lower = {lower}, unit_diagonal = {}, transpose_a = \
             #stablehlo<transpose {transpose}>",
            self.pick.once_in(4)
        );
        let name = "triangular_solve";
        let operands = [&matrix, &right];
        let result = (element, dims);
        self.emit(name, &operands, &attributes, "", result, Precision::Summed);
    }

    pub(super) fn batch_norm(&mut self) {
        let holds = |value: &Value| {
            matches!(value.element, "f32" | "f64") && value.dims.len() > 1 && !value.is_empty()
        };
        let value = self.exact_with(("f32", &[2, 3]), holds);
        let feature = self.pick.below(value.dims.len());
        let count = value.dims[feature];
        let positive = |writer: &mut Self| {
            let text = writer.elements(value.element, &[count], |writer, _| {
                format!("{:.2}", writer.pick.between(1, 9) as f64 / 4.0)
            });
            writer.constant_text(&text, value.element, vec![count])
        };
        let (scale, offset) = (positive(self), positive(self));
        let attributes = format!("epsilon = 1.0e-3 : f32, feature_index = {feature} : i64");
        let per_feature = (value.element, vec![count], Precision::Summed);
        let whole = (value.element, value.dims.clone(), Precision::Summed);
        match self.pick.below(3) {
            0 => {
                let (mean, variance) = (positive(self), positive(self));
                let operands = [&value, &scale, &offset, &mean, &variance];
                let name = "batch_norm_inference";
                self.emit_all(name, &operands, &attributes, "", vec![whole]);
            }
            1 => {
                let (mean, variance) = (positive(self), positive(self));
                let gradient = self.like(&value);
                let operands = [&value, &scale, &mean, &variance, &gradient];
                let results = vec![whole, per_feature.clone(), per_feature];
                self.emit_all("batch_norm_grad", &operands, &attributes, "", results);
            }
            _ => {
                let operands = [&value, &scale, &offset];
                let results = vec![whole, per_feature.clone(), per_feature];
                self.emit_all("batch_norm_training", &operands, &attributes, "", results);
            }
        }
    }

    pub(super) fn rng_bit_generator(&mut self) {
        let (algorithm, size) = *self.pick.one(&[
            ("THREE_FRY", 2),
            ("PHILOX", 2),
            ("PHILOX", 3),
            ("DEFAULT", 2),
        ]);
        let element = *self.pick.one(&["ui8", "ui16", "ui32", "ui64", "i32", "i64"]);
        let state = self.constant_of("ui64", vec![size]);
        let dims = self.dims();
        let attributes = format!("rng_algorithm = #stablehlo<rng_algorithm {algorithm}>");
        let exact = Precision::Exact;
        let results = vec![("ui64", vec![size], exact), (element, dims, exact)];
        self.emit_all("rng_bit_generator", &[&state], &attributes, "", results);
    }
}
