//! Which kernels programs become: a change of a decision shows here by name.

use super::{models::named, plan};

#[test]
fn prints() {
    for model in crate::models::MODELS {
        let plan = plan(&named(model.name).program(), "sm_90").unwrap();
        let names: Vec<&str> = plan.kernels.iter().map(|k| k.name.as_str()).collect();
        crate::tell(&format!("{}: {names:?}", model.name));
    }
}
