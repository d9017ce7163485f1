//! Finding sites by what the user types.

use profile::MethodId;
use profile::dataflow::{
    Field, FieldId, Location, Objects, Place, Site, SiteId, SiteKind, Tag, TagContext, TagId,
};
use subsume_analysis::dataflow::name::{Contexts, Naming};
use subsume_analysis::dataflow::place::find;
use tree::names::method::Method;

use made_profiles::dataflow::build::{site, tag};

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
        assert!(error(text).contains("is not a place in code"), "{text}");
    }
    assert_eq!(error("a.Main:9"), "no allocation site at 'a.Main:9'; nearest: a.Main:4");
    assert_eq!(
        error("x.Inner:3"),
        "no allocation site at 'x.Inner:3'; did you mean a line of a.b.Main$Inner?"
    );
    assert_eq!(error("Nothing:3"), "no allocation site at 'Nothing:3'");
}

/// `class Sub extends Base` has a field `size` of its own beside that of `Base`.
#[test]
fn a_hidden_field_is_named_with_its_class() {
    let mut objects = Objects::default();
    let [sub, other] = [("Sub", 1), ("Other", 2)].map(|(class, line)| {
        let site = site(&mut objects, class, line);
        tag(&mut objects, site, None, 1)
    });
    let fields = [("Base", "size"), ("Sub", "size"), ("Base", "name")].map(|(class, name)| {
        let (class, name, descriptor) = (class.into(), name.into(), "I".into());
        objects.fields.push(Field { class, name, descriptor, is_static: false });
        FieldId(objects.fields.len() as u32 - 1)
    });
    let at = |tag, field| Location { tag, field };
    let [base, own, plain] = fields.map(|field| at(sub, field));
    let alone = at(other, fields[0]);
    let method = Method { class: "Main".into(), ..Method::default() };
    let methods = [method];
    let naming = Naming::new(&methods, &objects, Contexts::Receiver)
        .telling_apart([base, own, plain, alone]);
    let names = [base, own, plain, alone].map(|location| naming.location(location));
    let expected =
        ["Sub[Main:1].Base.size", "Sub[Main:1].size", "Sub[Main:1].name", "Other[Main:2].size"];
    assert_eq!(names, expected);
    let classes = [base, own].map(|location| naming.declaring_class(location));
    assert_eq!(classes, [Some("Base"), Some("Sub")]);
}

#[test]
fn a_call_stands_for_the_objects_that_static_methods_make() {
    let method = |class: &str, name: &str| Method {
        class: class.into(),
        name: name.into(),
        ..Method::default()
    };
    let methods = [method("a.Sums", "main"), method("java.lang.Long", "valueOf")];
    let site = |method, line, kind, class: &str| Site {
        place: Place { method: Some(MethodId(method)), bci: 0, line },
        class: class.into(),
        kind,
    };
    let sites = [
        Site::default(),
        site(1, 1204, SiteKind::New, "java.lang.Long"),
        site(0, 9, SiteKind::Call, ""),
        site(0, 7, SiteKind::New, "a.Sums"),
    ];
    let tag = |slot| Tag { site: SiteId(1), slot };
    let context = |tag, context| TagContext { tag: TagId(tag), context };
    let objects = Objects {
        slots: 4,
        sites: sites.into(),
        tags: vec![Tag::default(), tag(1), tag(2)],
        contexts: vec![context(1, 2), context(2, 3)],
        ..Objects::default()
    };
    let naming = Naming::new(&methods, &objects, Contexts::Receiver);
    assert_eq!(naming.tag(TagId(1)), "java.lang.Long[java.lang.Long:1204]^a.Sums.main:9");
    assert_eq!(naming.tag(TagId(2)), "java.lang.Long[java.lang.Long:1204]^a.Sums[a.Sums:7]");
}
