//! Names of classes that are generated at run time, without what differs from
//! run to run.

use std::borrow::Cow;

use profile::Profile;

/// Marks of names that the agent cuts behind the mark.
const CUT: [&str; 3] = ["$$Lambda", "GeneratedMethodAccessor", "GeneratedConstructorAccessor"];

/// Marks in front of addresses and hashes.
const MARKS: [char; 3] = ['/', '.', '+'];

/// Marks behind which random or counted letters follow, up to the next mark.
const COUNTED: [&str; 12] = [
    "$Proxy",
    "CGLIB$$",
    "$ByteBuddy$",
    "$HibernateProxy$",
    "$HibernateInstantiator$",
    "$HibernateAccessOptimizer$",
    "$MockitoMock$",
    "$auxiliary$",
    "_$$_jvst",
    "_$$_javassist_",
    "GeneratedSerializationConstructorAccessor",
    "org.apache.derby.exe.",
];

/// The name as the agent has it: `a.B$$Lambda` for
/// `a.B$$Lambda$14/0x0000000800c03000`.
pub fn as_recorded(class: &str) -> &str {
    for mark in CUT {
        let Some(at) = class.find(mark) else { continue };
        let (stem, rest) = class.split_at(at + mark.len());
        let number = rest.strip_prefix('$').unwrap_or(rest);
        let address = number.trim_start_matches(|c: char| c.is_ascii_digit());
        let is_number = |part: &str| {
            let digits = part.strip_prefix("0x").unwrap_or(part);
            digits.chars().all(|c| c.is_ascii_hexdigit())
        };
        // JFR has an address, then a hash.
        let generated = match address.strip_prefix(MARKS) {
            Some(numbers) => numbers.split(MARKS).all(is_number),
            None => address.is_empty(),
        };
        if generated {
            return stem;
        }
    }
    class
}

/// True for a name from which the agent has cut what is counted: it stands for many classes,
/// and nothing is known of where they come from.
pub fn is_cut(class: &str) -> bool {
    CUT.iter().any(|mark| class.ends_with(mark))
}

/// The name by which classes of different runs are taken for the same, with `*`
/// for what is counted or random: `jdk.proxy*.$Proxy*` for `jdk.proxy2.$Proxy14`.
pub fn as_compared(class: &str) -> Cow<'_, str> {
    let Some((mark, at)) = COUNTED.iter().find_map(|mark| Some((mark, class.rfind(mark)?))) else {
        return Cow::Borrowed(class);
    };
    let (stem, number) = class.split_at(at + mark.len());
    let is_number = match *mark {
        // A class may well be called $ProxyFactory.
        "$Proxy" | "GeneratedSerializationConstructorAccessor" => {
            number.bytes().all(|byte| byte.is_ascii_digit())
        }
        _ => number.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_'),
    };
    if number.is_empty() || !is_number {
        return Cow::Borrowed(class);
    }
    // Packages of proxies are counted, too.
    let package =
        stem.strip_prefix("jdk.proxy").map(|rest| rest.trim_start_matches(char::is_numeric));
    Cow::Owned(match package {
        Some(rest) if rest.starts_with('.') => format!("jdk.proxy*{rest}*"),
        _ => format!("{stem}*"),
    })
}

/// Gives generated classes the names by which they are compared. Their methods
/// name their own class, so that hashes of their code tell nothing.
pub fn make_comparable(profile: &mut Profile) {
    let mut is_generated = vec![false; profile.classes.len()];
    for (class, is_generated) in profile.classes.iter_mut().zip(&mut is_generated) {
        if let Cow::Owned(name) = as_compared(&class.name) {
            class.name = name;
            *is_generated = true;
        }
        *is_generated |= is_cut(&class.name);
    }
    for (method, hash) in profile.methods.iter().zip(&mut profile.code_hashes) {
        if is_generated.get(method.class.0 as usize) == Some(&true) {
            *hash = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{as_compared, as_recorded};

    #[test]
    fn what_the_agent_leaves_out() {
        for (class, expected) in [
            ("a.B$$Lambda$14/0x0000000800c03000", "a.B$$Lambda"),
            ("a.B$$Lambda.0x00007f12", "a.B$$Lambda"),
            ("a.B$$Lambda$88+0x00007f200c007a08/360062456", "a.B$$Lambda"),
            ("a.B$$Lambda+0x00007f200c007a08.360062456", "a.B$$Lambda"),
            ("a.B$$Lambda$88+0x00007f200c007a08/Own", "a.B$$Lambda$88+0x00007f200c007a08/Own"),
            ("a.B$$LambdaFace", "a.B$$LambdaFace"),
            (
                "jdk.internal.reflect.GeneratedMethodAccessor7",
                "jdk.internal.reflect.GeneratedMethodAccessor",
            ),
        ] {
            assert_eq!(as_recorded(class), expected);
        }
    }

    #[test]
    fn what_comparisons_leave_out() {
        for (class, expected) in [
            ("jdk.proxy2.$Proxy14", "jdk.proxy*.$Proxy*"),
            ("com.sun.proxy.$Proxy5", "com.sun.proxy.$Proxy*"),
            ("$Proxy0", "$Proxy*"),
            ("a.$ProxyFactory", "a.$ProxyFactory"),
            ("a.B$$EnhancerBySpringCGLIB$$1a2b3c", "a.B$$EnhancerBySpringCGLIB$$*"),
            ("a.B$MockitoMock$123456", "a.B$MockitoMock$*"),
            ("a.B$HibernateProxy$Xy12AbCd", "a.B$HibernateProxy$*"),
            ("a.B_$$_jvst1f2_0", "a.B_$$_jvst*"),
            ("org.apache.derby.exe.ac12601a400fx0149x", "org.apache.derby.exe.*"),
            ("a.B$1", "a.B$1"),
            ("a.B", "a.B"),
        ] {
            assert_eq!(as_compared(class), expected);
        }
    }
}
