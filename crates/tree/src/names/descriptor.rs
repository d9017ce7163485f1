//! Method descriptors (JVMS 4.3.3).

/// The parameter types and the return type of a descriptor, as they stand in it.
///
/// Returns `None` for text that is not a method descriptor.
pub fn types(descriptor: &str) -> Option<(Vec<&str>, &str)> {
    let mut rest = descriptor.strip_prefix('(')?;
    let mut parameters = Vec::new();
    while !rest.starts_with(')') {
        let (parameter, after) = split_field_type(rest)?;
        parameters.push(parameter);
        rest = after;
    }
    let result = &rest[1..];
    let whole =
        result == "V" || split_field_type(result).is_some_and(|(_, after)| after.is_empty());
    whole.then_some((parameters, result))
}

/// Whether there is an object or an array among the parameters, strings aside.
pub fn takes_object(descriptor: &str) -> bool {
    types(descriptor).is_some_and(|(parameters, _)| parameters.into_iter().any(is_object))
}

/// Whether an object or an array is returned, strings aside.
pub fn returns_object(descriptor: &str) -> bool {
    types(descriptor).is_some_and(|(_, result)| is_object(result))
}

fn is_object(field_type: &str) -> bool {
    field_type.starts_with(['L', '[']) && field_type != "Ljava/lang/String;"
}

/// The parameters as people read them: `(double, StringBuffer)`.
///
/// Returns `None` for text that is not a method descriptor.
pub fn parameters(descriptor: &str) -> Option<String> {
    let (parameters, _) = types(descriptor)?;
    let names: Vec<String> = parameters.into_iter().map(simple_name).collect();
    Some(format!("({})", names.join(", ")))
}

/// The return type as people read it: `StringBuffer`.
///
/// Returns `None` for text that is not a method descriptor.
pub fn return_type(descriptor: &str) -> Option<String> {
    types(descriptor).map(|(_, result)| simple_name(result))
}

/// A field type at the start of `text`, and what follows.
fn split_field_type(text: &str) -> Option<(&str, &str)> {
    let component = text.trim_start_matches('[');
    let length = match component.chars().next()? {
        'B' | 'C' | 'D' | 'F' | 'I' | 'J' | 'S' | 'Z' => 1,
        'L' => component.find(';').filter(|&end| end > 1)? + 1,
        _ => return None,
    };
    Some(text.split_at(text.len() - component.len() + length))
}

/// A field type, or `V`, in Java's words, classes without their package.
fn simple_name(field_type: &str) -> String {
    let component = field_type.trim_start_matches('[');
    let name = match component {
        "B" => "byte",
        "C" => "char",
        "D" => "double",
        "F" => "float",
        "I" => "int",
        "J" => "long",
        "S" => "short",
        "Z" => "boolean",
        "V" => "void",
        class => {
            let class = class.strip_prefix('L').unwrap_or(class).trim_end_matches(';');
            class.rsplit('/').next().unwrap_or(class)
        }
    };
    format!("{name}{}", "[]".repeat(field_type.len() - component.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_in_words() {
        for (descriptor, expected) in [
            ("()V", Some("()")),
            ("(D[[JLjava/lang/StringBuffer;)V", Some("(double, long[][], StringBuffer)")),
            ("([LList;)LList;", Some("(List[])")),
            ("(LLogger;)V", Some("(Logger)")),
            ("(I", None),
            ("(I)", None),
            ("(V)V", None),
            ("(L;)V", None),
            ("()VV", None),
            ("int", None),
            ("(é)V", None),
        ] {
            assert_eq!(parameters(descriptor).as_deref(), expected, "{descriptor}");
        }
        for (descriptor, takes, returns) in [
            ("(I)V", false, false),
            ("(Ljava/lang/String;)[I", false, true),
            ("(J[I)I", true, false),
            ("(D)Ljava/lang/String;", false, false),
            ("no", false, false),
        ] {
            let found = (takes_object(descriptor), returns_object(descriptor));
            assert_eq!(found, (takes, returns), "{descriptor}");
        }
        assert_eq!(return_type("()[La/b/C;").as_deref(), Some("C[]"));
        assert_eq!(return_type("()V").as_deref(), Some("void"));
    }
}
