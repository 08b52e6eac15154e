//! Assembly formats, in the syntax of `assemblyFormat` in ODS.
//!
//! | element | meaning |
//! |---|---|
//! | `` `text` `` | a keyword or punctuation |
//! | `$name` | operands, an attribute, a region or successors |
//! | `operands`, `results` | all of them |
//! | `type($name)`, `type(operands)` | types |
//! | `functional-type(a, b)` | `(types of a) -> (types of b)` |
//! | `attr-dict`, `attr-dict-with-keyword` | all other attributes |
//! | `` ` ` ``, ` `` ` | a space, and none, where one is printed by default |
//! | `(a b^ c)?`, `(a b^):(c)?` | elements that are printed if the anchor `b` is present, and their alternatives |
//!
//! A format is parsed once, when its dialect is registered, and made into a list of [`Directive`]s,
//! which dialects/cpp/dynamic/DynamicParser.cpp and DynamicPrinter.cpp follow. A format that does not
//! contain all parts of an op is an error then.

use super::declaration::{AttributeSyntax, OpDeclaration, OpTrait, Parameter, ParameterKind};
use crate::ops::definition::{Arity, Groups, Sizing};

/// A list of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum List {
    Operands,
    Operand(usize),
    Results,
    Result(usize),
}

/// An element of a format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Directive {
    Literal(String),
    Operands,
    Operand(usize),
    Attribute(usize),
    Region(usize),
    Successor(usize),
    Type(List),
    FunctionalType(List, List),
    AttrDict {
        keyword: bool,
    },
    Group {
        anchor: usize,
        elements: Vec<Directive>,
        otherwise: Vec<Directive>,
    },
}

/// Punctuation that MLIR's parser supports.
const PUNCTUATION: [&str; 17] = [
    "->", ":", ",", "=", "<", ">", "{", "}", "(", ")", "[", "]", "?", "+", "*", "|", "...",
];

/// A token of a format.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Token<'t> {
    Literal(&'t str),
    Variable(&'t str),
    Keyword(&'t str),
    Symbol(char),
}

/// Returns true if a text is a name in MLIR's syntax.
pub(super) fn is_name(text: &str) -> bool {
    let mut letters = text.chars();
    letters.next().is_some_and(|first| first.is_ascii_alphabetic() || first == '_')
        && letters.all(|letter| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '$' | '.'))
}

/// The tokens of a format, each with its position.
fn tokens(text: &str) -> Result<Vec<(usize, Token<'_>)>, String> {
    let mut tokens = Vec::new();
    let mut rest = text;
    loop {
        rest = rest.trim_start();
        let position = text.len() - rest.len();
        let Some(first) = rest.chars().next() else {
            return Ok(tokens);
        };
        let word = |text: &str| {
            text.find(|letter: char| !letter.is_ascii_alphanumeric() && !"_-".contains(letter))
                .unwrap_or(text.len())
        };
        let (token, length) = match first {
            '`' => {
                let Some(end) = rest[1..].find('`') else {
                    return Err(format!("at {position}: '`' is not closed"));
                };
                let literal = &rest[1..=end];
                let is_space = matches!(literal, "" | " ");
                if !is_space && !PUNCTUATION.contains(&literal) && !is_name(literal) {
                    return Err(format!(
                        "at {position}: '{literal}' is neither a keyword nor punctuation"
                    ));
                }
                (Token::Literal(literal), end + 2)
            }
            '$' => {
                let length = word(&rest[1..]);
                (Token::Variable(&rest[1..=length]), length + 1)
            }
            '(' | ')' | '?' | '^' | ':' | ',' => (Token::Symbol(first), 1),
            _ => match word(rest) {
                0 => return Err(format!("at {position}: unexpected '{first}'")),
                length => (Token::Keyword(&rest[..length]), length),
            },
        };
        tokens.push((position, token));
        rest = &rest[length..];
    }
}

/// The names that a format may use.
struct Names<'o> {
    op: &'o OpDeclaration,
}

impl Names<'_> {
    fn list(&self, name: &str) -> Option<List> {
        let info = self.op.info;
        let position = |groups: &[crate::ops::definition::Group]| {
            groups.iter().position(|group| group.name == name)
        };
        position(info.operands.groups)
            .map(List::Operand)
            .or_else(|| position(info.results.groups).map(List::Result))
    }

    fn variable(&self, name: &str) -> Option<Directive> {
        if let Some(List::Operand(index)) = self.list(name) {
            return Some(Directive::Operand(index));
        }
        let op = self.op;
        let attributes = op.attributes.iter().map(|attribute| attribute.name);
        let regions = op.regions.iter().map(|region| region.name);
        let successors = op.successors.iter().map(|successor| successor.name);
        let find = |mut names: Box<dyn Iterator<Item = &str>>| names.position(|one| one == name);
        find(Box::new(attributes))
            .map(Directive::Attribute)
            .or_else(|| find(Box::new(regions)).map(Directive::Region))
            .or_else(|| find(Box::new(successors)).map(Directive::Successor))
    }
}

/// Reads tokens.
struct Reader<'t, 'o> {
    tokens: Vec<(usize, Token<'t>)>,
    next: usize,
    length: usize,
    names: Names<'o>,
}

impl<'t> Reader<'t, '_> {
    fn peek(&self) -> Option<&Token<'t>> {
        self.tokens.get(self.next).map(|(_, token)| token)
    }

    fn position(&self) -> usize {
        self.tokens.get(self.next).map_or(self.length, |(position, _)| *position)
    }

    fn error<T>(&self, message: impl std::fmt::Display) -> Result<T, String> {
        Err(format!("at {}: {message}", self.position()))
    }

    fn takes(&mut self, symbol: char) -> bool {
        let found = self.peek() == Some(&Token::Symbol(symbol));
        self.next += usize::from(found);
        found
    }

    fn expect(&mut self, symbol: char) -> Result<(), String> {
        if self.takes(symbol) {
            Ok(())
        } else {
            self.error(format_args!("expected '{symbol}'"))
        }
    }

    /// A list of values: `$name`, `type($name)`, `operands` or `results`.
    fn list(&mut self) -> Result<List, String> {
        let list = match self.peek() {
            Some(Token::Variable(name)) => match self.names.list(name) {
                Some(list) => list,
                None => return self.error(format_args!("there is no operand or result '{name}'")),
            },
            Some(Token::Keyword("operands")) => List::Operands,
            Some(Token::Keyword("results")) => List::Results,
            Some(Token::Keyword("type")) => {
                self.next += 1;
                return self.in_parentheses();
            }
            _ => return self.error("expected '$' and a name, 'operands' or 'results'"),
        };
        self.next += 1;
        Ok(list)
    }

    fn in_parentheses(&mut self) -> Result<List, String> {
        self.expect('(')?;
        let list = self.list()?;
        self.expect(')')?;
        Ok(list)
    }

    fn element(&mut self) -> Result<Directive, String> {
        let directive = match self.peek() {
            Some(Token::Literal(text)) => Directive::Literal((*text).to_owned()),
            Some(Token::Variable(name)) => match self.names.variable(name) {
                Some(directive) => directive,
                None => {
                    return self.error(format_args!(
                        "there is no operand, attribute, region or successor '{name}'"
                    ));
                }
            },
            Some(Token::Keyword("operands")) => Directive::Operands,
            Some(Token::Keyword("attr-dict")) => Directive::AttrDict { keyword: false },
            Some(Token::Keyword("attr-dict-with-keyword")) => Directive::AttrDict { keyword: true },
            Some(Token::Keyword("type")) => {
                self.next += 1;
                return Ok(Directive::Type(self.in_parentheses()?));
            }
            Some(Token::Keyword("functional-type")) => {
                self.next += 1;
                self.expect('(')?;
                let inputs = self.list()?;
                self.expect(',')?;
                let results = self.list()?;
                self.expect(')')?;
                return Ok(Directive::FunctionalType(inputs, results));
            }
            Some(Token::Keyword(word)) => return self.error(format_args!("unknown word '{word}'")),
            Some(Token::Symbol(symbol)) => {
                return self.error(format_args!("unexpected '{symbol}'"));
            }
            None => return self.error("unexpected end"),
        };
        self.next += 1;
        Ok(directive)
    }

    /// Elements up to `)`, with the position of the anchor.
    fn elements(&mut self) -> Result<(Vec<Directive>, Option<usize>), String> {
        let mut elements = Vec::new();
        let mut anchor = None;
        while !self.takes(')') {
            if self.peek() == Some(&Token::Symbol('(')) {
                return self.error("optional groups cannot be nested");
            }
            elements.push(self.element()?);
            if self.peek() == Some(&Token::Symbol('^')) {
                if anchor.is_some() {
                    return self.error("an optional group has one anchor");
                }
                self.next += 1;
                anchor = Some(elements.len() - 1);
            }
        }
        Ok((elements, anchor))
    }

    fn group(&mut self) -> Result<Directive, String> {
        let (elements, anchor) = self.elements()?;
        let Some(anchor) = anchor else {
            return self.error("an optional group needs an anchor: an element with '^'");
        };
        let mut otherwise = Vec::new();
        if self.takes(':') {
            self.expect('(')?;
            let (elements, anchor) = self.elements()?;
            if anchor.is_some() {
                return self.error("elements in the place of others have no anchor");
            }
            otherwise = elements;
        }
        self.expect('?')?;
        self.check_first(&elements[0])?;
        self.check_anchor(&elements[anchor])?;
        Ok(Directive::Group {
            anchor,
            elements,
            otherwise,
        })
    }

    /// The first element determines whether the group is parsed.
    fn check_first(&self, first: &Directive) -> Result<(), String> {
        let op = self.names.op;
        let tells = match first {
            Directive::Literal(text) => !text.trim().is_empty(),
            Directive::Operands => true,
            Directive::Operand(index) => op.info.operands.groups[*index].arity != Arity::One,
            Directive::Attribute(index) => {
                let attribute = &op.attributes[*index];
                let is_told = !matches!(
                    attribute.constraint.syntax,
                    AttributeSyntax::Presence | AttributeSyntax::Parameters(_)
                );
                attribute.is_optional && is_told
            }
            Directive::Region(_) => true,
            _ => false,
        };
        if tells {
            Ok(())
        } else {
            self.error(
                "the first element of an optional group must be a literal, an optional operand \
                 or attribute, or a region",
            )
        }
    }

    fn check_anchor(&self, anchor: &Directive) -> Result<(), String> {
        let op = self.names.op;
        let may_lack = match anchor {
            Directive::Operands | Directive::Region(_) => true,
            Directive::Operand(index) | Directive::Type(List::Operand(index)) => {
                op.info.operands.groups[*index].arity != Arity::One
            }
            Directive::Type(List::Result(index)) => {
                op.info.results.groups[*index].arity != Arity::One
            }
            Directive::Type(_) => true,
            Directive::Attribute(index) => op.attributes[*index].is_optional,
            _ => false,
        };
        if may_lack {
            Ok(())
        } else {
            self.error("the anchor must be something that the op may lack")
        }
    }
}

/// The elements of a format, flattened, including elements of groups.
fn flat(directives: &[Directive]) -> Vec<&Directive> {
    directives
        .iter()
        .flat_map(|directive| match directive {
            Directive::Group {
                elements,
                otherwise,
                ..
            } => elements.iter().chain(otherwise).collect(),
            other => vec![other],
        })
        .collect()
}

/// Reads the format of an op.
pub(super) fn parse(op: &OpDeclaration, text: &str) -> Result<Vec<Directive>, String> {
    let mut reader = Reader {
        tokens: tokens(text)?,
        next: 0,
        length: text.len(),
        names: Names { op },
    };
    let mut directives = Vec::new();
    while reader.peek().is_some() {
        directives.push(if reader.takes('(') {
            reader.group()?
        } else {
            reader.element()?
        });
    }
    check(op, &directives)?;
    Ok(directives)
}

/// Checks that a format contains each part of an op once.
fn check(op: &OpDeclaration, directives: &[Directive]) -> Result<(), String> {
    let all = flat(directives);
    let count = |wanted: &dyn Fn(&Directive) -> bool| all.iter().filter(|one| wanted(one)).count();
    let dictionaries = count(&|one| matches!(one, Directive::AttrDict { .. }));
    if dictionaries != 1 {
        return Err(format!("has {dictionaries} 'attr-dict', but needs one"));
    }
    let once = |kind: &str, name: &str, count: usize| match count {
        1 => Ok(()),
        0 => Err(format!("does not have {kind} '{name}'")),
        _ => Err(format!("has {kind} '{name}' {count} times")),
    };
    let are_all = count(&|one| *one == Directive::Operands);
    for (index, group) in op.info.operands.groups.iter().enumerate() {
        let found = count(&|one| *one == Directive::Operand(index));
        once("operand", group.name, found + are_all)?;
    }
    if are_all > 0 && op.info.operands.sizing == Sizing::Segments {
        return Err(
            "has 'operands', which does not tell where one of several groups of operands ends"
                .to_owned(),
        );
    }
    for (index, region) in op.regions.iter().enumerate() {
        once(
            "region",
            region.name,
            count(&|one| *one == Directive::Region(index)),
        )?;
    }
    for (index, successor) in op.successors.iter().enumerate() {
        let found = count(&|one| *one == Directive::Successor(index));
        once("successor", successor.name, found)?;
    }
    for (index, attribute) in op.attributes.iter().enumerate() {
        if count(&|one| *one == Directive::Attribute(index)) > 1 {
            once("attribute", attribute.name, 2)?;
        }
    }
    check_types(op, &all)
}

/// Checks that the types of all operands and results are known.
fn check_types(op: &OpDeclaration, all: &[&Directive]) -> Result<(), String> {
    let told = |list: List| {
        all.iter().any(|one| match one {
            Directive::Type(other) => *other == list,
            Directive::FunctionalType(inputs, results) => *inputs == list || *results == list,
            _ => false,
        })
    };
    let any = told(List::Operands)
        || told(List::Results)
        || all
            .iter()
            .any(|one| matches!(one, Directive::Type(_) | Directive::FunctionalType(..)));
    let is_common = op.has(OpTrait::SameOperandsAndResultType) && any;
    let info = op.info;
    let named = |name: &str| {
        let position = |groups: &Groups| groups.groups.iter().position(|one| one.name == name);
        match (position(&info.operands), position(&info.results)) {
            (Some(operand), _) => {
                told(List::Operand(operand)) || op.operands[operand].only_type().is_some()
            }
            (None, Some(result)) => told(List::Result(result)),
            (None, None) => false,
        }
    };
    let by_another = |name: &str| {
        let set = op.type_set(name).map(|set| op.all_types_match[set]);
        set.is_some_and(|names| names.iter().any(|other| named(other)))
    };
    for (index, group) in op.info.operands.groups.iter().enumerate() {
        let known = told(List::Operand(index))
            || told(List::Operands)
            || op.operands[index].only_type().is_some()
            || by_another(group.name);
        if !known && !is_common {
            return Err(format!(
                "does not tell the type of operand '{}'",
                group.name
            ));
        }
    }
    for (index, group) in op.info.results.groups.iter().enumerate() {
        let by_other_means = op.results[index].only_type().is_some()
            || is_common
            || by_another(group.name)
            || op.infers();
        let known = told(List::Result(index))
            || told(List::Results)
            || (group.arity == Arity::One && by_other_means);
        if !known {
            return Err(format!("does not tell the type of result '{}'", group.name));
        }
    }
    if told(List::Results) && op.info.results.sizing == Sizing::Segments {
        return Err("does not tell where one of several groups of results ends".to_owned());
    }
    Ok(())
}

/// Parses the format of parameters: literals and each parameter once.
pub(super) fn parse_parameters(
    parameters: &[Parameter],
    text: &str,
) -> Result<Vec<Directive>, String> {
    let mut seen = vec![0; parameters.len()];
    let mut directives = Vec::new();
    for (position, token) in tokens(text)? {
        directives.push(match token {
            Token::Literal(text) => Directive::Literal(text.to_owned()),
            Token::Variable(name) => {
                let Some(index) = parameters.iter().position(|one| one.name == name) else {
                    return Err(format!("at {position}: there is no parameter '{name}'"));
                };
                seen[index] += 1;
                Directive::Attribute(index)
            }
            Token::Keyword(text) => {
                return Err(format!("at {position}: unknown word '{text}'"));
            }
            Token::Symbol(symbol) => return Err(format!("at {position}: unexpected '{symbol}'")),
        });
    }
    if let Some(index) = seen.iter().position(|count| *count != 1) {
        let (name, count) = (parameters[index].name, seen[index]);
        return Err(format!(
            "has parameter '{name}' {count} times, but needs it once"
        ));
    }
    // The end of the parameters must be distinguishable from the element after the type.
    let literal = |directive: Option<&Directive>, text: &str| matches!(directive, Some(Directive::Literal(literal)) if literal == text);
    let is_enclosed = literal(directives.first(), "<") && literal(directives.last(), ">");
    let is_case = matches!(directives[..], [Directive::Attribute(index)]
        if matches!(parameters[index].kind, ParameterKind::Case(_)));
    if !directives.is_empty() && !is_enclosed && !is_case {
        return Err("must begin with '<' and end with '>'".to_owned());
    }
    Ok(directives)
}

/// The format of parameters without one: `<a, b>`.
pub(super) fn default_parameters(count: usize) -> Vec<Directive> {
    let mut directives = Vec::new();
    for index in 0..count {
        let separator = if index == 0 { "<" } else { "," };
        directives.push(Directive::Literal(separator.to_owned()));
        directives.push(Directive::Attribute(index));
    }
    if count > 0 {
        directives.push(Directive::Literal(">".to_owned()));
    }
    directives
}
