//! A second launch: the first window comes to the front and takes the files that the second was given.
//!
//! Windows with different data directories are different windows: the name under which launches find each other is made
//! of the directory, so a test or a second profile is never swallowed by the window that happens to be open.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

use tauri::plugin::TauriPlugin;
use tauri::{AppHandle, Manager, Wry};

use crate::args::{self, Asked};
use crate::files::Waiting;
use crate::window;

/// The guard for this data directory.
pub(crate) fn guard(data_dir: &Path) -> TauriPlugin<Wry> {
    let mut hasher = DefaultHasher::new();
    data_dir.hash(&mut hasher);
    let name = format!("dev.holdpoint.d{:016x}", hasher.finish());
    tauri_plugin_single_instance::Builder::new().dbus_id(name).callback(launched_again).build()
}

fn launched_again(app: &AppHandle, argv: Vec<String>, folder: String) {
    window::to_front(app);
    let asked = args::parse(argv.into_iter().skip(1).map(Into::into));
    if let Ok(Asked::Start(start)) = asked
        && !start.files.is_empty()
    {
        app.state::<Waiting>().add(&PathBuf::from(folder), start.files);
        window::tell(app, "holdpoint:files", "null");
    }
}
