//! The ops of Shardy. Constraints on meshes are verified with the symbols of the module, because
//! shardings refer to them by name; the rules follow Shardy's verifier.

use super::{op::Op, prelude::*};
use crate::sharding::{Axis, MESHES, Mesh, MeshReference, Sharding, manual_axes};
use halo_ir::{ops::sdy, prelude::*};
use std::collections::{BTreeMap, BTreeSet};

/// The op `sdy.mesh`.
pub fn mesh(op: Op) -> VerifyResult {
    op.required("mesh", |mesh| Some(Mesh::of(mesh)))??.verify()
}

/// The op `sdy.sharding_group`: its values have dimensions that can have the same sharding.
pub fn sharding_group(op: Op) -> VerifyResult {
    match op.operands().find(|(_, ty)| !ty.is_tensor()) {
        Some((subject, ty)) => Err(format!("{subject} is '{ty}', which is no ranked tensor")),
        None => Ok(()),
    }
}

/// The meshes of the module around an op, by name.
struct Symbols(BTreeMap<String, Mesh>);

impl Symbols {
    fn around(op: Operation) -> Result<Self, String> {
        let mut meshes: Vec<(String, Attribute)> = Vec::new();
        let mut module = op.enclosing::<builtin::ModuleOp>();
        while let Some(around) = module {
            let around = around.operation();
            let own = around.attribute(MESHES).map(Attribute::dictionary_entries);
            let own = own.unwrap_or_default().into_iter();
            meshes.extend(own.map(|(name, mesh)| (name.to_owned(), mesh)));
            for mesh in around.body(0).map(Block::operations).unwrap_or_default() {
                let name = mesh.attribute("sym_name").and_then(Attribute::string_value);
                let mesh = mesh.cast::<sdy::MeshOp>();
                meshes.extend(name.zip(mesh).map(|(name, mesh)| (name.to_owned(), mesh.mesh())));
            }
            module = around.enclosing();
        }
        let meshes = meshes.into_iter();
        let meshes = meshes.map(|(name, mesh)| Ok((name, Mesh::of(mesh)?)));
        meshes.collect::<Result<_, String>>().map(Self)
    }

    fn of<'a>(&'a self, sharding: &'a Sharding) -> Result<&'a Mesh, String> {
        match &sharding.mesh {
            MeshReference::Inline(mesh) => mesh.verify().map(|()| mesh),
            MeshReference::Name(name) => {
                let mesh = self.0.get(name);
                mesh.ok_or_else(|| format!("there is no mesh '{name}'"))
            }
        }
    }

    /// Fails unless a sharding is valid for a type, along axes that are not manual.
    fn expect(&self, sharding: &Sharding, ty: Type, manual: &BTreeSet<String>) -> VerifyResult {
        let rank = ty.shape().map(|shape| shape.len());
        sharding.verify(self.of(sharding)?, rank)?;
        match sharding.axes().find(|axis| manual.contains(&axis.name)) {
            Some(axis) => Err(manual_already(&axis.name)),
            None => Ok(()),
        }
    }
}

fn manual_already(axis: &str) -> String {
    format!("axis '{axis}' is manual in the computation around it")
}

/// The manual axes of computations around an op.
fn manual_around(op: Operation) -> Result<BTreeSet<String>, String> {
    let mut axes = BTreeSet::new();
    let mut around = op.enclosing::<sdy::ManualComputationOp>();
    while let Some(computation) = around {
        axes.extend(manual_axes(computation.manual_axes())?);
        around = computation.enclosing();
    }
    Ok(axes)
}

/// The ops `sdy.sharding_constraint` and `sdy.reshard`.
pub fn constraint(op: Operation) -> VerifyResult {
    let sharding = op.attribute("sharding").ok_or("attribute 'sharding' is missing")?;
    let sharding = Sharding::of(sharding)?;
    let symbols = Symbols::around(op)?;
    let manual = manual_around(op)?;
    let mut types = op.result_types().into_iter();
    types.try_for_each(|ty| symbols.expect(&sharding, ty, &manual))
}

/// The op `sdy.manual_computation`: the values of its body are tiles of the outer ones, along its
/// manual axes.
pub fn manual_computation(op: Operation) -> VerifyResult {
    let Some(computation) = op.cast::<sdy::ManualComputationOp>() else {
        return Ok(());
    };
    let axes = manual_axes(computation.manual_axes())?;
    let around = manual_around(op)?;
    if let Some(axis) = axes.iter().find(|axis| around.contains(*axis)) {
        return Err(manual_already(axis));
    }
    let manual: BTreeSet<&str> = axes.iter().map(String::as_str).collect();
    if manual.len() < axes.len() {
        return Err("a manual axis is named twice".to_owned());
    }
    let ins = Sharding::per_value(computation.in_shardings())?;
    let outs = Sharding::per_value(computation.out_shardings())?;
    let body = op.body(0).ok_or("the body has no block")?;
    let end = body.terminator();
    let is_empty = body.operations().len() < 2;
    if ins.is_empty() && outs.is_empty() && !is_empty && !axes.is_empty() {
        return Err("manual axes divide nothing: there are no shardings".to_owned());
    }
    let arguments = types(body.arguments());
    let returned = types(end.map(Operation::operands).unwrap_or_default());
    let symbols = Symbols::around(op)?;
    let own = Manual {
        symbols: &symbols,
        axes: &manual,
        around: &around,
    };
    own.expect("operand", &types(op.operands()), &arguments, &ins)?;
    own.expect("result", &op.result_types(), &returned, &outs)?;
    let mut meshes = Vec::new();
    for sharding in ins.iter().chain(&outs) {
        let mesh = symbols.of(sharding)?;
        if !mesh.axes.is_empty() && !meshes.contains(&mesh) {
            meshes.push(mesh);
        }
    }
    if meshes.len() > 1 && !axes.is_empty() {
        return Err("shardings are along different meshes".to_owned());
    }
    let unknown = |axis: &&String| {
        let has = |mesh: &&Mesh| mesh.axes.iter().any(|(name, _)| name == *axis);
        !meshes.iter().any(has)
    };
    match axes.iter().find(unknown) {
        Some(axis) if !ins.is_empty() || !outs.is_empty() => {
            Err(format!("the mesh has no axis '{axis}'"))
        }
        _ => Ok(()),
    }
}

fn types(values: Vec<Value<'_>>) -> Vec<Type<'_>> {
    values.into_iter().map(|value| value.ty()).collect()
}

/// The constraints of a manual computation on its values.
struct Manual<'a> {
    symbols: &'a Symbols,
    axes: &'a BTreeSet<&'a str>,
    around: &'a BTreeSet<String>,
}

impl Manual<'_> {
    /// Fails unless tiles match the shardings of whole types.
    fn expect(
        &self,
        kind: &str,
        whole: &[Type],
        tiles: &[Type],
        shardings: &[Sharding],
    ) -> VerifyResult {
        let (wholes, own, given) = (whole.len(), tiles.len(), shardings.len());
        if given != wholes {
            return Err(format!(
                "has {wholes} {kind}s and {given} shardings of them"
            ));
        }
        if own != wholes {
            return Err(format!("has {wholes} {kind}s and {own} in its body"));
        }
        for (number, sharding) in shardings.iter().enumerate() {
            let subject = match kind {
                "operand" => Subject::Operand(number),
                _ => Subject::Result(number),
            };
            let tile = self.symbols.expect(sharding, whole[number], self.around);
            let tile = tile.and_then(|()| self.tile(sharding, whole[number]));
            let tile = tile.map_err(|message| format!("{subject}: {message}"))?;
            let is_other = whole[number].element_type() != tiles[number].element_type();
            if is_other || tile != tiles[number].shape() {
                return Err(format!(
                    "{subject} is '{}', whose tile in the body is not '{}'",
                    whole[number], tiles[number]
                ));
            }
        }
        Ok(())
    }

    /// The shape of a tile; `None` for other types than tensors.
    fn tile(&self, sharding: &Sharding, whole: Type) -> Result<Option<Vec<Option<i64>>>, String> {
        let Some(mut shape) = whole.shape() else {
            return Ok(None);
        };
        let mesh = self.symbols.of(sharding)?;
        for (dimension, (size, axes)) in shape.iter_mut().zip(&sharding.dimensions).enumerate() {
            let is_manual = |axis: &&Axis| self.axes.contains(&*axis.name);
            let manual = axes.iter().take_while(is_manual).count();
            if axes[manual..].iter().any(|axis| is_manual(&axis)) {
                return Err(format!(
                    "dimension {dimension} is divided by a manual axis behind one that is not"
                ));
            }
            let mut count = 1;
            for axis in &axes[..manual] {
                count *= mesh.steps(axis)?.size as i64;
            }
            match size {
                Some(size) if *size % count != 0 => {
                    return Err(format!(
                        "dimension {dimension} of size {size} does not divide among {count} \
                         partitions"
                    ));
                }
                Some(size) => *size /= count,
                None => {}
            }
        }
        Ok(Some(shape))
    }
}
