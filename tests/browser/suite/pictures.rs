//! The ring chart and the flame graphs: what is drawn where, and what clicks on
//! it do. The profile is small enough to say where every piece must be.

use std::f64::consts::TAU;

use crate::browser::Page;
use crate::profiles::{copies, small, wide};
use crate::views::grouped;

/// Where a piece of the ring chart is: in this ring around the centre, and at
/// this part of the circle, clockwise from the top.
fn on_ring(page: &Page, ring: usize, turn: f64) -> (f64, f64) {
    let middle = page.value(
        "(() => { const box = document.querySelector('.square').getBoundingClientRect(); \
         return [box.x + box.width / 2, box.y + box.height / 2]; })()",
    );
    let at = |axis: usize| middle[axis].as_f64().expect("a place is a number");
    let edges = page.text("document.querySelector('.frame canvas.picture').dataset.edges");
    let edges: Vec<f64> = edges.split(' ').map(|e| e.parse().expect("a radius")).collect();
    let radius = if ring == 0 { 0.0 } else { (edges[ring - 1] + edges[ring]) / 2.0 };
    let angle = turn * TAU;
    (at(0) + radius * angle.sin(), at(1) - radius * angle.cos())
}

/// Where a bar of a flame graph is: level and position from left, 0 to 1.
pub fn on_flame(page: &Page, level: f64, position: f64, upward: bool) -> (f64, f64) {
    let value = page.value(
        "(() => { const box = document.querySelector('.frame .window').getBoundingClientRect(); \
         const em = parseFloat(getComputedStyle(document.querySelector('.frame')).fontSize); \
         return [box.x, box.y, box.width, box.height, Math.round(em * 1.4)]; })()",
    );
    let at = |index: usize| value[index].as_f64().expect("a place is a number");
    let bar = at(4);
    let rows = (at(3) / bar).ceil();
    // Bars stand on the ground, which may be out of sight by a part of a bar.
    let scrolled = rows * bar - at(3);
    let y = if upward { (rows - 1.0 - level) * bar - scrolled } else { level * bar };
    (at(0) + position * at(2), at(1) + y + bar / 2.0)
}

/// The colour of the picture at a place, as `#rrggbb`, empty where nothing is.
fn colour(page: &Page, (x, y): (f64, f64)) -> String {
    page.text(&format!(
        "(() => {{ const canvas = document.querySelector('.frame canvas.picture'); \
         const box = canvas.getBoundingClientRect(); \
         const scale = canvas.width / box.width; \
         const copy = new OffscreenCanvas(1, 1).getContext('2d', {{ willReadFrequently: true }}); \
         copy.drawImage(canvas, ({x} - box.x) * scale, ({y} - box.y) * scale, 1, 1, 0, 0, 1, 1); \
         const [r, g, b, a] = copy.getImageData(0, 0, 1, 1).data; \
         return a === 0 ? '' : '#' + [r, g, b].map(n => n.toString(16).padStart(2, '0')).join(''); }})()"
    ))
}

const SELECTED: &str = "#d55e00";
const BELOW: &str = "#f0a844";
const DIMMED: &str = "#d5dae0";

fn selected(page: &Page) -> String {
    page.wait_for("document.querySelector('.selection .name')");
    page.text("document.querySelector('.selection .name').innerText")
}

#[test]
fn ring_chart() {
    let page = Page::open_at(&small().page, "#/ring");
    page.settle();
    // Ring 1 is main; of ring 2 `a` has the first 50 of 110, `b` 30, `c` 20.
    let part = |cost: f64| cost / 110.0;
    let (main, a, b) =
        (on_ring(&page, 1, 0.3), on_ring(&page, 2, part(25.0)), on_ring(&page, 2, part(65.0)));
    let format_in_a = on_ring(&page, 3, part(10.0));
    let format_in_b = on_ring(&page, 3, part(60.0));
    let nothing = on_ring(&page, 3, part(40.0));
    assert_eq!(colour(&page, nothing), "", "a's own cost has nothing above it");
    assert!(!colour(&page, a).is_empty() && !colour(&page, b).is_empty());

    page.point(a.0, a.1);
    page.wait_for("!document.querySelector('.tooltip').hidden");
    let tip = page.text("document.querySelector('.tooltip').innerText");
    assert!(tip.contains("app.Work.a") && tip.contains("50 (45.45%)"), "{tip}");

    // With Ctrl, a click picks out all occurrences, and what they call.
    page.select_at(format_in_a.0, format_in_a.1);
    assert_eq!(selected(&page), "lib.Text.format");
    page.settle();
    assert_eq!(colour(&page, format_in_a), SELECTED);
    assert_eq!(colour(&page, format_in_b), SELECTED);
    assert_eq!(colour(&page, main), DIMMED);
    page.select_at(a.0, a.1);
    page.wait_for("document.querySelector('.selection .name').innerText === 'app.Work.a'");
    page.settle();
    assert_eq!(colour(&page, a), SELECTED);
    assert_eq!(colour(&page, format_in_a), BELOW);
    assert_eq!(colour(&page, format_in_b), DIMMED);

    // A click makes a piece the centre; one on the centre leads out.
    page.click_at(a.0, a.1);
    page.wait_for("location.hash.includes('node=')");
    page.settle();
    assert!(page.text("document.querySelector('.trail').innerText").contains("Work.a"));
    let inner = on_ring(&page, 1, 10.0 / 50.0);
    assert_eq!(colour(&page, inner), BELOW, "format begins right around the centre");
    page.point(inner.0, inner.1);
    page.wait_for("document.querySelector('.tooltip').innerText.includes('lib.Text.format')");
    let centre = on_ring(&page, 0, 0.0);
    page.click_at(centre.0, centre.1);
    page.wait_for("document.querySelector('.trail [aria-current]').innerText === 'Main.main'");
    page.key("Escape");
    page.wait_for("!location.hash.includes('method=')");
    page.key("Escape");
    page.wait_for("!location.hash.includes('node=')");
}

#[test]
fn flame_graph() {
    let page = Page::open_at(&small().page, "#/flame");
    page.settle();
    let part = |cost: f64| cost / 110.0;
    let main = on_flame(&page, 1.0, 0.9, true);
    let b = on_flame(&page, 2.0, part(76.0), true);
    let format_in_b = on_flame(&page, 3.0, part(68.0), true);
    page.point(b.0, b.1);
    page.wait_for("document.querySelector('.tooltip').innerText.includes('30 (27.27%)')");
    page.select_at(b.0, b.1);
    assert_eq!(selected(&page), "app.Work.b");
    page.settle();
    assert_eq!(colour(&page, b), SELECTED);
    assert_eq!(colour(&page, format_in_b), BELOW);
    assert_eq!(colour(&page, main), DIMMED);
    page.click_at(b.0, b.1);
    page.wait_for("location.hash.includes('node=')");
    page.settle();
    let wide = on_flame(&page, 2.0, 0.95, true);
    assert_eq!(colour(&page, wide), SELECTED, "b is as wide as the graph");
}

#[test]
fn inverted_flame_graph() {
    let page = Page::open_at(&small().page, "#/inverted");
    page.settle();
    // By their own cost: format 40, a 30, c 20, b and main 10 each.
    let part = |cost: f64| cost / 110.0;
    for (position, name) in [(20.0, "lib.Text.format"), (55.0, "app.Work.a"), (80.0, "app.Work.c")]
    {
        let (x, y) = on_flame(&page, 1.0, part(position), false);
        page.point(x, y);
        page.wait_for(&format!("document.querySelector('.tooltip').innerText.includes('{name}')"));
    }
    let (x, y) = on_flame(&page, 2.0, part(5.0), false);
    page.select_at(x, y);
    let caller = selected(&page);
    assert!(caller == "app.Work.a" || caller == "app.Work.b", "{caller}");
}

/// Packages have all costs, those of contexts that are not drawn, too: what the
/// legend says of these is apart.
#[test]
fn legends_add_up() {
    for (report, folded) in [(small(), false), (wide(), true)] {
        let page = Page::open_at(&report.page, "#/ring");
        page.settle();
        let lists = page.value(
            "[...document.querySelectorAll('.legend ul')].map(list => \
             [...list.querySelectorAll('.number')].map(cost => parseFloat(cost.innerText)))",
        );
        let lists: Vec<Vec<f64>> = serde_json::from_value(lists).expect("costs are numbers");
        let packages: f64 = lists[0].iter().sum();
        assert!((packages - 100.0).abs() < 0.1, "{lists:?}");
        assert_eq!(lists.len() > 1, folded, "{lists:?}");
        let rests = lists.iter().skip(1).flatten();
        assert!(rests.clone().all(|&rest| rest > 0.0 && rest < 100.0), "{lists:?}");
    }
}

/// A method's page has all its contexts in one picture: who calls it above, what it
/// calls below.
#[test]
fn callers_above_and_callees_below() {
    let page = Page::open_at(&small().page, "#/method?method=2");
    page.settle();
    assert_eq!(page.text("document.querySelector('.subject h2').innerText"), "lib.Text.format");
    // Half of its cost is below `a`, half below `b`, all below `main`.
    let told = |frame: &str, from_edge: f64, share: f64| {
        let place = page.value(&format!(
            "(() => {{ const box = document.querySelector('.frame.{frame}').getBoundingClientRect(); \
             const y = {from_edge} < 0 ? box.bottom + {from_edge} : box.top + {from_edge}; \
             return [box.left + {share} * box.width, y]; }})()"
        ));
        let at = |axis: usize| place[axis].as_f64().expect("a place is a number");
        page.point(at(0), at(1));
        page.settle();
        page.text("document.querySelector('.tooltip').innerText")
    };
    let is = |frame: &str, from_edge: f64, share: f64, name: &str| {
        let told = told(frame, from_edge, share);
        assert!(told.contains(name), "{frame} {from_edge} {share}: {told:?} for {name}");
    };
    is("above", -10.0, 0.25, "app.Work.a");
    is("above", -10.0, 0.75, "app.Work.b");
    is("above", -30.0, 0.5, "app.Main.main");
    assert_eq!(page.number("document.querySelectorAll('.around canvas.picture').length"), 2.0);
    page.go("#/method?method=1");
    page.settle();
    // `a` has 30 of 50 itself; `format` has the others, at the left.
    is("under", 30.0, 0.2, "lib.Text.format");
    is("above", -10.0, 0.5, "app.Main.main");
}

/// With one's own code only, what others cost is part of what their callers cost.
#[test]
fn one_package_alone() {
    let page = Page::open_at(&small().page, "#/flame");
    page.settle();
    page.value(
        "(() => { const chooser = document.getElementById('only'); chooser.value = 'own'; \
         chooser.dispatchEvent(new Event('change')); })()",
    );
    page.wait_for("location.hash.includes('only=own')");
    page.settle();
    let a = on_flame(&page, 2.0, 10.0 / 110.0, true);
    page.point(a.0, a.1);
    page.wait_for("document.querySelector('.tooltip').innerText.includes('app.Work.a')");
    let told = page.text("document.querySelector('.tooltip').innerText.replace(/\\s+/g, ' ')");
    assert!(told.contains("itself 50"), "{told}");
    let above = on_flame(&page, 3.0, 10.0 / 110.0, true);
    assert_eq!(colour(&page, above), "", "format is not drawn");
}

/// Widths are what the reader chooses: bytecodes, calls, allocations.
#[test]
fn widths_by_another_metric() {
    let report = copies();
    let info = report.says(&["info"]);
    let total = |metric: &str| {
        let totals = info["totals"].as_array().expect("totals are listed");
        let found = totals.iter().find(|total| total["metric"] == metric);
        found.and_then(|total| total["total"].as_u64()).expect("the metric is recorded")
    };
    let page = Page::open_at(&report.page, "#/flame");
    for metric in ["calls", "allocations", "bytecodes"] {
        page.value(&format!(
            "(() => {{ const chooser = document.getElementById('metric'); chooser.value = '{metric}'; \
             chooser.dispatchEvent(new Event('change')); }})()"
        ));
        page.settle();
        let told = page.text("document.querySelector('.side .node').innerText");
        assert!(told.contains(&grouped(total(metric))), "{metric}: {told}");
        for picture in ["ring", "inverted", "flame"] {
            page.click(&format!("nav.views a[data-view={picture}]"));
            page.wait_for(&format!("document.getElementById('view').dataset.view === '{picture}'"));
            page.settle();
            let told = page.text("document.querySelector('.side .node').innerText");
            assert!(told.contains(&grouped(total(metric))), "{picture}, {metric}: {told}");
            let shares = page.value(
                "[...document.querySelector('.legend ul').querySelectorAll('.number')].map(n => parseFloat(n.innerText))",
            );
            let shares: Vec<f64> = serde_json::from_value(shares).expect("shares are numbers");
            assert!((shares.iter().sum::<f64>() - 100.0).abs() < 0.1, "{picture}: {shares:?}");
        }
    }
}
