/** Scripts that are given `$1` in the place of `{}`. */
import { expect, it } from "vitest";
import { withArgument } from "../../src/guard/script-argument.ts";

it.each([
  ["wc -l {}", 'wc -l "$1"'],
  ['echo "{}: $(head -1 "{}")"', 'echo "$1: $(head -1 "$1")"'],
  ['printf "%s %s\\n" "$(wc -c < "{}")" "{}"', 'printf "%s %s\\n" "$(wc -c < "$1")" "$1"'],
  ['f={}; echo "${f##*/} $(wc -c < "$f")"', 'f="$1"; echo "${f##*/} $(wc -c < "$f")"'],
  ["grep 'a b' {} | sed 's/x/y/'", "grep 'a b' \"$1\" | sed 's/x/y/'"],
  ['echo "it\'s {}"', 'echo "it\'s $1"'],
  ["n=$(( $(wc -l < {}) + 1 )); echo {} $n", 'n=$(( $(wc -l < "$1") + 1 )); echo "$1" $n'],
  ["grep '{}' a", undefined],
  ["echo $1 {}", undefined],
  ["echo \\{}", undefined],
  ["ls", undefined],
])("%s: %s", (script, expected) => expect(withArgument(script)).toBe(expected));
