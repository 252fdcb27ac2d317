//! Long text as rows of a fixed number of columns: found once for a text and a width, so that a line of any length
//! costs a pass only the rows in view.

use std::sync::Arc;

/// Bytes divided into rows in one call: a text of any length costs a pass no more than this.
const STRIDE: usize = 2 << 20;

/// Where rows begin.
#[derive(Clone, Debug, Default)]
pub struct Rows {
    text: Arc<str>,
    columns: usize,
    starts: Vec<u32>,
    /// Bytes divided so far, and columns taken in the last row.
    done: (usize, usize),
}

impl Rows {
    /// Divides `text` on into rows of `columns` characters; wide scripts count twice. `true` when some of it is left for
    /// the next call. Does nothing when both are as before and all is done.
    pub fn set(&mut self, text: &Arc<str>, columns: usize) -> bool {
        let columns = columns.max(8);
        if columns != self.columns || !Arc::ptr_eq(text, &self.text) {
            let grown =
                columns == self.columns && text.len() > self.text.len() && text.starts_with(&*self.text);
            if !grown || self.starts.is_empty() {
                self.starts = vec![0];
                self.done = (0, 0);
            }
            self.text = Arc::clone(text);
            self.columns = columns;
        }
        self.divide();
        self.done.0 < self.text.len()
    }

    fn divide(&mut self) {
        let (from, mut column) = self.done;
        let text = Arc::clone(&self.text);
        for (at, c) in text[from..].char_indices() {
            if at >= STRIDE {
                self.done = (from + at, column);
                return;
            }
            let (at, width) = (from + at, if c >= '\u{1100}' { 2 } else { 1 });
            if column + width > self.columns && c != '\n' {
                self.starts.push(at as u32);
                column = 0;
            }
            column += width;
            if c == '\n' {
                self.starts.push(at as u32 + 1);
                column = 0;
            }
        }
        self.done = (text.len(), column);
    }

    /// The row that holds a byte.
    pub fn row_of(&self, byte: usize) -> usize {
        self.starts.partition_point(|start| *start as usize <= byte).saturating_sub(1)
    }

    /// The bytes of a row.
    pub fn bytes(&self, at: usize) -> std::ops::Range<usize> {
        let start = self.starts.get(at).map_or(self.text.len(), |s| *s as usize);
        let end = self.starts.get(at + 1).map_or(self.text.len(), |s| *s as usize);
        start..end
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
        self.text.get(self.bytes(at)).unwrap_or("").trim_end_matches(['\n', '\r'])
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
    fn a_long_text_is_divided_in_strides_like_a_short_one_at_once() {
        let text: Arc<str> = "0123456789".repeat(STRIDE / 10 * 2 + 7).into();
        let mut rows = Rows::default();
        let mut calls = 1;
        while rows.set(&text, 10) {
            calls += 1;
        }
        assert!(calls >= 3, "{calls}");
        assert!((0..rows.len()).step_by(997).all(|at| rows.row(at) == "0123456789"));
        assert_eq!((rows.row_of(25), rows.bytes(2)), (2, 20..30));
    }

    #[test]
    fn wide_scripts_take_two_columns() {
        let mut rows = Rows::default();
        rows.set(&Arc::from("漢字漢字漢字"), 8);
        assert_eq!(rows.row(0), "漢字漢字");
        assert_eq!(rows.row(1), "漢字");
    }
}
