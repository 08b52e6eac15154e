//! Scales of charts.

/// A logarithmic scale: values to places.
#[derive(Clone, Copy, Debug)]
pub struct Logarithmic {
    /// Powers of ten at the ends.
    first: f64,
    last: f64,
    /// Places of the ends.
    from: f64,
    to: f64,
}

impl Logarithmic {
    /// A scale that has all values above zero in it, and ends at 1, 2 or 5 times a power of
    /// ten.
    pub fn around(values: impl Iterator<Item = f64>, (from, to): (f64, f64)) -> Self {
        let values = values.filter(|value| *value > 0.0 && value.is_finite());
        let powers = values.map(f64::log10);
        let (least, most) = powers.fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), it| {
            (least.min(it), most.max(it))
        });
        let (first, last) = match least <= most {
            true => (
                round(least, false),
                round(most, true).max(round(least, false) + 1.0),
            ),
            false => (0.0, 1.0),
        };
        Self {
            first,
            last,
            from,
            to,
        }
    }

    pub fn place(&self, value: f64) -> f64 {
        let part = (value.max(1e-300).log10() - self.first) / (self.last - self.first);
        self.from + part.clamp(0.0, 1.0) * (self.to - self.from)
    }

    /// The ends, as values.
    pub fn ends(&self) -> (f64, f64) {
        (10_f64.powf(self.first), 10_f64.powf(self.last))
    }

    /// The powers of ten and their places.
    pub fn ticks(&self) -> Vec<(f64, String)> {
        let powers = self.first.ceil() as i32..=self.last.floor() as i32;
        powers
            .map(|power| (self.place(10_f64.powi(power)), decade(power)))
            .collect()
    }
}

/// The power of ten of the next number above or below that is 1, 2 or 5 times one.
fn round(power: f64, is_up: bool) -> f64 {
    let steps = [0.0, 2_f64.log10(), 5_f64.log10(), 1.0].map(|step| power.floor() + step);
    let [first, .., last] = steps;
    match is_up {
        true => steps
            .into_iter()
            .find(|step| *step >= power - 1e-9)
            .unwrap_or(last),
        false => steps
            .into_iter()
            .rfind(|step| *step <= power + 1e-9)
            .unwrap_or(first),
    }
}

fn decade(power: i32) -> String {
    match power {
        -3..0 => format!("{:.*}", power.unsigned_abs() as usize, 10_f64.powi(power)),
        0..5 => format!("{}", 10_i64.pow(power.unsigned_abs())),
        _ => format!("1e{power}"),
    }
}

/// The steps of a linear axis from zero: at most so many, of 1, 2 or 5 times a power of ten.
pub fn steps(most: f64, count: usize) -> Vec<f64> {
    if most.is_nan() || most <= 0.0 || count == 0 {
        return Vec::new();
    }
    let rough = most / count as f64;
    let power = 10_f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|factor| factor * power);
    let step = step
        .into_iter()
        .find(|step| *step >= rough)
        .unwrap_or(rough);
    (0..=count)
        .map(|number| number as f64 * step)
        .filter(|place| *place <= most)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scales_end_at_round_numbers() {
        let scale = Logarithmic::around([0.1, 90.0, 0.0].into_iter(), (0.0, 300.0));
        assert_eq!(scale.ends(), (0.1, 100.0));
        assert!((scale.place(1.0) - 100.0).abs() < 1e-9);
        let ticks: Vec<String> = scale.ticks().into_iter().map(|(_, text)| text).collect();
        assert_eq!(ticks, ["0.1", "1", "10", "100"]);
        let (least, most) = Logarithmic::around([0.3, 40.0].into_iter(), (0.0, 1.0)).ends();
        assert!((least - 0.2).abs() < 1e-9 && (most - 50.0).abs() < 1e-9);
        // One value, and none.
        assert_eq!(
            Logarithmic::around([10.0].into_iter(), (0.0, 1.0)).ends(),
            (10.0, 100.0)
        );
        assert_eq!(
            Logarithmic::around([].into_iter(), (0.0, 1.0)).ends(),
            (1.0, 10.0)
        );
    }

    #[test]
    fn steps_are_round() {
        assert_eq!(steps(10.0, 5), [0.0, 2.0, 4.0, 6.0, 8.0, 10.0]);
        assert_eq!(steps(7.0, 4), [0.0, 2.0, 4.0, 6.0]);
        assert!(steps(0.0, 4).is_empty());
    }
}
