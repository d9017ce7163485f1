//! The page of a history.

use serde_json::json;

use crate::browser::Page;
use crate::profiles::{two_versions, versions};

const HEADING: &str = "document.querySelector('.stepper h1').innerText";
const ROWS: &str = "[...document.querySelectorAll('#of-version li')].map(row => row.innerText.replace(/\\s+/g, ' '))";

/// Each method that changed has a picture, all on one scale and always in one place, while
/// steps go from version to version.
#[test]
fn small_multiples_and_steps() {
    let page = Page::open(&versions().page);
    assert_eq!(page.text(HEADING), "v2 → v3", "the last version first");
    let last = page.value(ROWS);
    let places = "[...document.querySelectorAll('.multiple')].map(picture => [picture.dataset.method, ...[...picture.querySelectorAll('rect.node')].map(bar => [bar.getAttribute('class'), bar.height.baseVal.value])])";
    let before = page.value(places);
    page.click("[data-step='-1']");
    page.wait_for(&format!("{HEADING} === 'v1 → v2'"));
    // `format` below `a` costs 50 instead of 20; `main` calls `d` for 5 instead of `c` for 20.
    let rows: Vec<String> = serde_json::from_value(page.value(ROWS)).expect("rows are text");
    assert!(rows[0].starts_with("+30 +27.27% lib.Text.format"), "{rows:?}");
    assert!(rows[1].starts_with("−15 −13.64% app.Main.main"), "{rows:?}");
    assert_eq!(rows.len(), 2);
    let last: Vec<String> = serde_json::from_value(last).expect("rows are text");
    assert!(last[0].starts_with("−30 −24.00%"), "{last:?}");
    assert_eq!(page.value(places), before, "nothing moves");
    assert_eq!(before[0][0], "lib.Text.format");
    assert_eq!(before[0][1][0], "node more");
    assert_eq!(before[0][2][0], "node less");
    let height = |picture: usize, bar: usize| before[picture][bar][1].as_f64().expect("a height");
    // 30 of 110 is as high as half of a picture, less a margin of 2; the rest to scale.
    assert!((height(0, 1) - 30.0).abs() < 0.01, "{before}");
    assert!((height(0, 2) - 30.0 * (30.0 / 125.0) / (30.0 / 110.0)).abs() < 0.01, "{before}");
    assert!((height(1, 1) - 15.0).abs() < 0.01, "{before}");
    page.click("[data-scale=each]");
    page.wait_for("document.querySelector('[data-scale=each]').ariaPressed === 'true'");
    let own = page.value(places);
    assert_eq!(own[1][1][1], 30.0);
    page.key("ArrowRight");
    page.wait_for(&format!("{HEADING} === 'v2 → v3'"));
    page.value("void history.back()");
    page.wait_for(&format!("{HEADING} === 'v1 → v2'"));
}

#[test]
fn bars_lead_to_versions() {
    let page = Page::open(&versions().page);
    let names = page.value(
        "[...document.querySelectorAll('.totals text:not(.axis)')].map(name => name.textContent)",
    );
    assert_eq!(names, json!(["v1", "v2", "v3"]));
    page.click(".totals a:nth-of-type(2) rect");
    page.wait_for(&format!("{HEADING} === 'v1 → v2'"));
    for width in [1024, 1280, 1920] {
        page.size(width, 800);
        page.settle();
        let over = page.number("document.documentElement.scrollWidth - innerWidth");
        assert!(over <= 0.0, "{over} pixels too wide for {width}");
    }
}

/// Two versions are a table of what changed, with bars to either side.
#[test]
fn two_versions_are_a_table() {
    let page = Page::open(&two_versions().page);
    let rows = page.value(
        "[...document.querySelectorAll('table[aria-label=\"Methods that changed\"] tbody tr')].map(row => [...row.cells].map(cell => cell.innerText.trim()))",
    );
    assert_eq!(rows[0][0], "+30", "{rows}");
    assert_eq!(rows[0][1], "+27.27%", "{rows}");
    assert!(rows[1][3].as_str().is_some_and(|name| name.starts_with("app.Main.main")), "{rows}");
    assert_eq!(page.number("document.querySelectorAll('.diverging.more').length"), 1.0);
    assert_eq!(page.number("document.querySelectorAll('.multiple').length"), 0.0);
    let axis = page
        .value("[...document.querySelectorAll('.totals text.axis')].map(text => text.textContent)");
    assert_eq!(axis, json!(["0", "63", "125", "weight"]));
}
