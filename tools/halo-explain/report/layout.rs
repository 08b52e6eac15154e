//! Where the boxes of a graph are drawn: in rows, each below those that it reads.
//!
//! `rust-sugiyama` orders rows and places boxes so that lines are short, straight and cross
//! seldom. It does not tell where long lines run, so each gets points of its own, one in each
//! row that it crosses, which are placed as boxes are. It recurses along the graph, so it gets
//! a stack of its own. In larger or deeper graphs ([`MOST_FOR_SUGIYAMA`], [`MOST_ROWS`]), rows
//! are ordered by the mean of their neighbours alone and packed around the middle. What it
//! places drifts sideways in deep graphs, so that rows are pulled together afterwards.

use rust_sugiyama::configure::{Config, CrossingMinimization, RankingType};
use std::collections::{BTreeMap, BTreeSet};

/// The largest graph that is laid out well, in boxes and points; it takes about a second.
const MOST_FOR_SUGIYAMA: usize = 12_000;
/// The deepest graph that is laid out well, in rows, and the stack for it in bytes.
const MOST_ROWS: u32 = 6000;
const STACK: usize = 256 << 20;
/// The most points of lines; the lines of larger graphs are straight.
const MOST_POINTS: usize = 60_000;
/// The space between boxes of a row.
const GAP: f64 = 28.0;
/// How often nodes are moved towards their neighbours, all together, and the least and the
/// most for each.
const PULLS: usize = 150_000;
const PULLS_EACH: (usize, usize) = (10, 300);
/// A node that moves less than this stays where it is.
const STILL: f64 = 1e-3;
/// The width of the point of a line.
const POINT: f64 = 6.0;

/// A graph that is laid out.
#[derive(Debug, Default)]
pub struct Layout {
    /// The row of each box and the middle of it in its row.
    pub boxes: Vec<(u32, f64)>,
    /// The points of each line between its ends.
    pub lines: Vec<Vec<(u32, f64)>>,
}

/// Lays out boxes of given widths, and lines between them, which are by the numbers of boxes.
/// Lines from a box to itself, and to boxes that do not exist, get no points.
pub fn layout(widths: &[f64], lines: &[(u32, u32)]) -> Layout {
    let ranks = ranks(widths.len(), lines);
    let mut graph = Graph::new(widths, &ranks);
    let crossed: usize = lines.iter().map(|line| span(&ranks, *line)).sum();
    let mut points = Vec::new();
    for line in lines {
        let (from, to) = *line;
        let mut chain = vec![from];
        if span(&ranks, *line) > 0 && crossed <= MOST_POINTS {
            let (first, last) = (ranks[from as usize], ranks[to as usize]);
            let (first, last, is_up) = (first.min(last), first.max(last), first > last);
            let mut own: Vec<u32> = (first + 1..last)
                .map(|rank| graph.add_point(rank))
                .collect();
            if is_up {
                own.reverse();
            }
            chain.extend(own);
        }
        chain.push(to);
        let exist = chain
            .iter()
            .all(|node| (*node as usize) < graph.ranks.len());
        if exist && from != to {
            graph.add_lines(&chain);
        }
        points.push(chain[1..chain.len() - 1].to_vec());
    }
    let rows = graph.ranks.iter().max().map_or(0, |rank| rank + 1);
    let is_small = graph.ranks.len() <= MOST_FOR_SUGIYAMA && rows <= MOST_ROWS;
    let well = is_small.then(|| graph.place_well()).flatten();
    let mut places = well.unwrap_or_else(|| graph.place());
    graph.pull_together(&mut places);
    Layout {
        boxes: places[..widths.len()].to_vec(),
        lines: points
            .iter()
            .map(|line| line.iter().map(|point| places[*point as usize]).collect())
            .collect(),
    }
}

/// How many rows a line crosses between its ends.
fn span(ranks: &[u32], (from, to): (u32, u32)) -> usize {
    let rank = |node: u32| ranks.get(node as usize).copied();
    let (Some(from), Some(to)) = (rank(from), rank(to)) else {
        return 0;
    };
    (from.abs_diff(to) as usize).saturating_sub(1)
}

/// The row of each box: the one below the lowest of those that it reads, except that a box
/// that reads none is right above the first of its readers. Lines of cycles that lead back
/// do not count.
fn ranks(count: usize, lines: &[(u32, u32)]) -> Vec<u32> {
    let mut readers: Vec<Vec<u32>> = vec![Vec::new(); count];
    let mut reads = vec![0_u32; count];
    for (from, to) in lines {
        if from != to && (*from.max(to) as usize) < count {
            readers[*from as usize].push(*to);
            reads[*to as usize] += 1;
        }
    }
    let has_none: Vec<bool> = reads.iter().map(|reads| *reads == 0).collect();
    let mut ranks = vec![0_u32; count];
    let mut is_done = vec![false; count];
    let mut ready: Vec<u32> = Vec::new();
    // The first box that waits for others in a cycle goes on without them.
    for start in (0..count).filter(|node| has_none[*node]).chain(0..count) {
        ready.push(start as u32);
        while let Some(node) = ready.pop() {
            if std::mem::replace(&mut is_done[node as usize], true) {
                continue;
            }
            for reader in &readers[node as usize] {
                let reader = *reader as usize;
                if !is_done[reader] {
                    ranks[reader] = ranks[reader].max(ranks[node as usize] + 1);
                }
                reads[reader] = reads[reader].saturating_sub(1);
                if reads[reader] == 0 {
                    ready.push(reader as u32);
                }
            }
        }
    }
    for node in 0..count {
        let first = readers[node]
            .iter()
            .map(|reader| ranks[*reader as usize])
            .min();
        if let (true, Some(first)) = (has_none[node], first) {
            ranks[node] = first.saturating_sub(1);
        }
    }
    ranks
}

/// Boxes, and then points of lines.
struct Graph {
    widths: Vec<f64>,
    ranks: Vec<u32>,
    lines: BTreeSet<(u32, u32)>,
}

impl Graph {
    fn new(widths: &[f64], ranks: &[u32]) -> Self {
        Self {
            widths: widths.to_vec(),
            ranks: ranks.to_vec(),
            lines: BTreeSet::new(),
        }
    }

    fn add_point(&mut self, rank: u32) -> u32 {
        self.widths.push(POINT);
        self.ranks.push(rank);
        self.ranks.len() as u32 - 1
    }

    /// Adds the lines along a chain, each downwards.
    fn add_lines(&mut self, chain: &[u32]) {
        for two in chain.windows(2) {
            let (from, to) = (two[0], two[1]);
            self.lines
                .insert(match self.ranks[from as usize] <= self.ranks[to as usize] {
                    true => (from, to),
                    false => (to, from),
                });
        }
    }

    /// The places by `rust-sugiyama`, connected parts beside each other. Small graphs need no
    /// other stack; `None` if there is none.
    fn place_well(&self) -> Option<Vec<(u32, f64)>> {
        if self.ranks.len() < 100 {
            return Some(self.place_on_this_stack());
        }
        std::thread::scope(|scope| {
            let thread = std::thread::Builder::new().stack_size(STACK);
            let thread = thread.spawn_scoped(scope, || self.place_on_this_stack());
            thread.ok()?.join().ok()
        })
    }

    fn place_on_this_stack(&self) -> Vec<(u32, f64)> {
        let vertices: Vec<(u32, (f64, f64))> = self
            .widths
            .iter()
            .enumerate()
            .map(|(node, width)| (node as u32, (*width, 1.0)))
            .collect();
        let lines: Vec<(u32, u32)> = self.lines.iter().copied().collect();
        let config = Config {
            vertex_spacing: GAP,
            dummy_vertices: true,
            dummy_size: 0.2,
            ranking_type: RankingType::Up,
            c_minimization: CrossingMinimization::Median,
            transpose: self.ranks.len() < 400,
            ..Config::default()
        };
        let mut places = vec![(0, 0.0); self.ranks.len()];
        let mut parts = rust_sugiyama::from_vertices_and_edges(&vertices, &lines, &config);
        parts.sort_by_key(|(part, ..)| std::cmp::Reverse(part.len()));
        let mut left = 0.0;
        for (part, ..) in parts {
            let edges = part
                .iter()
                .map(|(node, (x, _))| (*x, self.widths[*node] / 2.0));
            let first = edges
                .clone()
                .map(|(x, half)| x - half)
                .fold(f64::INFINITY, f64::min);
            let last = edges
                .map(|(x, half)| x + half)
                .fold(f64::NEG_INFINITY, f64::max);
            for (node, (x, _)) in &part {
                places[*node] = (self.ranks[*node], left + x - first);
            }
            left += last - first + 2.0 * GAP;
        }
        places
    }

    /// The places without it.
    fn place(&self) -> Vec<(u32, f64)> {
        let neighbours = self.neighbours();
        let mut rows: Vec<Vec<u32>> = Vec::new();
        for (node, rank) in self.ranks.iter().enumerate() {
            let rank = *rank as usize;
            if rows.len() <= rank {
                rows.resize(rank + 1, Vec::new());
            }
            rows[rank].push(node as u32);
        }
        let mut places = vec![0.0; self.ranks.len()];
        for row in &rows {
            self.pack(row, &mut places);
        }
        for sweep in 0..6 {
            let order: Vec<usize> = match sweep % 2 {
                0 => (0..rows.len()).collect(),
                _ => (0..rows.len()).rev().collect(),
            };
            for rank in order {
                let mean = |node: u32| {
                    let around = &neighbours[node as usize];
                    let sum: f64 = around.iter().map(|other| places[*other as usize]).sum();
                    match around.len() {
                        0 => places[node as usize],
                        count => sum / count as f64,
                    }
                };
                let mut row: Vec<(f64, u32)> =
                    rows[rank].iter().map(|node| (mean(*node), *node)).collect();
                row.sort_by(|one, other| one.0.total_cmp(&other.0).then(one.1.cmp(&other.1)));
                rows[rank] = row.into_iter().map(|(_, node)| node).collect();
                self.pack(&rows[rank], &mut places);
            }
        }
        self.ranks.iter().copied().zip(places).collect()
    }

    /// Moves the nodes of each row towards the means of their neighbours, and keeps their
    /// order: long programs get columns rather than diagonals.
    fn pull_together(&self, places: &mut [(u32, f64)]) {
        let neighbours = self.neighbours();
        let mut rows: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for (node, (row, _)) in places.iter().enumerate() {
            rows.entry(*row).or_default().push(node as u32);
        }
        for row in rows.values_mut() {
            row.sort_by(|one, other| {
                let x = |node: &u32| places[*node as usize].1;
                x(one).total_cmp(&x(other)).then(one.cmp(other))
            });
        }
        let (least, most) = PULLS_EACH;
        let sweeps = (PULLS / places.len().max(1)).clamp(least, most);
        // The furthest that a node moved in the last two sweeps, down and up.
        let mut furthest = [f64::INFINITY; 2];
        for sweep in 0..sweeps {
            if furthest.iter().all(|far| *far < STILL) {
                break;
            }
            furthest[sweep % 2] = 0.0;
            let mut order: Vec<&Vec<u32>> = rows.values().collect();
            if sweep % 2 == 1 {
                order.reverse();
            }
            for row in order {
                let wanted = row.iter().map(|node| {
                    let around = &neighbours[*node as usize];
                    let sum: f64 = around.iter().map(|other| places[*other as usize].1).sum();
                    match around.len() {
                        0 => places[*node as usize].1,
                        count => sum / count as f64,
                    }
                });
                let moved = self.in_order(row, wanted.collect());
                for (node, x) in row.iter().zip(moved) {
                    let place = &mut places[*node as usize].1;
                    furthest[sweep % 2] = furthest[sweep % 2].max((*place - x).abs());
                    *place = x;
                }
            }
        }
    }

    /// The places of the nodes of a row that are nearest to those that they want, in their
    /// order and without touching each other (isotonic regression by pooling neighbours that
    /// violate the order).
    fn in_order(&self, row: &[u32], wanted: Vec<f64>) -> Vec<f64> {
        let mut left = 0.0;
        let mut offsets = Vec::with_capacity(row.len());
        for (index, node) in row.iter().enumerate() {
            let half = self.widths[*node as usize] / 2.0;
            left += if index > 0 { half } else { 0.0 };
            offsets.push(left);
            left += half + GAP;
        }
        // Blocks of nodes that move as one: the mean of what they want, and how many they are.
        let mut blocks: Vec<(f64, f64)> = Vec::new();
        for (wanted, offset) in wanted.iter().zip(&offsets) {
            let mut block = (wanted - offset, 1.0);
            while let Some((mean, count)) = blocks.pop_if(|(mean, _)| *mean > block.0) {
                let all = count + block.1;
                block = ((mean * count + block.0 * block.1) / all, all);
            }
            blocks.push(block);
        }
        let starts = blocks
            .iter()
            .flat_map(|(mean, count)| std::iter::repeat_n(*mean, *count as usize));
        starts
            .zip(offsets)
            .map(|(start, offset)| start + offset)
            .collect()
    }

    fn neighbours(&self) -> Vec<Vec<u32>> {
        let mut neighbours: Vec<Vec<u32>> = vec![Vec::new(); self.ranks.len()];
        for (from, to) in &self.lines {
            neighbours[*from as usize].push(*to);
            neighbours[*to as usize].push(*from);
        }
        neighbours
    }

    /// Puts the nodes of a row beside each other, around the middle.
    fn pack(&self, row: &[u32], places: &mut [f64]) {
        let width = |node: u32| self.widths[node as usize] + GAP;
        let all: f64 = row.iter().map(|node| width(*node)).sum();
        let mut left = -all / 2.0;
        for node in row {
            places[*node as usize] = left + width(*node) / 2.0;
            left += width(*node);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Boxes of a row do not lie on each other, and each is below those that it reads.
    fn check(widths: &[f64], lines: &[(u32, u32)]) -> Layout {
        let layout = layout(widths, lines);
        assert_eq!(layout.boxes.len(), widths.len());
        assert_eq!(layout.lines.len(), lines.len());
        let mut boxes: Vec<(u32, f64, f64)> = layout
            .boxes
            .iter()
            .zip(widths)
            .map(|((row, middle), width)| (*row, middle - width / 2.0, middle + width / 2.0))
            .collect();
        boxes.sort_by(|one, other| (one.0, one.1).partial_cmp(&(other.0, other.1)).unwrap());
        for two in boxes.windows(2) {
            assert!(two[0].0 < two[1].0 || two[0].2 < two[1].1, "{two:?}");
        }
        layout
    }

    #[test]
    fn a_diamond_has_three_rows_and_a_point_on_its_long_line() {
        let lines = [(0, 1), (0, 2), (1, 3), (2, 3), (0, 3)];
        let layout = check(&[80.0, 120.0, 60.0, 80.0], &lines);
        let rows: Vec<u32> = layout.boxes.iter().map(|(row, _)| *row).collect();
        assert_eq!(rows, [0, 1, 1, 2]);
        let points: Vec<usize> = layout.lines.iter().map(Vec::len).collect();
        assert_eq!(points, [0, 0, 0, 0, 1]);
        assert_eq!(layout.lines[4][0].0, 1);
    }

    #[test]
    fn sources_are_near_their_readers() {
        // 3 is read by 2 alone.
        let layout = check(&[50.0; 4], &[(0, 1), (1, 2), (3, 2)]);
        assert_eq!(layout.boxes[3].0, 1);
    }

    #[test]
    fn cycles_loops_and_lonely_boxes_are_placed() {
        check(&[], &[]);
        check(&[50.0; 3], &[]);
        check(&[50.0; 3], &[(0, 1), (1, 2), (2, 0), (1, 1), (0, 9)]);
    }

    #[test]
    fn large_graphs_are_placed_in_time() {
        let chains = |count: u32| -> Vec<(u32, u32)> {
            (1..count)
                .flat_map(|to| [(to - 1, to), (to.saturating_sub(7), to)])
                .collect()
        };
        for count in [500, 4000, 20_000] {
            let start = std::time::Instant::now();
            check(&vec![90.0; count as usize], &chains(count));
            println!("{count} boxes: {:?}", start.elapsed());
        }
    }
}
