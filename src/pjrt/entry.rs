//! The attributes of a program entry's arguments and results.

use halo::{hlo::transforms::legalize::entry_layouts, prelude::*};
use halo_backend::Program;
use halo_core::Layout;
use halo_runtime::Tokens;

use crate::memory::KINDS;
use crate::status::{Result, Status};

/// Words in the text of a program whose entry has kinds of memory, or layouts.
const ATTRIBUTES: [&[u8]; 2] = [b"memory_kind", b"layout_mode"];

/// The arguments, or the results, of an entry.
#[derive(Clone, Debug, Default)]
pub struct Values {
    /// The positions of tokens, which order side effects and have no value.
    pub tokens: Vec<usize>,
    /// The memory kind of each value, tokens too, as its index in [`KINDS`]; the first kind after
    /// the end of the list.
    kinds: Vec<usize>,
    /// The layout of each value, tokens too; row-major after the end of the list.
    layouts: Vec<Option<Layout>>,
}

impl Values {
    pub fn kind(&self, position: usize) -> usize {
        self.kinds.get(position).copied().unwrap_or_default()
    }

    /// The memory layout of a value; `None` is row-major.
    pub fn layout(&self, position: usize) -> Option<&Layout> {
        self.layouts.get(position)?.as_ref()
    }

    /// Values, and `None` at the positions of tokens among them.
    pub fn with_tokens<T>(
        &self,
        mut values: impl Iterator<Item = T>,
    ) -> impl Iterator<Item = Option<T>> {
        (0..).map_while(move |position| {
            if self.tokens.contains(&position) {
                Some(None)
            } else {
                values.next().map(Some)
            }
        })
    }

    /// The positions of the values that are not tokens.
    pub fn tensors(&self) -> impl Iterator<Item = usize> {
        (0..).filter(|position| !self.tokens.contains(position))
    }
}

/// The attributes of a program entry's arguments and results, with the tokens of its signature.
///
/// # Errors
/// Returns the errors of the parser; an unimplemented error for a kind of memory that devices do
/// not have; an invalid-argument error for an invalid layout.
pub fn read(program: &Program, tokens: &Tokens) -> Result<[Values; 2]> {
    let [mut arguments, mut results] = read_attributes(program)?;
    arguments.tokens.clone_from(&tokens.arguments);
    results.tokens.clone_from(&tokens.results);
    Ok([arguments, results])
}

/// Returns true if a program's entry may have attributes in addition to types.
pub fn may_have_attributes(program: &Program) -> bool {
    let is_in_program = |text: &&[u8]| memchr::memmem::find(&program.code, text).is_some();
    ATTRIBUTES.iter().any(is_in_program)
}

fn read_attributes(program: &Program) -> Result<[Values; 2]> {
    // Most programs have no attributes, and need not be parsed for it.
    if !may_have_attributes(program) {
        return Ok(Default::default());
    }
    let context = halo::compiler::context();
    let mut module = halo::frontend::parse(&context, program)?;
    halo::frontend::select_entry(&mut module, program, None)?;
    let entry = halo::frontend::entry_of(&module)?;
    Ok([values(entry, "arg_attrs")?, values(entry, "res_attrs")?])
}

fn values(entry: Operation, attributes: &str) -> Result<Values> {
    let all = entry.attribute(attributes).map(Attribute::array_elements);
    let kind = |own: Attribute| {
        let name = own.dictionary_entry("mhlo.memory_kind").and_then(Attribute::string_value);
        let Some(name) = name else {
            return Ok(0);
        };
        let kind = KINDS.iter().position(|kind| *kind == name);
        kind.ok_or_else(|| Status::unimplemented(format!("memory of the kind '{name}'")))
    };
    let kinds = all.unwrap_or_default().into_iter().map(kind);
    let layouts = entry_layouts::layouts(entry, attributes).map_err(Status::invalid)?;
    let is_other = |layout: &Layout| !layout.is_row_major();
    let layouts = layouts.into_iter().map(|layout| layout.filter(is_other));
    Ok(Values {
        tokens: Vec::new(),
        kinds: kinds.collect::<Result<_>>()?,
        layouts: layouts.collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_kinds_of_memory_and_layouts_are_read() {
        let program = |code: &str| Program {
            name: "test.mlir".to_owned(),
            code: code.into(),
        };
        let code = "func.func @main(%x: tensor<2xf32>, %t: !stablehlo.token)
            -> (!stablehlo.token, tensor<2xf32> {mhlo.memory_kind = \"pinned_host\"}) {
          return %t, %x : !stablehlo.token, tensor<2xf32>
        }";
        let tokens = Tokens {
            arguments: vec![1],
            results: vec![0],
        };
        let [arguments, results] = read(&program(code), &tokens).unwrap();
        assert_eq!(
            [results.kind(0), results.kind(1), arguments.kind(7)],
            [0, 1, 0]
        );
        assert_eq!(results.tensors().next(), Some(1));
        assert_eq!(results.layout(1), None);
        let values: Vec<_> = results.with_tokens([5].into_iter()).collect();
        assert_eq!(values, [None, Some(5)]);
        let attribute = "mhlo.memory_kind = \"pinned_host\"";
        let by_columns = code.replace(attribute, "mhlo.layout_mode = \"{0,1}\"");
        let [_, results] = read(&program(&by_columns.replace("<2x", "<2x3x")), &tokens).unwrap();
        assert_eq!(results.layout(1), Some(&Layout::column_major(2)));
        assert_eq!(results.layout(0), None);
        let other = read(&program(&code.replace("pinned_host", "tape")), &tokens).err().unwrap();
        assert!(other.to_string().contains("'tape'"), "{other}");
    }
}
