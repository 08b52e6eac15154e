//! Verification of meshes and shardings, beyond their syntax.
//!
//! The rules follow Shardy's verifier: an axis divides a tensor once, sub-axes are valid, and the
//! form is canonical.

use super::{Axis, Mesh, Sharding};
use std::collections::BTreeSet;

impl Mesh {
    /// Returns true for a maximal mesh, in which one device has all values.
    pub fn is_maximal(&self) -> bool {
        self.axes.is_empty() && self.device_ids.as_ref().is_some_and(|ids| ids.len() == 1)
    }

    /// The index and the size of an axis.
    fn axis(&self, name: &str) -> Option<(usize, usize)> {
        let number = self.axes.iter().position(|(own, _)| own == name)?;
        Some((number, self.axes[number].1))
    }

    /// Verifies the mesh.
    ///
    /// # Errors
    /// Returns a message if it is invalid.
    pub fn verify(&self) -> Result<(), String> {
        let mut names = BTreeSet::new();
        for (name, size) in &self.axes {
            if *size == 0 {
                return Err(format!("axis '{name}' has size 0"));
            }
            if !names.insert(name) {
                return Err(format!("two axes have the name '{name}'"));
            }
        }
        let product = |count: usize, (_, size): &(String, usize)| count.checked_mul(*size);
        let count = self.axes.iter().try_fold(1, product);
        let count = count.ok_or("the mesh has too many devices")?;
        let Some(ids) = self.device_ids.as_ref().filter(|ids| !ids.is_empty()) else {
            return Ok(());
        };
        if ids.len() != count {
            let given = ids.len();
            return Err(format!(
                "{given} device_ids are given to a mesh of {count} devices"
            ));
        }
        if self.axes.is_empty() {
            return Ok(());
        }
        let mut sorted = ids.clone();
        sorted.sort_unstable();
        if !sorted.iter().copied().eq(0..count) {
            return Err(format!(
                "device_ids are not the numbers from 0 to {}",
                count - 1
            ));
        }
        if ids.is_sorted() {
            Err("device_ids are left out where they are 0, 1, 2 and so on".to_owned())
        } else {
            Ok(())
        }
    }
}

impl Axis {
    /// The number of parts of the axis before this sub-axis, and through it.
    fn bounds(&self, size: usize) -> (usize, usize) {
        let (before, own) = self.part.unwrap_or((1, size));
        (before, before.saturating_mul(own))
    }
}

impl std::fmt::Display for Axis {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self.part {
            Some((before, size)) => write!(f, "\"{}\":({before}){size}", self.name),
            None => write!(f, "\"{}\"", self.name),
        }
    }
}

impl Sharding {
    /// All named axes.
    pub fn axes(&self) -> impl Iterator<Item = &Axis> {
        let dimensions = self.dimensions.iter().flatten();
        dimensions.chain(&self.replicated).chain(&self.unreduced)
    }

    /// Verifies the sharding of a tensor with this rank along a mesh; `None` is the rank of other
    /// types.
    ///
    /// # Errors
    /// Returns a message if it is invalid.
    pub fn verify(&self, mesh: &Mesh, rank: Option<usize>) -> Result<(), String> {
        let is_empty = self.dimensions.is_empty() && self.axes().next().is_none();
        match (mesh.is_maximal(), rank) {
            (true, _) if is_empty => return Ok(()),
            (true, _) => {
                return Err("a sharding on one device has dimensions or axes".to_owned());
            }
            (false, None) if is_empty => return Ok(()),
            (false, None) => {
                return Err("a sharding of what is no tensor has dimensions or axes".to_owned());
            }
            (false, Some(rank)) if rank != self.dimensions.len() => {
                let own = self.dimensions.len();
                return Err(format!(
                    "a sharding of {own} dimensions is given to a tensor of {rank}"
                ));
            }
            _ => {}
        }
        for (what, axes) in [
            ("replicated", &self.replicated),
            ("unreduced", &self.unreduced),
        ] {
            let place = |axis: &Axis| {
                let (number, size) = mesh.axis(&axis.name)?;
                Some((number, axis.bounds(size)))
            };
            if !axes.iter().map(place).is_sorted() {
                return Err(format!("{what} axes are not in the order of the mesh"));
            }
        }
        for list in self.dimensions.iter().chain([&self.replicated, &self.unreduced]) {
            expect_list(mesh, list)?;
        }
        let all: Vec<&Axis> = self.axes().collect();
        for (number, axis) in all.iter().enumerate() {
            if let Some(other) = all[..number].iter().find(|other| overlap(mesh, axis, other)) {
                return Err(if axis == other {
                    format!("axis {axis} is used twice")
                } else {
                    format!("axes {other} and {axis} overlap")
                });
            }
        }
        Ok(())
    }
}

/// Fails unless axes are axes or sub-axes of a mesh, and no axis can be merged with the previous
/// one.
fn expect_list(mesh: &Mesh, axes: &[Axis]) -> Result<(), String> {
    for (number, axis) in axes.iter().enumerate() {
        let Some((_, whole)) = mesh.axis(&axis.name) else {
            return Err(format!("the mesh has no axis '{}'", axis.name));
        };
        let Some((before, size)) = axis.part else {
            continue;
        };
        let (_, behind) = axis.bounds(whole);
        let problem = if before == 0 {
            Some("begins at 0".to_owned())
        } else if size < 2 {
            Some(format!("has size {size}"))
        } else if !whole.is_multiple_of(behind) {
            Some(format!("does not divide an axis of size {whole}"))
        } else if size == whole {
            Some("is a whole axis".to_owned())
        } else {
            None
        };
        if let Some(problem) = problem {
            return Err(format!("part {axis} {problem}"));
        }
        let follows = |other: &&Axis| {
            other.name == axis.name && other.part.is_some() && other.bounds(whole).1 == before
        };
        let last = number.checked_sub(1).map(|last| &axes[last]);
        if let Some(last) = last.filter(follows) {
            return Err(format!("parts {last} and {axis} are one part"));
        }
    }
    Ok(())
}

fn overlap(mesh: &Mesh, one: &Axis, other: &Axis) -> bool {
    let Some((_, size)) = mesh.axis(&one.name).filter(|_| one.name == other.name) else {
        return false;
    };
    let ((begin, end), (from, to)) = (one.bounds(size), other.bounds(size));
    begin < to && from < end
}

#[cfg(test)]
mod tests {
    use super::super::parse;

    #[test]
    fn meshes_are_verified() {
        let verify = |text: &str| parse::mesh(&format!("#sdy.mesh<{text}>")).unwrap().verify();
        for valid in [
            r#"["x"=2, "y"=4]"#,
            "[]",
            "[], device_ids=[3]",
            r#"["x"=3], device_ids=[2, 0, 1]"#,
            r#"["x"=1]"#,
        ] {
            assert_eq!(verify(valid), Ok(()), "{valid}");
        }
        for (text, message) in [
            (r#"["x"=2, "y"=0]"#, "axis 'y' has size 0"),
            (r#"["x"=2, "x"=3]"#, "two axes have the name 'x'"),
            (
                r#"["x"=4294967296, "y"=4294967296]"#,
                "the mesh has too many devices",
            ),
            (
                r#"["x"=3], device_ids=[1, 0]"#,
                "2 device_ids are given to a mesh of 3 devices",
            ),
            (
                "[], device_ids=[1, 0]",
                "2 device_ids are given to a mesh of 1 devices",
            ),
            (
                r#"["x"=3], device_ids=[1, 0, 1]"#,
                "device_ids are not the numbers from 0 to 2",
            ),
            (
                r#"["x"=3], device_ids=[0, 1, 2]"#,
                "device_ids are left out where they are 0, 1, 2 and so on",
            ),
        ] {
            assert_eq!(verify(text), Err(message.to_owned()), "{text}");
        }
    }

    #[test]
    fn shardings_are_verified() {
        let mesh = parse::mesh(r#"#sdy.mesh<["x"=8, "y"=2, "z"=3]>"#).unwrap();
        let verify = |text: &str| {
            let sharding = parse::sharding(&format!("#sdy.sharding<@m, {text}>")).unwrap();
            sharding.verify(&mesh, Some(2))
        };
        for valid in [
            r#"[{"x"}, {"y", "z"}]"#,
            r#"[{"x":(1)2, ?}, {"x":(4)2}], replicated={"x":(2)2, "y"}, unreduced={"z"}"#,
            r#"[{"x":(4)2, "x":(1)2}, {}]"#,
            "[{?}p1, {}]",
        ] {
            assert_eq!(verify(valid), Ok(()), "{valid}");
        }
        for (text, message) in [
            (
                "[{}]",
                "a sharding of 1 dimensions is given to a tensor of 2",
            ),
            (r#"[{"w"}, {}]"#, "the mesh has no axis 'w'"),
            (r#"[{"x"}, {"x"}]"#, "axis \"x\" is used twice"),
            (
                r#"[{"x"}, {"x":(1)2}]"#,
                "axes \"x\" and \"x\":(1)2 overlap",
            ),
            (
                r#"[{"x":(1)4}, {"x":(2)4}]"#,
                "axes \"x\":(1)4 and \"x\":(2)4 overlap",
            ),
            (
                r#"[{"x":(1)2, "x":(2)2}, {}]"#,
                "parts \"x\":(1)2 and \"x\":(2)2 are one part",
            ),
            (r#"[{"x":(0)2}, {}]"#, "part \"x\":(0)2 begins at 0"),
            (r#"[{"x":(2)1}, {}]"#, "part \"x\":(2)1 has size 1"),
            (
                r#"[{"x":(3)2}, {}]"#,
                "part \"x\":(3)2 does not divide an axis of size 8",
            ),
            (r#"[{"y":(1)2}, {}]"#, "part \"y\":(1)2 is a whole axis"),
            (
                r#"[{}, {}], replicated={"y", "x"}"#,
                "replicated axes are not in the order of the mesh",
            ),
            (
                r#"[{}, {}], unreduced={"z", "y"}"#,
                "unreduced axes are not in the order of the mesh",
            ),
            (
                r#"[{"x"}, {}], unreduced={"x"}"#,
                "axis \"x\" is used twice",
            ),
        ] {
            assert_eq!(verify(text), Err(message.to_owned()), "{text}");
        }
    }
}
