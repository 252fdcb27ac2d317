//! Turns one wasm file into what a page loads: `xtask-bindgen IN.wasm OUT_DIR NAME`.
//!
//! The library is linked instead of installing the `wasm-bindgen` command, so the version always equals that of the
//! crate in the lock file and nothing is downloaded on the side.

use std::process::ExitCode;

use wasm_bindgen_cli_support::Bindgen;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [input, out_dir, name] = args.as_slice() else {
        eprintln!("usage: xtask-bindgen IN.wasm OUT_DIR NAME");
        return ExitCode::FAILURE;
    };
    let made = Bindgen::new()
        .input_path(input)
        .out_name(name)
        .web(true)
        .and_then(|bindgen| bindgen.omit_default_module_path(false).typescript(false).generate(out_dir));
    match made {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("wasm-bindgen: {error:#}");
            ExitCode::FAILURE
        }
    }
}
