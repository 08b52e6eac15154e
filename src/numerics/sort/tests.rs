use super::*;

/// Several threads, each of which processes a range.
fn threads(count: i64, _: i64, body: &(dyn Fn(i64, i64) + Sync)) {
    std::thread::scope(|scope| {
        for number in 0..3 {
            let (begin, end) = (count * number / 3, count * (number + 1) / 3);
            scope.spawn(move || (begin < end).then(|| body(begin, end)));
        }
    });
}

/// A linear congruential generator, whose high bits are good.
fn random(count: usize) -> impl Iterator<Item = u64> {
    let mut state = 1_u64;
    (0..count).map(move |_| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        state ^ state >> 29
    })
}

/// Compares with the sort of the standard library, which is stable.
fn check<T: Element, O: Order<T>>(order: O, source: &[T]) {
    let mut expected: Vec<u32> = (0..source.len() as u32).collect();
    expected.sort_by_key(|number| order.key(order.encoded(source[*number as usize])));
    let sorted: Vec<T> = expected.iter().map(|number| source[*number as usize]).collect();
    let mut keys = vec![T::zero(); source.len()];
    let mut tags = vec![0_u32; source.len()];
    sort(&threads, order, source, (&mut keys, &mut tags));
    assert!(keys == sorted && tags == expected);
    let mut alone = vec![T::zero(); source.len()];
    sort(
        &threads,
        order,
        source,
        (&mut alone, &mut vec![(); source.len()]),
    );
    assert!(alone == sorted);
}

const SIZES: [usize; 7] = [0, 1, 24, 25, 2048, 16_385, 40_000];

#[test]
fn integers_of_all_widths() {
    for size in SIZES {
        for descending in [false, true] {
            let numbers: Vec<u64> = random(size).collect();
            check(Integers::new(true, descending), &numbers);
            let narrow = |number: &u64| *number as u32;
            check(
                Integers::new(true, descending),
                &numbers.iter().map(narrow).collect::<Vec<_>>(),
            );
            let narrow = |number: &u64| *number as u16;
            check(
                Integers::new(false, descending),
                &numbers.iter().map(narrow).collect::<Vec<_>>(),
            );
            let narrow = |number: &u64| *number as u8;
            check(
                Integers::new(true, descending),
                &numbers.iter().map(narrow).collect::<Vec<_>>(),
            );
        }
    }
}

/// More elements than fit the scratch agree in the first digit, or in all.
#[test]
fn skewed_keys() {
    let count = 300_000;
    let order = Integers::new(false, false);
    check(order, &vec![7_u32; count]);
    let two: Vec<u32> =
        random(count).map(|number| (number >> 40) as u32 % 2 * 0x8000_0001).collect();
    check(order, &two);
    // All but one agree in the highest 16 bits.
    let mut narrow: Vec<u32> = random(count).map(|number| (number >> 48) as u32).collect();
    narrow[count / 2] = u32::MAX;
    check(order, &narrow);
    let mut wide: Vec<u64> = random(count).map(|number| number >> 24).collect();
    wide[3] = u64::MAX;
    wide[5] = 1 << 50;
    check(Integers::new(false, false), &wide);
    let sorted: Vec<u32> = (0..count as u32).collect();
    check(order, &sorted);
    check(order, &sorted.into_iter().rev().collect::<Vec<_>>());
}

fn floats(count: usize) -> Vec<u32> {
    let special = [
        0,
        0x8000_0000,
        0x7FC0_0000,
        0xFFC0_0001,
        0x7F80_0000,
        0xFF80_0000,
        1,
        0x8000_0001,
    ];
    let numbers = random(count).enumerate().map(|(number, random)| match number % 5 {
        0 => special[(random >> 40) as usize % special.len()],
        _ => (((random >> 40) as f32) / 1e6 - 8.0).to_bits(),
    });
    numbers.collect()
}

#[test]
fn floats_in_total_order() {
    for size in SIZES {
        let numbers = floats(size);
        let mut sorted = vec![0; size];
        let order = Floats::new(false);
        check(order, &numbers);
        check(Floats::new(true), &numbers);
        sort(
            &threads,
            order,
            &numbers,
            (&mut sorted, &mut vec![(); size]),
        );
        let mut expected = numbers.clone();
        expected.sort_by(|left, right| f32::from_bits(*left).total_cmp(&f32::from_bits(*right)));
        assert!(sorted == expected);
    }
}

/// Equal zeros and equal NaNs keep their order and their bits.
#[test]
fn floats_with_equal_zeros_and_nans() {
    for size in SIZES {
        for descending in [false, true] {
            let numbers = floats(size);
            let order = NormalizedFloats::new(0x7F80_0000, true, descending);
            check(order, &numbers);
            let mut sorted = vec![0; size];
            sort(
                &threads,
                order,
                &numbers,
                (&mut sorted, &mut vec![(); size]),
            );
            let value = |bits: u32| Some(f32::from_bits(bits)).filter(|value| !value.is_nan());
            let is_ordered = sorted.windows(2).all(|pair| {
                let (left, right) = if descending {
                    (value(pair[1]), value(pair[0]))
                } else {
                    (value(pair[0]), value(pair[1]))
                };
                right.is_none_or(|right| left.is_some_and(|left| left <= right))
            });
            assert!(is_ordered);
        }
    }
}
