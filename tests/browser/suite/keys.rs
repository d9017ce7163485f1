//! What the keys do.

use crate::browser::Page;
use crate::profiles::small;

const VIEW: &str = "document.getElementById('view').dataset.view";

#[test]
fn digits_go_to_views() {
    let page = Page::open(&small().page);
    for (digit, view) in [("2", "methods"), ("3", "ring"), ("4", "flame"), ("1", "overview")] {
        page.key(digit);
        page.wait_for(&format!("{VIEW} === '{view}'"));
    }
}

#[test]
fn search_selects_a_method() {
    let page = Page::open_at(&small().page, "#/ring");
    page.key("/");
    assert_eq!(page.text("document.activeElement.id"), "search");
    page.write("work");
    page.wait_for("document.querySelectorAll('#offers [role=option]').length === 4");
    page.key("ArrowDown");
    let wanted =
        page.text("document.querySelector('#offers [aria-selected=true] .name').innerText");
    page.key("Enter");
    page.wait_for("location.hash.includes('method=')");
    assert_eq!(page.text("document.querySelector('.selection .name').innerText"), wanted);
    assert_eq!(page.text(VIEW), "ring", "a picture shows the method at once");
    page.key("Escape");
    page.wait_for("!location.hash.includes('method=')");
}

#[test]
fn arrows_walk_through_a_table() {
    let page = Page::open_at(&small().page, "#/methods?all=1");
    page.key("ArrowDown");
    page.wait_for("document.activeElement.tagName === 'TR'");
    let first = page.text("document.activeElement.dataset.key");
    page.key("ArrowDown");
    let second = page.text("document.activeElement.dataset.key");
    assert_ne!(first, second);
    page.key("ArrowUp");
    assert_eq!(page.text("document.activeElement.dataset.key"), first);
    page.key("Enter");
    page.wait_for(&format!("{VIEW} === 'method'"));
    assert_eq!(page.text("document.querySelector('.subject h2').innerText"), first);
}

#[test]
fn arrows_walk_through_a_picture() {
    let page = Page::open_at(&small().page, "#/flame");
    page.settle();
    page.key("ArrowDown");
    page.wait_for("document.activeElement.classList.contains('frame')");
    page.key("ArrowDown");
    page.key("ArrowDown");
    let context = "document.querySelector('.side .node p').innerText";
    assert_eq!(page.text(context), "app.Work.a", "the dearest callee of main");
    page.key("ArrowRight");
    assert_eq!(page.text(context), "app.Work.b");
    page.key("ArrowUp");
    assert_eq!(page.text(context), "app.Main.main");
    page.key("ArrowDown");
    page.key("Enter");
    page.wait_for("location.hash.includes('method=')");
    assert_eq!(page.text("document.querySelector('.selection .name').innerText"), "app.Work.a");
    page.key(" ");
    page.wait_for("location.hash.includes('node=')");
}

#[test]
fn help_opens_and_closes() {
    let page = Page::open(&small().page);
    page.key("?");
    page.wait_for("document.querySelector('dialog').open");
    assert!(page.text("document.querySelector('dialog').innerText").contains("search a method"));
    page.key("Escape");
    page.wait_for("!document.querySelector('dialog').open");
}

#[test]
fn t_changes_the_theme() {
    let page = Page::open(&small().page);
    page.media("screen", "light");
    page.wait_for("document.documentElement.dataset.theme === 'light'");
    page.key("t");
    page.wait_for("document.documentElement.dataset.theme === 'dark'");
    page.click("#theme");
    page.wait_for("document.documentElement.dataset.theme === 'light'");
}
