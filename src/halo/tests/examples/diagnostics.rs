use halo::{
    compiler,
    core::{Diagnostic, Position},
    ir::{
        LocationKind,
        diagnostics::{
            self, Place, Remarked, Report, Severity, emit, file_line_column, parse_module,
            position_of, print_warnings, with_diagnostics, with_remarks,
        },
        fused_location, root_of,
    },
    prelude::*,
};

const PROGRAM: &[u8] = b"func.func @main(%x: i32) -> i32 {
  %sum = arith.addi %x, %x : i32
  return %sum : i32
}";

/// Reports at anything with a location: an op, a value, a location.
fn complain<'c>(place: impl Place<'c>) -> Report<'c> {
    Report::new(Severity::Error, place, "this cannot be")
}

pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let context = compiler::context();
    let module = parse_module(&context, PROGRAM, "a.mlir").ok_or("no program")?;
    let function: Operation = root_of(&module).body(0).ok_or("empty")?.operations()[0];
    let body = function.body(0).ok_or("no body")?;
    let (sum, x) = (body.operations()[0], body.arguments()[0]);

    // A report is emitted when it is dropped; notes refer to other locations.
    let ((), errors) = with_diagnostics(&context, || {
        drop(complain(sum).note(x, "because of this"));
        drop(diagnostics::error(function, "nor this"));
    });
    assert_eq!(
        errors,
        [
            Diagnostic::new(position_of(sum.location()), "this cannot be")
                .note(Position::new("a.mlir", 1, 17), "because of this"),
            Diagnostic::new(Position::new("a.mlir", 1, 1), "nor this"),
        ]
    );
    assert_eq!(
        errors[0].to_string(),
        "a.mlir:2:10: error: this cannot be\na.mlir:1:17: note: because of this"
    );
    // An error of a tool is reported to MLIR's handlers.
    let invalid = Diagnostic::new(Position::new("b.hlo", 3, 4), "expected a shape");
    let (has_line, errors) = with_diagnostics(&context, || emit(&context, &invalid));
    assert!(has_line);
    assert_eq!(errors, [invalid]);
    // MLIR drops warnings and remarks, unless a handler prints them.
    print_warnings(&context);
    // Or takes them.
    let ((), remarks) = with_remarks(&context, || {
        let remark = diagnostics::remark(sum, "this is slow").note(x, "because of this");
        // A value for code that decides by remarks.
        drop(remark.detail(7_u32));
        drop(diagnostics::warning(sum, "this is wrong"));
    });
    let [remark, warning]: [Remarked; 2] = remarks.try_into().map_err(|_| "not two remarks")?;
    assert_eq!(
        (remark.severity, &remark.message[..]),
        (Severity::Remark, "this is slow")
    );
    let detail = remark.detail.as_ref().and_then(|it| it.downcast_ref());
    assert_eq!(detail, Some(&7_u32));
    assert_eq!(warning.severity, Severity::Warning);
    assert!(warning.detail.is_none());
    assert_eq!(remark.location, sum.location());
    assert_eq!(remark.notes[0].1, "because of this");

    // Locations can be read and changed.
    let place = x.location();
    assert_eq!(file_line_column(place).as_deref(), Some("a.mlir:1:17"));
    let LocationKind::File { line, column, .. } = sum.location().kind() else {
        return Err("no file".into());
    };
    assert_eq!((line, column), (2, 10));
    let both = fused_location(&context, &[sum.location(), place], None);
    sum.set_location(both);
    x.set_argument_location(place.without_ranges(&context));
    assert_eq!(sum.location().kind().parts().len(), 2);
    Ok(())
}
