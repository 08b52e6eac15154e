//! A record for tests.

use crate::record::{
    Arena, ArenaBuffer, CallKind, CompilationRecord, FunctionText, Join, Kernel, KernelCall,
    Machine, MeasuredSite, Node, Outcome, Reason, Remark, RemarkNote, RemarkSeverity, Run, Step,
    Times, VERSION,
};

/// A product with an addition in two kernel calls, a reduction and a runtime function.
pub fn program() -> CompilationRecord {
    CompilationRecord {
        version: VERSION,
        halo: "1.0".to_owned(),
        program: "a.mlir".to_owned(),
        backend: "cpu".to_owned(),
        threads: 2,
        signature: "(tensor<4xf32>) -> tensor<4xf32>".to_owned(),
        argument_bytes: 1000,
        nodes: vec![
            node("stablehlo.dot_general", 3),
            node("stablehlo.add", 4),
            node("stablehlo.reduce", 5),
            node("stablehlo.constant", 2),
        ],
        lines: [
            "func.func @main() {",
            "  %0 = a.a",
            "  %1 = a.b",
            "  %2 = a.c",
            "}",
            "  %1 = a.c",
            "func.func @main_kernel_0() {",
        ]
        .map(str::to_owned)
        .into(),
        functions: vec![
            function("main", &[0, 1, 2, 3, 4]),
            function("main", &[0, 1, 5, 4]),
            function("main_kernel_0", &[6, 4]),
        ],
        steps: vec![
            step(("input", ""), &[0], true),
            step(("hlo", "func.func(cse)"), &[1], true),
            step(("hlo", "canonicalize{a=1}"), &[1], false),
            step(("kernels", "halo-lower-contractions{b=2}"), &[1, 2], true),
        ],
        joins: vec![Join {
            step: 3,
            parts: vec![vec![0], vec![1]],
        }],
        remarks: remarks(),
        calls: calls(),
        kernels: vec![
            Kernel {
                name: "main_kernel_0".to_owned(),
                function: Some(2),
                compile_seconds: Some(0.001),
                code_bytes: Some(300),
            },
            Kernel {
                name: "main_kernel_1".to_owned(),
                ..Kernel::default()
            },
        ],
        arena: Some(arena()),
        times: Times {
            machine_code: 0.002,
            recording: 0.001,
            ..Times::default()
        },
        run: Some(run()),
        machine: Some(Machine {
            flops: 4e11,
            bandwidth: 2e10,
        }),
        ..CompilationRecord::default()
    }
}

fn location(line: u32) -> String {
    format!("a.mlir:{line}:8")
}

fn node(name: &str, line: u32) -> Node {
    Node {
        name: name.to_owned(),
        results: "f32[4]".to_owned(),
        location: location(line),
        ..Node::default()
    }
}

fn function(name: &str, lines: &[u32]) -> FunctionText {
    FunctionText {
        name: name.to_owned(),
        lines: lines.to_vec(),
    }
}

fn step((phase, pass): (&str, &str), functions: &[u32], changed: bool) -> Step {
    Step {
        phase: phase.to_owned(),
        pass: pass.to_owned(),
        seconds: 0.001,
        functions: functions.to_vec(),
        changed,
        ops: 5,
    }
}

fn remarks() -> Vec<Remark> {
    let decision = Remark {
        severity: RemarkSeverity::Remark,
        step: 1,
        decision: Some(Outcome::NotFusedIntoUser.because(Reason::IsReduction)),
        location: location(3),
        nodes: vec![0],
        notes: vec![RemarkNote {
            location: location(4),
            message: "the user".to_owned(),
        }],
        ..Remark::default()
    };
    let warning = Remark {
        severity: RemarkSeverity::Warning,
        step: 1,
        message: "<b>slow</b>".to_owned(),
        location: location(5),
        ..Remark::default()
    };
    vec![decision, warning]
}

fn calls() -> Vec<KernelCall> {
    let product = KernelCall {
        name: "main_kernel_0".to_owned(),
        kernel: Some(0),
        location: location(3),
        nodes: vec![3, 0, 1],
        bytes: Some(2_000_000),
        count: 1,
        flops: 100_000_000,
        ..KernelCall::default()
    };
    let reduction = KernelCall {
        name: "main_kernel_1".to_owned(),
        kernel: Some(1),
        location: location(5),
        nodes: vec![2],
        bytes: Some(16_000_000),
        count: 1,
        flops: 4_000_000,
        ..KernelCall::default()
    };
    let transform = KernelCall {
        kind: CallKind::Function,
        name: "halo.fft".to_owned(),
        location: location(6),
        count: 1,
        ..KernelCall::default()
    };
    vec![product.clone(), product, reduction, transform]
}

fn arena() -> Arena {
    let buffer = |offset, bytes, lifetime: (u64, u64), node| ArenaBuffer {
        offset,
        bytes,
        ty: "memref<4xf32>".to_owned(),
        first: lifetime.0,
        last: lifetime.1,
        location: location(3),
        nodes: vec![node],
    };
    Arena {
        bytes: 3000,
        lower_bound: 3000,
        buffers: vec![
            buffer(0, 1000, (1, 2), 1),
            buffer(1000, 2000, (2, 9), 0),
            buffer(0, 500, (4, 9), 2),
        ],
        end: 9,
        call_times: vec![1, 2, 4, 8],
    }
}

fn run() -> Run {
    let site = |calls: &[u32], name: &str, line, seconds: f64| MeasuredSite {
        calls: calls.to_vec(),
        name: name.to_owned(),
        location: location(line),
        threads: 2,
        count: 2 * calls.len() as u64,
        seconds,
        least_seconds: seconds / 4.0,
    };
    Run {
        runs: vec![0.003, 0.005],
        sites: vec![
            site(&[0, 1], "main_kernel_0", 3, 0.004),
            site(&[2], "main_kernel_1", 5, 0.004),
            site(&[3], "halo.fft", 6, 0.000_1),
        ],
    }
}
