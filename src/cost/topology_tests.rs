use super::*;

const NODES: &str = "
algorithms = 'best'

[device]
flops = 1e12
flops_by_type = { bf16 = 4e12 }
bandwidth = 1e11
memory = 16e9
overhead = 5e-6

[[level]]
name = 'node'
size = 8
latency = 1e-6
bandwidth = 1e11

[[level]]
name = 'rack'
size = 4
shape = 'ring'
latency = 1e-5
overhead = 2e-6
bandwidth = 1e10
shared = { flops = 1e13, bandwidth = 4e11, processors = 16, slice = 2e-3 }
";

fn nodes() -> Topology {
    Topology::parse("t.toml", NODES.as_bytes()).unwrap()
}

#[test]
fn a_file_says_all() {
    let topology = nodes();
    assert_eq!(topology.devices(), 32);
    assert_eq!(topology.algorithms, Algorithms::Best);
    assert!(topology.overlap);
    assert_eq!(topology.device.flops_of("bf16"), 4e12);
    assert_eq!(topology.device.flops_of("f32"), 1e12);
    assert_eq!(topology.device.memory, Some(16_000_000_000));
    assert_eq!(topology.levels[0].overhead, 0.0);
    assert_eq!(topology.levels[1].shape, Shape::Ring);
    assert_eq!(topology.levels[1].overhead, 2e-6);
}

#[test]
fn messages_cross_the_innermost_level_of_both() {
    let topology = nodes();
    let crossed = |one, other| topology.crossed(one, other);
    assert_eq!(
        [crossed(3, 3), crossed(0, 7), crossed(7, 8), crossed(0, 31)],
        [None, Some(0), Some(1), Some(1)]
    );
}

/// 32 devices share 10^13 flop/s, 4 * 10^11 byte/s and 16 processors.
#[test]
fn devices_share() {
    let device = nodes().device_among(32);
    assert_eq!(device.flops, 1e13 / 32.0);
    assert_eq!(device.flops_of("bf16"), 4e12 * (1e13 / 32.0 / 1e12));
    assert_eq!(device.bandwidth, 4e11 / 32.0);
    assert_eq!(device.overhead, 1e-5);
    assert_eq!(nodes().turns(1, 32), 2.0);
    assert_eq!(nodes().turns(0, 32), 1.0);
    // Two threads, each for the second turn.
    assert_eq!(nodes().waiting(1, 32), 4e-3);
    assert_eq!(nodes().waiting(1, 16), 0.0);
    let alone = nodes().device_among(1);
    assert_eq!(alone, nodes().device);
}

/// 10^9 operations take 1 ms, 10^9 bytes 10 ms.
#[test]
fn kernels_take_what_bounds_them() {
    let device = nodes().device;
    let time = device.seconds(1e9 / device.flops, 0.0, 1e9);
    assert!((time - 10.005e-3).abs() < 1e-12);
    let time = device.seconds(1e9 / device.flops, 0.0, 1e6);
    assert!((time - 1.005e-3).abs() < 1e-12);
}

#[test]
fn errors_have_a_place() {
    let expect = |from: &str, to: &str, message: &str| {
        assert!(NODES.contains(from));
        let text = NODES.replacen(from, to, 1);
        let error = Topology::parse("t.toml", text.as_bytes()).unwrap_err().to_string();
        assert!(error.starts_with(message), "{error}");
    };
    expect(
        "flops = 1e12",
        "flops = -1",
        "t.toml:5:9: error: 'flops' is -1, but must be greater than zero",
    );
    expect(
        "size = 8",
        "size = 0",
        "t.toml:13:8: error: 'size' is 0, but must be between 1 and",
    );
    expect("size = 8", "size = 'x'", "t.toml:13:8: error: invalid type");
    expect(
        "overhead = 5e-6",
        "overhed = 5e-6",
        "t.toml:9:1: error: unknown field `overhed`",
    );
    expect(
        "'ring'",
        "'star'",
        "t.toml:20:9: error: unknown variant `star`",
    );
    expect("latency = 1e-6", "latency = ", "t.toml:14:11: error: ");
    expect("processors = 16", "processors = 0", "t.toml:24:");
    let error = Topology::parse("t.toml", b"[device]\n\xff").unwrap_err().to_string();
    assert_eq!(error, "t.toml:2:1: error: input is not valid UTF-8");
    let text = NODES.split("[[level]]").next().unwrap().to_owned() + "\n[[level]]";
    let error = Topology::parse("t.toml", text.as_bytes()).unwrap_err().to_string();
    assert!(error.contains("missing field `name`"), "{error}");
    let text = text.replace("[[level]]", "");
    let error = Topology::parse("t.toml", text.as_bytes()).unwrap_err().to_string();
    assert!(error.contains("missing field `level`"), "{error}");
}

/// A message of 40 kB takes as long as an empty one: 20 us * 2 GB/s.
#[test]
fn small_collectives_are_bound_by_latency() {
    let level = Level::of_one_machine(2);
    assert!((level.latency_bound_bytes() - 40e3).abs() < 1e-6);
    assert!((level.combined_bytes() - 320e3).abs() < 1e-6);
    let halls = Topology {
        levels: vec![
            Level {
                latency: 2e-6,
                bandwidth: 400e9,
                ..level.clone()
            },
            Level {
                latency: 5e-6,
                bandwidth: 100e9,
                ..level.clone()
            },
        ],
        ..nodes()
    };
    // 800 kB and 500 kB move while an empty message does.
    assert_eq!(halls.link(), halls.levels[0]);
}
