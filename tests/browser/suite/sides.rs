//! Two profiles beside each other: one scale, one zoom, one selection.

use crate::browser::Page;
use crate::profiles::two;

const BEFORE: usize = 0;
const AFTER: usize = 1;

/// The place in the flames of a side: so many levels up, and so many units of cost from the
/// left, of which the costlier run has 125.
fn at(page: &Page, side: usize, level: f64, cost: f64) -> (f64, f64) {
    page.value(&format!(
        "void document.querySelectorAll('.frame .window')[{side}].scrollIntoView({{ block: 'end' }})"
    ));
    page.settle();
    let value = page.value(&format!(
        "(() => {{ const box = document.querySelectorAll('.frame .window')[{side}].getBoundingClientRect(); \
         const em = parseFloat(getComputedStyle(document.querySelector('.frame')).fontSize); \
         return [box.x, box.bottom, box.width, Math.round(em * 1.4)]; }})()"
    ));
    let number = |index: usize| value[index].as_f64().expect("a place is a number");
    let y = number(1) - (level + 0.5) * number(3);
    (number(0) + cost / 125.0 * number(2), y)
}

/// The colour at a place of a side, empty where nothing is.
fn colour(page: &Page, side: usize, (x, y): (f64, f64)) -> String {
    page.text(&format!(
        "(() => {{ const canvas = document.querySelectorAll('.frame canvas.picture')[{side}]; \
         const box = canvas.getBoundingClientRect(); \
         const scale = canvas.width / box.width; \
         const copy = new OffscreenCanvas(1, 1).getContext('2d', {{ willReadFrequently: true }}); \
         copy.drawImage(canvas, ({x} - box.x) * scale, ({y} - box.y) * scale, 1, 1, 0, 0, 1, 1); \
         const [r, g, b, a] = copy.getImageData(0, 0, 1, 1).data; \
         return a === 0 ? '' : '#' + [r, g, b].map(n => n.toString(16).padStart(2, '0')).join(''); }})()"
    ))
}

/// What stands above the flames of a side.
fn told(page: &Page, side: usize) -> String {
    page.text(&format!("document.querySelectorAll('.sides .drawn > p')[{side}].innerText"))
}

#[test]
fn both_are_beside_each_other_where_there_is_room() {
    let page = Page::open_at(&two().page, "#/flame");
    page.click("[data-show='side by side']");
    page.wait_for("document.getElementById('view').dataset.view === 'sides'");
    let headings =
        page.text("[...document.querySelectorAll('.sides h2')].map(h => h.innerText).join('; ')");
    assert_eq!(headings, "before: before.subsume; after: after.subsume");
    for (width, is_beside) in
        [(1920, true), (1280, true), (1279, false), (768, false), (390, false)]
    {
        page.size(width, 900);
        page.settle();
        let boxes = page.value(
            "[...document.querySelectorAll('.sides .frame')].map(f => f.getBoundingClientRect()).map(b => [b.left, b.right, b.top, b.bottom])",
        );
        let number = |side: usize, edge: usize| boxes[side][edge].as_f64().expect("a place");
        if is_beside {
            assert!(number(BEFORE, 1) < number(AFTER, 0), "{width}: {boxes}");
            assert!((number(BEFORE, 2) - number(AFTER, 2)).abs() < 1.0, "{width}: {boxes}");
        } else {
            assert!(number(BEFORE, 3) < number(AFTER, 2), "{width}: {boxes}");
        }
        for side in [BEFORE, AFTER] {
            assert!(number(side, 1) - number(side, 0) > 250.0, "{width}: {boxes}");
            assert!(number(side, 3) - number(side, 2) > 150.0, "{width}: {boxes}");
        }
        let over = page.number("document.documentElement.scrollWidth - innerWidth");
        assert!(over <= 0.0, "{over} pixels too wide for {width}");
    }
}

/// Before `a` costs 50, `b` 30 and `c` 20 of 110; after `a` costs 80, `b` 30 and `d` 5 of 125.
#[test]
fn a_zoom_and_a_selection_hold_for_both() {
    let page = Page::open_at(&two().page, "#/sides");
    page.settle();
    // The run that costs less is narrower.
    let painted =
        [BEFORE, AFTER].map(|side| !colour(&page, side, at(&page, side, 1.0, 118.0)).is_empty());
    assert_eq!(painted, [false, true]);
    assert_eq!(told(&page, BEFORE), "All: 110 weight.");
    assert_eq!(told(&page, AFTER), "All: 125 weight.");

    // A pointer on one side tells of the other.
    let (x, y) = at(&page, BEFORE, 2.0, 25.0);
    page.point(x, y);
    page.wait_for("!document.querySelector('.tooltip').hidden");
    let tooltip = page.text("document.querySelector('.tooltip').innerText").replace('\n', " ");
    assert!(tooltip.contains("app.Work.a"), "{tooltip}");
    assert!(tooltip.contains("after 80 (+60.00% from before to after)"), "{tooltip}");
    let (x, y) = at(&page, BEFORE, 2.0, 90.0);
    page.point(x, y);
    page.wait_for("document.querySelector('.tooltip').innerText.includes('app.Work.c')");
    let tooltip = page.text("document.querySelector('.tooltip').innerText");
    assert!(tooltip.contains("is not there"), "{tooltip}");

    // A selection has the selected colour on both sides.
    let (x, y) = at(&page, BEFORE, 2.0, 25.0);
    page.select_at(x, y);
    page.wait_for("location.hash.includes('method=')");
    page.settle();
    for side in [BEFORE, AFTER] {
        let found = colour(&page, side, at(&page, side, 2.0, 49.0));
        assert_eq!(found, "#d55e00", "{side}");
    }
    assert!(
        told(&page, BEFORE).ends_with("Selected: 45.45% of its run."),
        "{}",
        told(&page, BEFORE)
    );
    assert!(told(&page, AFTER).ends_with("Selected: 64.00% of its run."), "{}", told(&page, AFTER));
    page.key("Escape");
    page.wait_for("!location.hash.includes('method=')");

    // A zoom into one side is one into the other, on one scale: `a` costs 80 at most.
    let (x, y) = at(&page, BEFORE, 2.0, 25.0);
    page.click_at(x, y);
    page.wait_for("location.hash.includes('node=')");
    page.settle();
    assert_eq!(told(&page, BEFORE), "Work.a: 50 weight (45.45% of its run).");
    assert_eq!(told(&page, AFTER), "Work.a: 80 weight (64.00% of its run).");
    // What lies right of `a`'s 50 of 80 before is `b`, and after still `a`.
    let facts = |side: usize| {
        let (x, y) = at(&page, side, 2.0, 110.0);
        page.point(x, y);
        page.settle();
        page.text("document.querySelector('.tooltip strong').innerText")
    };
    assert_eq!(facts(AFTER), "app.Work.a");
    assert_eq!(facts(BEFORE), "app.Work.b");
    page.key("Escape");
    page.wait_for("!location.hash.includes('node=')");
    page.settle();

    // What one run alone has is shown there, and the other one says so.
    let (x, y) = at(&page, BEFORE, 2.0, 90.0);
    page.click_at(x, y);
    page.wait_for("location.hash.includes('node=')");
    page.settle();
    assert_eq!(told(&page, BEFORE), "Work.c: 20 weight (18.18% of its run).");
    assert!(told(&page, AFTER).starts_with("Work.c is not called here"), "{}", told(&page, AFTER));
}

/// Both flames are reached with keys, and one alone from there.
#[test]
fn ways_to_one_side() {
    let page = Page::open_at(&two().page, "#/sides");
    page.settle();
    page.value("void document.querySelector('.frame[data-side=\"1\"]').focus()");
    for key in ["ArrowDown", "ArrowDown", " "] {
        page.key(key);
    }
    page.wait_for("location.hash.includes('node=')");
    page.settle();
    assert!(told(&page, BEFORE).starts_with("Work.a: 50"), "{}", told(&page, BEFORE));
    page.click("[data-show=before]");
    page.wait_for("document.getElementById('view').dataset.view === 'flame'");
    assert!(page.text("document.querySelector('.whose strong').innerText").starts_with("before"));
}
