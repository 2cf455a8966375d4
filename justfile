# The usual commands: `just` lists them. None needs more than cargo, but for what a line names.

# Lists the commands.
default:
    @just --list --unsorted

# What a commit must pass: format, clippy, the library's own tests, the layers.
check:
    cargo fmt --all --check
    cargo clippy --locked --all-targets -- -D warnings
    cargo test --locked --lib
    cargo test --locked --test core house

# All that the project's CI runs; installs what it needs where it runs as root.
ci:
    .ci/run

# Tests of one program (core, commands, tools), by name: `just test core cases`.
test program name="":
    cargo test --locked --test {{program}} {{name}}

# The library without the program, and every example in its documentation.
library:
    cargo test --locked -p septet -p septet-text --lib
    cargo test --locked -p septet -p septet-text --doc
    cargo tree --locked -p septet -e normal --depth 1

# Writes anew what the cases expect; read the difference before you commit it.
bless:
    BLESS=1 cargo test --locked --test core cases
    git diff --stat -- fixtures

# Fuzzes one target (attack, coders, dkim2, milter, parameters, plan, proof, smtp, smtp_client); needs cargo-fuzz.
fuzz target seconds="60":
    fuzz/run {{target}} {{seconds}}

# Measures the coders and the links.
bench name="":
    cargo bench --locked -p septet-benches {{name}}

# Measures whole programs beside their peers, which it installs where it runs as root; --quick tries whether all works.
compare *options:
    benches/compare/run {{options}}

# The library's documentation.
doc:
    RUSTDOCFLAGS="-D warnings" cargo doc --locked --no-deps -p septet --all-features --open

# Licences, advisories and sources of the dependencies; needs cargo-deny.
deny:
    cargo deny check

# The Debian package.
deb:
    packaging/build-deb

# All that is handed out, from a clean tree, with checksums, into dist/.
release:
    packaging/release

# Formats everything, and checks staged changes before every commit from now on.
hooks:
    cargo fmt --all
    git config core.hooksPath .githooks
