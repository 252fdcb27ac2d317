//! The menu bar of macOS, where a program without one has no copy and paste. Elsewhere the page's own bar and palette
//! hold everything, and a second bar would only take room.

use tauri::menu::{AboutMetadataBuilder, Menu, MenuBuilder, MenuItemBuilder, SubmenuBuilder};
use tauri::{AppHandle, Wry};

use crate::commands;

const OPEN: &str = "open";

/// Builds the menu bar.
///
/// # Errors
/// What the system refuses.
pub(crate) fn bar(app: &AppHandle) -> tauri::Result<Menu<Wry>> {
    let about = AboutMetadataBuilder::new()
        .name(Some("Holdpoint"))
        .version(Some(env!("CARGO_PKG_VERSION")))
        .license(Some("MIT OR Apache-2.0"))
        .build();
    let own = SubmenuBuilder::new(app, "Holdpoint").about(Some(about)).separator().hide().quit().build()?;
    let open = MenuItemBuilder::with_id(OPEN, "Open Recording…").accelerator("CmdOrCtrl+O").build(app)?;
    let file = SubmenuBuilder::new(app, "File").item(&open).close_window().build()?;
    let edit = SubmenuBuilder::new(app, "Edit")
        .undo()
        .redo()
        .separator()
        .cut()
        .copy()
        .paste()
        .select_all()
        .build()?;
    let window = SubmenuBuilder::new(app, "Window").minimize().maximize().fullscreen().build()?;
    MenuBuilder::new(app).items(&[&own, &file, &edit, &window]).build()
}

/// Does what a menu item says.
pub(crate) fn chosen(app: &AppHandle, id: &str) {
    if id == OPEN {
        commands::ask_for_files(app);
    }
}
