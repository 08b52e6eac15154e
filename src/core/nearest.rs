//! Suggestions for misspelled names.

/// The known name nearest to an unknown one, within an edit distance of a quarter of its letters,
/// plus one.
pub fn nearest<'n>(name: &str, known: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let distances = known.into_iter().map(|known| (strsim::levenshtein(name, known), known));
    let (distance, known) = distances.min_by_key(|(distance, _)| *distance)?;
    (distance <= 1 + name.chars().count() / 4).then_some(known)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn misspelt_names_are_recognized() {
        let known = ["kernels", "checks", "gpu-dot"];
        assert_eq!(nearest("kernel", known), Some("kernels"));
        assert_eq!(nearest("chekcs", known), Some("checks"));
        assert_eq!(nearest("speed", known), None);
        assert_eq!(nearest("speed", []), None);
    }
}
