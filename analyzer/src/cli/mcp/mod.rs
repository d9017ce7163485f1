//! `subsume mcp`: the answers for assistants, by the Model Context Protocol.

mod answer;
mod arguments;
mod call;
mod leave;
mod next;
mod record;
#[cfg(test)]
mod tests;
mod tools;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::{Command, CommandFactory};
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ErrorData,
    Implementation, ListToolsResult, PaginatedRequestParams, ServerCapabilities, ServerConfig,
};
use rmcp::service::RequestContext;
use rmcp::{RoleServer, ServerHandler, ServiceExt};
use tree::error::{Error, Result};

use super::Cli;
use super::run::quoted;
use call::Call;
use leave::Leave;
use next::Translator;
use tools::{Definition, Effect, TOOLS};

/// Answer an assistant's questions about profiles, by the Model Context Protocol.
///
/// Speaks the protocol on standard input and output until the input ends. The tools are ask,
/// open, lines, compare, findings and fleet; they run the commands that answer questions, and
/// only read files. With --allow-record there are two more: record runs a program under the
/// agent or records a running JVM, and convert writes files. Clients that can ask their users
/// do so before each such call; other clients see that these tools do more than read. Profiles
/// are named by their paths, relative to the folder that this command was started in, or to
/// --root.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  subsume mcp
  subsume mcp --root /srv/profiles
  subsume mcp --allow-record
  claude mcp add subsume -- subsume mcp

An entry for clients that are configured by JSON:
  {\"mcpServers\": {\"subsume\": {\"command\": \"subsume\", \"args\": [\"mcp\"]}}}")]
pub struct Args {
    /// Work in this folder, and read and write no file elsewhere, also not through links. A
    /// program that is recorded is not confined to the folder.
    #[arg(long, value_name = "DIR")]
    root: Option<PathBuf>,

    /// Also let assistants run programs, record JVMs and write files, if the user agrees.
    #[arg(long)]
    allow_record: bool,
}

const INSTRUCTIONS: &str = "\
Exact profiles of Java programs: executed bytecodes, calls and allocations in every calling \
context, and how data flows. Profiles are files (*.subsume). Begin with ask (question summary) \
for one profile, with findings for a folder of recordings, with compare for a change. open shows \
what a method's cost is made of, or who calls it. Questions about copies, costs, nulls, loops, \
growth, typestate and repeats need recordings in the mode copies, costs, nulls, loops, growth, \
typestate or results. Methods are named like org.example.Parser.next, with the types of their \
parameters if there are several.";

/// What is said of recordings where there is no tool for them.
const BY_HAND: &str = " Profiles are recorded in a shell: subsume run -o NAME.subsume java ..., \
other modes with --mode MODE, all of them with subsume diagnose java ...";

/// Runs the command.
///
/// # Errors
/// If the protocol is not spoken on the other side.
pub fn run(args: &Args, _: &mut impl Write) -> Result<()> {
    let root = args.root.as_deref().map(enter).transpose()?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| Error::new(format!("cannot wait for requests: {error}")))?;
    let served = runtime.block_on(async {
        let server = Server(Arc::new(Served::new(root, args.allow_record)));
        let running = server.serve(rmcp::transport::stdio()).await.map_err(|error| {
            Error::new(format!(
                "no client speaks the Model Context Protocol on standard input: {error}"
            ))
        })?;
        let ended = running.waiting().await;
        ended.map(drop).map_err(|error| Error::new(format!("the server failed: {error}")))
    });
    // An answer that nobody waits for any more is not finished first.
    runtime.shutdown_background();
    served
}

/// Goes into the folder that files are read below; its path without links.
fn enter(root: &Path) -> Result<PathBuf> {
    let failed = |error: std::io::Error| Error::io(root, &error);
    let real = root.canonicalize().map_err(failed)?;
    std::env::set_current_dir(&real).map_err(failed)?;
    Ok(real)
}

/// The server, shared by the calls that it carries out.
struct Server(Arc<Served>);

/// What a server knows: its tools, and where it may read.
struct Served {
    /// The definition of all commands.
    cli: Command,
    tools: Vec<&'static Definition>,
    root: Option<PathBuf>,
}

impl Served {
    fn new(root: Option<PathBuf>, may_record: bool) -> Self {
        let mut cli = Cli::command();
        // Positions of arguments are known afterwards.
        cli.build();
        let tools = TOOLS.iter().filter(|tool| may_record || tool.effect == Effect::Reads);
        Self { cli, tools: tools.collect(), root }
    }

    /// Whether there are tools that do more than read.
    fn may_record(&self) -> bool {
        self.tools.iter().any(|tool| tool.effect != Effect::Reads)
    }

    /// The tool of this name.
    fn tool(&self, name: &str) -> std::result::Result<&'static Definition, ErrorData> {
        if let Some(tool) = self.tools.iter().find(|tool| tool.name == name) {
            return Ok(tool);
        }
        let known: Vec<&str> = self.tools.iter().map(|tool| tool.name).collect();
        let is_not_allowed = TOOLS.iter().any(|tool| tool.name == name);
        let why = if is_not_allowed {
            "; this server was started without --allow-record".to_owned()
        } else {
            format!("; there are {}", known.join(", "))
        };
        Err(ErrorData::invalid_params(format!("there is no tool '{name}'{why}"), None))
    }

    fn translator(&self, call: &Call) -> Translator {
        Translator::new(&self.cli, &self.tools, call.choice, &call.given)
    }
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let more = if self.0.may_record() { "" } else { BY_HAND };
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(Implementation::new("subsume", env!("CARGO_PKG_VERSION")))
            .with_instructions(format!("{INSTRUCTIONS}{more}"))
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> std::result::Result<ListToolsResult, ErrorData> {
        let served = &self.0;
        let tools = served.tools.iter().map(|tool| arguments::tool(&served.cli, tool));
        Ok(ListToolsResult::with_all_items(tools.collect()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> std::result::Result<CallToolResponse, ErrorData> {
        let tool = self.0.tool(&request.name)?;
        let given = request.arguments.clone().unwrap_or_default();
        let served = Arc::clone(&self.0);
        let call = move || Call::new(&served.cli, tool, given, served.root.as_deref());
        let call = match apart(call).await? {
            Ok(call) => call,
            Err(error) => return Ok(failed(&error).into()),
        };
        if tool.effect != Effect::Reads {
            match leave::ask(&request, &context, &question(&call)).await? {
                Leave::Given => {}
                Leave::Refused => {
                    return Ok(failed(&Error::new("the user does not want this")).into());
                }
                Leave::Needed(question) => return Ok((*question).into()),
            }
        }
        let served = Arc::clone(&self.0);
        let cancelled = context.ct.clone();
        // Reading a profile takes a while; the protocol goes on meanwhile.
        let answer = move || match tool.effect {
            Effect::Records => {
                record::record(&call, &served.translator(&call), || cancelled.is_cancelled())
            }
            Effect::Reads | Effect::Writes => answer::answer(&served.cli, &served.tools, &call),
        };
        Ok(apart(answer).await?.unwrap_or_else(|error| failed(&error)).into())
    }
}

/// Does some work in a thread of its own.
async fn apart<R: Send + 'static>(
    work: impl FnOnce() -> R + Send + 'static,
) -> std::result::Result<R, ErrorData> {
    let done = tokio::task::spawn_blocking(work).await;
    done.map_err(|error| ErrorData::internal_error(error.to_string(), None))
}

/// What the user is asked.
fn question(call: &Call) -> String {
    let words: Vec<String> = call.words.iter().map(|word| quoted(word)).collect();
    let folder = std::env::current_dir().unwrap_or_default();
    format!("Run this in {}?\n{}", base::shown(folder), words.join(" "))
}

fn failed(error: &Error) -> CallToolResult {
    CallToolResult::error(vec![ContentBlock::text(error.to_string())])
}
