//! placeholder until merge
pub struct DotDimensionNumbers {
    pub lhs_batching_dimensions: Vec<i64>,
    pub rhs_batching_dimensions: Vec<i64>,
    pub lhs_contracting_dimensions: Vec<i64>,
    pub rhs_contracting_dimensions: Vec<i64>,
}
impl DotDimensionNumbers {
    pub fn from_attribute(a: crate::ir::Attribute) -> Option<Self> {
        let t = a.to_string();
        let f = |n: &str| -> Vec<i64> {
            match t.split_once(&format!("{n} = [")) {
                None => vec![],
                Some((_, r)) => r
                    .split(']')
                    .next()
                    .unwrap()
                    .split(',')
                    .filter_map(|x| x.trim().parse().ok())
                    .collect(),
            }
        };
        Some(Self {
            lhs_batching_dimensions: f("lhs_batching_dimensions"),
            rhs_batching_dimensions: f("rhs_batching_dimensions"),
            lhs_contracting_dimensions: f("lhs_contracting_dimensions"),
            rhs_contracting_dimensions: f("rhs_contracting_dimensions"),
        })
    }
}
