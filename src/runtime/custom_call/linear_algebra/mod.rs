//! Handlers for matrices, by [`halo_numerics::linear_algebra`]: for ops of StableHLO, and for
//! factorizations by the names of XLA and LAPACK.

mod factorizations;
mod lapack;
mod matrices;
mod ops;

use super::CustomCallRegistry;

pub(super) fn register(registry: &mut CustomCallRegistry) {
    factorizations::register(registry);
    lapack::register(registry);
    ops::register(registry);
}

#[cfg(test)]
mod tests {
    use super::super::registry::is_of_linear_algebra;
    use super::*;

    #[test]
    fn names_are_those_of_the_feature() {
        let mut registry = CustomCallRegistry::empty();
        register(&mut registry);
        let all = CustomCallRegistry::default();
        assert!(registry.factories.len() > 60, "{registry:?}");
        for name in all.factories.keys() {
            assert_eq!(
                is_of_linear_algebra(name),
                registry.contains(name),
                "{name}"
            );
        }
    }
}
