//! The failure of a case is reduced, next to the case.

use std::{fs, process::Command};

/// Does not terminate, for any input.
const ENDLESS: &str = "func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.sine %a : tensor<4xf32>
  %1 = stablehlo.negate %0 : tensor<4xf32>
  %t = stablehlo.constant dense<true> : tensor<i1>
  %2 = stablehlo.while(%i = %1) : tensor<4xf32>
    cond {
      stablehlo.return %t : tensor<i1>
    } do {
      %3 = stablehlo.add %i, %1 : tensor<4xf32>
      stablehlo.return %3 : tensor<4xf32>
    }
  %4 = stablehlo.cosine %2 : tensor<4xf32>
  %5 = stablehlo.add %4, %0 : tensor<4xf32>
  return %5 : tensor<4xf32>
}
";

#[test]
fn what_does_not_end_is_reduced() {
    let folder = tempfile::tempdir().unwrap();
    let corpus = folder.path().join("corpus");
    let out = folder.path().join("out");
    fs::create_dir(&corpus).unwrap();
    fs::write(corpus.join("endless.mlir"), ENDLESS).unwrap();
    let run = |first: &str, more: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_halo-fuzz"))
            .args([
                "--count",
                "1",
                "--limit",
                "2",
                "--seconds",
                "300",
                "--first",
                first,
            ])
            .arg("--corpus")
            .arg(&corpus)
            .arg("--out")
            .arg(&out)
            .args(more)
            .output()
            .unwrap();
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    // A case whose text is edited, not its bytecode, and not in the loop.
    let first = (0..200).map(|number| number.to_string()).find(|number| {
        let output = Command::new(env!("CARGO_BIN_EXE_halo-fuzz"))
            .args(["--print", "--count", "1", "--first", number.as_str()])
            .arg("--corpus")
            .arg(&corpus)
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        !text.contains(ENDLESS)
            && text.contains("cond {\n      stablehlo.return %t : tensor<i1>\n    } do {")
            && run(number, &["--no-reduce"]).contains("no end after 2 s")
    });
    let first = first.expect("no case keeps the loop");
    assert_eq!(fs::read_dir(&out).unwrap().count(), 1);
    let said = run(&first, &[]);
    assert!(
        said.contains(&format!("case {first}: reduced to ")),
        "{said}"
    );
    let reduced = out.join(format!("case-{first}.reduced.mlir"));
    let text = fs::read_to_string(reduced).unwrap();
    assert!(
        text.contains("stablehlo.while") && !text.contains("stablehlo.cosine"),
        "{text}"
    );
}
