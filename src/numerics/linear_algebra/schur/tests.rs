//! The expected numbers are from jax.scipy.linalg.schur on a CPU.

use num_complex::Complex;

use crate::linear_algebra::Number;
use crate::linear_algebra::testing::{
    TestNumber, Wide, adjoint, assert_near, identity, product, random, wide,
};

/// Fails unless `a = z t z^H` with a unitary `z`, and `t` has LAPACK's format; returns `t`, `z` and
/// the eigenvalues.
#[track_caller]
fn check<T: TestNumber>(a: &[T], size: usize, tolerance: f64) -> [Vec<Wide>; 3]
where
    Complex<T::Real>: TestNumber,
{
    let zero = T::of(Wide::default());
    let (mut t, mut z) = (a.to_vec(), vec![zero; size * size]);
    let none = <Complex<T::Real> as TestNumber>::of(Wide::default());
    let mut values = vec![none; size];
    assert_eq!(T::schur(&mut t, &mut values, Some(&mut z)), Ok(()));
    let mut alone = a.to_vec();
    assert_eq!(T::schur(&mut alone, &mut vec![none; size], None), Ok(()));
    let (t, z, values) = (wide(&t), wide(&z), wide(&values));
    assert_eq!(t, wide(&alone));
    let tolerance = tolerance * (size.max(1) as f64).sqrt();
    let left = product(&z, &t, size, size);
    assert_near(
        &product(&left, &adjoint(&z, size), size, size),
        &wide(a),
        tolerance,
    );
    assert_near(
        &product(&adjoint(&z, size), &z, size, size),
        &identity(size),
        tolerance,
    );
    for column in 0..size {
        for row in column + 1..size {
            let below = t[column * size + row];
            if below == Wide::default() {
                continue;
            }
            assert!(
                row == column + 1 && below.im == 0.0,
                "{row}, {column}: {below}"
            );
            assert_eq!(T::of(Wide::i()).wide(), Wide::default(), "{row}: {below}");
            assert_eq!(t[column * size + column], t[row * size + row]);
            let above = t[row * size + column];
            assert!(above.re.signum() != below.re.signum(), "{above}, {below}");
            assert_eq!(values[row], values[column].conj());
            assert!(values[column].im > 0.0);
            if row + 1 < size {
                assert_eq!(t[row * size + row + 1], Wide::default());
            }
        }
        assert!((t[column * size + column] - values[column]).re.abs() <= 0.0);
    }
    [t, z, values]
}

#[test]
fn random_matrices() {
    fn all<T: TestNumber>()
    where
        Complex<T::Real>: TestNumber,
    {
        for size in [0, 1, 2, 3, 4, 5, 8, 17, 40] {
            for seed in 1..3 {
                check::<T>(&random(size * size, seed), size, 10.0 * T::TOLERANCE);
            }
        }
    }
    all::<f32>();
    all::<f64>();
    all::<Complex<f32>>();
    all::<Complex<f64>>();
    check::<f64>(&random(10_000, 7), 100, 1e-12);
    check::<Wide>(&random(10_000, 7), 100, 1e-12);
}

#[test]
fn the_numbers_of_jax() {
    let a = [
        1.0, 5.0, 9.0, 4.0, 2.0, 6.0, 1.0, 5.0, 3.0, 7.0, 2.0, 7.0, 4.0, 8.0, 3.0, 6.0,
    ];
    let [t, z, values] = check(&a, 4, 1e-13);
    let rows = [
        [
            17.749298194600634,
            -3.513930421976063,
            0.840303740304142,
            6.84020842993489,
        ],
        [
            0.0,
            -1.900016728296594,
            3.962299392526583,
            -4.87803924206554,
        ],
        [
            0.0,
            -0.550407439615499,
            -1.900016728296594,
            1.413485567169521,
        ],
        [0.0, 0.0, 0.0, 1.05073526199256],
    ];
    let expected: Vec<Wide> = rows.concat().into_iter().map(Wide::from).collect();
    assert_near(&t, &adjoint(&expected, 4), 1e-13);
    let rows = [
        [
            0.277958972191276,
            0.103386865879436,
            -0.635427869441662,
            0.712938558698312,
        ],
        [
            0.699369520998284,
            -0.005540007160688,
            -0.376568310291135,
            -0.607493118564949,
        ],
        [
            0.313548851267856,
            -0.891982240724784,
            0.239551452313467,
            0.220612560373862,
        ],
        [
            0.57905802882406,
            0.4400547085487,
            0.630113348625323,
            0.272030918505038,
        ],
    ];
    let expected: Vec<Wide> = rows.concat().into_iter().map(Wide::from).collect();
    assert_near(&z, &adjoint(&expected, 4), 1e-12);
    let pair = Wide::new(-1.900016728296594, 1.476779964527757);
    let expected = [
        17.749298194600634.into(),
        pair,
        pair.conj(),
        1.05073526199256.into(),
    ];
    assert_near(&values, &expected, 1e-13);
}

#[test]
fn complex_numbers_of_jax() {
    let row = |number: usize| {
        [
            [1.0, 2.0, 3.0, 4.0],
            [5.0, 6.0, 7.0, 8.0],
            [9.0, 1.0, 2.0, 3.0],
            [4.0, 5.0, 7.0, 6.0],
        ][number]
    };
    let element =
        |index: usize| Wide::new(row(index % 4)[index / 4], row(index / 4)[3 - index % 4]);
    let a: Vec<Wide> = (0..16).map(element).collect();
    let [t, _, values] = check(&a, 4, 1e-13);
    let expected = [
        Wide::new(19.095821577729353, 19.379228650256703),
        Wide::new(-4.374941259004298, 3.021532321923242),
        Wide::new(-1.501378571622101, -4.434437459908263),
        Wide::new(1.780498252897053, -1.966323512271679),
    ];
    assert_near(&values, &expected, 1e-13);
    // Its phase is open.
    assert!((t[4].norm() - Wide::new(0.717606952747309, -2.469584009739056).norm()).abs() < 1e-12);
}

#[test]
fn matrices_that_split() {
    // A permuted triangular matrix needs no iteration, and has exact eigenvalues.
    let lower = [1.0, 7.0, -3.0, 0.0, 2.0, 5.0, 0.0, 0.0, 3.0];
    let [_, _, values] = check(&lower, 3, 1e-15);
    assert_eq!(values, [3.0.into(), 2.0.into(), 1.0.into()]);
    check(&[0.0; 25], 5, 1e-15);
    check(&[Complex::new(0.0_f32, 0.0); 9], 3, 1e-6);
    // A cycle of ones, on which a QR step without an exceptional shift makes no progress.
    for size in [2, 3, 4, 7, 12] {
        let element = |index: usize| f64::from(u8::from(index % size == (index / size + 1) % size));
        let cycle: Vec<f64> = (0..size * size).map(element).collect();
        check(&cycle, size, 1e-13);
        let cycle: Vec<Wide> = cycle.into_iter().map(Wide::from).collect();
        check(&cycle, size, 1e-13);
    }
    // Equal eigenvalues that are not separated by rotations.
    let mut jordan = identity(6);
    for number in 1..6 {
        jordan[number * 6 + number - 1] = Wide::from(1.0);
        jordan[(number - 1) * 6 + number] = Wide::from(1e-17);
    }
    check(
        &jordan.iter().map(|value| value.re).collect::<Vec<f64>>(),
        6,
        1e-13,
    );
    check(&jordan, 6, 1e-13);
}

#[test]
fn large_and_small_numbers() {
    for scale in [1e-290, 1e290] {
        let a: Vec<f64> = random::<f64>(36, 5).into_iter().map(|value| value * scale).collect();
        check(&a, 6, 1e-12);
        let a: Vec<Wide> = random::<Wide>(36, 5).into_iter().map(|value| value * scale).collect();
        check(&a, 6, 1e-12);
    }
}

#[test]
fn what_is_not_finite_has_no_form() {
    for value in [f64::NAN, f64::INFINITY] {
        let mut a = random::<f64>(9, 1);
        a[4] = value;
        assert_eq!(f64::schur(&mut a, &mut [Wide::default(); 3], None), Err(3));
    }
}

#[test]
fn hessenberg_forms_of_parts() {
    fn all<T: TestNumber>() {
        for (size, active) in [
            (1, 0..1),
            (2, 0..2),
            (6, 0..6),
            (6, 1..4),
            (6, 2..6),
            (30, 0..30),
        ] {
            let mut a = random::<T>(size * size, 3);
            for column in 0..size {
                for row in column + 1..size {
                    if !(active.contains(&row) && active.contains(&column)) {
                        a[column * size + row] = T::from_f64(0.0);
                    }
                }
            }
            let (mut h, mut taus) = (a.clone(), vec![T::from_f64(9.0); size - 1]);
            T::hessenberg(&mut h, size, active.clone(), &mut taus);
            let mut q = identity(size);
            for column in (active.start..active.end - 1).rev() {
                let mut v = vec![Wide::default(); size];
                v[column + 1] = 1.0.into();
                for row in column + 2..active.end {
                    v[row] = h[column * size + row].wide();
                    h[column * size + row] = T::from_f64(0.0);
                }
                let inner = product(&adjoint(&v, size), &q, 1, size);
                let change = product(&v, &inner, size, 1);
                let tau = taus[column].wide();
                q.iter_mut().zip(change).for_each(|(q, change)| *q -= tau * change);
            }
            let left = product(&q, &wide(&h), size, size);
            let back = product(&left, &adjoint(&q, size), size, size);
            assert_near(&back, &wide(&a), 10.0 * T::TOLERANCE);
            for (number, tau) in taus.iter().enumerate() {
                let within = (active.start..active.end - 1).contains(&number);
                assert!(within || tau.wide() == Wide::default());
            }
        }
    }
    all::<f32>();
    all::<f64>();
    all::<Complex<f32>>();
    all::<Complex<f64>>();
}
