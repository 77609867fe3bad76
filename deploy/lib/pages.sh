# The static files of the pages, in trees whose names are the hashes of their content: browsers keep them for a year, and a
# page that is open finds the files it began with after the next tree has come.

readonly ASSETS_DAYS_MAX=30
readonly JAVASCRIPT=/usr/share/javascript

# Copies a directory of the source into the tree, if it is there. Arguments: the directory, where to.
assets_copy() {
    [[ -d $1 ]] || return 0
    mkdir -p "$2"
    cp -RL "$1/." "$2"
}

# Copies the words of one part, if it has any. Arguments: the directory with LANGUAGE.json, the tree, the part's name.
words_copy() {
    local file
    for file in "$1"/*.json; do
        [[ -f $file ]] || continue
        mkdir -p "$2/words"
        cp -L "$file" "$2/words/$3.$(basename "$file")"
    done
}

# Copies what Debian's packages bring. They name source maps that are not there.
vendor_copy() {
    mkdir -p "$1/leaflet" "$1/chart"
    cp -RL "$JAVASCRIPT/leaflet/images" "$1/leaflet/images"
    sed '\|sourceMappingURL=|d' "$JAVASCRIPT/leaflet/leaflet.css" >"$1/leaflet/leaflet.css"
    sed '\|sourceMappingURL=|d' "$JAVASCRIPT/leaflet/leaflet.min.js" >"$1/leaflet/leaflet.js"
    cp -L /usr/share/doc/libjs-leaflet/copyright "$1/leaflet/LICENSE"
    sed '\|sourceMappingURL=|d' "$JAVASCRIPT/chart.js/chart.min.js" >"$1/chart/chart.js"
    cp -L /usr/share/doc/libjs-chart.js/copyright "$1/chart/LICENSE"
    qrcode_copy "$1"
}

# Copies the program for QR codes, as a module: pages load it when they need it. It takes a page for Node that has an element
# `exports`. Argument: the tree.
qrcode_copy() {
    mkdir -p "$1/qrcode"
    {
        printf 'const exports = undefined;\n'
        cat "$JAVASCRIPT/qrcode-generator/qrcode.js"
        printf '\nexport default qrcode;\n'
    } >"$1/qrcode/qrcode.js"
    cp -L /usr/share/doc/node-qrcode-generator/copyright "$1/qrcode/LICENSE"
}

# Fills a tree. Argument: its directory.
assets_assemble() {
    local folder name
    assets_copy "$CHECKOUT/Shared/Web/Assets" "$1/web"
    words_copy "$CHECKOUT/Shared/Web/Words" "$1" web
    for folder in "$CHECKOUT"/Services/*/; do
        name=$(basename "$folder")
        name=${name,,}
        assets_copy "${folder}Pages/Assets" "$1/$name"
        words_copy "${folder}Pages/Words" "$1" "$name"
    done
    vendor_copy "$1"
    chmod -R u=rwX,go=rX "$1"
}

# Prints the hash of a tree's paths and contents.
assets_hash() {
    (cd "$1" && find . -type f -print0 | LC_ALL=C sort -z | xargs -0 sha256sum) | sha256sum | cut -c1-16
}

# Puts the tree of this checkout below a directory, if it is not there yet, and removes those that have not been the current
# one for ASSETS_DAYS_MAX days; `current` names the one that is. Prints its hash. Argument: the directory.
assets_publish() {
    local directory=$1 making hash former
    mkdir -p "$directory"
    # What a killed run has left.
    find "$directory" -mindepth 1 -maxdepth 1 -name '.making.*' -mmin +60 -exec rm -rf {} +
    making=$(mktemp -d "$directory/.making.XXXXXXXX")
    assets_assemble "$making"
    hash=$(assets_hash "$making")
    if [[ -d $directory/$hash ]]; then
        rm -rf "$making"
    else
        find "$making" -type f \( -name '*.css' -o -name '*.js' -o -name '*.json' -o -name '*.svg' \) \
            -exec gzip --best --no-name --keep {} +
        mv --no-target-directory "$making" "$directory/$hash"
    fi
    # The time of a tree is when it was last the current one.
    former=$(cat "$directory/current" 2>/dev/null) || true
    if [[ $former =~ ^[0-9a-f]{16}$ && -d $directory/$former ]]; then touch "$directory/$former"; fi
    touch "$directory/$hash"
    printf '%s\n' "$hash" >"$directory/.current.new"
    mv "$directory/.current.new" "$directory/current"
    find "$directory" -mindepth 1 -maxdepth 1 -type d -name '????????????????' ! -name "$hash" \
        -mtime "+$((ASSETS_DAYS_MAX - 1))" -exec rm -rf {} +
    printf '%s\n' "$hash"
}
