//! The part of a program's C header for constants in a file.

use std::fmt::{self, Write};

use super::external_constants::{ALIGNMENT, ExternalConstants};

/// Declarations that the headers of all such programs share.
pub const INTERFACE: &str = include_str!("templates/constants.h");

/// The size, the alignment, the hash, the header of the file, and functions that map it.
pub fn write(text: &mut String, name: &str, constants: &ExternalConstants) -> fmt::Result {
    let upper = name.to_uppercase();
    let start: Vec<String> = constants.start().iter().map(u8::to_string).collect();
    let lines: Vec<String> = start.chunks(20).map(|line| line.join(", ")).collect();
    writeln!(
        text,
        "/* The constants in a separate file. */\n\
         #define {upper}_CONSTANTS_SIZE {size}\n\
         #define {upper}_CONSTANTS_ALIGNMENT {ALIGNMENT}\n\
         #define {upper}_CONSTANTS_HASH 0x{hash:016X}u\n\
         static const halo_constants_start {name}_constants_start = {{\n  \
         {{{lines}}},\n  \
         {upper}_CONSTANTS_SIZE, {upper}_CONSTANTS_HASH}};\n\n\
         /* Checks that constants in memory belong to the program. Reads all of them. */\n\
         static inline halo_status {name}_verify_constants(const halo_constants *constants) {{\n  \
         return halo_verify_constants(constants, &{name}_constants_start);\n\
         }}\n\n\
         #if !defined(HALO_NO_FILES)\n\
         /* Maps the file of the constants, reads it, and checks all of it. Runs on any threads may\n   \
         share it until halo_unmap_constants. The file must not change meanwhile. */\n\
         static inline halo_status {name}_map_constants(const char *path, halo_constants *constants) {{\n  \
         return halo_map_constants(path, &{name}_constants_start, 1, constants);\n\
         }}\n\n\
         /* The same, but checks only the size and the header of the file; the constants are\n   \
         read when runs use them. */\n\
         static inline halo_status {name}_map_constants_lazily(const char *path,\n    \
         halo_constants *constants) {{\n  \
         return halo_map_constants(path, &{name}_constants_start, 0, constants);\n\
         }}\n\
         #endif\n",
        size = constants.bytes().len(),
        hash = constants.content(),
        lines = lines.join(",\n   "),
    )
}
