#!/usr/bin/env bash
# Makes a network on one machine with many cores and a GPU: plays games on all cores for some minutes, trains on them, and
# leaves in one folder what is worth keeping, in files of a limited size. What an earlier run has left there, or in
# another folder, is gone on with: its games are trained on too, and its checkpoint is where training goes on. That run
# may have been killed at any time.
#
#   train/one-machine.sh GAME FOLDER
#
# Everything else is a variable:
#   MONTEVERDE     the program, target/release/monteverde unless given
#   PYTHON         a Python with torch and the package monteverde, python3 unless given
#   CARRIED        a folder with what earlier runs have left
#   PLAY_MINUTES   how long games are played, 10 unless given; 0 for none
#   TRAIN_MINUTES  how long is trained, earlier runs counted in, 10 unless given; 0 for not at all
#   PLAYER, LIMIT  who plays, and how long it thinks: the game's alpha-beta (best where it has none) and "--nodes 1000" unless given
#   PLAY_OPTIONS   more words for 'monteverde selfplay', such as "--starts shuffled=0.2,odd=0.1"
#   TRAIN_OPTIONS  more words for 'python -m train'
#   SEED           where the random numbers start; games of a run with another seed are other games
#   FILE_MIB, ALL_MIB  the largest file and all files together that are left, 15 and 60 unless given
set -euo pipefail
fail() { printf 'one-machine: %s\n' "$*" >&2; exit 2; }
[ $# = 2 ] || fail "two words are expected: GAME FOLDER"
game=$1 folder=$2
monteverde=${MONTEVERDE:-target/release/monteverde}
python=${PYTHON:-python3}
play_minutes=${PLAY_MINUTES:-10} train_minutes=${TRAIN_MINUTES:-10}
seed=${SEED:-1}
file_mib=${FILE_MIB:-15} all_mib=${ALL_MIB:-60}
[ -x "$monteverde" ] || fail "$monteverde is no program; say where it is with MONTEVERDE"
case $python in */*) python=$(realpath -s "$python") ;; esac
monteverde=$(realpath "$monteverde")
mkdir -p "$folder"
folder=$(realpath "$folder")
# What does not fit into the folder is trained on all the same.
beyond=$(mktemp -d)
trap 'rm -rf "$beyond"' EXIT

# What was carried in: files that were too large came in parts. A file is written under another name first, and parts are
# made before the whole is removed; so a file that has its name is whole, and parts beside it may not be all.
take() { # NAME FILE...
  [ -e "$folder/$1" ] || { cat "${@:2}" > "$folder/$1.incomplete" && mv "$folder/$1.incomplete" "$folder/$1"; }
}
for old in "$folder" ${CARRIED:+"$CARRIED"}; do
  for file in "$old"/*.mvd "$old/$game".checkpoint "$old/$game".metrics.jsonl "$old/$game".net; do
    [ ! -e "$file" ] || take "$(basename "$file")" "$file"
  done
  for first in "$old"/*.part00; do
    whole=${first%.part00}
    [ ! -e "$first" ] || take "$(basename "$whole")" "$whole".part??
  done
done
rm -f "$folder"/*.part?? "$folder"/*.incomplete

# A file at a time, each with a seed of its own, so that none gets too large: less than 4 bytes a position are expected. They are
# written where they are to stay, so that a run that is killed leaves them. Room is kept for the network and its checkpoint.
positions=$((file_mib * 1024 * 1024 / 4))
most_kib=$((all_mib * 1024 * 2 / 3))
end=$((SECONDS + $(awk -v minutes="$play_minutes" 'BEGIN { printf "%d", minutes * 60 }')))
part=0
while [ $SECONDS -lt $end ]; do
  place=$folder
  [ "$(du -sk "$folder" | cut -f1)" -lt "$most_kib" ] || place=$beyond
  out=$place/$game-$seed-$part.mvd
  if [ ! -e "$folder/$game-$seed-$part.mvd" ]; then
    "$monteverde" selfplay --game "$game" ${PLAYER:+--player "$PLAYER"} ${LIMIT:---nodes 1000} ${PLAY_OPTIONS:-} \
      --seed $((seed * 1000 + part)) --positions "$positions" --time $((end - SECONDS))s --out "$out"
  fi
  part=$((part + 1))
done
data=()
for file in "$folder"/*.mvd "$beyond"/*.mvd; do [ ! -e "$file" ] || data+=("$file"); done
[ ${#data[@]} -gt 0 ] || fail "there are no games: PLAY_MINUTES is 0, and none were carried in"
# It fails where a killed run has left a game that is cut off, which training leaves out, too.
"$monteverde" data "${data[@]}" > "$folder/data.txt" || echo "one-machine: not all files are sound" >&2

if [ "$train_minutes" != 0 ]; then
  cd "$(dirname "$0")/.."
  "$python" -m train --game "$game" --data "${data[@]}" --out "$folder/$game" --minutes "$train_minutes" ${TRAIN_OPTIONS:-} |
    tee "$folder/train.txt"
fi

for file in "$folder"/*; do
  if [ "$(stat -c %s "$file")" -gt $((file_mib * 1024 * 1024)) ]; then
    split -b "${file_mib}M" -d "$file" "$file.part"
    rm "$file"
  fi
done
for file in "$beyond"/*.mvd; do [ ! -e "$file" ] || echo "one-machine: there was no room to keep $(basename "$file")"; done
ls -l "$folder"
