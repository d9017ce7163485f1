//! The text of a frame in a folded stack, as a method.

use profile::texts;
use tree::names::descriptor;
use tree::names::generated::as_recorded;
use tree::names::method::Method;

/// What a frame without a name is called.
pub const UNKNOWN: &str = "[unknown]";
/// The frame of what a profiler has counted without a stack.
pub const NO_STACK: &str = "[no stack]";

/// Reads a frame such as `java.lang.String.length` or `java/lang/String.length()I`.
///
/// A `|` in a descriptor stands for `;`, which separates frames. Text that
/// looks like no Java method becomes a name without a class as far as needed;
/// put together again, class, name and descriptor always show the frame.
pub fn parse(frame: &str) -> Method {
    // async-profiler marks how a frame was executed: _[j], _[i], _[0] ...
    let frame = match frame.len().checked_sub(4).and_then(|at| frame.split_at_checked(at)) {
        Some((rest, mark)) if mark.starts_with("_[") && mark.ends_with(']') && !rest.is_empty() => {
            rest
        }
        _ => frame,
    };
    // A method with the text of an argument, in which anything may stand.
    let head = texts::split(frame).0;
    let has_text = head.len() < frame.len() && !head.contains([' ', '(']);
    let open = if has_text { frame.rfind('(') } else { frame.find('(') };
    let (qualified, descriptor) = match open {
        Some(at) => {
            let descriptor = frame[at..].replace('|', ";");
            if descriptor::types(&descriptor).is_some() {
                (&frame[..at], descriptor)
            } else {
                (frame, String::new())
            }
        }
        None => (frame, String::new()),
    };
    let end = if has_text { head.len() } else { qualified.len() };
    let (class, name) = match qualified[..end].rfind('.') {
        Some(at) if at > 0 && at + 1 < qualified.len() => (&qualified[..at], &qualified[at + 1..]),
        _ => ("", qualified),
    };
    let class = class_name(class);
    Method { class, name: name.to_owned(), descriptor }
}

/// The name of a class as the agent has it: with dots, and without what differs
/// from run to run.
pub fn class_name(class: &str) -> String {
    let class = as_recorded(class);
    // Slashes separate packages only where the text is a class name; the path
    // of a shared library stays as it is.
    let internal = class.contains('/')
        && class.split('/').all(|part| {
            part.chars().next().is_some_and(|c| c.is_alphabetic() || c == '_' || c == '$')
                && !part.contains('.')
        });
    if internal { class.replace('/', ".") } else { class.to_owned() }
}

/// Writes the frame of a method; [`parse`] reads it back.
pub fn write(method: &Method, descriptors: bool, to: &mut String) {
    if !method.class.is_empty() {
        to.push_str(&method.class);
        to.push('.');
    }
    to.extend(method.name.chars().map(|c| if c == ';' { '|' } else { c }));
    if descriptors {
        to.extend(method.descriptor.chars().map(|c| if c == ';' { '|' } else { c }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_of_several_tools() {
        for (frame, class, name, descriptor) in [
            ("main", "", "main", ""),
            ("java.lang.String.length", "java.lang.String", "length", ""),
            ("java.lang.String.length()I", "java.lang.String", "length", "()I"),
            ("java/lang/String.length_[j]", "java.lang.String", "length", ""),
            ("a.B.<init>(Ljava/lang/Object|[[J)V", "a.B", "<init>", "(Ljava/lang/Object;[[J)V"),
            ("a.B.c(int)", "a.B", "c(int)", ""),
            ("a.B.c: select t.x from t", "a.B", "c: select t.x from t", ""),
            ("a.B.c: f(x.y)()V", "a.B", "c: f(x.y)", "()V"),
            ("a.B.c: f(x.y)", "a.B", "c: f(x.y)", ""),
            ("c() : d.e", "c() : d", "e", ""),
            ("/usr/lib/libc.so.6", "/usr/lib/libc.so", "6", ""),
            ("[unknown]", "", "[unknown]", ""),
            ("é_[", "", "é_[", ""),
            ("..", "", "..", ""),
            ("a/B$$Lambda$14/0x0000000800c03000.run_[1]", "a.B$$Lambda", "run", ""),
            ("a.B$$Lambda.0x00007f12.run", "a.B$$Lambda", "run", ""),
            ("a.B$$Lambda$7/1234567.run", "a.B$$Lambda", "run", ""),
            ("a.B$$Lambdas.run", "a.B$$Lambdas", "run", ""),
            ("a.B$$LambdaFace.run", "a.B$$LambdaFace", "run", ""),
            ("a.B$$LambdaLike$x.run", "a.B$$LambdaLike$x", "run", ""),
            (
                "jdk/internal/reflect/GeneratedMethodAccessor7.invoke",
                "jdk.internal.reflect.GeneratedMethodAccessor",
                "invoke",
                "",
            ),
        ] {
            let method = parse(frame);
            assert_eq!(
                (method.class.as_str(), method.name.as_str(), method.descriptor.as_str()),
                (class, name, descriptor),
                "{frame}"
            );
        }
    }

    #[test]
    fn written_frames_read_back() {
        let method = Method {
            class: "java.util.Map$Entry".into(),
            name: "equals".into(),
            descriptor: "(Ljava/lang/Object;)Z".into(),
        };
        let mut text = String::new();
        write(&method, true, &mut text);
        assert_eq!(text, "java.util.Map$Entry.equals(Ljava/lang/Object|)Z");
        assert_eq!(parse(&text), method);
    }
}
