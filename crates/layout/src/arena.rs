//! Many short growable lists in one vector.
//!
//! A box has few rows and a row few columns; a `Vec` each would cost an allocation each. A [`Run`] is a handle; it is
//! only meaningful to the arena that made it. Freed space is used again, so long sessions do not grow.

/// A handle to one list.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Run {
    start: u32,
    len: u32,
    cap: u32,
}

impl Run {
    pub(crate) fn len(self) -> usize {
        self.len as usize
    }

    pub(crate) fn is_empty(self) -> bool {
        self.len == 0
    }
}

/// The lists. `free[c]` holds starts of unused stretches of at least `1 << c`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Runs<T> {
    data: Vec<T>,
    free: Vec<Vec<u32>>,
}

impl<T> Default for Runs<T> {
    fn default() -> Self {
        Self { data: Vec::new(), free: Vec::new() }
    }
}

impl<T: Copy + Default> Runs<T> {
    pub(crate) fn get(&self, run: Run) -> &[T] {
        &self.data[run.start as usize..(run.start + run.len) as usize]
    }

    pub(crate) fn get_mut(&mut self, run: Run) -> &mut [T] {
        &mut self.data[run.start as usize..(run.start + run.len) as usize]
    }

    pub(crate) fn last_mut(&mut self, run: Run) -> Option<&mut T> {
        self.get_mut(run).last_mut()
    }

    pub(crate) fn reserve(&mut self, extra: usize) {
        self.data.reserve(extra);
    }

    /// A new list with these values.
    pub(crate) fn list(&mut self, values: &[T]) -> Run {
        let len = values.len() as u32;
        if len == 0 {
            return Run::default();
        }
        if let Some(start) = self.reuse(len) {
            self.data[start as usize..(start + len) as usize].copy_from_slice(values);
            return Run { start, len, cap: len.next_power_of_two() };
        }
        let start = self.data.len() as u32;
        self.data.extend_from_slice(values);
        Run { start, len, cap: len }
    }

    pub(crate) fn push(&mut self, run: &mut Run, value: T) {
        self.insert(run, run.len(), value);
    }

    pub(crate) fn insert(&mut self, run: &mut Run, at: usize, value: T) {
        if run.len == run.cap {
            self.widen(run);
        }
        run.len += 1;
        let list = self.get_mut(*run);
        list.copy_within(at..list.len() - 1, at + 1);
        list[at] = value;
    }

    pub(crate) fn truncate(&mut self, run: &mut Run, len: usize) {
        run.len = run.len.min(len as u32);
    }

    pub(crate) fn release(&mut self, run: &mut Run) {
        if run.cap > 0 {
            let class = run.cap.ilog2() as usize;
            if self.free.len() <= class {
                self.free.resize(class + 1, Vec::new());
            }
            self.free[class].push(run.start);
        }
        *run = Run::default();
    }

    fn reuse(&mut self, len: u32) -> Option<u32> {
        self.free.get_mut(len.next_power_of_two().ilog2() as usize)?.pop()
    }

    fn widen(&mut self, run: &mut Run) {
        let cap = (run.cap + 1).next_power_of_two();
        let start = self.reuse(cap).unwrap_or_else(|| {
            let start = self.data.len();
            self.data.resize(start + cap as usize, T::default());
            start as u32
        });
        let (from, len) = (run.start as usize, run.len);
        self.data.copy_within(from..from + len as usize, start as usize);
        self.release(run);
        *run = Run { start, len, cap };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_grow_apart_and_reuse_freed_space() {
        let mut runs = Runs::default();
        let mut a = runs.list(&[1, 2]);
        let mut b = runs.list(&[7]);
        runs.push(&mut a, 4);
        runs.insert(&mut a, 2, 3);
        runs.push(&mut b, 8);
        runs.truncate(&mut b, 1);
        assert_eq!((runs.get(a), runs.get(b)), (&[1, 2, 3, 4][..], &[7][..]));
        let size = runs.data.len();
        runs.release(&mut a);
        let c = runs.list(&[5, 6, 7]);
        assert_eq!((runs.get(c), runs.data.len()), (&[5, 6, 7][..], size));
    }
}
