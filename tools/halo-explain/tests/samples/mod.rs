//! Records of compilations that never were, of any size, for tests of reports.

// Each test uses some of them.
#![allow(dead_code)]

use halo_runtime::compilation_record::{
    Arena, ArenaBuffer, Arithmetic, CacheLevel, CallBuffer, CallKind, CallPurpose, CallTimes,
    CodeGeneration, CompilationRecord, EntryValue, FunctionText, Kernel, KernelCall, Loop, Machine,
    MeasuredSite, Node, Peak, Remark, RemarkNote, Run, SourceOp, Spread, Step, Tasks, Times,
    VERSION,
};
use std::collections::HashMap;

/// The ops of a layer, the operands of each as distances back, 0 being the layer's input, and
/// the kernel of the layer that it is a part of.
const LAYER: [(&str, &[usize], usize); 12] = [
    ("stablehlo.constant", &[], 0),
    ("stablehlo.dot_general", &[0, 1], 0),
    ("stablehlo.broadcast_in_dim", &[], 0),
    ("stablehlo.add", &[2, 1], 0),
    ("stablehlo.logistic", &[1], 1),
    ("stablehlo.multiply", &[2, 1], 1),
    ("stablehlo.add", &[0, 1], 2),
    ("stablehlo.reduce", &[1], 2),
    ("stablehlo.broadcast_in_dim", &[1], 2),
    ("stablehlo.subtract", &[3, 1], 2),
    ("stablehlo.rsqrt", &[1], 2),
    ("stablehlo.multiply", &[2, 1], 2),
];

const TENSOR: &str = "tensor<64x256xf32>";

/// A cache of so many bytes that gives so many in a second.
pub fn cache(name: &str, bytes: u64, bandwidth: f64) -> CacheLevel {
    CacheLevel {
        name: name.to_owned(),
        bytes,
        bandwidth,
        ..CacheLevel::default()
    }
}
const BYTES: u64 = 64 * 256 * 4;

/// A compilation of a program of so many ops for a CPU, with a measured run.
pub fn program(ops: usize) -> CompilationRecord {
    program_of_passes(ops, 1)
}

fn entry_value(name: &str, r#type: &str, bytes: u64) -> EntryValue {
    EntryValue {
        name: name.to_owned(),
        r#type: r#type.to_owned(),
        bytes: Some(bytes),
    }
}

/// One whose phases have so many times the passes.
pub fn program_of_passes(ops: usize, rounds: usize) -> CompilationRecord {
    let mut record = CompilationRecord {
        version: VERSION,
        halo: "0.1.0".to_owned(),
        program: "program.mlir".to_owned(),
        backend: "cpu".to_owned(),
        target: "x86-64, znver4, AVX-512".to_owned(),
        threads: 2,
        signature: format!("main({TENSOR}, tensor<256xf32>) -> {TENSOR}"),
        arguments: vec![
            entry_value("%arg0", TENSOR, BYTES),
            entry_value("%arg1", "tensor<256xf32>", 1024),
        ],
        results: vec![entry_value("", TENSOR, BYTES)],
        origins: vec![Vec::new()],
        node_sets: vec![Vec::new()],
        machine: Some(Machine {
            flops: 1.8e11,
            bandwidth: 1.4e10,
            peaks: vec![Peak {
                arithmetic: Arithmetic::F32,
                instruction: "vfmadd231ps zmm".to_owned(),
                flops: 1.8e11,
            }],
            caches: Vec::new(),
            call_seconds: 0.0,
            source: "Measured with 2 threads: a product of 512 rows and a copy of 64 MiB."
                .to_owned(),
        }),
        ..CompilationRecord::default()
    };
    read_program(&mut record, ops);
    let mut texts = Texts::default();
    run_passes(&mut record, &mut texts, rounds);
    make_kernels(&mut record, &mut texts);
    record.lines = texts.lines;
    plan_memory(&mut record);
    decide(&mut record);
    measure(&mut record, 10);
    let seconds = record.code_generation.iter().map(|part| part.seconds);
    let machine_code = 0.6 * seconds.sum::<f64>();
    record.times = Times {
        between_passes: 0.002,
        verification: 0.001,
        machine_code,
        machine_code_threads: 2,
        loading: 0.003,
        recording: 0.1,
        whole: 0.0,
        unrecorded: 0.0,
    };
    record
}

/// One without a run and a machine.
pub fn not_run(ops: usize) -> CompilationRecord {
    CompilationRecord {
        run: None,
        machine: None,
        ..program(ops)
    }
}

/// One whose first and fourth call are of one kernel, and whose third one packs.
pub fn shared_kernel(ops: usize) -> CompilationRecord {
    let mut record = program(ops);
    let name = record.calls[0].name.clone();
    record.calls[3].name.clone_from(&name);
    record.calls[3].kernel = Some(0);
    record.calls[2].purpose = CallPurpose::Pack;
    if let Some(run) = &mut record.run {
        run.sites[3].name = name;
    }
    record
}

/// One that failed in the phase of fusion.
pub fn failed(ops: usize) -> CompilationRecord {
    let mut record = program(ops);
    record.steps.truncate(8);
    record.calls.clear();
    record.kernels.clear();
    record.code_generation.clear();
    record.times = Times::default();
    record.arena = None;
    record.run = None;
    for node in &mut record.nodes {
        node.calls.clear();
    }
    record.remarks.retain(|remark| remark.step < 8);
    record.error = Some("program.mlir:4:8: error: 'stablehlo.add' cannot be <fused>".to_owned());
    record
}

/// One of the interpreter, which makes neither kernels nor an arena.
pub fn interpreted(ops: usize) -> CompilationRecord {
    let mut record = failed(ops);
    record.backend = "interpreter".to_owned();
    record.steps.truncate(4);
    record.remarks.clear();
    record.error = None;
    record
}

/// One of a GPU: no threads, no assembly for a processor.
pub fn gpu(ops: usize) -> CompilationRecord {
    let mut record = program(ops);
    record.backend = "cuda".to_owned();
    record.target = "sm_90".to_owned();
    record.threads = 0;
    for kernel in &mut record.kernels {
        kernel.assembly =
            ".visible .entry kernel()\n{\n  ld.global.f32 %f1, [%rd1];\n}\n".to_owned();
    }
    record
}

/// What a name must not do to a page.
pub const MARKUP: &str = "</script><img src=x onerror=alert(1)>\"'&<b>{{7*7}}";

/// One whose names are markup.
pub fn markup() -> CompilationRecord {
    let mut record = program(24);
    record.program = format!("{MARKUP}.mlir");
    record.source = format!("// {MARKUP}\n{}", record.source);
    record.signature = MARKUP.to_owned();
    record.target = MARKUP.to_owned();
    record.error = Some(MARKUP.to_owned());
    for op in &mut record.ops {
        op.name = format!("a.{MARKUP}");
        op.location = format!("{MARKUP}:{}:3", op.line);
    }
    for node in &mut record.nodes {
        node.name = format!("a.{MARKUP}");
        node.results = MARKUP.to_owned();
        node.detail = MARKUP.to_owned();
    }
    for (number, call) in record.calls.iter_mut().enumerate() {
        call.name = format!("{MARKUP}{number}");
        call.location = MARKUP.to_owned();
        for buffer in &mut call.buffers {
            buffer.name = MARKUP.to_owned();
        }
    }
    for kernel in &mut record.kernels {
        kernel.name = MARKUP.to_owned();
        kernel.assembly = MARKUP.to_owned();
        kernel.loops[0].text = MARKUP.to_owned();
        kernel.loops[0].ops[0].0 = MARKUP.to_owned();
    }
    if let Some(run) = &mut record.run {
        for site in &mut run.sites {
            let number = site.calls[0];
            site.name = format!("{MARKUP}{number}");
            site.location = MARKUP.to_owned();
        }
    }
    for buffer in record.arena.iter_mut().flat_map(|arena| &mut arena.buffers) {
        buffer.r#type = MARKUP.to_owned();
        buffer.location = MARKUP.to_owned();
    }
    for remark in &mut record.remarks {
        remark.message = MARKUP.to_owned();
        remark.notes.push(RemarkNote {
            location: MARKUP.to_owned(),
            message: MARKUP.to_owned(),
            nodes: Vec::new(),
        });
    }
    for step in &mut record.steps {
        step.pass = MARKUP.to_owned();
        step.phase = MARKUP.to_owned();
    }
    for function in &mut record.functions {
        function.name = MARKUP.to_owned();
    }
    for line in &mut record.lines {
        line.push_str(MARKUP);
    }
    for part in &mut record.code_generation {
        part.name = MARKUP.to_owned();
    }
    if let Some(machine) = &mut record.machine {
        machine.source = MARKUP.to_owned();
    }
    record
}

/// One whose names are long, without places to break them, and whose numbers are large.
pub fn long_names() -> CompilationRecord {
    let mut record = program(60);
    let long = |name: &str| format!("{name}_{}", "of_a_name_without_end".repeat(6));
    record.program = format!("{}.mlir", long("program"));
    record.signature = long("main");
    record.target = long("x86_64");
    for op in &mut record.ops {
        op.location = format!("{}:{}:8", record.program, op.line);
    }
    for node in &mut record.nodes {
        node.name = long("dialect.op");
        node.results = format!("tensor<{}xf32>", "64x".repeat(60));
        node.detail = long("detail");
    }
    for call in &mut record.calls {
        call.name = long(&call.name);
        call.location = format!("{}:4:8", record.program);
        for buffer in &mut call.buffers {
            buffer.r#type = format!("memref<{}xf32>", "64x".repeat(60));
        }
    }
    for kernel in &mut record.kernels {
        kernel.name = long(&kernel.name);
        kernel.loops[0].text = long("scf.for");
    }
    for buffer in record.arena.iter_mut().flat_map(|arena| &mut arena.buffers) {
        buffer.r#type = format!("memref<{}xf32>", "64x".repeat(60));
        buffer.location = format!("{}:4:8", record.program);
    }
    for remark in &mut record.remarks {
        remark.message = long("the tensor is copied");
    }
    for step in &mut record.steps {
        step.pass = long(&step.pass);
    }
    for part in &mut record.code_generation {
        part.name = long(&part.name);
    }
    if let Some(run) = &mut record.run {
        run.seconds *= 1e5;
        for site in &mut run.sites {
            site.name = long(&site.name);
            site.location = format!("{}:4:8", record.program);
            site.sum.count *= 1_000_000;
            for time in [
                &mut site.sum.seconds,
                &mut site.sum.busy_seconds,
                &mut site.sum.taking_part_seconds,
            ] {
                *time *= 1e5;
            }
            for run in &mut site.of_runs {
                run.count *= 1_000_000;
                for time in [
                    &mut run.seconds,
                    &mut run.busy_seconds,
                    &mut run.taking_part_seconds,
                ] {
                    *time *= 1e6;
                }
            }
        }
    }
    record
}

/// The program, and the nodes that are its ops.
fn read_program(record: &mut CompilationRecord, ops: usize) {
    let mut source =
        format!("func.func @main(%arg0: {TENSOR}, %arg1: tensor<256xf32>) -> {TENSOR} {{\n");
    let mut input = -1;
    for number in 0..ops {
        let (name, operands, _) = LAYER[number % LAYER.len()];
        if number % LAYER.len() == 0 && number > 0 {
            input = number as i32 - 1;
        }
        let operands: Vec<i32> = operands
            .iter()
            .map(|back| match back {
                0 => input,
                back => (number - back) as i32,
            })
            .chain((name == "stablehlo.broadcast_in_dim" && operands.is_empty()).then_some(-2))
            .collect();
        let values: Vec<String> = operands.iter().map(|operand| value(*operand)).collect();
        source += &format!("  %{number} = {name} {} : {TENSOR}\n", values.join(", "));
        record.ops.push(SourceOp {
            name: name.to_owned(),
            location: format!("program.mlir:{}:8", number + 2),
            line: number as u32 + 2,
        });
        record.origins.push(vec![number as u32]);
        record.node_sets.push(vec![number as u32]);
        let is_product = name == "stablehlo.dot_general";
        record.nodes.push(Node {
            name: name.to_owned(),
            results: TENSOR.to_owned(),
            detail: match is_product {
                true => "contracting [1] x [0]".to_owned(),
                false => String::new(),
            },
            operands,
            parent: None,
            origins: vec![number as u32],
            callers: Vec::new(),
            applied: match name {
                "stablehlo.reduce" => "add".to_owned(),
                _ => String::new(),
            },
            calls: Vec::new(),
            flops: match name {
                "stablehlo.dot_general" => 2 * 64 * 256 * 256,
                "stablehlo.constant" | "stablehlo.broadcast_in_dim" => 0,
                _ => 64 * 256,
            },
            transcendentals: match name {
                "stablehlo.logistic" => 64 * 256,
                _ => 0,
            },
            bytes: BYTES,
        });
    }
    source += &format!("  return %{} : {TENSOR}\n}}\n", ops.saturating_sub(1));
    record.source = source;
}

fn value(operand: i32) -> String {
    match operand {
        0.. => format!("%{operand}"),
        _ => format!("%arg{}", -1 - operand),
    }
}

/// Lines, each once.
#[derive(Default)]
struct Texts {
    lines: Vec<String>,
    numbers: HashMap<String, u32>,
}

impl Texts {
    fn line(&mut self, text: String) -> u32 {
        *self.numbers.entry(text.clone()).or_insert_with(|| {
            self.lines.push(text);
            self.lines.len() as u32 - 1
        })
    }

    fn function(&mut self, name: &str, lines: Vec<(String, u32)>) -> FunctionText {
        let (lines, origins): (Vec<_>, Vec<_>) = lines
            .into_iter()
            .map(|(line, origin)| (self.line(line), origin))
            .unzip();
        FunctionText {
            name: name.to_owned(),
            lines,
            nodes: origins.clone(),
            origins,
        }
    }
}

/// The passes: each phase writes ops in its own dialect, and its passes drop some of them.
fn run_passes(record: &mut CompilationRecord, texts: &mut Texts, rounds: usize) {
    const PHASES: [(&str, &str, &[&str]); 5] = [
        ("", "stablehlo", &[""]),
        (
            "hlo",
            "stablehlo",
            &["inline", "stablehlo-aggressive-simplification", "cse"],
        ),
        (
            "linalg",
            "linalg",
            &["stablehlo-legalize-to-linalg", "canonicalize"],
        ),
        (
            "fusion",
            "linalg",
            &[
                "halo-fuse-elementwise{explain=true}",
                "halo-form-fusion-groups",
                "cse",
                "canonicalize",
            ],
        ),
        (
            "kernels",
            "scf",
            &[
                "halo-linalg-to-loops",
                "halo-outline-kernels",
                "cse",
                "symbol-dce",
            ],
        ),
    ];
    let mut dropped = 0;
    for (phase, dialect, passes) in PHASES {
        let rounds = if phase.is_empty() { 1 } else { rounds };
        for (number, pass) in passes.repeat(rounds).iter().enumerate() {
            let changed = *pass != "cse" && *pass != "symbol-dce";
            let functions = match record.steps.last() {
                Some(step) if !changed => step.functions.clone(),
                _ => {
                    dropped += usize::from(number > 0);
                    let lines = body(record, dialect, dropped);
                    let function = texts.function("main", lines);
                    record.functions.push(function);
                    vec![record.functions.len() as u32 - 1]
                }
            };
            let ops = functions
                .iter()
                .map(|function| record.functions[*function as usize].lines.len() as u32);
            record.steps.push(Step {
                phase: phase.to_owned(),
                pass: (*pass).to_owned(),
                seconds: 1e-4 * (1 + record.steps.len() * record.ops.len() / 10) as f64,
                changed,
                ops: ops.sum(),
                functions,
            });
        }
    }
}

fn body(record: &CompilationRecord, dialect: &str, dropped: usize) -> Vec<(String, u32)> {
    let mut lines = vec![(
        format!("func.func @main(%arg0: {TENSOR}, %arg1: tensor<256xf32>) -> {TENSOR} {{"),
        0,
    )];
    let mut names: HashMap<i32, String> = HashMap::new();
    for (number, node) in record.nodes.iter().enumerate() {
        let operands: Vec<String> = node
            .operands
            .iter()
            .map(|operand| {
                names
                    .get(operand)
                    .cloned()
                    .unwrap_or_else(|| value(*operand))
            })
            .collect();
        // Every pass drops the multiplications of another layer.
        if number % 12 == 5 && (number / 12) % 64 < dropped {
            names.insert(number as i32, operands[0].clone());
            continue;
        }
        let name = format!("%{}", lines.len() - 1);
        let op = node.name.replace("stablehlo", dialect);
        let origin = number as u32 + 1;
        lines.push((
            format!("  {name} = {op} {} : {TENSOR}", operands.join(", ")),
            origin,
        ));
        names.insert(number as i32, name);
    }
    lines.push((format!("  return %{} : {TENSOR}", lines.len() - 2), 0));
    lines.push(("}".to_owned(), 0));
    lines
}

/// A kernel for each group of each layer, called once.
fn make_kernels(record: &mut CompilationRecord, texts: &mut Texts) {
    for number in 0..record.nodes.len() {
        let group = number / LAYER.len() * 3 + LAYER[number % LAYER.len()].2;
        if group >= record.calls.len() {
            let name = format!("main_kernel_{group}");
            record.calls.push(KernelCall {
                kind: CallKind::Kernel,
                name: name.clone(),
                kernel: Some(group as u32),
                location: record.ops[number].location.clone(),
                tasks: group.is_multiple_of(3).then_some(Tasks {
                    iterations: Some(64),
                    least: 8,
                }),
                bytes: Some(3 * BYTES),
                count: 1,
                buffers: vec![
                    buffer("argument 0", None),
                    buffer("arena", Some(group as u32)),
                ],
                ..KernelCall::default()
            });
            let text = kernel_text(texts, &name, number as u32);
            record.kernels.push(kernel(&name, text));
            record.code_generation.push(CodeGeneration {
                name,
                seconds: 2e-3 + 1e-4 * (group % 7) as f64,
                passes_seconds: 8e-4,
                translation_seconds: 1e-4,
            });
        }
        let node = &mut record.nodes[number];
        let call = &mut record.calls[group];
        node.calls.push(group as u32);
        call.nodes.push(number as u32);
        call.flops += node.flops;
        call.transcendentals += node.transcendentals;
    }
    record.code_bytes = Some(record.kernels.len() as u64 * 620);
}

fn buffer(name: &str, arena: Option<u32>) -> CallBuffer {
    CallBuffer {
        name: name.to_owned(),
        r#type: "memref<64x256xf32>".to_owned(),
        bytes: Some(BYTES),
        touched: Some(BYTES),
        is_written: arena.is_some(),
        arena,
    }
}

fn kernel_text(texts: &mut Texts, name: &str, op: u32) -> FunctionText {
    let text = format!(
        "func.func @{name}(%arg0: memref<64x256xf32>, %arg1: memref<64x256xf32>) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c256 = arith.constant 256 : index
  scf.for %arg2 = %c0 to %c64 step %c1 {{
    scf.for %arg3 = %c0 to %c256 step %c1 {{
      %0 = memref.load %arg0[%arg2, %arg3] : memref<64x256xf32>
      %1 = arith.mulf %0, %0 : f32
      %2 = arith.addf %1, %0 : f32
      memref.store %2, %arg1[%arg2, %arg3] : memref<64x256xf32>
    }}
  }}
  return
}}"
    );
    let lines = text.lines().enumerate().map(|(number, line)| {
        let origin = match number {
            7..=10 => op + 1 + (number as u32 - 7) / 2,
            _ => 0,
        };
        (line.to_owned(), origin)
    });
    texts.function(name, lines.collect())
}

fn kernel(name: &str, text: FunctionText) -> Kernel {
    Kernel {
        name: name.to_owned(),
        text,
        loops: vec![
            Loop {
                depth: 0,
                text: "scf.for 0 to 64 step 1".to_owned(),
                iterations: Some(64),
                ops: vec![("arith.constant".to_owned(), 4)],
            },
            Loop {
                depth: 1,
                text: "scf.for 0 to 256 step 1".to_owned(),
                iterations: Some(256),
                ops: vec![
                    ("memref.load".to_owned(), 1),
                    ("arith.mulf".to_owned(), 1),
                    ("arith.addf".to_owned(), 1),
                    ("memref.store".to_owned(), 1),
                ],
            },
        ],
        assembly: format!(
            "{name}:\n\tpushq\t%rbp\n.LBB0_1:\n\tvmovups\t(%rdi,%rax), %zmm0\n\
             \tvfmadd213ps\t%zmm0, %zmm0, %zmm0\n\tvmovups\t%zmm0, (%rsi,%rax)\n\
             \taddq\t$64, %rax\n\tcmpq\t$65536, %rax\n\tjne\t.LBB0_1\n\tpopq\t%rbp\n\tretq\n"
        ),
        compile_seconds: Some(2e-3),
        code_bytes: Some(600),
        samples: Vec::new(),
    }
}

/// A buffer for each kernel, which lives until the next but one.
fn plan_memory(record: &mut CompilationRecord) {
    let calls = record.calls.len() as u64;
    let buffers = (0..calls).map(|call| ArenaBuffer {
        offset: call % 4 * BYTES,
        bytes: if call % 4 == 3 { BYTES / 2 } else { BYTES },
        r#type: "memref<64x256xf32>".to_owned(),
        first: 2 * call + 1,
        last: (2 * call + 5).min(2 * calls),
        location: record.calls[call as usize].location.clone(),
        nodes: record.calls[call as usize]
            .nodes
            .iter()
            .rev()
            .take(1)
            .copied()
            .collect(),
    });
    record.arena = Some(Arena {
        bytes: 4 * BYTES,
        lower_bound: 3 * BYTES,
        peak: 5.min(2 * calls),
        buffers: buffers.collect(),
        end: 2 * calls + 1,
        call_times: (0..calls).map(|call| 2 * call + 1).collect(),
    });
}

fn decide(record: &mut CompilationRecord) {
    for number in (1..record.ops.len()).step_by(6) {
        record.remarks.push(Remark {
            severity: "remark".to_owned(),
            step: 6,
            message: match number % 4 {
                1 => "'stablehlo.dot_general' is not fused: a contraction keeps its own loops",
                _ => "the tensor is copied: its first use writes to it",
            }
            .to_owned(),
            location: record.ops[number].location.clone(),
            origins: vec![number as u32],
            nodes: vec![number as u32],
            notes: vec![RemarkNote {
                location: record.ops[number].location.clone(),
                message: "the user".to_owned(),
                nodes: vec![number as u32],
            }],
        });
    }
}

fn measure(record: &mut CompilationRecord, runs: u64) {
    let mut all = 0.0;
    let sites = record.calls.iter().enumerate().map(|(number, call)| {
        // Products take a tenth of the machine's flops, other kernels most of its bandwidth.
        let seconds = match number % 3 {
            0 => call.flops as f64 / 1.8e10,
            _ => 3.0 * BYTES as f64 / 1.1e10,
        } * (1.0 + 0.1 * (number % 5) as f64)
            * runs as f64;
        all += seconds;
        let is_shared = call.tasks.is_some();
        let part = |of_shared: f64, of_others: f64| if is_shared { of_shared } else { of_others };
        let sum = CallTimes {
            count: runs,
            seconds,
            busy_seconds: part(1.5, 1.0) * seconds,
            preempted_seconds: 0.0,
            waiting_seconds: part(0.3, 0.0) * seconds,
            shared_count: if is_shared { runs } else { 0 },
            taking_part_seconds: part(2.0, 1.0) * seconds,
            late_seconds: part(0.1, 0.0) * seconds,
        };
        MeasuredSite {
            calls: vec![number as u32],
            name: call.name.clone(),
            location: call.location.clone(),
            callers: call.callers.clone(),
            threads: if is_shared { 2 } else { 1 },
            wait_seconds: part(0.2, 0.0) * seconds,
            bytes: call.bytes.map(|bytes| bytes * runs),
            sum,
            of_runs: of_runs(sum).into(),
            least_busy_seconds: None,
        }
    });
    let sites: Vec<MeasuredSite> = sites.collect();
    record.run = Some(Run {
        runs,
        seconds: all * 1.04,
        wait_seconds: all * 0.02,
        spread: spread(all * 1.04 / runs as f64),
        sites,
        sample_period: 0.0,
    });
}

/// The times of ten runs, of which the mean is 1.
const OF_RUNS: [f64; 10] = [0.98, 1.3, 0.94, 0.96, 1.0, 0.9, 0.97, 0.98, 0.98, 0.99];

/// The times of calls in each of ten runs.
pub fn of_runs(sum: CallTimes) -> [CallTimes; 10] {
    OF_RUNS.map(|times| {
        let part = |seconds: f64| seconds / 10.0 * times;
        CallTimes {
            count: sum.count / 10,
            seconds: part(sum.seconds),
            busy_seconds: part(sum.busy_seconds),
            preempted_seconds: part(sum.preempted_seconds),
            waiting_seconds: part(sum.waiting_seconds),
            shared_count: sum.shared_count / 10,
            taking_part_seconds: part(sum.taking_part_seconds),
            late_seconds: part(sum.late_seconds),
        }
    })
}

/// What a time has been in the runs.
fn spread(seconds: f64) -> Spread {
    Spread::of(OF_RUNS.iter().map(|times| times * seconds).collect())
}
