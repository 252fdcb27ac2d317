//! Sizes of the window's parts, in points. Invariant: the 4/8 rhythm; nothing here depends on the zoom.

/// Sizes of the window's fixed parts, in points.
#[derive(Debug)]
pub struct Size;

impl Size {
    /// Control bar.
    pub const BAR: f32 = 48.0;
    /// Buttons and fields.
    pub const BUTTON: f32 = 28.0;
    /// Buttons without a word, and actions on a card.
    pub const ICON_BUTTON: f32 = 24.0;
    /// Group of a hold's buttons in the control bar.
    pub const HELD_GROUP: f32 = 36.0;
    /// Chips and badges.
    pub const CHIP: f32 = 20.0;
    /// Left rail, as first shown.
    pub const RAIL: f32 = 240.0;
    /// Section head in the rail.
    pub const SECTION: f32 = 32.0;
    /// Row of one line.
    pub const ROW: f32 = 28.0;
    /// Row of two lines.
    pub const ROW_2: f32 = 48.0;
    /// Row of the outline.
    pub const OUTLINE_ROW: f32 = 24.0;
    /// Indent of one level in a tree.
    pub const INDENT: f32 = 16.0;
    /// Head of the canvas: breadcrumbs, zoom, follow.
    pub const CANVAS_HEAD: f32 = 32.0;
    /// Inspector, as first shown.
    pub const INSPECTOR: f32 = 384.0;
    /// Head of the inspector.
    pub const INSPECTOR_HEAD: f32 = 52.0;
    /// A strip of tabs.
    pub const TABS: f32 = 32.0;
    /// Row of JSON.
    pub const JSON_ROW: f32 = 20.0;
    /// Row of figures.
    pub const FIGURE_ROW: f32 = 24.0;
    /// Time bar.
    pub const TIME_BAR: f32 = 40.0;
    /// Dock, as first shown.
    pub const DOCK: f32 = 216.0;
    /// Ruler of the timeline.
    pub const RULER: f32 = 24.0;
    /// Lane of the timeline.
    pub const LANE: f32 = 20.0;
    /// Row of the event list.
    pub const EVENT_ROW: f32 = 20.0;
    /// Status bar.
    pub const STATUS_BAR: f32 = 24.0;
    /// Toast.
    pub const TOAST: f32 = 344.0;
    /// Glyph inside a button.
    pub const GLYPH: f32 = 14.0;
}

/// Corner radii, in points.
#[derive(Debug)]
pub struct Radius;

impl Radius {
    /// Timeline bar.
    pub const BAR: u8 = 3;
    /// Icon button, action on a card.
    pub const ICON: u8 = 4;
    /// Tile behind a kind glyph.
    pub const TILE: u8 = 5;
    /// Button, field, code.
    pub const BUTTON: u8 = 6;
    /// Card, toast, minimap.
    pub const CARD: u8 = 8;
    /// Box, large panel.
    pub const BOX: u8 = 12;
}
