//! Command lines of Java programs.

/// Whether a word is the launcher of the JDK.
pub fn is_launcher(word: &str) -> bool {
    word.rsplit('/').next() == Some("java")
}

/// The main class, or the name of the archive, of a command line; with the launcher and its
/// options, or without.
pub fn program_of(command_line: &str) -> String {
    let words = words(command_line);
    let mut words = words.iter().map(String::as_str).peekable();
    let mut program = words.peek().copied().unwrap_or_default();
    if words.next_if(|word| is_launcher(word)).is_some() {
        while let Some(word) = words.next() {
            if word == "-jar" || word == "-m" || word == "--module" {
                program = words.next().unwrap_or(program);
                break;
            }
            if !word.starts_with(['-', '@']) {
                program = word;
                break;
            }
            if WITH_VALUE.contains(&word) {
                words.next();
            }
        }
    }
    let name = program.rsplit('/').next().unwrap_or_default();
    let name = name.strip_suffix(".jar").unwrap_or(name);
    if name.is_empty() { "unknown".to_owned() } else { name.to_owned() }
}

/// Options of the launcher whose value is the next word.
pub const WITH_VALUE: [&str; 11] = [
    "-cp",
    "-classpath",
    "--class-path",
    "-p",
    "--module-path",
    "--upgrade-module-path",
    "--add-modules",
    "--limit-modules",
    "--add-reads",
    "--add-exports",
    "--add-opens",
];

/// The words of a command line, in which quotes hold words with blanks together.
pub fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut quote = None;
    for c in line.chars() {
        match (c, quote) {
            (_, Some(open)) if c == open => quote = None,
            ('\'' | '"', None) => quote = Some(c),
            (' ', None) => words.push(std::mem::take(&mut word)),
            _ => word.push(c),
        }
    }
    words.push(word);
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::program_of;

    #[test]
    fn programs() {
        assert_eq!(program_of("org.example.App in.txt"), "org.example.App");
        assert_eq!(program_of("/opt/app-1.2.jar --port 1"), "app-1.2");
        assert_eq!(program_of(""), "unknown");
        for (line, program) in [
            ("/usr/bin/java -Xmx1g -cp '/a b/c:d' org.example.App in.txt", "org.example.App"),
            ("java -ea -jar /opt/app-1.2.jar --port 1", "app-1.2"),
            (
                "java --add-opens java.base/java.lang=ALL-UNNAMED -m m/org.example.App",
                "org.example.App",
            ),
            ("java", "java"),
        ] {
            assert_eq!(program_of(line), program, "{line}");
        }
    }
}
