//! The table of methods says what `subsume methods` says, for all thresholds;
//! it sorts, filters, and leads on.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::browser::Page;
use crate::profiles::{Report, copies, small};

/// Rows of a table: name of the method, and its cells as text.
fn rows(page: &Page) -> Vec<(String, Vec<String>)> {
    page.value(
        "(() => { const more = document.querySelector('button.more'); \
         while (!more.hidden) more.click(); })()",
    );
    let read = page.value(
        "[...document.querySelectorAll('#view table.data tbody tr[data-key]')] \
         .map(tr => [tr.dataset.key, [...tr.cells].map(td => td.innerText.trim())])",
    );
    serde_json::from_value(read).expect("rows have a name and cells")
}

/// A number as the report writes it.
fn number(cell: &str) -> u64 {
    cell.replace(',', "").parse().unwrap_or_else(|_| panic!("{cell} is not a number"))
}

/// What the command lists: induced cost, calls, contexts and height by name.
fn listed(report: &Report, height: u32, distance: u32) -> BTreeMap<String, [u64; 4]> {
    let (height, distance) = (height.to_string(), distance.to_string());
    let said =
        report.says(&["methods", "--top", "0", "--height", &height, "--distance", &distance]);
    let methods = said["methods"].as_array().expect("methods are listed");
    let field = |method: &Value, name: &str| method[name].as_u64().unwrap_or(0);
    methods
        .iter()
        .map(|method| {
            let text = |name: &str| method[name].as_str().unwrap_or_default().to_owned();
            let (class, name, descriptor) = (text("class"), text("name"), text("descriptor"));
            let key = format!("{class}.{name}{descriptor}");
            (key, ["induced", "calls", "contexts", "height"].map(|name| field(method, name)))
        })
        .collect()
}

/// Moves a slider by its own events, as a hand does.
fn slide(page: &Page, slider: &str, to: u32) {
    page.value(&format!(
        "(() => {{ const input = document.getElementById({}); input.value = {to}; \
         input.dispatchEvent(new Event('input', {{ bubbles: true }})); }})()",
        json!(slider)
    ));
}

#[test]
fn thresholds_move_the_table_to_what_the_command_says() {
    let report = copies();
    let page = Page::open_at(&report.page, "#/methods");
    let columns = page
        .value("[...document.querySelectorAll('th[data-column]')].map(th => th.dataset.column)");
    let columns: Vec<String> = serde_json::from_value(columns).expect("columns have names");
    let column =
        |name: &str| columns.iter().position(|column| column == name).expect("it is there");
    let wanted = ["induced", "calls", "contexts", "height"].map(column);
    for (height, distance) in [(4, 4), (0, 0), (10, 10), (2, 7), (7, 0)] {
        slide(&page, "height", height);
        slide(&page, "distance", distance);
        let expected = listed(report, height, distance);
        let shown = rows(&page);
        let mut numbers: Vec<[u64; 4]> = shown
            .iter()
            .map(|(name, cells)| {
                if name == "<root>" {
                    return [number(&cells[wanted[0]]), 0, 0, 0];
                }
                wanted.map(|at| number(&cells[at]))
            })
            .collect();
        let mut all: Vec<[u64; 4]> = expected
            .iter()
            .map(
                |(name, numbers)| {
                    if name.starts_with(".<root>") { [numbers[0], 0, 0, 0] } else { *numbers }
                },
            )
            .collect();
        numbers.sort_unstable();
        all.sort_unstable();
        assert_eq!(numbers, all, "height > {height}, distance > {distance}");
        let summary = page.text("document.getElementById('methods-summary').innerText");
        assert!(summary.ends_with(&format!("height > {height} and distance > {distance}")));
        let address = page.address();
        let reopened = Page::open_at(&report.page, &address);
        assert_eq!(rows(&reopened), shown, "{address}");
    }
}

#[test]
fn headings_sort() {
    let page = Page::open_at(&copies().page, "#/methods");
    page.click("th[data-column=contexts] button");
    let at = page.number(
        "[...document.querySelectorAll('th')].findIndex(th => th.dataset.column === 'contexts')",
    );
    let contexts = |page: &Page| -> Vec<u64> {
        let rows = rows(page);
        rows.iter().filter(|row| row.0 != "<root>").map(|row| number(&row.1[at as usize])).collect()
    };
    let down = contexts(&page);
    assert!(down.len() > 10 && down.is_sorted_by(|a, b| a >= b), "{down:?}");
    page.click("th[data-column=contexts] button");
    let up = contexts(&page);
    assert!(up.is_sorted(), "{up:?}");
    page.click("th[data-column=method] button");
    let names: Vec<String> = rows(&page).into_iter().map(|row| row.0.to_lowercase()).collect();
    assert!(names.is_sorted(), "{names:?}");
}

#[test]
fn filter_keeps_matches_and_says_what_it_leaves_out() {
    let page = Page::open_at(&copies().page, "#/methods");
    let all = rows(&page);
    page.click("#methods-filter");
    page.write("java.util");
    let kept = rows(&page);
    assert!(!kept.is_empty() && kept.len() < all.len());
    assert!(kept.iter().all(|row| row.0.contains("java.util")), "{kept:?}");
    let induced =
        |rows: &[(String, Vec<String>)]| rows.iter().map(|r| number(&r.1[0])).sum::<u64>();
    let rest = page.text("document.querySelector('tr.rest td').innerText");
    assert_eq!(
        induced(&kept) + number(&rest),
        induced(&all),
        "the rest is what the filter leaves out"
    );
    assert!(page.address().contains("filter=java.util"));
}

#[test]
fn a_method_leads_to_it_everywhere() {
    let report = small();
    let page = Page::open_at(&report.page, "#/methods?height=0&distance=0&all=1");
    page.click("tr[data-key='lib.Text.format'] a.method");
    page.wait_for("document.getElementById('view').dataset.view === 'method'");
    assert_eq!(page.text("document.querySelector('.subject h2').innerText"), "lib.Text.format");
    let side = |page: &Page, side: &str| {
        page.value(&format!(
            "[...document.querySelectorAll('[data-side={side}] tbody tr')].map(tr => tr.innerText)"
        ))
        .to_string()
    };
    let callers = side(&page, "callers");
    assert!(callers.contains("Work.a") && callers.contains("Work.b"), "{callers}");
    assert!(callers.matches("50.00%").count() == 2, "{callers}");
    page.click("[data-side=callers] a.method");
    page.wait_for("document.querySelector('.subject h2').innerText.startsWith('app.Work.')");
    let callees = side(&page, "callees");
    assert!(callees.contains("itself") && callees.contains("Text.format"), "{callees}");
    // The selection leads on to each view, and is found there.
    for view in ["methods", "ring", "flame", "inverted", "method"] {
        page.click(&format!(".selection a[data-to={view}]"));
        page.wait_for(&format!("document.getElementById('view').dataset.view === '{view}'"));
        let selected = page.text("document.querySelector('.selection .name').innerText");
        assert!(selected.starts_with("app.Work."), "{view}: {selected}");
    }
    page.go(&format!(
        "{}&height=0&distance=0&all=1",
        page.address().replace("method?", "methods?")
    ));
    assert_eq!(page.number("document.querySelectorAll('tr.selected').length"), 1.0);
}

/// A click on a line selects its method, one on the name opens it.
#[test]
fn a_click_on_a_line_selects() {
    let page = Page::open_at(&small().page, "#/methods?height=0&distance=0&all=1");
    page.click("tr[data-key='lib.Text.format'] td.number");
    page.wait_for("location.hash.includes('method=')");
    assert_eq!(page.text("document.getElementById('view').dataset.view"), "methods");
    assert_eq!(
        page.text("document.querySelector('.selection .name').innerText"),
        "lib.Text.format"
    );
    assert_eq!(page.number("document.querySelectorAll('tr.selected').length"), 1.0);
}

/// Lines of source open in an editor once the reader has chosen one, and not before.
#[test]
fn lines_open_in_an_editor() {
    let page = Page::open_at(&copies().page, "#/source");
    page.click("#view tbody tr a.method");
    page.wait_for("document.querySelector('table.code')");
    let links =
        "[...document.querySelectorAll('table.code td.line a')].map(a => a.getAttribute('href'))";
    assert_eq!(page.number(&format!("{links}.length")), 0.0);
    let choose = |id: &str, value: &str| {
        page.value(&format!(
            "(() => {{ const field = document.getElementById('{id}'); field.value = '{value}'; \
             field.dispatchEvent(new Event('change')); }})()"
        ));
    };
    choose("editor", "vscode");
    choose("editor-folder", "/home/me/my project");
    page.wait_for(&format!("{links}.length > 0"));
    let first = page.text(&format!("{links}[0]"));
    assert!(first.starts_with("vscode://file/home/me/my%20project/"), "{first}");
    assert!(first.contains("SortsOrders.java:"), "{first}");
    choose("editor", "idea");
    let first = page.text(&format!("{links}[0]"));
    assert!(first.starts_with("idea://open?file=/home/me/my%20project/"), "{first}");
    choose("editor", "off");
    assert_eq!(page.number(&format!("{links}.length")), 0.0);
}
