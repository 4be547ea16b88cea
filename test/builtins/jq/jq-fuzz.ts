/** Random values and filters of jq's language. */
import type { Dice } from "../../fuzz/dice.ts";

const NUMBERS = [
  ...[
    "0",
    "1",
    "-1",
    "2",
    "3.5",
    "-0",
    "1e3",
    "1E-5",
    "1.000",
    "100000000000000000000",
    "1e1000",
    "-1e1000",
    "0.1",
    "12345678901234567890",
  ],
  ...["9007199254740993", "1e-400", "3.14159265358979", "1700000000", "1425599621.678", "5e-324", "123456789.123", "-86400", "nan", "NaN"],
];
const STRINGS = [
  ...[
    '""',
    '"a"',
    '"abc"',
    '"a b"',
    '"é"',
    '"日本"',
    '"\\u00e9\\ud83d\\ude00"',
    '"\\ud800"',
    '"x,y,z"',
    '"  t "',
    '"1"',
    '"1.50"',
    '"nan"',
  ],
  ...[
    '"2015-03-05T23:51:47Z"',
    '"2024-02-29T00:00:00Z"',
    '"10:20 Mon, 5 Jan 2026"',
    '"\\u0000"',
    '"a\\nb"',
    '"<&\'>"',
    '"YWJj"',
    '"%41+"',
    '"👍"',
  ],
];
const WORDS = ["null", "true", "false"];
const KEYS = ["a", "b", "c", "x", "é", "a b", "__proto__", "constructor", "0"];

/** JSON, or nearly. */
export function jsonText(dice: Dice, depth: number): string {
  const kind = dice.below(depth > 0 ? 10 : 6);
  if (kind < 2) return dice.pick(NUMBERS);
  if (kind < 4) return dice.pick(STRINGS);
  if (kind < 6) return dice.pick(WORDS);
  const gap = dice.pick(["", "", " ", "\n "]);
  const length = dice.below(4);
  if (kind < 8) return `[${gap}${Array.from({ length }, () => jsonText(dice, depth - 1)).join(`,${gap}`)}]`;
  return `{${Array.from({ length }, () => `${gap}${JSON.stringify(dice.pick(KEYS))}:${gap}${jsonText(dice, depth - 1)}`).join(",")}}`;
}

const PATHS = [
  ".",
  ".",
  ".a",
  ".b",
  ".[0]",
  ".[]",
  ".[]?",
  "..",
  '.["a b"]',
  ".[1:]",
  ".[:-1]",
  ".a?",
  ".[-1]?",
  ".a.b",
  ".[0]?",
  ".b[]?",
  '."é"',
];
const PLAIN = [
  ...[
    "length",
    "utf8bytelength",
    "not",
    "keys",
    "keys_unsorted",
    "values",
    "add",
    "any",
    "all",
    "flatten",
    "range(3)",
    "floor",
    "sqrt",
    "tostring",
  ],
  ...[
    "tonumber",
    "type",
    "infinite",
    "nan",
    "isnan",
    "isinfinite",
    "isnormal",
    "sort",
    "group_by(.)",
    "min",
    "max",
    "unique",
    "reverse",
    "first",
  ],
  ...[
    "last",
    "transpose",
    "to_entries",
    "from_entries",
    "ascii_downcase",
    "ascii_upcase",
    "explode",
    "implode",
    "tojson",
    "fromjson",
    "todate",
  ],
  ...[
    "fromdate",
    "gmtime",
    "mktime",
    "localtime",
    "paths",
    "leaf_paths",
    "tostream",
    "getpath([0])",
    "input",
    "[inputs]",
    "input_line_number",
  ],
  ...[
    "input_filename",
    "debug",
    "stderr",
    "halt",
    "halt_error",
    "halt_error(3)",
    "empty",
    "error",
    "recurse",
    "(env|type)",
    "builtins|type",
    'splits(",")',
  ],
  ...[
    "@base64",
    "@base64d",
    "@uri",
    "@urid",
    "@csv",
    "@tsv",
    "@html",
    "@sh",
    "@json",
    "@text",
    'ltrimstr("a")',
    'rtrimstr("c")',
    "trim",
    "ltrim",
    "rtrim",
  ],
  ...[
    "abs",
    "toarray",
    "have_literal_numbers",
    "have_decnum",
    "pick(.a)",
    "debug(1)",
    'scan("[a-c]")',
    "ascii",
    "@base32",
    "@base32d",
    'getpath(["a","b"])',
  ],
  ...[
    "significand",
    "trunc",
    "round",
    "ceil",
    "fabs",
    "logb",
    "frexp",
    "modf",
    "exponent?",
    "nearbyint",
    "rint",
    "limit(2; .[]?)",
    "skip(1; .[]?)",
    "$__loc__",
  ],
  ...[
    "$__prog_args?",
    "$ARGS",
    "$ARGS.positional",
    "$x",
    'trimstr("a")',
    'splits("")',
    "combinations",
    "walk(.)",
    "del(.a)",
    "del(.[0]?)",
    "to_entries?",
  ],
  ...[
    "strings",
    "numbers",
    "scalars",
    "iterables",
    "nulls",
    "arrays",
    "objects",
    "booleans",
    "tojson|fromjson",
    "bsearch(1)",
    "getpath([])",
    "add(.[]?)",
    "have_literal_numbers",
  ],
  ...[
    'dateadd("seconds"; 10)',
    'datesub("seconds"; 10)',
    "date",
    "ltrimstr(1)",
    '@json "x\\(.)"',
    '"a\\(.)b"',
    "ascii(65)",
    "min_by(.a)",
    "unique_by(length)",
    "input?",
  ],
];
const NAMES = ["a", "b", "c"];
const FORMATS = [
  ...[
    "%Y-%m-%dT%H:%M:%SZ",
    "%A, %B %d, %Y",
    "%j %U %W %u %w",
    "%e|%I %p|%y %C",
    "%a %b %h",
    "%D %T %R %F",
    "%c",
    "%x %X",
    "%s",
    "%Z %z",
    "%G-%V",
  ],
  ...["%H:%M %a, %d %b %Y", "%n%t%%", "%Q", "", "%r", "%g", "%5Y", "%-d", "%Ey"],
];
const REGEXES = ["a", "[a-c]+", "(?<x>.)", "^.", "\\\\s", ".*?", "(a)|(b)", "é", "(?<y>[0-9]+)?", "(", "\\\\d+", "$", "(?i)A", "\\\\p{L}"];

export class FilterMaker {
  readonly #dice: Dice;

  constructor(dice: Dice) {
    this.#dice = dice;
  }

  filter(depth: number): string {
    const dice = this.#dice;
    if (depth <= 0 || dice.chance(15)) return this.#leaf();
    const inner = (): string => this.filter(depth - 1);
    switch (dice.below(22)) {
      case 0:
      case 1:
      case 2:
        return `${inner()} | ${inner()}`;
      case 3:
        return `${inner()}, ${inner()}`;
      case 4:
        return `(${inner()} ${dice.pick(["+", "-", "*", "/", "%", "==", "!=", "<", "<=", ">", ">=", "and", "or", "//"])} ${inner()})`;
      case 5:
        return `[${inner()}]`;
      case 6:
        return `{a: (${inner()}), ${dice.pick(["b", '"x y"', '("c")', "$__loc__", '@base64 "k"'])}${dice.chance(80) ? `: (${inner()})` : ""}}`;
      case 7:
        return `${dice.pick(["map", "select", "map_values", "sort_by", "group_by", "any", "all", "first", "last", "isvalid", "recurse", "path", "del", "min_by", "to_entries|map", "with_entries", "add", "isempty", "paths", "error", "getpath", "has", "inside", "contains", "index", "indices", "startswith", "split", "join", "tostring|ltrimstr", "flatten", "range", "{}|has", "ascii", "splits", "pick", "debug", "input_line_number|select", "repeat|limit(3; .)"])}(${inner()})`;
      case 8:
        return `if ${inner()} then ${inner()} ${dice.chance(70) ? `else ${inner()} ` : ""}end`;
      case 9:
        return `try (${inner()})${dice.chance(60) ? ` catch ${this.#leaf()}` : ""}`;
      case 10:
        return `reduce ${this.#leaf()} as $${dice.pick(NAMES)} (${this.#leaf()}; ${inner()})`;
      case 11:
        return `foreach ${this.#leaf()} as [$a, $b] (${this.#leaf()}; ${inner()}; ${this.#leaf()})`;
      case 12:
        return `${this.#leaf()} as ${dice.pick(["$a", "[$a]", "{a: $a}", "{$a}", "[$a] ?// $a"])} | ${inner()} | [$a, .]`;
      case 13:
        return `def f(g): ${inner()} | g; f(${this.#leaf()})`;
      case 14:
        return `(${dice.pick(PATHS)} ${dice.pick(["=", "|=", "+=", "-=", "*=", "/=", "//=", "%="])} ${inner()})`;
      case 15:
        return `${dice.pick(["strftime", "strflocaltime", "strptime", "todate|strptime", "gmtime|strftime", "(now|type)|strptime", "mktime|strftime"])}(${JSON.stringify(dice.pick(FORMATS))})`;
      case 16:
        return `${dice.pick(["test", "match", "capture", "scan", "split", "splits"])}("${dice.pick(REGEXES)}"${dice.chance(40) ? `; "${dice.pick(["g", "i", "x", "gn", "s", "z"])}"` : ""})`;
      case 17:
        return `${dice.pick(["sub", "gsub"])}("${dice.pick(REGEXES)}"; ${dice.pick(['"<\\(.x?)>"', '""', '"z", "w"', "1"])}${dice.chance(30) ? '; "g"' : ""})`;
      case 18:
        return `label $out | ${inner()} | ., break $out`;
      case 19:
        return `limit(${dice.pick(["0", "1", "2", "-1"])}; ${inner()})`;
      case 20:
        return `[${inner()}] | ${dice.pick(["getpath([0])", "setpath([0]; 1)", "delpaths([[0]])", "to_entries", "tojson", "fromstream(.[]?)", "truncate_stream(1; .[]?)", "input_line_number", 'ltrimstr("x")', "limit(1; .[])", "INDEX(.a?)", "IN(1, 2)", 'splits("a")?', "@csv", "@tsv", "@sh", "implode", "add", "add/length", "sort", "unique", "tostream", "min, max", 'join("-")', "flatten(1)", "flatten(-1)", 'getpath(["a"])?'])}`;
      default:
        return `${inner()}${dice.pick(["?", "", " | not", " | tojson", "[0]?", "[]?"])}`;
    }
  }

  #leaf(): string {
    const dice = this.#dice;
    const kind = dice.below(10);
    if (kind < 4) return dice.pick(PATHS);
    if (kind < 7) return dice.pick(PLAIN);
    if (kind < 8) return dice.pick(NUMBERS);
    if (kind < 9) return dice.pick(STRINGS);
    return dice.chance(95)
      ? jsonText(dice, 2)
      : dice.pick([
          "$nope",
          "nope",
          "]",
          "1 +",
          ".a.[",
          "{(1):2}",
          '"\\(',
          "@nope",
          'import "m" as m; m::f',
          'include "m"; .',
          "$a",
          "break $x",
          "%",
        ]);
  }
}
