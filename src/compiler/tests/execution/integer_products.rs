//! Products of small integers, which processors make of pairs.

use halo_core::Literal;

/// All pairs of extremes meet, at which sums of 32 bits wrap around.
#[test]
fn products_of_small_integers_are_exact() {
    const SIZE: usize = 66;
    let extremes = [i16::MIN, i16::MAX, 0, -1, 1, -12_345];
    let number = |index: usize| extremes[index * index / 7 % extremes.len()];
    let numbers: Vec<i16> = (0..SIZE * SIZE).map(number).collect();
    // Rows and columns of the least number meet once.
    let numbers: Vec<i16> = (numbers.iter().enumerate())
        .map(|(index, number)| if index < SIZE { i16::MIN } else { *number })
        .collect();
    let bytes: Vec<i8> = numbers.iter().map(|number| (number >> 8) as i8).collect();
    let unsigned: Vec<u8> = bytes.iter().map(|number| number.cast_unsigned()).collect();
    let product = |lhs: &dyn Fn(usize, usize) -> i32, rhs: &dyn Fn(usize, usize) -> i32| {
        let element = |index: usize| {
            let (row, column) = (index / SIZE, index % SIZE);
            (0..SIZE).fold(0_i32, |sum, k| {
                sum.wrapping_add(lhs(row, k).wrapping_mul(rhs(k, column)))
            })
        };
        (0..SIZE * SIZE).map(element).collect::<Vec<i32>>()
    };
    let shape = [SIZE, SIZE];
    let words = |row: usize, column: usize| i32::from(numbers[row * SIZE + column]);
    let signed = |row: usize, column: usize| i32::from(bytes[row * SIZE + column]);
    let counts = |row: usize, column: usize| i32::from(unsigned[row * SIZE + column]);
    let expected = [
        // Rows of both: the second operand is read across.
        product(&words, &|k, column| words(column, k)),
        product(&counts, &signed),
        product(&|row, k| counts(k, row), &counts),
    ];
    let code = "
func.func @main(%w: tensor<66x66xi16>, %s: tensor<66x66xi8>, %u: tensor<66x66xui8>)
    -> (tensor<66x66xi32>, tensor<66x66xi32>, tensor<66x66xi32>) {
  %0 = stablehlo.dot_general %w, %w, contracting_dims = [1] x [1]
    : (tensor<66x66xi16>, tensor<66x66xi16>) -> tensor<66x66xi32>
  %1 = stablehlo.dot_general %u, %s, contracting_dims = [1] x [0]
    : (tensor<66x66xui8>, tensor<66x66xi8>) -> tensor<66x66xi32>
  %2 = stablehlo.dot_general %u, %u, contracting_dims = [0] x [0]
    : (tensor<66x66xui8>, tensor<66x66xui8>) -> tensor<66x66xi32>
  return %0, %1, %2 : tensor<66x66xi32>, tensor<66x66xi32>, tensor<66x66xi32>
}";
    let inputs = [
        Literal::from_slice(&shape, &numbers).unwrap(),
        Literal::from_slice(&shape, &bytes).unwrap(),
        Literal::from_slice(&shape, &unsigned).unwrap(),
    ];
    let expected = expected.map(|values| Literal::from_slice(&shape, &values).unwrap());
    for outputs in super::run(code, &inputs) {
        assert_eq!(outputs, expected);
    }
}
