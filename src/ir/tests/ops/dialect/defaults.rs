//! Attributes with defaults, cases of enums, and other parts of declared ops with counterparts in
//! ODS.

use super::{
    after, context, parse,
    tile::{Mode, RoundOp, YieldOp},
};
use halo_ir::{
    diagnostics::{bytecode_of, parse_module, with_diagnostics},
    edit_module,
    prelude::*,
    root_of,
};

#[test]
fn defaults_are_the_absence_of_attributes() {
    let context = context();
    let text = r#"module {
  func.func @f(%arg0: f32, %arg1: si8, %arg2: index) -> f32 attributes {tile.mode = #tile<mode up>} {
    %0 = tile.round up(%arg0,%arg0) [%arg1] or up : f32
    %1 = tile.round down(%arg0,%0) [%arg1] steps 2 or down axes array<i64: 3> : f32
    tile.loop %arg2 {
      tile.stage %arg0 : f32 {
      }
      tile.stage %arg0, %1 : f32, f32 {
      } {
      }, {
      }
      tile.yield
    }
    tile.pipeline {
      %2 = tile.round up(%arg0,%arg0) [%arg1] or up : f32
    }
    tile.pipeline {
      tile.yield {last}
    }
    tile.pipeline {
    }
    return %1 : f32
  }
}
"#;
    let module = parse(&context, text).unwrap();
    assert_eq!(module.as_operation().to_string(), text);
    let bytecode = bytecode_of(&module);
    let read = parse_module(&context, &bytecode, "t.mlirbc").unwrap();
    assert_eq!(read.as_operation().to_string(), text);

    let ends = root_of(&module).collect_nested(|op| op.isa::<YieldOp>());
    assert_eq!(ends.len(), 4);
    let ops = root_of(&module).collect_nested(|op| op.isa::<RoundOp>());
    let rounds: Vec<RoundOp> = ops.iter().filter_map(|op| op.cast()).collect();
    assert_eq!((rounds[0].mode(), rounds[1].mode()), (Mode::Up, Mode::Down));
    assert_eq!(
        (rounds[0].otherwise(), rounds[1].otherwise()),
        (Mode::Up, Mode::Down)
    );
    assert_eq!((rounds[0].steps(), rounds[1].steps()), (1, 2));
    assert_eq!((rounds[0].axes(), rounds[1].axes()), (vec![0, 1], vec![3]));

    // Attributes with the default value are removed, in generic form and in text, so that CSE
    // treats both as one op.
    let explicit = "func.func @f(%x: f32, %w: si8) -> (f32, f32, f32) {
      %0 = tile.round up(%x, %x)[%w] steps 1 or up axes array<i64: 0, 1> : f32
      %1 = \"tile.round\"(%x, %x, %w) <{mode = 5 : i32, steps = 1, otherwise = #tile<mode up>}> : (f32, f32, si8) -> f32
      %2 = \"tile.round\"(%x, %x, %w) {mode = 5 : i32} : (f32, f32, si8) -> f32
      return %0, %1, %2 : f32, f32, f32
    }";
    let (result, errors, text) = after("cse", explicit);
    assert_eq!((result, &errors[..]), (Ok(()), &[][..]));
    assert_eq!(text.matches("tile.round").count(), 1, "{text}");
    let (_, _, text) = after("func.func(strip-debuginfo)", explicit);
    assert_eq!(
        text.matches("tile.round up(%arg0,%arg0) [%arg1] or up : f32").count(),
        3,
        "{text}"
    );

    let (result, errors, text) = after(
        "canonicalize",
        "func.func @f(%x: f32) -> (f32, f32) {
           %0 = tile.negate %x : f32
           %1 = tile.negate %0 : f32
           %2 = tile.abs %x : f32
           %3 = tile.abs %2 : f32
           return %1, %3 : f32, f32
         }",
    );
    assert_eq!((result, &errors[..]), (Ok(()), &[][..]));
    assert!(
        text.contains("%0 = tile.abs %arg0 : f32\n    return %arg0, %0"),
        "{text}"
    );
}

#[test]
fn defaults_are_written_and_built_as_any_attribute() {
    let context = context();
    let text = "func.func @f(%x: f32, %w: si8, %t: !tile.token) { return }";
    let mut module = parse(&context, text).unwrap();
    edit_module(&mut module, |root| {
        with_builder(root, |b| {
            let function = root.collect_nested(|op| op.name() == "func.func")[0];
            let block = function.region(0).unwrap().blocks()[0];
            b.set_to_start(block);
            let values = block.arguments();
            let (x, w) = (values[0], values[1]);
            let build = |otherwise, steps| {
                RoundOp::build(b, x, x, w, Mode::Down, otherwise, steps, None).insert()
            };
            let plain = build(None, None);
            let explicit = build(Some(Mode::Up), Some(1));
            let other = build(Some(Mode::Down), Some(7));
            for op in [plain, explicit] {
                assert_eq!((op.otherwise(), op.steps()), (Mode::Up, 1));
                assert!(op.attribute("steps").is_none());
            }
            assert_eq!((other.otherwise(), other.steps()), (Mode::Down, 7));
            let one = integer_attribute(integer_type(&context, 64), 1);
            other.set_attribute("steps", one);
            assert!(other.attribute("steps").is_none());
            assert_eq!(other.steps(), 1);
            assert_eq!(other.rounded().ty().to_string(), "f32");
        });
    })
    .unwrap();
}

#[test]
fn a_default_that_panics_is_reported() {
    let context = context();
    let text = "tile.default_panics {number = 3}";
    let (module, errors) = with_diagnostics(&context, || {
        parse_module(&context, text.as_bytes(), "t.mlir")
    });
    let text = module.map(|module| module.as_operation().to_string());
    assert!(text.is_none_or(|text| text.contains("number = 3")));
    let expected = "the default of an attribute of 'tile.default_panics' op panicked: no such luck";
    assert!(
        errors.iter().any(|error| error.message.contains(expected)),
        "{errors:#?}"
    );
}

/// The validation of the frontend is not in front of the reader here.
#[test]
fn damaged_bytecode_crashes_nothing() {
    let context = context();
    let bytecode = bytecode_of(&parse(&context, super::PROGRAM).unwrap());
    let name = b"operandSegmentSizes";
    let names = bytecode.windows(name.len()).position(|bytes| bytes == name);
    // Names of attributes are replaced by names that the op does not have.
    let mut renamed = bytecode.clone();
    renamed[names.unwrap()] = b'p';
    let (module, errors) =
        with_diagnostics(&context, || parse_module(&context, &renamed, "t.mlirbc"));
    assert!(module.is_none());
    assert!(
        errors[0].message.contains("has no attribute 'pperandSegmentSizes'"),
        "{errors:?}"
    );
}
