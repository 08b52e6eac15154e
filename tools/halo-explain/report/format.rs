//! Numbers and names as text, with the digits of `halo-run --profile=summary`.

/// The number of milliseconds.
pub fn milliseconds(seconds: f64) -> String {
    format!("{:.3}", seconds * 1e3)
}

/// A time with a unit.
pub fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 1e-3 => format!("{:.2} us", s * 1e6),
        s if s < 1.0 => format!("{:.3} ms", s * 1e3),
        s => format!("{s:.3} s"),
    }
}

/// A number of bytes with a unit.
pub fn size(bytes: u64) -> String {
    let value = bytes as f64;
    match bytes {
        0..1_000 => format!("{bytes} B"),
        1_000..1_000_000 => format!("{:.2} kB", value / 1e3),
        1_000_000..1_000_000_000 => format!("{:.2} MB", value / 1e6),
        _ => format!("{:.2} GB", value / 1e9),
    }
}

/// A part of a whole in percent.
pub fn percent(part: f64, whole: f64) -> String {
    format!("{:.1}%", part / whole.max(1e-12) * 100.0)
}

/// A number with two digits after the point.
pub fn fixed(value: f64) -> String {
    format!("{value:.2}")
}

/// The number with its noun.
pub fn plural(number: usize, noun: &str) -> String {
    match number {
        1 => format!("1 {noun}"),
        _ if noun.ends_with('s') => format!("{number} {noun}es"),
        _ => format!("{number} {noun}s"),
    }
}

/// The name of an op without its dialect, if that is StableHLO.
pub fn short(name: &str) -> &str {
    name.strip_prefix("stablehlo.").unwrap_or(name)
}

/// A pass without the op that it runs on: `func.func(cse)` is `cse`.
pub fn pass(name: &str) -> &str {
    let mut name = name;
    while let Some((op, inner)) = name.split_once('(')
        && let Some(inner) = inner.strip_suffix(')')
        && op.chars().all(|letter| letter.is_alphanumeric() || "._".contains(letter))
    {
        name = inner;
    }
    name
}

/// The last part of a path.
pub fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// `3:8` for a location in the program, which is a path, and other locations as they are.
pub fn place(program: &str, location: &str) -> String {
    let inside = location.strip_prefix(program);
    let inside = inside.and_then(|rest| rest.strip_prefix(':'));
    plain(inside.unwrap_or(location))
}

/// A text without control characters.
pub fn plain(text: &str) -> String {
    text.replace(char::is_control, "?")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_suit_the_number() {
        assert_eq!(
            [999, 1_000, 3_145_728, 2_000_000_000].map(size),
            ["999 B", "1.00 kB", "3.15 MB", "2.00 GB"]
        );
        assert_eq!(
            [2e-6, 0.5, 90.0].map(duration),
            ["2.00 us", "500.000 ms", "90.000 s"]
        );
        assert_eq!(percent(0.412, 1.0), "41.2%");
        assert_eq!(plural(1, "op"), "1 op");
        assert_eq!(plural(0, "pass"), "0 passes");
    }

    #[test]
    fn names_are_short_and_plain() {
        assert_eq!(short("chlo.erf"), "chlo.erf");
        assert_eq!(pass("gpu.module(gpu.func(cse{a=1}))"), "cse{a=1}");
        assert_eq!(pass("a{b=(c)}"), "a{b=(c)}");
        assert_eq!(plain("a\u{1b}[31m\nb"), "a?[31m?b");
        assert_eq!(place("/a/b.mlir", "/a/b.mlir:3:4"), "3:4");
        assert_eq!(place("/a/b.mlir", "/a/b.mlir2:3:4"), "/a/b.mlir2:3:4");
    }
}
