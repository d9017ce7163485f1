//! What the second of two profiles costs more.

use crate::browser::Page;
use crate::profiles::two;

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
