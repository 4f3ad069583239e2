#!/usr/bin/env bash
# check.sh PYTHON PROGRAM: builds the wheel of the Python package, tests it with the packages that PYTHON has, compared with
# PROGRAM, and tries it in a clean environment of another version of Python.
# The wheel is built in the profile of the tests and with their features, so that what they have compiled is used again.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
python=$(realpath -s "$1")
program=$(realpath "$2")
export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-$root/target}"
wheels=$CARGO_TARGET_DIR/wheels

fail() { printf 'crates/python: %s\n' "$*" >&2; exit 1; }

rm -rf "$wheels"
"$python" -m maturin build --quiet --locked --profile dev --features as-tested --manifest-path "$root/crates/python/Cargo.toml" --out "$wheels" ||
  fail "the wheel cannot be built"
wheel=$(ls "$wheels"/*.whl)
case $wheel in
  *-cp39-abi3-*) ;;
  *) fail "'$wheel' is not for every Python from 3.9 on" ;;
esac
"$python" -m pip install --quiet --disable-pip-version-check --force-reinstall --no-deps "$wheel"

# From elsewhere, so that the package is the one that is installed.
(cd "$root/crates/python/tests" && MONTEVERDE=$program "$python" -m pytest --quiet -p no:cacheprovider --rootdir . .)

# another: a Python from 3.9 on whose version is not that of the tests.
own=$("$python" -c 'import sys; print(sys.version_info.minor)')
another() {
  local found
  for found in python3.{9..15} "$HOME"/.pyenv/versions/3.*/bin/python3; do
    found=$(command -v "$found") || continue
    "$found" -c "import sys, venv, ensurepip; v = sys.version_info; sys.exit(v < (3, 9) or v.minor == $own)" 2>/dev/null || continue
    echo "$found"
    return
  done
  return 1
}
other=$(another) || {
  echo "The wheel is not tried with another version of Python, since there is none here; install one (pyenv) and run this again"
  exit
}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$other" -m venv "$folder/clean"
"$folder/clean/bin/python" -m pip install --quiet --disable-pip-version-check "$wheel"
(cd "$folder" && env -i PATH=/usr/bin:/bin "$folder/clean/bin/python" "$root/crates/python/tests/clean.py")
