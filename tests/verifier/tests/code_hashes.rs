//! Hashes of code tell a changed method from one that only stands in a
//! changed class.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use classfile::{ClassFile, CodeHashes};
use support::Jdk;

const SCRATCH: &str = env!("CARGO_TARGET_TMPDIR");

/// A class with something between its methods that a test changes.
fn source(before: &str, text: &str, times: &str, greeting: &str) -> String {
    format!(
        "import java.util.function.*;\n\
         public class Subject {{\n\
           {before}\n\
           static int loop(int n) {{ int sum = 0; for (int i = 0; i < n; i++) sum += i * {times}; return sum; }}\n\
           static String text() {{ return \"{text}\"; }}\n\
           static String greet(String who) {{ return \"{greeting}\" + who; }}\n\
           static Supplier<String> later() {{ return () -> text() + 1; }}\n\
           static Supplier<String> last() {{ return () -> \"last\"; }}\n\
           static int choose(int n) {{\n\
             try {{ switch (n) {{ case 1: return 5; case 2: return loop(n); default: return text().length(); }} }}\n\
             catch (RuntimeException e) {{ return -1; }}\n\
           }}\n\
         }}\n"
    )
}

/// The hash of each method by its name without the number of a lambda
/// expression.
fn hashes(jdk: &Jdk, directory: &Path, name: &str, source: &str) -> BTreeMap<String, u64> {
    let directory = directory.join(name);
    fs::create_dir_all(&directory).unwrap();
    let file = directory.join("Subject.java");
    fs::write(&file, source).unwrap();
    jdk.compile(&[file], &directory, &directory).unwrap();
    hashes_in(&fs::read(directory.join("Subject.class")).unwrap())
}

fn hashes_in(bytes: &[u8]) -> BTreeMap<String, u64> {
    let class = ClassFile::parse(bytes).unwrap();
    let mut hashes = CodeHashes::new(&class);
    let hashed = class.methods().iter().filter_map(|method| {
        let name = String::from_utf8_lossy(method.name()).into_owned();
        let name = name.trim_end_matches(|c: char| c.is_ascii_digit()).to_owned();
        Some((name, hashes.of(&method.code().unwrap()?)))
    });
    hashed.collect()
}

#[test]
fn only_what_changed_has_another_hash() {
    for release in [17, 25] {
        let jdk = Jdk::find(release).unwrap();
        let directory = Path::new(SCRATCH).join(format!("code-hashes-{release}"));
        let of = |name: &str, source: String| hashes(&jdk, &directory, name, &source);
        let plain = of("plain", source("", "text", "3", "hello "));
        assert!(plain.values().all(|&hash| hash != 0));
        let changed = |other: &BTreeMap<String, u64>| -> Vec<String> {
            let different = |name: &&String| other.get(*name) != Some(&plain[*name]);
            plain.keys().filter(different).cloned().collect()
        };
        assert!(changed(&of("same", source("", "text", "3", "hello "))).is_empty());
        // More than 256 constants in front make ldc wide and move all indices.
        let fields: String =
            (0..300).map(|n| format!("static String f{n}x() {{ return \"t{n}\"; }}\n")).collect();
        let more = fields + "static Runnable first() { return () -> System.out.println(); }";
        let of_more = of("more", source(&more, "text", "3", "hello "));
        // Some compilers number the lambda expressions of a class through.
        assert_eq!(changed(&of_more), [""; 0]);
        assert_eq!(changed(&of("lines", source("\n\n", "text", "3", "hello "))), [""; 0]);
        assert_eq!(changed(&of("text", source("", "other", "3", "hello "))), ["text"]);
        assert_eq!(changed(&of("times", source("", "text", "4", "hello "))), ["loop"]);
        // The text stands in the recipe of the bootstrap method.
        assert_eq!(changed(&of("greeting", source("", "text", "3", "bye "))), ["greet"]);
    }
}

#[test]
fn the_number_in_the_name_of_a_generated_class_does_not_matter() {
    let directory = Path::new(SCRATCH).join("code-hashes-renamed");
    let plain =
        hashes(&Jdk::find(17).unwrap(), &directory, "plain", &source("", "text", "3", "hello "));
    let mut bytes = fs::read(directory.join("plain/Subject.class")).unwrap();
    let name = b"\x01\x00\x07Subject";
    let at = bytes.windows(name.len()).position(|window| window == name).unwrap();
    bytes[at + name.len() - 1] = b'7';
    assert_eq!(ClassFile::parse(&bytes).unwrap().this_class(), b"Subjec7");
    // `choose` calls `loop` and `text` of its own class.
    assert_eq!(hashes_in(&bytes), plain);
}

#[test]
fn broken_classes_do_no_harm() {
    let directory = Path::new(SCRATCH).join("code-hashes-broken");
    let source = source("", "text", "3", "hello ");
    hashes(&Jdk::find(17).unwrap(), &directory, "plain", &source);
    let whole = fs::read(directory.join("plain/Subject.class")).unwrap();
    let mut hashed = 0;
    for at in 0..whole.len() {
        for change in [0x01, 0xff] {
            let mut broken = whole.clone();
            broken[at] ^= change;
            let Ok(class) = ClassFile::parse(&broken) else { continue };
            let mut hashes = CodeHashes::new(&class);
            for method in class.methods().iter() {
                if let Ok(Some(code)) = method.code() {
                    hashes.of(&code);
                    hashed += 1;
                }
            }
        }
    }
    assert!(hashed > 1_000, "{hashed} methods of broken classes had code");
}
