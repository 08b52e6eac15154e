//! Texts that XLA printed: they are parsed, and printed identically.
//!
//! `data/NAME.hlo` is XLA's long format with large constants, `data/NAME.short.hlo` its short
//! format of the same program.

use halo_hlo_text::{HloModule, PrintOptions, parse};

#[track_caller]
fn read(text: &str) -> HloModule {
    match parse(text) {
        Ok(module) => module,
        Err(error) => panic!("{error}"),
    }
}

/// The long format, with large constants.
fn long() -> PrintOptions {
    PrintOptions {
        large_constants: true,
        ..PrintOptions::long()
    }
}

#[track_caller]
fn assert_text(printed: &str, expected: &str) {
    // So that a failure shows the line that differs.
    for (printed, expected) in printed.lines().zip(expected.lines()) {
        assert_eq!(printed, expected);
    }
    assert_eq!(printed.trim_end(), expected.trim_end());
}

#[track_caller]
fn check(long_text: &str, short_text: &str) {
    let module = read(long_text);
    assert_text(&module.print(&long()), long_text);
    assert_text(&module.print(&PrintOptions::short()), short_text);
    assert!(read(&module.to_string()) == module);
    let short = read(short_text);
    assert_text(&short.print(&PrintOptions::short()), short_text);
    assert!(read(&short.to_string()) == short);
}

macro_rules! golden {
    ($($name:ident)*) => {
        $(#[test]
        fn $name() {
            check(
                include_str!(concat!("data/", stringify!($name), ".hlo")),
                include_str!(concat!("data/", stringify!($name), ".short.hlo")),
            );
        })*
    };
}

golden! { async_ops attributes control_flow literals parallelism shapes }

#[test]
fn protocol_buffers_become_the_same_tree() {
    let module = read(include_str!("data/proto.textproto"));
    let text = include_str!("data/proto.hlo");
    assert!(read(&module.to_string()) == module);
    let without_layouts = PrintOptions {
        program_shapes: halo_hlo_text::ProgramShapes::Always,
        ..PrintOptions::complete()
    };
    let expected = text.replace("%add.4 {", "%add.4 (x.1: f32[], y.2: f32[]) -> f32[] {");
    assert_text(&module.print(&without_layouts), &expected);
    assert!(read(text) == module);
}

#[test]
fn long_form_leaves_large_constants_out() {
    let module = read(include_str!("data/literals.hlo"));
    let text = module.print(&PrintOptions::long());
    assert!(text.contains("%h0 = s32[12]{0} constant({...})"));
    assert!(text.contains("%h1 = s32[10]{0} constant({0, 1, 2, 3, 4, 5, 6, 7, 8, 9})"));
    assert!(text.contains("%f0 = (f32[], (s32[2]{0}, pred[]), ()) constant({...})"));
    assert_text(&read(&text).print(&PrintOptions::long()), &text);
}

#[test]
fn options_leave_things_out() {
    let module = read(include_str!("data/attributes.hlo"));
    let bare = PrintOptions {
        metadata: false,
        layouts: false,
        backend_config: false,
        operand_shapes: true,
        ..PrintOptions::short()
    };
    let text = module.print(&bare);
    assert!(!text.contains("metadata") && !text.contains("backend_config"));
    let dot = "dot = f32[8,8] dot(f32[4,8] r0, f32[4,8] r1), lhs_contracting_dims={0}";
    assert!(text.contains(dot));
    read(&text);
}
