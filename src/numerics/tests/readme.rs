//! The example of the README.

use halo_numerics::linear_algebra::Number;

fn main() {
    // The eigenvalues of [[2, 1], [1, 2]], a matrix by columns, are 1 and 3.
    let mut matrix = [2.0f64, 1.0, 1.0, 2.0];
    let mut values = [0.0; 2];
    f64::symmetric_eigen(&mut matrix, &mut values, true).expect("the iteration converges");
    assert!((values[0] - 1.0).abs() < 1e-12 && (values[1] - 3.0).abs() < 1e-12);
}
