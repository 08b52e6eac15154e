//! Options of the import.

/// The import of `fusion` instructions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Fusions {
    /// Calls of private functions.
    #[default]
    Calls,
    /// The ops of the fused computation, inlined.
    Inline,
}

/// Options of the import.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ImportOptions {
    pub fusions: Fusions,
    /// Whether functions take and return the elements of tuples, rather than values of tuple type.
    pub flatten: bool,
    /// Whether computations that became regions are also functions.
    pub all_computations: bool,
}

impl Default for ImportOptions {
    fn default() -> Self {
        Self {
            fusions: Fusions::default(),
            flatten: true,
            all_computations: false,
        }
    }
}
