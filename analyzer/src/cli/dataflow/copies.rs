//! `subsume copies`.

use std::io::Write;
use std::path::PathBuf;

use analysis::dataflow::copies::concentration::{FIRST, concentration};
use analysis::dataflow::copies::methods::{
    KINDS, MethodOperations, Operations, by_method, together,
};
use analysis::dataflow::for_whom::Shares;
use base::number::{counted, grouped, percent};
use report::table::{Kind, Table};
use serde::Serialize;
use tree::Tree;
use tree::error::{Error, Result};
use tree::forest::{MetricChoice, Selection};
use tree::names::pattern::Pattern;
use tree::readable_names::Names;
use tree::start_up::StartUp;
use tree::views::for_whom::{self, ForWhom};

use super::command::DataflowCommand;
use super::for_whom::{JsonPart, Told, parts, put_first};
use super::source::{Files, Profiles};
use super::text::more;
use crate::cli::json::{self, Name, share};
use crate::cli::own::Own;
use crate::cli::source::Output;
use crate::cli::start::{JsonStart, Start, WITH_START, start_up};
use crate::cli::terminal;

/// List the methods that copy most from one heap location to another.
///
/// A copy is a value that was loaded and is stored unmodified; it counts where it is stored.
/// Shares are of all copies. "Of operations" relates a method's copies to all loads, stores,
/// arithmetic and comparisons that it executed; System.arraycopy counts as a load and a store
/// for each element. Cumulative numbers include callees, and count recursion once.
///
/// "For" says on whose behalf a method of the JDK copies: the nearest method above it that is
/// not the JDK's, with its share of the copies; with --own or --sources, the nearest one of
/// your own code. A list at the end sums this up for all copies, each counted once; the
/// program's own methods copy for themselves.
///
/// What happens once is left out, and a line says how much that is; see 'subsume summary'.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  subsume copies fop.subsume
  subsume copies --sort cumulative --top 40 fop.subsume
  subsume copies --match '*.toString;*.append' bloat.subsume
  subsume copies --class 'org.apache.*' --json run1.subsume run2.subsume")]
pub struct Args {
    #[command(flatten)]
    files: Files,

    /// Only methods whose name matches, and their cost together with all that they call.
    /// PATTERN is Class.method or a method's name alone, with * for any characters.
    #[arg(long = "match", value_name = "PATTERN")]
    wanted: Option<String>,

    /// Column to sort by.
    #[arg(long, value_name = "COLUMN", default_value = "copies")]
    sort: Column,

    /// Only threads whose name matches; * stands for any characters, ; separates several.
    #[arg(long, value_name = "PATTERN")]
    thread: Option<String>,

    #[command(flatten)]
    start: Start,

    #[command(flatten)]
    own: Own,

    #[command(flatten)]
    output: Output,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Column {
    Copies,
    Cumulative,
    Operations,
    Bytecodes,
}

const TOP: usize = 20;

impl DataflowCommand for Args {
    fn files(&self) -> Result<Vec<PathBuf>> {
        Ok(self.files.files.clone())
    }

    fn metrics(&self) -> &'static [&'static str] {
        &[KINDS[0], KINDS[1], KINDS[2], KINDS[3], KINDS[4], "bytecodes", "calls"]
    }

    fn answer(&self, profiles: Profiles, out: &mut dyn Write) -> Result<()> {
        for (file, profile) in &profiles {
            if profile.nodes.metric(KINDS[0]).is_none() {
                return Err(Error::new(format!(
                    "{file}: no copies were recorded; record with mode=copies"
                )));
            }
        }
        let thread = self.thread.as_deref().map(Pattern::new);
        let (metric, threads) = (MetricChoice::Every, self.start.is_left_out());
        let own = self.own.code()?;
        let selection = Selection { metric, thread, threads, own, ..Selection::default() };
        let mut tree = Tree::merge(profiles, &selection)?;
        put_first(&mut tree, KINDS[0]);
        let start = self.start.put_aside(&mut tree);
        let answer = Answer::new(&tree, start, self);
        if json::answered(self.output.json, out, |out| json::print(&document(&answer), out))? {
            return Ok(());
        }
        print(&answer, self, out)
    }
}

struct Answer<'a> {
    tree: &'a Tree,
    /// What happens once, unless it counts.
    start: Option<StartUp>,
    methods: Vec<MethodOperations>,
    /// For whom each method copies that works for its callers; nothing for other methods.
    users: Vec<Shares>,
    /// For whom all is copied.
    for_whom: Shares,
    all: Operations,
    bytecodes: u64,
    /// Methods to show.
    rows: Vec<usize>,
    /// Methods that match, and their operations taken together.
    matching: Option<(usize, Operations)>,
    found: usize,
}

impl<'a> Answer<'a> {
    fn new(tree: &'a Tree, start: Option<StartUp>, args: &Args) -> Self {
        let methods = by_method(tree);
        let works = tree.work_for_callers();
        let whom = for_whom::nearest(tree, &works);
        let users = for_whom::by_method(tree, &whom, tree.cost()).into_iter().zip(works);
        let users = users
            .map(|(user, works)| if works { exact(&user) } else { exact(&ForWhom::default()) });
        let users = users.collect();
        let for_whom = exact(&for_whom::together(&whom, tree.cost()));
        let chosen: Option<Vec<bool>> = args.wanted.as_deref().map(|wanted| {
            let wanted = Pattern::new(wanted);
            let matches = tree.methods.iter().zip(&methods).map(|(method, operations)| {
                let named = wanted.matches(&method.qualified()) || wanted.matches(&method.name);
                named && operations.contexts > 0
            });
            matches.collect()
        });
        let class = args.output.class();
        let mut rows: Vec<usize> = (0..methods.len())
            .filter(|&at| methods[at].contexts > 0)
            .filter(|&at| chosen.as_ref().is_none_or(|chosen| chosen[at]))
            .filter(|&at| class.as_ref().is_none_or(|c| c.matches(&tree.methods[at].class)))
            .filter(|&at| methods[at].cumulative.all() + methods[at].cumulative.copies > 0)
            .collect();
        let key = |at: &usize| {
            let operations = &methods[*at];
            let column = match args.sort {
                Column::Copies => operations.own.copies,
                Column::Cumulative => operations.cumulative.copies,
                Column::Operations => operations.own.all(),
                Column::Bytecodes => operations.bytecodes,
            };
            std::cmp::Reverse((column, operations.own.copies, operations.cumulative.copies))
        };
        rows.sort_by_key(key);
        let found = rows.len();
        rows.truncate(args.output.entries(TOP));
        let all = together(tree, &vec![true; methods.len()]);
        let matching = chosen.map(|chosen| {
            (chosen.iter().filter(|&&chosen| chosen).count(), together(tree, &chosen))
        });
        let bytecodes = methods.iter().map(|method| method.bytecodes).sum();
        Self { tree, start, methods, users, for_whom, all, bytecodes, rows, matching, found }
    }

    /// Copies, bytecodes of the 1, 5 and 10 first methods by each.
    fn concentration(&self) -> ([u64; FIRST.len()], [u64; FIRST.len()]) {
        let copies = concentration(self.methods.iter().map(|method| method.own.copies));
        (copies, concentration(self.methods.iter().map(|method| method.bytecodes)))
    }
}

/// Shares that contexts tell.
fn exact(user: &ForWhom) -> Shares {
    Shares { parts: user.shares().collect(), is_estimate: false }
}

fn print(answer: &Answer<'_>, args: &Args, out: &mut dyn Write) -> Result<()> {
    let all = &answer.all;
    let operations = all.all();
    writeln!(
        out,
        "{} among {} ({})",
        counted(all.copies, "copy").replace("copys", "copies"),
        counted(operations, "operation"),
        percent(all.copies, operations),
    )?;
    let kinds = [
        ("loads", all.loads),
        ("stores", all.stores),
        ("arithmetic", all.alu),
        ("comparisons", all.comparisons),
    ]
    .map(|(kind, count)| format!("{kind} {} ({})", grouped(count), percent(count, operations)));
    writeln!(out, "  {}", kinds.join(", "))?;
    let (copies, bytecodes) = answer.concentration();
    let mut shares = FIRST.iter().zip(copies.iter().zip(&bytecodes)).map(|(first, (c, b))| {
        let bytecodes = match answer.bytecodes {
            0 => String::new(),
            all_bytecodes => format!(", {} of bytecodes", percent(*b, all_bytecodes)),
        };
        format!("top {first}: {} of copies{bytecodes}", percent(*c, all.copies))
    });
    writeln!(out, "  methods, {}", shares.by_ref().collect::<Vec<_>>().join("; "))?;
    if let (Some((methods, together)), Some(wanted)) = (&answer.matching, &args.wanted) {
        writeln!(
            out,
            "  matching '{wanted}': {}; in them and all that they call {} copies ({} of all)",
            counted(*methods as u64, "method"),
            grouped(together.copies),
            percent(together.copies, all.copies),
        )?;
    }
    let line = |start| start_up(start, answer.tree.metric(), WITH_START);
    if let Some(line) = answer.start.as_ref().and_then(line) {
        writeln!(out, "{line}")?;
    }
    writeln!(out)?;
    let names = Names::new(answer.tree);
    let users: Vec<String> = answer
        .rows
        .iter()
        .map(|&row| Told::new(answer.tree, &names, &answer.users[row]).cell())
        .collect();
    // Programs need not use the JDK.
    let tells_users = users.iter().any(|user| user != "-");
    let mut columns = vec![
        ("Copies", Kind::Number(0)),
        ("Share", Kind::Number(1)),
        ("Of operations", Kind::Number(3)),
        ("Cumulative", Kind::Number(1)),
        ("Share", Kind::Number(2)),
        ("Operations", Kind::Number(4)),
        ("Bytecodes", Kind::Number(5)),
        ("Method", Kind::Text(0)),
    ];
    columns.extend(tells_users.then_some(("For", Kind::Text(1))));
    let mut table = Table::new(&columns);
    for (&row, user) in answer.rows.iter().zip(users) {
        let method = &answer.methods[row];
        let mut cells = vec![
            grouped(method.own.copies),
            percent(method.own.copies, all.copies),
            percent(method.own.copies, method.own.all()),
            grouped(method.cumulative.copies),
            percent(method.cumulative.copies, all.copies),
            grouped(method.own.all()),
            if answer.bytecodes > 0 { grouped(method.bytecodes) } else { "-".to_owned() },
            names.of(Some(row as u32)).to_owned(),
        ];
        cells.extend(tells_users.then_some(user));
        table.row(cells);
    }
    match args.output.hint("method").filter(|_| answer.rows.is_empty()) {
        Some(hint) => writeln!(out, "{hint}")?,
        None => {
            terminal::write_table(&table, out)?;
        }
    }
    more(answer.found - answer.rows.len(), out)?;
    // The list is of all copies, whatever the rows are of.
    if tells_users && args.wanted.is_none() && args.output.class().is_none() {
        Told::new(answer.tree, &names, &answer.for_whom).write_list("copies", out)?;
    }
    writeln!(out)?;
    writeln!(out, "Next: 'subsume chains' shows along which fields and arrays values are copied.")?;
    Ok(())
}

#[derive(Serialize)]
struct Document<'a> {
    operations: JsonOperations,
    bytecodes: u64,
    /// Shares of the 1, 5 and 10 first methods.
    concentration: Concentration,
    /// With `--match`: the methods that match, taken together.
    #[serde(skip_serializing_if = "Option::is_none")]
    matching: Option<Matching>,
    methods: Vec<JsonMethod<'a>>,
    /// For whom all is copied.
    for_whom: Vec<JsonPart<'a>>,
    /// What happens once; null if it was to count.
    start_up: Option<JsonStart>,
}

#[derive(Serialize)]
struct Concentration {
    methods: [usize; FIRST.len()],
    copies: [f64; FIRST.len()],
    bytecodes: [f64; FIRST.len()],
}

#[derive(Serialize)]
struct Matching {
    methods: usize,
    operations: JsonOperations,
}

#[derive(Serialize)]
struct JsonOperations {
    copies: u64,
    loads: u64,
    stores: u64,
    alu: u64,
    comparisons: u64,
}

impl JsonOperations {
    fn new(operations: &Operations) -> Self {
        let &Operations { copies, loads, stores, alu, comparisons } = operations;
        Self { copies, loads, stores, alu, comparisons }
    }
}

#[derive(Serialize)]
struct JsonMethod<'a> {
    #[serde(flatten)]
    name: Name<'a>,
    own: JsonOperations,
    cumulative: JsonOperations,
    bytecodes: u64,
    contexts: u64,
    /// For whom, if it is a method of the JDK, by its own copies.
    #[serde(rename = "for")]
    users: Vec<JsonPart<'a>>,
}

fn document<'a>(answer: &Answer<'a>) -> Document<'a> {
    let (copies, bytecodes) = answer.concentration();
    let methods = answer.rows.iter().map(|&row| JsonMethod {
        name: Name::of(answer.tree, Some(row as u32)),
        own: JsonOperations::new(&answer.methods[row].own),
        cumulative: JsonOperations::new(&answer.methods[row].cumulative),
        bytecodes: answer.methods[row].bytecodes,
        contexts: answer.methods[row].contexts,
        users: parts(answer.tree, &answer.users[row]),
    });
    Document {
        operations: JsonOperations::new(&answer.all),
        bytecodes: answer.bytecodes,
        concentration: Concentration {
            methods: FIRST,
            copies: copies.map(|part| share(part, answer.all.copies)),
            bytecodes: bytecodes.map(|part| share(part, answer.bytecodes)),
        },
        matching: answer.matching.as_ref().map(|(methods, together)| Matching {
            methods: *methods,
            operations: JsonOperations::new(together),
        }),
        methods: methods.collect(),
        for_whom: parts(answer.tree, &answer.for_whom),
        start_up: answer.start.as_ref().map(JsonStart::new),
    }
}
