//! Pipelines that users write: text to [`Pipeline`], and MLIR's opinion of the result.
//!
//! The syntax is MLIR's, with the enclosing `builtin.module(...)` optional. A name is first looked
//! up among the passes written in Rust, so that [`Pipeline::check`] checks their options before
//! MLIR is called.

use super::{MODULE, OptionValue, PassReference, Pipeline, ScheduledPass, Step};
use crate::{
    diagnostics::{append, with_diagnostics},
    pass::{OptionKind, PassDeclaration, PipelineError, registered},
};
use melior::{Context, StringRef};
use mlir_sys::MlirStringRef;
use std::{borrow::Cow, ffi::c_void};

/// The maximum nesting of pipelines.
const MAX_DEPTH: usize = 32;

impl Pipeline {
    /// Reads a pipeline in MLIR's syntax: `func.func(my-pass{x=1}),cse`.
    ///
    /// # Errors
    /// Returns [`PipelineError::NotParsed`] with the position of the error.
    pub fn parse(text: &str) -> Result<Self, PipelineError> {
        let mut parser = Parser {
            text,
            position: 0,
            passes: registered()
                .into_iter()
                .filter_map(|registered| registered.declaration)
                .collect(),
        };
        let mut pipeline = parser.pipeline(0).map_err(PipelineError::NotParsed)?;
        if let [Step::Nested { anchor, .. }] = pipeline.steps.as_slice()
            && anchor == MODULE
            && let Some(Step::Nested {
                pipeline: inner, ..
            }) = pipeline.steps.pop()
        {
            pipeline = inner;
        }
        match parser.rest() {
            "" => Ok(pipeline),
            _ => Err(PipelineError::NotParsed(
                parser.expected("',' or the end of the passes"),
            )),
        }
    }

    /// Checks that all passes and their options exist in MLIR. Nothing runs.
    ///
    /// # Errors
    /// Returns [`PipelineError::NotParsed`] with the first invalid pass.
    pub fn check_in(&self, context: &Context) -> Result<(), PipelineError> {
        self.check()?;
        let text = format!("{MODULE}({self})");
        let mut said: Vec<u8> = Vec::new();
        let (parsed, errors) = with_diagnostics(context, || {
            // SAFETY: The context is valid, the manager is destroyed after its last use,
            // and the callback gets the vector that it expects.
            unsafe {
                let manager = mlir_sys::mlirPassManagerCreateOnOperation(
                    context.to_raw(),
                    StringRef::new(MODULE).to_raw(),
                );
                let parsed = mlir_sys::mlirParsePassPipeline(
                    mlir_sys::mlirPassManagerGetAsOpPassManager(manager),
                    StringRef::new(&text).to_raw(),
                    Some(append),
                    (&raw mut said).cast(),
                );
                mlir_sys::mlirPassManagerDestroy(manager);
                parsed.value != 0
            }
        });
        if parsed {
            return Ok(());
        }
        for error in errors {
            said.push(b'\n');
            said.extend_from_slice(error.message.as_bytes());
        }
        let mut reason: Vec<u8> = Vec::new();
        // SAFETY: The text lives during the call; the callback gets the vector that it
        // expects.
        unsafe {
            let said = MlirStringRef {
                data: said.as_ptr().cast(),
                length: said.len(),
            };
            haloDescribePipelineFault(said, append, (&raw mut reason).cast());
        }
        let reason = String::from_utf8_lossy(&reason);
        Err(PipelineError::NotParsed(match &*reason {
            "" => format!("MLIR takes no pipeline '{text}'"),
            reason => reason.to_owned(),
        }))
    }
}

unsafe extern "C" {
    fn haloDescribePipelineFault(
        said: MlirStringRef,
        say: unsafe extern "C" fn(MlirStringRef, *mut c_void),
        data: *mut c_void,
    );
}

struct Parser<'t> {
    text: &'t str,
    position: usize,
    passes: Vec<&'static PassDeclaration>,
}

impl<'t> Parser<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.position..]
    }

    fn skip_spaces(&mut self) {
        let rest = self.rest();
        self.position += rest.len() - rest.trim_start().len();
    }

    fn take(&mut self, letter: char) -> bool {
        let found = self.rest().starts_with(letter);
        if found {
            self.position += letter.len_utf8();
        }
        found
    }

    fn expected(&self, what: &str) -> String {
        let number = self.text[..self.position].chars().count() + 1;
        format!("expected {what} at character {number} of '{}'", self.text)
    }

    fn pipeline(&mut self, depth: usize) -> Result<Pipeline, String> {
        if depth > MAX_DEPTH {
            return Err(self.expected(&format!("at most {MAX_DEPTH} nested pipelines")));
        }
        let mut pipeline = Pipeline::default();
        loop {
            self.skip_spaces();
            let rest = self.rest();
            let is_end = |letter: char| ",(){}".contains(letter) || letter.is_whitespace();
            let name = &rest[..rest.find(is_end).unwrap_or(rest.len())];
            if name.is_empty() {
                return Err(self.expected("the name of a pass"));
            }
            self.position += name.len();
            pipeline.steps.push(self.step(name, depth)?);
            self.skip_spaces();
            if !self.take(',') {
                return Ok(pipeline);
            }
        }
    }

    /// The step after a name.
    fn step(&mut self, name: &str, depth: usize) -> Result<Step, String> {
        if self.take('(') {
            let pipeline = self.pipeline(depth + 1)?;
            if !self.take(')') {
                return Err(self.expected("')'"));
            }
            let anchor = Cow::Owned(name.to_owned());
            return Ok(Step::Nested { anchor, pipeline });
        }
        let declared = self.passes.iter().find(|pass| pass.argument == name);
        let declared = declared.copied();
        let pass = match declared {
            Some(declaration) => PassReference::Declared(declaration),
            None => PassReference::Upstream(Cow::Owned(name.to_owned())),
        };
        let mut options = Vec::new();
        if self.take('{') {
            loop {
                self.skip_spaces();
                if self.take('}') {
                    break;
                }
                let (option, value) = self.option()?;
                let kind = declared.and_then(|pass| {
                    let mut declared = pass.options.iter();
                    let found = declared.find(|declared| declared.name == option)?;
                    Some(found.kind)
                });
                options.push((Cow::Owned(option), typed(value, kind)));
            }
        }
        Ok(Step::Pass(ScheduledPass { pass, options }))
    }

    /// A name and its value; a name alone sets a flag.
    fn option(&mut self) -> Result<(String, String), String> {
        let rest = self.rest();
        let is_end = |letter: char| "={},\"'".contains(letter) || letter.is_whitespace();
        let name = &rest[..rest.find(is_end).unwrap_or(rest.len())];
        if name.is_empty() {
            return Err(self.expected("the name of an option, or '}'"));
        }
        self.position += name.len();
        if !self.take('=') {
            return Ok((name.to_owned(), "true".to_owned()));
        }
        let (mut depth, mut quote) = (0usize, None);
        let rest = self.rest();
        let end = rest.char_indices().find(|(_, letter)| {
            match (quote, letter) {
                (Some(open), letter) if open == *letter => quote = None,
                (Some(_), _) => {}
                (None, '"' | '\'') => quote = Some(*letter),
                (None, '{') => depth += 1,
                (None, '}') if depth == 0 => return true,
                (None, '}') => depth -= 1,
                (None, letter) => return depth == 0 && letter.is_whitespace(),
            }
            false
        });
        let Some((end, _)) = end else {
            self.position = self.text.len();
            return Err(self.expected("'}'"));
        };
        self.position += end;
        let value = &rest[..end];
        let inner = ['"', '\''].into_iter().find_map(|quote| {
            let inner = value.strip_prefix(quote)?.strip_suffix(quote)?;
            (!inner.contains(quote)).then_some(inner)
        });
        Ok((name.to_owned(), inner.unwrap_or(value).to_owned()))
    }
}

/// A value of its declared kind, or a text, which a check then rejects.
fn typed(value: String, kind: Option<OptionKind>) -> OptionValue {
    let typed = match kind {
        Some(OptionKind::Bool) => value.parse().ok().map(OptionValue::Bool),
        Some(OptionKind::Integer { .. }) => value.parse().ok().map(OptionValue::Integer),
        _ => None,
    };
    typed.unwrap_or(OptionValue::Text(Cow::Owned(value)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fails(text: &str) -> String {
        Pipeline::parse(text).unwrap_err().to_string()
    }

    #[test]
    fn text_is_read_as_it_is_written() {
        for text in [
            "cse",
            "canonicalize{region-simplify=disabled max-iterations=3},cse",
            "func.func(a,gpu.module(b{x=y}),c),d",
            "a{list=x,y,z other={1 {2}}}",
        ] {
            let pipeline = Pipeline::parse(text).unwrap();
            // A text with spaces is quoted.
            let written = text.replace("{1 {2}}", "\"{1 {2}}\"");
            assert_eq!(pipeline.to_string(), written);
        }
        let pipeline = Pipeline::parse(" builtin.module( a{ x y='1 2' } , b ) ").unwrap();
        assert_eq!(pipeline.to_string(), "a{x=true y=\"1 2\"},b");
    }

    #[test]
    fn errors_name_the_character() {
        for (text, message) in [
            ("", "expected the name of a pass at character 1 of ''"),
            ("a,", "expected the name of a pass at character 3 of 'a,'"),
            ("f(a", "expected ')' at character 4 of 'f(a'"),
            (
                "a)",
                "expected ',' or the end of the passes at character 2 of 'a)'",
            ),
            (
                "a b",
                "expected ',' or the end of the passes at character 3 of 'a b'",
            ),
            ("a{x=1", "expected '}' at character 6 of 'a{x=1'"),
            ("a{x='1}", "expected '}' at character 8 of 'a{x='1}'"),
            (
                "ä{=1}",
                "expected the name of an option, or '}' at character 3 of 'ä{=1}'",
            ),
        ] {
            assert_eq!(fails(text), message);
        }
        let deep = "f(".repeat(100_000);
        assert!(fails(&deep).starts_with("expected at most 32 nested pipelines at character 67"));
    }
}
