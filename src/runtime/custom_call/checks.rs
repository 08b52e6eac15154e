//! Functions by which programs check themselves: the checks of StableHLO's tests, and the
//! assertions that exporters emit about shapes.

use halo_core::compare::{Comparison, Rule, Tolerance, compare};

use super::{CustomCall, CustomCallRegistry, CustomCallSite, View};

/// The default tolerance of `check.expect_close`.
const DEFAULT_MAX_ULP: u64 = 3;
/// The default tolerance of `check.expect_almost_eq`.
const DEFAULT_TOLERANCE: f64 = 1e-3;

/// Adds the functions. Those named `check.*` compare their first operand with the
/// second; NaN equals NaN, and zeros of either sign are equal.
pub(super) fn register(registry: &mut CustomCallRegistry) {
    registry.register("check.expect_eq", |call| expect(call, Rule::EXACT));
    registry.register("check.expect_close", expect_close);
    registry.register("check.expect_almost_eq", |call| {
        let tolerance = number(call.site, "tolerance")?;
        let tolerance = tolerance.unwrap_or(DEFAULT_TOLERANCE);
        expect(call, Rule::new(Tolerance::Absolute(tolerance)))
    });
    registry.register("check.eq", eq);
    registry.register("shape_assertion", shape_assertion);
}

fn comparison(call: &CustomCall<'_>, rule: Rule) -> Result<Comparison, String> {
    let [actual, expected, ..] = &call.operands[..] else {
        return Err(format!(
            "two values are compared, but {} given",
            call.operands.len()
        ));
    };
    compare(&actual.to_literal()?, &expected.to_literal()?, rule).map_err(|error| error.to_string())
}

fn expect(call: &CustomCall<'_>, rule: Rule) -> Result<(), String> {
    let comparison = comparison(call, rule)?;
    if comparison.passed() {
        Ok(())
    } else {
        Err(comparison.to_string())
    }
}

/// The distance in units in the last place is at most `max_ulp_difference`
/// everywhere, and at least `min_ulp_difference` at the worst element. The
/// limits are attributes, or else scalar operands after the values, in this
/// order.
fn expect_close(call: &mut CustomCall<'_>) -> Result<(), String> {
    let limit = |name: &str, operand: usize| -> Result<Option<u64>, String> {
        if let Some(limit) = integer(call.site, name)? {
            return Ok(Some(limit));
        }
        match call.operands.get(operand) {
            Some(view) if view.shape.element_count() == 1 => {
                Ok(Some(view.to_literal()?.get_i128(0) as u64))
            }
            Some(view) => Err(format!("{name} is not a scalar but {}", view.shape)),
            None => Ok(None),
        }
    };
    let max = limit("max_ulp_difference", 2)?.unwrap_or(DEFAULT_MAX_ULP);
    let min = limit("min_ulp_difference", 3)?.unwrap_or(0);
    let comparison = comparison(call, Rule::ulp(max))?;
    let worst = comparison.worst.as_ref().map_or(0, |worst| worst.ulp);
    if !comparison.passed() {
        Err(comparison.to_string())
    } else if worst < min {
        Err(format!("{comparison}; at least {min} ULP were expected"))
    } else {
        Ok(())
    }
}

/// Checks equality: integers exactly, floats within 1e-4.
fn eq(call: &mut CustomCall<'_>) -> Result<(), String> {
    let equal = comparison(call, Rule::new(Tolerance::Absolute(1e-4)))?.passed();
    match &mut call.results[..] {
        [result] if result.shape.element_type().is_boolean() => {
            result.bytes.fill(u8::from(equal));
            Ok(())
        }
        _ => Err("the result of a comparison is one i1".to_owned()),
    }
}

/// The first operand must hold. `{N}` in the message represents operand `N + 1`.
fn shape_assertion(call: &mut CustomCall<'_>) -> Result<(), String> {
    let [condition, values @ ..] = &call.operands[..] else {
        return Err("there is no condition".to_owned());
    };
    let scalar = |view: &View<'_>| match view.shape.element_count() {
        1 => Ok(view.to_literal()?),
        _ => Err(format!("an operand is not a scalar but {}", view.shape)),
    };
    if scalar(condition)?.get_bool(0) {
        return Ok(());
    }
    let mut message = call.site.backend_config.clone();
    for (number, view) in values.iter().enumerate() {
        let value = scalar(view)?.get_i128(0).to_string();
        message = message.replace(&format!("{{{number}}}"), &value);
    }
    Err(message)
}

/// The integer in an attribute of a name, or in the text of a program. Unsigned 64-bit numbers may
/// have been printed as signed ones.
fn integer(site: &CustomCallSite, name: &str) -> Result<Option<u64>, String> {
    if site.attributes.0.contains_key(name) {
        return Ok(Some(site.attributes.integer(name)? as u64));
    }
    entry(&site.backend_config, name)
        .map(|text| match text.parse::<i128>() {
            Ok(value) => Ok(value as u64),
            Err(_) => Err(format!("{name} is not an integer but {text}")),
        })
        .transpose()
}

/// The number in an attribute of a name, or in the text of a program.
fn number(site: &CustomCallSite, name: &str) -> Result<Option<f64>, String> {
    if let Some(attribute) = site.attributes.0.get(name) {
        let number = attribute.float();
        let number = number.ok_or_else(|| format!("attribute '{name}' is not a float"))?;
        return Ok(Some(number));
    }
    let bits = |text: &str| u64::from_str_radix(text.strip_prefix("0x")?, 16).ok();
    entry(&site.backend_config, name)
        .map(|text| match (text.parse(), bits(text)) {
            (Ok(value), _) => Ok(value),
            // MLIR writes infinities and NaN as their bits.
            (_, Some(bits)) => Ok(f64::from_bits(bits)),
            _ => Err(format!("{name} is not a number but {text}")),
        })
        .transpose()
}

/// The text of the number under a name in a dictionary in the syntax of MLIR or JSON.
fn entry<'a>(config: &'a str, name: &str) -> Option<&'a str> {
    let (_, after) = config.split_once(name)?;
    let after = after.trim_start_matches(['"', ' ']);
    let value = after.strip_prefix(['=', ':'])?.trim_start();
    let end = value
        .find(|c: char| !c.is_ascii_alphanumeric() && !"+-.".contains(c))
        .unwrap_or(value.len());
    value.get(..end)
}

#[cfg(test)]
mod tests {
    use super::super::{Attribute, Attributes};
    use super::*;
    use crate::Result;
    use halo_core::{ElementType, Literal, NativeType, Scalar};

    fn site(target: &str, config: &str, operands: &[Literal]) -> CustomCallSite {
        let results = match target {
            "check.eq" => vec!["tensor<i1>".parse().unwrap()],
            _ => Vec::new(),
        };
        let operands = operands.iter().map(|o| o.shape().clone()).collect();
        CustomCallSite {
            backend_config: config.to_owned(),
            location: "a.mlir:5:3".to_owned(),
            ..CustomCallSite::new(target, operands, results)
        }
    }

    fn call_with(target: &str, config: &str, operands: &[Literal]) -> Result<Vec<Literal>> {
        CustomCallRegistry::default().call(&site(target, config, operands), operands)
    }

    fn call<T: NativeType>(target: &str, config: &str, left: &[T], right: &[T]) -> Result<()> {
        let literal = |elements: &[T]| Literal::from_slice(&[elements.len()], elements).unwrap();
        call_with(target, config, &[literal(left), literal(right)]).map(|_| ())
    }

    #[test]
    fn exact() {
        call("check.expect_eq", "", &[1, 2], &[1, 2]).unwrap();
        call("check.expect_eq", "", &[f32::NAN], &[f32::NAN]).unwrap();
        let error = call("check.expect_eq", "", &[1, 2], &[1, 3]).unwrap_err();
        assert_eq!(
            error.to_string(),
            "a.mlir:5:3: error: @check.expect_eq: 1 of 2 elements differ (exact); \
             worst at [1]: 2, expected 3 (off by 1e0)"
        );
    }

    #[test]
    fn units_in_the_last_place() {
        let off = |ulps| [f32::from_bits(1.0_f32.to_bits() + ulps)];
        let close =
            |config: &str, ulps| call("check.expect_close", config, &off(ulps), &[1.0]).is_ok();
        assert!(close("", 3) && !close("", 4));
        let both = "{max_ulp_difference = 5 : i64, min_ulp_difference = 2 : i64}";
        assert!(!close(both, 1) && close(both, 2) && close(both, 5) && !close(both, 6));
        assert!(close("{\"max_ulp_difference\": 7}", 7));
        assert!(!close("max_ulp_difference=0", 1));
        // All of u64, as MLIR prints it for a signless attribute.
        let all = "{max_ulp_difference = -1 : i64}";
        call("check.expect_close", all, &[f32::INFINITY], &[f32::NAN]).unwrap();
    }

    /// The encoding of ops of the dialect `check`.
    #[test]
    fn limits_may_be_attributes() {
        let call = |target: &str, name: &str, value: Attribute, right: f64| {
            let operands = [Literal::scalar(right), Literal::scalar(1.0_f64)];
            let site = CustomCallSite {
                attributes: Attributes([(name.to_owned(), value)].into()),
                ..site(target, "", &operands)
            };
            CustomCallRegistry::default().call(&site, &operands)
        };
        let integer = |value| Attribute::Number(ElementType::Ui64, Scalar::Int(value));
        let far = |ulps: u64| f64::from_bits(1.0_f64.to_bits() + ulps);
        let close = |limit, ulps| {
            call(
                "check.expect_close",
                "max_ulp_difference",
                integer(limit),
                far(ulps),
            )
            .is_ok()
        };
        assert!(close(5, 5) && !close(5, 6) && !close(0, 1));
        let float = |value| Attribute::Number(ElementType::F64, Scalar::Float(value));
        let almost = |value, right| call("check.expect_almost_eq", "tolerance", value, right);
        assert!(almost(float(0.5), 1.5).is_ok());
        assert!(almost(float(0.5), 1.75).is_err());
        let error = almost(integer(1), 1.0).unwrap_err().to_string();
        assert!(
            error.ends_with("attribute 'tolerance' is not a float"),
            "{error}"
        );
    }

    #[test]
    fn limits_may_be_operands() {
        let operands = |ulps, max: i64, min: i64| {
            [
                Literal::scalar(f64::from_bits(1.0_f64.to_bits() + ulps)),
                Literal::scalar(1.0_f64),
                Literal::scalar(max),
                Literal::scalar(min),
            ]
        };
        let close =
            |ulps, max, min| call_with("check.expect_close", "", &operands(ulps, max, min)).is_ok();
        assert!(close(5, 5, 5) && !close(6, 5, 5) && !close(4, 5, 5));
    }

    #[test]
    fn almost_equal() {
        let almost = |a, b| call("check.expect_almost_eq", "", &[a], &[b]).is_ok();
        assert!(almost(1.0_f32, 1.0009) && !almost(1.0, 1.0011));
        assert!(almost(f32::INFINITY, f32::INFINITY) && !almost(f32::MAX, f32::INFINITY));
        let almost = |tolerance: &str, a, b| {
            let config = format!("{{tolerance = {tolerance} : f64}}");
            call("check.expect_almost_eq", &config, &[a], &[b])
        };
        assert!(almost("5.000000e-01", 1.0, 1.5).is_ok());
        assert!(almost("5.000000e-01", 1.0, 1.75).is_err());
        assert!(almost("0x7FF0000000000000", 1.0, 1e9).is_ok());
        let error = almost("[]", 1.0, 1.0).unwrap_err().to_string();
        assert!(error.ends_with("tolerance is not a number but "), "{error}");
    }

    #[test]
    fn equality_as_a_value() {
        let equal =
            |a: Literal, b: Literal| call_with("check.eq", "", &[a, b]).unwrap()[0].get_bool(0);
        assert!(equal(Literal::scalar(3), Literal::scalar(3)));
        assert!(!equal(Literal::scalar(3), Literal::scalar(4)));
        assert!(equal(
            Literal::scalar(1.0_f32),
            Literal::scalar(1.00009_f32)
        ));
        assert!(!equal(
            Literal::scalar(1.0_f32),
            Literal::scalar(1.00011_f32)
        ));
    }

    #[test]
    fn assertions_of_shapes_put_values_into_their_message() {
        let assert = |holds: bool, size: i32| {
            let shape = "tensor<i1>".parse().unwrap();
            let holds = Literal::from_bytes(shape, &[u8::from(holds)]).unwrap();
            let operands = [holds, Literal::scalar(size)];
            call_with("shape_assertion", "size {0} is not even", &operands)
        };
        assert!(assert(true, 3).is_ok());
        assert_eq!(
            assert(false, 3).unwrap_err().to_string(),
            "a.mlir:5:3: error: @shape_assertion: size 3 is not even"
        );
        assert!(call_with("shape_assertion", "", &[]).is_err());
    }

    #[test]
    fn misuse_is_an_error() {
        let one = [Literal::scalar(1)];
        assert!(call_with("check.expect_eq", "", &one).is_err());
        let shapes = [Literal::scalar(1), Literal::scalar(1.0_f32)];
        assert!(call_with("check.expect_eq", "", &shapes).is_err());
        let error = call_with("no.such", "", &one).unwrap_err();
        assert_eq!(
            error.to_string(),
            "a.mlir:5:3: error: no custom call @no.such is registered"
        );
        if cfg!(not(feature = "linear-algebra")) {
            let error = call_with("lapack_sgetrf_ffi", "", &one).unwrap_err();
            assert_eq!(
                error.to_string(),
                "a.mlir:5:3: error: custom call @lapack_sgetrf_ffi needs the feature \
                 'linear-algebra' of halo-runtime, which this build lacks"
            );
        }
    }

    #[test]
    fn a_panic_in_a_handler_is_an_error() {
        let mut registry = CustomCallRegistry::empty();
        registry.register("boom", |_| panic!("expected by the test"));
        let error = registry.call(&site("boom", "", &[]), &[]).unwrap_err();
        assert_eq!(
            error.to_string(),
            "a.mlir:5:3: error: @boom: the handler panicked: expected by the test"
        );
    }
}
