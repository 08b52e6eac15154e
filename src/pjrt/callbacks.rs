//! Callbacks into the framework's language, as created by `jax.pure_callback`.
//!
//! Such a call is a custom call with the number of the function. The framework has one function for
//! all of them, the dispatcher, which looks up the number:
//!
//! ```c
//! // Before the first program with such a call is compiled.
//! void halo_set_callback_dispatcher(HaloCustomCallFunction);
//! // Whether an executable, or a run of it, may still call the function with a number.
//! int32_t halo_callback_is_bound(int64_t index);
//! ```
//!
//! The types are defined in [`halo_runtime::custom_call::c_interface`].

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use halo_runtime::custom_call::c_interface::{self, HaloCustomCallFunction};
use halo_runtime::custom_call::{CustomCallRegistry, CustomCallSite, Handler};

/// The custom call, and its attribute with the number.
pub const TARGET: &str = "halo_python_callback";
const INDEX: &str = "index";

static DISPATCHER: Mutex<Option<HaloCustomCallFunction>> = Mutex::new(None);

/// The number of call sites of loaded executables for each function number.
static BOUND: Mutex<BTreeMap<i64, usize>> = Mutex::new(BTreeMap::new());

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Counts a call site until it is dropped, with its executable.
struct Bound(i64);

impl Bound {
    fn new(index: i64) -> Self {
        *lock(&BOUND).entry(index).or_insert(0) += 1;
        Self(index)
    }
}

impl Drop for Bound {
    fn drop(&mut self) {
        let mut bound = lock(&BOUND);
        if let Some(count) = bound.get_mut(&self.0) {
            *count -= 1;
            if *count == 0 {
                bound.remove(&self.0);
            }
        }
    }
}

/// The custom calls that programs of frameworks may use.
pub fn registry() -> Arc<CustomCallRegistry> {
    let mut registry = CustomCallRegistry::default();
    registry.register_factory(TARGET, bind);
    Arc::new(registry)
}

fn bind(site: &CustomCallSite) -> Result<Handler, String> {
    let dispatcher = *lock(&DISPATCHER);
    let dispatcher = dispatcher.ok_or("the framework has set no dispatcher of callbacks")?;
    let index = site.attributes.required(INDEX)?.integer();
    let index = index.ok_or_else(|| format!("attribute '{INDEX}' is no integer"))?;
    let bound = Bound::new(index);
    // SAFETY: the dispatcher's owner vouches that it follows the interface as long as the process
    // runs.
    let handler = unsafe { c_interface::handler(site, dispatcher, std::ptr::null_mut()) };
    Ok(Arc::new(move |call| {
        let _kept = &bound;
        handler(call)
    }))
}

/// Sets the dispatcher of all callbacks.
///
/// # Safety
/// The function must follow the interface of custom calls, on any thread, as long as the process
/// runs programs.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn halo_set_callback_dispatcher(function: HaloCustomCallFunction) {
    *lock(&DISPATCHER) = Some(function);
}

/// Returns 1 if a loaded or running executable calls the function with this number, and 0
/// otherwise.
#[unsafe(no_mangle)]
pub extern "C" fn halo_callback_is_bound(index: i64) -> i32 {
    i32::from(lock(&BOUND).contains_key(&index))
}

#[cfg(test)]
mod tests {
    use super::*;
    use halo_core::Scalar;
    use halo_runtime::custom_call::Attribute;

    unsafe extern "C" fn succeed(_: *const c_interface::HaloCustomCall) -> i32 {
        0
    }

    #[test]
    fn a_number_is_bound_while_a_call_site_has_it() {
        let mut site = CustomCallSite::new(TARGET, Vec::new(), Vec::new());
        let registry = registry();
        assert!(registry.bind(&site).is_err());
        // SAFETY: the function does nothing.
        unsafe { halo_set_callback_dispatcher(succeed) };
        let message = registry.bind(&site).err().unwrap().to_string();
        assert!(message.contains(INDEX), "{message}");
        let number = Attribute::Number(halo_core::ElementType::Ui64, Scalar::Int(7));
        site.attributes.0.insert(INDEX.to_owned(), number);
        assert_eq!(halo_callback_is_bound(7), 0);
        let handlers = [registry.bind(&site).unwrap(), registry.bind(&site).unwrap()];
        assert_eq!(halo_callback_is_bound(7), 1);
        registry.call(&site, &[]).unwrap();
        drop(handlers);
        assert_eq!(halo_callback_is_bound(7), 0);
    }
}
