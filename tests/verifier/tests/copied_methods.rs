//! Methods that are copied to another class do there what they did, and HotSpot's
//! verifier accepts them; what another class may not do is refused.

use classfile::{ClassEditor, ClassFile, Code, Refusal, access};
use std::fs;
use std::path::Path;
use support::{Jdk, run};
use verifier::fixture_run::fresh_folder;

const SOURCE: &str = r#"
public class Source {
    static int offset = 7;
    private static int hidden = 1;

    static int plus(int a, long b) { return a + (int) b; }

    public static String branches(int n) {
        StringBuilder all = new StringBuilder();
        for (int i = 0; i < n; i++) {
            Integer boxed = i;
            long factor = i % 2 == 0 ? 5_000_000_000L : 3;
            all.append(plus(boxed.hashCode() + 100_000 + offset, factor)).append(',');
            if (i > 3 && all.length() > 20) {
                Object[] row = new String[i][2];
                all.append(row.length);
            }
        }
        return all.toString();
    }

    public static String namesPrivate(int n) { return String.valueOf(n + hidden); }

    public static String catches(int n) {
        try {
            return String.valueOf(1 / n);
        } catch (ArithmeticException thrown) {
            return "none";
        }
    }

    public static String text(int n) { return "a string"; }
}
"#;

const TARGET: &str = r#"
public class Target {
    public static void main(String[] args) throws Exception {
        System.out.println(Source.branches(9));
        System.out.println(Target.class.getMethod("copied", int.class).invoke(null, 9));
    }
}
"#;

fn public_static_code<'a>(class: &'a ClassFile<'a>, name: &str) -> Code<'a> {
    let mut methods = class.methods().iter();
    let method = methods.find(|method| method.name() == name.as_bytes()).unwrap();
    method.code().unwrap().unwrap()
}

#[test]
fn copies_do_what_their_originals_do() {
    let jdk = Jdk::find(17).unwrap();
    let folder = fresh_folder(Path::new(env!("CARGO_TARGET_TMPDIR")), "copied-methods").unwrap();
    let files = [("Source.java", SOURCE), ("Target.java", TARGET)].map(|(name, text)| {
        fs::write(folder.join(name), text).unwrap();
        folder.join(name)
    });
    jdk.compile(&files, &folder, &folder).unwrap();
    let source = fs::read(folder.join("Source.class")).unwrap();
    let source = ClassFile::parse(&source).unwrap();
    let target = fs::read(folder.join("Target.class")).unwrap();
    let target = ClassFile::parse(&target).unwrap();

    let mut editor = ClassEditor::new(&target);
    let flags = access::PUBLIC | access::STATIC;
    for refused in ["namesPrivate", "catches", "text"] {
        let code = public_static_code(&source, refused);
        let result = editor.copy_method(&code, flags, b"refused", &[]);
        assert_eq!(result, Err(Refusal::NotCopied), "{refused}");
    }
    let code = public_static_code(&source, "branches");
    editor.intern_short_constants(&code).unwrap();
    editor.copy_method(&code, flags, b"copied", &[b"Ljava/lang/Deprecated;"]).unwrap();
    fs::write(folder.join("Target.class"), editor.finish()).unwrap();

    let mut java = jdk.program("java");
    java.args(["-Xverify:all", "-cp"]).arg(&folder).arg("Target");
    let printed = run(&mut java).unwrap().out;
    let lines: Vec<&str> = printed.lines().collect();
    assert_eq!(lines.len(), 2, "{printed}");
    assert_eq!(lines[0], lines[1]);
    assert!(lines[0].contains("100011"), "{printed}");
}

/// A constant that is named with one byte must be among the first 255.
#[test]
fn short_constants_are_interned_before_others() {
    let jdk = Jdk::find(17).unwrap();
    let folder = fresh_folder(Path::new(env!("CARGO_TARGET_TMPDIR")), "short-constants").unwrap();
    let text = "public class Short { public static int large() { return 100_000; } }";
    fs::write(folder.join("Short.java"), text).unwrap();
    jdk.compile(&[folder.join("Short.java")], &folder, &folder).unwrap();
    let class = fs::read(folder.join("Short.class")).unwrap();
    let class = ClassFile::parse(&class).unwrap();
    let code = public_static_code(&class, "large");
    for is_first in [false, true] {
        let mut editor = ClassEditor::new(&class);
        if is_first {
            editor.intern_short_constants(&code).unwrap();
        }
        for number in 0..300 {
            editor.pool().integer(number).unwrap();
        }
        let copied = editor.copy_method(&code, access::PUBLIC | access::STATIC, b"copied", &[]);
        assert_eq!(copied.is_ok(), is_first, "{copied:?}");
    }
}
