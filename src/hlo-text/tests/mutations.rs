//! Damaged texts are parsed or rejected, without other effects.

#[path = "support/edits.rs"]
mod edits;

use std::time::{Duration, Instant};

use edits::{CORPUS, check, text};
use halo_hlo_text::{is_hlo_text, parse, split};

#[test]
fn every_beginning_of_a_text() {
    for text in CORPUS {
        // Every one of short texts: the time grows quadratically.
        let step = 1 + text.len() * text.len() / 1_000_000;
        for (end, _) in text.char_indices().step_by(step) {
            check(&text[..end]);
        }
    }
}

#[test]
fn random_edits() {
    let end = Instant::now() + Duration::from_secs(5);
    for number in 0..3000 {
        check(&text(number));
        if Instant::now() > end {
            break;
        }
    }
}

#[test]
fn anything_at_all() {
    let mut generator = halo_core::random::Generator::new(1);
    for length in 0..500 {
        let bytes: Vec<u8> = (0..length).map(|_| generator.bits() as u8).collect();
        is_hlo_text(&bytes);
        let text = String::from_utf8_lossy(&bytes);
        split(&text);
        assert!(parse(&text).is_err());
    }
}

/// The time is linear in the length of the text.
#[test]
fn long_runs_of_one_thing() {
    let pieces = [
        "(", "{", "[", "\"", "/*", "//", "%a ", "a = ", "ROOT ", ", ", ", a={", ", a=\"", "{\"",
        "f32[1,", "(f32[],", "negate(", "{{1},", "1,", "/*1*/", "#\n", "a { ", "a: 1 ", "\n",
    ];
    let heads = [
        "",
        "HloModule m",
        "HloModule m, ",
        "HloModule m, a=",
        "HloModule m, frontend_attributes={a=",
        "ENTRY e {",
        "ENTRY e { x = ",
        "ENTRY e { x = f32[] negate(",
        "ENTRY e { x = f32[99] constant(",
        "ENTRY e { x = f32[] negate(x), ",
        "ENTRY e { x = f32[] iota(), sharding=",
        "ENTRY e { x = f32[] iota(), metadata={a=",
        "ENTRY e { x = f32[] iota(), replica_groups=mesh",
        "ENTRY e { x = f32[] iota(), backend_config=",
        "hlo_module {",
    ];
    for head in heads {
        for piece in pieces {
            let text = format!("{head}{}", piece.repeat(20_000 / piece.len()));
            let start = Instant::now();
            check(&text);
            is_hlo_text(text.as_bytes());
            let time = start.elapsed();
            assert!(
                time < Duration::from_secs(2),
                "{head:?} {piece:?}: {time:?}"
            );
        }
    }
}
