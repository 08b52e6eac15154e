use super::*;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::thread;
use std::time::{Duration, SystemTime};

fn key(number: u32) -> Key {
    KeyHasher::new("test").part(&number.to_le_bytes()).finish()
}

/// A folder for a cache, which is not there yet.
fn folder() -> (tempfile::TempDir, PathBuf) {
    let parent = tempfile::tempdir().unwrap();
    let path = parent.path().join("cache");
    (parent, path)
}

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

fn names(path: &Path) -> Vec<String> {
    let files = fs::read_dir(path).unwrap();
    let names = files.map(|file| file.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.collect();
    names.sort();
    names
}

fn is_usable(cache: &CompilationCache) -> bool {
    !matches!(*cache.state.lock().unwrap(), State::Unusable)
}

#[test]
fn keys_are_of_all_parts() {
    let parts = |parts: &[&[u8]]| {
        let hasher = KeyHasher::new("test");
        let all = parts.iter().fold(hasher, |hasher, part| hasher.part(part));
        all.finish()
    };
    assert_eq!(parts(&[b"ab", b"c"]), parts(&[b"ab", b"c"]));
    assert_ne!(parts(&[b"ab", b"c"]), parts(&[b"a", b"bc"]));
    assert_ne!(parts(&[b"ab"]), parts(&[b"ab", b""]));
    assert_ne!(
        KeyHasher::new("test").optional(None).finish(),
        KeyHasher::new("test").optional(Some(b"")).finish()
    );
    assert_ne!(KeyHasher::new("a").finish(), KeyHasher::new("b").finish());
    assert_eq!(key(1).to_string().len(), 64);
    assert_eq!(Key::from_bytes(*key(1).as_bytes()), key(1));
}

#[test]
fn entries_outlive_the_cache() {
    let (_parent, path) = folder();
    let cache = CompilationCache::new(&path, DEFAULT_LIMIT);
    assert_eq!(cache.get(&key(1)), None);
    cache.put(&key(1), b"one");
    cache.put(&key(2), b"");
    cache.put(&key(1), b"another one");
    let cache = CompilationCache::new(&path, DEFAULT_LIMIT);
    assert_eq!(cache.get(&key(1)).unwrap(), b"another one");
    assert_eq!(cache.get(&key(2)).unwrap(), b"");
    assert_eq!(cache.get(&key(3)), None);
    let mut expected = vec![key(1).to_string(), key(2).to_string()];
    expected.sort();
    assert_eq!(names(&path), expected);
}

#[test]
fn a_new_directory_is_the_users_alone() {
    let parent = tempfile::tempdir().unwrap();
    let path = parent.path().join("some").join("cache");
    let cache = CompilationCache::new(&path, DEFAULT_LIMIT);
    cache.put(&key(1), b"one");
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&path), 0o700);
    assert_eq!(mode(&path.join(key(1).to_string())), 0o600);
}

#[test]
fn damaged_entries_are_removed() {
    let (_parent, path) = folder();
    let cache = CompilationCache::new(&path, DEFAULT_LIMIT);
    cache.put(&key(1), b"machine code");
    let file = path.join(key(1).to_string());
    let whole = fs::read(&file).unwrap();
    let mut damaged = Vec::new();
    for length in 0..whole.len() {
        damaged.push(whole[..length].to_vec());
    }
    for position in 0..whole.len() {
        // The version is another matter.
        if !(8..12).contains(&position) {
            let mut flipped = whole.clone();
            flipped[position] ^= 0x10;
            damaged.push(flipped);
        }
    }
    damaged.push([&whole[..], b"more"].concat());
    for bytes in damaged {
        fs::write(&file, bytes).unwrap();
        assert_eq!(cache.get(&key(1)), None);
        assert!(!file.exists());
    }
    // The entry of another key is not valid for this one.
    fs::write(path.join(key(2).to_string()), &whole).unwrap();
    assert_eq!(cache.get(&key(2)), None);
    cache.put(&key(1), b"machine code");
    assert_eq!(cache.get(&key(1)).unwrap(), b"machine code");
}

#[test]
fn entries_of_another_version_are_ignored() {
    let (_parent, path) = folder();
    let cache = CompilationCache::new(&path, DEFAULT_LIMIT);
    cache.put(&key(1), b"machine code");
    let file = path.join(key(1).to_string());
    let mut bytes = fs::read(&file).unwrap();
    bytes[8] += 1;
    fs::write(&file, bytes).unwrap();
    assert_eq!(cache.get(&key(1)), None);
    assert!(file.exists());
    cache.put(&key(1), b"new");
    assert_eq!(cache.get(&key(1)).unwrap(), b"new");
}

#[test]
fn the_least_recently_used_go_first() {
    let (_parent, path) = folder();
    let cache = CompilationCache::new(&path, 20_000);
    let bytes = [7; 1_000];
    let age = |number: u32, seconds: u64| {
        let file = fs::File::open(path.join(key(number).to_string())).unwrap();
        let time = SystemTime::now() - Duration::from_secs(seconds);
        file.set_modified(time).unwrap();
    };
    for number in 0..10 {
        cache.put(&key(number), &bytes);
        age(number, 1_000 - u64::from(number));
    }
    // A hit is a use.
    assert!(cache.get(&key(0)).is_some());
    for number in 10..40 {
        cache.put(&key(number), &bytes);
        age(number, 900 - u64::from(number));
    }
    let kept: Vec<u32> =
        (0..40).filter(|&number| path.join(key(number).to_string()).exists()).collect();
    assert!(kept.contains(&0), "{kept:?}");
    let others = &kept[1..];
    assert!(others.len() > 10, "{kept:?}");
    let newest: Vec<u32> = (40 - others.len() as u32..40).collect();
    assert_eq!(others, newest);
    let total: u64 = names(&path)
        .iter()
        .map(|name| fs::metadata(path.join(name)).unwrap().len())
        .sum();
    assert!(total <= 20_000, "{total}");
}

#[test]
fn an_entry_larger_than_the_cache_is_not_kept() {
    let (_parent, path) = folder();
    let cache = CompilationCache::new(&path, 1_000);
    cache.put(&key(1), &[0; 100]);
    cache.put(&key(2), &[0; 1_000]);
    assert!(cache.get(&key(1)).is_some());
    assert_eq!(cache.get(&key(2)), None);
    assert!(is_usable(&cache));
}

#[test]
fn files_that_a_killed_process_left_are_removed_later() {
    let (_parent, path) = folder();
    let cache = CompilationCache::new(&path, DEFAULT_LIMIT);
    cache.put(&key(1), b"one");
    for (name, seconds) in [(".new-1-2-3", 7_200), (".new-4-5-6", 10), ("mine", 7_200)] {
        let file = fs::File::create(path.join(name)).unwrap();
        let time = SystemTime::now() - Duration::from_secs(seconds);
        file.set_modified(time).unwrap();
    }
    CompilationCache::new(&path, DEFAULT_LIMIT).put(&key(2), b"two");
    let left = names(&path);
    assert!(!left.contains(&".new-1-2-3".to_owned()), "{left:?}");
    assert!(left.contains(&".new-4-5-6".to_owned()), "{left:?}");
    assert!(left.contains(&"mine".to_owned()), "{left:?}");
}

#[test]
fn a_directory_that_others_can_write_to_is_not_used() {
    for mode in [0o777, 0o720, 0o702, 0o1777] {
        let (_parent, path) = folder();
        CompilationCache::new(&path, DEFAULT_LIMIT).put(&key(1), b"one");
        set_mode(&path, mode);
        let cache = CompilationCache::new(&path, DEFAULT_LIMIT);
        assert_eq!(cache.get(&key(1)), None);
        cache.put(&key(2), b"two");
        assert!(!is_usable(&cache));
        assert_eq!(names(&path).len(), 1);
    }
}

#[test]
fn a_file_that_others_can_write_to_is_not_used() {
    let (_parent, path) = folder();
    let cache = CompilationCache::new(&path, DEFAULT_LIMIT);
    let file = path.join(key(1).to_string());
    for mode in [0o620, 0o602, 0o666] {
        cache.put(&key(1), b"one");
        set_mode(&file, mode);
        assert_eq!(cache.get(&key(1)), None);
        assert!(!file.exists());
    }
    cache.put(&key(1), b"one");
    set_mode(&file, 0o444);
    assert!(cache.get(&key(1)).is_some());
}

#[test]
fn links_and_other_files_are_no_entries() {
    let (parent, path) = folder();
    let cache = CompilationCache::new(&path, DEFAULT_LIMIT);
    cache.put(&key(1), b"one");
    let file = path.join(key(1).to_string());
    let elsewhere = parent.path().join("elsewhere");
    fs::rename(&file, &elsewhere).unwrap();
    symlink(&elsewhere, &file).unwrap();
    assert_eq!(cache.get(&key(1)), None);
    assert!(elsewhere.exists());
    assert!(fs::symlink_metadata(&file).is_err());
    fs::create_dir(path.join(key(2).to_string())).unwrap();
    assert_eq!(cache.get(&key(2)), None);
    assert!(is_usable(&cache));
}

#[test]
fn the_users_own_link_leads_to_a_directory() {
    let (parent, path) = folder();
    let link = parent.path().join("link");
    CompilationCache::new(&path, DEFAULT_LIMIT).put(&key(1), b"one");
    symlink(&path, &link).unwrap();
    let cache = CompilationCache::new(&link, DEFAULT_LIMIT);
    assert_eq!(cache.get(&key(1)).unwrap(), b"one");
}

#[test]
fn what_is_no_directory_is_not_used() {
    let parent = tempfile::tempdir().unwrap();
    let file = parent.path().join("file");
    fs::write(&file, "text").unwrap();
    for path in [file.clone(), file.join("cache"), "/dev/null/cache".into()] {
        let cache = CompilationCache::new(&path, DEFAULT_LIMIT);
        cache.put(&key(1), b"one");
        assert_eq!(cache.get(&key(1)), None);
        assert!(!is_usable(&cache));
    }
    assert_eq!(fs::read(&file).unwrap(), b"text");
}

#[test]
fn readers_see_whole_entries_while_others_write() {
    let (_parent, path) = folder();
    let content = |number: u8| vec![number; 100_000 + usize::from(number)];
    CompilationCache::new(&path, DEFAULT_LIMIT).put(&key(1), &content(0));
    thread::scope(|scope| {
        for number in 1..=4 {
            let path = &path;
            scope.spawn(move || {
                let cache = CompilationCache::new(path, DEFAULT_LIMIT);
                for _ in 0..50 {
                    cache.put(&key(1), &content(number));
                    let bytes = cache.get(&key(1)).expect("an entry is replaced at once");
                    assert_eq!(bytes, content(bytes[0]));
                }
            });
        }
    });
    assert_eq!(names(&path), [key(1).to_string()]);
}

/// Names the directory for the processes of the test below.
const DIRECTORY: &str = "HALO_TEST_CACHE_DIR";

fn content(number: u32) -> Vec<u8> {
    vec![number as u8; 300_000 + number as usize]
}

/// Writes until it is killed.
fn write_on(path: &Path) {
    let cache = CompilationCache::new(path, DEFAULT_LIMIT);
    for number in (0..32).cycle() {
        cache.put(&key(number), &content(number));
    }
}

#[test]
fn a_process_that_is_killed_leaves_whole_entries() {
    if let Some(path) = std::env::var_os(DIRECTORY) {
        return write_on(path.as_ref());
    }
    let (_parent, path) = folder();
    let name = "compilation_cache::tests::a_process_that_is_killed_leaves_whole_entries";
    for round in 0..12 {
        let mut writer = std::process::Command::new(std::env::current_exe().unwrap())
            .args(["--exact", name])
            .env(DIRECTORY, &path)
            .stdout(std::process::Stdio::null())
            .spawn()
            .unwrap();
        // Until it writes, and then a delay that differs in each round.
        let begun = SystemTime::now();
        while !path.exists() || names(&path).is_empty() {
            let waited = begun.elapsed().unwrap();
            assert!(waited < Duration::from_secs(60), "nothing is written");
            thread::sleep(Duration::from_millis(1));
        }
        thread::sleep(Duration::from_micros(20_000 + 1_370 * round));
        writer.kill().unwrap();
        writer.wait().unwrap();
        let cache = CompilationCache::new(&path, DEFAULT_LIMIT);
        let mut found = 0;
        for number in 0..32 {
            // An entry is complete or absent; `get` would remove a damaged one.
            if path.join(key(number).to_string()).exists() {
                assert_eq!(cache.get(&key(number)).unwrap(), content(number));
                found += 1;
            }
        }
        assert!(found > 0);
    }
}
