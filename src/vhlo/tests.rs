//! Artifacts that jaxlib wrote, read and written again.

use crate::{Error, Version, is_portable_artifact, read, write};
use std::{fs, path::Path};

/// The artifacts in the source folder: their names and bytes.
fn artifacts() -> Vec<(String, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("artifacts");
    let mut found: Vec<_> = fs::read_dir(folder)
        .expect("the folder of artifacts")
        .flatten()
        .filter(|entry| entry.path().extension().is_some_and(|extension| extension == "bc"))
        .map(|entry| {
            let name = entry.file_name().to_string_lossy().into_owned();
            (name, fs::read(entry.path()).expect("an artifact"))
        })
        .collect();
    found.sort();
    assert!(found.len() >= 9);
    found
}

fn artifact(name: &str) -> Vec<u8> {
    let found = artifacts().into_iter().find(|(file, _)| file == name);
    found.unwrap_or_else(|| panic!("no artifact {name}")).1
}

/// Replaces bytes by others of the same length.
fn patched(artifact: &[u8], old: &[u8], new: &[u8]) -> Vec<u8> {
    assert_eq!(old.len(), new.len());
    let at = artifact.windows(old.len()).position(|window| window == old);
    let at = at.expect("what is to be replaced");
    let mut bytes = artifact.to_vec();
    bytes[at..at + new.len()].copy_from_slice(new);
    bytes
}

#[test]
fn artifacts_name_their_version() {
    for (name, bytes) in artifacts() {
        assert!(is_portable_artifact(&bytes));
        let module = read(&bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(
            name.contains(&module.version.to_string()),
            "{name}: {}",
            module.version
        );
    }
    assert!(!is_portable_artifact(b"ML\xefR\x0dMLIR22.1.8\0"));
    assert!(!is_portable_artifact(b"module {}"));
}

/// The bytes that are written for the version of an artifact have the same
/// meaning, down to the number of every value.
#[test]
fn artifacts_are_written_as_they_were() {
    for (name, bytes) in artifacts() {
        let mut module = read(&bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
        module.upgrade();
        let version = module.version;
        let written = write(&module, version).unwrap_or_else(|error| panic!("{name}: {error}"));
        let mut again = read(&written).unwrap_or_else(|error| panic!("{name}: {error}"));
        again.upgrade();
        assert_eq!(module.values.len(), again.values.len(), "{name}");
        let second = write(&again, version).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(written, second, "{name}");
    }
}

#[test]
fn every_prefix_is_refused() {
    for (name, bytes) in artifacts() {
        for length in 0..bytes.len() {
            assert!(read(&bytes[..length]).is_err(), "{name}: {length} bytes");
        }
    }
}

/// Replacing any byte by any other results in a module or an error, and modules can be written.
#[test]
fn every_changed_byte_is_survived() {
    for name in ["scalars.0.9.0.bc", "newest.1.17.0.bc", "sharding.1.15.0.bc"] {
        let original = artifact(name);
        let mut loaded = 0;
        for at in 0..original.len() {
            let byte = original[at];
            for changed in [
                0,
                1,
                0x7f,
                0x80,
                0xff,
                byte ^ 1,
                byte ^ 2,
                byte.wrapping_add(2),
            ] {
                let mut bytes = original.clone();
                bytes[at] = changed;
                if let Ok(mut module) = read(&bytes) {
                    loaded += 1;
                    module.upgrade();
                    _ = write(&module, Version::CURRENT);
                }
            }
        }
        assert!(loaded > 0, "{name}");
    }
}

#[test]
fn newer_artifacts_load_if_their_ops_are_known() {
    let newer = patched(&artifact("newest.1.17.0.bc"), b"v1.17.0", b"v9.99.0");
    let module = read(&newer).expect("all its ops are known");
    assert_eq!(module.version, Version::new(9, 99));

    let unknown = patched(&newer, b"async_done_v1\0", b"async_gone_v7\0");
    let error = read(&unknown).expect_err("an op that nobody knows");
    assert_eq!(
        error.to_string(),
        "op 'vhlo.async_gone_v7' is not known to version 1.21.0 of VHLO; the artifact is of \
         version 9.99.0"
    );
}

#[test]
fn older_versions_have_less() {
    let mut module = read(&artifact("newest.1.17.0.bc")).expect("an artifact");
    module.upgrade();
    let error = write(&module, Version::new(1, 14)).expect_err("it has async ops");
    assert!(matches!(error, Error::Target { .. }));
    let text = error.to_string();
    assert!(
        text.contains("'vhlo.async_start_v1' cannot be written for version 1.14.0"),
        "{text}"
    );
    assert!(text.contains("1.15.0"), "{text}");
    for version in [Version::new(0, 8), Version::new(1, 22)] {
        assert_eq!(
            write(&module, version).err(),
            Some(Error::VersionRange(version))
        );
    }
}

/// Sizes claimed by an artifact do not allocate memory.
#[test]
fn claims_cost_nothing() {
    let mut bytes = b"ML\xefR\x0dStableHLO_v1.0.0\0".to_vec();
    // A section of strings with a count of 2^60.
    bytes.extend([0, 0x13, 0, 0, 0, 0, 0, 0, 0, 0, 0x10]);
    let error = read(&bytes).expect_err("there are none").to_string();
    assert!(error.contains("do not fit into 0 bytes"), "{error}");
}
