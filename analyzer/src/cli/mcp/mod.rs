//! `subsume mcp`: the answers for assistants, by the Model Context Protocol.

mod tools;

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::{CommandFactory, Parser};
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ErrorData,
    Implementation, JsonObject, ListToolsResult, PaginatedRequestParams, ServerCapabilities,
    ServerConfig, Tool,
};
use rmcp::service::RequestContext;
use rmcp::{RoleServer, ServerHandler, ServiceExt};
use tree::error::{Error, Result};

use super::markdown::Markdown;
use super::slips::one_line;
use super::{Cli, execute, terminal};
use tools::tools;

/// Answer an assistant's questions about profiles, by the Model Context Protocol.
///
/// Speaks the protocol on standard input and output until the input ends. Every
/// command that reads profiles and prints an answer is a tool of the same name,
/// with the same arguments; the answer is Markdown. Profiles are named by their
/// paths, relative to the folder that this command was started in, or to --root.
/// Nothing is written.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  subsume mcp
  subsume mcp --root /srv/profiles
  claude mcp add subsume -- subsume mcp

An entry for clients that are configured by JSON:
  {\"mcpServers\": {\"subsume\": {\"command\": \"subsume\", \"args\": [\"mcp\"]}}}")]
pub struct Args {
    /// Work in this folder, and read no file elsewhere, not by links either.
    #[arg(long, value_name = "DIR")]
    root: Option<PathBuf>,
}

const INSTRUCTIONS: &str = "\
Exact profiles of Java programs: executed bytecodes, calls and allocations in every calling \
context, and how data flows. Profiles are files (*.subsume) that are recorded by \
`subsume run -o NAME.subsume -- java ...`; other modes by `--mode copies`, `costs`, `nulls`, `loops`, `growth`, `results` or `typestate`.
Begin with `summary` for one profile, with `diff` (two files) for a change. `methods` with \
`inside` opens a cost, `callers` says who causes it, `search` finds sequences of calls. `info` \
says what a profile holds and what is missing. Methods are named like org.example.Parser.next, \
if need be with the types of their parameters.";

/// Runs the command.
///
/// # Errors
/// If the protocol is not spoken on the other side.
pub fn run(args: &Args, _: &mut impl Write) -> Result<()> {
    terminal::make_markdown();
    let root = args.root.as_deref().map(enter).transpose()?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| Error::new(format!("cannot wait for requests: {error}")))?;
    let served = runtime.block_on(async {
        let server = Server { tools: tools(&Cli::command()), root };
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

/// The server: it knows nothing but its tools, and where it may read.
struct Server {
    tools: Vec<Tool>,
    root: Option<PathBuf>,
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(Implementation::new("subsume", env!("CARGO_PKG_VERSION")))
            .with_instructions(INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> std::result::Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(self.tools.clone()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _: RequestContext<RoleServer>,
    ) -> std::result::Result<CallToolResponse, ErrorData> {
        let name = request.name.into_owned();
        if !self.tools.iter().any(|tool| *tool.name == *name) {
            return Err(ErrorData::invalid_params(format!("there is no tool '{name}'"), None));
        }
        let arguments = request.arguments.unwrap_or_default();
        // Reading a profile takes a while; the protocol goes on meanwhile.
        let root = self.root.clone();
        let answer = move || answer(&name, &arguments, root.as_deref());
        let answer = tokio::task::spawn_blocking(answer).await;
        let answer = answer.map_err(|e| ErrorData::internal_error(e.to_string(), None))?;
        let result = match answer {
            Ok(text) => CallToolResult::success(vec![ContentBlock::text(text)]),
            Err(error) => CallToolResult::error(vec![ContentBlock::text(error.to_string())]),
        };
        Ok(result.into())
    }
}

/// What the command prints, as Markdown.
fn answer(name: &str, arguments: &JsonObject, root: Option<&Path>) -> Result<String> {
    let words = tools::words(&Cli::command(), name, arguments, root)?;
    let cli = Cli::try_parse_from(words).map_err(|error| Error::new(one_line(&error)))?;
    let mut text = Vec::new();
    let mut document = Markdown::new(&mut text);
    execute(cli.command, &mut document)?;
    document.finish()?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}
