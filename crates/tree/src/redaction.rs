//! What may be secret in what a profile says of its run: passwords and tokens stand in
//! command lines, and the environment tells of machines.

use std::borrow::Cow;

use profile::{Profile, RunInfo, texts};

use crate::names::command_line::{WITH_VALUE, is_launcher, words};

/// Stands for a value.
const LEFT_OUT: &str = "...";

/// Options of the launcher that are no properties; what they are set to is of use.
const PLAIN: [&str; 4] = ["-X", "--add-", "--enable-", "--limit-modules"];

/// Labels that the agent takes from the environment if it is asked to.
const OF_ENVIRONMENT: [&str; 3] = ["host", "container", "commit"];

/// Leaves out the values of properties, of arguments and of options of agents, what the
/// environment said, and the texts of arguments by which contexts differ. What is named
/// stays, and so do labels that were given.
pub fn redact(profile: &mut Profile) {
    redact_run(&mut profile.run);
    let splits = &profile.run.splits;
    for method in &mut profile.methods {
        let (name, Some(_)) = texts::split(&method.name) else { continue };
        let class = profile.classes.get(method.class.0 as usize);
        let class = class.map_or("", |class| &class.name);
        if splits.contains_key(&format!("{class}.{name}{}", method.descriptor)) {
            // Contexts of the same name are one in each answer.
            method.name = name.to_owned();
        }
    }
}

fn redact_run(run: &mut RunInfo) {
    run.command_line = command_line(&run.command_line);
    let given: Vec<&str> = run.options.split(',').collect();
    if given.contains(&"labels=environment") {
        let is_given = |name: &str| {
            let start = format!("label.{name}=");
            given.iter().any(|option| option.starts_with(&start))
        };
        run.labels.retain(|name, _| !OF_ENVIRONMENT.contains(&name.as_str()) || is_given(name));
    }
}

fn command_line(line: &str) -> String {
    let words = words(line);
    let mut kept: Vec<String> = Vec::with_capacity(words.len());
    let mut of_program = !words.first().is_some_and(|word| is_launcher(word));
    // What the next word is.
    let (mut is_path, mut is_program, mut is_value) = (false, false, false);
    for (at, word) in words.iter().enumerate() {
        let is_option = word.starts_with('-');
        if at == 0 || std::mem::take(&mut is_path) {
            kept.push(word.clone());
        } else if is_value && !is_option {
            kept.push(LEFT_OUT.to_owned());
        } else {
            kept.push(redacted(word, of_program).into_owned());
        }
        is_value = false;
        if of_program {
            // `--token abc` as well as `--token=abc`.
            is_value = is_option && !word.contains('=');
        } else if std::mem::take(&mut is_program) {
            of_program = true;
        } else if ["-jar", "-m", "--module"].contains(&word.as_str()) {
            is_program = true;
        } else if WITH_VALUE.contains(&word.as_str()) {
            is_path = true;
        } else if at > 0 && !is_option && !word.starts_with('@') {
            of_program = !WITH_VALUE.contains(&words[at - 1].as_str());
        }
    }
    let quoted = kept.iter().map(|word| match word.chars().all(|c| !c.is_whitespace()) {
        true => word.clone(),
        false => format!("'{}'", word.replace('\'', "")),
    });
    quoted.collect::<Vec<_>>().join(" ")
}

/// A word without the value in it.
fn redacted(word: &str, of_program: bool) -> Cow<'_, str> {
    if !of_program && PLAIN.iter().any(|start| word.starts_with(start)) {
        return word.into();
    }
    if let Some((name, _)) = word.split_once('=') {
        return format!("{name}={LEFT_OUT}").into();
    }
    // Addresses may carry a password: `//user:password@host`.
    match word.split_once("://").and_then(|(scheme, rest)| Some((scheme, rest.rsplit_once('@')?))) {
        Some((scheme, (_, host))) => format!("{scheme}://{LEFT_OUT}@{host}").into(),
        None => word.into(),
    }
}

#[cfg(test)]
mod tests {
    use profile::{ClassId, ClassInfo, MethodInfo};

    use super::*;

    #[test]
    fn command_lines_without_values() {
        for (line, expected) in [
            (
                "/usr/bin/java -Xmx1g -XX:MaxRAM=2g -Dpassword=hunter2 -cp a:b org.App token=hunter3 in",
                "/usr/bin/java -Xmx1g -XX:MaxRAM=2g -Dpassword=... -cp a:b org.App token=... in",
            ),
            (
                "java '-Dtext=a b=c' -javaagent:x.jar=key=abc --add-opens=a/b=c -jar '/a b/c.jar' --token abc -v in",
                "java -Dtext=... -javaagent:x.jar=... --add-opens=a/b=c -jar '/a b/c.jar' --token ... -v ...",
            ),
            (
                "java -m m/org.App --url=x jdbc:mysql://root:pw@host/db --dry --token=1",
                "java -m m/org.App --url=... jdbc:mysql://...@host/db --dry --token=...",
            ),
            ("org.App --pin 1234", "org.App --pin ..."),
            ("java @args -Da=1 org.App", "java @args -Da=... org.App"),
            ("java -XshowSettings -cp x App -Xkey=abc", "java -XshowSettings -cp x App -Xkey=..."),
            ("", ""),
        ] {
            assert_eq!(command_line(line), expected, "{line}");
        }
    }

    #[test]
    fn texts_of_split_methods() {
        let method = |name: &str| MethodInfo::new(ClassId(0), name, "()V");
        let mut profile = Profile {
            classes: vec![ClassInfo { name: "a.B".into(), ..ClassInfo::default() }],
            methods: ["c", "c: secret", "c: (null)", "d: of its own"].map(method).to_vec(),
            ..Profile::default()
        };
        profile.run.splits.insert("a.B.c()V".into(), "a.B.c(1)".into());
        redact(&mut profile);
        let names: Vec<&str> = profile.methods.iter().map(|method| &*method.name).collect();
        assert_eq!(names, ["c", "c", "c", "d: of its own"]);
    }

    #[test]
    fn labels_of_the_environment() {
        let labels = [("host", "a"), ("commit", "b"), ("version", "1")];
        let labels = labels.map(|(name, value)| (name.to_owned(), value.to_owned()));
        for (options, kept) in [
            ("labels=environment,label.commit=b", "commit version"),
            ("mode=calls", "commit host version"),
        ] {
            let mut run = RunInfo {
                options: options.to_owned(),
                labels: labels.clone().into(),
                ..RunInfo::default()
            };
            redact_run(&mut run);
            let names: Vec<&str> = run.labels.keys().map(String::as_str).collect();
            assert_eq!(names.join(" "), kept);
        }
    }
}
