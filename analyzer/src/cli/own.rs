//! What the user says is their own code.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use analysis::source::files::SourceFiles;
use base::{shown, tell};
use clap::Args;
use tree::error::Result;
use tree::owners::{OwnCode, OwnSources};

/// The options that say it.
#[derive(Debug, Default, Args)]
pub struct Own {
    /// Which classes are your own code, such as 'demo.*;shop.*'; names of folders and archives
    /// of classes begin with / [default: by where classes come from, as 'subsume info' says].
    #[arg(long, value_name = "PATTERN")]
    own: Option<String>,

    /// A folder with source files, or a zip or jar file of them; may be repeated. Classes whose
    /// files are in folders are your own code, unless --own says otherwise. Views that show
    /// lines, as the page does, take them from here.
    #[arg(long, value_name = "DIR")]
    sources: Vec<PathBuf>,

    /// The source files, once they have been looked for.
    #[arg(skip)]
    found: OnceLock<Arc<SourceFiles>>,
}

impl Own {
    /// What they say.
    ///
    /// # Errors
    /// If sources cannot be read.
    pub fn code(&self) -> Result<OwnCode> {
        let sources = self.source_files()?.map(|files| files as Arc<dyn OwnSources>);
        Ok(OwnCode::new(self.own.as_deref(), sources))
    }

    /// Looks for the source files for a command that shows their text: where they are not
    /// there, a note says so, and it goes on without them.
    ///
    /// # Errors
    /// If what is there cannot be read.
    pub fn look_for_sources(&self) -> Result<()> {
        let found = Arc::new(SourceFiles::below(&existing(&self.sources))?);
        self.found.get_or_init(|| found);
        Ok(())
    }

    /// True if some of the folders and archives that are given exist.
    pub fn has_sources(&self) -> bool {
        self.sources.iter().any(|place| place.exists())
    }

    /// The same options as words of a command line.
    pub fn words(&self) -> Vec<OsString> {
        let word = |option: &str, value: &OsStr| {
            let mut word = OsString::from(option);
            word.push(value);
            word
        };
        let own = self.own.iter().map(|own| word("--own=", own.as_ref()));
        own.chain(self.sources.iter().map(|place| word("--sources=", place.as_ref()))).collect()
    }

    /// The source files, if there are to be any.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn source_files(&self) -> Result<Option<Arc<SourceFiles>>> {
        if self.sources.is_empty() {
            return Ok(None);
        }
        if let Some(found) = self.found.get() {
            return Ok(Some(Arc::clone(found)));
        }
        let found = Arc::new(SourceFiles::below(&self.sources)?);
        Ok(Some(Arc::clone(self.found.get_or_init(|| found))))
    }
}

/// Those of the places with sources that are there; of the others a note is printed.
pub fn existing(places: &[PathBuf]) -> Vec<PathBuf> {
    let (there, missing): (Vec<_>, Vec<_>) = places.iter().cloned().partition(|p| p.exists());
    for place in missing {
        tell!("note: {}: there are no sources", shown(place));
    }
    there
}
