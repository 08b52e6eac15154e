//! Arrays of which each rank reads and writes a shard.

use super::{Job, alone, halo_run, launchers, write};
use std::fs;
use std::process::Command;

/// Rows over two partitions, columns over two: each rank reads and writes its tile.
const SHARDED: &str = r#"module attributes {sdy.meshes = {mesh = #sdy.mesh<["x"=2, "y"=2]>}} {
  func.func @main(%a: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>})
      -> (tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>},
          tensor<8x6xf32>) {
    %0 = stablehlo.add %a, %a : tensor<8x6xf32>
    return %0, %a : tensor<8x6xf32>, tensor<8x6xf32>
  }
}
"#;

/// No sharded dimension is divisible. The fourth part of five rows is empty.
const UNEVEN: &str = r#"module attributes {sdy.meshes = {mesh = #sdy.mesh<["x"=2, "y"=2]>}} {
  func.func @main(%a: tensor<3x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>},
                  %b: tensor<5x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}, {}]>})
      -> (tensor<6x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}, {}]>},
          tensor<5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y", "x"}]>},
          tensor<5x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>}) {
    %0 = stablehlo.transpose %a, dims = [1, 0] : (tensor<3x6xf32>) -> tensor<6x3xf32>
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %1 = stablehlo.reduce(%b init: %zero) applies stablehlo.add across dimensions = [1]
      : (tensor<5x3xf32>, tensor<f32>) -> tensor<5xf32>
    %2 = stablehlo.dot_general %b, %a, contracting_dims = [1] x [0]
      : (tensor<5x3xf32>, tensor<3x6xf32>) -> tensor<5x6xf32>
    return %0, %1, %2 : tensor<6x3xf32>, tensor<5xf32>, tensor<5x6xf32>
  }
}
"#;

/// Arrays with indivisible dimensions are padded only inside the program: files, checkpoints and
/// printed results equal those of one process.
#[test]
fn arrays_that_do_not_divide_are_read_and_written_in_shards() {
    let _one = alone();
    let folder = tempfile::tempdir().unwrap();
    let file = write(folder.path(), "uneven.mlir", UNEVEN);
    let path = |name: String| folder.path().join(name).display().to_string();
    let inputs = [
        "--input=[[1, 2, 3, 4, 5, 6], [-1, 0, 2, 7, 5, 3], [4, 1, 0, 9, 8, -6]]".to_owned(),
        "--input=[[1, 2, 3], [4, 5, 6], [7, 8, 9], [3, 2, 1], [0, 1, 5]]".to_owned(),
    ];
    let files = |kind: &str| [0, 1, 2].map(|number| path(format!("{kind}{number}.npy")));
    let options = |option: &str, files: &[String]| -> Vec<String> {
        let files = files.iter();
        files.map(|file| format!("--{option}=@{file}")).collect()
    };
    let alone = Command::new(halo_run())
        .args(inputs.iter().chain(&options("output", &files("alone"))))
        .arg(&file)
        .output()
        .unwrap();
    let message = String::from_utf8_lossy(&alone.stderr);
    assert!(alone.status.success(), "{message}");
    let kept = path("kept".to_owned());
    let again = write(
        folder.path(),
        "again.mlir",
        r#"module attributes {sdy.meshes = {mesh = #sdy.mesh<["x"=3]>}} {
  func.func @main(%a: tensor<6x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>},
                  %b: tensor<5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>},
                  %c: tensor<5x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>})
      -> (tensor<6x3xf32>, tensor<5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>},
          tensor<5x6xf32>) {
    return %a, %b, %c : tensor<6x3xf32>, tensor<5xf32>, tensor<5x6xf32>
  }
}
"#,
    );
    let same = |kind: &str| {
        for (own, alone) in files(kind).iter().zip(files("alone")) {
            assert_eq!(fs::read(own).unwrap(), fs::read(alone).unwrap(), "{own}");
            fs::remove_file(own).unwrap();
        }
    };
    for launcher in launchers() {
        for gathered in [false, true] {
            let mut arguments = vec!["--partitions=4".to_owned(), file.clone()];
            arguments.extend(inputs.clone());
            arguments.extend(options("output", &files("divided")));
            arguments.extend(options("expect", &files("alone")));
            arguments.extend(gathered.then(|| "--gather-results".to_owned()));
            let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
            Job::new(launcher, 4, &arguments).succeed();
            same("divided");
        }
        let save = format!("--save={kept}");
        Job::new(
            launcher,
            4,
            &["--partitions=4", &inputs[0], &inputs[1], &save, &file],
        )
        .succeed();
        let load = format!("--load={kept}");
        let mut arguments = vec!["--partitions=3", &load, &again];
        let outputs = options("output", &files("again"));
        arguments.extend(outputs.iter().map(String::as_str));
        Job::new(launcher, 3, &arguments).succeed();
        same("again");
    }
}

/// The same program on one process gives the same files.
#[test]
fn arrays_are_read_and_written_in_shards() {
    let _one = alone();
    let folder = tempfile::tempdir().unwrap();
    let file = write(folder.path(), "sharded.mlir", SHARDED);
    let path = |name: &str| folder.path().join(name).display().to_string();
    let make = write(
        folder.path(),
        "make.mlir",
        "func.func @main() -> tensor<8x6xf32> {
  %0 = stablehlo.iota dim = 0 : tensor<48xf32>
  %1 = stablehlo.reshape %0 : (tensor<48xf32>) -> tensor<8x6xf32>
  return %1 : tensor<8x6xf32>
}
",
    );
    let alone = |arguments: &[&str]| {
        let output = Command::new(halo_run()).args(arguments).output().unwrap();
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
    };
    alone(&[&format!("--output=@{}", path("a.npy")), &make]);
    let input = format!("--input=@{}", path("a.npy"));
    let to = |name: &str| format!("--output=@{}", path(name));
    alone(&[&input, &to("0.npy"), &to("1.npy"), &file]);
    let same = |left: &str, right: &str| {
        assert_eq!(
            fs::read(path(left)).unwrap(),
            fs::read(path(right)).unwrap(),
            "{left}"
        );
    };
    for launcher in launchers() {
        for gathered in [false, true] {
            let mut arguments = vec!["--partitions=4", &input, &file];
            let outputs = [to("p0.npy"), to("p1.npy")];
            arguments.extend(outputs.iter().map(String::as_str));
            arguments.extend(gathered.then_some("--gather-results"));
            let expected = [
                format!("--expect=@{}", path("0.npy")),
                format!("--expect=@{}", path("1.npy")),
            ];
            arguments.extend(expected.iter().map(String::as_str));
            Job::new(launcher, 4, &arguments).succeed();
            same("p0.npy", "0.npy");
            same("p1.npy", "1.npy");
            fs::remove_file(path("p0.npy")).unwrap();
        }
        // Four ranks save arrays that two ranks, and one, load: 2 (2 a) = 4 a.
        let kept = path("kept");
        let save = format!("--save={kept}");
        Job::new(launcher, 4, &["--partitions=4", &input, &save, &file]).succeed();
        let double = write(
            folder.path(),
            "double.mlir",
            r#"module attributes {sdy.meshes = {mesh = #sdy.mesh<["x"=2]>}} {
  func.func @main(%a: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>},
                  %b: tensor<8x6xf32>)
      -> (tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
    %0 = stablehlo.subtract %a, %b : tensor<8x6xf32>
    return %0 : tensor<8x6xf32>
  }
}
"#,
        );
        let load = format!("--load={kept}");
        for count in [1, 2] {
            let partitions = format!("--partitions={count}");
            Job::new(
                launcher,
                count,
                &[&partitions, &load, &to("b.npy"), &double],
            )
            .succeed();
            same("b.npy", "a.npy");
        }
    }
}
