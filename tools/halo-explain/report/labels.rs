//! Names of marks in a chart, none over another one or over a mark.
//!
//! A name is beside its mark where there is space, or else at the nearest free place of the
//! chart, with a line to its mark.

/// An area of a chart; y falls upwards.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Area {
    pub left: f64,
    pub right: f64,
    pub top: f64,
    pub bottom: f64,
}

impl Area {
    /// The area of a round mark.
    pub fn around(x: f64, y: f64, radius: f64) -> Self {
        Self {
            left: x - radius,
            right: x + radius,
            top: y - radius,
            bottom: y + radius,
        }
    }

    pub fn overlaps(&self, other: &Self) -> bool {
        self.left < other.right
            && other.left < self.right
            && self.top < other.bottom
            && other.top < self.bottom
    }

    /// Whether another one is all in it.
    pub fn has(&self, inner: &Self) -> bool {
        inner.left >= self.left
            && inner.right <= self.right
            && inner.top >= self.top
            && inner.bottom <= self.bottom
    }

    /// Whether a straight line comes through it, by points on that line.
    fn is_crossed(&self, from: (f64, f64), to: (f64, f64)) -> bool {
        let is_beside = from.0.max(to.0) < self.left
            || from.0.min(to.0) > self.right
            || from.1.max(to.1) < self.top
            || from.1.min(to.1) > self.bottom;
        if is_beside {
            return false;
        }
        (0..=32).any(|step| {
            let part = f64::from(step) / 32.0;
            let x = from.0 + part * (to.0 - from.0);
            let y = from.1 + part * (to.1 - from.1);
            (self.left..self.right).contains(&x) && (self.top..self.bottom).contains(&y)
        })
    }
}

/// A name that is to be placed.
pub struct Wanted {
    /// The number of its mark.
    pub mark: usize,
    pub text: String,
}

/// The ends of the line from a mark to its name.
type Leader = ((f64, f64), (f64, f64));

/// A name in its place.
#[derive(Debug)]
pub struct Label {
    pub mark: usize,
    pub text: String,
    /// Where the text begins, on its base line.
    pub x: f64,
    pub y: f64,
    pub area: Area,
    /// The line from the mark, if the name is not beside it.
    pub leader: Option<Leader>,
}

/// The width of a letter and the height of a line.
const LETTER: f64 = 6.9;
const LINE: f64 = 13.0;
/// The steps between places that are tried.
const STEP: (f64, f64) = (12.0, 7.0);
/// How many free places are compared, the nearest ones.
const TRIED: usize = 400;
/// How much further away a name may be so that its line crosses one name less.
const CROSSED: f64 = 60.0;

/// The space that a text takes whose base line begins at a place.
pub fn area(text: &str, (x, y): (f64, f64)) -> Area {
    Area {
        left: x,
        right: x + LETTER * text.chars().count() as f64,
        top: y - LINE + 3.0,
        bottom: y + 3.0,
    }
}

/// What names are kept away from.
#[derive(Default)]
pub struct Taken {
    /// Other texts.
    pub texts: Vec<Area>,
    /// Lines, which a name may be over if there is no other place.
    pub lines: Vec<Area>,
}

/// Places names within an area, each where no mark, no name and nothing else is.
pub fn place(wanted: Vec<Wanted>, marks: &[Area], taken: &Taken, within: Area) -> Vec<Label> {
    let mut labels: Vec<Label> = Vec::new();
    for Wanted { mark, text } in wanted {
        let Some(own) = marks.get(mark) else {
            continue;
        };
        let is_free = |place: &(f64, f64)| {
            let area = area(&text, *place);
            let mut others = marks.iter().enumerate();
            within.has(&area)
                && !others.any(|(number, other)| number != mark && area.overlaps(other))
                && !area.overlaps(own)
                && !taken.texts.iter().any(|other| area.overlaps(other))
                && !labels.iter().any(|label| area.overlaps(&label.area))
        };
        let is_off_lines = |place: &(f64, f64)| {
            let area = area(&text, *place);
            !taken.lines.iter().any(|line| area.overlaps(line))
        };
        let mut beside = beside(own, &text).into_iter();
        let beside = beside.find(|place| is_free(place) && is_off_lines(place));
        let found = beside.map(|place| (place, None)).or_else(|| {
            let places = grid(own, within, &text).into_iter();
            let places = places.filter(is_free).take(TRIED);
            let mut best: Option<(f64, (f64, f64), Leader)> = None;
            for place in places {
                let line = leader(own, &area(&text, place));
                let (across, down) = (line.1.0 - line.0.0, line.1.1 - line.0.1);
                let length = across.hypot(down);
                if best.as_ref().is_some_and(|(cost, ..)| length >= *cost) {
                    continue;
                }
                let crossed = |areas: &mut dyn Iterator<Item = &Area>| {
                    areas.filter(|it| it.is_crossed(line.0, line.1)).count() as f64
                };
                let names = crossed(&mut labels.iter().map(|label| &label.area));
                let others = marks.iter().enumerate().filter(|(it, _)| *it != mark);
                let others = crossed(&mut others.map(|(_, area)| area));
                let mut cost = length + CROSSED * names + CROSSED / 2.0 * others;
                let mut drawn = taken.texts.iter().chain(&taken.lines);
                if drawn.any(|area| area.is_crossed(line.0, line.1)) {
                    cost += CROSSED;
                }
                if !is_off_lines(&place) {
                    cost += CROSSED;
                }
                if best.as_ref().is_none_or(|(least, ..)| cost < *least) {
                    best = Some((cost, place, line));
                }
            }
            best.map(|(_, place, line)| (place, Some(line)))
        });
        if let Some(((x, y), leader)) = found {
            labels.push(Label {
                mark,
                area: area(&text, (x, y)),
                text,
                x,
                y,
                leader,
            });
        }
    }
    labels
}

/// The places beside, below and above a mark.
fn beside(mark: &Area, text: &str) -> [(f64, f64); 4] {
    let width = LETTER * text.chars().count() as f64;
    let (x, y) = center(mark);
    [
        (mark.right + 4.0, y + 4.0),
        (mark.left - 4.0 - width, y + 4.0),
        (x - width / 2.0, mark.bottom + LINE + 1.0),
        (x - width / 2.0, mark.top - 5.0),
    ]
}

/// Places all over an area, the nearest to a mark first.
fn grid(mark: &Area, within: Area, text: &str) -> Vec<(f64, f64)> {
    let width = LETTER * text.chars().count() as f64;
    let columns = ((within.right - within.left) / STEP.0).max(0.0) as usize;
    let rows = ((within.bottom - within.top) / STEP.1).max(0.0) as usize;
    let (x, y) = center(mark);
    let mut places: Vec<(f64, f64)> = (0..=columns)
        .flat_map(|column| {
            (0..=rows).map(move |row| {
                (
                    within.left + column as f64 * STEP.0,
                    within.top + row as f64 * STEP.1,
                )
            })
        })
        .collect();
    let distance = |place: &(f64, f64)| {
        let across = place.0 + width / 2.0 - x;
        let down = place.1 - LINE / 2.0 - y;
        // A name is wide, so that one above or below is nearer.
        across * across / 4.0 + down * down
    };
    places.sort_by(|one, other| distance(one).total_cmp(&distance(other)));
    places
}

fn center(area: &Area) -> (f64, f64) {
    (
        (area.left + area.right) / 2.0,
        (area.top + area.bottom) / 2.0,
    )
}

/// A line from a mark to the nearest place at the edge of a name.
fn leader(mark: &Area, label: &Area) -> Leader {
    let (x, y) = center(mark);
    let end = (
        x.clamp(label.left + 3.0, (label.right - 3.0).max(label.left + 3.0)),
        y.clamp(label.top, label.bottom),
    );
    ((x, y), end)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wanted(count: usize) -> Vec<Wanted> {
        let name = |mark| Wanted {
            mark,
            text: format!("main_kernel_{mark}"),
        };
        (0..count).map(name).collect()
    }

    /// All marks are at one place, so that there is none beside them for most names.
    #[test]
    fn names_of_marks_at_one_place_are_all_drawn_and_apart() {
        let marks = vec![Area::around(330.0, 60.0, 9.0); 12];
        let within = Area {
            left: 58.0,
            right: 346.0,
            top: 22.0,
            bottom: 354.0,
        };
        let taken = Taken {
            texts: vec![Area::around(280.0, 100.0, 40.0)],
            ..Taken::default()
        };
        let labels = place(wanted(12), &marks, &taken, within);
        assert_eq!(labels.len(), 12);
        for (number, label) in labels.iter().enumerate() {
            assert!(within.has(&label.area), "{label:?}");
            assert!(!label.area.overlaps(&taken.texts[0]), "{label:?}");
            let others = &labels[number + 1..];
            let mut others = others.iter();
            assert!(!others.any(|other| label.area.overlaps(&other.area)));
        }
        assert!(labels[11].leader.is_some());
    }

    /// A mark at the edge of the chart below a line with a text, and other marks on the other side:
    /// its name is led to a place below, though that is further away.
    #[test]
    fn lines_to_names_cross_no_text_and_no_limit() {
        let within = Area {
            left: 0.0,
            right: 400.0,
            top: 0.0,
            bottom: 300.0,
        };
        let mut marks = vec![Area::around(390.0, 110.0, 6.0)];
        marks.extend((0..12).map(|it| Area::around(290.0 + 9.0 * f64::from(it), 128.0, 8.0)));
        marks.extend((0..12).map(|it| Area::around(275.0 + 8.0 * f64::from(it), 110.0, 6.0)));
        let taken = Taken {
            texts: vec![Area {
                left: 300.0,
                right: 400.0,
                top: 80.0,
                bottom: 94.0,
            }],
            lines: (0..100)
                .map(|it| Area::around(4.0 * f64::from(it), 98.0, 2.0))
                .collect(),
        };
        let labels = place(wanted(1), &marks, &taken, within);
        let (from, to) = labels[0].leader.unwrap();
        assert!(to.1 > from.1, "{labels:?}");
        assert!(!taken.texts[0].is_crossed(from, to));
    }

    #[test]
    fn a_name_is_beside_its_mark_where_there_is_space() {
        let marks = [
            Area::around(100.0, 100.0, 5.0),
            Area::around(320.0, 100.0, 5.0),
        ];
        let within = Area {
            left: 0.0,
            right: 400.0,
            top: 0.0,
            bottom: 200.0,
        };
        let labels = place(wanted(2), &marks, &Taken::default(), within);
        let places: Vec<_> = labels.iter().map(|it| (it.x, it.y)).collect();
        assert!(labels.iter().all(|it| it.leader.is_none()));
        assert_eq!(places[0], (109.0, 104.0));
        // There is no space to the right of the other one that is in the chart.
        assert!(places[1].0 < 320.0, "{places:?}");
    }
}
