//! What the second of two profiles costs more.

use crate::browser::Page;
use crate::pictures::on_flame;
use crate::profiles::two;

/// A report of two profiles opens on what explains their difference.
#[test]
fn two_profiles_open_on_their_difference() {
    let page = Page::open(&two().page);
    assert_eq!(page.text("document.getElementById('view').dataset.view"), "diff");
    let told = page.text("document.querySelector('#view h1').innerText");
    assert!(told.contains("after.subsume costs 15") && told.contains("more than before"), "{told}");
    let rows = page.value(
        "[...document.querySelectorAll('.blame li')].map(row => row.innerText.replace(/\\s+/g, ' '))",
    );
    let rows: Vec<String> = serde_json::from_value(rows).expect("rows have text");
    // `format` below `a` costs 50 instead of 20; `main` calls `d` for 5 instead of `c` for 20.
    assert_eq!(rows.len(), 2, "{rows:?}");
    assert!(rows[0].starts_with("+30 +27.27% Text.format"), "{rows:?}");
    assert!(rows[1].starts_with("−15 −13.64% Main.main mostly in Work.c"), "{rows:?}");
    page.click(".blame li a.method");
    page.wait_for("document.getElementById('view').dataset.view === 'method'");
    assert_eq!(page.text("document.querySelector('.subject h2').innerText"), "lib.Text.format");
}

/// Code of either run is in the picture, and in that of its own run.
#[test]
fn differential_flame_graph() {
    let page = Page::open(&two().page);
    page.settle();
    page.value("void document.querySelector('.frame').scrollIntoView({ block: 'center' })");
    // Together: a 80, b 30, c 20, d 5 and main's own 10.
    let facts = |position: f64| {
        let (x, y) = on_flame(&page, 2.0, position, true);
        page.point(x, y);
        page.wait_for("!document.querySelector('.tooltip').hidden");
        page.text("document.querySelector('.tooltip').innerText")
    };
    let told = facts(120.0 / 145.0);
    assert!(told.contains("app.Work.c (only before)") && told.contains("−20"), "{told}");
    let told = facts(132.0 / 145.0);
    assert!(told.contains("app.Work.d (only after)") && told.contains("+5"), "{told}");
    let told = facts(40.0 / 145.0);
    assert!(told.contains("app.Work.a") && told.contains("+30 (+27.27% of all)"), "{told}");
    page.click("[data-shape=before]");
    page.settle();
    page.value("void document.querySelector('.frame').scrollIntoView({ block: 'center' })");
    let (x, y) = on_flame(&page, 2.0, 90.0 / 110.0, true);
    page.point(x, y);
    page.wait_for("document.querySelector('.tooltip').innerText.includes('Work.c')");
}

#[test]
fn methods_by_what_they_cost_more() {
    let page = Page::open_at(&two().page, "#/diff");
    let summary = page.text("document.querySelector('#view .summary').innerText");
    assert!(
        summary.contains("110") && summary.contains("125") && summary.contains("+15 (+13.64%)"),
        "{summary}"
    );
    let rows = page.value(
        "[...document.querySelectorAll('#view tbody tr')].map(tr => [tr.cells[0].innerText, tr.querySelector('.tag').innerText, tr.innerText])",
    );
    let row = |method: &str| {
        let rows = rows.as_array().expect("rows are listed");
        let found =
            rows.iter().find(|row| row[2].as_str().is_some_and(|text| text.contains(method)));
        found.unwrap_or_else(|| panic!("{method} is in {rows:?}")).clone()
    };
    assert_eq!(row("Text.format")[0], "+30");
    assert_eq!(row("Work.c")[0], "−20");
    assert_eq!(row("Work.c")[1], "gone");
    assert_eq!(row("Work.d")[1], "new");
    let columns = page
        .value("[...document.querySelectorAll('#view th')].map(th => th.dataset.column)")
        .to_string();
    assert!(!columns.contains("calls"), "an import counts none: {columns}");
    assert!(columns.contains("inclusive"), "{columns}");
    let width = |column: &str| {
        page.number(&format!(
            "document.querySelector('th[data-column={column}]').getBoundingClientRect().width"
        ))
    };
    assert!(width("state") * 3.0 < width("method"), "the room is for names");
    page.click("#view tbody tr a.method");
    page.wait_for("document.getElementById('view').dataset.view === 'method'");
    assert_eq!(page.text("document.querySelector('.subject h2').innerText"), "lib.Text.format");
}
