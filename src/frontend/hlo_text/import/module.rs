//! A module: its computations, some of which are functions.

use super::{
    failure::{Failure, failure},
    importer::{Functions, Importer, WholeWindows},
};
use crate::hlo_text::options::{Fusions, ImportOptions};
use halo_hlo_text::{HloComputation, HloModule, Opcode, Value};
use halo_ir::prelude::*;
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};

/// The maximum nesting of calls of computations.
const MAX_NESTING: usize = 100;

/// The maximum number of instructions of a function after inlining computations as regions.
const MAX_INSTRUCTIONS: u64 = 1 << 22;

/// The size of a computation, including the computations that it uses.
#[derive(Clone, Copy)]
struct ComputationSize {
    /// The depth of nested computations below it.
    depth: usize,
    /// The number of its instructions, including instructions of its regions.
    instructions: u64,
}

/// Builds the functions of a module at the end of `root`, and its attributes.
pub fn module<'m>(
    builder: &Builder<'m>,
    root: Operation<'m>,
    hlo: &'m HloModule,
    file: &'m str,
    options: &ImportOptions,
) -> Result<(), Failure> {
    let importer = Importer {
        context: builder.context(),
        builder: *builder,
        hlo,
        file,
        options: *options,
        computations: computations(hlo)?,
        functions: RefCell::new(Functions::default()),
    };
    importer.check_nesting()?;
    let Some(entry) = hlo.entry() else {
        return Err(failure("the module has no computation"));
    };
    importer.name_function(entry, "main");
    importer.build_functions()?;
    // Unused computations are imported too.
    let referenced = importer.referenced()?;
    for computation in &hlo.computations {
        let key = std::ptr::from_ref(computation);
        if !referenced.contains(&key) || options.all_computations {
            importer.function(computation);
            importer.build_functions()?;
        }
    }
    importer.order_functions();
    let whole_windows = std::mem::take(&mut importer.functions.borrow_mut().whole_windows);
    for (name, windows) in &whole_windows {
        importer.build_whole_windows(name, windows)?;
    }
    if !hlo.name.is_empty() {
        root.set_attribute("sym_name", string_attribute(importer.context, &hlo.name));
    }
    importer.module_attributes(root)
}

/// The computations by name.
fn computations(hlo: &HloModule) -> Result<HashMap<&str, &HloComputation>, Failure> {
    let mut found = HashMap::new();
    for computation in &hlo.computations {
        if found.insert(&computation.name[..], computation).is_some() {
            let message = format!("computation '{}' is defined twice", computation.name);
            return Err(failure(message).at(computation.position));
        }
    }
    Ok(found)
}

/// The size of a computation, from the sizes of its callees.
fn computation_size(
    computation: &HloComputation,
    callees: &[(&HloComputation, bool)],
    sizes: &HashMap<*const HloComputation, Option<ComputationSize>>,
) -> Result<ComputationSize, Failure> {
    let mut depth = 0;
    let mut instructions = computation.instructions.len() as u64;
    for (callee, in_place) in callees {
        let computation_size = sizes.get(&std::ptr::from_ref(*callee)).copied();
        let Some(computation_size) = computation_size.flatten() else {
            continue;
        };
        depth = depth.max(computation_size.depth);
        if *in_place {
            instructions = instructions.saturating_add(computation_size.instructions);
        }
    }
    let depth = depth + 1;
    let message = if depth > MAX_NESTING {
        format!("computations are nested more than {MAX_NESTING} levels deep")
    } else if instructions > MAX_INSTRUCTIONS {
        format!("there are more than {MAX_INSTRUCTIONS} instructions to build")
    } else {
        return Ok(ComputationSize {
            depth,
            instructions,
        });
    };
    Err(failure(message).at(computation.position))
}

impl Functions<'_> {
    /// A unique function name.
    fn unique(&mut self, wanted: &str) -> String {
        let mut name = wanted.to_owned();
        let mut number = 0;
        while !self.taken.insert(name.clone()) {
            name = format!("{wanted}_{number}");
            number += 1;
        }
        name
    }
}

impl<'m> Importer<'m> {
    /// The name of the function that moves windows with these parameters.
    pub fn whole_windows(&self, windows: WholeWindows<'m>) -> String {
        let mut functions = self.functions.borrow_mut();
        let known = functions.whole_windows.iter().find(|it| it.1 == windows);
        if let Some((name, _)) = known {
            return name.clone();
        }
        let name = functions.unique("whole_windows");
        functions.whole_windows.push((name.clone(), windows));
        name
    }

    /// The computation of a name.
    pub fn computation(&self, name: &str) -> Result<&'m HloComputation, Failure> {
        let found = self.computations.get(name).copied();
        found.ok_or_else(|| failure(format!("there is no computation '{name}'")))
    }

    /// The computations that the instructions of one refer to, and whether as regions.
    fn callees(
        &self,
        computation: &'m HloComputation,
    ) -> Result<Vec<(&'m HloComputation, bool)>, Failure> {
        let mut found = Vec::new();
        for instruction in &computation.instructions {
            let in_place = match instruction.opcode {
                Opcode::Fusion => self.options.fusions == Fusions::Inline,
                Opcode::Call | Opcode::CustomCall | Opcode::AsyncStart => false,
                _ => true,
            };
            for (_, value) in instruction.attributes.iter() {
                let named = |name: &String| {
                    let callee = self.computation(name);
                    callee.map_err(|failure| failure.at(instruction.position))
                };
                match value {
                    Value::Computation(name) => found.push((named(name)?, in_place)),
                    Value::Computations(names) => {
                        for name in names {
                            found.push((named(name)?, in_place));
                        }
                    }
                    Value::InlineComputation(inline) => found.push((inline, in_place)),
                    _ => {}
                }
            }
        }
        Ok(found)
    }

    /// The computations that others refer to.
    fn referenced(&self) -> Result<HashSet<*const HloComputation>, Failure> {
        let mut found = HashSet::new();
        for computation in &self.hlo.computations {
            let callees = self.callees(computation)?;
            found.extend(callees.iter().map(|(callee, _)| std::ptr::from_ref(*callee)));
        }
        Ok(found)
    }

    /// Fails if computations are recursive, nested too deep for regions, or too large after
    /// inlining.
    fn check_nesting(&self) -> Result<(), Failure> {
        let mut sizes: HashMap<*const HloComputation, Option<ComputationSize>> = HashMap::new();
        let mut stack: Vec<&HloComputation> = self.hlo.computations.iter().collect();
        while let Some(computation) = stack.last().copied() {
            let key = std::ptr::from_ref(computation);
            let callees = self.callees(computation)?;
            match sizes.get(&key) {
                Some(Some(_)) => {
                    stack.pop();
                }
                Some(None) => {
                    // All callees have been seen.
                    sizes.insert(key, Some(computation_size(computation, &callees, &sizes)?));
                    stack.pop();
                }
                None => {
                    sizes.insert(key, None);
                    for (callee, _) in callees {
                        match sizes.get(&std::ptr::from_ref(callee)) {
                            Some(Some(_)) => {}
                            Some(None) => {
                                let message = format!("computation '{}' uses itself", callee.name);
                                return Err(failure(message).at(callee.position));
                            }
                            None => stack.push(callee),
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// The name of the function that a computation becomes.
    pub fn function(&self, computation: &'m HloComputation) -> String {
        let key = std::ptr::from_ref(computation);
        if let Some(name) = self.functions.borrow().names.get(&key) {
            return name.clone();
        }
        let wanted = if computation.name.is_empty() {
            "computation"
        } else {
            &computation.name
        };
        self.name_function(computation, wanted)
    }

    fn name_function(&self, computation: &'m HloComputation, wanted: &str) -> String {
        let mut functions = self.functions.borrow_mut();
        let name = functions.unique(wanted);
        let key = std::ptr::from_ref(computation);
        functions.names.insert(key, name.clone());
        functions.queue.push_back(computation);
        name
    }

    /// Builds the requested functions, and the functions that they request.
    fn build_functions(&self) -> Result<(), Failure> {
        loop {
            let next = self.functions.borrow_mut().queue.pop_front();
            let Some(computation) = next else {
                return Ok(());
            };
            let operation = self
                .build_function(computation)
                .map_err(|failure: Failure| failure.at(computation.position))?;
            self.functions.borrow_mut().built.push((computation, operation));
        }
    }

    /// Puts the functions in the order of the text.
    fn order_functions(&self) {
        let functions = self.functions.borrow();
        let text_position = |computation: &HloComputation| {
            let mut all = self.hlo.computations.iter();
            all.position(|other| std::ptr::eq(other, computation)).unwrap_or_default()
        };
        let mut built = functions.built.clone();
        built.sort_by_cached_key(|(computation, _)| text_position(computation));
        for pair in built.windows(2).rev() {
            if let [(_, one), (_, next)] = pair {
                one.move_before(*next);
            }
        }
    }
}
