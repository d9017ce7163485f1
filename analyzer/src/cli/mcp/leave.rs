//! The user's leave to run a program or to write a file.

use std::collections::BTreeMap;

use rmcp::RoleServer;
use rmcp::model::{
    CallToolRequestParams, ClientResult, ElicitRequest, ElicitRequestParams, ElicitResult,
    ElicitationAction, ElicitationSchema, ErrorData, InputRequest, InputRequiredResult,
    ProtocolVersion, ServerRequest,
};
use rmcp::service::RequestContext;

/// The request of ours in a call that is made again with answers.
const LEAVE: &str = "leave";

/// What the user says.
pub enum Leave {
    /// They agree, or their client asks them by itself.
    Given,
    /// They do not.
    Refused,
    /// They have to be asked first; the client then calls again.
    Needed(Box<InputRequiredResult>),
}

/// Asks the user, if their client can ask questions for a server. Other clients ask before
/// each call of a tool that does more than read.
///
/// # Errors
/// If the client does not answer.
pub async fn ask(
    request: &CallToolRequestParams,
    context: &RequestContext<RoleServer>,
    what: &str,
) -> Result<Leave, ErrorData> {
    if let Some(answer) = request.input_responses.as_ref().and_then(|all| all.get(LEAVE)) {
        let answer: Option<ElicitResult> = serde_json::from_value(answer.clone()).ok();
        return Ok(answered(answer));
    }
    let can_ask = context.client_capabilities().is_some_and(|can| can.elicitation.is_some());
    if !can_ask {
        return Ok(Leave::Given);
    }
    let requested_schema = ElicitationSchema::builder()
        .build()
        .map_err(|error| ErrorData::internal_error(error, None))?;
    let message = what.to_owned();
    let question =
        ElicitRequestParams::FormElicitationParams { meta: None, message, requested_schema };
    let question = ElicitRequest::new(question);
    // Newer clients take no requests of servers, but answers that ask for more.
    if context.protocol_version().is_some_and(|version| version >= ProtocolVersion::V_2026_07_28) {
        let questions = BTreeMap::from([(LEAVE.to_owned(), InputRequest::Elicitation(question))]);
        return Ok(Leave::Needed(Box::new(InputRequiredResult::from_input_requests(questions))));
    }
    let answer = context.peer.send_request(ServerRequest::ElicitRequest(question)).await;
    match answer {
        Ok(ClientResult::ElicitResult(answer)) => Ok(answered(Some(answer))),
        Ok(_) => Ok(Leave::Refused),
        Err(error) => Err(ErrorData::internal_error(error.to_string(), None)),
    }
}

fn answered(answer: Option<ElicitResult>) -> Leave {
    match answer.map(|answer| answer.action) {
        Some(ElicitationAction::Accept) => Leave::Given,
        _ => Leave::Refused,
    }
}
