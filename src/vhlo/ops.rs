//! The definitions of the ops.

mod table;

use crate::Version;

/// One version of an op.
#[derive(Debug, PartialEq, Eq)]
pub struct OpDefinition {
    /// The name with the number of the op's version, such as `add_v1`.
    pub name: &'static str,
    /// The first version of VHLO with it.
    pub since: Version,
    /// The last version with it, if any.
    pub until: Option<Version>,
    /// The names of its attributes in order. All are always present.
    pub attributes: &'static [&'static str],
}

impl OpDefinition {
    /// The name without the number, such as `add`.
    pub fn family(&self) -> &'static str {
        self.name.rsplit_once("_v").map_or(self.name, |(family, _)| family)
    }

    /// Returns true if a version of StableHLO has this version of the op.
    pub fn is_in(&self, version: Version) -> bool {
        let version = version.of_dialect();
        self.since <= version && self.until.is_none_or(|until| version <= until)
    }
}

/// All versions of all ops, by name.
pub fn all() -> &'static [OpDefinition] {
    table::OPS
}

/// The op of a name such as `add_v1`.
pub fn find(name: &str) -> Option<&'static OpDefinition> {
    let position = all().binary_search_by(|op| op.name.cmp(name)).ok()?;
    all().get(position)
}

/// The version of an op in a version of StableHLO, by its name without the number.
pub fn find_in(family: &str, version: Version) -> Option<&'static OpDefinition> {
    versions(family).find(|op| op.is_in(version))
}

/// The newest version of an op, by its name without the number.
pub fn newest(family: &str) -> Option<&'static OpDefinition> {
    versions(family).find(|op| op.until.is_none())
}

/// The versions of an op, oldest first.
fn versions(family: &str) -> impl Iterator<Item = &'static OpDefinition> {
    all().iter().filter(move |op| op.family() == family)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_in_order() {
        assert!(all().is_sorted_by(|a, b| a.name < b.name));
        for op in all() {
            assert!(op.attributes.is_sorted(), "{}", op.name);
            assert_eq!(find(op.name), Some(op));
        }
        assert_eq!(all().len(), 145);
    }

    #[test]
    fn versions_follow_each_other() {
        for op in all() {
            assert!(newest(op.family()).is_some(), "{}", op.name);
            let Some(until) = op.until else { continue };
            let next = find_in(op.family(), Version::new(until.major, until.minor + 1))
                .or_else(|| find_in(op.family(), Version::new(until.major + 1, 0)))
                .unwrap_or_else(|| panic!("nothing follows {}", op.name));
            assert_ne!(next, op);
        }
        assert_eq!(find_in("tan", Version::new(1, 3)), None);
        assert_eq!(find_in("tan", Version::new(1, 4)), find("tan_v1"));
        assert_eq!(find_in("tan", Version::new(1, 10)), find("tan_v2"));
    }
}
