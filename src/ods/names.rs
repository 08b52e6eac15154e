//! Rust names for the names of ODS.

/// `lowerBound`, `mma.sync` as `lower_bound`, `mma_sync`; keywords get a `_`.
pub fn snake(name: &str) -> String {
    let characters: Vec<char> = name.chars().collect();
    let mut result = String::new();
    for (index, character) in characters.iter().enumerate() {
        if !character.is_ascii_alphanumeric() {
            if !result.ends_with('_') {
                result.push('_');
            }
            continue;
        }
        let after_lower = index > 0 && {
            let before = characters[index - 1];
            before.is_ascii_lowercase() || before.is_ascii_digit()
        };
        // The last capital of a row begins a word: `numDPSInits`.
        let before_lower = index > 0
            && characters[index - 1].is_ascii_uppercase()
            && characters.get(index + 1).is_some_and(char::is_ascii_lowercase);
        if character.is_ascii_uppercase() && (after_lower || before_lower) && !result.ends_with('_')
        {
            result.push('_');
        }
        result.push(character.to_ascii_lowercase());
    }
    without_keyword(&result)
}

/// `add_i`, `NON_TRANSPOSE`, `slt` as `AddI`, `NonTranspose`, `Slt`.
pub fn camel(name: &str) -> String {
    let mut result = String::new();
    for word in name.split(|character: char| !character.is_ascii_alphanumeric()) {
        let mut characters = word.chars();
        let Some(first) = characters.next() else {
            continue;
        };
        let rest = characters.as_str();
        result.push(first.to_ascii_uppercase());
        if word.chars().any(|character| character.is_ascii_lowercase()) {
            result.push_str(rest);
        } else {
            result.push_str(&rest.to_ascii_lowercase());
        }
    }
    if result.starts_with(|character: char| character.is_ascii_digit()) {
        result.insert(0, '_');
    }
    without_keyword(&result)
}

/// A name in capitals, for constants.
pub fn upper(name: &str) -> String {
    snake(name).trim_end_matches('_').to_ascii_uppercase()
}

/// The class of an op: the name of its record without the prefix of its dialect.
pub fn class(record: &str) -> &str {
    match record.split_once('_') {
        Some((prefix, class)) if !prefix.is_empty() && !class.is_empty() => class,
        _ => record,
    }
}

fn without_keyword(name: &str) -> String {
    const KEYWORDS: [&str; 52] = [
        "Self", "abstract", "as", "async", "await", "become", "box", "break", "const", "continue",
        "crate", "do", "dyn", "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if",
        "impl", "in", "let", "loop", "macro", "match", "mod", "move", "mut", "override", "priv",
        "pub", "ref", "return", "self", "static", "struct", "super", "trait", "true", "try",
        "type", "typeof", "unsafe", "unsized", "use", "virtual", "where", "while", "yield",
    ];
    if KEYWORDS.contains(&name) {
        format!("{name}_")
    } else {
        name.to_owned()
    }
}
