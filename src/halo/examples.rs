//! Programs by task, which show how each item of [`ir`](crate::ir) and of this crate is
//! used. Tests run them, and examples in the documentation of the items show the rest.
//!
//! | task | program |
//! |---|---|
//! | read a program, and find the definitions of values | [`read`] |
//! | walk, look at dominance and symbols | [`structure`] |
//! | make types, and read their parts | [`types`] |
//! | make attributes and constants, and read them | [`attributes`], [`stablehlo`] |
//! | build ops | [`build`] |
//! | change ops, blocks and regions in place | [`edit`] |
//! | rewrite by patterns | [`patterns`] |
//! | write passes with options and statistics | [`passes`] |
//! | compose passes to pipelines | [`pipelines`] |
//! | convert between dialects | [`conversions`] |
//! | declare a dialect | [`dialects`] |
//! | report errors, and read locations | [`diagnostics`] |
//! | read a custom format | [`untrusted`] |
//! | add to tools | [`translations`] |

macro_rules! programs {
    ($($(#[$summary:meta])* $name:ident),* $(,)?) => {
        $(
            $(#[$summary])*
            ///
            /// ```
            #[doc = include_str!(concat!("tests/examples/", stringify!($name), ".rs"))]
            /// ```
            pub mod $name {}
        )*
    };
}

programs! {
    /// Attributes and constants.
    attributes,
    /// Ops by builders.
    build,
    /// A conversion between dialects, with a conversion of types.
    conversions,
    /// Errors with locations.
    diagnostics,
    /// A dialect in Rust.
    dialects,
    /// Changes in place.
    edit,
    /// Passes with options and statistics.
    passes,
    /// Rewrite patterns.
    patterns,
    /// Pipelines as data.
    pipelines,
    /// Questions to a program.
    read,
    /// The attributes of StableHLO.
    stablehlo,
    /// Walks, dominance and symbols.
    structure,
    /// The extensions that a plug-in adds to tools.
    translations,
    /// Types.
    types,
    /// Types and attributes from untrusted bytes.
    untrusted,
}
