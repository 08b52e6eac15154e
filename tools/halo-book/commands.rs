//! The command lines of `sh` blocks.

use std::collections::{HashMap, HashSet};

/// The names that command lines may use.
#[derive(Clone, Debug, Default)]
pub struct Known {
    /// The options of each of Halo's tools, with their hyphens.
    pub tools: HashMap<String, HashSet<String>>,
    /// Crates, for `cargo -p`.
    pub crates: HashSet<String>,
    /// Targets of the makefile.
    pub targets: HashSet<String>,
}

/// The command for a line that cannot be parsed.
const UNREADABLE: &str = "'";

/// The folders of the repository whose files commands name.
const FOLDERS: [&str; 5] = ["docs/", "examples/", "lit-tests/", "src/", "tools/"];

impl Known {
    /// The errors in the commands of a block; `exists` returns true if the repository has a file.
    pub fn check(&self, block: &str, exists: impl Fn(&str) -> bool) -> Vec<String> {
        let mut wrong = Vec::new();
        for command in commands(block) {
            let Some((program, arguments)) = command.split_first() else {
                continue;
            };
            let named = program.rsplit('/').next().unwrap_or(program);
            match named {
                UNREADABLE => wrong.push("there is a line whose quotes are not closed".to_owned()),
                "cargo" => wrong.extend(self.check_cargo(arguments)),
                "make" => wrong.extend(self.check_make(arguments)),
                _ if named.starts_with("halo-") => {
                    wrong.extend(self.check_tool(named, arguments));
                }
                _ => {}
            }
            for word in &command {
                let is_file = FOLDERS.iter().any(|folder| word.starts_with(folder));
                // Words in capitals and patterns are placeholders for files.
                let stands_for = word.contains(['*', '$']);
                if is_file && !stands_for && !exists(word) {
                    wrong.push(format!("there is no file {word}"));
                }
            }
        }
        wrong
    }

    fn check_tool(&self, tool: &str, arguments: &[String]) -> Vec<String> {
        let Some(options) = self.tools.get(tool) else {
            return vec![format!("there is no tool {tool}")];
        };
        let flags = arguments.iter().take_while(|word| *word != "--");
        let flags = flags.filter(|word| {
            // Values such as -1 are not options.
            word.len() > 1 && word.starts_with('-') && !word[1..].starts_with(char::is_numeric)
        });
        flags
            .filter_map(|flag| {
                let name = flag.split('=').next().unwrap_or(flag);
                let is_known = options.contains(name);
                (!is_known).then(|| format!("{tool} has no option {name}"))
            })
            .collect()
    }

    fn check_cargo(&self, arguments: &[String]) -> Option<String> {
        let position = arguments.iter().position(|word| word == "-p")?;
        let name = arguments.get(position + 1)?;
        (!self.crates.contains(name)).then(|| format!("there is no crate {name}"))
    }

    fn check_make(&self, arguments: &[String]) -> Option<String> {
        let target = arguments.iter().find(|word| !word.contains('='))?;
        let is_known = target.starts_with('-') || self.targets.contains(target);
        (!is_known).then(|| format!("the makefile has no target {target}"))
    }
}

/// The simple commands of a script, each as its words, without preceding variables.
pub fn commands(script: &str) -> Vec<Vec<String>> {
    let joined = script.replace("\\\n", " ");
    let mut found = Vec::new();
    for line in joined.lines() {
        let words = shlex::split(line).unwrap_or_else(|| vec![UNREADABLE.to_owned()]);
        for command in words.split(|word| ["|", "&&", ";", "||"].contains(&word.as_str())) {
            let is_assignment = |word: &&String| {
                let name = word.split_once('=').map_or("", |(name, _)| name);
                !name.is_empty()
                    && name.chars().all(|letter| letter == '_' || letter.is_ascii_uppercase())
            };
            let command: Vec<String> = command.iter().skip_while(is_assignment).cloned().collect();
            if !command.is_empty() {
                found.push(command);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_are_commands() {
        let script = "A=1 halo-run x.mlir --input='a b' \\\n  -o y # note\ncd z && ls | sort\n";
        assert_eq!(
            commands(script),
            [
                vec!["halo-run", "x.mlir", "--input=a b", "-o", "y"],
                vec!["cd", "z"],
                vec!["ls"],
                vec!["sort"],
            ]
        );
    }

    #[test]
    fn what_does_not_exist_is_told() {
        let set = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
        let known = Known {
            tools: [("halo-run".to_owned(), set(&["--bench", "-o"]))].into(),
            crates: set(&["halo-base"]),
            targets: set(&["test"]),
        };
        let check = |block: &str| known.check(block, |file| file == "src/core");
        for right in [
            "halo-run x --bench=3 -o y -- --file",
            "target/release/halo-run --bench",
            "cargo test -p halo-base",
            "make test",
            "make -j2",
            "ls src/core",
            "halo-run x --bench -1",
        ] {
            assert_eq!(check(right), Vec::<String>::new(), "{right}");
        }
        for (wrong, message) in [
            ("halo-run --bnech", "halo-run has no option --bnech"),
            ("halo-walk", "there is no tool halo-walk"),
            ("cargo test -p halo-cor", "there is no crate halo-cor"),
            ("make tests", "the makefile has no target tests"),
            ("true | cat src/cor", "there is no file src/cor"),
            ("echo 'a", "there is a line whose quotes are not closed"),
        ] {
            assert_eq!(check(wrong), [message]);
        }
    }
}
