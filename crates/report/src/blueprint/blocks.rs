//! Where the nodes of a call graph's picture are: callers above, callees below them,
//! those that call others side by side where there is room, and below each other where
//! there is none.

use crate::blueprint::axis::Stretch;
use crate::blueprint::executions_width;
use crate::blueprint::labels::{LINE, LONGEST, breadth, clipped};
use crate::blueprint::reached::{CallGraph, Node};

/// Height of the tallest box.
pub const TALLEST: f64 = 56.0;
/// Height of the lowest.
const LOWEST: f64 = 6.0;
/// By how much callees are farther right than their caller.
const INDENT: f64 = 16.0;
/// Spaces: below a caller, between callees below each other, and beside each other.
const BELOW: f64 = 10.0;
const BETWEEN: f64 = 6.0;
const BESIDE: f64 = 26.0;

/// How large a node is.
#[derive(Debug, Clone)]
struct Size {
    width: f64,
    height: f64,
    name: String,
}

/// A node in its place.
#[derive(Debug, Clone)]
pub struct Placed {
    /// Its method, the first one of a chain.
    pub of: usize,
    /// All methods of the chain.
    pub members: Vec<usize>,
    /// Left edge.
    pub x: f64,
    /// Upper edge.
    pub y: f64,
    /// Width.
    pub width: f64,
    /// Height.
    pub height: f64,
    /// What stands beside it.
    pub name: String,
}

impl Placed {
    /// The height of its middle.
    pub fn middle(&self) -> f64 {
        self.y + self.height / 2.0
    }

    /// Its right edge with the name.
    pub fn right(&self) -> f64 {
        self.x + self.width + 5.0 + breadth(&self.name)
    }
}

/// A picture.
#[derive(Debug, Default)]
pub struct Layout {
    /// A caller before its callees.
    pub nodes: Vec<Placed>,
    /// Lines from callers to callees.
    pub links: Vec<Vec<(f64, f64)>>,
    /// Height of the whole.
    pub height: f64,
}

/// The heights of boxes for the costs in one picture.
#[derive(Debug, Clone, Copy)]
pub struct Scale {
    most: f64,
}

impl Scale {
    /// One on which the greatest of the methods' costs is the tallest.
    pub fn of(graph: &impl CallGraph, methods: &[usize]) -> Self {
        let most = methods.iter().map(|&method| graph.cost(method)).max().unwrap_or(0);
        Self { most: most.max(1) as f64 }
    }

    /// What stands beside a picture whose tallest box it is for.
    pub fn stretch(self) -> Stretch {
        Stretch { base: TALLEST, top: 0.0, cost: self.most }
    }

    /// The height for a cost.
    pub fn height(self, cost: u64) -> f64 {
        LOWEST.max(TALLEST * cost as f64 / self.most)
    }
}

/// The width for so many executions.
pub fn width(executions: u64) -> f64 {
    executions_width(executions, 6.0, 7.0)
}

impl Layout {
    /// How wide it is; `width` at least, and more for a deep tree.
    pub fn reach(&self, width: f64) -> f64 {
        self.nodes.iter().map(Placed::right).fold(width, f64::max)
    }
}

/// Lays out a tree within a width.
pub fn layout(graph: &impl CallGraph, root: &Node, scale: Scale, width: f64) -> Layout {
    let whole = block(graph, root, scale, width);
    let mut layout = Layout { height: whole.height, ..Layout::default() };
    place(&whole, 0.0, 0.0, &mut layout);
    layout
}

/// A node with all below it.
struct Block<'a> {
    node: &'a Node,
    size: Size,
    /// Height of the node's own line.
    head: f64,
    width: f64,
    height: f64,
    parts: Vec<Part<'a>>,
}

/// A callee, from the upper left corner of its caller's block.
struct Part<'a> {
    block: Block<'a>,
    x: f64,
    y: f64,
    is_beside: bool,
}

fn size(graph: &impl CallGraph, node: &Node, scale: Scale) -> Size {
    let name = graph.name(node.of);
    let name = match node.members.len() {
        1 => name,
        several => {
            let more = format!(" … +{}", several - 1);
            clipped(&name, LONGEST - more.chars().count()) + &more
        }
    };
    let (width, height) = (width(graph.executions(node.of)), scale.height(graph.cost(node.of)));
    Size { width, height, name }
}

fn block<'a>(graph: &impl CallGraph, node: &'a Node, scale: Scale, width: f64) -> Block<'a> {
    let size = size(graph, node, scale);
    let head = size.height.max(LINE);
    let own = size.width + 5.0 + breadth(&size.name);
    let mut made = Block { node, size, head, width: own, height: head, parts: Vec::new() };
    let within = node.below.iter().map(|callee| block(graph, callee, scale, width - INDENT));
    let within: Vec<Block<'a>> = within.collect();
    let is_inner = |block: &Block<'a>| !block.node.below.is_empty();
    let widths = |inner: bool| {
        within.iter().filter(move |block| is_inner(block) == inner).map(|block| block.width)
    };
    let stacked = widths(false).fold(0.0, f64::max);
    let has_leaves = widths(false).next().is_some();
    let columns = widths(true).count() + usize::from(has_leaves);
    let abreast =
        widths(true).fold(stacked, |sum, width| sum + width) + BESIDE * (columns as f64 - 1.0);
    if widths(true).count() == 0 || columns < 2 || INDENT + abreast > width {
        made.stack(within);
        return made;
    }
    let (inner, leaves): (Vec<_>, Vec<_>) = within.into_iter().partition(is_inner);
    let mut x = INDENT + if leaves.is_empty() { 0.0 } else { stacked + BESIDE };
    made.stack(leaves);
    for block in inner {
        let next = x + block.width + BESIDE;
        made.add(Part { block, x, y: head + BELOW, is_beside: true });
        x = next;
    }
    made
}

impl<'a> Block<'a> {
    fn add(&mut self, part: Part<'a>) {
        self.width = self.width.max(part.x + part.block.width);
        self.height = self.height.max(part.y + part.block.height);
        self.parts.push(part);
    }

    /// Puts callees below each other.
    fn stack(&mut self, blocks: Vec<Block<'a>>) {
        let mut y = self.head + BELOW;
        for block in blocks {
            let next = y + block.height + BETWEEN;
            self.add(Part { block, x: INDENT, y, is_beside: false });
            y = next;
        }
    }
}

fn place(block: &Block<'_>, x: f64, y: f64, layout: &mut Layout) {
    let Size { width, height, name } = block.size.clone();
    let top = y + (block.head - height) / 2.0;
    layout.nodes.push(Placed {
        of: block.node.of,
        members: block.node.members.clone(),
        x,
        y: top,
        width,
        height,
        name,
    });
    let foot = y + block.head / 2.0 + height / 2.0;
    for part in &block.parts {
        let (left, upper) = (x + part.x, y + part.y);
        place(&part.block, left, upper, layout);
        let middle = upper + part.block.head / 2.0;
        layout.links.push(if part.is_beside {
            let bus = y + block.head + BELOW / 2.0;
            let top = middle - part.block.size.height / 2.0;
            vec![(x + 4.0, foot), (x + 4.0, bus), (left + 4.0, bus), (left + 4.0, top)]
        } else {
            vec![(x + 4.0, foot), (x + 4.0, middle), (left, middle)]
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blueprint::reached::Call;

    struct Graph;

    impl CallGraph for Graph {
        fn cost(&self, method: usize) -> u64 {
            1000 / (1 + method as u64)
        }
        fn executions(&self, method: usize) -> u64 {
            method as u64 * 977
        }
        fn keeps(&self, _method: usize) -> bool {
            false
        }
        fn name(&self, method: usize) -> String {
            "n".repeat(1 + method * 7 % 40)
        }
        fn calls(&self, _method: usize) -> Vec<Call> {
            Vec::new()
        }
    }

    /// A tree of so many nodes, in which a node's number says how many it calls.
    fn tree(next: &mut usize, most: usize, level: usize) -> Node {
        let of = *next;
        *next += 1;
        let mut below = Vec::new();
        for _ in 0..(of * 5 + level) % 4 + usize::from(of == 0) {
            if *next < most && level < 9 {
                below.push(tree(next, most, level + 1));
            }
        }
        Node { of, members: vec![of], below }
    }

    #[test]
    fn nothing_overlaps_at_any_width() {
        for most in [1, 2, 7, 23, 60] {
            let root = tree(&mut 0, most, 0);
            for wide in [300.0, 700.0, 1000.0, 3000.0] {
                let scale = Scale::of(&Graph, &(0..most).collect::<Vec<_>>());
                let made = layout(&Graph, &root, scale, wide);
                assert_eq!(made.nodes.len(), root.size());
                for (at, one) in made.nodes.iter().enumerate() {
                    assert!(one.y >= 0.0 && one.y + one.height <= made.height + 1e-9);
                    for other in &made.nodes[at + 1..] {
                        let over = one.x < other.right()
                            && other.x < one.right()
                            && one.middle() - LINE / 2.0 < other.middle() + LINE / 2.0
                            && other.middle() - LINE / 2.0 < one.middle() + LINE / 2.0;
                        assert!(!over, "{most} at {wide}: {one:?} and {other:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn callees_lie_below_their_caller() {
        let made = layout(&Graph, &tree(&mut 0, 60, 0), Scale { most: 1000.0 }, 1000.0);
        for link in &made.links {
            let ((_, from), (_, to)) = (link[0], link[link.len() - 1]);
            assert!(from < to, "{link:?}");
        }
        assert_eq!(made.links.len() + 1, made.nodes.len());
    }
}
