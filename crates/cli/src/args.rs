//! The command line: which commands there are and what they take.

use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;
use trace::export::To;
use wire::{Action, Mode, Point};

/// Debug AI agents from the command line: everything the window can do.
#[derive(Debug, Parser)]
#[command(name = "holdpoint", version, propagate_version = true)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) place: PlaceArgs,
    /// Print JSON on standard output.
    #[arg(long, global = true)]
    pub(crate) json: bool,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// Which server, and whose data.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct PlaceArgs {
    /// Port of the server (0 with `serve`: any free one).
    #[arg(long, global = true, env = "HOLDPOINT_PORT")]
    pub(crate) port: Option<u16>,
    /// Where runs, token and breakpoints are kept.
    #[arg(long, global = true, env = "HOLDPOINT_DATA_DIR", value_name = "DIR")]
    pub(crate) data_dir: Option<PathBuf>,
    /// Address of the server, in place of the port: http://… or ws://….
    #[arg(long, global = true)]
    pub(crate) url: Option<String>,
}

/// `on` or `off`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Switch {
    On,
    Off,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Serve agents and the viewer page until interrupted.
    Serve(ServeArgs),
    /// Run the demo agent: it is held at a bug and waits for you.
    Demo {
        /// Without the pauses that make it worth watching.
        #[arg(long)]
        fast: bool,
    },
    /// List the runs, newest first.
    Runs,
    /// Show a run: nodes, instances, edges, tokens, holds.
    Show {
        /// Id of a run, or paths of recordings that belong together; the newest run when left out.
        #[arg(value_name = "RUN|FILE")]
        run: Vec<String>,
    },
    /// Print the events of a run, in full with --json.
    Events(EventsArgs),
    /// List what waits for an answer.
    Holds,
    /// Answer a hold.
    Resume(ResumeArgs),
    /// Set, clear and list breakpoints.
    Break {
        #[command(subcommand)]
        change: BreakCommand,
    },
    /// Let programs run freely or step from gate to gate; without a mode, say which.
    Mode {
        /// run or step.
        mode: Option<Mode>,
    },
    /// Hold calls that fail before the program sees the error, or not.
    PauseOnError { on: Switch },
    /// Hold everything at its next gate.
    PauseAll,
    /// Release every hold.
    ContinueAll {
        /// Only those of this run.
        #[arg(long)]
        run: Option<String>,
    },
    /// Delete a run and its recording.
    Delete { run: String },
    /// Follow a run as stream parts, one a line.
    Stream(StreamArgs),
    /// Say what can be read of a recording, and why the rest cannot.
    Check {
        #[arg(required = true)]
        files: Vec<PathBuf>,
    },
    /// Write a run as a file for others: a recording, a page, OpenTelemetry or KXM. Secrets are replaced.
    Export(ExportArgs),
    /// Compare two runs by structure: exit code 0 where they are alike, 1 where they differ, 2 for trouble.
    ///
    /// Times are shown and do not count: no two runs take equally long.
    Diff {
        #[arg(value_name = "RUN|FILE")]
        first: String,
        #[arg(value_name = "RUN|FILE")]
        second: String,
    },
    /// Open recordings in the running server.
    Open {
        #[arg(required = true)]
        files: Vec<PathBuf>,
    },
    /// Open the window.
    App {
        /// Recordings to open.
        files: Vec<PathBuf>,
    },
}

#[derive(Debug, Args)]
pub(crate) struct ServeArgs {
    /// Hold calls that fail: on, off, or as it was left.
    #[arg(long, value_name = "on|off")]
    pub(crate) pause_on_error: Option<Switch>,
}

#[derive(Debug, Args)]
pub(crate) struct EventsArgs {
    /// Id of a run or path of a recording; the newest run when left out.
    #[arg(value_name = "RUN|FILE")]
    pub(crate) run: Option<String>,
    /// Which run of a recording with several.
    #[arg(long, value_name = "RUN")]
    pub(crate) of: Option<String>,
    /// Begin behind this sequence number.
    #[arg(long, value_name = "SEQ")]
    pub(crate) after: Option<u64>,
    /// How many at most.
    #[arg(long, value_name = "N")]
    pub(crate) limit: Option<u64>,
}

/// What an export can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Form {
    /// A recording: the events as they were received, one a line.
    Ndjson,
    /// The same, compressed with zstd.
    Zst,
    /// One page with the viewer and the recording inside; it needs no server and no network.
    Html,
    /// Spans for OpenTelemetry, as OTLP JSON.
    Otlp,
    /// Sync-safe KXM records: figures and names, no bodies.
    Kxm,
}

impl From<Form> for To {
    fn from(form: Form) -> Self {
        match form {
            Form::Ndjson => Self::Ndjson,
            Form::Zst => Self::Zstd,
            Form::Html => Self::Html,
            Form::Otlp => Self::Otlp,
            Form::Kxm => Self::Kxm,
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct ExportArgs {
    /// Id of a run, or paths of recordings that belong together; the newest run when left out.
    #[arg(value_name = "RUN|FILE")]
    pub(crate) run: Vec<String>,
    /// As what; told by the ending of --out when left out.
    #[arg(long, value_name = "FORMAT")]
    pub(crate) to: Option<Form>,
    /// Where to; - is standard output.
    #[arg(long, value_name = "FILE")]
    pub(crate) out: String,
    /// Which run of recordings with several; all of them when left out.
    #[arg(long, value_name = "RUN")]
    pub(crate) of: Option<String>,
    /// Leave secrets where they are.
    #[arg(long)]
    pub(crate) no_redact: bool,
    /// Replace a file that is there.
    #[arg(long)]
    pub(crate) force: bool,
}

/// Each list takes commas; what is left out takes everything.
#[derive(Debug, Default, Args)]
pub(crate) struct StreamArgs {
    /// Id of a run or path of a recording; the newest run when left out.
    #[arg(value_name = "RUN|FILE")]
    pub(crate) run: Option<String>,
    /// values, updates, messages, custom, checkpoints, tasks, debug, events.
    #[arg(long)]
    pub(crate) modes: Option<String>,
    /// graph-events, harness-events, sub-agent-events, state-updates, task-payloads, messages, checkpoints.
    #[arg(long)]
    pub(crate) families: Option<String>,
    /// First segments of the path of nested graphs, as in research/search.
    #[arg(long)]
    pub(crate) namespace: Option<String>,
    /// Names of nodes.
    #[arg(long)]
    pub(crate) nodes: Option<String>,
    /// Ids of tasks.
    #[arg(long)]
    pub(crate) tasks: Option<String>,
    /// Ids of threads.
    #[arg(long)]
    pub(crate) threads: Option<String>,
    /// Names of events or message types.
    #[arg(long)]
    pub(crate) kinds: Option<String>,
    /// First sequence number wanted.
    #[arg(long, default_value_t = 0, value_name = "SEQ")]
    pub(crate) from: u64,
}

impl StreamArgs {
    /// The filters as the server's query.
    pub(crate) fn query(&self) -> String {
        let words = |list: &str, between: char| {
            let words: Vec<String> = list.split(between).map(crate::commands::stream::escaped).collect();
            words.join(&between.to_string())
        };
        let lists = [
            ("modes", &self.modes, ','),
            ("families", &self.families, ','),
            ("namespace", &self.namespace, '/'),
            ("nodes", &self.nodes, ','),
            ("tasks", &self.tasks, ','),
            ("threads", &self.threads, ','),
            ("kinds", &self.kinds, ','),
        ];
        let pairs = lists.into_iter().filter_map(|(name, list, between)| {
            list.as_ref().map(|list| format!("{name}={}", words(list, between)))
        });
        pairs.collect::<Vec<_>>().join("&")
    }
}

#[derive(Debug, Args)]
pub(crate) struct ResumeArgs {
    /// Id of the hold, as `holdpoint holds` names it.
    pub(crate) pause: String,
    /// What to do: continue, retry, inject (with --output) or abort.
    #[arg(long)]
    pub(crate) action: Action,
    /// The value to go on with, for inject: JSON, or @FILE.
    #[arg(long, value_name = "JSON|@FILE")]
    pub(crate) output: Option<String>,
    /// Edited arguments, with continue before a call and retry after it: JSON, or @FILE.
    #[arg(long, value_name = "JSON|@FILE")]
    pub(crate) input: Option<String>,
    /// The run, where two hold under one id.
    #[arg(long)]
    pub(crate) run: Option<String>,
    /// The node, where two of one run hold under one id.
    #[arg(long)]
    pub(crate) node: Option<String>,
    /// Seconds to wait for the program to say what it did.
    #[arg(long, default_value_t = 5.0, value_name = "SECONDS")]
    pub(crate) wait: f64,
}

#[derive(Debug, Subcommand)]
pub(crate) enum BreakCommand {
    /// Set a breakpoint, or change the one with the same kind, name and point.
    Set {
        #[command(flatten)]
        matcher: MatcherArgs,
        /// Hold only where this is true.
        #[arg(long, value_name = "EXPRESSION")]
        condition: Option<String>,
        /// Hold only at these hits, for example ">= 3".
        #[arg(long, value_name = "COUNT")]
        hit: Option<String>,
        /// Write this text instead of holding.
        #[arg(long, value_name = "TEXT")]
        log: Option<String>,
        /// Keep it without holding.
        #[arg(long)]
        disabled: bool,
    },
    /// Clear the breakpoint with exactly this kind, name and point.
    Clear {
        #[command(flatten)]
        matcher: MatcherArgs,
        /// Clear every breakpoint.
        #[arg(long, conflicts_with_all = ["kind", "name", "point"])]
        all: bool,
    },
    /// List breakpoints with how often they were seen, matched and held.
    List,
}

/// Which gates a breakpoint means; what is left out matches anything, the point is then `before`.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct MatcherArgs {
    /// Kind of node: tool, llm, agent, …
    #[arg(long)]
    pub(crate) kind: Option<String>,
    /// Name of node.
    #[arg(long)]
    pub(crate) name: Option<String>,
    /// Gate: before, after or error.
    #[arg(long)]
    pub(crate) point: Option<Point>,
}

impl From<MatcherArgs> for wire::Matcher {
    fn from(args: MatcherArgs) -> Self {
        Self { kind: args.kind, name: args.name, point: args.point }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_well_formed() {
        Cli::command().debug_assert();
    }

    #[test]
    fn settings_may_stand_before_or_behind_the_command() {
        for line in
            [["holdpoint", "--json", "--port", "9", "runs"], ["holdpoint", "runs", "--port", "9", "--json"]]
        {
            let cli = Cli::try_parse_from(line).expect("well formed");
            assert!(cli.json && cli.place.port == Some(9));
        }
    }
}
