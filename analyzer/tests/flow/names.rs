//! Finding sites by what the user types.

use analyzer::flow::name::{Contexts, Naming};
use analyzer::flow::place::find;
use analyzer::method::Method;
use profile::MethodId;
use profile::dataflow::{Objects, Place};

fn found(text: &str) -> Result<Vec<u32>, String> {
    let method = |class: &str| Method { class: class.into(), ..Method::default() };
    let methods = ["a.b.Main", "a.Main", "a.b.Main$Inner"].map(method);
    let objects = Objects::default();
    let naming = Naming::new(&methods, &objects, Contexts::Receiver);
    let place = |method, line| Place { method: Some(MethodId(method)), bci: 0, line };
    let places = [(7, place(0, 3)), (8, place(1, 4)), (9, place(2, 3)), (10, place(0, 3))];
    find(&naming, &places, text, "allocation site").map_err(|error| error.to_string())
}

#[test]
fn whole_names_and_ends_of_names() {
    assert_eq!(found("a.b.Main:3"), Ok(vec![7, 10]));
    assert_eq!(found("Main:4"), Ok(vec![8]));
    assert_eq!(found("Main:3"), Ok(vec![7, 10]));
    assert_eq!(found("Inner:3"), Ok(vec![9]));
}

#[test]
fn what_is_wrong_is_said() {
    let error = |text| found(text).unwrap_err();
    for text in ["Main", "Main:", ":3", "Main:x", ""] {
        assert!(error(text).contains("is no place in code"), "{text}");
    }
    assert_eq!(error("a.Main:9"), "no allocation site at 'a.Main:9'; nearest: a.Main:4");
    assert_eq!(
        error("x.Inner:3"),
        "no allocation site at 'x.Inner:3'; did you mean a line of a.b.Main$Inner?"
    );
    assert_eq!(error("Nothing:3"), "no allocation site at 'Nothing:3'");
}
