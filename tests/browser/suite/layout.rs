//! What fits where, at the widths of a tablet, a laptop and a desktop.

use std::thread;

use serde_json::Value;

use crate::browser::Page;
use crate::profiles::{Report, copies, costs, nulls, small, two, typestate, wide};
use crate::views::VIEWS;

const WIDTHS: [u32; 3] = [1024, 1280, 1920];

/// Of each table in sight: its name, by how many pixels it is wider than its box,
/// how many of its cells are cut, and how many have text.
const TABLES: &str = "
[...document.querySelectorAll('#view table')].filter((t) => t.getClientRects().length).map((table) => {
  const box = table.closest('div.table').getBoundingClientRect();
  const cells = [...table.querySelectorAll('td, th')].filter((cell) => cell.innerText.trim() && cell.getClientRects().length);
  const isCut = (part) => part.scrollWidth > part.clientWidth + 1 && getComputedStyle(part).display !== 'inline';
  const cut = cells.filter((cell) => isCut(cell) || [...cell.querySelectorAll('*')].some((part) => isCut(part) && getComputedStyle(part).overflowX !== 'visible'));
  return [table.ariaLabel, table.getBoundingClientRect().width - box.width, cut.length, cells.length];
})";

#[test]
fn tables_stay_in_their_boxes_and_keep_their_words() {
    let reports: [(&str, &Report); 5] = [
        ("copies", copies()),
        ("costs", costs()),
        ("nulls", nulls()),
        ("typestate", typestate()),
        ("two", two()),
    ];
    // Most of the time is waiting for the browser.
    let seen: usize = thread::scope(|scope| {
        let of_each = reports.map(|(name, report)| scope.spawn(move || check_tables(name, report)));
        of_each.into_iter().map(|seen| seen.join().expect("its tables are right")).sum()
    });
    assert!(seen > 100, "{seen} tables");
}

/// Checks all tables of a report. Returns how many were seen.
fn check_tables(name: &str, report: &Report) -> usize {
    let page = Page::open(&report.page);
    let mut seen = 0;
    for width in WIDTHS {
        page.size(width, 800);
        for view in VIEWS {
            for address in [format!("#/{view}"), format!("#/{view}?method=5&all=1")] {
                page.go(&address);
                page.settle();
                let tables = page.value(TABLES);
                for table in tables.as_array().expect("a list of tables") {
                    let number = |at: usize| table[at].as_f64().expect("a number");
                    let whole = format!("{name}, {address} at {width}: {table}");
                    assert!(number(1) <= 1.0, "over its box: {whole}");
                    assert!(number(2) * 10.0 < number(3).max(1.0), "cells are cut: {whole}");
                    seen += 1;
                }
            }
        }
    }
    seen
}

/// Whatever is selected can be seen in each picture where it has a part: it has
/// the colour of what is selected, and a name.
#[test]
fn a_selected_method_is_in_sight_in_every_picture() {
    for (report, methods) in [(copies(), [0, 7, 60, 200, 400]), (wide(), [0, 1, 2, 300, 900])] {
        let page = Page::open(&report.page);
        for width in WIDTHS {
            page.size(width, 800);
            for picture in ["ring", "flame", "inverted"] {
                for method in methods {
                    page.go(&format!("#/{picture}?method={method}"));
                    page.settle();
                    let marked = page.value(
                        "document.querySelector('.frame canvas.picture').dataset.marked ?? null",
                    );
                    let steps = page.text("document.querySelector('.selection').innerText");
                    // A method that costs nothing by itself need not be in the inversion.
                    let absent = picture == "inverted" && steps.contains("too small");
                    assert_eq!(marked == Value::Null, absent, "{picture}, {method} at {width}");
                    if let Some(marked) = marked.as_str() {
                        assert_is_painted(
                            &page,
                            marked,
                            &format!("{picture}, {method} at {width}"),
                        );
                    }
                }
            }
        }
    }
}

/// There is a spot of the selected colour where the picture says, at least 3 pixels
/// wide and high, within the frame.
fn assert_is_painted(page: &Page, marked: &str, whole: &str) {
    let painted = page.value(&format!(
        "(() => {{ const canvas = document.querySelector('.frame canvas.picture'); \
         const [x, y, w = 0, h = 0] = '{marked}'.split(' ').map(Number); \
         const scale = canvas.width / canvas.getBoundingClientRect().width; \
         const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d', {{ willReadFrequently: true }}); \
         copy.drawImage(canvas, 0, 0); \
         const from = [x + w / 2 - 4, y + h / 2 - 4].map((n) => Math.max(0, Math.round(n * scale))); \
         const data = copy.getImageData(from[0], from[1], 9, 9).data; \
         let painted = 0; \
         for (let at = 0; at < data.length; at += 4) painted += data[at] === 0xd5 && data[at + 1] === 0x5e && data[at + 2] === 0; \
         return painted; }})()"
    ));
    assert!(painted.as_f64() >= Some(9.0), "{whole}: {painted} pixels at {marked}");
}

#[test]
fn pictures_have_names_that_can_be_read() {
    let page = Page::open(&copies().page);
    for width in WIDTHS {
        page.size(width, 800);
        for picture in ["ring", "flame", "inverted"] {
            page.go(&format!("#/{picture}"));
            page.settle();
            let names = page.text("document.querySelector('.frame canvas.picture').dataset.names");
            assert!(names.parse::<u32>().is_ok_and(|n| n >= 5), "{picture} at {width}: {names}");
        }
    }
}

/// Occurrences are gone through one by one, and the picture follows.
#[test]
fn next_and_previous_occurrence() {
    let page = Page::open_at(&small().page, "#/flame");
    page.go("#/flame?method=2");
    page.settle();
    let method = page.text("document.querySelector('.selection .name').innerText");
    assert_eq!(method, "lib.Text.format", "the third by inclusive cost");
    let steps = "document.querySelector('.selection .steps').innerText.replace(/\\s+/g, ' ')";
    assert!(page.text(steps).contains("occurrence 1 of 2"), "{}", page.text(steps));
    let first = page.text("document.querySelector('.frame canvas.picture').dataset.marked");
    page.key("n");
    page.wait_for("location.hash.includes('at=1')");
    page.settle();
    assert!(page.text(steps).contains("occurrence 2 of 2"));
    let second = page.text("document.querySelector('.frame canvas.picture').dataset.marked");
    assert_ne!(first, second);
    page.key("n");
    page.wait_for("!location.hash.includes('at=1')");
    page.key("p");
    page.wait_for("location.hash.includes('at=1')");
}

/// A drag moves the picture, whichever way it goes, and selects nothing.
#[test]
fn a_drag_selects_nothing() {
    let page = Page::open_at(&copies().page, "#/flame");
    page.settle();
    let before = page.number("document.querySelector('.frame').scrollTop");
    page.drag((500.0, 500.0), (500.0, 560.0));
    page.settle();
    assert!(!page.address().contains("method="), "{}", page.address());
    let after = page.number("document.querySelector('.frame').scrollTop");
    assert!(after < before, "{before} and {after}");
}

/// A search marks all methods that have the text in their names, with their share.
#[test]
fn a_search_marks_all_matches() {
    let page = Page::open_at(&small().page, "#/flame");
    page.key("/");
    page.write("work");
    page.wait_for("document.getElementById('mark-all')");
    let offer = page.text("document.getElementById('mark-all').innerText");
    assert!(offer.contains("3 methods") && offer.contains("54.55%"), "{offer}");
    page.key("ArrowUp");
    page.key("Enter");
    page.wait_for("location.hash.includes('find=work')");
    page.settle();
    let legend = page.text("document.querySelector('.legend').innerText");
    // a, b and c themselves 60 of 110, with format below them 100.
    assert!(legend.contains("54.55%") && legend.contains("90.91%"), "{legend}");
    page.key("Escape");
    page.wait_for("!location.hash.includes('find=')");
}

/// A method has the same colour in both profiles of a report.
#[test]
fn both_profiles_have_the_same_colours() {
    let page = Page::open_at(&two().page, "#/flame");
    let colours = |page: &Page| {
        page.value(
            "[...document.querySelectorAll('.legend li')].map((line) => \
             [line.querySelector('.grow').innerText, line.querySelector('.swatch').style.background])",
        )
    };
    page.settle();
    let before = colours(&page);
    assert!(before.to_string().contains("own code"), "{before}");
    page.go("#/flame?profile=1");
    page.settle();
    assert_eq!(colours(&page), before);
    assert_eq!(page.text("document.getElementById('own').value"), "app");
}

/// What the pointer is on is told beside the pointer, and not over the picture's controls.
#[test]
fn the_tooltip_stays_beside_the_pointer() {
    let page = Page::open_at(&copies().page, "#/flame");
    for width in WIDTHS {
        page.size(width, 800);
        page.settle();
        let bottom = "document.querySelector('.frame').getBoundingClientRect().bottom";
        page.point(400.0, page.number(bottom) - 14.0);
        page.wait_for("!document.querySelector('.tooltip').hidden");
        for (part, expected) in [("#search", false), ("#reset-zoom", false), (".frame", true)] {
            let over = page.value(&format!(
                "(() => {{ const [a, b] = ['.tooltip', '{part}'].map((s) => document.querySelector(s).getBoundingClientRect()); \
                 return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom; }})()"
            ));
            assert_eq!(over, expected, "{part} at {width}");
        }
        let left = page.number("document.querySelector('.tooltip').getBoundingClientRect().left");
        assert!((left - 400.0).abs() < 40.0, "{left} at {width}");
    }
}
