//! Blueprints as files.

use std::collections::BTreeMap;

use crate::blueprint::axis::{self, Stretch};
use crate::blueprint::blocks::{self, Placed, Scale};
use crate::blueprint::colours::{Colours, of_dots, shades};
use crate::blueprint::evolution::{Evolution, Way};
use crate::blueprint::labels::LINE;
use crate::blueprint::methods::Methods;
use crate::blueprint::reached::{LEAST_CALL, Shown, shown};
use crate::blueprint::scatter;
use crate::blueprint::skylines::{self, Of};
use crate::blueprint::svg::{Drawing, number};
use base::number::{counted, grouped, percent, signed_percent_of};
use tree::readable_names::printable;

/// A finished picture.
#[derive(Debug)]
pub struct Picture {
    /// The file.
    pub svg: String,
    /// What it shows, in a line.
    pub summary: String,
}

/// Height of the plot of a scatter.
const SCATTER_HEIGHT: f64 = 600.0;
/// Space around a picture.
const MARGIN: f64 = 12.0;

const LINES: &str = r##"fill="none" stroke="#8a929c" stroke-width="0.75""##;
const QUIET: &str = r##"fill="#59636f""##;

/// A picture under a heading, above what its colours mean.
fn framed(
    heading: &str,
    description: &str,
    keys: &[(&str, &str)],
    [width, height]: [f64; 2],
    draw: impl FnOnce(&mut Drawing),
) -> String {
    let mut drawing = Drawing::default();
    drawing.text(MARGIN, MARGIN + 10.0, heading, r#"font-weight="bold" font-size="13""#);
    let top = MARGIN + 28.0;
    drawing.moved(MARGIN, top, draw);
    let bottom = top + height + 12.0;
    let mut x = MARGIN;
    let mut y = bottom;
    for (attributes, words) in keys {
        let wide = 18.0 + crate::blueprint::labels::breadth(words) + 22.0;
        if x > MARGIN && x + wide > width + MARGIN {
            x = MARGIN;
            y += LINE + 4.0;
        }
        drawing.rect([x, y, 11.0, 11.0], attributes, "");
        drawing.text(x + 17.0, y + 9.5, words, "");
        x += wide;
    }
    drawing.finish(width + 2.0 * MARGIN, y + LINE + MARGIN, heading, description)
}

fn borrowed<'a>(keys: &'a [(String, &'static str)]) -> Vec<(&'a str, &'a str)> {
    keys.iter().map(|(attributes, words)| (attributes.as_str(), *words)).collect()
}

/// The exact figures of a method.
fn facts(methods: &Methods, at: usize) -> String {
    let executions = if methods.has_calls { "call" } else { "context" };
    let results = methods.results.get(at).copied().flatten();
    format!(
        "{}: {} {} ({}), {} of its own, {}{}",
        printable(&methods.names[at].qualified()),
        grouped(methods.inclusive[at]),
        methods.metric,
        percent(methods.inclusive[at], methods.total),
        grouped(methods.exclusive[at]),
        counted(methods.executions[at], executions),
        results.map_or_else(String::new, |kind| format!(", result: {}", kind.text()))
    )
}

/// Ten to a power, as axes name it.
fn decade(power: u32) -> String {
    let unit = ["", " k", " M", " G", " T", " P", " E"].get(power as usize / 3).unwrap_or(&"");
    format!("{}{unit}", 10u32.pow(power % 3))
}

/// All methods by executions and cost.
pub fn scatter(methods: &Methods, name: &str, own: bool, width: f64) -> Picture {
    let layout = scatter::Layout::new(methods, own, width, SCATTER_HEIGHT);
    let colours = Colours::new(methods);
    let executions = if methods.has_calls { "calls" } else { "contexts" };
    let cost = if own { "own cost" } else { "cost with all that is called" };
    let heading = format!("{name}: methods by {executions} and {}", methods.metric);
    let description = format!(
        "Each dot is one of {}: across its {executions}, up its {cost} in {}, both \
         logarithmic. What lies on a diagonal costs the same a call.",
        counted(methods.names.len() as u64, "method"),
        methods.metric
    );
    let draw = |drawing: &mut Drawing| {
        let (up, across) = (f64::from(layout.up), f64::from(layout.across));
        let grid = r##"fill="none" stroke="#dde1e7""##;
        for power in 0..=layout.across {
            let x = layout.x(f64::from(power));
            drawing.line(&[(x, layout.y(0.0)), (x, layout.y(up))], grid);
            let anchored = format!("{QUIET} text-anchor=\"middle\"");
            drawing.text(x, layout.y(0.0) + LINE + 2.0, &decade(power), &anchored);
        }
        for power in 0..=layout.up {
            let y = layout.y(f64::from(power));
            drawing.line(&[(layout.x(0.0), y), (layout.x(across), y)], grid);
            let anchored = format!("{QUIET} text-anchor=\"end\"");
            drawing.text(layout.x(0.0) - 6.0, y + 4.0, &decade(power), &anchored);
        }
        for diagonal in &layout.diagonals {
            let dashed = format!("{LINES} stroke-dasharray=\"2 4\"");
            drawing.line(&[diagonal.from, diagonal.to], &dashed);
            let (x, y) = diagonal.to;
            let words = format!("{}/call", decade(diagonal.power));
            if diagonal.is_up {
                let anchored = format!("{QUIET} text-anchor=\"middle\"");
                drawing.text(x, y - 6.0, &words, &anchored);
            } else {
                drawing.text(x + 5.0, y + 4.0, &words, QUIET);
            }
        }
        let anchored = format!("{QUIET} text-anchor=\"end\"");
        let corner = layout.x(across);
        drawing.text(corner, SCATTER_HEIGHT - 4.0, &format!("{executions} →"), &anchored);
        drawing.text(0.0, LINE - 4.0, &format!("↑ {}", methods.metric), QUIET);
        let mut paths: BTreeMap<&str, String> = BTreeMap::new();
        for dot in &layout.dots {
            let path = paths.entry(colours.of(dot.of)).or_default();
            path.push_str(&format!("M{} {}h.01", number(dot.x), number(dot.y)));
        }
        // One's own code lies on top, or what repeats its results.
        for colour in colours.from_below() {
            let Some(path) = paths.get(colour) else { continue };
            let round = "fill=\"none\" stroke-width=\"6\" stroke-linecap=\"round\" opacity=\"0.8\"";
            drawing.path(path, &format!("{round} stroke=\"{}\"", of_dots(colour)));
        }
        for name in &layout.names {
            if let Some(line) = name.line {
                drawing.line(&line, LINES);
            }
            drawing.text(name.x, name.y + LINE - 3.5, &name.text, "");
        }
    };
    let keys = colours.keys();
    let svg = framed(&heading, &description, &borrowed(&keys), [width, SCATTER_HEIGHT], draw);
    Picture { svg, summary: counted(methods.names.len() as u64, "method") }
}

/// The classes of a scope as skylines.
pub fn structural(methods: &Methods, name: &str, scope: &str, own: bool, width: f64) -> Picture {
    let plot = width - axis::ROOM;
    let layout = skylines::layout(skylines::groups(methods, scope, own), plot);
    let colours = Colours::new(methods);
    let are_packages = layout.bars.iter().any(|bar| matches!(bar.of, Of::Class(_)));
    let (groups, bars) = if are_packages { ("package", "class") } else { ("class", "method") };
    let many = |word: &str| if word == "class" { "classes".to_owned() } else { format!("{word}s") };
    let heading = if scope.is_empty() {
        format!("{name}: {}", many(groups))
    } else {
        format!("{name}: classes of {}", printable(scope))
    };
    let shades = shades(methods);
    let folded = layout.folded_bars + layout.bases.iter().map(|base| base.folded).sum::<usize>();
    let cost = if own || are_packages { "own cost" } else { "cost with all that is called" };
    let are_shaded = !are_packages && shades.iter().any(Option::is_some);
    let description = format!(
        "Each {groups} is a row of its {}: as high as their {cost} in {} (linear), as wide as \
         they were executed often (logarithmic).{} {} more are too low to be drawn.",
        many(bars),
        methods.metric,
        if are_shaded { " The stronger, the more objects they were called on." } else { "" },
        grouped(folded as u64)
    );
    let draw = |drawing: &mut Drawing| {
        for bar in &layout.bars {
            let (colour, title) = match &bar.of {
                Of::Method(at) => (colours.of(*at), facts(methods, *at)),
                Of::Class(class) => {
                    let cost = grouped(bar.cost);
                    let title = format!("{}: {cost} {}", printable(class), methods.metric);
                    (colours.of_class(class), title)
                }
            };
            // The more receivers, the stronger.
            let shade = match bar.of {
                Of::Method(at) => shades[at],
                Of::Class(_) => None,
            };
            let shade = shade
                .map_or_else(String::new, |shade| format!(" fill-opacity=\"{}\"", number(shade)));
            let attributes =
                format!("fill=\"{colour}\"{shade} stroke=\"#59636f\" stroke-width=\"0.5\"");
            drawing.rect([bar.x, bar.y, bar.width, bar.height], &attributes, &title);
        }
        for base in &layout.bases {
            drawing.line(&[(base.x, base.y), (base.x + base.width, base.y)], LINES);
            drawing.text(base.x, base.y + LINE - 2.0, &base.label, "");
        }
        layout.rows.iter().for_each(|row| scale_of(*row, drawing, plot, methods));
    };
    let keys = if are_packages { colours.owner_keys() } else { colours.keys() };
    let svg = framed(&heading, &description, &borrowed(&keys), [width, layout.height], draw);
    let shown = layout.bars.len() as u64;
    let summary = format!("{} of {}", grouped(shown), grouped(shown + folded as u64));
    Picture { svg, summary: format!("{summary} {}", many(bars)) }
}

/// What a method calls, each method once.
pub fn behavioural(methods: &Methods, name: &str, start: usize, width: f64) -> Picture {
    let shown = shown(methods, start);
    let scale = Scale::of(methods, &shown.methods);
    let plot = width - axis::ROOM;
    let layout = blocks::layout(methods, &shown.root, scale, plot);
    let plot = layout.reach(plot);
    let width = plot + axis::ROOM;
    let colours = Colours::new(methods);
    let heading = format!("{name}: what {} calls", printable(&methods.names[start].qualified()));
    let description = format!(
        "Each method stands once, below the costliest of its callers: as high as its cost in \
         {} of the whole run (linear), as wide as it was executed often (logarithmic). Dashed: a \
         chain of methods that pass on what they cost. {}",
        methods.metric,
        left_out(&shown)
    );
    let draw = |drawing: &mut Drawing| {
        for link in &layout.links {
            drawing.line(link, LINES);
        }
        for placed in &layout.nodes {
            let attributes = if placed.members.len() > 1 {
                r##"fill="#f6f7f9" stroke="#59636f" stroke-width="0.75" stroke-dasharray="3 2""##
                    .to_owned()
            } else {
                let colour = colours.of(placed.of);
                format!("fill=\"{colour}\" stroke=\"#59636f\" stroke-width=\"0.75\"")
            };
            let titles: Vec<String> =
                placed.members.iter().map(|&member| facts(methods, member)).collect();
            let place = [placed.x, placed.y, placed.width, placed.height];
            drawing.rect(place, &attributes, &titles.join("; "));
            name_beside(drawing, placed);
        }
        scale_of(scale.stretch(), drawing, plot, methods);
    };
    let keys = colours.keys();
    let height = layout.height.max(blocks::TALLEST);
    let svg = framed(&heading, &description, &borrowed(&keys), [width, height], draw);
    Picture { svg, summary: summary(&shown) }
}

/// A scale at the right of what is `plot` wide.
fn scale_of(stretch: Stretch, drawing: &mut Drawing, plot: f64, methods: &Methods) {
    stretch.draw(drawing, plot + 10.0, &methods.metric, [LINES, QUIET]);
}

fn name_beside(drawing: &mut Drawing, placed: &Placed) {
    drawing.text(placed.x + placed.width + 5.0, placed.middle() + 4.0, &placed.name, "");
}

fn summary(shown: &Shown) -> String {
    let methods = shown.methods.len();
    format!("{} of {} methods reached", methods, methods + shown.left_out)
}

fn left_out(shown: &Shown) -> String {
    let cheap = format!("Calls below {}% of the start are not drawn", LEAST_CALL * 100.0);
    match shown.left_out {
        0 => format!("{cheap}."),
        more => format!("{cheap}, nor are {} that cost least.", counted(more as u64, "method")),
    }
}

/// The colours of what became of a method: where its code is the same, and where it is
/// another one.
fn way_colours(way: Way) -> [&'static str; 2] {
    match way {
        Way::More => ["#f6c7a3", "#e8731a"],
        Way::Less => ["#b0cfec", "#3a86d0"],
        Way::Same => ["#ffffff"; 2],
        Way::Gone => ["url(#gone)"; 2],
    }
}

const THIN: &str = r##"stroke="#59636f" stroke-width="0.75""##;
const THICK: &str = r##"stroke="#15191e" stroke-width="2.5""##;

/// What two runs call, each method once.
pub fn evolution(evolution: &Evolution, names: [&str; 2], start: usize, width: f64) -> Picture {
    let shown = shown(evolution, start);
    let scale = Scale::of(evolution, &shown.methods);
    let plot = width - axis::ROOM;
    let layout = blocks::layout(evolution, &shown.root, scale, plot);
    let plot = layout.reach(plot);
    let width = plot + axis::ROOM;
    let heading = format!("From {} to {}", names[0], names[1]);
    let same =
        if evolution.is_same { "No difference above the floor of 0.01% of all. " } else { "" };
    let description = format!(
        "{same}What both runs call, each method once, as high as its cost in {} (linear), as \
         wide as it was executed often (logarithmic). +: costs more; −: costs less. Filled: \
         after; dashed: before. Strong, with a thick border: code that changed or is new. {}",
        evolution.after.metric,
        left_out(&shown)
    );
    let draw = |drawing: &mut Drawing| {
        drawing.define(
            "<pattern id=\"gone\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" \
             patternTransform=\"rotate(45)\"><path d=\"M0 0V6\" stroke=\"#59636f\" \
             stroke-width=\"3\"/></pattern>",
        );
        for link in &layout.links {
            drawing.line(link, LINES);
        }
        for placed in &layout.nodes {
            let (costs, runs) = (evolution.costs(placed.of), evolution.runs(placed.of));
            let way = evolution.way(placed.of);
            let code = evolution.code(placed.of);
            let foot = placed.y + placed.height;
            let shape = |side: usize| {
                let height = scale.height(costs[side]);
                [placed.x, foot - height, blocks::width(runs[side]), height]
            };
            let is_after = way != Way::Gone && costs[1] > 0;
            let colour = way_colours(way)[usize::from(code.is_some())];
            let border = if code.is_some() { THICK } else { THIN };
            let (methods, place) = evolution.known(placed.of);
            let fate = match (code, way) {
                (Some(change), _) => format!(", {}", change.name()),
                (None, Way::Gone) => ", no longer called".to_owned(),
                (None, _) if evolution.is_new(placed.of) => ", newly called".to_owned(),
                (None, _) => String::new(),
            };
            let total = evolution.before.total.max(1) as f64;
            let share = signed_percent_of((costs[1] as f64 - costs[0] as f64) / total);
            let title = format!(
                "{}{fate}: {} to {} {} ({share} of all), {} to {} executions",
                printable(&methods.names[place].qualified()),
                grouped(costs[0]),
                grouped(costs[1]),
                methods.metric,
                grouped(runs[0]),
                grouped(runs[1])
            );
            let shown = shape(usize::from(is_after));
            drawing.rect(shown, &format!("fill=\"{colour}\" {border}"), &title);
            if costs[0] > 0 && costs[1] > 0 && way != Way::Same {
                let dashed = r##"fill="none" stroke="#15191e" stroke-dasharray="3 2""##;
                drawing.rect(shape(0), dashed, "");
            }
            name_beside(drawing, placed);
        }
        scale_of(scale.stretch(), drawing, plot, &evolution.after);
    };
    let key = |way: Way, code: usize, words: &'static str| {
        let border = if code == 1 { THICK } else { THIN };
        (format!("fill=\"{}\" {border}", way_colours(way)[code]), words)
    };
    let keys = [
        key(Way::More, 0, "costs more, or is called for the first time"),
        key(Way::Less, 0, "costs less"),
        key(Way::Same, 0, "as before"),
        key(Way::Gone, 0, "no longer called"),
        key(Way::More, 1, "code changed or new"),
    ];
    let height = layout.height.max(blocks::TALLEST);
    let svg = framed(&heading, &description, &borrowed(&keys), [width, height], draw);
    Picture { svg, summary: summary(&shown) }
}
