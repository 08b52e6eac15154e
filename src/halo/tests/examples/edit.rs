use halo::{
    compiler,
    ir::{
        Builder, Operation, ValueMap, add_argument, add_block_behind, arguments_of, attribute_of,
        attributes_of, block_argument, body_of, clone_body, clone_operation, collect_operations,
        diagnostics::parse_module, discardable_attributes, edit_module, erase_argument,
        integer_attribute, integer_type, is_before, is_inside, mapped, merge_discardable,
        move_before, name_of, operands_of, operations_of, ops::arith, owner_of, parent_block,
        parent_operation, remove_attribute, replace_uses, results_of, root_of, set_attribute,
        set_operand, set_type, split_after, string_attribute, take_region, terminator_of,
        try_set_attribute, unit_attribute, value_key, with_builder, with_operations_in,
    },
    melior::ir::{Location, Module},
    prelude::*,
};

const PROGRAM: &[u8] = b"
func.func @main(%x: i32, %unused: i32) -> i32 {
  %a = arith.addi %x, %x {note} : i32
  %b = arith.muli %a, %x : i32
  return %b : i32
}
func.func private @other()";

fn find<'c>(root: Operation<'c>, name: &str) -> Operation<'c> {
    collect_operations(root, |op| name_of(op) == name)[0]
}

/// Builders insert, replace and erase.
fn with_builders<'c>(b: &Builder<'c>, root: Operation<'c>) -> Result<(), halo::ir::BuildError> {
    let product = find(root, "arith.muli");
    let x = operands_of(product)[1];
    // Where the next op goes.
    b.set_after(product);
    let sum = arith::addi(b, results_of(product)[0], x)?;
    let end = find(root, "func.return");
    b.set_before(end);
    set_operand(end, 0, sum);
    // In another place, and back.
    b.with_insertion_point(|b| {
        if let Some(block) = parent_block(product) {
            b.set_to_start(block);
            let first = b.next_operation();
            assert!(first.is_some_and(|first| parent_block(first) == Some(block)));
            arith::constant(b, integer_type(b.context(), 32), 0)?;
            b.set_to_end(block);
            assert!(b.next_operation().is_none());
            b.set_before(end);
            assert_eq!(b.next_operation(), Some(end));
        }
        arith::constant(b, integer_type(b.context(), 32), 1)
    })?;
    // The copy takes the place of the op.
    b.set_before(product);
    let copy = b.copy(product);
    b.replace_uses(results_of(product)[0], results_of(copy)[0]);
    b.erase(product)?;
    // Drivers of patterns are told of changes in place.
    b.modify(copy, || {
        set_attribute(copy, "seen", unit_attribute(b.context()))
    });
    // What is in a block moves to another place.
    let block = b.region(&[x.r#type()], |b, arguments| {
        arith::addi(b, arguments[0], arguments[0])?;
        b.op("func.return").insert()?;
        Ok::<_, halo::ir::BuildError>(())
    })?;
    let holder = b.op("test.holder").region(block).insert()?;
    if let Some(block) = body_of(holder, 0) {
        b.inline_before(block, end, &[x])?;
    }
    b.erase(holder)
}

pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let context = compiler::context();
    context.set_allow_unregistered_dialects(true);
    let mut module = parse_module(&context, PROGRAM, "a.mlir").ok_or("no program")?;
    // Outside of a pass, IR is changed in a function like this.
    edit_module(&mut module, |root| {
        with_builder(find(root, "func.return"), |b| with_builders(b, root))
    })??;

    // Functions are for a while in a module of their own.
    let part = Module::new(Location::unknown(&context));
    edit_module(&mut module, |root| {
        let functions = collect_operations(root, |op| name_of(op) == "func.func");
        with_operations_in(&part, &functions[..1], || {
            assert_eq!(parent_operation(functions[0]), Some(root_of(&part)));
            assert_eq!(
                collect_operations(root, |op| name_of(op) == "func.func").len(),
                1
            );
        });
        let there = collect_operations(root, |op| name_of(op) == "func.func");
        assert_eq!(there, functions);
    })?;

    edit_module(&mut module, |root| {
        let function = find(root, "func.func");
        let body = body_of(function, 0).ok_or("no body")?;
        let (sum, product) = (find(root, "arith.addi"), find(root, "arith.muli"));
        let end = terminator_of(body).ok_or("no end")?;

        // Where an op is.
        assert!(owner_of(body) == Some(function) && parent_operation(sum) == Some(function));
        assert!(is_inside(sum, function) && is_before(sum, product));
        move_before(sum, product);

        // Attributes, those that the definition of the op names and others.
        let (name, value) = attributes_of(sum)[0];
        assert_eq!(attribute_of(sum, name), Some(value));
        assert!(discardable_attributes(sum).iter().any(|(name, _)| *name == "note"));
        merge_discardable(&context, sum, product);
        remove_attribute(sum, "note");
        let wrong = try_set_attribute(function, "sym_name", unit_attribute(&context));
        assert!(wrong.is_err());
        try_set_attribute(function, "sym_name", string_attribute(&context, "renamed"))?;

        // Values: uses, types, arguments.
        erase_argument(body, 1);
        let added = add_argument(body, integer_type(&context, 64), function.location());
        assert_eq!(block_argument(added), Some((body, 1)));
        set_type(added, integer_type(&context, 32));
        replace_uses(results_of(product)[0], added);
        assert!(operands_of(end).iter().all(|operand| *operand != results_of(product)[0]));

        // A copy with other operands.
        let mut map = ValueMap::from([(value_key(operands_of(sum)[0]), added)]);
        let copy = with_builder(end, |b| clone_operation(b, sum, &mut map));
        assert_eq!(mapped(&map, results_of(sum)[0]), results_of(copy)[0]);
        assert_eq!(operands_of(copy)[0], added);
        let arguments = arguments_of(body);
        let returned = with_builder(sum, |b| clone_body(b, body, &arguments));
        assert_eq!(returned.len(), operands_of(end).len());

        // Blocks and regions.
        let rest = split_after(copy).ok_or("no block")?;
        assert_eq!(operations_of(rest), [end]);
        let last = add_block_behind(rest).ok_or("no region")?;
        assert!(arguments_of(last).is_empty());
        // What is taken and given to no op is freed at the end.
        drop(take_region(function, 0));
        assert!(body_of(function, 0).is_none());
        set_attribute(
            function,
            "n",
            integer_attribute(integer_type(&context, 32), 1),
        );
        Ok::<_, Box<dyn std::error::Error>>(())
    })??;
    Ok(())
}
