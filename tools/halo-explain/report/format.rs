//! Numbers as the tools print them: `halo-run --profile=summary` has the same digits.

/// Milliseconds of a time in seconds.
pub fn milliseconds(seconds: f64) -> String {
    format!("{:.3}", seconds * 1e3)
}

/// Microseconds of a time in seconds.
pub fn microseconds(seconds: f64) -> String {
    format!("{:.2}", seconds * 1e6)
}

/// The part of a whole in percent.
pub fn share(part: f64, whole: f64) -> String {
    format!("{:.1}%", part / whole.max(1e-9) * 100.0)
}

/// Millions, or thousands of millions of what is given.
pub fn mega(value: f64) -> String {
    format!("{:.2}", value / 1e6)
}

pub fn giga(value: f64) -> String {
    format!("{:.2}", value / 1e9)
}

/// Millions where there are some, or else all digits.
pub fn operations(number: f64) -> String {
    match number >= 1e6 {
        true => format!("{} M", mega(number)),
        false => count(number as u64),
    }
}

/// A time in seconds with a unit that suits it.
pub fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 1e-3 => format!("{:.2} us", s * 1e6),
        s if s < 1.0 => format!("{:.3} ms", s * 1e3),
        s => format!("{s:.3} s"),
    }
}

/// A number of bytes with a unit that suits it.
pub fn size(bytes: u64) -> String {
    let value = bytes as f64;
    match bytes {
        0..1_000 => format!("{bytes} B"),
        1_000..1_000_000 => format!("{:.2} kB", value / 1e3),
        1_000_000..1_000_000_000 => format!("{:.2} MB", value / 1e6),
        _ => format!("{:.2} GB", value / 1e9),
    }
}

/// A number with the digits in threes.
pub fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push('\u{202f}');
        }
        text.push(digit);
    }
    text
}

/// The number with its noun, which is in the plural unless there is one.
pub fn plural(number: usize, noun: &str) -> String {
    match number {
        1 => format!("1 {noun}"),
        _ if noun.ends_with('s') => format!("{} {noun}es", count(number as u64)),
        _ => format!("{} {noun}s", count(number as u64)),
    }
}

/// The name of an op without its dialect, if that is StableHLO.
pub fn short(name: &str) -> &str {
    name.strip_prefix("stablehlo.").unwrap_or(name)
}

/// A place, of which the folder of the program is left out.
pub fn place(program: &str, location: &str) -> String {
    let folder = program.len() - file_name(program).len();
    let is_of_program = location
        .strip_prefix(program)
        .is_some_and(|rest| rest.starts_with(':'));
    plain(if is_of_program {
        &location[folder..]
    } else {
        location
    })
}

/// A pass without the ops that it runs on: `func.func(cse)` is `cse`.
pub fn pass(name: &str) -> &str {
    let mut name = name;
    while let Some((op, inner)) = name.split_once('(')
        && let Some(inner) = inner.strip_suffix(')')
        && op
            .chars()
            .all(|letter| letter.is_alphanumeric() || "._".contains(letter))
    {
        name = inner;
    }
    name
}

/// A text of at most so many characters, of which the end is left out.
pub fn clipped(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        None => text.to_owned(),
        Some(_) => text
            .chars()
            .take(most.saturating_sub(1))
            .chain(['…'])
            .collect(),
    }
}

/// The last part of a path.
pub fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// The name of a program by its file; a file that is named as many are has its folder before it.
pub fn program_name(path: &str) -> String {
    let mut parts = path.rsplit('/');
    let file = parts.next().unwrap_or(path);
    let stem = file.split('.').next().unwrap_or(file);
    let is_common = ["model", "main", "module", "program", "input"].contains(&stem);
    match parts
        .next()
        .filter(|folder| is_common && !folder.is_empty())
    {
        Some(folder) => plain(&format!("{folder}/{file}")),
        None => plain(file),
    }
}

/// A text without characters that control terminals and pages.
pub fn plain(text: &str) -> String {
    text.replace(char::is_control, "?")
}

/// A part from 0 to 1 in tenths of a percent, as [`share`] shows it.
pub fn tenths(part: f64) -> i64 {
    (part * 1000.0).round() as i64
}

/// So many tenths of a percent.
pub fn percent(tenths: i64) -> String {
    format!("{:.1}%", tenths as f64 / 10.0)
}

/// The parts of a whole, from 0 to 1 each, in tenths of a percent that add up to those of the
/// whole: all are rounded down, and what is left goes to those that lost the most.
pub fn apportioned(parts: &[f64], whole: i64) -> Vec<i64> {
    let exact: Vec<f64> = parts.iter().map(|part| part.max(0.0) * 1000.0).collect();
    let mut tenths: Vec<i64> = exact.iter().map(|part| part.floor() as i64).collect();
    let mut order: Vec<usize> = (0..parts.len()).collect();
    let lost = |number: &usize| exact[*number] - exact[*number].floor();
    order.sort_by(|one, other| lost(other).total_cmp(&lost(one)));
    let left = whole - tenths.iter().sum::<i64>();
    // A whole that was rounded otherwise may differ by more than each part has lost.
    let count = order.len().max(1) as i64;
    for (place, number) in (0..).zip(&order) {
        tenths[*number] += left.div_euclid(count) + i64::from(place < left.rem_euclid(count));
    }
    tenths
}

/// A place in the file of the program without its name, such as `line 3:8, called at 7:2`; one in
/// another file as it is.
pub fn in_program(program: &str, place: &str) -> String {
    let rest = place.strip_prefix(&plain(file_name(program)));
    match rest.and_then(|rest| rest.strip_prefix(':')) {
        Some(lines) => format!("line {lines}"),
        None => place.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_the_digits_of_profiles() {
        assert_eq!(milliseconds(0.012_345_6), "12.346");
        assert_eq!(microseconds(1.5e-6), "1.50");
        assert_eq!(share(0.412, 1.0), "41.2%");
        assert_eq!(share(1.0, 0.0), "100000000000.0%");
        assert_eq!(mega(3_145_728.0), "3.15");
        assert_eq!(giga(1.21e10), "12.10");
    }

    #[test]
    fn parts_add_up_to_their_whole() {
        let tenths = |parts: &[f64], whole: f64| apportioned(parts, tenths(whole));
        // 8.14% in all: 8.1 and 0.1 are more.
        assert_eq!(tenths(&[0.0808, 0.0006], 0.0814), [81, 0]);
        // 6.36% in all: 6.3 and 0.0 are less.
        assert_eq!(tenths(&[0.0634, 0.0002], 0.0636), [64, 0]);
        assert_eq!(tenths(&[0.0634], 0.0636), [64]);
        assert_eq!(tenths(&[1.0 / 3.0; 3], 1.0), [334, 333, 333]);
        assert_eq!(tenths(&[0.5, 0.5004], 1.0), [500, 500]);
        assert!(tenths(&[], 1.0).is_empty());
        assert_eq!(percent(81), "8.1%");
    }

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
        assert_eq!(count(1_234_567), "1\u{202f}234\u{202f}567");
        assert_eq!(count(123), "123");
        assert_eq!(plural(1, "op"), "1 op");
        assert_eq!(plural(5000, "op"), "5\u{202f}000 ops");
        assert_eq!(plural(0, "pass"), "0 passes");
    }

    #[test]
    fn names_are_short_and_plain() {
        assert_eq!(short("stablehlo.add"), "add");
        assert_eq!(short("chlo.erf"), "chlo.erf");
        assert_eq!(pass("gpu.module(gpu.func(cse{a=1}))"), "cse{a=1}");
        assert_eq!(program_name("/models/gpt2/model.mlir"), "gpt2/model.mlir");
        assert_eq!(program_name("/models/gpt2.mlir"), "gpt2.mlir");
        assert_eq!(program_name("model.mlir"), "model.mlir");
        assert_eq!(pass("a{b=(c)}"), "a{b=(c)}");
        assert_eq!(plain("a\u{1b}[31m\nb"), "a?[31m?b");
        assert_eq!(place("/a/b.mlir", "/a/b.mlir:3:4"), "b.mlir:3:4");
        assert_eq!(place("/a/b.mlir", "/a/b.mlir2:3:4"), "/a/b.mlir2:3:4");
        assert_eq!(place("b.mlir", "b.mlir:3:4"), "b.mlir:3:4");
    }

    #[test]
    fn places_in_the_program_need_no_file() {
        let of = |place| in_program("/folder/a.mlir", place);
        assert_eq!(of("a.mlir:112:11"), "line 112:11");
        assert_eq!(of("a.mlir:3:8, called at 7:2"), "line 3:8, called at 7:2");
        assert_eq!(of("b.mlir:3:8"), "b.mlir:3:8");
        assert_eq!(of(""), "");
    }
}
