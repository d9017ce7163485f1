//! The page says for whom the JDK works, and leaves out of data flow what happens once.

use std::ffi::OsStr;
use std::path::PathBuf;

use made_profiles::dataflow::for_whom::for_whom;
use support::{Scratch, subsume};

use crate::browser::Page;

/// A page of the recording, with these options.
fn page(scratch: &Scratch, options: &[&str]) -> PathBuf {
    let [profile, page] = ["for-whom.subsume", "page.html"].map(|name| scratch.file(name));
    let file = std::fs::File::create(&profile).expect("a file can be made");
    profile::write(&for_whom(), file).expect("it can be written");
    let mut arguments = vec![OsStr::new("report")];
    arguments.extend(options.iter().map(OsStr::new));
    arguments.extend([profile.as_os_str(), OsStr::new("-o"), page.as_os_str()]);
    subsume(&arguments);
    page
}

fn shown(page: &Page, view: &str) -> String {
    page.go(&format!("#/{view}"));
    page.wait_for(&format!("document.getElementById('view').dataset.view === '{view}'"));
    page.settle();
    assert_eq!(page.complaints(), Vec::<String>::new(), "{view}");
    page.text("document.getElementById('view').innerText")
}

/// What the column says of the first row.
fn first_cell(page: &Page) -> String {
    page.text("document.querySelector('tbody .for').innerText")
}

#[test]
fn rows_of_the_jdk_say_for_whom_they_are() {
    let scratch = Scratch::new("page-for-whom");
    let page = Page::open(&page(&scratch, &[]));
    for (view, whom, of) in [
        ("copies", "Report.print app 56%", Some("copies")),
        ("chains", "Report.print app 38%", None),
        ("temporaries", "Report.print app 42%", Some("temporaries")),
        ("useless", "Report.print app 38%", Some("unused bytes")),
        ("dead", "Report.print app 42%", Some("dead values")),
        ("clones", "Report.print app 38%", None),
        ("repeats", "Main.line", None),
    ] {
        let text = shown(&page, view);
        let cell = first_cell(&page);
        assert!(cell.contains(whom), "{view}: {cell:?} in {text}");
        let title = "the nearest method that is not the JDK's";
        let list = of.map(|of| format!("For whom, of the {of}"));
        assert_eq!(list.is_some(), text.contains(title), "{view}: {text}");
        assert!(list.is_none_or(|list| text.contains(&list)), "{view}: {text}");
    }
    // Contexts tell copies exactly; what makes dead values is shared out.
    assert!(!shown(&page, "copies").contains("estimate"));
    let copies = page.text("document.querySelector('.users').innerText");
    assert!(copies.starts_with("46.67%"), "{copies}");
    assert!(shown(&page, "dead").contains("(estimate)"));
    page.click(".users a.method");
    page.wait_for("document.getElementById('view').dataset.view === 'method'");
}

#[test]
fn the_start_is_out_of_data_flow_unless_it_is_asked_for() {
    let scratch = Scratch::new("page-for-whom-start");
    let without = Page::open(&page(&scratch, &[]));
    for (view, line) in [
        ("copies", "Start-up and first calls: 40.00% of the copies, left out"),
        ("temporaries", "Sites of start-up and first calls alone: 4.35% of these, left out"),
        ("repeats", "Start-up and first calls: 1 candidate that nothing else calls, left out"),
    ] {
        let text = shown(&without, view);
        assert!(text.contains(line), "{view}: {text}");
        assert!(text.contains("subsume report --with-start"), "{view}: {text}");
        assert!(!text.contains("fill"), "{view}: {text}");
    }
    drop(without);
    let with = Page::open(&page(&scratch, &["--with-start"]));
    for view in ["copies", "temporaries", "repeats"] {
        let text = shown(&with, view);
        assert!(text.contains("fill"), "{view}: {text}");
        assert!(!text.contains("left out"), "{view}: {text}");
    }
}
