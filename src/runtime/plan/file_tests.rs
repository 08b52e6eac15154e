//! Damaged files result in errors.

use super::super::sample;
use super::*;

fn error(bytes: &[u8]) -> String {
    match Plan::from_bytes(bytes) {
        Ok(_) => "a plan".to_owned(),
        Err(error) => error.to_string(),
    }
}

#[test]
fn files_read_back() {
    let plan = sample::everything();
    let bytes = plan.to_bytes().unwrap();
    assert!(Plan::is_plan(&bytes) && !Plan::is_plan(b"HloModule"));
    assert_eq!(Plan::from_bytes(&bytes).unwrap(), plan);
}

#[test]
fn headers_are_looked_at() {
    let bytes = sample::everything().to_bytes().unwrap();
    assert_eq!(error(b""), "not a plan");
    assert_eq!(error(b"module { }"), "not a plan");
    let with = |position: usize, byte: u8| {
        let mut bytes = bytes.clone();
        bytes[position] = byte;
        error(&bytes)
    };
    assert_eq!(
        with(8, 9),
        "the plan is of version 9, and this software reads version 3"
    );
    assert!(with(19, 1).starts_with("the plan is to be "));
    let checksum = "the plan is damaged: its checksum is another";
    assert_eq!(with(20, !bytes[20]), checksum);
    assert_eq!(with(HEADER, bytes[HEADER] + 1), checksum);
}

#[test]
fn every_truncation_is_an_error() {
    let bytes = sample::everything().to_bytes().unwrap();
    for end in 0..bytes.len() {
        assert_ne!(error(&bytes[..end]), "a plan", "{end} bytes");
        // Also if header and checksum are recomputed.
        let mut bytes = bytes[..end].to_vec();
        seal(&mut bytes);
        assert_ne!(error(&bytes), "a plan", "{end} bytes, sealed");
    }
    let mut long = bytes;
    long.push(0);
    seal(&mut long);
    assert_eq!(error(&long), "damaged plan: it cannot be decoded");
}

/// Any flipped bit results in an error or a sound plan, which then reads back.
#[test]
fn every_flipped_bit_is_an_error_or_a_plan() {
    let bytes = sample::everything().to_bytes().unwrap();
    let mut plans = 0;
    for position in HEADER..bytes.len() {
        for bit in 0..8 {
            let mut damaged = bytes.clone();
            damaged[position] ^= 1 << bit;
            seal(&mut damaged);
            if let Ok(plan) = Plan::from_bytes(&damaged) {
                plans += 1;
                plan.to_bytes().unwrap();
            }
        }
    }
    // Most of a small plan is names and numbers that may be changed.
    assert!(plans > 100, "{plans}");
}

#[test]
fn attributes_are_not_nested_without_end() {
    use crate::custom_call::{Attribute, Attributes};
    let mut plan = sample::everything();
    let nested = |depth: usize| {
        let list = (0..depth).fold(Attribute::List(vec![]), |inner, _| {
            Attribute::List(vec![inner])
        });
        Attributes([("deep".to_owned(), list)].into())
    };
    plan.custom_calls[0].attributes = nested(50);
    assert_eq!(Plan::from_bytes(&plan.to_bytes().unwrap()).unwrap(), plan);
    plan.custom_calls[0].attributes = nested(70);
    assert_eq!(
        error(&plan.to_bytes().unwrap()),
        "damaged plan: it cannot be decoded"
    );
}

#[test]
fn files_are_named_in_errors() {
    let error = Plan::read(Path::new("/none/a.plan")).unwrap_err();
    assert!(error.names_location());
    assert_eq!(
        error.to_string(),
        "/none/a.plan: error: No such file or directory (os error 2)"
    );
}
