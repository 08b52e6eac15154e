//! The groups of a collective as a matrix: one row for each group, padded with -1.

use super::{
    failure::{Failure, failure},
    importer::Importer,
};
use halo_hlo_text::{AxisRef, DeviceOrder, IotaTileAssignment, MeshGroups, ReplicaGroups};
use halo_ir::Attribute;

/// The maximum number of devices for which groups are written out.
const MAX_DEVICES: i64 = 1 << 20;

/// The matrix of groups in any of their spellings.
pub fn dense<'m>(
    importer: &Importer<'m>,
    groups: &ReplicaGroups,
) -> Result<Attribute<'m>, Failure> {
    let mut rows = rows(groups)?;
    let columns = rows.iter().map(Vec::len).max().unwrap_or_default();
    for row in &mut rows {
        row.resize(columns, -1);
    }
    importer.matrix(&rows, columns)
}

/// The devices of each group.
pub fn rows(groups: &ReplicaGroups) -> Result<Vec<Vec<i64>>, Failure> {
    match groups {
        ReplicaGroups::List(rows) => Ok(rows.clone()),
        ReplicaGroups::Iota(iota) => {
            let devices = expand(iota)?;
            let size = iota.dimensions.last().copied().unwrap_or_default();
            let size = usize::try_from(size).unwrap_or_default().max(1);
            Ok(devices.chunks(size).map(<[i64]>::to_vec).collect())
        }
        ReplicaGroups::Mesh(text) => MeshGroups::parse(text)
            .and_then(|groups| mesh(&groups))
            .ok_or_else(|| failure(format!("these are not replica groups: {text}"))),
    }
}

/// `[2,4]<=[4,2]T(1,0)`: the devices in row-major order of the tiles.
pub fn expand(iota: &IotaTileAssignment) -> Result<Vec<i64>, Failure> {
    let count = product(&iota.reshape_dimensions)?;
    if product(&iota.dimensions)? != count {
        return Err(failure("the tiles are not as many as the devices"));
    }
    let rank = iota.reshape_dimensions.len();
    let identity: Vec<usize> = (0..rank).collect();
    let permutation: Vec<usize> = if iota.transpose_permutation.is_empty() {
        identity
    } else {
        let numbers = iota.transpose_permutation.iter();
        numbers.filter_map(|it| usize::try_from(*it).ok()).collect()
    };
    transposed(&iota.reshape_dimensions, &permutation)
        .ok_or_else(|| failure("the transposition of the tiles is not a permutation"))
}

fn product(sizes: &[i64]) -> Result<i64, Failure> {
    let product = sizes.iter().try_fold(1_i64, |product, size| {
        (*size >= 0).then_some(())?;
        product.checked_mul(*size)
    });
    let product = product.filter(|product| *product <= MAX_DEVICES);
    product.ok_or_else(|| failure(format!("there are more than {MAX_DEVICES} devices")))
}

/// An iota in a shape, with transposed dimensions.
fn transposed(sizes: &[i64], permutation: &[usize]) -> Option<Vec<i64>> {
    let mut seen = vec![false; sizes.len()];
    for dimension in permutation {
        let entry = seen.get_mut(*dimension)?;
        if std::mem::replace(entry, true) {
            return None;
        }
    }
    if !seen.iter().all(|seen| *seen) {
        return None;
    }
    let mut strides = vec![1_i64; sizes.len()];
    let mut stride = 1_i64;
    for (target, size) in strides.iter_mut().zip(sizes).rev() {
        *target = stride;
        stride = stride.checked_mul(*size)?;
    }
    let mut devices = vec![0];
    for dimension in permutation {
        let (size, stride) = (*sizes.get(*dimension)?, *strides.get(*dimension)?);
        let steps = |device: i64| (0..size).map(move |step| device + step * stride);
        devices = devices.into_iter().flat_map(steps).collect();
    }
    Some(devices)
}

/// `mesh['a'=2,'b'=4] {'a','b':(1)2}`: the devices that differ along some axes
/// only.
fn mesh(groups: &MeshGroups) -> Option<Vec<Vec<i64>>> {
    let axes = &groups.mesh.axes;
    // Every axis is split into up to three factors: before, within and after a part.
    let mut factors = Vec::new();
    for (number, (_, size)) in axes.iter().enumerate() {
        let mut cuts = vec![1, *size];
        for chosen in groups.axes.iter().filter(|it| it.axis == number) {
            let (before, after) = bounds(*chosen, *size)?;
            cuts.extend([before, after]);
        }
        cuts.sort_unstable();
        cuts.dedup();
        for pair in cuts.windows(2) {
            let [low, high] = pair else { return None };
            if *low <= 0 || high % low != 0 {
                return None;
            }
            factors.push((number, *low, high / low));
        }
    }
    let mut group = Vec::new();
    for chosen in &groups.axes {
        let (_, size) = axes.get(chosen.axis)?;
        let (start, end) = bounds(*chosen, *size)?;
        for (position, (axis, before, factor)) in factors.iter().enumerate() {
            let is_within = *before >= start && before.checked_mul(*factor)? <= end;
            if *axis == chosen.axis && is_within {
                group.push(position);
            }
        }
    }
    let mut order: Vec<usize> =
        (0..factors.len()).filter(|position| !group.contains(position)).collect();
    order.extend(&group);
    let sizes: Vec<i64> = factors.iter().map(|(_, _, factor)| *factor).collect();
    product(&sizes).ok()?;
    let devices = transposed(&sizes, &order)?;
    let in_group: i64 = group.iter().filter_map(|it| sizes.get(*it)).product();
    let listed = device_order(&groups.mesh.order)?;
    let numbered = |device: &i64| match &listed {
        None => Some(*device),
        Some(listed) => listed.get(usize::try_from(*device).ok()?).copied(),
    };
    let devices: Vec<i64> = devices.iter().map(numbered).collect::<Option<_>>()?;
    let size = usize::try_from(in_group).ok()?.max(1);
    Some(devices.chunks(size).map(<[i64]>::to_vec).collect())
}

/// The products of the factors of an axis before a part of it, and including the part; of the whole
/// axis if no part is named.
fn bounds(axis: AxisRef, size: i64) -> Option<(i64, i64)> {
    match axis.part {
        None => Some((1, size)),
        Some(part) => Some((part.pre_size, part.pre_size.checked_mul(part.size)?)),
    }
}

/// The permutation of the devices; inner `None` if they are in the order of their numbers.
fn device_order(order: &DeviceOrder) -> Option<Option<Vec<i64>>> {
    match order {
        DeviceOrder::Ascending => Some(None),
        DeviceOrder::List(devices) => Some(Some(devices.clone())),
        DeviceOrder::Iota {
            reshape_dimensions,
            transpose_permutation,
        } => {
            product(reshape_dimensions).ok()?;
            let permutation: Vec<usize> = match transpose_permutation[..] {
                [] => (0..reshape_dimensions.len()).collect(),
                _ => {
                    let permutation = transpose_permutation.iter();
                    let permutation = permutation.map(|axis| usize::try_from(*axis).ok());
                    permutation.collect::<Option<_>>()?
                }
            };
            transposed(reshape_dimensions, &permutation).map(Some)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn iota_groups_are_transposed() {
        let iota = IotaTileAssignment {
            dimensions: vec![2, 4],
            reshape_dimensions: vec![4, 2],
            transpose_permutation: vec![1, 0],
        };
        let rows = rows(&ReplicaGroups::Iota(iota)).unwrap();
        assert_eq!(rows, [[0, 2, 4, 6], [1, 3, 5, 7]]);
    }

    #[test]
    fn meshes_group_along_their_axes() {
        let rows = |text: &str| rows(&ReplicaGroups::Mesh(text.to_owned())).unwrap();
        assert_eq!(
            rows("mesh['axis_0'=4,'axis_1'=2] {'axis_0'}"),
            [[0, 2, 4, 6], [1, 3, 5, 7]]
        );
        assert_eq!(rows("mesh[a=2,b=2] {b}"), [[0, 1], [2, 3]]);
        assert_eq!(rows("mesh[a=4] {a:(1)2}"), [[0, 2], [1, 3]]);
        assert_eq!(rows("mesh[a=4] {a:(2)2}"), [[0, 1], [2, 3]]);
        assert_eq!(
            rows("mesh[a=2,b=2], device_ids=([2,2]T(1,0)) {b}"),
            [[0, 2], [1, 3]]
        );
    }

    #[test]
    fn groups_beyond_any_machine_are_refused() {
        let iota = IotaTileAssignment {
            dimensions: vec![1 << 40],
            reshape_dimensions: vec![1 << 40],
            transpose_permutation: Vec::new(),
        };
        assert!(rows(&ReplicaGroups::Iota(iota)).is_err());
        assert!(rows(&ReplicaGroups::Mesh("mesh[a=99999999] {a}".into())).is_err());
        assert!(rows(&ReplicaGroups::Mesh("mesh[a=2] {b}".into())).is_err());
    }
}
