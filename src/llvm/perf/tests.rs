use super::{
    map::{path, text},
    *,
};
use crate::{jit::LoadedObject, target::TargetDescription};
use halo_backend::ProcessorOptions;
use inkwell::{context::Context, memory_buffer::MemoryBuffer, targets::FileType};
use object::{Object, ObjectSymbol, SymbolKind};
use std::{
    collections::HashMap,
    io::Write,
    os::unix::fs::{PermissionsExt, symlink},
};

/// Two functions that are visible to other objects, and a local one between them.
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
    object_of(PROGRAM)
}

fn object_of(program: &str) -> Vec<u8> {
    let context = Context::create();
    let text = MemoryBuffer::create_from_memory_range_copy(program.as_bytes(), "program");
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
    // The sizes equal the sizes of the symbols.
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
            section: 2,
            offset: 0,
        },
        Function {
            address: 0x7f00_102a,
            size: 1,
            name: "with space\nand line".to_owned(),
            section: 2,
            offset: 0x2a,
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
    // A file of an earlier process is not reused.
    drop(create(&map).unwrap());
    assert_eq!(std::fs::read_to_string(&map).unwrap(), "");
    // A directory in its place cannot be removed.
    std::fs::remove_file(&map).unwrap();
    std::fs::create_dir(&map).unwrap();
    assert!(create(&map).is_err());
}

#[test]
fn the_variable_names_a_file() {
    assert_eq!(Output::parse(None).unwrap(), None);
    assert_eq!(Output::parse(Some(OsStr::new(""))).unwrap(), None);
    for (value, output) in [("map", Output::Map), ("jitdump", Output::Jitdump)] {
        let parsed = Output::parse(Some(OsStr::new(value)));
        if cfg!(target_os = "linux") {
            assert_eq!(parsed.unwrap(), Some(output))
        } else {
            assert!(parsed.is_err())
        }
    }
    let error = Output::parse(Some(OsStr::new("dump"))).unwrap_err().to_string();
    assert!(
        error.ends_with("HALO_PERF is 'dump', and can be 'map' or 'jitdump'"),
        "{error}"
    );
}

/// A function of two lines, with code of the second one within the first, and one without lines.
const LINES: &str = r#"
define i32 @first(ptr %x) !dbg !4 {
  %a = load volatile i32, ptr %x, !dbg !6
  %b = load volatile i32, ptr %x, !dbg !7
  store volatile i32 %b, ptr %x, !dbg !6
  ret i32 %a, !dbg !6
}
define void @other(ptr %x) !dbg !5 {
  store volatile i32 3, ptr %x, !dbg !8
  ret void, !dbg !8
}
define void @none(ptr %x) {
  store volatile i32 3, ptr %x
  ret void
}
!llvm.module.flags = !{!0, !9}
!llvm.dbg.cu = !{!1}
!0 = !{i32 2, !"Debug Info Version", i32 3}
!1 = distinct !DICompileUnit(language: DW_LANG_C11, file: !2, isOptimized: true, emissionKind: LineTablesOnly)
!2 = !DIFile(filename: "a.mlir", directory: "/home/me")
!3 = !DISubroutineType(types: !{})
!4 = distinct !DISubprogram(name: "first", file: !2, line: 2, type: !3, scopeLine: 2, spFlags: DISPFlagDefinition, unit: !1)
!5 = distinct !DISubprogram(name: "other", file: !2, line: 7, type: !3, scopeLine: 7, spFlags: DISPFlagDefinition, unit: !1)
!6 = !DILocation(line: 3, column: 8, scope: !4)
!7 = !DILocation(line: 5, column: 8, scope: !4)
!8 = !DILocation(line: 9, column: 8, scope: !5)
!9 = !{i32 2, !"Dwarf Version", i32 5}
"#;

#[test]
fn lines_are_at_the_addresses_of_their_code() {
    let with_lines = object_of(LINES);
    let loaded = LoadedObject::load([&with_lines[..]], &[]).unwrap();
    let find = |name: &str| loaded.address(name).ok().map(|address| address as u64);
    let functions = functions(&with_lines, find).unwrap();
    let sections = functions.iter().map(|function| {
        let start = function.address - function.offset;
        (function.section, start)
    });
    let rows = lines::rows(&with_lines, &sections.collect()).unwrap();
    assert!(rows.iter().all(|row| row.file == "/home/me/a.mlir"));
    assert!(rows.is_sorted());
    let lines_of = |name: &str| {
        let function = functions.iter().find(|it| it.name == name).unwrap();
        let code = function.address..function.address + function.size;
        let mut lines: Vec<u32> = rows
            .iter()
            .filter(|row| code.contains(&row.address))
            .map(|row| row.line)
            .collect();
        lines.dedup();
        lines
    };
    // The first line is the function's, if its code begins with no other.
    let first = lines_of("first");
    assert!(
        [&[3, 5, 3][..], &[2, 3, 5, 3]].contains(&&first[..]),
        "{first:?}"
    );
    assert!(lines_of("other").ends_with(&[9]));
    assert!(lines_of("none").is_empty());
    // Code without lines has none.
    assert_eq!(lines::rows(&object(), &HashMap::new()).unwrap(), []);
}

#[test]
fn records_are_those_of_the_specification() {
    let number =
        |bytes: &[u8], at: usize| u32::from_ne_bytes(bytes[at..at + 4].try_into().unwrap());
    let long = |bytes: &[u8], at: usize| u64::from_ne_bytes(bytes[at..at + 8].try_into().unwrap());
    let header = jitdump::header(7);
    assert_eq!(header.len(), 40);
    assert_eq!(number(&header, 0), 0x4A69_5444);
    assert_eq!((number(&header, 4), number(&header, 8)), (1, 40));
    assert_eq!(number(&header, 20), std::process::id());
    assert_eq!((long(&header, 24), long(&header, 32)), (7, 0));

    let function = Function {
        address: 0x7000,
        size: 3,
        name: "f".to_owned(),
        section: 2,
        offset: 0,
    };
    let load = jitdump::code_load(&function, &[1, 2, 3], 5, 8);
    assert_eq!((number(&load, 0), number(&load, 4)), (0, load.len() as u32));
    assert_eq!((long(&load, 8), number(&load, 16)), (8, std::process::id()));
    assert_eq!((long(&load, 24), long(&load, 32)), (0x7000, 0x7000));
    assert_eq!((long(&load, 40), long(&load, 48)), (3, 5));
    assert_eq!(load[56..], *b"f\0\x01\x02\x03");

    let row = |address, line| lines::Row {
        address,
        file: "a.mlir".to_owned(),
        line,
    };
    let rows = [row(0x7000, 2), row(0x7001, 2), row(0x7002, 4)];
    let lines = jitdump::debug_info(&function, &rows, 9);
    assert_eq!(
        (number(&lines, 0), number(&lines, 4)),
        (2, lines.len() as u32)
    );
    assert_eq!((long(&lines, 16), long(&lines, 24)), (0x7000, 3));
    let size = 16 + b"a.mlir\0".len();
    let entries: Vec<_> = lines[32..].chunks(size).collect();
    let entries = entries.iter().map(|entry| {
        assert_eq!(entry[16..], *b"a.mlir\0");
        assert_eq!(number(entry, 12), 0);
        (long(entry, 0), number(entry, 8))
    });
    // Duplicates are left out, and the last row is after the end of the code.
    let expected = [(0x7000, 2), (0x7002, 4), (0x7003, 4)];
    assert_eq!(entries.collect::<Vec<_>>(), expected);
    assert_eq!(jitdump::debug_info(&function, &[], 9), []);
}
