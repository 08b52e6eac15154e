use super::*;

fn write_text(path: &Path, text: &str) -> Result<()> {
    write_whole(path, |file| file.write_all(text.as_bytes()))
}

fn names(directory: &Path) -> usize {
    std::fs::read_dir(directory).unwrap().count()
}

#[test]
fn what_fails_leaves_what_was_there() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("a");
    write_text(&path, "first").unwrap();
    let error = write_whole(&path, |file| {
        file.write_all(b"second")?;
        Err(io::Error::other("no more"))
    });
    let message = error.unwrap_err().to_string();
    assert_eq!(message, format!("{}: error: no more", path.display()));
    assert_eq!(std::fs::read(&path).unwrap(), b"first");
    // No temporary files remain.
    assert_eq!(names(directory.path()), 1);
}

#[test]
fn a_directory_is_no_file() {
    let directory = tempfile::tempdir().unwrap();
    let message = write_text(directory.path(), "x").unwrap_err().to_string();
    assert!(message.ends_with("error: is a directory"), "{message}");
    let missing = directory.path().join("none/a");
    let message = write_text(&missing, "x").unwrap_err().to_string();
    assert!(
        message.contains("error: there is no directory"),
        "{message}"
    );
}

#[cfg(unix)]
mod unix {
    use super::*;
    use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt, symlink};

    fn mode(path: &Path) -> u32 {
        std::fs::metadata(path).unwrap().permissions().mode() & 0o7777
    }

    #[test]
    fn a_file_keeps_its_mode() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("a");
        write_text(&path, "first").unwrap();
        for wanted in [0o600, 0o755, 0o640] {
            std::fs::set_permissions(&path, PermissionsExt::from_mode(wanted)).unwrap();
            write_text(&path, "next").unwrap();
            assert_eq!(mode(&path), wanted);
        }
    }

    #[test]
    fn symbolic_links_are_followed() {
        let directory = tempfile::tempdir().unwrap();
        std::fs::create_dir(directory.path().join("d")).unwrap();
        let (link, further) = (directory.path().join("l"), directory.path().join("m"));
        symlink("d/file", &link).unwrap();
        symlink("l", &further).unwrap();
        // First its target does not exist, then it does.
        for text in ["first", "second"] {
            write_text(&further, text).unwrap();
            assert_eq!(std::fs::read_link(&link).unwrap(), Path::new("d/file"));
            assert_eq!(std::fs::read_link(&further).unwrap(), Path::new("l"));
            let file = std::fs::read(directory.path().join("d/file")).unwrap();
            assert_eq!(file, text.as_bytes());
        }
        assert_eq!(names(directory.path()), 3);
    }

    #[test]
    fn all_names_of_a_file_see_what_is_written() {
        let directory = tempfile::tempdir().unwrap();
        let (path, other) = (directory.path().join("a"), directory.path().join("b"));
        write_text(&path, "something longer").unwrap();
        std::fs::hard_link(&path, &other).unwrap();
        write_text(&path, "new").unwrap();
        assert_eq!(std::fs::read(&other).unwrap(), b"new");
        assert_eq!(std::fs::metadata(&path).unwrap().nlink(), 2);
        // A failure leaves both files unchanged.
        let failure = write_whole(&path, |file| {
            file.write_all(b"part")?;
            Err(io::Error::other("no more"))
        });
        assert!(failure.is_err());
        assert_eq!(std::fs::read(&other).unwrap(), b"new");
    }

    #[test]
    fn a_device_stays_one() {
        let device = Path::new("/dev/null");
        write_text(device, "x").unwrap();
        let found = std::fs::metadata(device).unwrap();
        assert!(found.file_type().is_char_device());
        if Path::new("/dev/full").exists() {
            let message = write_text(Path::new("/dev/full"), "x").unwrap_err();
            let message = message.to_string();
            assert!(
                message.starts_with("/dev/full: error: No space"),
                "{message}"
            );
        }
    }
}
