//! Long text as rows of a fixed number of columns: found once for a text and a width, so that a line of any length
//! costs a pass only the rows in view.

use std::sync::Arc;

/// Where rows begin.
#[derive(Clone, Debug, Default)]
pub struct Rows {
    text: Arc<str>,
    columns: usize,
    starts: Vec<u32>,
}

impl Rows {
    /// Rows of `text` at `columns` characters; wide scripts count twice. Does nothing when both are as before.
    pub fn set(&mut self, text: &Arc<str>, columns: usize) {
        let columns = columns.max(8);
        if columns == self.columns && Arc::ptr_eq(text, &self.text) {
            return;
        }
        self.text = Arc::clone(text);
        self.columns = columns;
        self.starts.clear();
        self.starts.push(0);
        let mut column = 0;
        for (at, c) in text.char_indices() {
            let width = if c >= '\u{1100}' { 2 } else { 1 };
            if column + width > columns && c != '\n' {
                self.starts.push(at as u32);
                column = 0;
            }
            column += width;
            if c == '\n' {
                self.starts.push(at as u32 + 1);
                column = 0;
            }
        }
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.starts.len()
    }

    /// Whether there is no text.
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// The text of a row, without its line end.
    pub fn row(&self, at: usize) -> &str {
        let start = self.starts.get(at).map_or(self.text.len(), |s| *s as usize);
        let end = self.starts.get(at + 1).map_or(self.text.len(), |s| *s as usize);
        self.text.get(start..end).unwrap_or("").trim_end_matches(['\n', '\r'])
    }

    /// Whether a row begins a line.
    pub fn begins_line(&self, at: usize) -> bool {
        let start = self.starts.get(at).map_or(0, |s| *s as usize);
        start == 0 || self.text.as_bytes().get(start - 1) == Some(&b'\n')
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_wrap_at_the_width_and_end_at_their_ends() {
        let mut rows = Rows::default();
        rows.set(&Arc::from("short\n0123456789ab\n\nend"), 10);
        let all: Vec<&str> = (0..rows.len()).map(|at| rows.row(at)).collect();
        assert_eq!(all, ["short", "0123456789", "ab", "", "end"]);
        assert!(rows.begins_line(1) && !rows.begins_line(2));
    }

    #[test]
    fn wide_scripts_take_two_columns() {
        let mut rows = Rows::default();
        rows.set(&Arc::from("漢字漢字漢字"), 8);
        assert_eq!(rows.row(0), "漢字漢字");
        assert_eq!(rows.row(1), "漢字");
    }
}
