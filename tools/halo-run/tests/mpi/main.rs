//! `halo-run --distributed` under the installed MPI launchers: `make test-mpi` sets
//! `HALO_TEST_MPI`, which requires at least one.
#![cfg(all(target_os = "linux", feature = "compiler"))]

mod shards;
mod training;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Open MPI and MPICH, by Debian's commands, and their arguments.
const LAUNCHERS: [(&str, &[&str]); 2] = [
    (
        "mpirun.openmpi",
        &["--allow-run-as-root", "--oversubscribe"],
    ),
    ("mpirun.mpich", &[]),
];

/// The time in which a fault must end all ranks.
const LIMIT: Duration = Duration::from_secs(10);

/// The launchers to test; none unless requested.
fn launchers() -> Vec<(&'static str, &'static [&'static str])> {
    if std::env::var_os("HALO_TEST_MPI").is_none() {
        return Vec::new();
    }
    let is_there = |name: &str| Command::new(name).arg("--version").output().is_ok();
    let found: Vec<_> = LAUNCHERS.into_iter().filter(|(name, _)| is_there(name)).collect();
    assert!(!found.is_empty(), "tools/setup.sh mpi installs a launcher");
    found
}

/// One job at a time: each has more processes than the machine may have cores.
fn alone() -> MutexGuard<'static, ()> {
    static ONE: Mutex<()> = Mutex::new(());
    ONE.lock().unwrap_or_else(PoisonError::into_inner)
}

fn halo_run() -> &'static str {
    env!("CARGO_BIN_EXE_halo-run")
}

struct Job<'a> {
    launcher: (&'a str, &'a [&'a str]),
    /// The arguments of each group of ranks.
    ranks: Vec<(usize, Vec<String>)>,
}

struct Ended {
    success: bool,
    out: String,
    err: String,
    time: Duration,
}

impl<'a> Job<'a> {
    fn new(launcher: (&'a str, &'a [&'a str]), count: usize, arguments: &[&str]) -> Self {
        Self {
            launcher,
            ranks: Vec::new(),
        }
        .and(count, arguments)
    }

    /// Adds ranks with other arguments.
    fn and(mut self, count: usize, arguments: &[&str]) -> Self {
        let arguments = arguments.iter().map(|text| (*text).to_owned()).collect();
        self.ranks.push((count, arguments));
        self
    }

    fn start(&self) -> Child {
        let mut command = Command::new("timeout");
        command.args([PATIENCE, self.launcher.0]);
        command.args(self.launcher.1);
        for (number, (count, arguments)) in self.ranks.iter().enumerate() {
            if number > 0 {
                command.arg(":");
            }
            let count = count.to_string();
            command.args(["-n", &count, halo_run(), "--distributed"]);
            command.args(arguments);
        }
        command
            .env_remove("HALO_CACHE_DIR")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
    }

    fn run(&self) -> Ended {
        let start = Instant::now();
        let output = self.start().wait_with_output().unwrap();
        Ended {
            success: output.status.success(),
            out: String::from_utf8_lossy(&output.stdout).into_owned(),
            err: String::from_utf8_lossy(&output.stderr).into_owned(),
            time: start.elapsed(),
        }
    }

    #[track_caller]
    fn succeed(&self) -> Ended {
        let ended = self.run();
        assert!(
            ended.success,
            "{}: {}{}",
            self.launcher.0, ended.out, ended.err
        );
        ended
    }

    /// Must fail in time, with one message, and without other output.
    #[track_caller]
    fn fail(&self, message: &str) {
        let ended = self.run();
        expect_fault(self.launcher.0, &ended, message);
    }
}

#[track_caller]
fn expect_fault(launcher: &str, ended: &Ended, message: &str) {
    let errors: Vec<&str> = ended.err.lines().filter(|line| line.contains("error: ")).collect();
    assert!(!ended.success, "{launcher}: {}", ended.out);
    assert!(ended.time < LIMIT, "{launcher}: {:?}", ended.time);
    assert_eq!(errors.len(), 1, "{launcher}: {}", ended.err);
    assert!(errors[0].contains(message), "{launcher}: {}", ended.err);
    assert!(!ended.out.contains("dense<"), "{launcher}: {}", ended.out);
}

fn write(folder: &Path, name: &str, text: &str) -> String {
    let path = folder.join(name);
    fs::write(&path, text).unwrap();
    path.display().to_string()
}

/// The lines of results, in the order of ranks.
fn results(ended: &Ended) -> Vec<String> {
    let lines = ended.out.lines().filter(|line| line.starts_with("rank "));
    lines.map(str::to_owned).collect()
}

/// Bytes that each rank has sent and received, and the messages that it has sent, from the report
/// of `--timing`.
fn volumes(ended: &Ended) -> Vec<[u64; 3]> {
    let lines = ended.err.lines().filter(|line| line.contains(": sent "));
    let numbers = lines.map(|line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let behind = |name: &str| {
            let position = words.iter().position(|word| *word == name).unwrap();
            words[position + 1].parse().unwrap()
        };
        [behind("sent"), behind("received"), behind("in")]
    });
    numbers.collect()
}

/// Runs the collective tests, whose programs check their results, with each process of a grid in a
/// separate rank.
#[test]
fn collectives_of_the_interpreters_tests() {
    let _one = alone();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../lit-tests/hlo/interpreter");
    for launcher in launchers() {
        let mut count = 0;
        for entry in fs::read_dir(root.join("stablehlo")).unwrap() {
            let path: PathBuf = entry.unwrap().path();
            let text = fs::read_to_string(&path).unwrap();
            if !text.contains("run_parallel") || !text.contains("@parallel()") {
                continue;
            }
            let path = path.display().to_string();
            for backend in ["--backend=cpu", "--backend=interpreter"] {
                let arguments = ["--entry=parallel", "--no-constant-folding", backend, &path];
                Job::new(launcher, 4, &arguments).succeed();
            }
            count += 1;
        }
        assert!(count >= 12, "{count}");
    }
}

const BODY: &str = "({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  })";
const ALL: &str = "replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>";

/// The predicted bytes sent by each of four processes over Halo's transport.
fn predicted_bytes(file: &str, topology: &str) -> u64 {
    let simulate = format!("--simulate={topology}");
    let output = Command::new(halo_run())
        .args([&simulate, "--replicas=4", "--simulate-format=json", file])
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let sent = text.split_once("\"sent_bytes\":").unwrap().1;
    let number = sent.split(',').next().unwrap();
    number.parse::<f64>().unwrap() as u64
}

/// A program of one collective on 2^16 numbers of four bytes, `b` = 2^18 bytes. The bytes and
/// messages of each of four ranks follow the formulas of the literature, and equal the prediction:
#[test]
fn volumes_are_those_of_textbooks() {
    let _one = alone();
    let folder = tempfile::tempdir().unwrap();
    let b = 1 << 18;
    let whole = "tensor<65536xf32>";
    let cases = [
        // n - 1 times the operand.
        (
            "all_gather",
            format!("\"stablehlo.all_gather\"(%x) {{all_gather_dim = 0 : i64, {ALL}}}"),
            "tensor<262144xf32>",
            [3 * b; 4],
            [3; 4],
        ),
        // 2 (n - 1) / n.
        (
            "all_reduce",
            format!("\"stablehlo.all_reduce\"(%x) {BODY} {{{ALL}}}"),
            whole,
            [2 * 3 * b / 4; 4],
            [6; 4],
        ),
        // (n - 1) / n.
        (
            "reduce_scatter",
            format!(
                "\"stablehlo.reduce_scatter\"(%x) {BODY} {{scatter_dimension = 0 : i64, {ALL}}}"
            ),
            "tensor<16384xf32>",
            [3 * b / 4; 4],
            [3; 4],
        ),
        (
            "all_to_all",
            format!(
                "\"stablehlo.all_to_all\"(%x) {{split_dimension = 0 : i64, \
                 concat_dimension = 0 : i64, split_count = 4 : i64, {ALL}}}"
            ),
            whole,
            [3 * b / 4; 4],
            [3; 4],
        ),
        // The root sends it to each other member.
        (
            "collective_broadcast",
            format!("\"stablehlo.collective_broadcast\"(%x) {{{ALL}}}"),
            whole,
            [3 * b, 0, 0, 0],
            [3, 0, 0, 0],
        ),
        (
            "collective_permute",
            "\"stablehlo.collective_permute\"(%x) {source_target_pairs = \
             dense<[[0, 1], [1, 2], [2, 3]]> : tensor<3x2xi64>}"
                .to_owned(),
            whole,
            [b, b, b, 0],
            [1, 1, 1, 0],
        ),
    ];
    let topology = write(
        folder.path(),
        "topology.toml",
        "[device]\nflops = 1e9\nbandwidth = 1e9\n[[level]]\nname = 'machine'\nsize = 4\n\
         latency = 1e-6\nbandwidth = 1e9\n",
    );
    for launcher in launchers() {
        for (name, op, result, expected, messages) in &cases {
            let program = format!(
                "func.func @main(%x: {whole}) -> {result} {{\n  \
                 %0 = {op} : ({whole}) -> {result}\n  return %0 : {result}\n}}\n"
            );
            let file = write(folder.path(), &format!("{name}.mlir"), &program);
            let arguments = ["--timing", "--random-inputs", &file];
            let ended = Job::new(launcher, 4, &arguments).succeed();
            let sent: Vec<u64> = volumes(&ended).iter().map(|volume| volume[0]).collect();
            assert_eq!(sent, expected, "{name}");
            let sends: Vec<u64> = volumes(&ended).iter().map(|volume| volume[2]).collect();
            assert_eq!(sends, messages, "{name}");
            assert_eq!(predicted_bytes(&file, &topology), expected[0], "{name}");
            let received: u64 = volumes(&ended).iter().map(|volume| volume[1]).sum();
            assert_eq!(received, expected.iter().sum::<u64>(), "{name}");
        }
    }
}

/// The maximum elements of rows with sharded columns, and their positions: each rank sends three
/// numbers and three positions to each other one, and no element.
#[test]
fn reductions_of_several_operands_send_results() {
    let _one = alone();
    let folder = tempfile::tempdir().unwrap();
    let program = r#"module attributes {sdy.meshes = {mesh = #sdy.mesh<["x"=4]>}} {
  func.func @main(%a: tensor<3x1001xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>})
      -> (tensor<3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}, tensor<3xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}) {
    %iota = stablehlo.iota dim = 1 : tensor<3x1001xi32>
    %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %none = stablehlo.constant dense<0> : tensor<i32>
    %0:2 = stablehlo.reduce(%a init: %low), (%iota init: %none) across dimensions = [1]
      : (tensor<3x1001xf32>, tensor<3x1001xi32>, tensor<f32>, tensor<i32>) -> (tensor<3xf32>, tensor<3xi32>)
      reducer(%v: tensor<f32>, %w: tensor<f32>) (%i: tensor<i32>, %j: tensor<i32>) {
        %ge = stablehlo.compare GE, %v, %w : (tensor<f32>, tensor<f32>) -> tensor<i1>
        %m = stablehlo.select %ge, %v, %w : tensor<i1>, tensor<f32>
        %n = stablehlo.select %ge, %i, %j : tensor<i1>, tensor<i32>
        stablehlo.return %m, %n : tensor<f32>, tensor<i32>
      }
    return %0#0, %0#1 : tensor<3xf32>, tensor<3xi32>
  }
}
"#;
    let file = write(folder.path(), "argmax.mlir", program);
    let path = |number: u8| folder.path().join(format!("{number}.npy")).display().to_string();
    let [first, second] = [path(0), path(1)];
    let outputs = [format!("--output=@{first}"), format!("--output=@{second}")];
    let alone = Command::new(halo_run())
        .args(["--random-inputs", &outputs[0], &outputs[1], &file])
        .output()
        .unwrap();
    assert!(alone.status.success());
    let expected = [format!("--expect=@{first}"), format!("--expect=@{second}")];
    let arguments = [
        "--partitions=4",
        "--timing",
        "--random-inputs",
        &expected[0],
        &expected[1],
        &file,
    ];
    for launcher in launchers() {
        let ended = Job::new(launcher, 4, &arguments).succeed();
        assert_eq!(volumes(&ended), [[3 * 24, 3 * 24, 6]; 4]);
    }
}

/// Rounded sums depend on their order, which is the same among ranks and among threads, also if
/// 9001 elements are not divisible.
#[test]
fn large_reductions_have_the_bits_of_small_ones() {
    let _one = alone();
    let folder = tempfile::tempdir().unwrap();
    let program = format!(
        "func.func @main(%x: tensor<9001xf32>) -> (tensor<9001xf32>, tensor<10xf32>) {{
  %id = stablehlo.replica_id : tensor<ui32>
  %one = stablehlo.constant dense<1> : tensor<ui32>
  %n = stablehlo.add %id, %one : tensor<ui32>
  %f = stablehlo.convert %n : (tensor<ui32>) -> tensor<f32>
  %fs = stablehlo.broadcast_in_dim %f, dims = [] : (tensor<f32>) -> tensor<9001xf32>
  %y = stablehlo.divide %x, %fs : tensor<9001xf32>
  %0 = \"stablehlo.all_reduce\"(%y) {BODY} {{{ALL}}} : (tensor<9001xf32>) -> tensor<9001xf32>
  %tail = stablehlo.slice %y [8991:9001] : (tensor<9001xf32>) -> tensor<10xf32>
  %1 = \"stablehlo.all_reduce\"(%tail) {BODY} {{{ALL}}} : (tensor<10xf32>) -> tensor<10xf32>
  return %0, %1 : tensor<9001xf32>, tensor<10xf32>
}}
"
    );
    let file = write(folder.path(), "sum.mlir", &program);
    let check = write(
        folder.path(),
        "same.mlir",
        "func.func @main(%x: tensor<9001xf32>, %y: tensor<10xf32>) {
  %tail = stablehlo.slice %x [8991:9001] : (tensor<9001xf32>) -> tensor<10xf32>
  check.expect_eq %tail, %y : tensor<10xf32>
  return
}
",
    );
    for launcher in launchers() {
        let out = |name: &str| format!("@{}", folder.path().join(name).display());
        let (large, small) = (out("large.npy"), out("small.npy"));
        let outputs = [format!("--output={large}"), format!("--output={small}")];
        let arguments = ["--random-inputs", &outputs[0], &outputs[1], &file];
        Job::new(launcher, 4, &arguments).succeed();
        let inputs = [format!("--input={large}"), format!("--input={small}")];
        let same = Command::new(halo_run()).args([&inputs[0], &inputs[1], &check]).output();
        let same = same.unwrap();
        assert!(
            same.status.success(),
            "{}",
            String::from_utf8_lossy(&same.stderr)
        );
    }
}

/// Two combined reductions, started before a product and awaited after it; a gather that was
/// hoisted out of a loop. The interpreter executes each where the program has it.
#[test]
fn combined_and_overlapped_collectives() {
    let _one = alone();
    let folder = tempfile::tempdir().unwrap();
    let program = format!(
        "func.func @main(%x: tensor<32x32xf32>, %w: tensor<8x32xf32>)
    -> (tensor<32x32xf32>, tensor<32xf32>, tensor<32x32xf32>, tensor<32x32xf32>) {{
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %init = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = \"stablehlo.all_reduce\"(%x) {BODY} {{{ALL}}} : (tensor<32x32xf32>) -> tensor<32x32xf32>
  %1 = stablehlo.negate %0 : tensor<32x32xf32>
  %2 = stablehlo.reduce(%x init: %init) applies stablehlo.add across dimensions = [0]
    : (tensor<32x32xf32>, tensor<f32>) -> tensor<32xf32>
  %3 = \"stablehlo.all_reduce\"(%2) {BODY} {{{ALL}}} : (tensor<32xf32>) -> tensor<32xf32>
  %4 = stablehlo.add %3, %3 : tensor<32xf32>
  %5 = stablehlo.dot_general %x, %x, contracting_dims = [1] x [0]
    : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  %6:2 = stablehlo.while(%y = %x, %i = %zero) : tensor<32x32xf32>, tensor<i32>
    cond {{
      %7 = stablehlo.compare LT, %i, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %7 : tensor<i1>
    }} do {{
      %7 = \"stablehlo.all_gather\"(%w) {{all_gather_dim = 0 : i64, {ALL}}}
        : (tensor<8x32xf32>) -> tensor<32x32xf32>
      %8 = stablehlo.add %y, %7 : tensor<32x32xf32>
      %9 = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %8, %9 : tensor<32x32xf32>, tensor<i32>
    }}
  return %1, %4, %5, %6#0 : tensor<32x32xf32>, tensor<32xf32>, tensor<32x32xf32>, tensor<32x32xf32>
}}
"
    );
    let file = write(folder.path(), "overlap.mlir", &program);
    let integers = write(
        folder.path(),
        "inputs.mlir",
        "func.func @main(%x: tensor<32x32xi32>, %w: tensor<8x32xi32>) -> (tensor<32x32xf32>, tensor<8x32xf32>) {
  %0 = stablehlo.convert %x : (tensor<32x32xi32>) -> tensor<32x32xf32>
  %1 = stablehlo.convert %w : (tensor<8x32xi32>) -> tensor<8x32xf32>
  return %0, %1 : tensor<32x32xf32>, tensor<8x32xf32>
}
",
    );
    let name = |name: &str| format!("@{}", folder.path().join(name).display());
    let outputs = ["x.npy", "w.npy"].map(|it| format!("--output={}", name(it)));
    let made = Command::new(halo_run())
        .args(["--random-inputs", &outputs[0], &outputs[1], &integers])
        .output()
        .unwrap();
    assert!(made.status.success());
    let inputs = ["x.npy", "w.npy"].map(|it| format!("--input={}", name(it)));
    for launcher in launchers() {
        let run = |backend: &str| {
            let arguments = [
                "--timing",
                "--print-all",
                backend,
                &inputs[0],
                &inputs[1],
                &file,
            ];
            Job::new(launcher, 4, &arguments).succeed()
        };
        let (compiled, interpreted) = (run("--backend=cpu"), run("--backend=interpreter"));
        assert_eq!(results(&compiled), results(&interpreted));
        assert_eq!(results(&compiled).len(), 16);
        let sent = |ended: &Ended| -> Vec<String> {
            let lines = ended.err.lines().filter(|line| line.contains(": sent "));
            lines.map(|line| line.split(',').next().unwrap().to_owned()).collect()
        };
        // Of 4096 and 128 bytes, and once or three times 1024, to each of three others.
        let text = |bytes: u64, messages: u64| -> Vec<String> {
            let ranks = 0..4;
            let text = |rank| format!("rank {rank}: sent {bytes} bytes in {messages} messages");
            ranks.map(text).collect()
        };
        assert_eq!(sent(&compiled), text(3 * (4096 + 128 + 1024), 6));
        assert_eq!(sent(&interpreted), text(3 * (4096 + 128 + 3 * 1024), 15));
    }
}

/// `--simulate` reads the file that `--measure-topology` prints.
#[test]
fn measured_topologies_are_read() {
    let _one = alone();
    let folder = tempfile::tempdir().unwrap();
    let program = write(
        folder.path(),
        "gather.mlir",
        "func.func @main(%x: tensor<8xf32>) -> tensor<16xf32> {
  %0 = \"stablehlo.all_gather\"(%x) {all_gather_dim = 0 : i64,
    replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<8xf32>) -> tensor<16xf32>
  return %0 : tensor<16xf32>
}
",
    );
    for launcher in launchers() {
        let ended = Job::new(launcher, 2, &["--measure-topology", "--threads=1"]).succeed();
        assert!(ended.out.contains("size = 2\n"), "{}", ended.out);
        let topology = write(folder.path(), "measured.toml", &ended.out);
        let predicted = Command::new(halo_run())
            .args([&format!("--simulate={topology}"), &program])
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&predicted.stdout).into_owned();
        let error = String::from_utf8_lossy(&predicted.stderr).into_owned();
        assert!(
            text.contains("on 2 x 1 processes"),
            "{text}{error}{}",
            ended.out
        );
    }
}

#[test]
fn ranks_are_assigned_to_processes() {
    let _one = alone();
    let folder = tempfile::tempdir().unwrap();
    let program = write(
        folder.path(),
        "ids.mlir",
        "func.func @main() -> (tensor<ui32>, tensor<ui32>) {
  %0 = stablehlo.replica_id : tensor<ui32>
  %1 = stablehlo.partition_id : tensor<ui32>
  return %0, %1 : tensor<ui32>, tensor<ui32>
}
",
    );
    for launcher in launchers() {
        let options = ["--partitions=2", "--device-assignment=3,0,1,2", &program];
        let ended = Job::new(launcher, 4, &options).succeed();
        let expected = [(0, 0, 1), (1, 1, 0), (2, 1, 1), (3, 0, 0)].map(|(rank, replica, own)| {
            let line = |number: i32| format!("rank {rank}: dense<{number}> : tensor<ui32>");
            [line(replica), line(own)]
        });
        assert_eq!(results(&ended), expected.concat());
        Job::new(launcher, 4, &["--replicas=3", &program])
            .fail("4 processes cannot be 3 replicas of 1 partitions");
    }
}

/// An infinite loop of collectives, at line 11.
const ENDLESS: &str = "func.func @main() -> tensor<512xf32> {
  %x = stablehlo.constant dense<1.0> : tensor<512xf32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %r:2 = stablehlo.while(%i = %zero, %v = %x) : tensor<i32>, tensor<512xf32>
  cond {
    %c = stablehlo.compare GE, %i, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %j = stablehlo.and %i, %one : tensor<i32>
    %s = \"stablehlo.all_reduce\"(%v) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %m = stablehlo.maximum %a, %b : tensor<f32>
      stablehlo.return %m : tensor<f32>
    }) {replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>} : (tensor<512xf32>) -> tensor<512xf32>
    stablehlo.return %j, %s : tensor<i32>, tensor<512xf32>
  }
  return %r#1 : tensor<512xf32>
}
";

/// The processes of a job in the order of their ranks, once there are four.
fn processes(file: &str) -> Vec<u32> {
    let start = Instant::now();
    loop {
        let mut found = Vec::new();
        for entry in fs::read_dir("/proc").unwrap().flatten() {
            let Ok(id) = entry.file_name().to_string_lossy().parse::<u32>() else {
                continue;
            };
            let read = |name: &str| fs::read(entry.path().join(name)).unwrap_or_default();
            let line = String::from_utf8_lossy(&read("cmdline")).into_owned();
            if !line.starts_with(halo_run()) || !line.contains(file) {
                continue;
            }
            let variables = String::from_utf8_lossy(&read("environ")).into_owned();
            let rank = variables.split('\0').find_map(|variable| {
                let value = variable.strip_prefix("OMPI_COMM_WORLD_RANK=");
                value.or_else(|| variable.strip_prefix("PMI_RANK="))
            });
            if let Some(rank) = rank.and_then(|rank| rank.parse::<u32>().ok()) {
                found.push((rank, id));
            }
        }
        if found.len() == 4 {
            found.sort_unstable();
            return found.into_iter().map(|(_, id)| id).collect();
        }
        assert!(start.elapsed() < Duration::from_secs(20), "{found:?}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// A job is killed after this time, so that its test fails.
const PATIENCE: &str = "60";

/// Sends a signal to rank 2 of a running job.
fn signalled(launcher: (&str, &[&str]), file: &str, signal: &str) -> Ended {
    let job = Job::new(launcher, 4, &[file]);
    let child = job.start();
    let rank = processes(file)[2];
    // Wait until it is in its loop.
    std::thread::sleep(Duration::from_secs(2));
    let start = Instant::now();
    let sent = Command::new("kill").args([signal, &rank.to_string()]).status();
    assert!(sent.unwrap().success());
    let output = child.wait_with_output().unwrap();
    Ended {
        success: output.status.success(),
        out: String::from_utf8_lossy(&output.stdout).into_owned(),
        err: String::from_utf8_lossy(&output.stderr).into_owned(),
        time: start.elapsed(),
    }
}

#[test]
fn a_stopped_process_ends_all() {
    let _one = alone();
    let folder = tempfile::tempdir().unwrap();
    let file = write(folder.path(), "endless.mlir", ENDLESS);
    for launcher in launchers() {
        let ended = signalled(launcher, &file, "-STOP");
        let message = "endless.mlir:11:10: error: rank 0: 'stablehlo.all_reduce' op waits for \
                       rank 2, which has not answered for 5 s";
        expect_fault(launcher.0, &ended, message);
    }
}

/// A launcher may end all ranks before one of them prints, and then prints the signal of a process.
#[test]
fn a_killed_process_ends_all() {
    let _one = alone();
    let folder = tempfile::tempdir().unwrap();
    let file = write(folder.path(), "endless.mlir", ENDLESS);
    let message = "endless.mlir:11:10: error: rank 0: 'stablehlo.all_reduce' op waits for rank 2, \
                   whose process has ended";
    for launcher in launchers() {
        let ended = signalled(launcher, &file, "-KILL");
        if ended.err.contains("error: ") {
            expect_fault(launcher.0, &ended, message);
            continue;
        }
        let said = format!("{}{}", ended.out, ended.err);
        assert!(!ended.success && ended.time < LIMIT, "{said}");
        let of_launcher = ["EXIT CODE: 9", "exited on signal 9"];
        assert!(of_launcher.iter().any(|text| said.contains(text)), "{said}");
    }
}

#[test]
fn ranks_that_differ_end_all() {
    let _one = alone();
    let folder = tempfile::tempdir().unwrap();
    let double = |name: &str, sizes: &str| {
        let program = format!(
            "func.func @main(%x: tensor<{sizes}f32>) -> tensor<{sizes}f32> {{\n  \
             %0 = stablehlo.add %x, %x : tensor<{sizes}f32>\n  return %0 : tensor<{sizes}f32>\n}}\n"
        );
        write(folder.path(), name, &program)
    };
    let (one, other) = (double("one.mlir", "2x"), double("other.mlir", "3x"));
    let dynamic = double("dynamic.mlir", "?x");
    for launcher in launchers() {
        let input = "--input=[1, 2]";
        Job::new(launcher, 3, &[input, &one])
            .and(1, &["--input=[1, 2, 3]", &other])
            .fail("halo-run: error: rank 3 has another program than rank 0");
        Job::new(launcher, 1, &[input, &one])
            .and(1, &[input, "--threads=2", &one])
            .fail("halo-run: error: rank 1 has other options than rank 0");
        let typed = |count: usize| format!("--input=dense<1.0> : tensor<{count}xf32>");
        Job::new(launcher, 1, &[&typed(2), &dynamic])
            .and(1, &[&typed(3), &dynamic])
            .fail("halo-run: error: rank 1 has inputs of other shapes than rank 0");
    }
}

/// One rank fails in its program while the others wait for it or compute, and no rank writes its
/// results.
#[test]
fn a_rank_that_fails_ends_all() {
    let _one = alone();
    let folder = tempfile::tempdir().unwrap();
    let program = format!(
        "func.func @main(%x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<2xf32> {{
  check.expect_eq %x, %y : tensor<2xf32>
  %0 = \"stablehlo.all_reduce\"(%x) {BODY} {{{ALL}}} : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}}
"
    );
    let file = write(folder.path(), "check.mlir", &program);
    let result = folder.path().join("result.npy");
    let output = format!("--output=@{}", result.display());
    for launcher in launchers() {
        let right = ["--input=[1, 2]", "--input=[1, 2]", &output, &file];
        let wrong = ["--input=[1, 2]", "--input=[1, 3]", &output, &file];
        Job::new(launcher, 2, &right)
            .and(1, &wrong)
            .and(1, &right)
            .fail("check.mlir:2:3: error: rank 2: @check.expect_eq: 1 of 2 elements differ");
        assert!(!result.exists());
        // All fail: only the first failed rank prints.
        Job::new(launcher, 4, &wrong).fail(": @check.expect_eq: 1 of 2 elements differ");
        let names: Vec<_> = fs::read_dir(folder.path()).unwrap().flatten().collect();
        assert_eq!(names.len(), 1, "{names:?}");
    }
}

/// Rank 0 waits in a collective that the others never reach.
#[test]
fn ranks_that_wait_for_one_another_end() {
    let _one = alone();
    let folder = tempfile::tempdir().unwrap();
    let program = format!(
        "func.func @main(%x: tensor<2xf32>, %n: tensor<i32>) -> tensor<2xf32> {{
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %c = stablehlo.compare EQ, %n, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %0 = \"stablehlo.if\"(%c) ({{
    %1 = \"stablehlo.all_reduce\"(%x) {BODY} {{{ALL}}} : (tensor<2xf32>) -> tensor<2xf32>
    stablehlo.return %1 : tensor<2xf32>
  }}, {{
    stablehlo.return %x : tensor<2xf32>
  }}) : (tensor<i1>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}}
"
    );
    let file = write(folder.path(), "if.mlir", &program);
    for launcher in launchers() {
        Job::new(launcher, 1, &["--input=[1, 2]", "--input=0", &file])
            .and(3, &["--input=[1, 2]", "--input=1", &file])
            .fail(
                "if.mlir:5:10: error: rank 0: 'stablehlo.all_reduce' op waits for what never comes",
            );
    }
}
