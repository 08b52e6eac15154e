//! Remainders of floats, exact for every pair of arguments.

use super::run;

/// Numbers by `numpy.fmod`. The quotient of the first pair has 2098 digits.
#[test]
fn remainders_are_exact() {
    let code = "func.func @main() -> (tensor<8xf64>, tensor<6xf32>) {
           %a = stablehlo.constant dense<[1.7976931348623157e308, -1.0e300, 5.5, -5.5, 1.0, 0x7FF0000000000000, 3.0, -0.0]> : tensor<8xf64>
           %b = stablehlo.constant dense<[4.9406564584124654e-324, 3.0, -2.0, 0x7FF0000000000000, 0.0, 2.0, 0x7FF8000000000000, 1.0]> : tensor<8xf64>
           %0 = stablehlo.remainder %a, %b : tensor<8xf64>
           %c = stablehlo.constant dense<[3.0e38, 1.0e10, -7.25, 1.0e-45, 0.3, 16777216.0]> : tensor<6xf32>
           %d = stablehlo.constant dense<[0.1, 0.3, 2.0, 2.0, 0.1, 3.0]> : tensor<6xf32>
           %1 = stablehlo.remainder %c, %d : tensor<6xf32>
           return %0, %1 : tensor<8xf64>, tensor<6xf32>
         }";
    let nan = f64::NAN;
    let double = [0.0, -0.0, 1.5, -5.5, nan, nan, nan, -0.0];
    let single = [
        0.079_594_81_f32,
        0.235_717_3,
        -1.25,
        1e-45,
        7.450_581e-9,
        1.0,
    ];
    for outputs in run(code, &[]) {
        let values = outputs[0].as_slice::<f64>().unwrap();
        for (value, expected) in values.iter().zip(double) {
            let alike =
                value.to_bits() == expected.to_bits() || (value.is_nan() && expected.is_nan());
            assert!(alike, "{value} is not {expected}");
        }
        assert_eq!(outputs[1].as_slice::<f32>().unwrap(), single);
    }
}
