use halo::{
    compiler,
    ir::{diagnostics::parse_module, edit_module, root_of, with_operations_in},
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
    root.collect_nested(|op| op.name() == name)[0]
}

/// Builders insert, replace and erase.
fn with_builders<'c>(b: &Builder<'c>, root: Operation<'c>) {
    let product = find(root, "arith.muli");
    let x = product.operands()[1];
    // The insertion point of the next op.
    b.set_after(product);
    let sum = arith::addi(b, product.results()[0], x);
    let end = find(root, "func.return");
    b.set_before(end);
    end.set_operand(0, sum);
    // At another insertion point, and back.
    b.with_insertion_point(|b| {
        if let Some(block) = product.block() {
            b.set_to_start(block);
            let first = b.next_operation();
            assert!(first.is_some_and(|first| first.block() == Some(block)));
            arith::constant(b, integer_type(b.context(), 32), 0);
            b.set_to_end(block);
            assert!(b.next_operation().is_none());
            b.set_before(end);
            assert_eq!(b.next_operation(), Some(end));
        }
        arith::constant(b, integer_type(b.context(), 32), 1)
    });
    // The copy replaces the op.
    b.set_before(product);
    let copy = b.copy(product);
    b.replace_uses(product.results()[0], copy.results()[0]);
    b.erase(product);
    // Drivers of patterns are notified of changes in place.
    b.modify(copy, || {
        copy.set_attribute("seen", unit_attribute(b.context()))
    });
    // Ops of a block move to another position.
    let block = b.region(&[x.ty()], |b, arguments| {
        arith::addi(b, arguments[0], arguments[0]);
        b.op("func.return").insert();
    });
    let holder = b.op("test.holder").region(block).insert();
    if let Some(block) = holder.body(0) {
        // A tool for arbitrary programs gets errors in place of panics.
        assert!(b.try_inline_before(block, end, &[]).is_err());
        b.inline_before(block, end, &[x]);
    }
    assert!(b.try_erase(copy).is_err() && b.try_replace(copy, &[]).is_err());
    b.erase(holder);
}

pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let context = compiler::context();
    context.set_allow_unregistered_dialects(true);
    let mut module = parse_module(&context, PROGRAM, "a.mlir").ok_or("no program")?;
    // Outside of a pass, IR is changed in a function like this.
    edit_module(&mut module, |root| {
        with_builder(find(root, "func.return"), |b| with_builders(b, root));
    })?;

    // Functions are temporarily moved to a separate module.
    let part = Module::new(Location::unknown(&context));
    edit_module(&mut module, |root| {
        let functions = root.collect_nested(|op| op.name() == "func.func");
        with_operations_in(&part, &functions[..1], || {
            assert_eq!(functions[0].parent(), Some(root_of(&part)));
            assert_eq!(root.collect_nested(|op| op.name() == "func.func").len(), 1);
        });
        let there = root.collect_nested(|op| op.name() == "func.func");
        assert_eq!(there, functions);
    })?;

    edit_module(&mut module, |root| {
        let function = find(root, "func.func");
        let body = function.body(0).ok_or("no body")?;
        let (sum, product) = (find(root, "arith.addi"), find(root, "arith.muli"));
        let end = body.terminator().ok_or("no end")?;

        // The parent of an op.
        assert!(body.parent() == Some(function) && sum.parent() == Some(function));
        assert!(sum.is_inside(function) && sum.is_before(product));
        sum.move_before(product);

        // Attributes, in the op's definition and discardable ones.
        let (name, value) = sum.attributes()[0];
        assert_eq!(sum.attribute(name), Some(value));
        assert!(sum.discardable_attributes().iter().any(|(name, _)| *name == "note"));
        product.merge_discardable(sum);
        sum.remove_attribute("note");
        let wrong = function.try_set_attribute("sym_name", unit_attribute(&context));
        assert!(wrong.is_err());
        function.try_set_attribute("sym_name", string_attribute(&context, "renamed"))?;

        // Values: uses, types, arguments.
        body.erase_argument(1);
        let i32 = integer_type(&context, 32);
        let inserted = body.insert_argument(0, i32, Location::unknown(&context));
        assert!(inserted.is_unused() && body.argument(0) == Some(inserted));
        body.erase_argument(0);
        let added = body.add_argument(integer_type(&context, 64), function.location());
        assert_eq!(added.as_block_argument(), Some((body, 1)));
        added.set_type(integer_type(&context, 32));
        product.results()[0].replace_uses_with(added);
        assert!(end.operands().iter().all(|operand| *operand != product.results()[0]));

        // A copy with other operands.
        let mut map = ValueMap::from([(sum.operands()[0].key(), added)]);
        let copy = with_builder(end, |b| b.clone_op(sum, &mut map));
        assert_eq!(mapped(&map, sum.results()[0]), copy.results()[0]);
        assert_eq!(copy.operands()[0], added);
        let arguments = body.arguments();
        let returned = with_builder(sum, |b| b.clone_body(body, &arguments));
        assert_eq!(returned.len(), end.operands().len());

        // Blocks and regions.
        let rest = copy.split_block_after().ok_or("no block")?;
        assert_eq!(rest.operations(), [end]);
        let last = rest.append_sibling().ok_or("no region")?;
        assert!(last.arguments().is_empty());
        // A region that is taken and not attached to an op is freed at the end.
        drop(function.take_region(0));
        assert!(function.body(0).is_none());
        function.set_attribute("n", integer_attribute(integer_type(&context, 32), 1));
        Ok::<_, Box<dyn std::error::Error>>(())
    })??;
    Ok(())
}
