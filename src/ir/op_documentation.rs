//! The documentation of ops, for tools that show it.

use crate::dialect;

/// Names of attributes, and descriptions of their values.
type Attributes = &'static [(&'static str, &'static str)];

/// Names, summaries, descriptions and attributes, sorted by name.
static TABLE: &[(&str, &str, &str, Attributes)] =
    include!(concat!(env!("OUT_DIR"), "/ops/documentation.rs"));

/// The documentation of an op.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpDocumentation {
    /// The name with the dialect.
    pub name: &'static str,
    /// One line.
    pub summary: &'static str,
    /// Markdown, indented as in the ODS file.
    pub description: &'static str,
    /// The attributes of the definition, each with a line about its values.
    pub attributes: Attributes,
}

/// The documentation of a typed op of a dialect in ODS, or of a declared one.
pub fn op_documentation(name: &str) -> Option<OpDocumentation> {
    let found = TABLE.binary_search_by_key(&name, |entry| entry.0).ok();
    let (name, summary, description, attributes) =
        match found.and_then(|position| TABLE.get(position)) {
            Some(found) => *found,
            None => {
                let (name, summary) = dialect::summary_of(name)?;
                (name, summary, "", &[][..])
            }
        };
    Some(OpDocumentation {
        name,
        summary,
        description,
        attributes,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ops_of_halo_and_of_upstream_have_documentation() {
        for (name, summary) in [
            ("stablehlo.add", "Addition"),
            ("arith.addf", "floating point addition operation"),
        ] {
            let found = op_documentation(name).unwrap();
            assert_eq!((found.name, found.summary), (name, summary));
            assert!(!found.description.is_empty());
        }
        assert_eq!(op_documentation("stablehlo.ad"), None);
        let iota = op_documentation("stablehlo.iota").unwrap();
        let [(name, about)] = iota.attributes else {
            panic!("{iota:?}");
        };
        assert_eq!(*name, "iota_dimension");
        assert!(about.contains("integer attribute"), "{about}");
    }
}
