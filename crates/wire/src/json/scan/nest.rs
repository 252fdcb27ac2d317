//! The brackets that are open, without recursion: any depth costs one bit a level.

/// Which brackets are open: one bit a level, objects are 1.
#[derive(Default)]
pub(super) struct Nest {
    top: u64,
    depth: usize,
    below: Vec<u64>,
}

impl Nest {
    pub(super) fn push(&mut self, object: bool) {
        if self.depth != 0 && self.depth.is_multiple_of(64) {
            self.below.push(self.top);
        }
        self.top = (self.top << 1) | u64::from(object);
        self.depth += 1;
    }

    pub(super) fn pop(&mut self) {
        self.depth -= 1;
        self.top >>= 1;
        if self.depth.is_multiple_of(64)
            && let Some(word) = self.below.pop()
        {
            self.top = word;
        }
    }

    pub(super) fn in_object(&self) -> bool {
        self.top & 1 == 1
    }

    pub(super) fn is_empty(&self) -> bool {
        self.depth == 0
    }
}
