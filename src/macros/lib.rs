//! Procedural macros that parse text of the program, which a declarative macro cannot do.
//! `halo_ir::template!` uses them, and `src/ir/tests/passes/template.rs` tests them.

use proc_macro::{Delimiter, Ident, Literal, Span, TokenStream, TokenTree};

/// The variables that a text names, each as `$name`, as an array of pairs of the name and the
/// variable, converted to the array's element type. As in `format!`, a name that is not a variable
/// is a compile error.
#[proc_macro]
pub fn captures(text: TokenStream) -> TokenStream {
    let Some(literal) = literal(text) else {
        return error("a template is a string literal");
    };
    let mut names: Vec<String> = Vec::new();
    for part in literal.to_string().split('$').skip(1) {
        let is_end = |letter: char| !(letter.is_ascii_alphanumeric() || letter == '_');
        let name = &part[..part.find(is_end).unwrap_or(part.len())];
        if name.is_empty() || name.starts_with(|letter: char| letter.is_ascii_digit()) {
            return error("'$' in a template is followed by the name of a variable");
        }
        if !names.iter().any(|other| other == name) {
            names.push(name.to_owned());
        }
    }
    let pairs: String = names
        .iter()
        .map(|name| format!("({name:?}, ::core::convert::Into::into({name})),"))
        .collect();
    let span = literal.span();
    match format!("[{pairs}]").parse::<TokenStream>() {
        Ok(array) => resolved_at(array, &names, span),
        Err(_) => error("'$' in a template is followed by the name of a variable"),
    }
}

/// The line of a text in its file.
#[proc_macro]
pub fn line_of(text: TokenStream) -> TokenStream {
    match literal(text) {
        Some(literal) => {
            let line = u32::try_from(literal.span().start().line()).unwrap_or(1);
            TokenTree::from(Literal::u32_suffixed(line)).into()
        }
        None => error("a template is a string literal"),
    }
}

/// The string literal that a macro was given, possibly by another macro.
fn literal(text: TokenStream) -> Option<Literal> {
    let mut tokens = text.into_iter();
    match (tokens.next(), tokens.next()) {
        (Some(TokenTree::Literal(literal)), None) if literal.to_string().ends_with(['"', '#']) => {
            Some(literal)
        }
        (Some(TokenTree::Group(group)), None) if group.delimiter() == Delimiter::None => {
            self::literal(group.stream())
        }
        _ => None,
    }
}

/// The tokens, in which these names mean what they mean at the place of the text.
fn resolved_at(tokens: TokenStream, names: &[String], span: Span) -> TokenStream {
    tokens
        .into_iter()
        .map(|token| match token {
            TokenTree::Ident(ident) if names.contains(&ident.to_string()) => {
                Ident::new(&ident.to_string(), span).into()
            }
            TokenTree::Group(group) => {
                let inner = resolved_at(group.stream(), names, span);
                proc_macro::Group::new(group.delimiter(), inner).into()
            }
            other => other,
        })
        .collect()
}

fn error(message: &str) -> TokenStream {
    let text = format!("::core::compile_error!({message:?})");
    text.parse().unwrap_or_default()
}
