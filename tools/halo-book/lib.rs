//! Checks of the book in `docs/`. `tests/book` runs them, and generates the pages of dialects,
//! passes, pipelines and tools.
//!
//! | module | contents |
//! |---|---|
//! | [`pages`] | the files of the book, its table of contents, and the other documents |
//! | [`markdown`] | links, headings and blocks of code of a page |
//! | [`paths`] | paths and excerpts of files of the repository |
//! | [`commands`] | command lines of `sh` blocks: their tools and options exist |
//! | [`transcript`] | `console` blocks: they are run, and print what the page shows |

pub mod commands;
pub mod markdown;
pub mod pages;
pub mod paths;
pub mod transcript;
