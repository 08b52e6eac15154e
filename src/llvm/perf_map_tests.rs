use super::*;
use crate::{jit::LoadedObject, target::TargetDescription};
use halo_runtime::ProcessorOptions;
use inkwell::{context::Context, memory_buffer::MemoryBuffer, targets::FileType};
use std::os::unix::fs::{PermissionsExt, symlink};

/// Two functions that other objects can call, and one between them that they cannot.
const PROGRAM: &str = r"
define i32 @first(i32 %x) {
  %y = call i32 @within(i32 %x)
  ret i32 %y
}
define internal i32 @within(i32 %x) noinline {
  %y = mul i32 %x, 3
  ret i32 %y
}
define i32 @last(i32 %x) {
  %y = call i32 @within(i32 %x)
  %z = add i32 %y, 1
  ret i32 %z
}
";

fn object() -> Vec<u8> {
    let context = Context::create();
    let text = MemoryBuffer::create_from_memory_range_copy(PROGRAM.as_bytes(), "program");
    let module = context.create_module_from_ir(text).unwrap();
    let target = TargetDescription::of(&ProcessorOptions::default()).unwrap();
    let machine = target.machine().unwrap();
    crate::emit(&module, &machine, FileType::Object).unwrap()
}

#[test]
fn functions_are_where_the_linker_puts_them() {
    let object = object();
    let loaded = LoadedObject::load([&object[..]], &[]).unwrap();
    let find = |name: &str| loaded.address(name).ok().map(|address| address as u64);
    let mut found = functions(&object, find).unwrap();
    found.sort();
    let names: Vec<&str> = found.iter().map(|function| &function.name[..]).collect();
    assert_eq!(names, ["first", "within", "last"]);
    for function in &found {
        assert!(function.size > 0, "{function:?}");
        if function.name != "within" {
            assert_eq!(Some(function.address), find(&function.name));
        }
    }
    // They follow each other, without overlap.
    for pair in found.windows(2) {
        assert!(pair[0].address + pair[0].size <= pair[1].address);
    }
    // The sizes are those of the symbols.
    let file = object::File::parse(&object[..]).unwrap();
    for symbol in file.symbols().filter(|it| it.kind() == SymbolKind::Text) {
        let name = symbol.name().unwrap();
        let function = found.iter().find(|function| function.name == name);
        assert_eq!(function.unwrap().size, symbol.size());
    }
}

#[test]
fn lines_are_what_perf_reads() {
    let functions = [
        Function {
            address: 0x7f00_1000,
            size: 0x2a,
            name: "main_kernel_0".to_owned(),
        },
        Function {
            address: 0x7f00_102a,
            size: 1,
            name: "with space\nand line".to_owned(),
        },
    ];
    assert_eq!(
        text(&functions),
        "7f001000 2a main_kernel_0\n7f00102a 1 with space?and line\n"
    );
}

#[test]
fn the_file_is_new_and_behind_no_link() {
    let folder = tempfile::tempdir().unwrap();
    let map = path(folder.path());
    let victim = folder.path().join("victim");
    std::fs::write(&victim, "kept").unwrap();
    symlink(&victim, &map).unwrap();
    create(&map).unwrap().write_all(b"1 2 f\n").unwrap();
    assert_eq!(std::fs::read_to_string(&victim).unwrap(), "kept");
    let metadata = std::fs::symlink_metadata(&map).unwrap();
    assert!(metadata.is_file());
    assert_eq!(metadata.permissions().mode() & 0o777, 0o600);
    assert_eq!(std::fs::read_to_string(&map).unwrap(), "1 2 f\n");
    // One that is left of an earlier process is no part of the new one.
    drop(create(&map).unwrap());
    assert_eq!(std::fs::read_to_string(&map).unwrap(), "");
    // A directory in its place cannot be removed.
    std::fs::remove_file(&map).unwrap();
    std::fs::create_dir(&map).unwrap();
    assert!(create(&map).is_err());
}

#[test]
fn the_variable_has_one_value() {
    assert!(!parse(None).unwrap());
    assert!(!parse(Some(OsStr::new(""))).unwrap());
    assert_eq!(
        parse(Some(OsStr::new("map"))).is_ok_and(|wanted| wanted),
        cfg!(target_os = "linux")
    );
    let error = parse(Some(OsStr::new("dump"))).unwrap_err().to_string();
    assert!(
        error.ends_with("HALO_PERF is 'dump', and can only be 'map'"),
        "{error}"
    );
}
