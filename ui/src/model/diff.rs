//! What a typed value changes against what was there: line by line, over both values printed alike. Bounded: beyond
//! [`LINES_MAX`] lines only the counts are told apart by equal beginnings and ends.

/// How a line came about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    /// In both.
    Same,
    /// Only in the new value.
    Added,
    /// Only in the old value.
    Removed,
}

/// A line of a difference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Where it is.
    pub sign: Sign,
    /// Its text.
    pub text: String,
}

/// Most lines of either side that are compared one by one.
pub const LINES_MAX: usize = 600;

/// The lines of `old` and `new` in reading order; removed lines stand before added ones.
pub fn lines(old: &str, new: &str) -> Vec<Line> {
    let (a, b): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let head = a.iter().zip(&b).take_while(|(x, y)| x == y).count();
    let tail = a[head..].iter().rev().zip(b[head..].iter().rev()).take_while(|(x, y)| x == y).count();
    let (mid_a, mid_b) = (&a[head..a.len() - tail], &b[head..b.len() - tail]);
    let mut out: Vec<Line> = a[..head].iter().map(|text| line(Sign::Same, text)).collect();
    if mid_a.len() > LINES_MAX || mid_b.len() > LINES_MAX {
        out.extend(mid_a.iter().map(|text| line(Sign::Removed, text)));
        out.extend(mid_b.iter().map(|text| line(Sign::Added, text)));
    } else {
        middle(mid_a, mid_b, &mut out);
    }
    out.extend(a[a.len() - tail..].iter().map(|text| line(Sign::Same, text)));
    out
}

fn line(sign: Sign, text: &str) -> Line {
    Line { sign, text: text.to_owned() }
}

/// Longest common subsequence by the usual table.
fn middle(a: &[&str], b: &[&str], out: &mut Vec<Line>) {
    let width = b.len() + 1;
    let mut table = vec![0u16; (a.len() + 1) * width];
    for i in (0..a.len()).rev() {
        for j in (0..b.len()).rev() {
            table[i * width + j] = if a[i] == b[j] {
                table[(i + 1) * width + j + 1] + 1
            } else {
                table[(i + 1) * width + j].max(table[i * width + j + 1])
            };
        }
    }
    let (mut i, mut j) = (0, 0);
    while i < a.len() || j < b.len() {
        let both = i < a.len() && j < b.len();
        if both && a[i] == b[j] {
            out.push(line(Sign::Same, a[i]));
            (i, j) = (i + 1, j + 1);
        } else if j == b.len() || (both && table[(i + 1) * width + j] >= table[i * width + j + 1]) {
            out.push(line(Sign::Removed, a[i]));
            i += 1;
        } else {
            out.push(line(Sign::Added, b[j]));
            j += 1;
        }
    }
}

/// How many lines were added and removed.
pub fn counts(lines: &[Line]) -> (usize, usize) {
    let of = |sign| lines.iter().filter(|line| line.sign == sign).count();
    (of(Sign::Added), of(Sign::Removed))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(old: &str, new: &str) -> String {
        lines(old, new)
            .iter()
            .map(|line| {
                let sign = match line.sign {
                    Sign::Same => ' ',
                    Sign::Added => '+',
                    Sign::Removed => '-',
                };
                format!("{sign}{} ", line.text)
            })
            .collect()
    }

    #[test]
    fn a_change_is_a_removal_before_an_addition() {
        assert_eq!(text("{\na\nb\n}", "{\na\nc\n}"), " { ".to_owned() + " a " + "-b " + "+c " + " } ");
    }

    #[test]
    fn equal_values_have_no_difference_and_empty_ones_are_all_difference() {
        assert_eq!(counts(&lines("x\ny", "x\ny")), (0, 0));
        assert_eq!(counts(&lines("", "x\ny")), (2, 0));
        assert_eq!(counts(&lines("x\ny", "")), (0, 2));
    }

    #[test]
    fn very_long_values_are_still_compared() {
        let old: String = (0..5_000).map(|n| format!("{n}\n")).collect();
        let new = old.replace("2500\n", "changed\n");
        assert_eq!(counts(&lines(&old, &new)), (1, 1));
        let other: String = (0..5_000).map(|n| format!("other {n}\n")).collect();
        assert_eq!(counts(&lines(&old, &other)), (5_000, 5_000));
    }
}
