//! Import of HLO text modules, and the errors of invalid ones.

use halo_frontend::hlo_text::{Fusions, ImportOptions, import};
use melior::ir::operation::OperationLike;
use melior::ir::operation::OperationPrintingFlags;

/// Imports a module from text, with locations if requested.
fn imported(text: &str, options: &ImportOptions, locations: bool) -> Result<String, String> {
    let context = halo_compiler::context();
    let hlo = halo_hlo_text::parse(text).map_err(|error| error.to_string())?;
    let module = import(&context, &hlo, "test.hlo", options).map_err(|error| error.to_string())?;
    let operation = module.as_operation();
    Ok(if locations {
        let flags = OperationPrintingFlags::new().enable_debug_info(true, false);
        operation.to_string_with_flags(flags).unwrap()
    } else {
        operation.to_string()
    })
}

fn module(text: &str) -> String {
    imported(text, &ImportOptions::default(), false).unwrap()
}

/// Returns the diagnostic for a computation `main` with these instructions.
fn error(instructions: &str) -> String {
    let text = format!("HloModule m\nENTRY main {{\n{instructions}\n}}\n");
    imported(&text, &ImportOptions::default(), false).unwrap_err()
}

#[test]
fn what_the_text_says_beside_the_ops_is_kept() {
    insta::assert_snapshot!(module(
        r#"HloModule kept, is_scheduled=true, replica_count=2, num_partitions=4,
             input_output_alias={ {0}: (0, {}, must-alias) },
             entry_computation_layout={(f32[2,3]{0,1}, f32[2,3])->(f32[2,3]{1,0}, f32[2,3]{0,1})},
             frontend_attributes={origin="test"}

           ENTRY main {
             x = f32[2,3]{0,1} parameter(0), sharding={devices=[2,1]<=[2]}, frontend_attributes={role="input"}
             y = f32[2,3] parameter(1), parameter_replication={true}
             sum = f32[2,3]{0,1:T(8,128)} add(x, y), sharding={replicated}, control-predecessors={y}
             random = f32[2,3] custom-call(sum), custom_call_target="random", schedule=SCHEDULE_LATEST, backend_config={"seed":1}
             ROOT both = (f32[2,3], f32[2,3]) tuple(random, sum), sharding={{replicated}, {maximal device=1}}
           }"#
    ));
}

#[test]
fn opcodes_without_an_op_become_calls() {
    insta::assert_snapshot!(module(
        r#"HloModule calls

           ENTRY main {
             x = f32[4] parameter(0)
             random = u32[4] parameter(1)
             rounded = bf16[4] stochastic-convert(x, random)
             state = u64[1] rng-get-and-update-state(), delta=3
             elided = f32[100] constant({...})
             ROOT all = (bf16[4], u64[1], f32[100]) tuple(rounded, state, elided)
           }"#
    ));
}

#[test]
fn names_and_metadata_become_locations() {
    let text = r#"HloModule located

FileNames
1 "main.py"
2 "layer.py"

FunctionNames
1 "main"
2 "layer"

FileLocations
1 {file_name_id=1 function_name_id=1 line=9 end_line=9 column=2 end_column=4}
2 {file_name_id=2 function_name_id=2 line=3 end_line=3 column=5 end_column=9}

StackFrames
1 {file_location_id=1 parent_frame_id=1}
2 {file_location_id=2 parent_frame_id=2}

ENTRY main {
  x = f32[2] parameter(0), metadata={op_name="input"}
  plain = f32[2] add(x, x)
  named = f32[2] add(plain, x), metadata={op_type="Add" op_name="f/add"}
  placed = f32[2] add(named, x), metadata={op_name="f/add_1" source_file="f.py" source_line=17}
  ROOT deep = f32[2] add(placed, x), metadata={op_name="g/add" stack_frame_id=2 deduplicated_name="add.7"}
}
"#;
    let options = ImportOptions::default();
    insta::assert_snapshot!(imported(text, &options, true).unwrap());
}

const FUSED: &str = "HloModule fused

           sum {
             a = f32[] parameter(0)
             b = f32[] parameter(1)
             ROOT add = f32[] add(a, b)
           }

           inner {
             pair = (f32[4], f32[]) parameter(0)
             x = f32[4] get-tuple-element(pair), index=0
             zero = f32[] get-tuple-element(pair), index=1
             total = f32[] reduce(x, zero), dimensions={0}, to_apply=sum
             ROOT both = (f32[], f32[4]) tuple(total, x)
           }

           ENTRY main {
             x = f32[4] parameter(0)
             zero = f32[] constant(0)
             pair = (f32[4], f32[]) tuple(x, zero)
             fusion = (f32[], f32[4]) fusion(pair), kind=kInput, calls=inner
             ROOT first = f32[] get-tuple-element(fusion), index=0
           }";

#[test]
fn fusions_are_calls_or_inlined() {
    let inline = ImportOptions {
        fusions: Fusions::Inline,
        ..ImportOptions::default()
    };
    let tuples = ImportOptions {
        flatten: false,
        ..ImportOptions::default()
    };
    let text = [
        module(FUSED),
        imported(FUSED, &inline, false).unwrap(),
        imported(FUSED, &tuples, false).unwrap(),
    ];
    insta::assert_snapshot!(text.join("\n"));
}

#[test]
fn every_computation_can_be_a_function() {
    let all = ImportOptions {
        all_computations: true,
        ..ImportOptions::default()
    };
    assert!(!module(FUSED).contains("@sum"));
    assert!(imported(FUSED, &all, false).unwrap().contains("@sum"));
}

/// Both ends of a channel, and a future that is carried out of its loop.
#[test]
fn transfers_and_futures() {
    insta::assert_snapshot!(module(
        r#"HloModule transfers

           more {
             state = (s32[], f32[2], (f32[2], f32[4])) parameter(0)
             count = s32[] get-tuple-element(state), index=0
             limit = s32[] constant(3)
             ROOT less = pred[] compare(count, limit), direction=LT
           }

           next {
             state = (s32[], f32[2], (f32[2], f32[4])) parameter(0)
             count = s32[] get-tuple-element(state), index=0
             one = s32[] constant(1)
             counted = s32[] add(count, one)
             x = f32[2] get-tuple-element(state), index=1
             start = (f32[2], f32[4]) all-gather-start(x), dimensions={0}, replica_groups={{0,1}}
             ROOT result = (s32[], f32[2], (f32[2], f32[4])) tuple(counted, x, start)
           }

           ENTRY main {
             x = f32[2] parameter(0)
             ready = token[] parameter(1)
             zero = s32[] constant(0)
             start = (f32[2], f32[4]) all-gather-start(x), dimensions={0}, replica_groups={{0,1}}
             state = (s32[], f32[2], (f32[2], f32[4])) tuple(zero, x, start)
             loop = (s32[], f32[2], (f32[2], f32[4])) while(state), condition=more, body=next
             last = (f32[2], f32[4]) get-tuple-element(loop), index=2
             gathered = f32[4] all-gather-done(last)
             send = (f32[4], u32[], token[]) send(gathered, ready), channel_id=1, is_host_transfer=true
             sent = token[] send-done(send), channel_id=1, is_host_transfer=true
             recv = (f32[4], u32[], token[]) recv(sent), channel_id=2, is_host_transfer=true
             received = (f32[4], token[]) recv-done(recv), channel_id=2, is_host_transfer=true
             ROOT data = f32[4] get-tuple-element(received), index=0
           }"#
    ));
}

#[test]
fn errors_name_the_place() {
    let cases = [
        (
            "a = f32[2] parameter(0)\nb = f32[3] parameter(1)\nROOT c = f32[2] add(a, b)",
            "test.hlo:5:",
        ),
        (
            "a = f32[2] parameter(0)\nROOT c = f32[2] reduce(a, a), dimensions={0}",
            "test.hlo:4:",
        ),
        (
            "a = f32[2] parameter(0)\nROOT c = f32[2] fft(a), fft_type=FASTER, fft_length={2}",
            "there is no transform 'FASTER'",
        ),
        (
            "a = f32[2] parameter(0)\nROOT c = f32[2] copy(a), sharding={devices=[1,2]<=[2]}",
            "expected a sharding of 1 dimensions, got one of 2",
        ),
        (
            "a = f32[4,8] parameter(0)\nn = s32[] parameter(1)\nROOT c = f32[<=31] dynamic-reshape(a, n)",
            "the operand has up to 32 elements, but the result has at most 31",
        ),
        (
            "a = (f32[2], f32[]) parameter(0)\nROOT c = f32[2] negate(a)",
            "expected an array as operand, not a tuple",
        ),
        (
            "a = opaque[] parameter(0)\nROOT c = f32[] constant(1)",
            "opaque",
        ),
        (
            "a = f32[4] parameter(0)\nROOT c = f32[4] all-reduce(a), replica_groups=[1,9999999]<=[9999999], to_apply={ x = f32[] parameter(0) y = f32[] parameter(1) ROOT z = f32[] add(x, y) }",
            "devices",
        ),
    ];
    for (instructions, expected) in cases {
        let message = error(instructions);
        assert!(message.contains("test.hlo:"), "{message}");
        assert!(message.contains(": error: "), "{message}");
        assert!(message.contains(expected), "{message}");
    }
}

/// Nesting of regions is limited in depth and number.
#[test]
fn computations_that_grow_without_bound_are_refused() {
    let chain = |count: usize, calls: &str| {
        let mut text = String::from("HloModule deep\n");
        text.push_str("c0 {\n a = f32[] parameter(0)\n b = f32[] parameter(1)\n ROOT r = f32[] add(a, b)\n}\n");
        for number in 1..count {
            let before = number - 1;
            let body = calls.replace("CALLEE", &format!("c{before}"));
            text.push_str(&format!(
                "c{number} {{\n a = f32[] parameter(0)\n b = f32[] parameter(1)\n{body}\n}}\n"
            ));
        }
        let last = count - 1;
        text.push_str(&format!(
            "ENTRY main {{\n x = f32[2] parameter(0)\n z = f32[] constant(0)\n ROOT r = f32[] reduce(x, z), dimensions={{0}}, to_apply=c{last}\n}}\n"
        ));
        text
    };
    let once = " ROOT r = f32[] map(a, b), dimensions={}, to_apply=CALLEE";
    let twice = " l = f32[] map(a, b), dimensions={}, to_apply=CALLEE\n ROOT r = f32[] map(l, b), dimensions={}, to_apply=CALLEE";
    let refused = |text: &str| imported(text, &ImportOptions::default(), false).unwrap_err();
    assert!(refused(&chain(150, once)).contains("nested more than"));
    assert!(imported(&chain(20, once), &ImportOptions::default(), false).is_ok());
    assert!(refused(&chain(40, twice)).contains("instructions to build"));
}
