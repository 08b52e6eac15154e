//! Symbols: a table of the symbols in an op, and names for new symbols.

use crate::{
    attributes::{AttributeExt, string_attribute},
    block::BlockExt,
    build_error::BuildError,
    edit::with_builder,
    graveyard,
    handles::Operation,
    operation::OperationExt,
};
use melior::StringRef;
use mlir_sys::{MlirOperation, MlirStringRef};
use std::{
    collections::{HashMap, HashSet},
    ffi::c_void,
};

unsafe extern "C" {
    fn haloIsSymbolTable(operation: MlirOperation) -> bool;
    fn haloForEachSymbolUse(
        symbol: MlirOperation,
        from: MlirOperation,
        call: extern "C" fn(MlirOperation, *mut c_void),
        data: *mut c_void,
    ) -> bool;
    fn haloReplaceSymbolUses(
        symbol: MlirOperation,
        name: MlirStringRef,
        from: MlirOperation,
    ) -> bool;
}

/// The attribute that names a symbol.
const NAME: &str = "sym_name";

/// The symbols in an op that is a symbol table, such as a module, by their names.
///
/// It tracks the changes made through it. Symbols that were erased or renamed otherwise are not
/// found.
///
/// ```
/// use halo_ir::{BuildError, Operation, SymbolTable, ops::func};
///
/// /// Gives a function another name, or one like it if that is taken.
/// fn rename(module: Operation, from: &str, to: &str) -> Result<String, BuildError> {
///     let mut symbols = SymbolTable::of(module)?;
///     let Some(function) = symbols.lookup(from) else {
///         return Err(BuildError::because(format!("no function '{from}'")));
///     };
///     symbols.rename(function, to)
/// }
/// ```
pub struct SymbolTable<'c> {
    operation: Operation<'c>,
    symbols: HashMap<String, Operation<'c>>,
}

/// The name of a symbol; `None` for other ops.
fn symbol_name<'c>(operation: Operation<'c>) -> Option<&'c str> {
    operation.attribute(NAME).and_then(AttributeExt::string_value)
}

impl<'c> SymbolTable<'c> {
    /// The symbols in an op.
    ///
    /// # Errors
    /// Returns an error if the op is not a symbol table.
    pub fn of(operation: Operation<'c>) -> Result<Self, BuildError> {
        // SAFETY: The op is valid.
        let is_table = unsafe { haloIsSymbolTable(operation.to_raw()) };
        let Some(body) = operation.body(0).filter(|_| is_table) else {
            return Err(BuildError::because(format!(
                "'{}' op is not a symbol table",
                operation.name()
            )));
        };
        let symbols = body
            .operations()
            .into_iter()
            .filter_map(|op| Some((symbol_name(op)?.to_owned(), op)))
            .collect();
        Ok(Self { operation, symbols })
    }

    /// The symbol of a name.
    pub fn lookup(&self, name: &str) -> Option<Operation<'c>> {
        let symbol = self.symbols.get(name).copied()?;
        (self.holds(symbol) && symbol_name(symbol) == Some(name)).then_some(symbol)
    }

    /// Returns true if an op is directly in the table's op.
    fn holds(&self, symbol: Operation<'c>) -> bool {
        symbol.parent() == Some(self.operation)
    }

    /// An unused name: the given one, or with a number.
    fn unused(&self, name: &str) -> String {
        let is_free = |name: &String| self.lookup(name).is_none();
        std::iter::once(name.to_owned())
            .chain((0..).map(|number| format!("{name}_{number}")))
            .find(is_free)
            .unwrap_or_default()
    }

    /// Adds a new symbol, which a builder has inserted into the table's op. If its name is taken it
    /// gets another one. Returns the name.
    ///
    /// # Errors
    /// Returns an error if the op is not directly in the table's op, or has no name.
    pub fn insert(&mut self, symbol: Operation<'c>) -> Result<String, BuildError> {
        let name = self.name_in(symbol)?;
        if self.lookup(name) == Some(symbol) {
            return Ok(name.to_owned());
        }
        let unused = self.unused(name);
        if unused != name {
            set_name(symbol, &unused);
        }
        self.symbols.insert(unused.clone(), symbol);
        Ok(unused)
    }

    /// Renames a symbol and all its uses, to a similar name if the given one is taken. Returns the
    /// name.
    ///
    /// # Errors
    /// Returns an error if the op is not a symbol of the table, or ops of unknown dialects may hide
    /// uses.
    pub fn rename(&mut self, symbol: Operation<'c>, to: &str) -> Result<String, BuildError> {
        let from = self.name_in(symbol)?.to_owned();
        if from == to {
            return Ok(from);
        }
        let unused = self.unused(to);
        if graveyard::is_read_only() {
            return Err(BuildError::because(
                "this function can only read the program",
            ));
        }
        // SAFETY: The symbol is a named op directly in the table's op.
        let replaced = unsafe {
            haloReplaceSymbolUses(
                symbol.to_raw(),
                StringRef::new(&unused).to_raw(),
                self.operation.to_raw(),
            )
        };
        if !replaced {
            return Err(hidden(&from));
        }
        set_name(symbol, &unused);
        self.symbols.remove(&from);
        self.symbols.insert(unused.clone(), symbol);
        Ok(unused)
    }

    /// Unlinks a symbol without uses.
    ///
    /// # Errors
    /// Returns an error if the op is not a symbol of the table, or has uses, or ops of unknown
    /// dialects may hide some.
    pub fn erase(&mut self, symbol: Operation<'c>) -> Result<(), BuildError> {
        let name = self.name_in(symbol)?.to_owned();
        if let Some(user) = self.uses(symbol)?.first() {
            return Err(BuildError::because(format!(
                "symbol '{name}' cannot be erased: '{}' uses it",
                (*user).name()
            )));
        }
        with_builder(symbol, |b| b.try_erase(symbol))?;
        self.symbols.remove(&name);
        Ok(())
    }

    /// The ops within the table's op that refer to a symbol, one for each reference.
    ///
    /// # Errors
    /// Returns an error if the op is not a symbol of the table, or ops of unknown dialects may hide
    /// uses.
    pub fn uses(&self, symbol: Operation<'c>) -> Result<Vec<Operation<'c>>, BuildError> {
        extern "C" fn append(user: MlirOperation, data: *mut c_void) {
            // SAFETY: The data is the vector below.
            unsafe { (*data.cast::<Vec<MlirOperation>>()).push(user) }
        }
        let name = self.name_in(symbol)?;
        let mut users: Vec<MlirOperation> = Vec::new();
        // SAFETY: The symbol is a named op directly in the table's op; the callback gets the vector
        // that it expects.
        let known = unsafe {
            haloForEachSymbolUse(
                symbol.to_raw(),
                self.operation.to_raw(),
                append,
                (&raw mut users).cast(),
            )
        };
        if known {
            // SAFETY: The users are ops of the program.
            Ok(users.into_iter().map(|user| unsafe { Operation::from_raw(user) }).collect())
        } else {
            Err(hidden(name))
        }
    }

    /// The name of a symbol of the table.
    fn name_in(&self, symbol: Operation<'c>) -> Result<&'c str, BuildError> {
        match symbol_name(symbol) {
            Some(name) if self.holds(symbol) => Ok(name),
            _ => Err(BuildError::because(format!(
                "'{}' op is not a symbol of the table: it has no name, was erased or is \
                 elsewhere",
                symbol.name()
            ))),
        }
    }
}

fn set_name(symbol: Operation, name: &str) {
    symbol.set_attribute(NAME, string_attribute(symbol.context(), name));
}

fn hidden(name: &str) -> BuildError {
    BuildError::because(format!(
        "the uses of symbol '{name}' are unknown: ops that are not registered may be symbol \
         tables"
    ))
}

/// The names of the symbols in an op, and of the symbols that a pass adds.
#[derive(Clone, Debug, Default)]
pub struct SymbolNames {
    used: HashSet<String>,
    /// The next number to try, by prefix.
    next: HashMap<String, usize>,
}

impl SymbolNames {
    /// The names of all symbols in an op.
    pub fn of(operation: Operation) -> Self {
        let symbols = operation.collect_nested(|op| op.has_attribute(NAME));
        let names = symbols.into_iter().filter_map(symbol_name);
        Self {
            used: names.map(str::to_owned).collect(),
            next: HashMap::new(),
        }
    }

    /// Adds a name; returns true if it was unused.
    pub fn claim(&mut self, name: &str) -> bool {
        self.used.insert(name.to_owned())
    }

    /// Adds an unused name: `prefix` and a number.
    pub fn fresh(&mut self, prefix: &str) -> String {
        let next = self.next.entry(prefix.to_owned()).or_default();
        loop {
            let name = format!("{prefix}{next}");
            *next += 1;
            if self.used.insert(name.clone()) {
                return name;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fresh_names_are_numbered_and_unused() {
        let mut names = SymbolNames::default();
        assert!(names.claim("f_kernel_1"));
        assert!(!names.claim("f_kernel_1"));
        let fresh: Vec<String> = (0..3).map(|_| names.fresh("f_kernel_")).collect();
        assert_eq!(fresh, ["f_kernel_0", "f_kernel_2", "f_kernel_3"]);
        assert_eq!(names.fresh("g_kernel_"), "g_kernel_0");
        assert!(!names.claim("f_kernel_3"));
    }
}
