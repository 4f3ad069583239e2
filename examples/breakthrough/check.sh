#!/usr/bin/env bash
# Builds and tests this crate into the target folder of the repository, as a stranger would who has a game of their own, and
# checks that the program plays it from the command line.
set -euo pipefail
cd "$(dirname "$0")"
export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-$PWD/../../target}"

fail() { printf 'examples/breakthrough: %s\n' "$*" >&2; exit 1; }
# expect WHAT FOUND WANTED
expect() { [ "$2" = "$3" ] || fail "$1: '$2', not '$3'"; }

cargo fmt --check
cargo test --quiet --locked
cargo build --quiet --locked
program="$CARGO_TARGET_DIR/debug/breakthrough"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

game() { "$program" "$1" --game breakthrough "${@:2}"; }
# value JSON-EXPRESSION: of the document on standard input, as Python sees it.
value() { python3 -c "import json, sys; it = json.load(sys.stdin); print($1)"; }

"$program" --help | grep -q -- '--game breakthrough' || fail "its help does not name the game"
"$program" perft --help | grep -q 'dice-race or breakthrough' || fail "the help of perft does not name the game"
expect perft "$(game perft --depth 3 2>"$folder/notes")" 11132
expect "perft on a small board" "$(game perft --depth 2 --state 'oo/2/xx x' 2>"$folder/notes")" 12
game players --json | value '[p["name"] for p in it["games"][0]["players"]]' >"$folder/players"
expect players "$(cat "$folder/players")" "['runner', 'uct']"

win='3/1x1/o1o/3 x'
game search --player runner --iterations 200 --state "$win" --json >"$folder/search.json"
expect "the moves searched" "$(value 'sorted(m["move"] for m in it["moves"])' <"$folder/search.json")" "['b3a4', 'b3b4', 'b3c4']"
expect "the iterations" "$(value 'it["iterations"]' <"$folder/search.json")" 200
game search --player uct:solver=wins --iterations 200 --state "$win" --json >"$folder/proof.json"
expect "what is proven" "$(value 'it["proof"], it["plies"]' <"$folder/proof.json")" "win 1"
game playouts --player runner --count 50 --seed 7 --json >"$folder/playouts.json"
expect "endings of playouts" "$(value '"breakthrough" in it["endings"]' <"$folder/playouts.json")" True

"$program" match uct runner --game breakthrough --games 4 --iterations 100 --random-plies 2 \
  --store "$folder/games.db" --json >"$folder/match.json" 2>"$folder/notes"
expect "the games of the match" "$(value 'it["games"], it["wins"] + it["draws"] + it["losses"]' <"$folder/match.json")" "4 4"
"$program" tournament tournament.toml --store "$folder/games.db" --json >"$folder/tournament.json" 2>"$folder/notes"
expect "the games of the tournament" \
  "$(value 'sorted((p["name"], p["games"]) for p in it["players"])' <"$folder/tournament.json")" \
  "[('runner', 4), ('runner:haste=1', 4), ('uct', 4)]"
# What is in the store is not played again.
"$program" tournament tournament.toml --store "$folder/games.db" >"$folder/again" 2>"$folder/notes"
grep -q 'played 0 games' "$folder/notes" || fail "the tournament did not go on from its store: $(cat "$folder/notes")"

"$program" report --store "$folder/games.db" --out "$folder/pages" 2>"$folder/notes"
for player in uct runner:haste=1; do
  grep -q -- "$player" "$folder/pages/report.md" || fail "the report does not name $player"
done
"$program" export --store "$folder/games.db" --format text >"$folder/games.txt" 2>"$folder/notes"
expect "exported games" "$(grep -c '^\[Game "breakthrough"\]' "$folder/games.txt")" 10

if game search --player runner:haste=9 --iterations 1 2>"$folder/notes"; then fail "a wrong setting is accepted"; fi
grep -q "setting haste" "$folder/notes" || fail "a wrong setting is not told: $(cat "$folder/notes")"
if "$program" search --player mcc:haste=1 --iterations 1 2>"$folder/notes"; then fail "chess has a setting of Breakthrough"; fi
grep -q "breakthrough" "$folder/notes" || fail "whose setting it is is not told: $(cat "$folder/notes")"
if "$program" search --game breakthrogh --iterations 1 2>"$folder/notes"; then fail "a misspelt game is accepted"; fi
grep -q "perhaps 'breakthrough'" "$folder/notes" || fail "a misspelt game is not told: $(cat "$folder/notes")"
echo "examples/breakthrough: everything works"
