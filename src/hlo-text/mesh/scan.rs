//! Reads meshes and references to their axes from text.

use super::{AxisRef, DeviceOrder, DimensionSharding, Mesh, MeshGroups, NamedSharding, SubAxis};

/// A cursor over the remaining text.
pub(super) struct Scanner<'a> {
    rest: &'a str,
}

impl<'a> Scanner<'a> {
    pub(super) fn new(rest: &'a str) -> Self {
        Self { rest }
    }

    pub(super) fn is_at_end(&self) -> bool {
        self.rest.trim_start().is_empty()
    }

    /// Consumes a text if it comes next.
    fn take(&mut self, expected: &str) -> bool {
        let found = self.rest.trim_start().strip_prefix(expected);
        if let Some(rest) = found {
            self.rest = rest;
        }
        found.is_some()
    }

    fn expect(&mut self, expected: &str) -> Option<()> {
        self.take(expected).then_some(())
    }

    fn integer(&mut self) -> Option<i64> {
        let text = self.rest.trim_start();
        let end = text.find(|letter: char| !letter.is_ascii_digit() && letter != '-');
        let (digits, rest) = text.split_at(end.unwrap_or(text.len()));
        self.rest = rest;
        digits.parse().ok()
    }

    /// Parses items between commas, up to and including a closing bracket.
    fn list<T>(
        &mut self,
        close: &str,
        mut item: impl FnMut(&mut Self) -> Option<T>,
    ) -> Option<Vec<T>> {
        let mut items = Vec::new();
        while !self.take(close) {
            if !items.is_empty() {
                self.expect(",")?;
            }
            items.push(item(self)?);
        }
        Some(items)
    }

    /// Parses a name, quoted or up to a delimiter.
    fn name(&mut self) -> Option<String> {
        let text = self.rest.trim_start();
        for quote in ['\'', '"'] {
            if let Some(inner) = text.strip_prefix(quote) {
                let (name, rest) = inner.split_once(quote)?;
                self.rest = rest;
                return Some(name.to_owned());
            }
        }
        let ends = |letter: char| "=:,{}[]() \t\r\n".contains(letter);
        let (name, rest) = text.split_at(text.find(ends).unwrap_or(text.len()));
        self.rest = rest;
        (!name.is_empty()).then(|| name.to_owned())
    }

    /// `mesh['a'=2,'b'=4], device_ids=(...)`, `maximal_mesh[device_id=3]`
    fn mesh(&mut self) -> Option<Mesh> {
        if self.take("maximal_mesh") {
            self.expect("[")?;
            self.expect("device_id")?;
            self.expect("=")?;
            let device = self.integer()?;
            self.expect("]")?;
            return Some(Mesh {
                axes: Vec::new(),
                order: DeviceOrder::List(vec![device]),
            });
        }
        self.expect("mesh")?;
        self.expect("[")?;
        let axes = self.list("]", |scanner| {
            let name = scanner.name()?;
            scanner.expect("=")?;
            Some((name, scanner.integer()?))
        })?;
        let rest = self.rest;
        let order = if self.take(",") && self.take("device_ids") {
            self.expect("=")?;
            self.device_order()?
        } else {
            self.rest = rest;
            DeviceOrder::Ascending
        };
        Some(Mesh { axes, order })
    }

    /// `([4,2]T(1,0))`, `(3,2,1,0)`
    fn device_order(&mut self) -> Option<DeviceOrder> {
        self.expect("(")?;
        if !self.take("[") {
            return Some(DeviceOrder::List(self.list(")", Self::integer)?));
        }
        let reshape_dimensions = self.list("]", Self::integer)?;
        let transpose_permutation = if self.take("T") {
            self.expect("(")?;
            self.list(")", Self::integer)?
        } else {
            Vec::new()
        };
        self.expect(")")?;
        Some(DeviceOrder::Iota {
            reshape_dimensions,
            transpose_permutation,
        })
    }

    /// `'a'`, `'a':(2)4`
    fn axis(&mut self, mesh: &Mesh) -> Option<AxisRef> {
        let name = self.name()?;
        let axis = mesh.axes.iter().position(|(other, _)| *other == name)?;
        let part = if self.take(":") {
            self.expect("(")?;
            let pre_size = self.integer()?;
            self.expect(")")?;
            let size = self.integer()?;
            Some(SubAxis { pre_size, size })
        } else {
            None
        };
        Some(AxisRef { axis, part })
    }

    fn axes(&mut self, mesh: &Mesh) -> Option<Vec<AxisRef>> {
        self.expect("{")?;
        self.list("}", |scanner| scanner.axis(mesh))
    }

    /// `{'a', 'b', ?}`
    fn dimension(&mut self, mesh: &Mesh) -> Option<DimensionSharding> {
        self.expect("{")?;
        let axes = self.list("}", |scanner| {
            if scanner.take("?") {
                Some(None)
            } else {
                scanner.axis(mesh).map(Some)
            }
        })?;
        Some(DimensionSharding {
            is_open: axes.contains(&None),
            axes: axes.into_iter().flatten().collect(),
        })
    }

    pub(super) fn named_sharding(&mut self) -> Option<NamedSharding> {
        self.expect("{")?;
        let mesh = self.mesh()?;
        let all = mesh.all_axes();
        let mut sharding = NamedSharding {
            mesh,
            dimensions: Vec::new(),
            replicated: Vec::new(),
            unreduced: Vec::new(),
            manual: Vec::new(),
        };
        while !self.take("}") {
            // Older texts have no comma before the dimensions.
            self.take(",");
            let mesh = &sharding.mesh;
            if self.take("[") {
                sharding.dimensions = self.list("]", |scanner| scanner.dimension(mesh))?;
                continue;
            }
            match &self.name()?[..] {
                "metadata" => {
                    self.expect("=")?;
                    self.skip_braces()?;
                }
                "replicated" if !self.take("=") => {}
                "replicated" => sharding.replicated = self.axes(mesh)?,
                "unreduced" if !self.take("=") => sharding.unreduced.clone_from(&all),
                "unreduced" => sharding.unreduced = self.axes(mesh)?,
                "manual" if !self.take("=") => sharding.manual.clone_from(&all),
                "manual" => sharding.manual = self.axes(mesh)?,
                _ => return None,
            }
        }
        Some(sharding)
    }

    pub(super) fn mesh_groups(&mut self) -> Option<MeshGroups> {
        let mesh = self.mesh()?;
        let axes = self.axes(&mesh)?;
        Some(MeshGroups { mesh, axes })
    }

    /// The contents of braces, including strings that contain braces.
    fn skip_braces(&mut self) -> Option<()> {
        let mut depth = 0_usize;
        let mut is_string = false;
        let mut is_escaped = false;
        for (at, letter) in self.rest.char_indices() {
            match letter {
                _ if is_escaped => is_escaped = false,
                '\\' if is_string => is_escaped = true,
                '"' => is_string = !is_string,
                '{' if !is_string => depth += 1,
                '}' if !is_string => {
                    depth = depth.checked_sub(1)?;
                    if depth == 0 {
                        self.rest = self.rest.get(at + 1..)?;
                        return Some(());
                    }
                }
                _ => {}
            }
        }
        None
    }
}
