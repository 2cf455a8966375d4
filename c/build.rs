//! Gives the shared library its name and version, so that programs that were linked with one that has the same face find it.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,libseptet.so.0");
}
