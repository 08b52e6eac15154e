//! Panics that are caught where errors are expected: at the borders to code of others.

use std::any::Any;

/// The text of a caught panic.
pub fn panic_message(payload: &(dyn Any + Send)) -> &str {
    let text = payload.downcast_ref::<&str>().copied();
    text.or_else(|| payload.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("no message")
}

#[cfg(test)]
mod tests {
    use super::panic_message;
    use std::panic::catch_unwind;

    #[test]
    fn texts_of_panics() {
        let text = |run: fn()| {
            let payload = catch_unwind(run).unwrap_err();
            panic_message(&*payload).to_owned()
        };
        assert_eq!(text(|| panic!("plain")), "plain");
        assert_eq!(text(|| panic!("with {}", 2)), "with 2");
        assert_eq!(text(|| std::panic::panic_any(7)), "no message");
    }
}
