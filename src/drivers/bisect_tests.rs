use super::*;
use halo_backend::bisection::FoundPass;

/// A compilation of passes, each with five applications.
struct Planted {
    /// Whether each pass is optional.
    passes: Vec<bool>,
    /// The index of the wrong pass, and its first wrong application.
    wrong: (usize, u64),
    /// Numbers of passes with which the program cannot be compiled.
    unclear: std::ops::Range<usize>,
    kind: FailureKind,
}

const EACH: u64 = 5;

impl Planted {
    fn try_at(&self, point: Point) -> Tried {
        let (index, application) = self.wrong;
        let is_reached = point.passes > index + 1
            || point.passes == index + 1 && point.applications >= application
            || !self.passes[index];
        let kind = if self.unclear.contains(&point.passes) {
            Some(FailureKind::Error)
        } else {
            Some(self.kind).filter(|_| is_reached)
        };
        let passes = self.passes.iter().enumerate().map(|(index, optional)| FoundPass {
            place: format!("hlo/{index}"),
            is_optional: *optional,
        });
        let is_limited = point.passes <= self.passes.len();
        Tried {
            failure: kind.map(|kind| Failure {
                kind,
                message: "result 0 is not right".to_owned(),
            }),
            found: Found {
                passes: passes.collect(),
                running: is_reached.then_some(index),
                applications: EACH.min(point.applications),
                last: is_limited.then(FoundApplication::default),
                seconds: None,
            },
        }
    }

    fn search(&self) -> Result<Culprit, String> {
        search(&mut |point| Ok(self.try_at(point))).map_err(|error| error.to_string())
    }
}

fn planted(passes: &[bool], wrong: (usize, u64)) -> Planted {
    Planted {
        passes: passes.to_vec(),
        wrong,
        unclear: 0..0,
        kind: FailureKind::WrongResult,
    }
}

#[test]
fn each_application_of_each_pass_is_found() {
    for index in 0..20 {
        for application in 1..=EACH {
            let passes = [true; 20];
            let culprit = planted(&passes, (index, application)).search().unwrap();
            assert_eq!(culprit.pass, format!("hlo/{index}"));
            assert_eq!(culprit.numbers, application..=application);
            assert_eq!(culprit.count, Some(EACH));
            assert!(culprit.tests < 14, "{} tests", culprit.tests);
        }
    }
}

#[test]
fn passes_that_cannot_be_disabled_are_reported() {
    let mut required = planted(&[true, false, true], (1, 1));
    let message = required.search().unwrap_err();
    assert!(
        message.contains("also fails without 2 optional passes"),
        "{message}"
    );
    // A crash occurs in a pass.
    required.kind = FailureKind::Crash;
    assert_eq!(required.search().unwrap().pass, "hlo/1");
}

#[test]
fn programs_that_cannot_be_compiled_are_skipped() {
    let mut program = planted(&[true; 20], (12, 2));
    program.unclear = 3..9;
    assert_eq!(program.search().unwrap().pass, "hlo/12");
    program.unclear = 8..13;
    let message = program.search().unwrap_err();
    assert!(
        message.contains("one of the passes from hlo/7 to hlo/12"),
        "{message}"
    );
    let program = planted(&[], (0, 1));
    let nothing = search(&mut |_| Ok(Tried::default()));
    assert!(nothing.unwrap_err().to_string().contains("nothing to bisect"));
    drop(program);
}

#[test]
fn failures_are_distinguished() {
    let kind = |code, message: &str| super::kind(code, message);
    assert_eq!(kind(Some(0), "result 0 is not"), None);
    assert_eq!(kind(None, ""), Some(FailureKind::Crash));
    let wrong = "halo-run: error: result 0 is not a.npy: 1 of 2 elements differ";
    assert_eq!(kind(Some(1), wrong), Some(FailureKind::WrongResult));
    assert_eq!(
        telling(wrong),
        "result 0 is not a.npy: 1 of 2 elements differ"
    );
    let invalid = "a.mlir:1:2: error: internal error: pass 'x' left invalid IR: ...";
    assert_eq!(kind(Some(1), invalid), Some(FailureKind::InvalidIr));
    assert_eq!(telling(invalid), invalid);
    let panic = "a.mlir: error: internal error in pass 'x': no (panicked at a.rs:1:2)";
    assert_eq!(kind(Some(1), panic), Some(FailureKind::Crash));
    assert_eq!(
        kind(Some(1), "halo-run: error: unknown backend"),
        Some(FailureKind::Error)
    );
}

#[test]
fn changes_are_shown_with_their_surroundings() {
    let of = |before: &str, after: &str| {
        change(&FoundApplication {
            before: before.to_owned(),
            after: after.to_owned(),
            ..FoundApplication::default()
        })
    };
    let before = "f {\n  %0 = a\n  %1 = b %0\n  %2 = c %1\n  %3 = d %2\n  %4 = e\n  %5 = g\n}\n";
    // The numbers after an erased op are no changes.
    let after = "f {\n  %0 = a\n  %1 = c %0\n  %2 = d %1\n  %3 = e\n  %4 = g\n}\n";
    let shown = " f {\n   %0 = a\n-  %1 = b %0\n   %1 = c %0\n   %2 = d %1\n   %3 = e\n";
    assert_eq!(of(before, after), shown);
    // But an operand alone is one.
    let shown = of("  %2 = c %1, %0\n", "  %2 = c %0, %1\n");
    assert_eq!(shown, "-  %2 = c %1, %0\n+  %2 = c %0, %1\n");
    assert_eq!(of("f\n", ""), " f\n");
    assert_eq!(of("f\n", "f\n"), " f\n");
}

#[test]
fn points_are_parsed() {
    let point = bisection("3:18446744073709551615:true:/tmp/a:b.json").unwrap();
    assert_eq!(
        (point.passes, point.applications, point.cleans_up),
        (3, u64::MAX, true)
    );
    assert!(bisection("3:4").is_err());
    assert!(bisection("x:4:true:a").is_err());
}
