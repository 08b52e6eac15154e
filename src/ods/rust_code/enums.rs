//! The Rust of an enum.

use super::push;
use crate::model::Enum;

/// Appends an enum.
pub fn write(text: &mut String, found: &Enum) {
    let name = &found.name;
    push(text, format_args!("\n#[doc = {:?}]\n", found.summary));
    if found.is_bits {
        push(
            text,
            format_args!(
                "#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]\n\
                 pub struct {name}(u64);\n\
                 impl {name} {{\n"
            ),
        );
        for case in &found.cases {
            push(
                text,
                format_args!(
                    "    #[doc = {:?}]\n    pub const {}: Self = Self({});\n",
                    case.text, case.name, case.value
                ),
            );
        }
        push(
            text,
            format_args!(
                "    /// Whether all bits of the other value are set.\n    \
                 pub const fn contains(self, other: Self) -> bool {{ self.0 & other.0 == other.0 }}\n\
                 }}\n\
                 impl std::ops::BitOr for {name} {{\n    \
                 type Output = Self;\n    \
                 fn bitor(self, other: Self) -> Self {{ Self(self.0 | other.0) }}\n\
                 }}\n\
                 impl Enumeration for {name} {{\n    \
                 const CASES: &'static [(&'static str, u64)] = &[];\n    \
                 fn number(self) -> u64 {{ self.0 }}\n    \
                 fn from_number(number: u64) -> Option<Self> {{ Some(Self(number)) }}\n\
                 }}\n"
            ),
        );
        return;
    }
    push(
        text,
        format_args!("#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]\npub enum {name} {{\n"),
    );
    for case in &found.cases {
        push(
            text,
            format_args!(
                "    #[doc = {:?}]\n    {} = {},\n",
                case.text, case.name, case.value
            ),
        );
    }
    push(
        text,
        format_args!(
            "}}\nimpl {name} {{\n    \
             /// All cases.\n    \
             pub const ALL: &'static [Self] = &["
        ),
    );
    for case in &found.cases {
        push(text, format_args!("Self::{}, ", case.name));
    }
    text.push_str(
        "];\n    /// The case as programs spell it.\n    \
         pub const fn as_str(self) -> &'static str {\n        match self {\n",
    );
    for case in &found.cases {
        push(
            text,
            format_args!("            Self::{} => {:?},\n", case.name, case.text),
        );
    }
    push(
        text,
        format_args!(
            "        }}\n    }}\n}}\n\
             impl Enumeration for {name} {{\n    \
             const CASES: &'static [(&'static str, u64)] = &["
        ),
    );
    for case in &found.cases {
        push(text, format_args!("({:?}, {}), ", case.text, case.value));
    }
    push(
        text,
        format_args!(
            "];\n    \
             fn number(self) -> u64 {{ self as u64 }}\n    \
             fn from_number(number: u64) -> Option<Self> {{\n        \
             Self::ALL.iter().copied().find(|case| case.number() == number)\n    }}\n\
             }}\n"
        ),
    );
}
