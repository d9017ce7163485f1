//! What stands behind `-agentpath:...=`.

use std::path::PathBuf;

/// What the agent is to do.
#[derive(Debug)]
pub enum Options {
    /// Nothing but hold the clock still.
    ClockOnly,
    /// Watch everything below `main`.
    Watch {
        /// Signature of the class with `main`, as `Lpackage/Name;`.
        main: String,
        /// Classes whose steps are written, with those inside them.
        programs: Vec<String>,
        /// Where the counts go.
        out: PathBuf,
    },
}

impl Options {
    /// Reads the options.
    ///
    /// # Errors
    /// What is wrong with them, in one line.
    pub fn parse(text: &str) -> Result<Self, String> {
        let (mut main, mut out, mut programs) = (None, None, Vec::new());
        for option in text.split(',') {
            match option.split_once('=') {
                None if option == "clock-only" => return Ok(Self::ClockOnly),
                Some(("main", class)) => main = Some(class),
                Some(("programs", names)) => {
                    programs = names.split(':').map(str::to_owned).collect()
                }
                Some(("out", path)) => out = Some(PathBuf::from(path)),
                _ => return Err(format!("no such option: {option}")),
            }
        }
        match (main, out) {
            (Some(class), Some(out)) => {
                if programs.is_empty() {
                    programs.push(class.to_owned());
                }
                let main = format!("L{};", class.replace('.', "/"));
                Ok(Self::Watch { main, programs, out })
            }
            _ => Err("main=CLASS and out=PATH are needed".to_owned()),
        }
    }
}
