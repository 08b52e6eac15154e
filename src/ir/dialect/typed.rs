//! The macro that declares an op with its typed interface.

/// The expansion of [`declare_op`](crate::declare_op).
#[doc(hidden)]
pub mod support {
    pub use crate::ops::access::{
        attribute, operand, operands, optional_attribute, optional_operand, optional_result,
        region, regions, result, results, successor, successors,
    };
    use crate::{
        dialect::declared_ops::DefaultAttribute,
        handles::{Block, Value},
        operation::OperationExt,
        ops::{
            Build, Codec,
            definition::{Group, Op},
        },
        region::Region,
    };
    pub use melior::ir::RegionRef;

    /// The position of a name, which must exist.
    pub const fn position(groups: &[Group], name: &str) -> usize {
        let mut index = 0;
        while index < groups.len() {
            if equal(groups[index].name.as_bytes(), name.as_bytes()) {
                return index;
            }
            index += 1;
        }
        panic!("there is no part of this name")
    }

    const fn equal(left: &[u8], right: &[u8]) -> bool {
        if left.len() != right.len() {
            return false;
        }
        let mut index = 0;
        while index < left.len() {
            if left[index] != right[index] {
                return false;
            }
            index += 1;
        }
        true
    }

    /// The position of a successor.
    pub const fn part(parts: &[crate::dialect::declaration::Part], name: &str) -> usize {
        let mut index = 0;
        while index < parts.len() {
            if equal(parts[index].name.as_bytes(), name.as_bytes()) {
                return index;
            }
            index += 1;
        }
        panic!("there is no part of this name")
    }

    /// The position of a region.
    pub const fn region_position(
        regions: &[crate::dialect::declaration::OpRegion],
        name: &str,
    ) -> usize {
        let mut index = 0;
        while index < regions.len() {
            if equal(regions[index].name.as_bytes(), name.as_bytes()) {
                return index;
            }
            index += 1;
        }
        panic!("there is no region of this name")
    }

    /// Starts an op whose results, if any, are inferred.
    pub fn start<'c, O: Op<'c>>(
        builder: &crate::builder::Builder<'c>,
        operands: &[&[Value<'c>]],
    ) -> Build<'c, O> {
        let build = Build::new(builder).operands(operands);
        if O::INFO.results.groups.is_empty() {
            build
        } else {
            build.infer()
        }
    }

    /// Adds a required attribute.
    pub fn coded<'a, 'c: 'a, O: Op<'c>, C: Codec>(
        build: Build<'c, O>,
        name: &'static str,
        value: C::Write<'a, 'c>,
    ) -> Build<'c, O> {
        build.coded::<C>(name, value)
    }

    /// Adds an optional attribute.
    pub fn maybe_coded<'a, 'c: 'a, O: Op<'c>, C: Codec>(
        build: Build<'c, O>,
        name: &'static str,
        value: Option<C::Write<'a, 'c>>,
    ) -> Build<'c, O> {
        build.maybe(value, |build, value| build.coded::<C>(name, value))
    }

    /// The value of an attribute with a default.
    pub fn attribute_or_default<'c, C: Codec>(
        operation: crate::handles::Operation<'c>,
        name: &str,
        default: DefaultAttribute,
    ) -> C::Read<'c> {
        optional_attribute::<C>(operation, name).unwrap_or_else(|| {
            match default(operation.context()).and_then(C::read) {
                Some(value) => value,
                None => panic!("the default of attribute '{name}' is not of its kind"),
            }
        })
    }

    /// Adds regions.
    pub fn add_regions<'c, O: Op<'c>>(
        build: Build<'c, O>,
        regions: impl IntoIterator<Item = Region<'c>>,
    ) -> Build<'c, O> {
        build.regions(regions)
    }

    /// Adds successors.
    pub fn add_successors<'c, O: Op<'c>>(
        build: Build<'c, O>,
        blocks: &[Block<'c>],
    ) -> Build<'c, O> {
        build.successors(blocks)
    }
}

/// Declares an op of a dialect, and the Rust type of its handles.
///
/// ```ignore
/// declare_op! {
///     /// Multiplies two tiles.
///     pub struct MatmulOp = "tile.matmul" {
///         operands { lhs: One(Tensor), rhs: One(Tensor), bias: Optional(Tensor) }
///         results { product: One(Tensor) }
///         attributes { transposed: Optional(codec::Unit), steps: Required(codec::Signless<64>) }
///         regions { epilogue: One }
///         successors { }
///     }
///     .traits(&[OpTrait::Pure])
///     .assembly("$lhs `,` $rhs (`,` $bias^ `:` type($bias))? ...")
///     .infer(infer_matmul)
/// }
/// ```
///
/// Sections that are empty may be left out; their order is this one. `One`, `Optional` and
/// `Variadic` are the numbers of values of a group; `body: One(Exactly(1))` is a region with a
/// [`BlockCount`](crate::dialect::BlockCount). An attribute is `Required`, `Optional` or
/// `Default(codec::Signless<64> = 1)`, whose accessor returns the default if it is absent. The
/// constraint of a group is a [`TypeConstraint`](crate::dialect::TypeConstraint), whose variants
/// are in scope; the kind of an attribute is a [`DeclaredCodec`](crate::dialect::DeclaredCodec),
/// which also determines the Rust type of the accessors. Methods of
/// [`OpDeclaration`](crate::dialect::OpDeclaration) follow the braces.
///
/// `MatmulOp` is an [`Op`](crate::ops::Op) like the generated ones: `op.cast::<MatmulOp>()`, with a
/// method for each part. `MatmulOp::DECLARATION` goes into the dialect. `MatmulOp::build(b, lhs,
/// rhs, bias, transposed, steps, epilogue)` starts one, with all parts in their order and an
/// `Option` for optional parts; `.value()` or `.insert()` ends it. Result types are inferred;
/// `.result_types(&[...])` sets them.
#[macro_export]
macro_rules! declare_op {
    (
        $(#[doc = $doc:literal])*
        $visibility:vis struct $class:ident = $name:literal {
            $(operands { $($operand:ident : $operand_arity:ident ( $operand_type:expr )),* $(,)? })?
            $(results { $($result:ident : $result_arity:ident ( $result_type:expr )),* $(,)? })?
            $(attributes {
                $($attribute:ident : $presence:ident ( $codec:ty $(= $default:expr)? )),* $(,)?
            })?
            $(regions {
                $($region:ident : $region_arity:ident $( ( $blocks:expr ) )?),* $(,)?
            })?
            $(successors { $($successor:ident : $successor_arity:ident),* $(,)? })?
        }
        $(. $method:ident ( $($argument:tt)* ))*
    ) => {
        $(#[doc = $doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        $visibility struct $class<'c>($crate::Operation<'c>);

        impl<'c> $crate::ops::Op<'c> for $class<'c> {
            const INFO: &'static $crate::ops::OpInfo = $class::DECLARATION.info;
            type At<'a> = $class<'a>;

            #[inline]
            fn from_unchecked(operation: $crate::Operation<'c>) -> Self {
                Self(operation)
            }

            #[inline]
            fn operation(self) -> $crate::Operation<'c> {
                self.0
            }
        }

        impl<'c> std::ops::Deref for $class<'c> {
            type Target = $crate::Operation<'c>;

            #[inline]
            fn deref(&self) -> &Self::Target {
                &self.0
            }
        }

        #[allow(missing_docs, dead_code, unused_imports, clippy::too_many_arguments)]
        impl $class<'_> {
            /// The declaration of the op in the dialect.
            pub const DECLARATION: &'static $crate::dialect::OpDeclaration = {
                use $crate::dialect::TypeConstraint::*;
                use $crate::ops::{Arity, Group, Groups, OpInfo};
                const INFO: &OpInfo = &OpInfo {
                    name: $name,
                    operands: Groups::new(&[$($(
                        Group { name: stringify!($operand), arity: Arity::$operand_arity },
                    )*)?]),
                    results: Groups::new(&[$($(
                        Group { name: stringify!($result), arity: Arity::$result_arity },
                    )*)?]),
                    required: $crate::declare_op!(@required [] $($($attribute $presence)*)?),
                };
                const OPERANDS: &[$crate::dialect::TypeConstraint] = &[$($($operand_type),*)?];
                const RESULTS: &[$crate::dialect::TypeConstraint] = &[$($($result_type),*)?];
                const ATTRIBUTES: &[$crate::dialect::OpAttribute] = &[$($(
                    $crate::declare_op!(@declared $attribute $presence $codec $(, $default)?),
                )*)?];
                const REGIONS: &[$crate::dialect::OpRegion] = &[$($(
                    $crate::dialect::OpRegion {
                        name: stringify!($region),
                        arity: Arity::$region_arity,
                        blocks: $crate::declare_op!(@blocks_of $($blocks)?),
                    },
                )*)?];
                const SUCCESSORS: &[$crate::dialect::Part] = &[$($(
                    $crate::dialect::Part {
                        name: stringify!($successor),
                        arity: Arity::$successor_arity,
                    },
                )*)?];
                &$crate::dialect::OpDeclaration::new(INFO, concat!($($doc),*))
                    .operands(OPERANDS)
                    .results(RESULTS)
                    .attributes(ATTRIBUTES)
                    .regions(REGIONS)
                    .successors(SUCCESSORS)
                    $(. $method ( $($argument)* ))*
            };
        }

        #[allow(missing_docs, dead_code, clippy::too_many_arguments)]
        impl<'c> $class<'c> {
            $($($crate::declare_op! { @operand 'c $operand $operand_arity })*)?
            $($($crate::declare_op! { @result 'c $result $result_arity })*)?
            $($($crate::declare_op! {
                @attribute 'c $attribute $presence $codec $(, $default)?
            })*)?
            $($($crate::declare_op! { @region 'c $region $region_arity })*)?
            $($($crate::declare_op! { @successor 'c $successor $successor_arity })*)?

            /// Starts an op with these parts.
            pub fn build<'a>(
                builder: &$crate::Builder<'c>
                $($(, $operand: $crate::declare_op!(@value 'a 'c $operand_arity))*)?
                $($(, $attribute: $crate::declare_op!(@write 'a 'c $presence $codec))*)?
                $($(, $region: $crate::declare_op!(@body 'c $region_arity))*)?
                $($(, $successor: $crate::declare_op!(@block 'a 'c $successor_arity))*)?
            ) -> $crate::ops::Build<'c, Self>
            where
                'c: 'a,
            {
                use $crate::dialect::support;
                let build = support::start::<Self>(builder, &[
                    $($($crate::declare_op!(@slice $operand $operand_arity)),*)?
                ]);
                $($(
                    let build = $crate::declare_op!(@coded build $attribute $presence $codec);
                )*)?
                $($(let build = $crate::declare_op!(@bodies build $region $region_arity);)*)?
                $($(let build = $crate::declare_op!(@blocks build $successor $successor_arity);)*)?
                build
            }
        }
    };

    (@required [$($found:expr),* $(,)?]) => { &[$($found),*] };
    (@required [$($found:expr),* $(,)?] $name:ident Required $($rest:ident)*) => {
        $crate::declare_op!(@required [$($found,)* stringify!($name)] $($rest)*)
    };
    (@required [$($found:expr),* $(,)?] $name:ident $presence:ident $($rest:ident)*) => {
        $crate::declare_op!(@required [$($found),*] $($rest)*)
    };
    (@declared $name:ident Required $codec:ty) => {
        $crate::dialect::OpAttribute::required(
            stringify!($name),
            <$codec as $crate::dialect::DeclaredCodec>::CONSTRAINT,
        )
    };
    (@declared $name:ident Optional $codec:ty) => {
        $crate::dialect::OpAttribute::optional(
            stringify!($name),
            <$codec as $crate::dialect::DeclaredCodec>::CONSTRAINT,
        )
    };
    (@declared $name:ident Default $codec:ty, $default:expr) => {
        $crate::dialect::OpAttribute::with_default(
            stringify!($name),
            <$codec as $crate::dialect::DeclaredCodec>::CONSTRAINT,
            |context| <$codec as $crate::ops::Codec>::write(context, $default),
        )
    };
    (@blocks_of) => { $crate::dialect::BlockCount::Any };
    (@blocks_of $blocks:expr) => {{
        use $crate::dialect::BlockCount::*;
        $blocks
    }};

    (@operand $c:lifetime $name:ident $arity:ident) => {
        $crate::declare_op! { @values $c $name $arity operands operand optional_operand operands }
    };
    (@result $c:lifetime $name:ident $arity:ident) => {
        $crate::declare_op! { @values $c $name $arity results result optional_result results }
    };
    (@values $c:lifetime $name:ident One $of:ident $one:ident $optional:ident $all:ident) => {
        #[inline]
        pub fn $name(self) -> $crate::Value<$c> {
            let info = Self::DECLARATION.info;
            let position = $crate::dialect::support::position(info.$of.groups, stringify!($name));
            $crate::dialect::support::$one(self.0, info, position)
        }
    };
    (@values $c:lifetime $name:ident Optional $of:ident $one:ident $optional:ident $all:ident) => {
        #[inline]
        pub fn $name(self) -> Option<$crate::Value<$c>> {
            let info = Self::DECLARATION.info;
            let position = $crate::dialect::support::position(info.$of.groups, stringify!($name));
            $crate::dialect::support::$optional(self.0, info, position)
        }
    };
    (@values $c:lifetime $name:ident Variadic $of:ident $one:ident $optional:ident $all:ident) => {
        #[inline]
        pub fn $name(self) -> Vec<$crate::Value<$c>> {
            let info = Self::DECLARATION.info;
            let position = $crate::dialect::support::position(info.$of.groups, stringify!($name));
            $crate::dialect::support::$all(self.0, info, position)
        }
    };
    (@attribute $c:lifetime $name:ident Required $codec:ty) => {
        #[inline]
        pub fn $name(self) -> <$codec as $crate::ops::Codec>::Read<$c> {
            $crate::dialect::support::attribute::<$codec>(self.0, stringify!($name))
        }
    };
    (@attribute $c:lifetime $name:ident Optional $codec:ty) => {
        #[inline]
        pub fn $name(self) -> Option<<$codec as $crate::ops::Codec>::Read<$c>> {
            $crate::dialect::support::optional_attribute::<$codec>(self.0, stringify!($name))
        }
    };
    (@attribute $c:lifetime $name:ident Default $codec:ty, $default:expr) => {
        #[inline]
        pub fn $name(self) -> <$codec as $crate::ops::Codec>::Read<$c> {
            $crate::dialect::support::attribute_or_default::<$codec>(
                self.0,
                stringify!($name),
                |context| <$codec as $crate::ops::Codec>::write(context, $default),
            )
        }
    };
    (@region $c:lifetime $name:ident One) => {
        #[inline]
        pub fn $name(self) -> $crate::dialect::support::RegionRef<$c, $c> {
            let parts = Self::DECLARATION.regions;
            let position = $crate::dialect::support::region_position(parts, stringify!($name));
            $crate::dialect::support::region(self.0, position, stringify!($name))
        }
    };
    (@region $c:lifetime $name:ident Variadic) => {
        #[inline]
        pub fn $name(self) -> Vec<$crate::dialect::support::RegionRef<$c, $c>> {
            let parts = Self::DECLARATION.regions;
            let position = $crate::dialect::support::region_position(parts, stringify!($name));
            $crate::dialect::support::regions(self.0, position, stringify!($name))
        }
    };
    (@successor $c:lifetime $name:ident One) => {
        #[inline]
        pub fn $name(self) -> $crate::Block<$c> {
            let parts = Self::DECLARATION.successors;
            let position = $crate::dialect::support::part(parts, stringify!($name));
            $crate::dialect::support::successor(self.0, position, stringify!($name))
        }
    };
    (@successor $c:lifetime $name:ident Variadic) => {
        #[inline]
        pub fn $name(self) -> Vec<$crate::Block<$c>> {
            let parts = Self::DECLARATION.successors;
            let position = $crate::dialect::support::part(parts, stringify!($name));
            $crate::dialect::support::successors(self.0, position, stringify!($name))
        }
    };

    (@value $a:lifetime $c:lifetime One) => { $crate::Value<$c> };
    (@value $a:lifetime $c:lifetime Optional) => { Option<$crate::Value<$c>> };
    (@value $a:lifetime $c:lifetime Variadic) => { &$a [$crate::Value<$c>] };
    (@write $a:lifetime $c:lifetime Required $codec:ty) => {
        <$codec as $crate::ops::Codec>::Write<$a, $c>
    };
    (@write $a:lifetime $c:lifetime $presence:ident $codec:ty) => {
        Option<<$codec as $crate::ops::Codec>::Write<$a, $c>>
    };
    (@body $c:lifetime One) => { $crate::Region<$c> };
    (@body $c:lifetime Variadic) => { Vec<$crate::Region<$c>> };
    (@block $a:lifetime $c:lifetime One) => { $crate::Block<$c> };
    (@block $a:lifetime $c:lifetime Variadic) => { &$a [$crate::Block<$c>] };

    (@slice $name:ident One) => { &[$name] };
    (@slice $name:ident Optional) => { $name.as_slice() };
    (@slice $name:ident Variadic) => { $name };
    (@coded $build:ident $name:ident Required $codec:ty) => {
        support::coded::<Self, $codec>($build, stringify!($name), $name)
    };
    (@coded $build:ident $name:ident $presence:ident $codec:ty) => {
        support::maybe_coded::<Self, $codec>($build, stringify!($name), $name)
    };
    (@bodies $build:ident $name:ident One) => { support::add_regions($build, [$name]) };
    (@bodies $build:ident $name:ident Variadic) => { support::add_regions($build, $name) };
    (@blocks $build:ident $name:ident One) => { support::add_successors($build, &[$name]) };
    (@blocks $build:ident $name:ident Variadic) => { support::add_successors($build, $name) };
}
