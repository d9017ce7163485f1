//! `subsume blueprint`.

use std::io::Write;
use std::path::{Path, PathBuf};

use analysis::diff::changes::code_changes;
use base::shown;
use clap::ValueEnum;
use report::blueprint::evolution::Evolution;
use report::blueprint::methods::Methods;
use report::blueprint::picture::{self, Picture};
use report::find_method::find_method;
use tree::error::{Error, Result};
use tree::owners::package;
use tree::readable_names::printable;

use crate::cli::diff::profiles::Profiles;
use crate::cli::output_file::{Content, check, write_file};
use crate::cli::source::Choice;

/// Draw one picture of a profile for a document.
///
/// 'scatter' shows all methods by calls and cost. 'structural' shows the classes of a package,
/// with a row of its methods for each class. 'behavioural' shows the calls below a method, with
/// each method once. 'evolution' compares the calls of two runs: what costs more or less, what
/// is new or gone, and whose code changed. Heights are costs, on a linear scale; widths are
/// executions, on a logarithmic one. 'subsume report' has the same pictures to click through.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  subsume blueprint fop.subsume --svg fop.svg
  subsume blueprint --kind structural --scope org.apache.fop fop.subsume --svg fop.svg
  subsume blueprint --method Fop.main fop.subsume --svg calls.svg
  subsume blueprint --against old.subsume new.subsume --svg evolution.svg")]
pub struct Args {
    /// Profiles; several are merged path by path.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Which picture [default: evolution with --against, behavioural with --method,
    /// otherwise scatter].
    #[arg(long, value_name = "KIND")]
    kind: Option<Kind>,

    /// The method that a behavioural or evolution picture begins with [default: the most
    /// expensive].
    #[arg(long, value_name = "METHOD")]
    method: Option<String>,

    /// The profile of the run before; the other files are the run after.
    #[arg(long, value_name = "OTHER")]
    against: Option<PathBuf>,

    /// The package that a structural picture shows, such as org.apache.fop [default:
    /// the whole run].
    #[arg(long, value_name = "PACKAGE")]
    scope: Option<String>,

    /// Show the methods' own cost, without that of their callees, in a scatter or structural
    /// picture.
    #[arg(long)]
    exclusive: bool,

    /// File to write; - for standard output.
    #[arg(long, value_name = "OUT")]
    svg: PathBuf,

    /// Width of the picture in pixels.
    #[arg(long, value_name = "PIXELS", default_value_t = 1000,
        value_parser = clap::value_parser!(u32).range(300..=10_000))]
    width: u32,

    #[command(flatten)]
    choice: Choice,
}

/// A picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Kind {
    Scatter,
    Structural,
    Behavioural,
    Evolution,
}

impl Args {
    /// Which picture is wanted.
    fn kind(&self) -> Result<Kind> {
        let usual = match (&self.against, &self.method) {
            (Some(_), _) => Kind::Evolution,
            (None, Some(_)) => Kind::Behavioural,
            (None, None) if self.scope.is_some() => Kind::Structural,
            (None, None) => Kind::Scatter,
        };
        let kind = self.kind.unwrap_or(usual);
        let calls = matches!(kind, Kind::Behavioural | Kind::Evolution);
        let wrong = if (kind == Kind::Evolution) != self.against.is_some() {
            "an evolution picture, and no other, takes --against OTHER"
        } else if self.method.is_some() && !calls {
            "only a behavioural or evolution picture begins with a --method"
        } else if self.scope.is_some() && kind != Kind::Structural {
            "only a structural picture has a --scope"
        } else if self.exclusive && calls {
            "only a scatter or structural picture takes --exclusive"
        } else if kind == Kind::Evolution && self.files.len() > 1 {
            "an evolution picture compares one profile with one"
        } else {
            return Ok(kind);
        };
        Err(Error::new(wrong))
    }

    fn name(&self) -> String {
        self.files.iter().map(|file| file_name(file)).collect::<Vec<_>>().join(", ")
    }
}

/// The name of a file without its folder.
fn file_name(file: &Path) -> String {
    let name = file.file_name().unwrap_or(file.as_os_str());
    printable(&name.to_string_lossy()).into_owned()
}

/// Runs the command.
///
/// # Errors
/// If a profile cannot be read, has nothing to draw, or the picture cannot be written.
pub fn run(args: &Args, out: &mut impl Write) -> Result<()> {
    let kind = args.kind()?;
    if args.svg != Path::new("-") {
        check(&args.svg, Content::Other, args.files.iter().chain(&args.against))?;
    }
    let picture = match &args.against {
        Some(before) => evolution(args, before)?,
        None => of_one(args, kind)?,
    };
    if args.svg == Path::new("-") {
        out.write_all(picture.svg.as_bytes())?;
        return Ok(());
    }
    write_file(&args.svg, |file| Ok(file.write_all(picture.svg.as_bytes())?))?;
    let size = picture.svg.len() as f64 / 1e3;
    writeln!(out, "{}, {size:.1} kB: {}", shown(&args.svg), picture.summary)?;
    Ok(())
}

fn of_one(args: &Args, kind: Kind) -> Result<Picture> {
    let tree = args.choice.tree(&args.files, false)?;
    let methods = Methods::new(&tree);
    let name = args.name();
    if methods.names.is_empty() {
        return Err(Error::new(format!("{name} has no calls to draw")));
    }
    let width = f64::from(args.width);
    Ok(match kind {
        Kind::Scatter => picture::scatter(&methods, &name, args.exclusive, width),
        Kind::Structural => {
            let scope = args.scope.as_deref().unwrap_or_default();
            let is_in_scope = |class: &str| scope.is_empty() || package(class) == scope;
            if !methods.names.iter().any(|method| is_in_scope(&method.class)) {
                return Err(Error::new(no_package(&methods, scope)));
            }
            picture::structural(&methods, &name, scope, args.exclusive, width)
        }
        Kind::Behavioural | Kind::Evolution => {
            let start = match &args.method {
                Some(method) => methods.place(find_method(&tree, method)?).unwrap_or(0),
                None => 0,
            };
            picture::behavioural(&methods, &name, start, width)
        }
    })
}

/// Which packages there are instead.
fn no_package(methods: &Methods, scope: &str) -> String {
    let mut known: Vec<String> = Vec::new();
    for method in &methods.names {
        let package = package(&method.class);
        if known.len() < 5 && !known.contains(&package) {
            known.push(package);
        }
    }
    let known: Vec<_> = known.iter().map(|name| printable(name)).collect();
    format!("no method of package '{scope}' was executed (there are: {}, ...)", known.join(", "))
}

fn evolution(args: &Args, before: &PathBuf) -> Result<Picture> {
    let profiles = Profiles::load(std::slice::from_ref(before), &args.files, &args.choice)?;
    let [base, new] = [profiles.base.tree(), profiles.new.tree()];
    let changes = code_changes(profiles.codes(), &profiles.signatures, &base.methods);
    let evolution = Evolution::new(base, new, &changes);
    let names = [file_name(before), args.name()];
    if evolution.after.names.is_empty() && evolution.before.names.is_empty() {
        return Err(Error::new(format!("{} and {} have no calls to draw", names[0], names[1])));
    }
    let start = match &args.method {
        Some(method) => {
            // What is gone is found in the profile before.
            let number = find_method(new, method)
                .or_else(|error| find_method(base, method).map_err(|_| error))?;
            evolution.place(number).unwrap_or(0)
        }
        None => 0,
    };
    let width = f64::from(args.width);
    Ok(picture::evolution(&evolution, [&names[0], &names[1]], start, width))
}
