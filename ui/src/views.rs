//! Views: functions over borrowed models that paint and push what was asked.

pub mod canvas;
mod minimap;
