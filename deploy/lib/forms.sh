# What tests read files for other programs with: packages of PyPI, in an environment of their own that is kept.

# Makes it where it is not there, and names its Python in TRACKME_TEST_FORMS.
forms_tools_make() {
    local tools=$STATE/test-forms-tools requirements=$CHECKOUT/Tests/Forms/requirements.txt
    local alone=$CHECKOUT/Tests/Forms/requirements-alone.txt
    state_directory
    if ! cmp -s "$requirements" "$tools/requirements.txt" || ! cmp -s "$alone" "$tools/requirements-alone.txt"; then
        step "Installing what reads FHIR, Open mHealth and CAP"
        rm -rf "$tools"
        python3 -m venv "$tools"
        "$tools/bin/pip" install --quiet --disable-pip-version-check -r "$requirements"
        "$tools/bin/pip" install --quiet --disable-pip-version-check --no-deps -r "$alone"
        cp "$requirements" "$alone" "$tools/"
    fi
    export TRACKME_TEST_FORMS=$tools/bin/python
}
