//! The tools: which commands they stand for, and which options of these an assistant may give.

/// What a tool does besides answering.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// Nothing: it reads files.
    Reads,
    /// It runs a program or records a JVM, and writes files.
    Records,
    /// It writes a file.
    Writes,
}

/// A tool.
#[derive(Debug)]
pub struct Definition {
    pub name: &'static str,
    pub title: &'static str,
    pub about: &'static str,
    pub effect: Effect,
    /// The argument that names one of the choices; empty where there is one only.
    pub key: &'static str,
    pub choices: &'static [Choice],
}

/// A command that a tool stands for.
#[derive(Debug)]
pub struct Choice {
    /// What the argument is, to choose this.
    pub value: &'static str,
    /// The command; `fleet-list` is the command `list` of `fleet`.
    pub command: &'static str,
    /// What it answers, for the tool's description.
    pub about: &'static str,
    /// The arguments that may be given. What a command or an option does besides answering,
    /// such as to read standard input, is nothing that an assistant is asked to judge.
    pub allowed: &'static str,
    /// Arguments that must be given, beside those that the command itself requires.
    pub needs: &'static str,
    /// An option that is always given.
    pub always: Option<&'static str>,
}

/// A choice that reads profiles, without further needs.
const fn reads(
    value: &'static str,
    command: &'static str,
    about: &'static str,
    allowed: &'static str,
) -> Choice {
    Choice { value, command, about, allowed, needs: "", always: None }
}

/// A choice with arguments that must be given.
const fn needing(choice: Choice, needs: &'static str) -> Choice {
    Choice { needs, ..choice }
}

/// All tools.
pub const TOOLS: [Definition; 8] = [
    Definition {
        name: "ask",
        title: "Ask a question about profiles",
        about: "Answer a question about recordings of Java programs.",
        effect: Effect::Reads,
        key: "question",
        choices: &[
            reads(
                "summary",
                "summary",
                "where the cost lands; begin here",
                "class files metric own thread top under without with_start",
            ),
            reads(
                "methods",
                "methods",
                "methods worth changing, by the cost they set off",
                "all callers class files metric own sort thread top under without without_start",
            ),
            reads(
                "info",
                "info",
                "what was recorded, and what is missing",
                "class files own skipped top",
            ),
            reads(
                "tree",
                "tree",
                "calls from the top down",
                "class depth files metric min_percent own thread top under without without_start",
            ),
            Choice {
                always: Some("--auto"),
                ..reads(
                    "search",
                    "search",
                    "costly sequences of calls, also against other files",
                    "against files metric own thread top under without with_start",
                )
            },
            reads(
                "copies",
                "copies",
                "methods that copy most",
                "class files own sort top with_start",
            ),
            reads("chains", "chains", "values carried from place to place", "class files own top"),
            reads("clones", "clones", "structures filled from others", "class files own top"),
            reads(
                "temporaries",
                "temporaries",
                "objects that live for a few calls",
                "class files own sort top with_start",
            ),
            reads("useless", "useless", "values copied and never used", "class files own top"),
            reads("costs", "costs", "structures that cost more than they bring", "class files top"),
            reads("dead", "dead", "work whose results nobody needs", "class files own top"),
            reads("nulls", "nulls", "origins of nulls", "class files top"),
            reads(
                "loops",
                "loops",
                "loops that read the same again",
                "all baseline class files own top",
            ),
            reads("growth", "growth", "loops that grow quadratically", "all class files top"),
            reads(
                "typestate",
                "typestate",
                "objects misused or never closed",
                "all class files top",
            ),
            reads(
                "repeats",
                "repeats",
                "results that a cache could keep",
                "class files min_percent own top with_start",
            ),
        ],
    },
    Definition {
        name: "open",
        title: "Open a place",
        about: "Show what is behind a method, or a line.",
        effect: Effect::Reads,
        key: "show",
        choices: &[
            needing(
                reads(
                    "inside",
                    "methods",
                    "what a method's cost is made of",
                    "class files method metric own thread top under without without_start",
                ),
                "method",
            ),
            reads(
                "callers",
                "callers",
                "who calls it",
                "call_sites class depth files method metric min_percent own thread top under without without_start",
            ),
            reads(
                "graph",
                "graph",
                "copies around the objects made at a line (mode copies)",
                "edges files hops line",
            ),
            reads(
                "cost-of",
                "cost-of",
                "what the values of a line cost (mode costs)",
                "files hops line",
            ),
        ],
    },
    Definition {
        name: "lines",
        title: "Source lines",
        about: "Source lines that execute most, or all lines of a method, of recordings with lines.",
        effect: Effect::Reads,
        key: "",
        choices: &[Choice {
            // What lies beside the classes is not below the root.
            always: Some("--given-sources"),
            ..reads("", "lines", "", "class files method sources top")
        }],
    },
    Definition {
        name: "compare",
        title: "Compare profiles",
        about: "Explain what a change did.",
        effect: Effect::Reads,
        key: "how",
        choices: &[
            needing(
                reads(
                    "difference",
                    "diff",
                    "two versions, by changed methods, exactly",
                    "after before class contexts exclusive metric own thread top under without",
                ),
                "after",
            ),
            reads(
                "history",
                "history",
                "files are versions, oldest first",
                "class files metric own thread top under without",
            ),
        ],
    },
    Definition {
        name: "findings",
        title: "Findings of a diagnosis",
        about: "Wasted work in a program, and what a change would save, from a folder of recordings \
                that a diagnosis made; with against, what became of earlier findings.",
        effect: Effect::Reads,
        key: "",
        choices: &[needing(
            reads("", "diagnose", "", "against baseline class folder own top"),
            "folder",
        )],
    },
    Definition {
        name: "fleet",
        title: "Ask about many runs",
        about: "Answer for a fleet, a folder with profiles of many runs and versions.",
        effect: Effect::Reads,
        key: "question",
        choices: &[
            reads("list", "fleet-list", "its runs", "fleet where"),
            reads(
                "methods",
                "fleet-methods",
                "methods worth changing",
                "all class fleet own top where",
            ),
            reads(
                "diff",
                "fleet-diff",
                "what explains a difference",
                "class contexts exclusive fleet from metric own to top where",
            ),
            reads(
                "gate",
                "fleet-gate",
                "what costs more beyond chance",
                "class fleet from metric own to top where",
            ),
            reads(
                "outliers",
                "fleet-outliers",
                "labels that set runs apart",
                "class fleet metric own top where",
            ),
        ],
    },
    Definition {
        name: "record",
        title: "Record a program",
        about: "Run a program, or record a running JVM, and answer from it.",
        effect: Effect::Records,
        key: "how",
        choices: &[
            reads("run", "run", "one run in one mode", "command lines mode output time top"),
            needing(
                reads("attach", "attach", "a running JVM, calls only", "for output process time"),
                "for",
            ),
            reads(
                "diagnose",
                "diagnose",
                "runs in most modes, one after the other, then findings",
                "benchmark command continue folder for once output test top within",
            ),
        ],
    },
    Definition {
        name: "convert",
        title: "Convert profiles",
        about: "Write profiles in another form.",
        effect: Effect::Writes,
        key: "how",
        choices: &[
            needing(
                reads("export", "export", "for another tool", "class files format metric output"),
                "output",
            ),
            reads("import", "import", "from another profiler", "files from output"),
            reads("merge", "merge", "several as one", "files output"),
            Choice {
                always: Some("--given-sources"),
                ..needing(
                    reads("report", "report", "a page", "files metric output own sources"),
                    "output",
                )
            },
        ],
    },
];

/// What an argument means, for all tools that have it.
pub const ARGUMENTS: [(&str, &str); 46] = [
    ("after", "Profiles after the change"),
    ("against", "Earlier files or folder to compare with"),
    ("all", "List all, not only the worst"),
    ("baseline", "File of known entries to leave out"),
    ("before", "Profiles before the change"),
    ("benchmark", "Name of a JMH benchmark that the command starts"),
    ("call_sites", "List callers by line"),
    ("callers", "Add who calls each"),
    ("class", "Only these classes: org.example.*"),
    ("command", "The program and its arguments, a word each"),
    ("contexts", "Name contexts, too"),
    ("continue", "Record what the folder lacks"),
    ("depth", "Greatest depth, in calls"),
    ("edges", "Most copies to show"),
    ("exclusive", "By the methods' own cost"),
    ("files", "Profiles; several are merged"),
    ("fleet", "Folder of the fleet"),
    ("folder", "Folder of recordings"),
    ("for", "How long, such as 30s"),
    ("format", "Format to write"),
    ("from", "Runs before (KEY=VALUE); the format, for import"),
    ("hops", "Most steps from the place"),
    ("line", "CLASS:LINE, such as java.util.HashMap:677"),
    ("lines", "Count source lines, too"),
    ("method", "Class.method, with (types) if overloaded"),
    ("metric", "bytecodes, calls, allocations, bytes, time, exceptions or moved"),
    ("min_percent", "Leave out smaller shares"),
    ("mode", "What to record"),
    ("once", "Run the program once only"),
    ("output", "File or folder to write"),
    ("own", "The user's own code: demo.*"),
    ("process", "Process id of the JVM"),
    ("skipped", "Name what was not instrumented"),
    ("sort", "Column to sort by"),
    ("sources", "Folders or archives of source files"),
    ("test", "Test class, or CLASS#METHOD, of the project here"),
    ("thread", "Only threads that match"),
    ("time", "First sample without the agent"),
    ("to", "Runs after (KEY=VALUE)"),
    ("top", "Show N entries; 0 for all"),
    ("under", "Only below methods that match: *.Parser.next"),
    ("where", "Only runs with KEY=VALUE"),
    ("within", "Time for all runs, such as 2m"),
    ("with_start", "Count what happens once, too"),
    ("without", "Not below such methods, jvm-start or class-loading"),
    ("without_start", "Leave out what happens once"),
];

/// Arguments with another name than the command's option, by command.
pub const RENAMED: [(&str, &str, &str); 4] = [
    ("methods", "inside", "method"),
    ("diff", "files", "before"),
    ("costs", "file", "files"),
    ("dead", "file", "files"),
];

/// Arguments of commands that take files and something else in one list, and what the latter
/// is for a tool.
pub const PAIRS: [(&str, &str, &str); 3] = [
    ("callers", "files_and_method", "method"),
    ("graph", "files_and_place", "line"),
    ("cost-of", "file_and_place", "line"),
];

/// Arguments that name files or folders to read, and those that name what is written.
pub const READ: [&str; 8] =
    ["after", "against", "baseline", "before", "files", "fleet", "folder", "sources"];
/// See [`READ`].
pub const WRITTEN: [&str; 1] = ["output"];
