//! placeholder until merge
pub struct DotDimensionNumbers {
    pub lhs_batching_dimensions: Vec<i64>,
    pub rhs_batching_dimensions: Vec<i64>,
    pub lhs_contracting_dimensions: Vec<i64>,
    pub rhs_contracting_dimensions: Vec<i64>,
}
impl DotDimensionNumbers {
    pub fn from_attribute(_: crate::ir::Attribute) -> Option<Self> {
        None
    }
}
