# Building the Swift programs: with the same flags everywhere, so that nothing is built twice.

# In continuous integration nobody opens a debugger; leaving out what it needs shortens the builds.
BUILD_FLAGS=()
[[ ${CI:-} != true ]] || BUILD_FLAGS=(-debug-info-format none)

# Arguments: more for `swift build`.
build_package() { swift build --package-path "$CHECKOUT" "${BUILD_FLAGS[@]}" "$@" </dev/null; }

# All programs of the suite, or what the further arguments say. Argument: debug or release.
build_programs() { build_package -c "$1" --static-swift-stdlib "${@:2}"; }

# For whoever has built in vain.
build_failed() { die "the build failed; the compiler's messages stand above."; }
