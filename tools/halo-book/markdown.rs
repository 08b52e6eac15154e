//! Parses a page of Markdown: links, anchors, and blocks of code.

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};
use std::collections::{HashMap, HashSet};

/// The parts of a page.
#[derive(Clone, Debug, Default)]
pub struct Document {
    pub links: Vec<Link>,
    /// The anchors of headings, as mdBook and GitHub generate them.
    pub anchors: HashSet<String>,
    pub blocks: Vec<Block>,
    /// Inline code, each with its line, counted from 1.
    pub inline_code: Vec<(String, usize)>,
}

/// A link or an image.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    pub target: String,
    /// Its line in the page, counted from 1.
    pub line: usize,
}

/// A block of code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// The language; empty for none.
    pub language: String,
    pub text: String,
    /// Its line in the page, counted from 1.
    pub line: usize,
    /// The HTML comment directly before it, which selects the check.
    pub note: Option<String>,
}

/// Parses a page.
pub fn read(text: &str) -> Document {
    let mut document = Document::default();
    let mut seen: HashMap<String, usize> = HashMap::new();
    let mut heading: Option<String> = None;
    let mut block: Option<Block> = None;
    let mut note: Option<String> = None;
    let options = Options::ENABLE_TABLES;
    for (event, range) in Parser::new_ext(text, options).into_offset_iter() {
        let line =
            || text[..range.start].lines().count() + usize::from(at_line_start(text, range.start));
        match event {
            Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                document.links.push(Link {
                    target: dest_url.into_string(),
                    line: line(),
                });
            }
            Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
            Event::End(TagEnd::Heading(_)) => {
                let anchor = anchor_of(&heading.take().unwrap_or_default());
                let count = seen.entry(anchor.clone()).or_default();
                document.anchors.insert(match *count {
                    0 => anchor,
                    count => format!("{anchor}-{count}"),
                });
                *count += 1;
            }
            Event::Start(Tag::CodeBlock(kind)) => {
                let language = match &kind {
                    CodeBlockKind::Fenced(words) => {
                        words.split([' ', ',']).next().unwrap_or_default()
                    }
                    CodeBlockKind::Indented => "",
                };
                block = Some(Block {
                    language: language.to_owned(),
                    text: String::new(),
                    line: line(),
                    note: note.take(),
                });
            }
            Event::End(TagEnd::CodeBlock) => document.blocks.extend(block.take()),
            Event::Html(html) => {
                let comment = html.trim().strip_prefix("<!--");
                let comment = comment.and_then(|rest| rest.strip_suffix("-->"));
                if let Some(comment) = comment {
                    note = Some(comment.trim().to_owned());
                }
            }
            Event::Text(piece) => {
                if let Some(block) = &mut block {
                    block.text.push_str(&piece);
                } else if let Some(heading) = &mut heading {
                    heading.push_str(&piece);
                }
            }
            Event::Code(piece) => {
                document.inline_code.push((piece.to_string(), line()));
                if let Some(heading) = &mut heading {
                    heading.push_str(&piece);
                }
            }
            // A note applies only to the block directly after it.
            Event::Start(Tag::Paragraph) => note = None,
            _ => {}
        }
    }
    document
}

fn at_line_start(text: &str, offset: usize) -> bool {
    offset == 0 || text[..offset].ends_with('\n')
}

/// The anchor of a heading.
pub fn anchor_of(heading: &str) -> String {
    let letters = heading.chars().filter_map(|letter| match letter {
        letter if letter.is_alphanumeric() || letter == '_' || letter == '-' => {
            Some(letter.to_lowercase().next().unwrap_or(letter))
        }
        letter if letter.is_whitespace() => Some('-'),
        _ => None,
    });
    letters.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "# A *page*, `x.y`\n\n## Part\n\n[a](b.md#c) ![i](p.svg)\n\n## Part\n\n\
        <!-- file: a.mlir -->\n```mlir\nfunc\n```\n\nText\n\n```sh\nls\n```\n";

    #[test]
    fn links_anchors_and_blocks_are_found() {
        let page = read(PAGE);
        let targets: Vec<_> =
            page.links.iter().map(|link| (link.target.as_str(), link.line)).collect();
        assert_eq!(targets, [("b.md#c", 5), ("p.svg", 5)]);
        assert_eq!(page.inline_code, [("x.y".to_owned(), 1)]);
        for anchor in ["a-page-xy", "part", "part-1"] {
            assert!(page.anchors.contains(anchor), "{:?}", page.anchors);
        }
        let block = |language: &str, text: &str, line, note: Option<&str>| Block {
            language: language.to_owned(),
            text: text.to_owned(),
            line,
            note: note.map(str::to_owned),
        };
        assert_eq!(
            page.blocks,
            [
                block("mlir", "func\n", 10, Some("file: a.mlir")),
                block("sh", "ls\n", 16, None),
            ]
        );
    }
}
