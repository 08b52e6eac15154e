use super::*;
use crate::SEQUENTIAL;

/// A thread for each range.
fn threads(count: i64, grain: i64, body: &(dyn Fn(i64, i64) + Sync)) {
    std::thread::scope(|scope| {
        for begin in (0..count).step_by(grain as usize) {
            scope.spawn(move || body(begin, (begin + grain).min(count)));
        }
    });
}

fn real(values: &[f64]) -> Vec<Complex<f64>> {
    values.iter().map(|value| Complex::new(*value, 0.0)).collect()
}

#[track_caller]
fn near(actual: &[Complex<f64>], expected: &[(f64, f64)]) {
    assert_eq!(actual.len(), expected.len());
    for (actual, (re, im)) in actual.iter().zip(expected) {
        assert!((actual - Complex::new(*re, *im)).norm() < 1e-12, "{actual}");
    }
}

/// numpy.fft.fft([1, 2, 3]), twice.
#[test]
fn signals_lie_one_after_the_other() {
    let transform = Transform::new(Kind::Forward, &[3]);
    let signals = real(&[1.0, 2.0, 3.0, 1.0, 2.0, 3.0]);
    let mut result = real(&[0.0; 6]);
    transform.transform(&signals, &mut result, SEQUENTIAL);
    let root = 3_f64.sqrt() / 2.0;
    let one = [(6.0, 0.0), (-1.5, root), (-1.5, -root)];
    near(&result, &[one, one].concat());
    let mut back = real(&[0.0; 6]);
    Transform::new(Kind::Inverse, &[3]).transform(&result, &mut back, SEQUENTIAL);
    near(&back[3..], &[(1.0, 0.0), (2.0, 0.0), (3.0, 0.0)]);
}

/// numpy.fft.rfft2([[1, 2, 3], [4, 5, 7]])
#[test]
fn real_signals_of_two_dimensions() {
    let signal = [1.0, 2.0, 3.0, 4.0, 5.0, 7.0];
    let mut result = real(&[0.0; 4]);
    let transform = Transform::new(Kind::FromReal, &[2, 3]);
    transform.transform_real(&signal, &mut result, SEQUENTIAL);
    let root = 3_f64.sqrt() / 2.0;
    near(
        &result,
        &[(22.0, 0.0), (-3.5, 3.0 * root), (-10.0, 0.0), (0.5, -root)],
    );
    let mut back = [0.0; 6];
    Transform::new(Kind::ToReal, &[2, 3]).transform_to_real(&result, &mut back, SEQUENTIAL);
    assert!(back.iter().zip(signal).all(|(a, b)| (a - b).abs() < 1e-12));
}

/// numpy.fft.irfft([1 + 5j, 2 + 3j, 4 + 7j], 4) = [2.25, -2.25, 0.25, 0.75]: the imaginary parts of
/// the first and the last number are ignored.
#[test]
fn conjugates_of_themselves_are_real() {
    let signal = [(1.0, 5.0), (2.0, 3.0), (4.0, 7.0)].map(|(re, im)| Complex::new(re, im));
    let mut result = [0.0; 4];
    Transform::new(Kind::ToReal, &[4]).transform_to_real(&signal, &mut result, SEQUENTIAL);
    assert_eq!(result, [2.25, -2.25, 0.25, 0.75]);
}

/// A wave of frequency `f` has one nonzero number in its transform.
fn wave(length: usize, frequency: usize) -> Vec<Complex<f64>> {
    let turn = std::f64::consts::TAU / length as f64;
    let at = |index: usize| (index * frequency % length) as f64 * turn;
    (0..length).map(|index| Complex::from_polar(1.0, at(index))).collect()
}

/// The product of two waves, along dimensions larger than the work of one thread.
#[test]
fn planes_are_transformed_on_threads() {
    let (rows, columns) = (192, 160);
    let (down, across) = (wave(rows, 7), wave(columns, 31));
    let plane: Vec<_> = down
        .iter()
        .flat_map(|down| across.iter().map(move |across| down * across))
        .collect();
    let mut result = real(&vec![0.0; plane.len()]);
    Transform::new(Kind::Forward, &[rows, columns]).transform(&plane, &mut result, &threads);
    for (number, value) in result.iter().enumerate() {
        let is_peak = number == 7 * columns + 31;
        let expected = if is_peak {
            (rows * columns) as f64
        } else {
            0.0
        };
        assert!((value - expected).norm() < 1e-6, "{number}: {value}");
    }
    let mut back = real(&vec![0.0; plane.len()]);
    Transform::new(Kind::Inverse, &[rows, columns]).transform(&result, &mut back, &threads);
    assert!(back.iter().zip(&plane).all(|(a, b)| (a - b).norm() < 1e-12));
}

#[test]
fn nothing_is_transformed_to_nothing() {
    let transform = |kind, lengths: &[usize]| Transform::<f32>::new(kind, lengths);
    transform(Kind::Forward, &[0]).transform(&[], &mut [], SEQUENTIAL);
    transform(Kind::Forward, &[0, 3]).transform(&[], &mut [], SEQUENTIAL);
    transform(Kind::FromReal, &[0]).transform_real(&[], &mut [], SEQUENTIAL);
    transform(Kind::ToReal, &[2, 0]).transform_to_real(&[], &mut [], SEQUENTIAL);
}
