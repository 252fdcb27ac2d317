//! `cargo xtask tidy`: the rules of the house that a compiler does not check. It fails on an arrow between crates that
//! the table does not have, on a file past its size, on a module without a word about itself, on calls that a pure crate
//! may not make and on a silenced lint without a reason. It runs as a test too.

mod arrows;
mod files;
mod source;

use crate::sh::{self, Done};

/// Checks the whole workspace and names every problem.
pub(crate) fn run() -> Done {
    let problems = check()?;
    if problems.is_empty() {
        println!("tidy: ok");
        return Ok(());
    }
    for problem in &problems {
        eprintln!("{problem}");
    }
    Err(format!("tidy found {} problem(s)", problems.len()))
}

fn check() -> Done<Vec<String>> {
    let metadata = sh::read(sh::cargo(&["metadata", "--no-deps", "--format-version", "1", "--locked"]))?;
    let metadata =
        serde_json::from_str(&metadata).map_err(|error| format!("cannot read cargo metadata: {error}"))?;
    let mut problems = arrows::problems(&metadata);
    let root = sh::root();
    for path in files::rust_files(&root)? {
        let text = std::fs::read_to_string(root.join(&path))
            .map_err(|error| format!("cannot read {path}: {error}"))?;
        problems.extend(source::problems(&path, &text));
    }
    Ok(problems)
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_workspace_is_tidy() {
        assert_eq!(super::check().expect("the workspace can be read"), Vec::<String>::new());
    }
}
