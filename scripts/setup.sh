#!/bin/sh
# Make .venv from requirements.lock: with uv where it is on the PATH, else with venv and pip.
# Tools: a POSIX shell and Python 3.11 or newer. Says in plain words what is missing.
set -eu
cd "$(dirname "$0")/.."

fail() {
    printf '\nScoville cannot be set up: %s\n\n' "$1" >&2
    exit 1
}

is_new_enough() {
    "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1
}

find_python() {
    if [ -n "${PYTHON_FOR_SCOVILLE:-}" ]; then
        is_new_enough "$PYTHON_FOR_SCOVILLE" && echo "$PYTHON_FOR_SCOVILLE"
        return
    fi
    for name in python3 python python3.13 python3.12 python3.11 python3.14; do
        if command -v "$name" >/dev/null 2>&1 && is_new_enough "$name"; then
            echo "$name"
            return
        fi
    done
}

python=$(find_python) || true
if [ -z "$python" ] && [ -n "${PYTHON_FOR_SCOVILLE:-}" ]; then
    fail "PYTHON_FOR_SCOVILLE is $PYTHON_FOR_SCOVILLE, which is not a Python 3.11 or newer"
fi
if [ -z "$python" ]; then
    found=$( (python3 --version || python --version) 2>/dev/null | head -n 1)
    fail "it needs Python 3.11 or newer, and found: ${found:-no Python at all}.
Install a newer Python (python.org, your system's packages, or 'uv python install 3.12') and run the command again.
If it has an unusual name, say: PYTHON_FOR_SCOVILLE=/path/to/python make book"
fi

echo "Setting up .venv with $("$python" --version) (once; it takes about a minute)"
rm -rf .venv
if command -v uv >/dev/null 2>&1; then
    uv venv --quiet --python "$(command -v "$python")" .venv
    uv pip install --quiet --python .venv/bin/python --require-hashes -r requirements.lock
    uv pip install --quiet --python .venv/bin/python --no-deps --no-build-isolation --editable .
else
    "$python" -m venv .venv || fail "Python's venv module did not work. On Debian or Ubuntu: apt install python3-venv"
    .venv/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
    .venv/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
fi
touch .venv/ready
