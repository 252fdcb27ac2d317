//! `holdpoint export`: a run or recordings, written in a form for others.
//!
//! Invariant: secrets are replaced unless the person says otherwise, and how many were is said; no file is replaced unasked,
//! and a file stands under its name only once it is whole.

use super::{
    Context,
    pick::{self, Found},
};
use crate::{
    api,
    args::ExportArgs,
    assets,
    disk::{self, From},
    fail::{Context as _, Done, Fail},
    print,
};
use graph::Store;
use serde_json::json;
use serde_json::value::RawValue;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use trace::Source;
use trace::export::{Exported, Options, Recording, To, export};

/// Exports it.
pub(crate) async fn run(context: &Context, args: &ExportArgs) -> Done {
    let to = form(args)?;
    let to_stdout = args.out == "-";
    if !to_stdout && !args.force && Path::new(&args.out).exists() {
        return Err(Fail::new(format!("{} is there already; --force replaces it", args.out)));
    }
    let (title, mut recording) = recording(context, args).await?;
    let options = Options { to, redact: !args.no_redact, page: assets::page(&title) };
    if to == To::Html && options.page.is_none() {
        return Err(Fail::new(
            "this holdpoint was built without the viewer: run `cargo xtask web`, then build it again",
        ));
    }
    if to_stdout {
        let done = export(&mut *recording, &options, &mut io::stdout());
        let done = done.context("cannot write to standard output")?;
        eprintln!("holdpoint: {}", words(&title, &done, &options));
        return Ok(());
    }
    let done = to_file(Path::new(&args.out), &mut *recording, &options)?;
    if context.json {
        return print::json(&json!({
            "out": args.out,
            "to": word(to),
            "events": done.events,
            "redacted": options.redact || to == To::Kxm,
            "valuesReplaced": done.replaced,
            "notes": done.notes,
        }));
    }
    print::line(&format!("{}: {}", args.out, words(&title, &done, &options)))?;
    done.notes.iter().try_for_each(|note| print::line(&format!("  {note}")))
}

fn word(to: To) -> &'static str {
    To::ALL.iter().find(|(_, known)| *known == to).map_or("", |(word, _)| word)
}

fn form(args: &ExportArgs) -> Done<To> {
    let told = args.to.map(To::from).or_else(|| To::of_name(&args.out));
    told.ok_or_else(|| {
        let words: Vec<&str> = To::ALL.iter().map(|(word, _)| *word).collect();
        Fail::new(format!(
            "{:?} does not say the format: give --to with one of {}",
            args.out,
            words.join(", ")
        ))
    })
}

fn words(title: &str, done: &Exported, options: &Options<'_>) -> String {
    let values = if done.replaced == 1 { "1 value".to_owned() } else { format!("{} values", done.replaced) };
    let secrets = if options.redact || options.to == To::Kxm {
        format!("{values} replaced")
    } else {
        "nothing replaced".to_owned()
    };
    format!("{} events of {title}, {secrets}", done.events)
}

/// Writes beside the place and moves it there when it is whole.
fn to_file(out: &Path, recording: &mut dyn Recording, options: &Options<'_>) -> Done<Exported> {
    let cannot = || format!("cannot write {}", out.display());
    let name = out.file_name().ok_or_else(|| Fail::new(format!("{} is no file name", out.display())))?;
    let part = out.with_file_name(format!(".{}.{}.part", name.to_string_lossy(), std::process::id()));
    let mut file = BufWriter::with_capacity(1 << 18, File::create(&part).context(cannot())?);
    let done = export(recording, options, &mut file).and_then(|done| file.flush().map(|()| done));
    drop(file);
    match done.and_then(|done| fs::rename(&part, out).map(|()| done)) {
        Ok(done) => Ok(done),
        Err(error) => {
            // What cannot be removed either is left for the person to see.
            fs::remove_file(&part).ok();
            Err(error).context(cannot())
        }
    }
}

/// The envelopes to export, and what to call them.
async fn recording(context: &Context, args: &ExportArgs) -> Done<(String, Box<dyn Recording>)> {
    match pick::find(context, &args.run).await? {
        Found::Server(_, key) => {
            let page = api::events(&context.place, &key, None, None).await?;
            Ok((key, Box::new(texts(page.events))))
        }
        Found::Disk(key) => {
            let events = disk::events(&From::Journals(&context.place.data_dir), &key)?;
            Ok((key, Box::new(texts(events))))
        }
        Found::Files(paths) => {
            let files = Files::open(paths, args.of.as_deref())?;
            Ok((files.title(), Box::new(files)))
        }
    }
}

fn texts(events: Vec<Box<RawValue>>) -> Vec<Box<str>> {
    events.into_iter().map(Box::<str>::from).collect()
}

/// Recordings of any format, read as often as an export asks.
struct Files {
    paths: Vec<PathBuf>,
    of: Option<String>,
    /// The report was told; the second reading skips the same records.
    told: bool,
}

impl Files {
    fn open(paths: Vec<PathBuf>, of: Option<&str>) -> Done<Self> {
        if let Some(of) = of {
            let (store, _) = disk::read(&paths)?;
            disk::pick(&store, Some(of))?;
        }
        Ok(Self { paths, of: of.map(str::to_owned), told: false })
    }

    fn title(&self) -> String {
        let name = |path: &PathBuf| path.file_name().map(|name| name.to_string_lossy().into_owned());
        let names: Vec<String> = self.paths.iter().filter_map(name).collect();
        self.of.as_ref().map_or_else(|| names.join(", "), |of| format!("{of} of {}", names.join(", ")))
    }
}

impl Recording for Files {
    fn read(&mut self, each: &mut dyn FnMut(&str) -> io::Result<()>) -> io::Result<()> {
        let sources: Vec<Source> = self.paths.iter().cloned().map(Source::Path).collect();
        let mut routes = Store::new();
        let mut failed = None;
        let imported = trace::import(&sources, &mut |envelope| {
            if let Some(of) = &self.of {
                // The store tells runs apart that share an id.
                let change = routes.apply(&wire::decode(envelope));
                if change.run.is_none_or(|run| run.as_str() != of) {
                    return ControlFlow::Continue(());
                }
            }
            match each(envelope) {
                Ok(()) => ControlFlow::Continue(()),
                Err(error) => {
                    failed = Some(error);
                    ControlFlow::Break(())
                }
            }
        });
        match (failed, imported) {
            (Some(error), _) => Err(error),
            (None, Ok(report)) => {
                if !std::mem::replace(&mut self.told, true) {
                    disk::tell(&report);
                }
                Ok(())
            }
            (None, Err(failure)) => Err(io::Error::other(failure.message)),
        }
    }
}
