//! Texts that are rejected, and the messages.

use halo_hlo_text::{ParseError, parse};

#[track_caller]
fn refused(text: &str) -> ParseError {
    match parse(text) {
        Ok(_) => panic!("this was read:\n{text}"),
        Err(error) => error,
    }
}

/// Checks the error of a text, at the position marked by `‸`.
#[track_caller]
fn check(marked: &str, message: &str) {
    let (before, after) = marked.split_once('‸').expect("a mark");
    let error = refused(&format!("{before}{after}"));
    let line = before.lines().count().max(1) + usize::from(before.ends_with('\n'));
    let head = before.rsplit('\n').next().unwrap_or_default();
    let source = format!("{head}{}", after.lines().next().unwrap_or_default());
    let column = head.len() + 1;
    let caret = " ".repeat(head.len());
    let expected = format!("{line}:{column}: error: {message}\n{source}\n{caret}^");
    assert_eq!(error.to_string(), expected);
}

/// The error of an instruction, in a computation with a parameter `x`.
#[track_caller]
fn instruction(marked: &str, message: &str) {
    check(
        &format!("ENTRY e {{\n x = f32[4] parameter(0)\n {marked}\n}}"),
        message,
    );
}

#[test]
fn an_error_shows_the_place() {
    let error = refused("ENTRY e {\n  x = f32[4 constant(1)\n}");
    assert_eq!(
        error.in_file("f.hlo").to_string(),
        "f.hlo:2:13: error: expected ',' or ']', found 'constant'\n  \
         x = f32[4 constant(1)\n            ^"
    );
    let error = refused("HloModule m\n?").shifted(10);
    assert_eq!((error.line, error.column), (12, 1));
    let long = format!("HloModule m\n/*{}*/ ?{}", "é".repeat(500), "z".repeat(500));
    let error = refused(&long);
    assert_eq!(error.column, 506);
    assert_eq!(error.source_line.chars().count(), 160);
    assert_eq!(error.source_line.chars().nth(error.caret), Some('?'));
}

#[test]
fn syntax() {
    check("‸", "expected a computation, found the end of the text");
    check(
        "HloModule m\n‸",
        "expected a computation, found the end of the text",
    );
    check("HloModule m\n‸?", "expected a computation, found '?'");
    check(
        "HloModule m, ‸}",
        "expected the name of an attribute, found '}'",
    );
    check("ENTRY e {\n‸}", "expected an instruction, found '}'");
    instruction("y ‸f32[4] negate(x)", "expected '=', found 'f32'");
    check(
        "ENTRY e {\n x = f32[] iota(), 5\n‸}",
        "expected '=', found '}'",
    );
    check(
        "ENTRY e {\n x = f32[] negate(x\n‸}",
        "expected '(', ')', ',' or '[', found '}'",
    );
    check(
        "ENTRY e {\n x = f32[2] constant(‸}",
        "expected a value, found '}'",
    );
}

#[test]
fn names() {
    let missing = "there is no instruction 'z' before this one";
    instruction("y = f32[4] negate(‸z)", missing);
    instruction("y = f32[4] negate(‸%z)", missing);
    instruction("y = f32[4] negate(x), control-predecessors={‸z}", missing);
    instruction("y = f32[4] ‸negat(x)", "there is no opcode 'negat'");
    instruction(
        "y = f32[4] ‸negat-start(x)",
        "there is no opcode 'negat-start'",
    );
    instruction("y = ‸f33[4] negate(x)", "there is no element type 'f33'");
    instruction(
        "y = ‸u1[4] convert(x)",
        "values of type 'u1' are not supported",
    );
    instruction("‸x = f32[4] negate(x)", "there is another instruction 'x'");
    let missing = "there is no computation 'f'";
    instruction("y = f32[4] call(x), to_apply=‸f", missing);
    instruction(
        "y = f32[4] conditional(x), branch_computations={e, ‸%f}",
        missing,
    );
    check(
        "a {\n x = f32[] constant(1)\n}\n‸a {\n x = f32[] constant(1)\n}",
        "there is another computation 'a'",
    );
}

#[test]
fn counts() {
    instruction("y = f32[4] add(‸x)", "'add' takes 2 operands, found 1");
    instruction(
        "y = f32[4] negate(‸x, x)",
        "'negate' takes 1 operand, found 2",
    );
    instruction("y = f32[4] parameter(‸0)", "there is another parameter 0");
    instruction(
        "y = f32[4] parameter(‸2)",
        "there is a parameter 2, but only 2 of them",
    );
    instruction(
        "y = f32[4] parameter(‸-1)",
        "the number of a parameter is negative",
    );
    instruction(
        "ROOT y = f32[4] negate(x)\n ‸ROOT z = f32[4] negate(x)",
        "the computation has another ROOT",
    );
    check(
        "ENTRY a {\n x = f32[] constant(1)\n}\n‸ENTRY b {\n x = f32[] constant(1)\n}",
        "the module has another ENTRY",
    );
    instruction(
        "y = f32[4] negate(x), metadata={}, ‸metadata={}",
        "attribute 'metadata' is written twice",
    );
}

#[test]
fn types() {
    instruction(
        "y = f32[4] negate(‸f32[5] x)",
        "'x' has another type where it is defined",
    );
    instruction(
        "y = f32[4,2]‸{0} broadcast(x), dimensions={0}",
        "the layout orders 1 dimensions, but there are 2",
    );
    instruction(
        "y = f32[4,2]‸{1,1} broadcast(x), dimensions={0}",
        "the layout does not name each dimension once",
    );
    instruction(
        "y = ‸f32[9999999999,9999999999] broadcast(x), dimensions={}",
        "the type has too many elements",
    );
    instruction(
        "y = ‸f32[-1] copy(x)",
        "the size of a dimension is negative",
    );
    instruction(
        "y = f32[‸99999999999999999999] copy(x)",
        "'99999999999999999999' is not an integer of 64 bits",
    );
    instruction("y = ‸token[3] copy(x)", "this type has no dimensions");
    instruction("‸y = reshape(x)", "expected the type of 'reshape'");
    check(
        "ENTRY e (x: f32[]) -> ‸f32[2] {\n x = f32[] parameter(0)\n}",
        "the ROOT has another type than the computation",
    );
}

#[test]
fn constants() {
    instruction(
        "y = s8[2] constant({1, ‸300})",
        "300 is out of the range of type s8",
    );
    instruction(
        "y = f16[] constant(‸1e6)",
        "1e6 is out of the range of type f16",
    );
    instruction(
        "y = f32[] constant(‸one)",
        "'one' is not a value of type f32",
    );
    instruction(
        "y = f8e4m3fn[] constant(‸nan(0x1))",
        "'nan(0x1)' is not a value of type f8e4m3fn",
    );
    instruction("y = c64[] constant(‸1)", "expected '(' in a constant");
    let more = "expected 2 elements in these braces, found more";
    instruction("y = s32[2] constant({1, 2, ‸3})", more);
    let fewer = "expected 2 elements in these braces, found 1";
    instruction("y = s32[2] constant({1‸})", fewer);
    let flat = "expected values in 2 nested braces";
    instruction("y = s32[2,2] constant({‸1, 2})", flat);
    let deep = "the braces are nested deeper than 1";
    instruction("y = s32[2] constant({‸{1, 2}})", deep);
    instruction(
        "y = s32[2] constant({1, ‸...})",
        "'...' stands for all elements",
    );
    instruction(
        "y = s32[?] constant(‸{1})",
        "a constant has a type of known size",
    );
    instruction(
        "y = token[] constant(‸1)",
        "a value of this type cannot be written",
    );
    // Sizes do not allocate memory.
    instruction(
        "y = s32[99999999,9999999,0] constant({‸})",
        "expected 99999999 elements in these braces, found 0",
    );
    instruction(
        "y = s8[999999999999] constant({1‸})",
        "expected 999999999999 elements in these braces, found 1",
    );
}

#[test]
fn attributes() {
    instruction(
        "y = f32[] reduce-window(x, x), window={size=3 stride=‸2x2}",
        "'stride' has 2 dimensions, but 'size' has 1",
    );
    instruction(
        "y = f32[] reduce-window(x, x), window={size=3 ‸step=2}",
        "a window has no field 'step'",
    );
    instruction(
        "y = f32[] convolution(x, x), dim_labels=‸b0f_0io->bb0",
        "these labels do not name each dimension once",
    );
    instruction(
        "y = f32[4] copy(x), sharding={‸devices=[2,2]0,1,2}",
        "expected 4 devices for as many tiles, got 3",
    );
    instruction(
        "y = f32[4] copy(x), sharding={‸devices=[2,2]<=[16]}",
        "expected 4 devices for as many tiles, got 16",
    );
    instruction(
        "y = f32[4] copy(x), sharding={‸devices=[2,2]0,1,1,2}",
        "device 1 has more than one tile",
    );
    instruction(
        "y = f32[4] copy(x), sharding={‸devices=[0]<=[0]}",
        "expected positive numbers of tiles, got another one, or too many",
    );
    instruction(
        "y = f32[4] copy(x), sharding={replicated ‸manual}",
        "a sharding is of one kind",
    );
    instruction(
        "y = f32[4] reverse(x), dimensions=‸0",
        "expected '{', found '0'",
    );
    instruction(
        "y = f32[4] sort(x), is_stable=‸yes",
        "expected 'true' or 'false', found 'yes'",
    );
    instruction(
        "y = f32[4] fft(x), fft_length={‸a}",
        "expected '}' or an integer, found 'a'",
    );
    instruction(
        "y = f32[4] copy(x), backend_config=‸{\"a\": {",
        "this '{' is not closed",
    );
    instruction(
        "y = f32[4] copy(x), metadata={source_line=‸\"3\"}",
        "expected an integer, found '\"'",
    );
    instruction(
        "y = f32[4] copy(x), metadata={op_name=‸\"\\q\"}",
        "the string has an escape that does not exist",
    );
    let nothing = "expected a value, found ','";
    instruction("y = f32[4] copy(x), future=‸, a=1", nothing);
}

#[test]
fn depth() {
    let tuples = |depth| {
        let (open, close) = ("(".repeat(depth), ")".repeat(depth));
        format!("ENTRY e {{ x = {open}f32[]{close} parameter(0) }}")
    };
    let operands = |depth| {
        let (open, close) = ("negate(".repeat(depth), ")".repeat(depth));
        format!("ENTRY e {{ y = f32[] parameter(0) x = f32[] {open}y{close} }}")
    };
    let layouts = |depth| {
        let (open, close) = ("f32[]{:P(".repeat(depth), ")}".repeat(depth));
        format!("ENTRY e {{ x = {open}f32[]{close} parameter(0) }}")
    };
    let messages = |depth| format!("hlo_module {{ {}", "a { ".repeat(depth));
    for text in [tuples(5000), operands(5000), layouts(5000), messages(5000)] {
        assert_eq!(refused(&text).message, "nested deeper than 100 levels");
    }
    let inline = "a = f32[] call(), to_apply={ ".repeat(5000);
    let error = refused(&format!("ENTRY e {{ {inline}"));
    assert_eq!(error.message, "computations are nested too deep");
    // The deepest allowed nesting fits in the stack of a test.
    for text in [tuples(98), operands(98), layouts(32)] {
        assert!(parse(&text).is_ok());
    }
}

#[test]
fn protocol_buffers() {
    check(
        "‸hlo_module {\n  name: \"m\"\n",
        "this message is not closed",
    );
    check(
        "hlo_module {\n  ‸name \"m\"\n}",
        "expected a field as in 'name: value' or 'name {'",
    );
    check("name: \"m\"\n‸}", "nothing is open here");
    let module = |instruction: &str| {
        format!("name: \"m\"\ncomputations {{\n name: \"c\"\n {instruction}\n root_id: 1\n}}")
    };
    check(
        &module(
            "‸instructions { id: 1 name: \"x\" opcode: \"copy\" operand_ids: 7\n shape { element_type: F32 } }",
        ),
        "there is no instruction of id 7 before this one",
    );
    check(
        &module("‸instructions { id: 1 name: \"x\" opcode: \"nonsense\" }"),
        "there is no opcode 'nonsense'",
    );
    check(
        &module(
            "instructions { id: 1 name: \"x\" opcode: \"iota\"\n shape { element_type: ‸F33 } }",
        ),
        "expected a value of PrimitiveType, got 'F33'",
    );
    check(
        "name: \"m\"\nis_dynamic: ‸maybe",
        "expected true or false, got 'maybe'",
    );
    check(
        "name: \"m\"\nstack_frame_index: ‸1",
        "expected a message, got a value",
    );
    check(
        "hlo_module {\n ‸name { } }",
        "expected a value, got a message",
    );
}
