# Messages to the person at the terminal. Everything goes to standard error except what a script is asked to print.

say() { printf '%s\n' "$*" >&2; }

# A step that takes a while, with the seconds since the script started.
step() { printf '[%3d s] %s\n' "$SECONDS" "$*" >&2; }

# One clear sentence, then the end.
die() {
    printf 'error: %s\n' "$*" >&2
    exit 1
}
