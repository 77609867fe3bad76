# Prints Traceability.md. Input: Requirements.md, then the names of the test files, one per line.
# Ends with status 1, and says why on standard error, when a test or the list of done ids is wrong.

function fault(message) {
    print "error: " message > "/dev/stderr"
    failed = 1
}

# The text with Swift's escaped quotes and backslashes as themselves, fit for a table's cell.
function shown(text) {
    gsub(/\\"/, "\"", text)
    gsub(/\\\\/, "\\", text)
    gsub(/\|/, "\\|", text)
    return text
}

# Takes the ids that a display name begins with ("ACC-02bc ACC-03: …") and files the rest under each clause.
function take(name, file, is_off, ids, count, i, j, id, letters) {
    if (!match(name, /^[A-Z][A-Z][A-Z]-[0-9][0-9][a-z]*([ ,]+[A-Z][A-Z][A-Z]-[0-9][0-9][a-z]*)*:/)) {
        i = index(name, ":")
        if (mentions_id(i ? substr(name, 1, i) : name))
            fault("Tests/" file ": the test \"" name "\" does not begin with ids as \"ACC-02bc ACC-03: \" does.")
        return
    }
    count = split(substr(name, 1, RLENGTH - 1), ids, /[ ,]+/)
    if (is_off) fault("Tests/" file ": the test \"" name "\" is switched off and proves nothing.")
    name = substr(name, RLENGTH + 1)
    sub(/^[ \t]+/, "", name)
    for (i = 1; i <= count; i++) {
        id = substr(ids[i], 1, 6)
        letters = substr(ids[i], 7)
        if (!(id in known)) {
            fault("Tests/" file ": the test \"" name "\" names " ids[i] ", which Requirements.md does not know.")
            continue
        }
        if (letters == "") file_under(id, name, file)
        for (j = 1; j <= length(letters); j++) {
            if (index(clauses[id], substr(letters, j, 1))) file_under(id substr(letters, j, 1), name, file)
            else fault("Tests/" file ": the test \"" name "\" names the clause " id substr(letters, j, 1) ", which Requirements.md does not know.")
        }
    }
}

function file_under(id, name, file) {
    if (id in proofs) proofs[id] = proofs[id] "<br>"
    proofs[id] = proofs[id] "[" file "](" file "): " shown(name)
}

# The letters of a requirement's clauses, "" when it is a single one.
function letters_of(text, result) {
    result = ""
    while (match(text, /\([a-z]\) /)) {
        result = result substr(text, RSTART + 1, 1)
        text = substr(text, RSTART + RLENGTH)
    }
    return result
}

# Whether every clause of a requirement has a test.
function is_proved(id, i) {
    if (clauses[id] == "") return id in proofs
    for (i = 1; i <= length(clauses[id]); i++) if (!(id substr(clauses[id], i, 1) in proofs)) return 0
    return 1
}

# Whether a text has what looks like the id of a requirement: one of the areas, then a number.
function mentions_id(text, area) {
    for (area in areas) if (text ~ ("(^|[^A-Za-z])" area "[- ]?[0-9]")) return 1
    return 0
}

# The text without comments; strings stay as they are.
function without_comments(text, result, depth, found, end) {
    result = ""
    depth = 0
    while (match(text, depth ? "/\\*|\\*/" : "\"\"\"|\"([^\"\\\\\n]|\\\\.)*\"|//[^\n]*|/\\*")) {
        if (!depth) result = result substr(text, 1, RSTART - 1)
        found = substr(text, RSTART, RLENGTH)
        text = substr(text, RSTART + RLENGTH)
        if (found == "\"\"\"") {
            # A string of several lines: no test's name.
            end = index(text, found)
            text = end ? substr(text, end + 3) : ""
            result = result "\"\""
        } else if (found == "/*") depth++
        else if (found == "*/") depth--
        else if (found ~ /^"/) result = result found
    }
    return depth ? result : result text
}

# The rest of the arguments, up to the parenthesis that closes them.
function arguments(text, result, depth) {
    result = ""
    depth = 1
    while (depth && match(text, /"([^"\\\n]|\\.)*"|[()]/)) {
        result = result substr(text, 1, RSTART + RLENGTH - 1)
        if (substr(text, RSTART, 1) == "(") depth++
        if (substr(text, RSTART, 1) == ")") depth--
        text = substr(text, RSTART + RLENGTH)
    }
    return result
}

# Finds the display names of @Test("…") and @Suite("…"), also where the name stands on the next line.
function scan(file, line, text, rest, is_off) {
    text = ""
    while ((getline line < file) > 0) text = text line "\n"
    close(file)
    text = without_comments(text)
    while (match(text, /@(Test|Suite)\(/)) {
        text = substr(text, RSTART + RLENGTH)
        rest = arguments(text)
        line = rest
        gsub(/"([^"\\\n]|\\.)*"/, "", line)
        is_off = line ~ /\.(disabled|enabled)\(/
        if (match(rest, /^[ \t\n]*"([^"\\\n]|\\.)*"/)) {
            line = substr(rest, 1, RLENGTH - 1)
            sub(/^[^"]*"/, "", line)
            take(line, file, is_off)
        } else if (is_off) {
            fault("Tests/" file ": a test or suite without a name is switched off.")
        }
    }
}

# Finds the first lines of the doc strings of page tests, which are methods `test_…` of Python.
function scan_pages(file, line, text, is_test) {
    is_test = 0
    while ((getline line < file) > 0) {
        if (line ~ /^[ \t]*@(unittest\.)?(skip|expectedFailure)/) fault("Tests/" file ": a test is switched off.")
        if (is_test && match(line, /^[ \t]+"""/)) {
            text = substr(line, RLENGTH + 1)
            sub(/\.?(""")?[ \t]*$/, "", text)
            take(text, file, 0)
        }
        is_test = line ~ /^[ \t]+def test_[a-z0-9_]*\(/
    }
    close(file)
}

FILENAME != "-" && /^## / { in_done = ($0 == "## Done") }
FILENAME != "-" && /^\| [A-Z][A-Z][A-Z]-[0-9][0-9] \|/ {
    order[++total] = $2
    known[$2] = 1
    clauses[$2] = letters_of($0)
    areas[substr($2, 1, 3)] = 1
}
FILENAME != "-" && in_done && !/^## / {
    rest = $0
    while (match(rest, /[A-Z][A-Z][A-Z]-[0-9][0-9]/)) {
        done_order[++done_total] = substr(rest, RSTART, RLENGTH)
        done[substr(rest, RSTART, RLENGTH)] = 1
        rest = substr(rest, RSTART + RLENGTH)
    }
}
FILENAME == "-" && /\.swift$/ { scan($0) }
FILENAME == "-" && /\.py$/ { scan_pages($0) }

END {
    for (i = 1; i <= done_total; i++) {
        id = done_order[i]
        if (!(id in known)) fault("Requirements.md declares " id " done, which it does not know.")
        else if (!is_proved(id)) fault("Requirements.md declares " id " done, but not all of its clauses have a test.")
    }
    for (i = 1; i <= total; i++) {
        id = order[i]
        clause_count += clauses[id] == "" ? 1 : length(clauses[id])
        if (clauses[id] == "") proved_count += id in proofs
        for (j = 1; j <= length(clauses[id]); j++) proved_count += (id substr(clauses[id], j, 1)) in proofs
        if (is_proved(id)) proved++
    }
    if (failed) exit 1
    print "# Which test proves which requirement"
    print ""
    print "Generated by `deploy/trace` from the names of the tests; not edited by hand. The requirements and their clauses stand in [Requirements.md](Requirements.md)."
    print ""
    printf "Of %d requirements with %d clauses, %d clauses have tests, %d requirements all of theirs, and %d are declared done. Tests beside a requirement of several clauses touch it and prove none.\n\n", total, clause_count, proved_count, proved, done_total
    print "| clause | done | tests |"
    print "|---|---|---|"
    for (i = 1; i <= total; i++) {
        id = order[i]
        printf "| %s | %s | %s |\n", id, (id in done ? "yes" : ""), (id in proofs ? proofs[id] : "–")
        for (j = 1; j <= length(clauses[id]); j++) {
            clause = id substr(clauses[id], j, 1)
            printf "| %s | | %s |\n", clause, (clause in proofs ? proofs[clause] : "–")
        }
    }
}
