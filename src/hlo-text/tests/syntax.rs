//! Syntax that XLA reads but never prints.

use halo_hlo_text::{Arguments, HloModule, Opcode, PrintOptions, Shape, Value, parse, split};

#[track_caller]
fn read(text: &str) -> HloModule {
    match parse(text) {
        Ok(module) => module,
        Err(error) => panic!("{error}"),
    }
}

/// Reads a text and checks that it has the same tree as another.
#[track_caller]
fn same(text: &str, plain: &str) {
    let (module, plain) = (read(text), read(plain));
    assert_eq!(module.to_string(), plain.to_string());
    assert!(module == plain);
    assert!(read(&module.to_string()) == module);
}

const PLAIN: &str =
    "HloModule m\nENTRY e {\n  x = f32[2] parameter(0)\n  ROOT y = f32[2] negate(x)\n}\n";

#[test]
fn blanks_comments_and_percent_signs_say_nothing() {
    same(
        "// RUN: tool\nHloModule\tm\r\n\r\n/* a\n comment */ ENTRY %e { %x=f32[ 2 ] parameter( 0 ) // x\n\
         ROOT /*index=5*/ %y=f32[2]negate(%x) }",
        PLAIN,
    );
    same(
        "# a comment of protocol buffers\nHloModule m ENTRY e { x = f32[2] parameter(0) y = f32[2] negate(f32[2]{0} x) }",
        PLAIN,
    );
    same(
        "HloModule m e { x = f32[2] parameter(0) y = negate(x) }",
        PLAIN,
    );
}

#[test]
fn a_header_is_optional() {
    let module = read(
        "add {\n  ROOT x = f32[] parameter(0)\n}\nENTRY main {\n  ROOT c = f32[] constant(1)\n}\nlast {\n  ROOT d = f32[] constant(2)\n}",
    );
    assert_eq!(module.name, "module_main");
    assert_eq!(
        module.entry().map(|entry| entry.name.as_str()),
        Some("main")
    );
    let module = read("a {\n  x = f32[] constant(1)\n}\nb {\n  y = f32[] constant(1)\n}");
    assert_eq!(module.entry().map(|entry| entry.name.as_str()), Some("b"));
}

#[test]
fn operands_may_be_instructions() {
    same(
        "HloModule m\nENTRY e {\n  x = f32[2] parameter(0)\n  ROOT y = f32[2] add(f32[2] multiply(x, negate(x)), f32[2] constant({1, 2}))\n}",
        "HloModule m\nENTRY e {\n  x = f32[2] parameter(0)\n  negate.anon = f32[2] negate(x)\n  \
         multiply.anon = f32[2] multiply(x, negate.anon)\n  constant.anon = f32[2] constant({1, 2})\n  \
         ROOT y = f32[2] add(multiply.anon, constant.anon)\n}",
    );
    same(
        "HloModule m\nENTRY e {\n  ROOT y = c64[] add(c64[] constant((1, nan)), c64[] constant((inf, -1)))\n}",
        "HloModule m\nENTRY e {\n  constant.anon = c64[] constant((1, nan))\n  \
         constant.anon.1 = c64[] constant((inf, -1))\n  ROOT y = c64[] add(constant.anon, constant.anon.1)\n}",
    );
}

#[test]
fn computations_may_be_written_in_place() {
    let module = read(
        "HloModule m\nENTRY e {\n  x = f32[2] parameter(0)\n  z = f32[] constant(0)\n  \
         ROOT r = f32[] reduce(x, z), dimensions={0}, to_apply={\n    a = f32[] parameter(0)\n    \
         b = f32[] parameter(1)\n    ROOT s = f32[] add(a, b)\n  }, metadata={op_name=\"r\"}\n}",
    );
    let root = module.entry().and_then(|entry| entry.root());
    let Some(Value::InlineComputation(inner)) =
        root.and_then(|root| root.attributes.get("to_apply"))
    else {
        panic!("no computation in place");
    };
    assert_eq!(inner.root().map(|root| root.opcode), Some(Opcode::Add));
    assert!(read(&module.to_string()) == module);
}

#[test]
fn instructions_may_stand_alone() {
    let module = read("%sum = f32[4] add(f32[4] %a, f32[4] %b)");
    let entry = module.entry().expect("an entry");
    let names: Vec<&str> = entry.instructions.iter().map(|one| one.name.as_str()).collect();
    assert_eq!(names, ["a", "b", "sum"]);
    assert_eq!(entry.instructions[1].arguments, Arguments::Parameter(1));
    assert!(read(&module.to_string()) == module);
    let module = read("f32[4] add(f32[4], f32[4])");
    assert_eq!(
        module.entry().map(|entry| entry.instructions.len()),
        Some(3)
    );
    let module = read("x = f32[4] parameter(0)\nROOT y = f32[4] negate(x)\nz = f32[4] negate(y)");
    assert_eq!(module.entry().map(|entry| entry.root), Some(1));
}

#[test]
fn types_follow_where_they_are_left_out() {
    let module = read(
        "f (x: f32[2]) -> (f32[2], pred[2]) {\n  x = f32[2] parameter(0)\n  \
         c = compare(x, x), direction=EQ\n  ROOT t = tuple(x, c)\n}\n\
         ENTRY e {\n  x = f32[2] parameter(0)\n  t = call(x), to_apply=f\n  \
         ROOT c = get-tuple-element(t), index=1\n}",
    );
    let shape = module.entry().and_then(|entry| entry.root()).map(|root| &root.shape);
    let expected = read("ENTRY e {\n  ROOT c = pred[2] parameter(0)\n}");
    let expected = expected.entry().and_then(|entry| entry.root()).map(|root| &root.shape);
    assert_eq!(shape, expected);
}

#[test]
fn opcodes_of_asynchronous_halves_name_what_they_run() {
    let module = read(
        "ENTRY e {\n  x = f32[2] parameter(0)\n  s = ((f32[2]), f32[2], s32[]) negate-start(x)\n  ROOT d = f32[2] negate-done(s)\n}",
    );
    let entry = module.entry().expect("an entry");
    let opcodes = entry.instructions.iter().map(|one| (one.opcode, one.wrapped_opcode));
    let expected = [
        (Opcode::Parameter, None),
        (Opcode::AsyncStart, Some(Opcode::Negate)),
        (Opcode::AsyncDone, Some(Opcode::Negate)),
    ];
    assert_eq!(opcodes.collect::<Vec<_>>(), expected);
    // This one has a separate opcode.
    let module = read(
        "ENTRY e {\n  x = f32[2] parameter(0)\n  ROOT s = f32[2] all-reduce-start(x), to_apply=a\n}\na {\n  ROOT x = f32[] parameter(0)\n}",
    );
    let root = module.entry().and_then(|entry| entry.root());
    assert_eq!(root.map(|root| root.wrapped_opcode), Some(None));
}

#[test]
fn names_may_be_those_of_types_and_attributes() {
    same(
        "HloModule m\nENTRY e {\n  f32=f32[] parameter(0)\n  ROOT s1 = f32[] negate(f32)\n}",
        "HloModule m\nENTRY e {\n  %f32 = f32[] parameter(0)\n  ROOT %s1 = f32[] negate(%f32)\n}",
    );
    same(
        "HloModule m\nENTRY e {\n  dimensions=f32[] parameter(0)\n  ROOT metadata=f32[] negate(dimensions)\n}",
        "HloModule m\nENTRY e {\n  %dimensions = f32[] parameter(0)\n  ROOT %metadata = f32[] negate(%dimensions)\n}",
    );
    read("HloModule m.1-x_y\nENTRY %e.5-clone {\n  ROOT %_x.0- = f32[] parameter(0)\n}");
}

#[test]
fn names_may_be_key_words() {
    let module = read(
        "HloModule ENTRY\nFileNames {\n  x = f32[] constant(1)\n}\nENTRY %ENTRY {\n  ROOT %ROOT = f32[] call(), to_apply=FileNames\n}",
    );
    for options in [PrintOptions::complete(), PrintOptions::short()] {
        assert!(read(&module.print(&options)) == module);
    }
}

#[test]
fn attributes_that_nobody_knows_are_kept() {
    let text = "HloModule m, future={a={1,2}, \"}\"}\n\nENTRY %e {\n  ROOT %x = f32[] parameter(0), new=[1,(2)]<=[3], origin={({\"x\" {0}}, {\"y\"})}, statistics={visualizing_index=1,a=2.5}\n}\n\n";
    let module = read(text);
    assert_eq!(module.to_string(), text);
    let root = module.entry().and_then(|entry| entry.root());
    let new = root.and_then(|root| root.attributes.get("new"));
    assert_eq!(new, Some(&Value::Raw("[1,(2)]<=[3]".to_owned())));
}

#[test]
fn layouts_and_types_of_every_kind_print_again() {
    for shape in [
        "f32[2,3]{0,1:D(D,C)T(*,8)(2,1)L(8)#(u8)*(u32)E(4)S(1)SC(0:1,2)P((f32[2]{0}, s32[]))M(16)}",
        "f32[?,<=5,0]{2,1,0}",
        "f32[]{:T(256)}",
        "((), ((), token[]), opaque[], b(f32[2]{0}))",
    ] {
        let text = format!("ENTRY %e {{\n  ROOT %x = {shape} parameter(0)\n}}");
        let printed = read(&text).to_string();
        // XLA ignores the kinds of levels.
        assert!(printed.contains(&shape.replace("D(D,C)", "")), "{printed}");
        assert!(read(&printed) == read(&text));
    }
    let module = read("ENTRY e {\n  ROOT x = f32[] {} parameter(0)\n}");
    let root = module.entry().and_then(|entry| entry.root());
    assert!(
        matches!(root.map(|root| &root.shape), Some(Shape::Array(array)) if array.layout.is_none())
    );
}

#[test]
fn zeros_keep_their_sign() {
    // XLA prints `-0`, and parses it as an integer, without a sign.
    let text = read("ENTRY e {\n  ROOT x = f32[2] constant({-0, 0})\n}").to_string();
    assert!(text.contains("constant({-0.0, 0})"), "{text}");
}

#[test]
fn strings_have_the_escapes_of_c() {
    let module = read(
        r#"ENTRY e { ROOT x = f32[] custom-call(), custom_call_target='it"s', backend_config="\303\251\x41\n" }"#,
    );
    let root = module.entry().and_then(|entry| entry.root()).expect("a root");
    let value = |name| root.attributes.get(name).cloned();
    assert_eq!(
        value("custom_call_target"),
        Some(Value::String("it\"s".to_owned()))
    );
    assert_eq!(
        value("backend_config"),
        Some(Value::String("éA\n".to_owned()))
    );
    let text = module.print(&PrintOptions::short());
    assert!(text.contains(r#"custom_call_target="it\"s", backend_config="\303\251A\n""#));
    // Bytes that are not UTF-8 are kept.
    let text = "ENTRY %e {\n  ROOT %x = f32[] custom-call(), custom_call_target=\"f\", backend_config=\"\\377\"\n}";
    assert!(read(text).to_string().contains(r#"backend_config="\377""#));
}

#[test]
fn files_are_split_at_lines_of_dashes() {
    let text =
        "// RUN: tool\n\na\n// -----\n  b // -----\n// -----  \n// only a comment\n// -----\nc";
    let parts = split(text);
    assert_eq!(
        parts,
        [(0, "// RUN: tool\n\na\n"), (4, "  b // -----\n"), (8, "c")]
    );
    assert_eq!(split(""), [(0, "")]);
}

/// Each with the type that XLA infers.
#[test]
fn types_follow_from_operands() {
    let computations = "HloModule m\n\
        add {\n a = f32[] parameter(0)\n b = f32[] parameter(1)\n ROOT c = f32[] add(a, b)\n}\n\
        both {\n a = f32[] parameter(0)\n b = f32[] parameter(1)\n c = f32[] parameter(2)\n \
        d = f32[] parameter(3)\n ROOT t = (f32[], f32[]) tuple(a, b)\n}\n\
        whole {\n a = f32[] parameter(0)\n ROOT c = s32[] convert(a)\n}\n";
    let operands = "x = f32[4,8] parameter(0)\n y = f32[2,3,4] parameter(1)\n z = f32[] parameter(2)\n \
        v = f32[8] parameter(3)\n i = s32[5,2] parameter(4)\n n = s32[] parameter(5)\n \
        image = f32[1,8,9,4] parameter(6)\n kernel = f32[3,3,4,6] parameter(7)\n \
        c = c64[4,5] parameter(8)\n w = f32[2,4,5] parameter(9)\n p = pred[] parameter(10)";
    let typed = [
        (
            "dot(y, w), lhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_batch_dims={0}, rhs_contracting_dims={1}",
            "f32[2,3,5]",
        ),
        ("transpose(y), dimensions={2,0,1}", "f32[4,2,3]"),
        ("reduce(y, z), dimensions={0,2}, to_apply=add", "f32[3]"),
        (
            "reduce(y, y, z, z), dimensions={0,2}, to_apply=both",
            "(f32[3], f32[3])",
        ),
        ("call(z, z), to_apply=add", "f32[]"),
        (
            "call(x), to_apply={\n a = f32[4,8] parameter(0)\n ROOT r = f32[8,4] reshape(a)\n}",
            "f32[8,4]",
        ),
        (
            "conditional(p, z, z), true_computation=whole, false_computation=whole",
            "s32[]",
        ),
        (
            "conditional(n, z, z), branch_computations={whole, whole}",
            "s32[]",
        ),
        (
            "reduce-window(x, z), window={size=2x2 stride=1x2 pad=0_1x1_1 lhs_dilate=2x1 rhs_dilate=1x2}, to_apply=add",
            "f32[7,4]",
        ),
        (
            "convolution(image, kernel), window={size=3x3 stride=2x1 pad=1_1x0_2 rhs_dilate=1x2}, dim_labels=b01f_01io->f0b1",
            "f32[6,4,1,7]",
        ),
        ("fft(x), fft_type=RFFT, fft_length={8}", "c64[4,5]"),
        ("fft(c), fft_type=IRFFT, fft_length={8}", "f32[4,8]"),
        ("concatenate(x, x, x), dimensions={1}", "f32[4,24]"),
        ("pad(x, z), padding=1_2_1x0_-1", "f32[10,7]"),
        (
            "gather(x, i), offset_dims={1,2}, collapsed_slice_dims={}, start_index_map={0,1}, index_vector_dim=1, slice_sizes={2,3}",
            "f32[5,2,3]",
        ),
        ("set-dimension-size(x, n), dimensions={1}", "f32[4,<=8]"),
        ("get-dimension-size(x), dimensions={1}", "s32[]"),
        ("topk(x), k=3, largest=true", "(f32[4,3], s32[4,3])"),
        (
            "batch-norm-training(x, v, v), epsilon=0.1, feature_index=1",
            "(f32[4,8], f32[8], f32[8])",
        ),
        ("map(x), to_apply=whole", "s32[4,8]"),
    ];
    for (instruction, expected) in typed {
        let text = format!("{computations}ENTRY e {{\n {operands}\n ROOT r = {instruction}\n}}");
        let module = read(&text);
        let root = module.entry().and_then(|entry| entry.root());
        let found = root.map(|root| root.shape.to_string());
        assert_eq!(found.as_deref(), Some(expected), "{instruction}");
    }
}

#[test]
fn one_element_stands_for_all() {
    let module = read("HloModule m ENTRY e { ROOT c = f32[8,2048]{1,0} constant(0.5) }");
    assert_eq!(
        module.to_string().lines().nth(3),
        Some("  ROOT %c = f32[8,2048]{1,0} constant(0.5)")
    );
    assert!(read(&module.to_string()) == module);
    // No capacity is reserved for repeated fields.
    read("HloModule m ENTRY e { ROOT c = f32[100000,100000,1000] constant(1) }");
    assert!(parse("HloModule m ENTRY e { ROOT c = f32[2] constant(x) }").is_err());
}

#[test]
fn colons_may_follow_names() {
    same(
        "HloModule m:\nENTRY e: {\n  x: = f32[2] parameter(0)\n  ROOT y: = f32[2] negate(x:)\n}\n",
        PLAIN,
    );
}

#[test]
fn parameters_may_be_operands() {
    same(
        "HloModule m\nENTRY e {\n  ROOT y = f32[2] add(f32[2] parameter(1), exponential(f32[2] parameter(0)))\n}",
        "HloModule m\nENTRY e {\n  parameter.anon = f32[2] parameter(1)\n  \
         parameter.anon.1 = f32[2] parameter(0)\n  exponential.anon = f32[2] exponential(parameter.anon.1)\n  \
         ROOT y = f32[2] add(parameter.anon, exponential.anon)\n}",
    );
}

#[test]
fn reversals_that_are_missing_are_none() {
    let window = |reversal: &str| {
        format!(
            "HloModule m ENTRY e {{ x = f32[1,5,5,1] parameter(0) k = f32[3,3,1,1] parameter(1) \
             ROOT r = f32[1,3,3,1] convolution(x, k), window={{size=3x3 rhs_reversal={reversal}}}, \
             dim_labels=b01f_01io->b01f }}"
        )
    };
    same(&window("1"), &window("1x0"));
    same(&window("1x1x1"), &window("1x1"));
}
