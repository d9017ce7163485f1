//! The program, started with the agent and waited for.

use std::ffi::{OsStr, OsString};
use std::fs::OpenOptions;
use std::path::Path;
use std::process::{Command, ExitCode, ExitStatus, Stdio};
use std::time::Duration;

use tree::error::{Error, Result};

use super::child;
use super::input::Input;
use super::java_image::lacks_module;
use super::profiles::Profiles;

/// Options from here reach every JVM; each says so on standard error.
const VARIABLE: &str = "JAVA_TOOL_OPTIONS";

/// A command line.
#[derive(Debug)]
pub struct Launch<'a> {
    program: &'a OsStr,
    arguments: &'a [OsString],
    /// Where its output goes; otherwise it is this command's.
    output: Option<&'a Path>,
    /// It is asked to end after so long.
    limit: Option<Duration>,
    /// The folder it runs in; otherwise it is this command's.
    folder: Option<&'a Path>,
    /// What it reads; otherwise this command's standard input, or nothing if its output is in a
    /// file.
    input: Option<&'a Input>,
}

impl<'a> Launch<'a> {
    /// For a command line, which has at least one word.
    pub fn new(command: &'a [OsString]) -> Self {
        let (program, arguments) = match command.split_first() {
            Some((program, arguments)) => (program.as_os_str(), arguments),
            None => (OsStr::new(""), &[][..]),
        };
        Self { program, arguments, output: None, limit: None, folder: None, input: None }
    }

    /// Runs it with this standard input.
    pub fn reading(self, input: &'a Input) -> Self {
        Self { input: Some(input), ..self }
    }

    /// Runs it in a folder, with all output in a file, without input, and asks it to end after
    /// a while, if a limit is given.
    pub fn quiet(self, folder: &'a Path, output: &'a Path, limit: Option<Duration>) -> Self {
        Self { output: Some(output), limit, folder: Some(folder), ..self }
    }

    /// True if the command is a JVM itself, so that the agent can be an
    /// argument.
    pub fn is_java(&self) -> bool {
        Path::new(self.program).file_name() == Some(OsStr::new("java"))
    }

    /// Whether the command is a JVM that is known to lack a module.
    pub fn lacks_module(&self, module: &str) -> bool {
        self.is_java() && lacks_module(self.program, module)
    }

    /// Runs the program to its end under the agent.
    ///
    /// # Errors
    /// If the program cannot be started, or its options cannot hold the library's path.
    pub fn record(&self, agent: &Path, options: &str, profiles: &Profiles) -> Result<ExitStatus> {
        let mut option = OsString::from("-agentpath:");
        option.push(agent);
        option.push("=");
        option.push(options);
        self.run_with(&[option], profiles)
    }

    /// Runs the program to its end with options for the JVM: as arguments of `java`, or in a
    /// variable that every JVM reads.
    ///
    /// # Errors
    /// If the program cannot be started, or the variable cannot hold the options.
    pub fn run_with(&self, options: &[OsString], profiles: &Profiles) -> Result<ExitStatus> {
        let mut command = Command::new(self.program);
        if self.is_java() {
            command.args(options).args(self.arguments);
        } else {
            command.args(self.arguments).env(VARIABLE, in_variable(options)?);
        }
        self.run(command, profiles)
    }

    fn run(&self, mut command: Command, profiles: &Profiles) -> Result<ExitStatus> {
        if let Some(path) = self.output {
            // The extension of JUnit would fail tests, and those do less.
            command.env("SUBSUME_LOOPS_FAIL", "nothing");
            let mut options = OpenOptions::new();
            options.write(true).create(true).truncate(true);
            #[cfg(unix)]
            std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
            let file = options.open(path).map_err(|e| Error::io(path, &e))?;
            let errors = file.try_clone().map_err(|e| Error::io(path, &e))?;
            command.stdin(Stdio::null()).stdout(file).stderr(errors);
        }
        if let Some(folder) = self.folder {
            command.current_dir(folder);
        }
        let fed = self.input.map(Input::of_run).transpose()?;
        let _feeding = fed.map(|(input, feeding)| {
            command.stdin(input);
            feeding
        });
        child::run(command, self.limit, || profiles.bytes())
    }
}

/// The variable with more options.
fn in_variable(options: &[OsString]) -> Result<OsString> {
    let mut all = std::env::var_os(VARIABLE).unwrap_or_default();
    for option in options {
        if !all.is_empty() {
            all.push(" ");
        }
        all.push(quoted(option)?);
    }
    Ok(all)
}

/// The JVM cuts the variable at white space, except within quotes.
fn quoted(option: &OsStr) -> Result<OsString> {
    let text = option.to_string_lossy();
    Ok(match (text.contains(char::is_whitespace), text.contains('"')) {
        (false, _) if !text.contains(['"', '\'']) => option.to_owned(),
        (_, false) => {
            let mut quoted = OsString::from("\"");
            quoted.push(option);
            quoted.push("\"");
            quoted
        }
        _ => return Err(Error::new(format!("{VARIABLE} cannot hold a quotation mark: {text}"))),
    })
}

/// The program's exit code; as shells do for a program that a signal ended.
pub fn exit_code(status: ExitStatus) -> ExitCode {
    let code = status.code().or_else(|| child::signal(status).map(|signal| 128 + signal));
    ExitCode::from(code.and_then(|code| u8::try_from(code).ok()).unwrap_or(super::FAILURE))
}

/// What a command line is about, for a file name: the jar or main class of
/// `java`, the name of any other command.
pub fn subject(command: &[OsString]) -> String {
    let launch = Launch::new(command);
    let mut word = launch.program;
    if launch.is_java() {
        let mut arguments = launch.arguments.iter();
        while let Some(argument) = arguments.next() {
            let text = argument.to_string_lossy();
            match &*text {
                "-cp" | "-classpath" | "--class-path" | "-p" | "--module-path"
                | "--add-modules" | "--add-opens" | "--add-exports" | "--add-reads" => {
                    let _ = arguments.next();
                }
                "-jar" | "-m" | "--module" => {
                    word = arguments.next().map_or(word, OsString::as_os_str);
                    break;
                }
                option if option.starts_with(['-', '@']) => {}
                _ => {
                    word = argument;
                    break;
                }
            }
        }
    }
    let path = Path::new(word);
    let is_file =
        path.extension().is_some_and(|e| ["jar", "sh", "java", "py"].iter().any(|k| e == *k));
    let name = if is_file { path.file_stem() } else { path.file_name() };
    let name = name.unwrap_or(OsStr::new("program")).to_string_lossy();
    // Of a main class or module the last part.
    let last = if is_file { &name } else { name.rsplit(['.', '/']).next().unwrap_or(&name) };
    let kept: String = last.chars().filter(|c| c.is_alphanumeric() || "._-".contains(*c)).collect();
    if kept.is_empty() { "program".to_owned() } else { kept }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<OsString> {
        line.split(' ').map(OsString::from).collect()
    }

    #[test]
    fn names_after_what_runs() {
        for (line, name) in [
            ("java -Xmx1g -jar lib/fop-2.11.jar in.fo", "fop-2.11"),
            ("/opt/jdk/bin/java -cp a.jar:b.jar org.example.Main x", "Main"),
            ("java -p mods -m shop/com.shop.Till", "Till"),
            ("java Hello.java", "Hello"),
            ("./bin/start-server.sh --fast", "start-server"),
            ("mvn test", "mvn"),
            ("java", "java"),
        ] {
            assert_eq!(subject(&words(line)), name, "{line}");
        }
    }

    #[test]
    fn the_variable_keeps_paths_with_blanks_together() {
        let options = |texts: &[&str]| texts.iter().map(OsString::from).collect::<Vec<_>>();
        let plain = in_variable(&options(&["-Xa", "-agentpath:/a/b=c"])).unwrap();
        assert!(plain.to_string_lossy().ends_with("-Xa -agentpath:/a/b=c"));
        let quoted = in_variable(&options(&["-agentpath:/a b=c"])).unwrap();
        assert!(quoted.to_string_lossy().ends_with("\"-agentpath:/a b=c\""));
        assert!(in_variable(&options(&["-agentpath:/a \"b=c"])).is_err());
    }
}
