//! The page of a fleet.

use std::collections::BTreeSet;

use serde_json::json;

use crate::browser::Page;
use crate::profiles::fleet;

/// The cells of a table.
fn rows(page: &Page, table: &str) -> Vec<Vec<String>> {
    let cells = format!(
        "[...document.querySelectorAll('#{table} tbody tr')].map(row => [...row.cells].map(cell => cell.innerText.trim()))"
    );
    serde_json::from_value(page.value(&cells)).expect("cells are text")
}

/// Who opens the page sees the step where the cost rose, and its cause.
#[test]
fn the_step_and_its_cause() {
    let page = Page::open(&fleet().page);
    let rise = page.text("document.querySelector('#greatest-rise').innerText");
    assert!(rise.starts_with("It rose most with 1.10: +"), "{rise}");
    assert!(rise.contains("mostly by lib.Text.format"), "{rise}");
    assert_eq!(page.text("document.querySelector('.stepper h1').innerText"), "1.9 → 1.10");
    let explained = page.text("document.querySelector('#of-version li').innerText");
    assert!(explained.contains("lib.Text.format"), "{explained}");
    assert_eq!(page.number("document.querySelectorAll('.totals a').length"), 3.0);
    assert_eq!(page.number("document.querySelectorAll('.totals .whisker').length"), 2.0);
    let versions = rows(&page, "versions");
    let column = |at: usize| versions.iter().map(|row| row[at].clone()).collect::<Vec<_>>();
    assert_eq!(column(0), ["1.9", "1.10", "1.11"]);
    assert_eq!(column(1), ["2", "3", "1"]);
    assert_eq!(versions[0][4], "");
    assert!(versions[1][4].starts_with('+') && versions[2][4].starts_with('−'), "{versions:?}");
    page.click(".totals a:nth-of-type(3) rect");
    page.wait_for("document.querySelector('.stepper h1').innerText === '1.10 → 1.11'");
}

#[test]
fn costs_outliers_and_what_is_left_out() {
    let page = Page::open(&fleet().page);
    let costs = rows(&page, "costs");
    assert!(costs.iter().any(|row| row[0] == "lib.Text.format"), "{costs:?}");
    assert_eq!(
        page.number("document.querySelectorAll('#costs path.course').length"),
        costs.len() as f64
    );
    // Each method has the colour of whose code it is, and the page says which is which.
    let chips =
        page.number("document.querySelectorAll('#costs tbody td:first-child .chip').length");
    assert_eq!(chips, costs.len() as f64);
    let of = |kind: &str| {
        page.text(&format!(
            "getComputedStyle(document.querySelector('.kinds .of-{kind}')).backgroundColor"
        ))
    };
    let colours: BTreeSet<String> = ["own", "library", "platform"].map(of).into();
    assert!(colours.len() == 3 && !colours.contains("rgba(0, 0, 0, 0)"), "{colours:?}");
    assert!(page.text("document.querySelector('.kinds').innerText").contains("own code"));
    let outliers = rows(&page, "outliers");
    let labels: Vec<&str> = outliers.iter().map(|row| row[1].as_str()).collect();
    assert!(labels.contains(&"host=b"), "{outliers:?}");
    let left_out = rows(&page, "left-out");
    assert_eq!(left_out.len(), 1);
    assert_eq!(json!(left_out[0][1..]), json!(["host=c", "no label version"]));
    for width in [1024, 1280, 1920] {
        page.size(width, 800);
        page.settle();
        let over = page.number("document.documentElement.scrollWidth - innerWidth");
        assert!(over <= 0.0, "{over} pixels too wide for {width}");
    }
}
