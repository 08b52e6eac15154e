//! Names of values as identifiers of C and Rust.

/// Words that C, C++ or Rust keep for themselves, in lower case.
const KEYWORDS: &str = "abstract alignas alignof and and_eq arena arguments as asm async auto \
    await become bitand bitor bool box break case catch char class co_await co_return co_yield \
    compl concept const const_cast constants consteval constexpr constinit continue crate decltype \
    default delete do double dyn dynamic_cast else enum explicit export extern false final float fn for \
    friend gen goto if impl import in inline int let long loop macro match mod module move mut \
    mutable namespace new noexcept not not_eq null nullptr operator or or_eq override priv \
    private protected pub public ref register reinterpret_cast requires restrict return self \
    short signed sizeof static static_assert static_cast struct super switch template this \
    thread_local throw trait true try type typedef typeid typename typeof union unsafe unsigned \
    unsized use using virtual void volatile wchar_t where while xor xor_eq yield";

/// Returns true if a text can be the prefix of the names of a program.
pub fn is_identifier(text: &str) -> bool {
    let mut characters = text.chars();
    let starts = |first: char| first == '_' || first.is_ascii_alphabetic();
    characters.next().is_some_and(starts)
        && characters.all(|other| other == '_' || other.is_ascii_alphanumeric())
        && !KEYWORDS.split_whitespace().any(|word| word == text)
}

/// Converts a text to an identifier; `None` if it has no letter or digit: `result['loss']` becomes
/// `result_loss`.
pub fn identifier(text: &str) -> Option<String> {
    let words = text.split(|other: char| !other.is_ascii_alphanumeric());
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    let joined = words.join("_");
    let first = joined.chars().next()?;
    let is_taken = KEYWORDS.split_whitespace().any(|word| word.eq_ignore_ascii_case(&joined));
    Some(match (first.is_ascii_digit(), is_taken) {
        (true, _) => format!("_{joined}"),
        (false, true) => format!("{joined}_"),
        (false, false) => joined,
    })
}

/// Identifiers of a program's inputs and outputs, which differ in more than case. A value without a
/// name is called by its position.
pub fn identifiers(
    inputs: &[Option<String>],
    outputs: &[Option<String>],
) -> (Vec<String>, Vec<String>) {
    let mut taken: Vec<String> = Vec::new();
    let mut unique = |base: String| {
        let numbered = (2..).map(|number| format!("{base}_{number}"));
        let mut candidates = std::iter::once(base.clone()).chain(numbered);
        let is_free = |name: &String| !taken.contains(&name.to_lowercase());
        let chosen = candidates.find(is_free).unwrap_or(base);
        taken.push(chosen.to_lowercase());
        chosen
    };
    let mut named = |names: &[Option<String>], word: &str, is_counted: bool| -> Vec<String> {
        let values = names.iter().enumerate().map(|(index, name)| {
            let name = name.as_deref().and_then(identifier);
            unique(name.unwrap_or_else(|| {
                if is_counted {
                    format!("{word}{index}")
                } else {
                    word.to_owned()
                }
            }))
        });
        values.collect()
    };
    let inputs = named(inputs, "input", true);
    let outputs = named(outputs, "output", outputs.len() != 1);
    (inputs, outputs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_become_identifiers() {
        let cases = [
            ("images", Some("images")),
            ("result['loss']", Some("result_loss")),
            ("params[0].w", Some("params_0_w")),
            ("0", Some("_0")),
            ("Class", Some("Class_")),
            ("type", Some("type_")),
            ("größe", Some("gr_e")),
            ("[]", None),
        ];
        for (text, expected) in cases {
            assert_eq!(identifier(text).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn names_are_unique() {
        let names = |names: &[&str]| -> Vec<Option<String>> {
            let known = |name: &&str| (!name.is_empty()).then(|| (*name).to_owned());
            names.iter().map(known).collect()
        };
        let (inputs, outputs) = identifiers(&names(&["x", "X", "", "x_2"]), &names(&["x"]));
        assert_eq!(inputs, ["x", "X_2", "input2", "x_2_2"]);
        assert_eq!(outputs, ["x_3"]);
        let (_, outputs) = identifiers(&[], &names(&[""]));
        assert_eq!(outputs, ["output"]);
    }

    #[test]
    fn prefixes_are_identifiers() {
        for good in ["mlp", "_x", "a1"] {
            assert!(is_identifier(good), "{good}");
        }
        for bad in ["", "1a", "a-b", "int", "a b", "ä"] {
            assert!(!is_identifier(bad), "{bad}");
        }
    }
}
