//! Converts traits of ODS to traits of declared ops.

use crate::{error::Error, records::Record};

/// The traits of an op.
#[derive(Default)]
pub struct Traits {
    /// Variants of `OpTrait`.
    pub names: Vec<String>,
    /// The classes in C++ of the ops around the op.
    pub parents: Vec<String>,
    /// The C++ class of the op that terminates regions implicitly.
    pub implicit_terminator: Option<String>,
    pub all_types_match: Vec<Vec<String>>,
    /// Whether the op infers its result types.
    pub infers: bool,
}

/// Traits that have a counterpart for declared ops, with its name.
const SAME: [(&str, &str); 25] = [
    ("Commutative", "Commutative"),
    ("ConstantLike", "ConstantLike"),
    ("Elementwise", "Elementwise"),
    ("Idempotent", "Idempotent"),
    ("Involution", "Involution"),
    ("IsolatedFromAbove", "IsolatedFromAbove"),
    ("NoMemoryEffect", "NoMemoryEffect"),
    ("NoRegionArguments", "NoRegionArguments"),
    ("NoTerminator", "NoTerminator"),
    ("Pure", "Pure"),
    ("RecursiveMemoryEffects", "RecursiveEffects"),
    ("ReturnLike", "ReturnLike"),
    (
        "SameOperandsAndResultElementType",
        "SameOperandsAndResultElementType",
    ),
    ("SameOperandsAndResultShape", "SameOperandsAndResultShape"),
    ("SameOperandsAndResultType", "SameOperandsAndResultType"),
    ("SameOperandsElementType", "SameOperandsElementType"),
    ("SameOperandsShape", "SameOperandsShape"),
    ("SameTypeOperands", "SameTypeOperands"),
    ("Scalarizable", "Scalarizable"),
    ("SingleBlock", "SingleBlock"),
    ("Symbol", "Symbol"),
    ("SymbolTable", "SymbolTable"),
    ("Tensorizable", "Tensorizable"),
    ("Terminator", "Terminator"),
    ("Vectorizable", "Vectorizable"),
];

/// Reads the traits of an op.
pub fn read(op: Record, subject: &str) -> Result<Traits, Error> {
    let mut traits = Traits::default();
    let declared = op.list("traits");
    let is_given = |name: &str| declared.iter().any(|one| one.name() == name);
    for one in &declared {
        // Speculation is declared together with effects.
        match one.name() {
            "AlwaysSpeculatable" if is_given("NoMemoryEffect") => {
                traits.names.push("Pure".to_owned());
            }
            "NoMemoryEffect" if is_given("AlwaysSpeculatable") => {}
            "RecursivelySpeculatable" if is_given("RecursiveMemoryEffects") => {}
            _ => add(&mut traits, *one, op, subject)?,
        }
    }
    let mut seen = Vec::new();
    traits.names.retain(|name| {
        let is_new = !seen.contains(name);
        seen.push(name.clone());
        is_new
    });
    Ok(traits)
}

fn add(traits: &mut Traits, one: Record, op: Record, subject: &str) -> Result<(), Error> {
    let name = one.name();
    if let Some((_, same)) = SAME.iter().find(|(ods, _)| *ods == name) {
        traits.names.push((*same).to_owned());
    } else if matches!(name, "AttrSizedOperandSegments" | "AttrSizedResultSegments") {
        // Segments follow from the operand and result groups.
    } else if one.text("cppInterfaceName") == Some("InferTypeOpInterface") {
        traits.infers = true;
    } else if name == "InferTypeOpAdaptor" {
        // It gives InferTypeOpInterface typed access to the parts of the op.
        traits.infers = true;
    } else if one.is_a("MemoryEffects") {
        for decorator in one.list("effects") {
            let Some(effect) = effect(decorator) else {
                return Err(refused(one, op, subject));
            };
            traits.names.push(effect);
        }
        if one.list("effects").is_empty() {
            traits.names.push("NoMemoryEffect".to_owned());
        }
    } else if one.is_a("AllTypesMatch") {
        let names = one.texts("values").into_iter().map(str::to_owned);
        traits.all_types_match.push(names.collect());
    } else if one.is_a("HasParent") || one.is_a("ParentOneOf") {
        let classes = one
            .text("trait")
            .and_then(|text| text.strip_prefix("HasParent<")?.strip_suffix(">::Impl"));
        let classes = classes.ok_or_else(|| refused(one, op, subject))?;
        let classes = classes.split(',').map(|class| class.trim().to_owned());
        traits.parents.extend(classes);
    } else if one.is_a("SingleBlockImplicitTerminator") {
        let class = one.list("traits").into_iter().find_map(|inner| {
            let text = inner.text("trait")?;
            let rest = text.strip_prefix("SingleBlockImplicitTerminator<")?;
            rest.strip_suffix(">::Impl")
        });
        let class = class.ok_or_else(|| refused(one, op, subject))?;
        traits.names.push("SingleBlock".to_owned());
        traits.implicit_terminator = Some(class.to_owned());
    } else if one.is_a("TraitList") && !one.name().ends_with("Speculatable") {
        for inner in one.list("traits") {
            add(traits, inner, op, subject)?;
        }
    } else {
        return Err(refused(one, op, subject));
    }
    Ok(())
}

fn refused(one: Record, op: Record, subject: &str) -> Error {
    let class = one.is_a("TypesMatchWith").then_some("TypesMatchWith");
    let name = if one.is_anonymous() {
        class.or(one.text("trait")).or(one.text("summary")).unwrap_or("of a predicate")
    } else {
        one.name()
    };
    op.error(format_args!(
        "{subject} has the trait '{name}', which a declared op does not have"
    ))
}

/// An effect on memory as a trait.
pub fn effect(decorator: Record) -> Option<String> {
    let name = match decorator.text("effect")?.rsplit("::").next()? {
        "Read" => "Reads",
        "Write" => "Writes",
        "Allocate" => "Allocates",
        "Free" => "Frees",
        _ => return None,
    };
    Some(name.to_owned())
}
