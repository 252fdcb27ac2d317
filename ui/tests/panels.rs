//! Journeys through the panels by accessible name.
