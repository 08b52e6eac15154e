//! Where the blocks of functions are in this process, so that what runs can be told by its address.
//!
//! Objects whose machine keeps labels ([`TargetDescription::keeps_labels`]) have a symbol for each
//! block that a branch goes to, as assembly has a line:
//!
//! ```text
//! main_kernel_0:            # the function, and its first block
//! .LBB0_3:                  # block 3
//!     vfmadd231ps ...
//!     jb .LBB0_3
//! ```
//!
//! [`TargetDescription::keeps_labels`]: crate::target::TargetDescription::keeps_labels

use crate::perf::functions::{Function, functions};
use halo_runtime::{Error, compilation_record::BlockSamples, host::CodeBlock};
use object::{Object, ObjectSymbol};

/// The blocks of the functions of an object that is linked into this process, in the order of their
/// addresses. `find` gives the addresses of symbols by their names.
///
/// # Errors
/// Internal if the object cannot be read.
pub fn code_blocks(
    object: &[u8],
    find: impl Fn(&str) -> Option<u64>,
) -> Result<Vec<CodeBlock>, Error> {
    let unreadable = |error| Error::internal(format!("an object cannot be read: {error}"));
    let file = object::File::parse(object).map_err(unreadable)?;
    let labels = file.symbols().filter_map(|symbol| {
        let number = BlockSamples::block_of(symbol.name().ok()?)?;
        Some((symbol.section_index()?.0, symbol.address(), number))
    });
    let mut labels: Vec<(usize, u64, u32)> = labels.collect();
    labels.sort_unstable();
    let mut blocks = Vec::new();
    for function in functions(object, find)? {
        let Function {
            address,
            size,
            name,
            section,
            offset,
        } = function;
        let is_inside = |(own, place, _): &&(usize, u64, u32)| {
            *own == section && (offset..offset.saturating_add(size)).contains(place)
        };
        let inside = labels.iter().filter(is_inside);
        let inside = inside.map(|(_, place, number)| (place - offset, *number));
        let mut begins: Vec<(u64, u32)> = [(0, 0)].into_iter().chain(inside).collect();
        // A block that begins where the function does is its first one.
        begins.dedup_by_key(|(place, _)| *place);
        let ends = begins.iter().skip(1).map(|(place, _)| *place);
        let ends: Vec<u64> = ends.chain([size]).collect();
        for ((begin, number), end) in begins.into_iter().zip(ends) {
            blocks.push(CodeBlock {
                function: name.clone(),
                number,
                begin: address.wrapping_add(begin),
                end: address.wrapping_add(end),
            });
        }
    }
    blocks.sort_by_key(|block| block.begin);
    Ok(blocks)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::target::TargetDescription;
    use inkwell::{context::Context, memory_buffer::MemoryBuffer};

    const LOOP: &str = "
define void @loop(ptr %data, i64 %count) {
entry:
  br label %body
body:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %place = getelementptr i32, ptr %data, i64 %i
  store volatile i32 7, ptr %place
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %count
  br i1 %more, label %body, label %end
end:
  ret void
}
define void @other() {
  ret void
}";

    fn blocks(keeps_labels: bool) -> Vec<CodeBlock> {
        let target = TargetDescription {
            keeps_labels,
            ..TargetDescription::host()
        };
        let context = Context::create();
        let text =
            MemoryBuffer::create_from_memory_range_copy(format!("{LOOP}\0").as_bytes(), "loop");
        let module = context.create_module_from_ir(text).unwrap();
        let machine = target.machine().unwrap();
        module.set_triple(&machine.get_triple());
        let object = machine.object(&module).unwrap();
        code_blocks(&object, |name| match name {
            "loop" => Some(0x1000),
            _ => None,
        })
        .unwrap()
    }

    #[test]
    fn blocks_have_addresses_where_labels_are_kept() {
        let all = blocks(true);
        let of_loop: Vec<&CodeBlock> = all.iter().filter(|it| it.function == "loop").collect();
        let [entry, body, ..] = of_loop[..] else {
            panic!("{all:?}");
        };
        assert_eq!(
            (entry.number, entry.begin, entry.end),
            (0, 0x1000, body.begin)
        );
        assert!(body.number > 0 && body.begin < body.end);
        assert!(
            all.iter()
                .any(|it| it.function == "other" && it.number == 0)
        );
        let without = blocks(false);
        let of_loop = without.iter().filter(|it| it.function == "loop");
        assert_eq!(of_loop.count(), 1);
        // The code is the same.
        let end = |blocks: &[CodeBlock]| blocks.iter().map(|it| it.end).max();
        assert_eq!(end(&all), end(&without));
    }

    #[test]
    fn labels_have_two_numbers() {
        let numbers =
            [".LBB0_3", ".LBB12_45", ".LBB_3", ".Ltmp3", "main_1"].map(BlockSamples::block_of);
        assert_eq!(numbers, [Some(3), Some(45), None, None, None]);
    }
}
