//! The words of docs/style.md that hide the meaning of a sentence, counted in comments and
//! documents.

use super::{files, relative, root};
use std::{collections::BTreeMap, fs};

/// The number of listed words in each crate, tool or folder. Budgets only fall: a change that
/// removes words lowers the budget.
const BUDGETS: &[(&str, usize)] = &[
    ("ARCHITECTURE.md", 1),
    ("CONTRIBUTING.md", 1),
    ("README.md", 1),
    ("dialects/cpp", 5),
    ("docs", 15),
    ("src/codegen", 10),
    ("src/core", 3),
    ("src/distributed", 1),
    ("src/frontend", 1),
    ("src/hlo", 7),
    ("src/ir", 6),
    ("src/ods", 1),
    ("src/runtime", 8),
    ("tools/halo-reduce", 3),
    ("tools/halo-run", 1),
];

/// Words and phrases, divided by `|`, each with its replacements.
const PHRASES: &[(&str, &str)] = &[
    ("those of|Those of|that of|That of", "the noun"),
    ("those that|Those that|those which|that which", "the noun"),
    ("of its own|of their own", "its, a separate"),
    ("ask|asks|asked", "query, request"),
    ("tell|tells|told", "report, notify, distinguish"),
    ("know|knows|known to", "model, record, support"),
    ("say|says|said", "specify, document, report"),
    ("see|sees|seen by", "detect, read, visible to"),
    ("meet|meets|met", "visit, encounter"),
    ("behind", "after"),
    ("beside", "next to, with, in addition to"),
    ("anew", "again"),
    ("left over", "remainder"),
    ("lie across|lies across", "strided, transposed"),
    ("go on|goes on", "continue"),
    ("is there|are there", "exists, is present"),
    ("verdict|verdicts", "result, summary"),
    ("graveyard", "deferred deletion"),
    ("neighbour|neighbours", "adjacent"),
];

/// Pronouns that hide a noun at the beginning of a clause or after one of [`BEFORE`].
const PRONOUNS: &str = "what|What|who|Who|whoever|Whoever|nobody|Nobody|somebody|Somebody";
const BEFORE: &str = "of in with by for from to and or at on is are";

/// The page that lists the words, files of other authors, and generated pages.
const EXEMPT: &str = "docs/style.md src/pjrt-api/headers/ docs/language/ docs/passes/ docs/pipelines/ \
                      docs/tools/";

fn is_of_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

/// The positions of a word in a text.
fn positions(text: &str, word: &str) -> Vec<usize> {
    let is_word = |at: usize| {
        let (before, rest) = text.split_at(at);
        !before.ends_with(is_of_word) && !rest[word.len()..].starts_with(is_of_word)
    };
    let found = text.match_indices(word).map(|(at, _)| at);
    found.filter(|at| is_word(*at)).collect()
}

/// Returns true if a noun is expected after a text.
fn expects_noun(text: &str) -> bool {
    let Some(before) = text.strip_suffix(' ') else {
        return text.is_empty();
    };
    let word = before.rsplit(|c| !is_of_word(c)).next().unwrap_or_default();
    before.ends_with(['.', ';', ':', ',', '(']) || BEFORE.split(' ').any(|it| it == word)
}

/// The listed words in a text, each with its replacement.
fn hits(text: &str) -> Vec<(&'static str, &'static str)> {
    let mut found = Vec::new();
    for (phrases, instead) in PHRASES {
        for phrase in phrases.split('|') {
            found.extend(positions(text, phrase).iter().map(|_| (phrase, *instead)));
        }
    }
    for pronoun in PRONOUNS.split('|') {
        let stands_for_noun = |at: &usize| {
            expects_noun(&text[..*at]) && !text[at + pronoun.len()..].starts_with('\'')
        };
        let count = positions(text, pronoun).into_iter().filter(stands_for_noun).count();
        found.extend(vec![(pronoun, "a noun"); count]);
    }
    found
}

#[test]
fn listed_words_are_found() {
    let words = |text| hits(text).into_iter().map(|(word, _)| word).collect::<Vec<_>>();
    assert_eq!(words("What it asks of who"), ["asks", "What", "who"]);
    assert_eq!(words("Those of it, behind"), ["Those of", "behind"]);
    assert!(words("The asker, somewhat seen; what's known").is_empty());
}

/// The text of a comment, or the line of a document.
fn prose(line: &str, is_document: bool) -> &str {
    if is_document {
        return line;
    }
    let text = line.split_once("//").map_or("", |(_, text)| text);
    text.strip_prefix(['/', '!']).unwrap_or(text).trim()
}

#[test]
fn comments_use_the_terms_of_the_field() {
    let paths = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"];
    let mut paths = paths.map(|path| root().join(path)).to_vec();
    for folder in ["src", "tools", "dialects", "docs"] {
        paths.extend(files(&root().join(folder), &["rs", "md", "td", "cpp", "h"]));
    }
    paths.sort();
    let mut found: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for path in paths {
        let name = relative(&path);
        if EXEMPT.split_whitespace().any(|exempt| name.starts_with(exempt)) {
            continue;
        }
        let parts: Vec<&str> = name.split('/').collect();
        let unit = match parts[..] {
            [first @ ("src" | "tools" | "dialects"), second, _, ..] => format!("{first}/{second}"),
            _ => parts[0].to_owned(),
        };
        let lines = found.entry(unit).or_default();
        for (number, line) in fs::read_to_string(&path).unwrap().lines().enumerate() {
            for (word, instead) in hits(prose(line, name.ends_with(".md"))) {
                let line = number + 1;
                lines.push(format!("{name}:{line}: {word}, use {instead} instead"));
            }
        }
    }
    let mut budgets: BTreeMap<&str, usize> = BUDGETS.iter().copied().collect();
    let mut wrong = Vec::new();
    for (unit, lines) in &found {
        let (count, budget) = (lines.len(), budgets.remove(unit.as_str()));
        let budget = budget.unwrap_or_default();
        if count > budget {
            wrong.extend_from_slice(lines);
            wrong.push(format!("{unit}: {count} words, expected {budget}"));
        }
        if count < budget {
            wrong.push(format!("{unit}: lower the budget to {count}"));
        }
    }
    wrong.extend(budgets.keys().map(|unit| format!("{unit}: no such unit")));
    assert!(wrong.is_empty(), "{}\nsee docs/style.md", wrong.join("\n"));
}
