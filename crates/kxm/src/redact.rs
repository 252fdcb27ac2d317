//! From a local record to one that is safe to sync.
//!
//! Invariant: the output always validates, says what was omitted and how many values were replaced, and
//! redacting it again changes nothing. Secrets are replaced before a text is cut, so none can hide across the
//! cut.

use std::borrow::Cow;
use std::fmt;

use crate::check::check;
use crate::decode::{Invalid, Kind, kind_of};
use crate::fault::Fault;
use crate::json::Json;
use crate::local::LocalEvent;
use crate::record::Typed;
use crate::rule::{Object, Rule};
use crate::secret::{PATH, REDACTED, Reach, clean};
use crate::sync::{SYNC_SCHEMA, SyncEvent};

/// What redaction needs to know besides the record.
#[derive(Debug, Clone)]
pub struct Policy {
    /// `redaction.version`, an identifier.
    pub version: String,
    /// `syncPolicyRevision`, `sha256:` and 64 hexadecimal digits.
    pub sync_policy_revision: String,
}

/// Why a record could not be made safe.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refused {
    /// The record itself is not valid.
    Invalid(Invalid),
    /// The result would not be: a fault of the policy's values.
    Policy(Vec<Fault>),
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Invalid(invalid) => write!(f, "not a valid record: {invalid}"),
            Self::Policy(faults) => {
                write!(f, "the redaction policy gives no valid record: ")?;
                faults.first().map_or(Ok(()), |fault| fault.fmt(f))
            }
        }
    }
}

impl std::error::Error for Refused {}

/// Makes a sync-safe record of a local one; a sync-safe one is cleaned again.
///
/// # Errors
/// [`Refused`] where the record breaks its schema, or the policy's own values do.
pub fn redact(record: &str, policy: &Policy) -> Result<String, Refused> {
    let refuse = |faults| Refused::Invalid(Invalid { faults });
    let json = Json::parse(record).map_err(|error| {
        let rule = "must be one JSON document".to_owned();
        refuse(vec![Fault { pointer: String::new(), rule, seen: error.to_string() }])
    })?;
    let kind = kind_of(&json).unwrap_or(Kind::Sync);
    let rule = if kind == Kind::Local { &LocalEvent::RULE } else { &SyncEvent::RULE };
    let faults = check(rule, &json);
    if !faults.is_empty() {
        return Err(refuse(faults));
    }
    let safe = Redactor::default().record(json, kind, policy);
    let faults = check(&SyncEvent::RULE, &safe);
    if !faults.is_empty() {
        return Err(Refused::Policy(faults));
    }
    let mut out = String::with_capacity(record.len());
    safe.write(&mut out);
    Ok(out)
}

type Members<'a> = Vec<(Cow<'a, str>, Json<'a>)>;

#[derive(Default)]
struct Redactor {
    omitted: Vec<String>,
    replaced: u64,
}

impl Redactor {
    fn record<'a>(mut self, json: Json<'a>, kind: Kind, policy: &Policy) -> Json<'a> {
        let Json::Object(members) = json else { return json };
        let Rule::Object(shape) = &SyncEvent::RULE else { return Json::Object(members) };
        let mut out: Members<'a> = vec![("schema".into(), Json::Text(SYNC_SCHEMA.into()))];
        let mut before = None;
        for (name, value) in members {
            match name.as_ref() {
                "schema" => {}
                "redaction" => before = Some(value),
                "eventId" => {
                    out.push(("sourceEventId".into(), self.value(&id_rule(shape), value, "sourceEventId")))
                }
                "payload" => {
                    let payload = self.payload(value);
                    out.push((name, payload));
                }
                _ => self.member(shape, name, value, "", &mut out),
            }
        }
        if kind == Kind::Local {
            let revision = Json::Text(policy.sync_policy_revision.clone().into());
            out.push(("syncPolicyRevision".into(), revision));
        }
        out.push(("redaction".into(), self.redaction(before.as_ref(), policy)));
        Json::Object(out)
    }

    /// What was done, added to what had been done before.
    fn redaction<'a>(&self, before: Option<&Json<'_>>, policy: &Policy) -> Json<'a> {
        let mut omitted: Vec<String> = match before.and_then(|before| before.get("fieldsOmitted")) {
            Some(Json::Array(names)) => {
                names.iter().filter_map(Json::as_str).map(|name| clean(name).text.into_owned()).collect()
            }
            _ => Vec::new(),
        };
        for name in &self.omitted {
            if !omitted.contains(name) && omitted.len() < 128 {
                omitted.push(name.clone());
            }
        }
        omitted.iter_mut().for_each(|name| *name = cut(name, 128));
        let earlier =
            before.and_then(|before| before.get("valuesReplaced")).and_then(Json::as_f64).unwrap_or(0.0);
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "at most 100,000 by its rule"
        )]
        let replaced = (i128::from(earlier as u64) + i128::from(self.replaced)).min(100_000);
        let version =
            before.and_then(|before| before.get("version")).and_then(Json::as_str).unwrap_or(&policy.version);
        Json::Object(vec![
            ("version".into(), Json::Text(version.to_owned().into())),
            (
                "fieldsOmitted".into(),
                Json::Array(omitted.into_iter().map(|name| Json::Text(name.into())).collect()),
            ),
            ("valuesReplaced".into(), Json::Int(replaced)),
        ])
    }

    fn payload<'a>(&mut self, payload: Json<'a>) -> Json<'a> {
        let Json::Object(members) = payload else { return payload };
        let Rule::Object(shape) = &crate::sync::SyncPayload::RULE else { return Json::Object(members) };
        let mut out = Vec::new();
        for (name, value) in members {
            match (name.as_ref(), value) {
                ("receipt", receipt) => {
                    let list = Json::Array(vec![receipt]);
                    self.member(shape, "receipts".into(), list, "payload.", &mut out);
                }
                ("reason", Json::Text(text)) if text.is_empty() => {
                    out.push((name, Json::Text("not given".into())))
                }
                ("summary", Json::Text(text)) if text.is_empty() => self.omit("payload.summary"),
                (_, value) => self.member(shape, name, value, "payload.", &mut out),
            }
        }
        if out.is_empty() {
            let omitted = self.omitted.iter().filter(|name| name.starts_with("payload.")).count() as i128;
            let counts = Json::Object(vec![("fields_omitted".into(), Json::Int(omitted))]);
            out.push(("counts".into(), counts));
        }
        Json::Object(out)
    }

    fn omit(&mut self, name: &str) {
        let name = cut(&clean(name).text, 128);
        if !self.omitted.contains(&name) {
            self.omitted.push(name);
        }
    }

    fn member<'a>(
        &mut self,
        shape: &Object,
        name: Cow<'a, str>,
        value: Json<'a>,
        at: &str,
        out: &mut Members<'a>,
    ) {
        match shape.member(&name) {
            Some(member) => {
                let place = format!("{at}{name}");
                let value = self.value(member.rule, value, &place);
                out.push((name, value));
            }
            None => self.omit(&format!("{at}{name}")),
        }
    }

    fn value<'a>(&mut self, rule: &Rule, value: Json<'a>, at: &str) -> Json<'a> {
        match (rule, value) {
            (Rule::Text { max, pattern, .. }, Json::Text(text)) => self.text(text, *max, pattern.is_some()),
            (Rule::Array { items, .. }, Json::Array(list)) => {
                Json::Array(list.into_iter().map(|item| self.value(items, item, at)).collect())
            }
            (Rule::Object(shape), Json::Object(members)) if shape.name == "fileChanges" => {
                self.files(members)
            }
            (Rule::Object(shape), Json::Object(members)) => {
                let mut out = Vec::new();
                let at = format!("{at}.");
                members.into_iter().for_each(|(name, value)| self.member(shape, name, value, &at, &mut out));
                Json::Object(out)
            }
            (Rule::Map { .. }, Json::Object(members)) => self.counts(members),
            (_, value) => value,
        }
    }

    fn text<'a>(&mut self, text: Cow<'a, str>, max: usize, shaped: bool) -> Json<'a> {
        if shaped {
            return match shaped_stand_in(&text) {
                Some(other) => {
                    self.replaced += 1;
                    Json::Text(other.into())
                }
                None => Json::Text(text),
            };
        }
        let cleaned = clean(&text);
        if cleaned.replaced == 0 && text.len() <= max {
            return Json::Text(text);
        }
        self.replaced += cleaned.replaced;
        Json::Text(cut(&cleaned.text, max).into())
    }

    /// Names of counts that look like a secret go, their counts with them.
    fn counts<'a>(&mut self, members: Members<'a>) -> Json<'a> {
        let (kept, gone): (Members<'a>, Members<'a>) =
            members.into_iter().partition(|(name, _)| !is_secret(name));
        self.replaced += gone.len() as u64;
        Json::Object(kept)
    }

    /// Paths that look like a secret are counted, never written.
    fn files<'a>(&mut self, members: Members<'a>) -> Json<'a> {
        let mut gone = 0_i128;
        let mut counted = 0_i128;
        let mut out: Members<'a> = Vec::new();
        for (name, value) in members {
            match (name.as_ref(), value) {
                ("redactedPathCount", value) => {
                    if let Some(before) = crate::common::Count::read(&value) {
                        counted = i128::from(before.0);
                    }
                }
                ("repositoryId", Json::Text(text)) => out.push((name, self.text(text, 64, true))),
                (_, Json::Array(paths)) => {
                    let before = paths.len();
                    let kept: Vec<_> =
                        paths.into_iter().filter(|path| path.as_str().is_none_or(safe_path)).collect();
                    gone += (before - kept.len()) as i128;
                    out.push((name, Json::Array(kept)));
                }
                (_, value) => out.push((name, value)),
            }
        }
        if gone + counted > 0 {
            out.push(("redactedPathCount".into(), Json::Int(gone + counted)));
        }
        Json::Object(out)
    }
}

fn is_secret(value: &str) -> bool {
    crate::secret::is_secret(value, Reach::Everything)
}

fn safe_path(path: &str) -> bool {
    clean(path).replaced == 0 && !path.split('/').any(is_secret)
}

fn id_rule(shape: &Object) -> Rule {
    let Some(Rule::Text { min, max, pattern }) = shape.member("sourceEventId").map(|member| member.rule)
    else {
        return Rule::Any;
    };
    Rule::Text { min: *min, max: *max, pattern: *pattern }
}

/// What stands for an id that is itself a secret: the same for the same id, so that references still meet.
#[must_use]
pub fn stand_in(secret: &str) -> String {
    format!("red_{:016x}", fingerprint(secret))
}

/// The stand-in of a text with a shape, where it is a secret.
fn shaped_stand_in(text: &str) -> Option<String> {
    if !is_secret(text) || text.starts_with("sha256:") {
        return None;
    }
    let opaque = (crate::pattern::OPAQUE_ID.accepts)(text);
    Some(if opaque { stand_in(text) } else { "redacted".to_owned() })
}

/// FNV-1a: it need not resist attack, since what it hides has more than 64 bits of its own.
fn fingerprint(text: &str) -> u64 {
    text.bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// At most `max` code points; a cut text ends in an ellipsis and never inside a mark.
fn cut(text: &str, max: usize) -> String {
    if text.chars().count() <= max {
        return text.to_owned();
    }
    let kept: String = text.chars().take(max.saturating_sub(1)).collect();
    let open = kept.rfind('[').filter(|at| {
        [REDACTED, PATH].iter().any(|mark| {
            let tail = &kept[*at..];
            tail.len() < mark.len() && mark.starts_with(tail)
        })
    });
    format!("{}…", &kept[..open.unwrap_or(kept.len())])
}
