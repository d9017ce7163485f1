//! The answer to a call: Markdown for people, and the same in JSON.

use std::sync::{Mutex, PoisonError};

use clap::{Command, Parser};
use rmcp::model::{CallToolResult, ContentBlock};
use serde_json::{Map, Value, json};
use tree::error::{Error, Result};

use super::call::Call;
use super::next::{Calls, Translator};
use super::tools::{Definition, Effect};
use crate::cli::markdown::Markdown;
use crate::cli::slips::one_line;
use crate::cli::{Cli, execute, json, terminal};

/// Most bytes of JSON: what is more would fill an assistant's memory.
const MOST_BYTES: usize = 24_000;

/// One answer at a time is made: whether answers are Markdown holds for the whole process.
static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// What the command of a call answers.
///
/// # Errors
/// If it fails.
pub fn answer(cli: &Command, tools: &[&'static Definition], call: &Call) -> Result<CallToolResult> {
    let _one = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let translator = Translator::new(cli, tools, call.choice, &call.given);
    terminal::set_markdown(true);
    let mut out = Calls::new(Markdown::new(Vec::new()), &translator);
    let mut run = || run(&call.words, &mut out);
    let answered = match call.definition.effect {
        Effect::Reads => json::with_json(&mut run).map(Some),
        Effect::Records | Effect::Writes => run().map(|()| None),
    };
    let answered = answered.map_err(|error| told(&translator, &error))?;
    let (document, next) = out.finish()?;
    let mut text = String::from_utf8_lossy(&document.finish()?).into_owned();
    if let Some(output) = call.given.get("output").and_then(Value::as_str)
        && text.is_empty()
    {
        text = format!("Written to {output}\n");
    }
    let mut structured = match answered {
        Some(mut answer) => {
            translator.json(&mut answer);
            shortened(answer)
        }
        None => json!({ "output": call.given.get("output") }),
    };
    structured["next"] = next.into();
    let mut result = CallToolResult::success(vec![ContentBlock::text(text)]);
    result.structured_content = Some(structured);
    Ok(result)
}

/// An error in the words of tools.
fn told(translator: &Translator, error: &Error) -> Error {
    let text = error.to_string();
    Error::new(translator.line(&text, &mut Vec::new()).unwrap_or(text))
}

fn run(words: &[String], out: &mut impl std::io::Write) -> Result<()> {
    let cli = Cli::try_parse_from(words).map_err(|error| Error::new(one_line(&error)))?;
    execute(cli.command, out)?;
    Ok(())
}

/// The answer with shorter lists, if it is too long; `cut` says how long they were.
fn shortened(mut answer: Value) -> Value {
    let mut cut = Map::new();
    while answer.to_string().len() > MOST_BYTES {
        let Some(fields) = answer.as_object_mut() else { break };
        let longest = fields
            .iter_mut()
            .filter_map(|(key, value)| Some((key, value.as_array_mut()?)))
            .filter(|(_, list)| !list.is_empty())
            .max_by_key(|(_, list)| list.iter().map(|one| one.to_string().len()).sum::<usize>());
        let Some((key, list)) = longest else { break };
        cut.entry(key.clone()).or_insert_with(|| list.len().into());
        list.truncate(list.len() / 2);
    }
    if !cut.is_empty() {
        answer["cut"] = cut.into();
    }
    answer
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lists_are_cut_and_counted() {
        let list: Vec<String> = (0..10_000).map(|number| format!("entry {number}")).collect();
        let answer = shortened(json!({"version": 1, "methods": list, "others": ["a", "b"]}));
        assert!(answer.to_string().len() <= MOST_BYTES + 100);
        assert_eq!(answer["methods"][0], "entry 0");
        assert_eq!(answer["cut"], json!({"methods": 10_000}));
        assert_eq!(answer["others"], json!(["a", "b"]));
        assert_eq!(shortened(json!({"a": [1]})), json!({"a": [1]}));
    }
}
