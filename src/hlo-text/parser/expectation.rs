//! The rules of the grammar in words, for errors.

use super::grammar::Rule;

/// `'=', a name or an operand`
pub(super) fn of(rules: &[Rule]) -> String {
    let mut words: Vec<&str> = rules.iter().map(|rule| word(*rule)).collect();
    words.sort_unstable();
    words.dedup();
    match words.as_slice() {
        [] => "something else".to_owned(),
        [one] => (*one).to_owned(),
        [others @ .., last] => format!("{} or {last}", others.join(", ")),
    }
}

fn word(rule: Rule) -> &'static str {
    match rule {
        Rule::name => "a name",
        Rule::opcode => "an opcode",
        Rule::attribute_name | Rule::metadata_field | Rule::field => "the name of an attribute",
        Rule::word => "a word",
        Rule::boolean => "'true' or 'false'",
        Rule::integer => "an integer",
        Rule::decimal => "a number",
        Rule::string => "a string",
        Rule::equals => "'='",
        Rule::comma | Rule::attribute_head => "','",
        Rule::colon => "':'",
        Rule::arrow => "'->'",
        Rule::at_most | Rule::iota => "'<='",
        Rule::open_paren | Rule::nested_arguments | Rule::tile => "'('",
        Rule::close_paren => "')'",
        Rule::open_brace
        | Rule::integers
        | Rule::integer_lists
        | Rule::braces_1
        | Rule::braces_2
        | Rule::braces_3
        | Rule::fields => "'{'",
        Rule::close_brace => "'}'",
        Rule::open_square | Rule::bracketed | Rule::slice_range => "'['",
        Rule::close_square => "']'",
        Rule::plain_dimensions => "'['",
        Rule::plain_layout => "a layout",
        Rule::plain_value => "a value",
        Rule::shape
        | Rule::tuple_shape
        | Rule::buffer_shape
        | Rule::array_shape
        | Rule::plain_shape
        | Rule::element_type => "a type",
        Rule::dimension | Rule::bounded => "the size of a dimension",
        Rule::layout
        | Rule::dim_level_types
        | Rule::tiles
        | Rule::tail_padding
        | Rule::index_type
        | Rule::pointer_type
        | Rule::element_size
        | Rule::memory_space
        | Rule::split_configs
        | Rule::split_config
        | Rule::physical_shape
        | Rule::metadata_prefix => "a property of a layout",
        Rule::tile_size => "the size of a tile",
        Rule::hlo_module | Rule::module_head => "'HloModule'",
        Rule::file_names => "'FileNames'",
        Rule::function_names => "'FunctionNames'",
        Rule::stack_frames => "tables of stack frames",
        Rule::numbered_string | Rule::numbered_fields | Rule::frame_fields => "a numbered entry",
        Rule::entry | Rule::computation_head => "a computation",
        Rule::signature => "a signature",
        Rule::parameter => "a parameter",
        Rule::root | Rule::instruction_head | Rule::bare_operation => "an instruction",
        Rule::constant => "an opcode",
        Rule::operand
        | Rule::operands
        | Rule::plain_operands
        | Rule::nested_literal
        | Rule::literal_group => "an operand",
        Rule::window | Rule::window_key => "a field of a window",
        Rule::window_value | Rule::padding => "numbers joined by 'x' and '_'",
        Rule::dimension_labels => "dimension labels as in 'b01f_01io->b01f'",
        Rule::alias | Rule::aliases => "an alias as in '{0}: (0, {}, may-alias)'",
        Rule::buffer_donor | Rule::buffer_donors => "a donor as in '(0, {})'",
        Rule::result_accuracy | Rule::accuracy_mode | Rule::tolerance => "'mode' or 'tolerance'",
        Rule::tolerance_key => "'atol', 'rtol' or 'ulps'",
        Rule::transposition => "'T('",
        Rule::replica_groups | Rule::iota_groups | Rule::mesh_groups => "replica groups",
        Rule::sharding
        | Rule::tuple_sharding
        | Rule::element_sharding
        | Rule::nested_tuple
        | Rule::nested_element
        | Rule::named_sharding
        | Rule::single_sharding => "a sharding",
        Rule::sharding_kind
        | Rule::device
        | Rule::devices
        | Rule::device_list
        | Rule::sharding_suffix => "a word of a sharding",
        Rule::booleans | Rule::words | Rule::names | Rule::shapes | Rule::slice_ranges => "'{'",
        Rule::parameter_shapes | Rule::program_shape => "a program's shape",
        Rule::metadata => "metadata",
        _ => "something else",
    }
}
