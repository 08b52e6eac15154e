//! Types.

use std::fmt::{self, Write};

use super::Printer;
use crate::{ArrayShape, Dimension, Layout, ProgramShape, Shape, element_type::element_type_name};

impl Printer<'_> {
    /// A type, with its layout if the options request it.
    pub(super) fn shape(&mut self, shape: &Shape) -> fmt::Result {
        self.shape_with(shape, self.options.layouts)
    }

    pub(super) fn shape_with(&mut self, shape: &Shape, layouts: bool) -> fmt::Result {
        match shape {
            Shape::Array(array) => self.array_shape(array, layouts),
            Shape::Tuple(shapes) => self.shapes(shapes, layouts),
            Shape::Token => self.out.write_str("token[]"),
            Shape::Opaque => self.out.write_str("opaque[]"),
            Shape::Buffer(array) => {
                self.out.push_str("b(");
                self.array_shape(array, layouts)?;
                self.out.write_char(')')
            }
        }
    }

    /// `(f32[], s32[2]{0})`
    fn shapes(&mut self, shapes: &[Shape], layouts: bool) -> fmt::Result {
        self.out.push('(');
        self.indexed_list(shapes, |printer, shape| printer.shape_with(shape, layouts))?;
        self.out.write_char(')')
    }

    /// `(f32[2]{0})->f32[]`
    pub(super) fn program_shape(&mut self, shape: &ProgramShape) -> fmt::Result {
        self.shapes(&shape.parameters, true)?;
        self.out.push_str("->");
        self.shape_with(&shape.result, true)
    }

    fn array_shape(&mut self, shape: &ArrayShape, layouts: bool) -> fmt::Result {
        self.out.push_str(element_type_name(shape.element_type));
        self.out.push('[');
        self.list(
            &shape.dimensions,
            ",",
            |printer, dimension| match dimension {
                Dimension::Static(size) => write!(printer.out, "{size}"),
                Dimension::Bounded(size) => write!(printer.out, "<={size}"),
                Dimension::Unbounded => printer.out.write_char('?'),
            },
        )?;
        self.out.push(']');
        match &shape.layout {
            Some(layout) if layouts => self.layout(layout),
            _ => Ok(()),
        }
    }

    fn layout(&mut self, layout: &Layout) -> fmt::Result {
        // A scalar's layout is written if it is not the default.
        if *layout == Layout::default() {
            return Ok(());
        }
        self.out.push('{');
        self.integers(&layout.minor_to_major)?;
        let before = self.out.len();
        self.out.push(':');
        if !layout.tiles.is_empty() {
            self.out.push('T');
        }
        for tile in &layout.tiles {
            self.out.push('(');
            self.list(&tile.0, ",", |printer, size| match size {
                Some(size) => write!(printer.out, "{size}"),
                None => printer.out.write_char('*'),
            })?;
            self.out.push(')');
        }
        self.layout_number("L", layout.tail_padding_alignment_in_elements)?;
        for (sign, index_type) in [
            ('#', layout.index_primitive_type),
            ('*', layout.pointer_primitive_type),
        ] {
            if let Some(index_type) = index_type {
                write!(self.out, "{sign}({})", element_type_name(index_type))?;
            }
        }
        self.layout_number("E", layout.element_size_in_bits)?;
        self.layout_number("S", layout.memory_space)?;
        if !layout.split_configs.is_empty() {
            self.out.push_str("SC");
        }
        for config in &layout.split_configs {
            write!(self.out, "({}:", config.dimension)?;
            self.integers(&config.split_indices)?;
            self.out.push(')');
        }
        if let Some(physical) = &layout.physical_shape {
            self.out.push_str("P(");
            self.shape_with(physical, true)?;
            self.out.push(')');
        }
        self.layout_number("M", layout.dynamic_shape_metadata_prefix_bytes)?;
        if self.out.len() == before + 1 {
            self.out.truncate(before);
        }
        self.out.write_char('}')
    }

    fn layout_number(&mut self, letter: &str, number: Option<i64>) -> fmt::Result {
        match number {
            Some(number) => write!(self.out, "{letter}({number})"),
            None => Ok(()),
        }
    }
}
