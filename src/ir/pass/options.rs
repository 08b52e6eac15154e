//! Options of passes as values of Rust's types.
//!
//! MLIR parses the options of a pipeline as text. [`pass_options!`](crate::pass_options) declares
//! them as the fields of a struct, which defines both the table for help and pipelines, and the
//! struct that the pass reads. A text that is not a value of its type is an error when the pipeline
//! is parsed.
//!
//! ```
//! use halo_ir::{pass::{PassDeclaration, PassOptions}, pass_options};
//!
//! pass_options! {
//!     /// Which loops are unrolled.
//!     pub enum Loops { All = "all", Innermost = "innermost" }
//!
//!     /// The options of `unroll-loops`.
//!     pub struct UnrollOptions {
//!         /// The number of copies of a body
//!         #[range(1..=64)]
//!         factor: i64 = 4,
//!         /// Which loops are unrolled
//!         loops: Loops = "all",
//!         /// Functions that are left as they are, separated by commas
//!         except_in: Vec<String> = "",
//!     }
//! }
//!
//! static UNROLL: PassDeclaration =
//!     PassDeclaration::new("unroll-loops", "Unroll loops of few iterations", |pass| {
//!         let options = pass.options::<UnrollOptions>();
//!         assert!((1..=64).contains(&options.factor));
//!         Ok(())
//!     })
//!     .options::<UnrollOptions>();
//!
//! assert_eq!(UNROLL.options[2].name, "except-in");
//! let options = UnrollOptions::parse(&["8", "innermost", "f, g"]).unwrap();
//! assert_eq!((options.factor, options.loops), (8, Loops::Innermost));
//! assert_eq!(options.except_in, ["f", "g"]);
//! assert!(UnrollOptions::parse(&["65", "all", ""]).is_none());
//! assert_eq!(
//!     UNROLL.options[0].check("unroll-loops", "65"),
//!     Err("option 'factor' of pass 'unroll-loops' is an integer from 1 to 64, not '65'".into()),
//! );
//! ```

use halo_core::machine::{GPU_NAMES, Gpu, Machine};
use std::{fmt, ops::RangeInclusive};

/// The type of an option's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OptionKind {
    /// `true` or `false`; the name alone is `true`.
    Bool,
    /// An integer of a range.
    Integer {
        /// The least one.
        min: i64,
        /// The greatest one.
        max: i64,
    },
    /// A number, not necessarily an integer.
    Float,
    /// Any text.
    String,
    /// One of these words.
    Words(&'static [&'static str]),
    /// A machine model, as [`Machine`] is written.
    Machine,
    /// Values of a kind, separated by commas.
    List(&'static OptionKind),
}

impl OptionKind {
    /// Any integer.
    pub const INTEGER: Self = Self::Integer {
        min: i64::MIN,
        max: i64::MAX,
    };

    /// Restricts an integer option to a range. It does not compile for an option of another kind.
    #[must_use]
    pub const fn within(self, range: RangeInclusive<i64>) -> Self {
        let Self::Integer { min, max } = self else {
            panic!("only an integer has a range");
        };
        assert!(
            min <= *range.start() && *range.start() <= *range.end() && *range.end() <= max,
            "the range is empty, or wider than the type"
        );
        Self::Integer {
            min: *range.start(),
            max: *range.end(),
        }
    }

    /// Returns true if a text is a value of this kind.
    pub fn accepts(self, text: &str) -> bool {
        match self {
            Self::Bool => bool::parse(text).is_some(),
            Self::Integer { min, max } => {
                i64::parse(text).is_some_and(|number| (min..=max).contains(&number))
            }
            Self::Float => f64::parse(text).is_some(),
            Self::String => true,
            Self::Words(words) => words.contains(&text),
            Self::Machine => Machine::parse(text).is_some(),
            Self::List(element) => elements(text).all(|text| element.accepts(text)),
        }
    }

    /// The placeholder of the value in help: `integer`, or `all|innermost`.
    pub fn value_name(self) -> String {
        match self {
            Self::Bool => "bool".to_owned(),
            Self::Integer { .. } => "integer".to_owned(),
            Self::Float => "number".to_owned(),
            Self::String => "string".to_owned(),
            Self::Words(words) => words.join("|"),
            Self::Machine => "machine".to_owned(),
            Self::List(element) => format!("{},...", element.value_name()),
        }
    }
}

impl fmt::Display for OptionKind {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        match *self {
            Self::Bool => formatter.write_str("a bool"),
            Self::INTEGER => formatter.write_str("an integer"),
            Self::Integer { min, max: i64::MAX } => write!(formatter, "an integer from {min} on"),
            Self::Integer { min, max } => write!(formatter, "an integer from {min} to {max}"),
            Self::Float => formatter.write_str("a number"),
            Self::String => formatter.write_str("a string"),
            Self::Words(words) => write!(formatter, "'{}'", words.join("' or '")),
            Self::Machine => formatter.write_str("a machine such as 'znver4:cores=16'"),
            Self::List(element) => write!(formatter, "a list, each element of it {element}"),
        }
    }
}

/// One option of a pass, written `{name=value}` in a pipeline.
#[derive(Clone, Copy, Debug)]
pub struct PassOption {
    /// The name in a pipeline, with hyphens between words.
    pub name: &'static str,
    /// One line for `--help`.
    pub description: &'static str,
    /// The text of the default value.
    pub default: &'static str,
    /// The type of the value.
    pub kind: OptionKind,
}

impl PassOption {
    /// Checks that a text is a value of this option of a pass.
    ///
    /// # Errors
    /// Returns an error message that names the pass, the option and the text.
    pub fn check(&self, pass: &str, text: &str) -> Result<(), String> {
        if self.kind.accepts(text) {
            Ok(())
        } else {
            Err(self.mismatch(pass, &text))
        }
    }

    /// The message about an invalid value of this option.
    pub(crate) fn mismatch(&self, pass: &str, value: &dyn fmt::Display) -> String {
        format!(
            "option '{}' of pass '{pass}' is {}, not '{value}'",
            self.name, self.kind
        )
    }
}

/// A type that an option of a pass may have.
pub trait OptionType: Sized {
    /// The values of the type.
    const KIND: OptionKind;

    /// Parses a text; `None` if it is invalid.
    fn parse(text: &str) -> Option<Self>;
}

impl OptionType for bool {
    const KIND: OptionKind = OptionKind::Bool;

    fn parse(text: &str) -> Option<Self> {
        match text {
            "" | "true" | "TRUE" | "True" | "1" => Some(true),
            "false" | "FALSE" | "False" | "0" => Some(false),
            _ => None,
        }
    }
}

impl OptionType for i64 {
    const KIND: OptionKind = OptionKind::INTEGER;

    fn parse(text: &str) -> Option<Self> {
        let (sign, digits) = match text.strip_prefix('-') {
            Some(digits) => ("-", digits),
            None => ("", text),
        };
        match digits.strip_prefix("0x") {
            Some(digits) if digits.starts_with(|first: char| first.is_ascii_hexdigit()) => {
                Self::from_str_radix(&format!("{sign}{digits}"), 16).ok()
            }
            Some(_) => None,
            None => text.parse().ok(),
        }
    }
}

macro_rules! integers {
    ($($integer:ident up to $max:expr),*) => {
        $(impl OptionType for $integer {
            const KIND: OptionKind = OptionKind::INTEGER.within(0..=$max);

            fn parse(text: &str) -> Option<Self> {
                i64::parse(text)?.try_into().ok()
            }
        })*
    };
}

integers! { u32 up to u32::MAX as i64, u64 up to i64::MAX, usize up to i64::MAX }

impl OptionType for f64 {
    const KIND: OptionKind = OptionKind::Float;

    fn parse(text: &str) -> Option<Self> {
        text.parse().ok()
    }
}

impl OptionType for String {
    const KIND: OptionKind = OptionKind::String;

    fn parse(text: &str) -> Option<Self> {
        Some(text.to_owned())
    }
}

impl OptionType for Machine {
    const KIND: OptionKind = OptionKind::Machine;

    fn parse(text: &str) -> Option<Self> {
        Self::parse(text)
    }
}

impl OptionType for Gpu {
    const KIND: OptionKind = OptionKind::Words(GPU_NAMES);

    fn parse(text: &str) -> Option<Self> {
        Self::parse(text)
    }
}

impl<T: OptionType> OptionType for Vec<T> {
    const KIND: OptionKind = OptionKind::List(&T::KIND);

    fn parse(text: &str) -> Option<Self> {
        elements(text).map(T::parse).collect()
    }
}

/// The elements of a list; none for an empty text.
fn elements(text: &str) -> impl Iterator<Item = &str> {
    let count = if text.trim().is_empty() {
        0
    } else {
        usize::MAX
    };
    text.split(',').map(str::trim).take(count)
}

/// The options of a pass, which [`pass_options!`](crate::pass_options) declares.
pub trait PassOptions: Sized {
    /// The table of the options.
    const DECLARED: &'static [PassOption];

    /// Parses texts, one for each option; `None` if one is invalid.
    fn parse(texts: &[&str]) -> Option<Self>;
}

/// Declares the options of a pass as a struct, and the enumerations among them; [`PassOptions`] and
/// the module of [`OptionKind`] have examples.
///
/// A field has a documentation, which is the description, a type that is an [`OptionType`], and a
/// literal whose text is the default. The option's name is the field's with hyphens, or the name in
/// `#[name = "..."]`; `#[range(1..=64)]` bounds an integer. A variant of an enumeration has a name.
#[macro_export]
macro_rules! pass_options {
    () => {};
    (
        $(#[$meta:meta])* $vis:vis enum $name:ident {
            $($(#[$variant_meta:meta])* $variant:ident = $word:literal),+ $(,)?
        }
        $($rest:tt)*
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        $vis enum $name {
            $(
                $(#[$variant_meta])*
                #[doc = concat!("`", $word, "`.")]
                $variant
            ),+
        }

        impl $name {
            /// The word for the value.
            #[allow(dead_code)]
            $vis const fn word(self) -> &'static str {
                match self {
                    $(Self::$variant => $word),+
                }
            }
        }

        impl $crate::pass::OptionType for $name {
            const KIND: $crate::pass::OptionKind =
                $crate::pass::OptionKind::Words(&[$($word),+]);

            fn parse(text: &str) -> ::core::option::Option<Self> {
                match text {
                    $($word => ::core::option::Option::Some(Self::$variant),)+
                    _ => ::core::option::Option::None,
                }
            }
        }

        impl ::core::convert::From<$name> for $crate::pipeline::OptionValue {
            fn from(value: $name) -> Self {
                Self::from(value.word())
            }
        }

        $crate::pass_options! { $($rest)* }
    };
    (
        $(#[$meta:meta])* $vis:vis struct $name:ident {
            $(
                $(#[doc = $doc:literal])+
                $(#[name = $given:literal])?
                $(#[range($range:expr)])?
                $field:ident: $type:ty = $default:literal
            ),* $(,)?
        }
        $($rest:tt)*
    ) => {
        $(#[$meta])*
        #[derive(Clone, Debug)]
        $vis struct $name {
            $($(#[doc = $doc])+ pub $field: $type),*
        }

        impl $crate::pass::PassOptions for $name {
            const DECLARED: &'static [$crate::pass::PassOption] = &[
                $($crate::pass::PassOption {
                    name: $crate::pass_options!(@name $field $($given)?),
                    description: concat!($($doc),+).trim_ascii(),
                    default: concat!($default),
                    kind: <$type as $crate::pass::OptionType>::KIND $(.within($range))?,
                }),*
            ];

            #[allow(unused_variables, unused_mut)]
            fn parse(texts: &[&str]) -> ::core::option::Option<Self> {
                let mut declared = Self::DECLARED.iter().zip(texts);
                ::core::option::Option::Some(Self {
                    $($field: {
                        let (option, text) = declared.next()?;
                        if option.kind.accepts(text) {
<$type as $crate::pass::OptionType>::parse(text)?
} else {
return ::core::option::Option::None
}
                    }),*
                })
            }
        }

        impl ::core::default::Default for $name {
            fn default() -> Self {
                $crate::pass::default_options()
            }
        }

        $crate::pass_options! { $($rest)* }
    };
    (@name $field:ident $given:literal) => {
        $given
    };
    (@name $field:ident) => {{
        const NAME: &str = stringify!($field);
        const BYTES: [u8; NAME.len()] = $crate::pass::hyphenated(NAME);
        match ::core::str::from_utf8(&BYTES) {
            ::core::result::Result::Ok(name) => name,
            ::core::result::Result::Err(_) => panic!("the name of a field is ASCII"),
        }
    }};
}

/// A name with hyphens in the place of underscores.
#[doc(hidden)]
pub const fn hyphenated<const N: usize>(name: &str) -> [u8; N] {
    let mut bytes = [0; N];
    let mut index = 0;
    while index < N {
        bytes[index] = match name.as_bytes()[index] {
            b'_' => b'-',
            byte => byte,
        };
        index += 1;
    }
    bytes
}

/// The default options of a pass.
#[doc(hidden)]
pub fn default_options<O: PassOptions>() -> O {
    let texts: Vec<&str> = O::DECLARED.iter().map(|option| option.default).collect();
    O::parse(&texts).unwrap_or_else(|| {
        let wrong = O::DECLARED.iter().find(|option| !option.kind.accepts(option.default));
        let wrong = wrong.map_or(std::any::type_name::<O>(), |option| option.name);
        panic!("the default of option '{wrong}' is not one of its values")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    pass_options! {
        enum Mode { Fast = "fast", Small = "small-code" }

        struct All {
            /// A flag
            #[name = "useIt"]
            use_it: bool = true,
            /// A number,
            /// on two lines
            #[range(-2..=3)]
            in_range: i64 = -1,
            /// A ratio
            ratio: f64 = 0.5,
            /// A mode
            mode: Mode = "small-code",
            /// Modes
            modes: Vec<Mode> = "fast,small-code",
            /// Numbers
            numbers: Vec<u32> = "",
            /// A text
            text: String = "a b",
        }

        struct None {}
    }

    #[test]
    fn declared_as_the_fields() {
        let names: Vec<&str> = All::DECLARED.iter().map(|option| option.name).collect();
        let expected = [
            "useIt", "in-range", "ratio", "mode", "modes", "numbers", "text",
        ];
        assert_eq!(names, expected);
        assert_eq!(All::DECLARED[1].description, "A number, on two lines");
        assert_eq!(All::DECLARED[1].default, "-1");
        assert!(None::DECLARED.is_empty());
        assert!(None::parse(&[]).is_some());
    }

    #[test]
    fn defaults_are_values() {
        let all = All::default();
        assert!(all.use_it);
        assert_eq!((all.in_range, all.ratio, all.mode), (-1, 0.5, Mode::Small));
        assert_eq!(all.modes, [Mode::Fast, Mode::Small]);
        assert_eq!((all.numbers, all.text), (vec![], "a b".to_owned()));
    }

    #[test]
    fn texts_that_are_no_values() {
        let kinds = [
            (bool::KIND, "yes", "a bool"),
            (i64::KIND, "seven", "an integer"),
            (i64::KIND, "9223372036854775808", "an integer"),
            (i64::KIND, "0x", "an integer"),
            (i64::KIND, "0x-1", "an integer"),
            (i64::KIND, "", "an integer"),
            (i64::KIND.within(1..=2), "0", "an integer from 1 to 2"),
            (u64::KIND, "-1", "an integer from 0 on"),
            (u32::KIND, "4294967296", "an integer from 0 to 4294967295"),
            (f64::KIND, "1,5", "a number"),
            (Mode::KIND, "Fast", "'fast' or 'small-code'"),
            (
                Machine::KIND,
                "znver4:cores=0",
                "a machine such as 'znver4:cores=16'",
            ),
            (
                <Vec<u32>>::KIND,
                "1,,2",
                "a list, each element of it an integer from 0 to 4294967295",
            ),
        ];
        for (kind, text, name) in kinds {
            assert!(!kind.accepts(text), "{kind}: {text}");
            assert_eq!(kind.to_string(), name);
        }
        for (kind, text) in [
            (i64::KIND, "-0x10"),
            (i64::KIND, "-9223372036854775808"),
            (f64::KIND, "-1.5e3"),
            (bool::KIND, ""),
            (<Vec<Mode>>::KIND, " fast , small-code "),
            (String::KIND, "\0"),
        ] {
            assert!(kind.accepts(text), "{kind}: {text}");
        }
        assert_eq!(i64::parse("-0x10"), Some(-16));
    }
}
