//! What pictures fold, the drawer over them, and pictures as files.

use std::time::Instant;

use crate::browser::Page;
use crate::devtools::LIMIT;
use crate::pictures::on_flame;
use crate::profiles::deep;

const NAMES: &str = "document.querySelector('.tooltip').innerText.replace(/\\s+/g, ' ')";

/// What the tooltip says of a bar.
fn told(page: &Page, level: f64, position: f64) -> String {
    let (x, y) = on_flame(page, level, position, true);
    let begun = Instant::now();
    loop {
        page.point(x - 1.0, y);
        page.point(x, y);
        page.value("new Promise(done => requestAnimationFrame(() => setTimeout(done, 20)))");
        if page.value("document.querySelector('.tooltip').hidden") == false {
            return page.text(NAMES);
        }
        // A picture that is drawn late, as on a busy machine, hides it until the pointer moves.
        assert!(begun.elapsed() < LIMIT, "no tooltip at {x}, {y}");
    }
}

/// Frames at the root that lead to one callee are one bar, and a click unfolds them.
#[test]
fn frames_at_the_root_are_one_bar() {
    let page = Page::open_at(&deep().page, "#/flame");
    page.settle();
    let folded = told(&page, 1.0, 0.5);
    assert!(folded.starts_with("6 frames") && folded.contains("Boot.s0"), "{folded}");
    let above = told(&page, 2.0, 0.5);
    assert!(above.starts_with("app.Main.main"), "{above}");
    let (x, y) = on_flame(&page, 1.0, 0.5, true);
    page.click_at(x, y);
    page.wait_for("location.hash.includes('frames=1')");
    page.settle();
    let first = told(&page, 1.0, 0.5);
    assert!(first.starts_with("boot.Boot.s0"), "{first}");
    page.click("#frames");
    page.wait_for("!location.hash.includes('frames=1')");
}

/// A method that calls itself, also by way of another, is drawn once, with all that its
/// calls cost.
#[test]
fn recursion_is_drawn_once() {
    let page = Page::open_at(&deep().page, "#/flame");
    page.settle();
    // Below main: walk with 60 of 100, of which visit has 20 in both calls, leaf 10.
    let walk = told(&page, 3.0, 0.1);
    assert!(walk.starts_with("app.Tree.walk") && walk.contains("60 (60.00%)"), "{walk}");
    assert!(walk.contains("itself 30"), "{walk}");
    let visit = told(&page, 4.0, 0.1);
    assert!(visit.starts_with("app.Tree.visit") && visit.contains("20 (20.00%)"), "{visit}");
    let leaf = told(&page, 4.0, 0.25);
    assert!(leaf.starts_with("app.Tree.leaf") && leaf.contains("10 (10.00%)"), "{leaf}");
    page.click("#recursion");
    page.wait_for("location.hash.includes('recursion=1')");
    page.settle();
    let again = told(&page, 5.0, 0.05);
    assert!(again.starts_with("app.Tree.walk"), "{again}");
}

/// A click zooms; a click on a bar below, Escape and the button lead back.
#[test]
fn zoom_and_back() {
    let page = Page::open_at(&deep().page, "#/flame");
    page.settle();
    let zoom = |page: &Page| {
        let (x, y) = on_flame(page, 3.0, 0.1, true);
        page.click_at(x, y);
        page.wait_for("location.hash.includes('node=')");
        page.settle();
        let wide = told(page, 3.0, 0.8);
        assert!(wide.starts_with("app.Tree.walk"), "{wide}");
        assert!(!page.address().contains("method="), "a click selects nothing");
    };
    let back = |page: &Page| {
        page.wait_for("!location.hash.includes('node=')");
        page.settle();
        let other = told(page, 3.0, 0.8);
        assert!(other.starts_with("app.Other.rest"), "{other}");
    };
    zoom(&page);
    page.key("Escape");
    back(&page);
    zoom(&page);
    page.click("#reset-zoom");
    back(&page);
    zoom(&page);
    let (x, y) = on_flame(&page, 0.0, 0.5, true);
    page.click_at(x, y);
    back(&page);
}

/// The picture has the whole width; the drawer lies over it, and closes.
#[test]
fn the_drawer_lies_over_the_picture() {
    let page = Page::open_at(&deep().page, "#/flame");
    page.settle();
    let width = || page.number("document.querySelector('.frame').getBoundingClientRect().width");
    let view = page.number("document.getElementById('view').getBoundingClientRect().width");
    assert!(width() > view - 4.0, "{} of {view}", width());
    let hidden = "document.querySelector('.drawer').hidden";
    assert_eq!(page.value(hidden), true);
    page.click("#drawer");
    page.wait_for(&format!("!{hidden}"));
    assert!(width() > view - 4.0, "the picture keeps its width");
    assert_eq!(page.text("document.getElementById('drawer').ariaExpanded"), "true");
    let legend = page.text("document.querySelector('.drawer .legend').innerText");
    assert!(legend.contains("own code"), "{legend}");
    page.click(".drawer .icon");
    page.wait_for(hidden);
}

/// Pictures are saved as files that show what is in sight.
#[test]
fn pictures_as_files() {
    let page = Page::open_at(&deep().page, "#/flame");
    page.settle();
    // What would be saved, instead of a dialog.
    page.value(
        "(() => { window.saved = []; const make = URL.createObjectURL; \
         URL.createObjectURL = (blob) => { window.saved.push(blob); return make(blob); }; \
         HTMLAnchorElement.prototype.click = function () { window.saved.push(this.download); }; })()",
    );
    page.click("#save-svg");
    page.wait_for("window.saved.length === 2");
    let svg = page.text("window.saved[0].text()");
    assert!(svg.starts_with("<svg") && svg.contains("app.Tree.walk"), "{svg}");
    assert_eq!(page.text("window.saved[1]"), "subsume-flame.svg");
    page.click("#save-png");
    page.wait_for("window.saved.length === 4");
    assert_eq!(page.text("window.saved[2].type"), "image/png");
    assert!(page.number("window.saved[2].size") > 1000.0);
}

/// Stars stand for any characters, and slashes are around a regular expression.
#[test]
fn the_search_takes_patterns() {
    let page = Page::open_at(&deep().page, "#/flame");
    for (text, methods) in [("Tree.*", 3), ("/s[0-2]$/", 3), ("app.*", 5), ("/s[/", 0)] {
        page.go(&format!("#/flame?find={}", text.replace('/', "%2F").replace('[', "%5B")));
        page.wait_for("document.querySelector('.matched').innerText !== ''");
        let matched = page.text("document.querySelector('.matched').innerText");
        let said =
            if methods == 1 { "1 method,".to_owned() } else { format!("{methods} methods,") };
        assert!(matched.contains(&said), "{text}: {matched}");
    }
    page.click("#clear-search");
    page.wait_for("!location.hash.includes('find=')");
}
