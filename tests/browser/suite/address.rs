//! Where the reader is stands in the address; the back button goes back.

use crate::browser::Page;
use crate::profiles::{small, two};

#[test]
fn back_and_forward() {
    let page = Page::open(&small().page);
    page.click("nav.views a[data-view=methods]");
    page.wait_for("document.getElementById('view').dataset.view === 'methods'");
    page.click("nav.views a[data-view=ring]");
    page.wait_for("document.getElementById('view').dataset.view === 'ring'");
    page.value("void history.back()");
    page.wait_for("document.getElementById('view').dataset.view === 'methods'");
    page.value("void history.back()");
    page.wait_for("document.getElementById('view').dataset.view === 'overview'");
    page.value("void history.forward()");
    page.wait_for("document.getElementById('view').dataset.view === 'methods'");
}

#[test]
fn addresses_that_make_no_sense_show_the_overview() {
    let page = Page::open_at(&small().page, "#/nowhere?method=99999999&node=-3&height=x&filter=%");
    assert_eq!(page.text("document.getElementById('view').dataset.view"), "overview");
    for view in ["ring", "flame", "inverted", "method", "methods"] {
        page.go(&format!("#/{view}?node=99999999&method=99999999&height=77&distance=77"));
        page.wait_for(&format!("document.getElementById('view').dataset.view === '{view}'"));
    }
}

#[test]
fn another_profile_keeps_the_method() {
    let page = Page::open_at(&two().page, "#/methods?all=1");
    page.click("tr[data-key='lib.Text.format'] a.method");
    page.wait_for("document.getElementById('view').dataset.view === 'method'");
    let after = page.text("document.querySelector('.figures').innerText");
    page.value(
        "(() => { const select = document.getElementById('profile'); select.value = 0; \
         select.dispatchEvent(new Event('change')); })()",
    );
    page.wait_for("location.hash.includes('profile=0')");
    page.wait_for("document.querySelector('.subject h2')?.innerText === 'lib.Text.format'");
    let before = page.text("document.querySelector('.figures').innerText");
    assert!(before.contains("40") && after.contains("70"), "{before} {after}");
}
