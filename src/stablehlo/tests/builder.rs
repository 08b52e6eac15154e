//! The builder: all ops with the types of the specification, and errors.

#[path = "support/all_ops.rs"]
mod all_ops;

use halo_stablehlo::*;
use std::collections::BTreeSet;

/// The names of the ops of StableHLO in a text.
fn ops_in(text: &str) -> BTreeSet<&str> {
    let parts = text.split("stablehlo.").skip(1);
    parts
        .map(|part| {
            let is_name = |letter: char| letter.is_ascii_alphanumeric() || "_-".contains(letter);
            part.split(|letter| !is_name(letter)).next().unwrap_or_default()
        })
        .collect()
}

#[test]
fn every_op_is_built() {
    let program = all_ops::program();
    let text = program.to_text().unwrap();
    let found = ops_in(&text);
    for op in halo_vhlo::ops::all() {
        if !["call", "func"].contains(&op.family()) {
            assert!(found.contains(op.family()), "{}", op.family());
        }
    }
    // Text is the same after writing and reading the artifact.
    let artifact = program.to_artifact(Version::CURRENT).unwrap();
    let read = halo_vhlo::read(&artifact).unwrap();
    let again = to_text(&read).unwrap();
    assert_eq!(text.lines().count(), again.lines().count());
    assert_eq!(ops_in(&again), found);
}

/// Asserts the error of a program.
#[track_caller]
fn expect(b: &Builder, results: &[Value], expected: &str) {
    let error = b.build(results).expect_err("an invalid program");
    assert_eq!(format!("'{}' {}", error.op, error.kind), expected);
    assert!(error.caller.file().ends_with("builder.rs"), "{error}");
}

#[test]
fn errors_have_the_expected_and_the_found_type() {
    let b = Builder::new("main");
    let x = b.parameter(Type::tensor(ElementType::F32, [2, 3]));
    let y = b.parameter(Type::tensor(ElementType::F32, [3]));
    let first = x.add(y).tanh();
    assert!(first.ty().is_none());
    // Later errors are not reported.
    expect(
        &b,
        &[first, x.not()],
        "'stablehlo.add' operand 1 has shape 3, but operand 0 has shape 2x3",
    );

    let b = Builder::new("main");
    let x = b.parameter(Type::tensor(ElementType::F32, [2]));
    let error = b.build(x.not()).unwrap_err();
    let kind = ErrorKind::OperandType {
        operand: 0,
        expected: "a tensor of i1, integers".to_owned(),
        found: Type::tensor(ElementType::F32, [2]),
    };
    assert_eq!(error.kind, kind);
    assert_eq!(error.caller.line(), line!() - 7);
}

#[test]
fn values_are_used_where_they_are_visible() {
    let b = Builder::new("main");
    let x = b.parameter(Type::tensor(ElementType::F32, []));
    let mut inner = x;
    let results = x.gt(0.0).if_else(
        || {
            inner = x + 1.0;
            inner
        },
        || x,
    );
    let outside = inner + results[0];
    expect(
        &b,
        &[outside],
        "'stablehlo.add' operand 0 is not defined in this region or one around it",
    );

    let other = Builder::new("main");
    let y = other.parameter(Type::tensor(ElementType::F32, []));
    let b = Builder::new("main");
    let x = b.parameter(Type::tensor(ElementType::F32, []));
    expect(
        &b,
        &[x.add(y)],
        "'stablehlo.add' operand 1 is a value of another builder",
    );

    let b = Builder::new("main");
    let x = b.parameter(Type::tensor(ElementType::F32, []));
    b.function("f", &[], |_| x.tanh());
    expect(
        &b,
        &[x],
        "'stablehlo.tanh' operand 0 is not defined in this region or one around it",
    );
}

#[test]
fn functions_have_names_and_types() {
    let b = Builder::new("main");
    let ty = Type::tensor(ElementType::F32, []);
    let f = b.function("f", std::slice::from_ref(&ty), |x| x[0].tanh());
    let x = b.parameter(Type::tensor(ElementType::F32, [2]));
    let error = b.build(b.call(&f, &[x])).unwrap_err();
    assert!(matches!(
        error.kind,
        ErrorKind::OperandType { operand: 0, .. }
    ));
    let b = Builder::new("main");
    b.function("main", &[ty], |x| x[0].tanh());
    expect(&b, &[], "'function' is the name of another function: main");
}

#[test]
fn constants_fill_their_shape() {
    let b = Builder::new("main");
    let short = b.constant([1.0_f32, 2.0], [3]);
    expect(
        &b,
        &[short],
        "'stablehlo.constant' expected 3 elements, found 2",
    );
    let b = Builder::new("main");
    let bytes = b.constant_bytes(ElementType::I16, [1], [0]);
    expect(
        &b,
        &[bytes],
        "'stablehlo.constant' expected 1 elements, found 0",
    );
    let b = Builder::new("main");
    let sizes = b.constant::<i8>([], [i64::MAX, i64::MAX]);
    assert!(b.build(sizes).is_err());
    let b = Builder::new("main");
    let x = b.parameter(Type::tensor(ElementType::UI8, [2]));
    expect(
        &b,
        &[x + 300],
        "'full_like' 300 is not a value of tensor<ui8>",
    );
    let b = Builder::new("main");
    let x = b.parameter(Type::tensor(ElementType::I8, [2, 4]));
    let text = b.build([x.reduce_max([0]), x * -3]).unwrap().to_text().unwrap();
    assert!(text.contains("dense<-128> : tensor<i8>") && text.contains("dense<-3> : tensor<i8>"));
}

/// No argument panics, and results of invalid ops can be indexed.
#[test]
fn wrong_arguments_are_errors() {
    let b = Builder::new("main");
    let token = b.create_token();
    let x = b.parameter(Type::tensor(ElementType::F32, [2]));
    let wrong = [
        token.reshape([1]),
        token.reduce_sum([0]),
        x.slice([0], [9], [0]),
        x.transpose([i64::MIN]),
        x.iota_dimension(),
        b.reduce(&[], &[], [0], |arguments| arguments.to_vec())
            .first()
            .copied()
            .unwrap_or(x),
        b.while_loop(&[x], |_| x, |_| [x, x])[0],
        b.sort(&[x, token], 9, false, |pairs| pairs[0])[1],
        x.matmul(token),
        x.batch_norm_training([token; 2], 0.0, -1)[2],
        x.async_done()[0],
        b.all_reduce(&[], &Collective::default(), |_| x).first().copied().unwrap_or(x),
        x.get_tuple_element(-1),
    ];
    assert!(b.build(wrong).is_err());
}

trait IotaDimension {
    fn iota_dimension(self) -> Self;
}

impl IotaDimension for Value<'_> {
    fn iota_dimension(self) -> Self {
        self.builder().iota(Type::Token, i64::MAX)
    }
}

#[test]
fn invalid_types_are_refused() {
    use ElementType::*;
    let quantized = |storage: ElementType, zero: i64| {
        Quantized(Box::new(Quantization {
            storage,
            storage_range: None,
            expressed: F32,
            dimension: None,
            parameters: vec![(1.0, zero)],
        }))
    };
    for ty in [
        Type::tensor(F32, [-1]),
        Type::tensor(F32, [i64::MAX, i64::MAX]),
        Type::tensor(TF32, []),
        Type::dynamic_tensor(F32, [Dim::Bounded(-2)]),
        Type::tensor(quantized(I8, 1000), []),
        Type::tensor(quantized(I64, 0), []),
        Type::Tuple(vec![Type::tensor(TF32, [])]),
    ] {
        let b = Builder::new("main");
        let x = b.parameter(ty.clone());
        assert!(b.build(x).is_err(), "{ty}");
    }
}

#[test]
fn older_versions_lack_newer_ops() {
    let b = Builder::new("main");
    let x = b.parameter(Type::tensor(ElementType::F32, []));
    let program = b.build(x.tan()).unwrap();
    assert!(program.to_artifact(Version::new(1, 3)).is_err());
    assert!(program.to_artifact(Version::new(1, 4)).is_ok());
}
