//! The window as a person meets it: every panel clicked by its accessible name, over a transport fed by hand.

#[path = "panels/access.rs"]
mod access;
#[path = "panels/asks.rs"]
mod asks;
#[path = "panels/compare.rs"]
mod compare;
#[path = "panels/dock.rs"]
mod dock;
#[path = "panels/editor.rs"]
mod editor;
#[path = "panels/empty.rs"]
mod empty;
#[path = "panels/graphs.rs"]
mod graphs;
#[path = "panels/inspector.rs"]
mod inspector;
#[path = "panels/keyboard.rs"]
mod keyboard;
#[path = "panels/panes.rs"]
mod panes;
#[path = "panels/prices.rs"]
mod prices;
#[path = "panels/rail.rs"]
mod rail;
#[path = "panels/runs.rs"]
mod runs;
#[path = "panels/timeline.rs"]
mod timeline;
#[path = "panels/window.rs"]
mod window;
