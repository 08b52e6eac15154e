//! The training steps of `src/compiler/tests/training`, each partition in a rank.

#[path = "../../../../src/compiler/tests/training/model.rs"]
mod model;
#[path = "../../../../src/compiler/tests/training/textbook.rs"]
mod textbook;

use super::{Job, alone, launchers, volumes};
use halo_core::{Literal, npy};
use std::path::Path;
use textbook::{Collective, Kind, steps};

/// Options for arrays, which are written to files first.
fn options(folder: &Path, option: &str, arrays: &[Literal]) -> Vec<String> {
    let write = |(number, array): (usize, &Literal)| {
        let path = folder.join(format!("{option}{number}.npy"));
        npy::write(&path, array).unwrap();
        format!("--{option}=@{}", path.display())
    };
    arrays.iter().enumerate().map(write).collect()
}

/// The bytes that each member sends, by the table of `docs/distributed.md`.
fn sent(Collective { kind, bytes, group }: Collective) -> usize {
    match kind {
        Kind::AllReduce if bytes >= 32 << 10 && group > 2 => 2 * bytes / group * (group - 1),
        Kind::AllGather | Kind::AllReduce => bytes * (group - 1),
        Kind::ReduceScatter => bytes / group * (group - 1),
    }
}

/// The steps that are also compiled, which takes time on each rank.
const COMPILED: [&str; 2] = ["mlp_mixed", "mlp_tensor"];

/// Compares with JAX's run on one device, and with the volumes in the literature. Launchers take
/// turns, because the volumes are the same under each.
#[test]
fn training_steps() {
    let _one = alone();
    let launchers = launchers();
    for (step, launcher) in steps().into_iter().zip(launchers.iter().cycle()) {
        let folder = tempfile::tempdir().unwrap();
        let program = model::folder().join(format!("{}.mlir", step.name));
        let program = program.display().to_string();
        let partitions = format!("--partitions={}", step.ranks);
        let inputs = options(folder.path(), "input", &step.model.inputs());
        let expected = options(folder.path(), "expect", &step.model.results());
        let sent: usize = step.collectives.iter().copied().map(sent).sum();
        let volume = vec![[sent as u64; 2]; step.ranks];
        let backends = ["--backend=interpreter", "--backend=cpu"];
        let count = 1 + usize::from(COMPILED.contains(&step.name));
        for backend in &backends[..count] {
            let mut arguments = vec![backend, &*partitions, "--timing"];
            arguments.extend(["--rtol=1e-4", "--atol=1e-5"]);
            arguments.extend(inputs.iter().chain(&expected).map(String::as_str));
            arguments.push(&program);
            let ended = Job::new(*launcher, step.ranks, &arguments).succeed();
            let volumes = volumes(&ended).into_iter();
            let bytes: Vec<[u64; 2]> =
                volumes.map(|[sent, received, _]| [sent, received]).collect();
            assert_eq!(bytes, volume, "{}: {}", launcher.0, step.name);
        }
    }
}
