/** Scripts that are given `$1` in the place of `{}`. */
import { expect, it } from "vitest";
import { itemScript, withArgument } from "../../src/builtin/item-script.ts";

it.each([
  ["wc -l {}", 'wc -l "$1"'],
  ['echo "{}: $(head -1 "{}")"', 'echo "$1: $(head -1 "$1")"'],
  ['printf "%s %s\\n" "$(wc -c < "{}")" "{}"', 'printf "%s %s\\n" "$(wc -c < "$1")" "$1"'],
  ['f={}; echo "${f##*/} $(wc -c < "$f")"', 'f="$1"; echo "${f##*/} $(wc -c < "$f")"'],
  ["grep 'a b' {} | sed 's/x/y/'", "grep 'a b' \"$1\" | sed 's/x/y/'"],
  ['echo "it\'s {}"', 'echo "it\'s $1"'],
  ["n=$(( $(wc -l < {}) + 1 )); echo {} $n", 'n=$(( $(wc -l < "$1") + 1 )); echo "$1" $n'],
  ["grep '{}' a", "grep ''\"$1\"'' a"],
  ["awk '{print \"{} \" $0}' {}", 'awk \'{print "\'"$1"\' " $0}\' "$1"'],
  ["{ echo {}; }", '{ echo "$1"; }'],
  ["for i in {1..{}}; do echo $i; done", undefined],
  ["echo ${x%{}}", undefined],
  ["{}=1", undefined],
  ["echo ${} ~{}", undefined],
  ["echo 1 {}>&2", undefined],
  ["cat <<E\n{}\nE", undefined],
  ["ls # it's\necho {}", undefined],
  ["[[ abc =~ {} ]]", undefined],
  ["case {} in a) ls;; esac", undefined],
  ["echo $'a{}'", undefined],
  ["echo $1 {}", undefined],
  ["echo \\{}", undefined],
  ["ls", undefined],
])("%s: %s", (script, expected) => expect(withArgument(script)?.script).toBe(expected));

it.each([
  ["wc -l {}", "a/b-c.d", true],
  ["wc -l {}", "a b", false],
  ["wc -l {}", "$x", false],
  ["wc -l {}", "", false],
  ["wc -l {}", "a*", false],
  ['wc -l "{}"', "a b*", true],
  ['wc -l "{}"', "a$b", false],
  ["wc -l '{}'", "a$b", true],
  ["wc -l '{}'", "it's", false],
])("%s with %s: %s", (script, item, expected) => expect(itemScript(["sh", "-c", script], "{}")?.accepts(item)).toBe(expected));
