//! The items of the language, one [`Rule`] for each.

#[derive(pest_derive::Parser)]
#[grammar = "grammar.pest"]
pub(super) struct HloGrammar;
