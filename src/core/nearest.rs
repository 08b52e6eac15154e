//! The name that was meant by a misspelt one.

/// The known name that is nearest to one that is not known, if it is near: up to one letter in
/// four may be wrong, and one more.
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
