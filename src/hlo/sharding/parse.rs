//! Parses meshes and shardings from the text of their attributes, whose dialect is not loaded.

use super::{Axis, Mesh, MeshReference, Reduction, Sharding};
use pest::{Parser, iterators::Pair};

#[derive(pest_derive::Parser)]
#[grammar = "sharding/shardy.pest"]
struct Grammar;

/// Parses an attribute.
fn parse(rule: Rule, text: &str) -> Result<Pair<'_, Rule>, String> {
    let found = Grammar::parse(rule, text).ok();
    let found = found.and_then(|mut pairs| pairs.next());
    found.ok_or_else(|| format!("'{text}' is not an attribute of Shardy that is expected here"))
}

/// `#sdy.mesh<...>`
pub fn mesh(text: &str) -> Result<Mesh, String> {
    let pair = parse(Rule::mesh, text)?;
    let body = pair.into_inner().find(|pair| pair.as_rule() == Rule::mesh_body);
    read_mesh(body.ok_or("a mesh without a body")?)
}

/// `#sdy.sharding<...>`
pub fn sharding(text: &str) -> Result<Sharding, String> {
    let mut all = bodies(Rule::sharding, text)?;
    all.pop().ok_or_else(|| "a sharding without a body".to_owned())
}

/// `#sdy.sharding_per_value<[...]>`
pub fn sharding_per_value(text: &str) -> Result<Vec<Sharding>, String> {
    bodies(Rule::sharding_per_value, text)
}

/// `#sdy<manual_axes{...}>`
pub fn manual_axes(text: &str) -> Result<Vec<String>, String> {
    let names = parse(Rule::manual_axes, text)?.into_inner();
    let names = names.filter(|pair| pair.as_rule() == Rule::string);
    Ok(names.map(read_string).collect())
}

/// `#sdy.op_sharding_rule<...>`
#[derive(Debug, Default, PartialEq, Eq)]
pub struct ShardingRule {
    /// The size of each factor.
    pub sizes: Vec<usize>,
    /// For each dimension of each operand its factors.
    pub operands: Vec<Vec<Vec<usize>>>,
    pub results: Vec<Vec<Vec<usize>>>,
    /// The factors that are reduced.
    pub reduced: Vec<usize>,
    /// The factors that must be whole.
    pub whole: Vec<usize>,
}

/// `#sdy.op_sharding_rule<...>`
pub fn sharding_rule(text: &str) -> Result<ShardingRule, String> {
    let parts: Vec<Pair<Rule>> = parse(Rule::sharding_rule, text)?.into_inner().collect();
    let of_rule = |rule: Rule| parts.iter().filter(move |part| part.as_rule() == rule).cloned();
    let sizes = of_rule(Rule::factor_sizes).flat_map(Pair::into_inner);
    let sizes = sizes.map(|size| {
        let mut parts = size.into_inner();
        let name = parts.next().map_or("", |name| name.as_str());
        let size = parts.next().map_or(Ok(0), read_number)?;
        Ok((name, size))
    });
    let sizes = sizes.collect::<Result<Vec<_>, String>>()?;
    let factor = |name: Pair<Rule>| {
        let found = sizes.iter().position(|(own, _)| *own == name.as_str());
        found.ok_or_else(|| format!("factor '{}' has no size", name.as_str()))
    };
    let factors = |parts: Pair<Rule>| {
        let names = parts.into_inner().filter(|part| part.as_rule() == Rule::factor);
        names.map(factor).collect::<Result<Vec<usize>, String>>()
    };
    let tensor = |tensor: Pair<Rule>| tensor.into_inner().map(factors).collect();
    let tensors = of_rule(Rule::tensors).map(|all| all.into_inner().map(tensor).collect());
    let mut tensors = tensors.collect::<Result<Vec<_>, String>>()?.into_iter();
    let mut rule = ShardingRule {
        sizes: sizes.iter().map(|(_, size)| *size).collect(),
        operands: tensors.next().unwrap_or_default(),
        results: tensors.next().unwrap_or_default(),
        ..ShardingRule::default()
    };
    for part in of_rule(Rule::of_kind) {
        let kind = part.clone().into_inner().next().map_or("", |kind| kind.as_str());
        match kind {
            "reduction" => rule.reduced = factors(part)?,
            "need_replication" => rule.whole = factors(part)?,
            _ => {}
        }
    }
    Ok(rule)
}

fn bodies(rule: Rule, text: &str) -> Result<Vec<Sharding>, String> {
    let bodies = parse(rule, text)?.into_inner();
    bodies
        .filter(|pair| pair.as_rule() == Rule::sharding_body)
        .map(read_sharding)
        .collect()
}

fn read_mesh(body: Pair<Rule>) -> Result<Mesh, String> {
    let mut mesh = Mesh::default();
    for part in body.into_inner() {
        match part.as_rule() {
            Rule::sizes => {
                for size in part.into_inner() {
                    let mut parts = size.into_inner();
                    let name = parts.next().map(read_string);
                    let size = parts.next().map(read_number).transpose()?;
                    mesh.axes.extend(name.zip(size));
                }
            }
            _ => {
                mesh.device_ids =
                    Some(part.into_inner().map(read_number).collect::<Result<_, _>>()?)
            }
        }
    }
    Ok(mesh)
}

fn read_sharding(body: Pair<Rule>) -> Result<Sharding, String> {
    let mut sharding = Sharding {
        mesh: MeshReference::Name(String::new()),
        dimensions: Vec::new(),
        open: Vec::new(),
        priorities: Vec::new(),
        replicated: Vec::new(),
        unreduced: Vec::new(),
        reduction: Reduction::Sum,
    };
    for part in body.into_inner() {
        match part.as_rule() {
            Rule::symbol => {
                let name = part.into_inner().next();
                let name = name.ok_or("a symbol without a name")?;
                sharding.mesh = MeshReference::Name(match name.as_rule() {
                    Rule::string => read_string(name),
                    _ => name.as_str().to_owned(),
                });
            }
            Rule::mesh_body => sharding.mesh = MeshReference::Inline(read_mesh(part)?),
            Rule::dimensions => {
                for dimension in part.clone().into_inner() {
                    let parts: Vec<Pair<Rule>> = dimension.into_inner().collect();
                    let is_open = parts.iter().any(|part| part.as_rule() == Rule::open);
                    sharding.open.push(is_open);
                    let priority = parts.iter().find(|part| part.as_rule() == Rule::priority);
                    let priority = priority.and_then(|part| part.clone().into_inner().next());
                    let priority = priority.map(read_number).transpose()?;
                    let is_empty = !parts.iter().any(|part| part.as_rule() == Rule::axis);
                    if priority.is_some() && is_empty && !is_open {
                        let dimension = sharding.open.len() - 1;
                        return Err(format!(
                            "dimension {dimension} has a priority, but nothing that propagates"
                        ));
                    }
                    sharding.priorities.push(priority.unwrap_or(0));
                }
                sharding.dimensions = part.into_inner().map(read_axes).collect::<Result<_, _>>()?;
            }
            Rule::replicated => {
                let axes = part.into_inner().next();
                sharding.replicated = axes.map(read_axes).transpose()?.unwrap_or_default();
            }
            Rule::unreduced => {
                for part in part.into_inner() {
                    match (part.as_rule(), part.as_str()) {
                        (Rule::reduction, "max") => sharding.reduction = Reduction::Max,
                        (Rule::reduction, "min") => sharding.reduction = Reduction::Min,
                        (Rule::reduction, _) => {}
                        _ => sharding.unreduced = read_axes(part)?,
                    }
                }
            }
            _ => {}
        }
    }
    Ok(sharding)
}

fn read_axes(axes: Pair<Rule>) -> Result<Vec<Axis>, String> {
    let axes = axes.into_inner();
    let axes = axes.filter(|pair| pair.as_rule() == Rule::axis);
    axes.map(|axis| {
        let mut parts = axis.into_inner();
        let name = parts.next().map(read_string).unwrap_or_default();
        let numbers = parts.map(read_number).collect::<Result<Vec<usize>, _>>()?;
        let part = match numbers[..] {
            [before, size] => Some((before, size)),
            _ => None,
        };
        Ok(Axis { name, part })
    })
    .collect()
}

fn read_number(number: Pair<Rule>) -> Result<usize, String> {
    let text = number.as_str();
    text.parse().map_err(|_| format!("{text} is too large"))
}

/// A string without its quotes. Escapes in names are not decoded, which is consistent everywhere.
fn read_string(string: Pair<Rule>) -> String {
    string.as_str().trim_matches('"').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sharding_rules_have_factors() {
        let text = "#sdy.op_sharding_rule<([i, jk], [1, z_1])->([i, k], []) \
                    {i=8, j=2, k=4, z_1=16} reduction={j} need_replication={k, z_1}, custom>";
        let expected = ShardingRule {
            sizes: vec![8, 2, 4, 16],
            operands: vec![vec![vec![0], vec![1, 2]], vec![vec![], vec![3]]],
            results: vec![vec![vec![0], vec![2]], vec![]],
            reduced: vec![1],
            whole: vec![2, 3],
        };
        assert_eq!(sharding_rule(text), Ok(expected));
        let text = "#sdy.op_sharding_rule<([i])->([j]) {i=8}>";
        assert_eq!(
            sharding_rule(text),
            Err("factor 'j' has no size".to_owned())
        );
        assert!(sharding_rule("#sdy.op_sharding_rule<([i])>").is_err());
    }
}
