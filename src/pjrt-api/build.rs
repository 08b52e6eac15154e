//! Generates the types of PJRT's and XLA FFI's C interfaces from XLA's headers.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::{env, fs};

use bindgen::callbacks::{
    DeriveTrait, EnumVariantValue, ImplementsTrait, IntKind, ItemInfo, ItemKind, ParseCallbacks,
};
use bindgen::{EnumVariation, Formatter};

fn main() {
    println!("cargo::rerun-if-changed=headers");
    let folder = PathBuf::from(env::var_os("OUT_DIR").expect("Cargo sets OUT_DIR"));
    let headers = [
        "pjrt_c_api_custom_partitioner_extension.h",
        "pjrt_c_api_ffi_extension.h",
        "pjrt_c_api_layouts_extension.h",
        "pjrt_c_api_memory_descriptions_extension.h",
        "pjrt_c_api_profiler_extension.h",
        "pjrt_c_api_shardings_extension.h",
        "pjrt_c_api_stream_extension.h",
    ];
    let headers = headers.map(|header| format!("headers/xla/pjrt/c/{header}"));
    generate(&headers, "PJRT_", &folder.join("pjrt.rs"));
    let header = ["headers/xla/ffi/api/c_api.h".to_owned()];
    generate(&header, "XLA_FFI_", &folder.join("xla_ffi.rs"));
}

/// Writes the types whose names in C begin with a prefix.
fn generate(headers: &[String], prefix: &'static str, output: &Path) {
    let names = Names {
        prefix,
        of_c: Arc::default(),
    };
    let bindings = bindgen::builder()
        .headers(headers)
        .clang_arg("-Iheaders")
        .allowlist_type(format!("({prefix}|PLUGIN_).*"))
        .allowlist_var(format!("({prefix}|PLUGIN_).*"))
        // Both interfaces have the codes of abseil.
        .blocklist_type("XLA_FFI_Error_Code")
        .default_enum_style(EnumVariation::NewType {
            is_bitfield: false,
            is_global: false,
        })
        .constified_enum(".*_STRUCT_SIZE")
        .generate_comments(false)
        .formatter(Formatter::Prettyplease)
        .parse_callbacks(Box::new(names.clone()))
        .generate()
        .unwrap_or_else(|error| panic!("{prefix}: {error}"));
    let mut code = with_fields_in_rust_case(&bindings.to_string(), prefix);
    code.push_str(&names.structs(&code));
    fs::write(output, code).unwrap_or_else(|error| panic!("{}: {error}", output.display()));
}

/// The names in Rust: `PJRT_Client_Create_Args` is `ClientCreateArgs`.
#[derive(Clone, Debug)]
struct Names {
    prefix: &'static str,
    /// The name in C of each type.
    of_c: Arc<Mutex<BTreeMap<String, String>>>,
}

impl ParseCallbacks for Names {
    fn int_macro(&self, _: &str, _: i64) -> Option<IntKind> {
        Some(IntKind::Int)
    }

    fn item_name(&self, item: ItemInfo<'_>) -> Option<String> {
        let name = match item.name {
            "PJRT_NamedValue__bindgen_ty_1" => "NamedValueContents".to_owned(),
            "PJRT_Buffer_MemoryLayout__bindgen_ty_1" => "BufferMemoryLayoutContents".to_owned(),
            name if name.contains("bindgen") => return None,
            name if matches!(item.kind, ItemKind::Var) => {
                return Some(name.strip_prefix(self.prefix)?.to_owned());
            }
            // The profiler's interface, which an extension of PJRT refers to.
            name => match name.strip_prefix("PLUGIN_") {
                Some(name) => name.replace('_', ""),
                None => name.strip_prefix(self.prefix)?.replace(self.prefix, "").replace('_', ""),
            },
        };
        let mut names = self.of_c.lock().ok()?;
        names.insert(name.clone(), item.name.to_owned());
        Some(name)
    }

    /// The excluded type is a number.
    fn blocklisted_type_implements_trait(
        &self,
        _: &str,
        _: DeriveTrait,
    ) -> Option<ImplementsTrait> {
        Some(ImplementsTrait::Yes)
    }

    /// `PJRT_NamedValue_kInt64List` is `NamedValueType::INT64_LIST`.
    fn enum_variant_name(
        &self,
        enumeration: Option<&str>,
        variant: &str,
        _: EnumVariantValue,
    ) -> Option<String> {
        let kind = enumeration?.trim_start_matches("enum ").trim_end_matches("_Type");
        let kind = &kind.replace("_Internal", "_");
        let name = variant
            .strip_prefix(kind)
            .and_then(|name| name.trim_start_matches("_Type").strip_prefix('_'))
            .or_else(|| variant.split_once("_TRAITS_").map(|(_, name)| name))?;
        let name = name.strip_prefix('k').unwrap_or(name);
        if name.contains(|letter: char| letter.is_ascii_lowercase()) {
            Some(snake_case(name).to_ascii_uppercase())
        } else {
            Some(name.to_owned())
        }
    }
}

impl Names {
    /// The structs with their names and sizes in C, for the macro of `c_api.rs`.
    fn structs(&self, code: &str) -> String {
        let names = self.of_c.lock().expect("no thread panicked");
        let entries = names.iter().filter_map(|(name, of_c)| {
            let size = format!("{of_c}_STRUCT_SIZE");
            let has_size = code.contains(&format!("pub const {size}:"));
            let has_field = code.contains(&format!("pub struct {name} {{\n    pub struct_size:"));
            (has_size && has_field).then(|| format!("    {name} = {of_c:?}, {size};\n"))
        });
        format!("structs! {{\n{}}}\n", entries.collect::<String>())
    }
}

/// Renames unions, and the functions of tables, which have the names of their types in C.
fn with_fields_in_rust_case(code: &str, prefix: &str) -> String {
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    let mut renamed = String::new();
    let mut rest = code;
    while let Some(at) = rest.find(prefix) {
        let (head, tail) = rest.split_at(at);
        let end = tail.find(|letter| !is_part(letter)).unwrap_or(tail.len());
        let (name, after) = tail.split_at(end);
        renamed.push_str(head);
        if name.ends_with("_STRUCT_SIZE") {
            renamed.push_str(name);
        } else {
            renamed.push_str(&snake_case(&name.replace(prefix, "")));
        }
        rest = after;
    }
    renamed.push_str(rest);
    renamed.replace("__bindgen_anon_1", "contents")
}

/// `CreateViewOfDeviceBuffer` is `create_view_of_device_buffer`.
fn snake_case(name: &str) -> String {
    let mut snake = String::new();
    let mut is_inside = false;
    for letter in name.chars() {
        if letter.is_ascii_uppercase() && is_inside {
            snake.push('_');
        }
        snake.push(letter.to_ascii_lowercase());
        is_inside = letter.is_ascii_lowercase() || letter.is_ascii_digit();
    }
    snake
}
