# Building the Swift programs: with the same flags everywhere, so that nothing is built twice.
# shellcheck disable=SC2034 # the scripts read these

# In continuous integration nobody opens a debugger; leaving out what it needs shortens the builds.
BUILD_FLAGS=()
[[ ${CI:-} != true ]] || BUILD_FLAGS=(-debug-info-format none)

# All programs of the suite. Argument: debug or release.
build_programs() {
    swift build --package-path "$CHECKOUT" -c "$1" --static-swift-stdlib "${BUILD_FLAGS[@]}" </dev/null ||
        die "the build failed; the compiler's messages stand above."
}
