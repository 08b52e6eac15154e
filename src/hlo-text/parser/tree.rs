//! The grammar's parse tree, for the other modules of the parser.

use pest::iterators::Pair;

use super::{
    cursor::{Cursor, Item},
    grammar::Rule,
};
use crate::ParseError;

impl<'a> Item<'a> {
    /// The items within this one, without punctuation.
    pub(super) fn children(&self) -> impl Iterator<Item = Item<'a>> + use<'a> {
        let at = self.at;
        let parts = self.pair.clone().into_inner();
        let parts = parts.filter(|pair| !is_punctuation(pair));
        parts.map(move |pair| Item { at, pair })
    }

    pub(super) fn rule(&self) -> Rule {
        self.pair.as_rule()
    }

    pub(super) fn text(&self) -> &'a str {
        self.pair.as_str()
    }

    /// The byte offset in the text.
    pub(super) fn offset(&self) -> usize {
        self.at + self.pair.as_span().start()
    }

    /// The only item in it.
    pub(super) fn only_child(&self, cursor: &Cursor) -> Result<Item<'a>, ParseError> {
        let child = self.children().next();
        child.ok_or_else(|| cursor.error_at(self.offset(), "expected more"))
    }

    /// A name without its `%`.
    pub(super) fn name(&self) -> String {
        let text = self.text();
        text.strip_prefix('%').unwrap_or(text).to_owned()
    }

    /// Its value as a number.
    pub(super) fn integer(&self, cursor: &Cursor) -> Result<i64, ParseError> {
        integer(cursor, self.offset(), self.text())
    }

    /// The numbers in it.
    pub(super) fn integers(&self, cursor: &Cursor) -> Result<Vec<i64>, ParseError> {
        let numbers = self.children().filter(|item| item.rule() == Rule::integer);
        numbers.map(|item| item.integer(cursor)).collect()
    }
}

/// The numbers between brackets and commas.
pub(super) fn numbers(cursor: &Cursor, item: &Item) -> Result<Vec<i64>, ParseError> {
    let inner = item.text();
    let inner = inner.get(1..inner.len().saturating_sub(1)).unwrap_or_default();
    if inner.is_empty() {
        return Ok(Vec::new());
    }
    numbers_in(cursor, item.offset() + 1, inner)
}

/// The numbers between commas.
pub(super) fn numbers_in(
    cursor: &Cursor,
    mut offset: usize,
    text: &str,
) -> Result<Vec<i64>, ParseError> {
    let numbers = text.split(',').map(|number| {
        let at = offset;
        offset += number.len() + 1;
        match number.trim_ascii() {
            "" => Err(cursor.expected_at(at, "an integer")),
            digits => integer(cursor, at, digits),
        }
    });
    numbers.collect()
}

/// The number that a text is.
pub(super) fn integer(cursor: &Cursor, offset: usize, text: &str) -> Result<i64, ParseError> {
    integer_text(cursor.text, offset, text)
}

/// Parses the number at a byte offset of a text.
pub(crate) fn integer_text(text: &str, offset: usize, number: &str) -> Result<i64, ParseError> {
    number.parse().map_err(|_| {
        let shown: String = number.chars().take(40).collect();
        let message = format!("'{shown}' is not an integer of 64 bits");
        ParseError::new(text, offset, message)
    })
}

fn is_punctuation(pair: &Pair<Rule>) -> bool {
    matches!(
        pair.as_rule(),
        Rule::equals
            | Rule::comma
            | Rule::colon
            | Rule::arrow
            | Rule::at_most
            | Rule::open_paren
            | Rule::close_paren
            | Rule::open_brace
            | Rule::close_brace
            | Rule::open_square
            | Rule::close_square
    )
}
