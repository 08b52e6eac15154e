//! The search for the fastest plan of a product.
//!
//! One choice of the plan after the other is measured with the best other choices so far. A plan
//! replaces the best one if it wins by more than the noise of measurements.

use halo_codegen::contraction::plan::{Knob, Plan, Product};

/// The most plans that are measured for a product, in addition to the model's.
const PLANS: usize = 12;
/// Rounds of measurements, and the number after which a slower plan is rejected.
const ROUNDS: usize = 7;
const FIRST_ROUNDS: usize = 2;
/// A plan must take at most this part of the time of the best one.
const LEAST_GAIN: f64 = 0.96;

/// Measures plans of one product.
pub trait Bench {
    /// Compiles a plan, and returns its number; `None` if that fails.
    fn add(&mut self, plan: &Plan) -> Option<usize>;

    /// The time of the plan of a number, in seconds.
    fn seconds(&mut self, number: usize) -> Option<f64>;

    /// Whether the time of the search is over.
    fn is_over(&self) -> bool;
}

/// The result of a search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Found {
    /// The fastest plan.
    pub plan: Plan,
    /// The number of plans that were measured in addition to the model's.
    pub measured: u32,
    /// Whether all plans were measured that were to be.
    pub is_complete: bool,
}

/// Searches for the fastest plan of a product.
pub fn search(product: &Product, bench: &mut impl Bench) -> Option<Found> {
    let mut found = Found {
        plan: Plan::default(),
        measured: 0,
        is_complete: false,
    };
    let first = bench.add(&found.plan)?;
    let mut best = first;
    for knob in Knob::ALL {
        for plan in product.variants(&found.plan, knob) {
            if found.measured as usize >= PLANS {
                break;
            }
            if bench.is_over() {
                return Some(found);
            }
            let Some(number) = bench.add(&plan) else {
                continue;
            };
            found.measured += 1;
            let Some(is_faster) = is_faster(bench, number, best) else {
                return Some(found);
            };
            if is_faster {
                (best, found.plan) = (number, plan);
            }
        }
    }
    // A disturbance during the first measurements may have been taken for a gain.
    if found.plan != Plan::default() {
        let Some(is_confirmed) = is_faster(bench, best, first) else {
            return Some(found);
        };
        if !is_confirmed {
            found.plan = Plan::default();
        }
    }
    found.is_complete = true;
    Some(found)
}

/// Whether a plan is faster than the best one, by rounds that measure both in turns; `None` if the
/// time is over.
fn is_faster(bench: &mut impl Bench, number: usize, best: usize) -> Option<bool> {
    let (mut ratios, mut least) = (Vec::new(), [f64::INFINITY; 2]);
    for round in 0..ROUNDS {
        if bench.is_over() {
            return None;
        }
        let times = [bench.seconds(number)?, bench.seconds(best)?];
        ratios.push(times[0] / times[1]);
        least = [least[0].min(times[0]), least[1].min(times[1])];
        if round + 1 >= FIRST_ROUNDS && least[0] > least[1] {
            return Some(false);
        }
    }
    ratios.sort_by(f64::total_cmp);
    Some(ratios[ROUNDS / 2] < LEAST_GAIN && least[0] < LEAST_GAIN * least[1])
}

#[cfg(test)]
mod tests {
    use super::*;
    use halo_codegen::contraction::{
        isa::{Bf16Products, Instructions, IntegerProducts, OuterProducts},
        plan::Loops,
        shape::{Element, Operand, Shape},
    };
    use halo_core::machine::X86_64_V3;
    use halo_ir::FloatKind;

    fn product() -> Product {
        let element = Element {
            bits: Some(32),
            float: Some(FloatKind::F32),
        };
        let operand = Operand {
            element,
            conversion: None,
            is_computed: false,
        };
        Product {
            shape: Shape {
                batch: 1,
                rows: 600,
                columns: 512,
                depth: 1024,
                operands: [operand; 3],
                accumulator: element,
                has_lhs_rows: true,
                has_cached_rows: false,
                has_rhs_rows: true,
                patches: None,
            },
            instructions: Instructions {
                machine: X86_64_V3,
                sve: false,
                bf16_products: Bf16Products::None,
                integer_products: IntegerProducts::None,
                outer_products: OuterProducts::None,
                streaming_bits: 512,
            },
            is_nested: false,
            invariant_bytes: 0,
        }
    }

    /// Plans with the times of a function, and a number of measurements after which it is over.
    struct Fake<F> {
        plans: Vec<Plan>,
        time: F,
        left: usize,
    }

    impl<F: FnMut(&Plan) -> f64> Bench for Fake<F> {
        fn add(&mut self, plan: &Plan) -> Option<usize> {
            self.plans.push(*plan);
            Some(self.plans.len() - 1)
        }

        fn seconds(&mut self, number: usize) -> Option<f64> {
            self.left -= 1;
            Some((self.time)(&self.plans[number]))
        }

        fn is_over(&self) -> bool {
            self.left < 2
        }
    }

    fn fake<F: FnMut(&Plan) -> f64>(time: F, left: usize) -> Fake<F> {
        Fake {
            plans: Vec::new(),
            time,
            left,
        }
    }

    #[test]
    fn the_fastest_choices_are_combined() {
        let product = product();
        let time = |plan: &Plan| {
            let of_loops = if plan.loops == Some(Loops::Blocks) {
                0.8
            } else {
                1.0
            };
            of_loops * if plan.k == Some(128) { 0.9 } else { 1.0 }
        };
        let found = search(&product, &mut fake(time, 1000)).unwrap();
        assert_eq!(found.plan.to_string(), "loops=blocks/k=128");
        assert!(found.is_complete && found.measured as usize <= PLANS);
    }

    #[test]
    fn small_gains_and_disturbances_are_none() {
        let product = product();
        let is_model = |plan: &Plan| *plan == Plan::default();
        let small = |plan: &Plan| if is_model(plan) { 1.0 } else { 0.97 };
        let found = search(&product, &mut fake(small, 1000)).unwrap();
        assert_eq!((found.plan, found.is_complete), (Plan::default(), true));
        // The model's plan is disturbed while the first other one is measured.
        let mut count = 0;
        let disturbed = |plan: &Plan| {
            count += 1;
            if is_model(plan) && count <= 2 * ROUNDS {
                2.0
            } else {
                1.0
            }
        };
        let found = search(&product, &mut fake(disturbed, 1000)).unwrap();
        assert_eq!((found.plan, found.is_complete), (Plan::default(), true));
    }

    #[test]
    fn a_search_ends_in_time() {
        let product = product();
        for left in [0, 1, 5, 20] {
            let mut bench = fake(|_: &Plan| 1.0, left);
            let found = search(&product, &mut bench).unwrap();
            assert!(!found.is_complete && bench.left < 2);
        }
    }
}
