//! The life of the program: server first, then the window; at the end the demo, the server, the journals.

use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use tauri::{App, AppHandle, Manager, RunEvent};

use crate::args::{self, Start};
use crate::demo::Demo;
use crate::exporter::Forms;
use crate::files::Waiting;
use crate::host::{self, Host, Parts};
use crate::page::Page;
use crate::window::Painted;
use crate::{commands, files, menu, second, window};

/// Runs until the window closes or the system asks for the end.
pub(crate) fn run(start: Start) -> ExitCode {
    let data_dir = start.data_dir.clone().unwrap_or_else(ingest::default_data_dir);
    let builder = tauri::Builder::default()
        .plugin(second::guard(&data_dir))
        .plugin(tauri_plugin_dialog::init())
        .manage(Waiting::default())
        .manage(Painted::default())
        .manage(Arc::new(Demo::default()))
        .invoke_handler(tauri::generate_handler![
            commands::session,
            commands::painted,
            commands::take_files,
            commands::open_dialog,
            commands::export_run,
            commands::set_title,
            commands::attention,
        ])
        .on_menu_event(|app, event| menu::chosen(app, event.id().as_ref()))
        .setup(move |app| Ok(set_up(app, start, &data_dir)?));
    match builder.build(tauri::generate_context!()) {
        Ok(app) => {
            app.run(passed_on);
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("holdpoint-app: {error}");
            ExitCode::FAILURE
        }
    }
}

fn set_up(app: &mut App, start: Start, data_dir: &Path) -> Result<(), String> {
    let handle = app.handle().clone();
    let demo = Arc::clone(&handle.state::<Arc<Demo>>());
    let starter = Arc::clone(&demo);
    let host = host::start(Parts {
        port: args::first_port(start.port, std::env::var_os("HOLDPOINT_PORT"))?,
        data_dir: data_dir.to_path_buf(),
        page: Arc::new(Page(handle.clone())),
        exporter: Arc::new(Forms(handle.clone())),
        demo: Arc::new(move || starter.start()),
    })?;
    println!("viewer: {}\nagents: {}", host.address.viewer_url, host.address.ingest_url);
    demo.dial(&host.address.ingest_url);
    let ender = handle.clone();
    host.on_signal(move || ender.exit(0));
    app.manage(host);
    if cfg!(target_os = "macos") {
        menu::bar(&handle).and_then(|bar| app.set_menu(bar)).map_err(|error| error.to_string())?;
    }
    window::open(&handle).map_err(|error| format!("cannot open the window: {error}"))?;
    files::deliver(&handle, start.files);
    if start.demo {
        demo.start();
    }
    Ok(())
}

fn passed_on(app: &AppHandle, event: RunEvent) {
    match event {
        #[cfg(target_os = "macos")]
        RunEvent::Opened { urls } => {
            files::deliver(app, urls.into_iter().filter_map(|url| url.to_file_path().ok()).collect());
        }
        RunEvent::Exit => {
            app.state::<Arc<Demo>>().stop();
            app.state::<Host>().stop();
        }
        _ => {}
    }
}
