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
        let (mut main, mut out) = (None, None);
        for option in text.split(',') {
            match option.split_once('=') {
                None if option == "clock-only" => return Ok(Self::ClockOnly),
                Some(("main", class)) => main = Some(format!("L{};", class.replace('.', "/"))),
                Some(("out", path)) => out = Some(PathBuf::from(path)),
                _ => return Err(format!("no such option: {option}")),
            }
        }
        match (main, out) {
            (Some(main), Some(out)) => Ok(Self::Watch { main, out }),
            _ => Err("main=CLASS and out=PATH are needed".to_owned()),
        }
    }
}
