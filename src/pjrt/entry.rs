//! What the entry of a program says of its arguments and results beside their types.

use halo::ir::{attribute_list, attribute_of, dictionary_entry, string_value};
use halo_runtime::{Program, Tokens};

use crate::memory::KINDS;
use crate::status::{Result, Status};

/// A text that a program has if its entry names kinds of memory.
const MEMORY_KIND: &[u8] = b"memory_kind";

/// The arguments, or the results, of an entry.
#[derive(Clone, Debug, Default)]
pub struct Values {
    /// The positions of tokens, which order side effects and have no value.
    pub tokens: Vec<usize>,
    /// The positions in [`KINDS`] of the memory of each, tokens too; the first kind behind
    /// the end of the list.
    kinds: Vec<usize>,
}

impl Values {
    pub fn kind(&self, position: usize) -> usize {
        self.kinds.get(position).copied().unwrap_or_default()
    }

    /// Values, and `None` at the positions of tokens among them.
    pub fn with_tokens<T>(
        &self,
        mut values: impl Iterator<Item = T>,
    ) -> impl Iterator<Item = Option<T>> {
        (0..).map_while(move |position| match self.tokens.contains(&position) {
            true => Some(None),
            false => values.next().map(Some),
        })
    }

    /// The kinds of memory of those that are no tokens.
    pub fn kinds_of_tensors(&self) -> impl Iterator<Item = usize> {
        let tensors = (0..).filter(|position| !self.tokens.contains(position));
        tensors.map(|position| self.kind(position))
    }
}

/// What a program's entry says of its arguments and results, with the tokens of its signature.
///
/// # Errors
/// Those of the parser; unimplemented for a kind of memory that devices do not have.
pub fn read(program: &Program, tokens: &Tokens) -> Result<[Values; 2]> {
    let [arguments, results] = kinds_of_memory(program)?;
    Ok([
        Values {
            tokens: tokens.arguments.clone(),
            kinds: arguments,
        },
        Values {
            tokens: tokens.results.clone(),
            kinds: results,
        },
    ])
}

/// The kinds of memory of arguments and results, tokens too.
fn kinds_of_memory(program: &Program) -> Result<[Vec<usize>; 2]> {
    // Most programs name none, and need not be read for it.
    if memchr::memmem::find(&program.code, MEMORY_KIND).is_none() {
        return Ok(Default::default());
    }
    let context = halo::compiler::context();
    let module = halo::frontend::parse(&context, program)?;
    halo::frontend::select_entry(&module, program, None)?;
    let entry = halo::frontend::entry_of(&module)?;
    let kinds = |attributes: &str| {
        let all = attribute_of(entry, attributes).map(attribute_list);
        let kind = |own| {
            let name = dictionary_entry(own, "mhlo.memory_kind").and_then(string_value);
            let Some(name) = name else {
                return Ok(0);
            };
            let kind = KINDS.iter().position(|kind| *kind == name);
            kind.ok_or_else(|| Status::unimplemented(format!("memory of the kind '{name}'")))
        };
        let kinds = all.unwrap_or_default().into_iter().map(kind);
        kinds.collect::<Result<Vec<usize>>>()
    };
    Ok([kinds("arg_attrs")?, kinds("res_attrs")?])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_and_kinds_of_memory_are_read() {
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
        assert_eq!(results.kinds_of_tensors().next(), Some(1));
        let values: Vec<_> = results.with_tokens([5].into_iter()).collect();
        assert_eq!(values, [None, Some(5)]);
        let other = read(&program(&code.replace("pinned_host", "tape")), &tokens)
            .err()
            .unwrap();
        assert!(other.to_string().contains("'tape'"), "{other}");
    }
}
