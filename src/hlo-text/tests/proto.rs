//! Modules as protocol buffers in binary.

use halo_hlo_text::{Constant, HloModule, is_hlo_proto, parse, parse_proto, parse_snapshot};

/// `data/proto.textproto` and `data/snapshot.textproto`, encoded by Google's library for protocol
/// buffers.
const PROTO: &[u8] = include_bytes!("data/proto.pb");
const SNAPSHOT: &[u8] = include_bytes!("data/snapshot.pb");

#[track_caller]
fn read(bytes: &[u8]) -> HloModule {
    match parse_proto(bytes) {
        Ok(module) => module,
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn binary_says_what_text_says() {
    let text = parse(include_str!("data/proto.textproto")).unwrap();
    assert_eq!(read(PROTO).to_string(), text.to_string());
    assert!(read(PROTO) == text);
}

#[test]
fn what_is_written_reads_back() {
    let texts = [
        include_str!("data/attributes.hlo"),
        include_str!("data/control_flow.hlo"),
        include_str!("data/literals.hlo"),
        include_str!("data/proto.hlo"),
    ];
    for text in texts {
        let module = parse(text).unwrap();
        let bytes = module.to_proto().unwrap();
        assert!(is_hlo_proto(&bytes));
        let once = read(&bytes);
        let twice = read(&once.to_proto().unwrap());
        assert!(once == twice, "{once}\n{twice}");
        let count = |module: &HloModule| -> usize {
            let computations = module.computations.iter();
            computations.map(|it| it.instructions.len()).sum()
        };
        assert_eq!(count(&once), count(&module));
    }
}

#[test]
fn constants_keep_their_layouts() {
    let text = "HloModule m, entry_computation_layout={()->f32[2,3]{0,1}}\n\n\
        ENTRY %e () -> f32[2,3] {\n  \
        ROOT %c = f32[2,3]{0,1} constant({ { 1, 2, 3 }, { 4, 5, 6 } })\n}\n\n";
    let module = parse(text).unwrap();
    let bytes = module.to_proto().unwrap();
    let root = |module: &HloModule| module.entry().and_then(|entry| entry.root()).cloned();
    assert_eq!(root(&read(&bytes)), root(&module));
    // 1, 4, 2, 5, 3, 6: the first dimension varies fastest.
    let expected: Vec<u8> = [1.0_f32, 4.0, 2.0, 5.0, 3.0, 6.0]
        .iter()
        .flat_map(|number| number.to_le_bytes())
        .collect();
    assert!(bytes.windows(24).any(|window| window == expected));
}

#[test]
fn a_snapshot_has_its_inputs() {
    let snapshot = parse_snapshot(SNAPSHOT).unwrap().unwrap();
    assert_eq!(snapshot.module.name, "snapshot");
    let [Constant::Array(x), Constant::Tuple(pair)] = &snapshot.arguments[..] else {
        panic!("{:?}", snapshot.arguments);
    };
    assert_eq!(x.as_slice::<f32>().unwrap(), [1.5, -2.0]);
    assert_eq!(pair.len(), 2);
    assert!(matches!(snapshot.result, Some(Constant::Array(_))));
    assert!(parse_snapshot(PROTO).unwrap().is_none());
    assert_eq!(read(SNAPSHOT).name, "snapshot");
}

#[test]
fn messages_are_told_from_texts() {
    assert!(is_hlo_proto(PROTO) && is_hlo_proto(SNAPSHOT));
    for text in [
        "",
        "\n",
        "\nmodule {\n}\n",
        "\n\nHloModule m\n",
        "ML\u{ef}R",
    ] {
        assert!(!is_hlo_proto(text.as_bytes()), "{text:?}");
    }
}

#[test]
fn damage_is_an_error() {
    let error = parse_proto(PROTO.get(..PROTO.len() - 1).unwrap()).unwrap_err();
    assert!(error.message.ends_with("buffer underflow"), "{error}");
    // Every prefix and edit of a byte is accepted or an error.
    for bytes in [PROTO, SNAPSHOT] {
        for end in 0..bytes.len() {
            let _ = parse_proto(&bytes[..end]);
        }
        let mut edited = bytes.to_vec();
        for position in 0..edited.len() {
            for flip in [0x01, 0x80, 0xff] {
                edited[position] ^= flip;
                let _ = parse_proto(&edited);
                let _ = parse_snapshot(&edited);
                edited[position] ^= flip;
            }
        }
    }
}

#[test]
fn nesting_has_a_limit() {
    // `host_program_shape { result { element_type: TUPLE tuple_shapes { element_type: TUPLE ...`
    let field = |head: &[u8], message: &[u8]| {
        let mut outer = head.to_vec();
        prost::encoding::encode_varint(message.len() as u64, &mut outer);
        outer.extend_from_slice(message);
        outer
    };
    let module = |depth: usize| {
        let mut shape = vec![0x10, 13];
        for _ in 0..depth {
            shape = field(&[0x10, 13, 0x22], &shape);
        }
        field(&[0x0a, 1, b'm', 0x22], &field(&[0x12], &shape))
    };
    let error = |depth| parse_proto(&module(depth)).unwrap_err().message;
    assert_eq!(error(90), "the module has no entry computation");
    let deep = error(10_000);
    assert!(deep.ends_with("recursion limit reached"), "{deep}");
    let error = parse(&"computations {\n".repeat(10_000)).unwrap_err();
    assert_eq!(error.message, "nested deeper than 100 levels");
}

/// An edit of the bytes of a module, and its error.
#[track_caller]
fn check_edit(text: &str, bytes: &[u8], edited: &[u8], expected: &str) {
    let module = parse(text).unwrap().to_proto().unwrap();
    let at = module.windows(bytes.len()).position(|it| it == bytes);
    let at = at.expect("the bytes are in the module");
    let mut module = module;
    module[at..at + bytes.len()].copy_from_slice(edited);
    assert_eq!(parse_proto(&module).unwrap_err().message, expected);
}

#[test]
fn errors_name_the_instruction() {
    let text = "HloModule m ENTRY e { x = f32[] parameter(0) ROOT y = f32[] fft(x), \
                fft_type=RFFT, fft_length={7} }";
    // Field 36, packed: the operand of id 1.
    let operands = [0xa2, 0x02, 1, 1];
    check_edit(
        text,
        &operands,
        &[0xa2, 0x02, 1, 9],
        "computation 'e': instruction 'y': there is no instruction of id 9 before this one",
    );
    // Field 31: RFFT.
    check_edit(
        text,
        &[0xf8, 0x01, 2],
        &[0xf8, 0x01, 9],
        "computation 'e': instruction 'y': expected a value of FftType, got 9",
    );
}

#[test]
fn narrow_integers_take_a_byte_each() {
    let text = "HloModule m ENTRY e { ROOT c = s4[3] constant({-1, 7, -8}) }";
    let module = parse(text).unwrap();
    let bytes = module.to_proto().unwrap();
    // Field 21, three bytes, in XLA's encoding: one element per byte.
    let field = [0xaa, 0x01, 3, 0x0f, 0x07, 0x08];
    assert!(bytes.windows(field.len()).any(|window| window == field));
    let root = |module: &HloModule| module.entry().and_then(|entry| entry.root()).cloned();
    let constant = |module: &HloModule| root(module).map(|root| root.arguments);
    assert_eq!(constant(&read(&bytes)), constant(&module));
}

/// The bytes are XLA's.
#[test]
fn axes_of_meshes_are_written_as_by_xla() {
    let sharding = "{mesh['a'=2,'b'=4], device_ids=([4,2]T(1,0)), \
                    [{'a'}, {'b':(1)2, ?}], replicated={'b':(2)2}}";
    let groups = "mesh['a'=2,'b'=4], device_ids=(7,6,5,4,3,2,1,0) {'a','b':(1)2}";
    let text = format!(
        "HloModule m\nadd {{ a = f32[] parameter(0) b = f32[] parameter(1) \
         ROOT c = f32[] add(a, b) }}\n\
         ENTRY e {{ x = f32[8,8] parameter(0), sharding={sharding}\n\
         ROOT r = f32[8,8] all-reduce(x), replica_groups={groups}, channel_id=1, \
         use_global_device_ids=true, to_apply=add }}"
    );
    let module = parse(&text).unwrap();
    let bytes = module.to_proto().unwrap();
    for expected in [
        &[
            0x72, 0x36, 0x12, 0x18, 0x0a, 0x05, 0x0a, 0x01, 0x61, 0x10, 0x02, 0x0a, 0x05, 0x0a,
            0x01, 0x62, 0x10, 0x04, 0x1a, 0x08, 0x0a, 0x02, 0x04, 0x02, 0x12, 0x02, 0x01, 0x00,
            0x1a, 0x04, 0x0a, 0x00, 0x10, 0x01, 0x1a, 0x0a, 0x0a, 0x08, 0x08, 0x01, 0x12, 0x04,
            0x08, 0x01, 0x10, 0x02, 0x22, 0x08, 0x08, 0x01, 0x12, 0x04, 0x08, 0x02, 0x10, 0x02,
        ][..],
        &[
            0x0a, 0x18, 0x0a, 0x05, 0x0a, 0x01, 0x61, 0x10, 0x02, 0x0a, 0x05, 0x0a, 0x01, 0x62,
            0x10, 0x04, 0x12, 0x08, 0x07, 0x06, 0x05, 0x04, 0x03, 0x02, 0x01, 0x00, 0x12, 0x00,
            0x12, 0x08, 0x08, 0x01, 0x12, 0x04, 0x08, 0x01, 0x10, 0x02,
        ],
    ] {
        assert!(bytes.windows(expected.len()).any(|it| it == expected));
    }
    let back = read(&bytes).to_string();
    assert!(back.contains(sharding), "{back}");
    assert!(back.contains(groups), "{back}");
}

#[test]
fn axes_that_a_mesh_does_not_have_are_refused() {
    let text = "HloModule m\nENTRY e { ROOT x = f32[8] parameter(0), \
                sharding={mesh['a'=2,'b'=4], [{'b'}]} }";
    let bytes = parse(text).unwrap().to_proto().unwrap();
    // `dim_shardings` of one axis, number 1, closed.
    let reference = [0x1a, 6, 0x0a, 2, 0x08, 1, 0x10, 1];
    let at = bytes.windows(8).position(|it| it == reference).unwrap();
    for number in [2, 0x7f] {
        let mut edited = bytes.clone();
        edited[at + 5] = number;
        let error = parse_proto(&edited).unwrap_err();
        let expected = format!("there is no axis {number}");
        assert!(error.message.ends_with(&expected), "{error}");
    }
}
