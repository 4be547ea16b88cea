/** Lines made by chance about arrays, positional parameters and declarations, for the comparison with bash. */
import fc from "fast-check";

const pieces = (...texts: readonly string[]): fc.Arbitrary<string> => fc.constantFrom(...texts);

/** Commands that set what the lines use: `u` is never set. */
export const ARRAYS =
  "a=(x 'y z' '' '*b' w); b=([2]=p [5]='q r' [7]=); n=(); declare -A m=([k]=v ['a b']='c d' [é]=1 [z]=); s=str; i=1; k=k; ref=a; r1='a[1]'; set -- P 'Q R' '' S";

const array = pieces("a", "a", "b", "n", "m", "s", "u");
const subscript = pieces(
  "@",
  "@",
  "*",
  "0",
  "1",
  "-1",
  "-9",
  "i",
  "i+1",
  "$i",
  "9",
  "k",
  "a b",
  '"a b"',
  "$k",
  "'k'",
  "é",
  "b[2]",
  "$((i+1))",
);
const list = fc.oneof(
  { weight: 5, arbitrary: fc.tuple(array, pieces("@", "@", "*")).map(([name, all]) => `${name}[${all}]`) },
  { weight: 2, arbitrary: fc.tuple(array, subscript).map(([name, at]) => `${name}[${at}]`) },
  { weight: 2, arbitrary: pieces("@", "*", "1", "2", "3", "9", "#", "0") },
  { weight: 1, arbitrary: pieces("a", "b", "m", "s", "u") },
);
const operation = pieces(
  "",
  "",
  ":-d e",
  "-d",
  ":+g h",
  "+g",
  "#?",
  "%%[bz]*",
  "/y/Y",
  "//[xz]/<&>",
  "/#/p",
  "/%/q",
  "^",
  "^^",
  ",,",
  "@Q",
  "@U",
  "@u",
  "@A",
  "@K",
  "@k",
  "@a",
  "@E",
  ":1",
  ":0",
  ": -1",
  ":1:2",
  ":0:1",
  ": -2:1",
  ":9",
  ":i:i",
);
const expansion = fc.oneof(
  { weight: 8, arbitrary: fc.tuple(list, operation).map(([from, how]) => `\${${from}${how}}`) },
  { weight: 2, arbitrary: list.map((from) => `\${#${from}}`) },
  { weight: 1, arbitrary: array.map((name) => `\${!${name}[@]}`) },
  {
    weight: 1,
    arbitrary: pieces(
      "${!ref}",
      "${!r1}",
      "${!ref@Q}",
      "${!r1:-d}",
      "${!#}",
      "${!re*}",
      "${!re@}",
      "$((a[1]))",
      "$((b[9]+i))",
      "$((m[é]))",
      "$((n[i]++))",
    ),
  },
);
const word = fc
  .array(
    fc.oneof(
      { weight: 4, arbitrary: expansion.map((it) => `"${it}"`) },
      { weight: 3, arbitrary: expansion },
      { weight: 1, arbitrary: expansion.map((it) => `"<${it}>"`) },
      { weight: 1, arbitrary: pieces("-", "''", "o", ":") },
    ),
    { minLength: 1, maxLength: 2 },
  )
  .map((parts) => parts.join(""));
const element = fc.oneof(
  { weight: 5, arbitrary: word },
  {
    weight: 2,
    arbitrary: fc
      .tuple(pieces("0", "3", "i", "k", "$k", '"a b"', "1+1"), pieces("=", "=", "+="), word)
      .map(([at, how, it]) => `[${at}]${how}${it}`),
  },
  { weight: 1, arbitrary: pieces("{p,q}", "'l m'", "$s", "[x]", "[k]") },
);
const elements = fc.array(element, { maxLength: 4 }).map((all) => `(${all.join(" ")})`);
const shown = "declare -p a b n m s";

export const arrayExpansions: fc.Arbitrary<string> = fc
  .tuple(pieces("", "", "IFS=:; ", "IFS=', '; "), fc.array(word, { minLength: 1, maxLength: 3 }))
  .map(([ifs, all]) => `${ARRAYS}; ${ifs}t ${all.join(" ")}; t $?`);

const assigned = fc.oneof(
  { weight: 3, arbitrary: fc.tuple(array, pieces("=", "=", "+="), elements).map((all) => all.join("")) },
  {
    weight: 3,
    arbitrary: fc
      .tuple(
        array,
        subscript.filter((at) => !/^[@*]$/.test(at)),
        pieces("=", "=", "+="),
        word,
      )
      .map(([name, at, how, it]) => `${name}[${at}]${how}${it}`),
  },
  { weight: 1, arbitrary: fc.tuple(array, pieces("=", "+="), word).map((all) => all.join("")) },
  { weight: 2, arbitrary: fc.tuple(array, subscript).map(([name, at]) => `unset '${name}[${at.replace(/['"$()]/g, "")}]'`) },
  {
    weight: 2,
    arbitrary: pieces(
      "((a[1]=i+2, a[-1]++))",
      "((m[k]+=3))",
      "((m[$k]++))",
      "((b[i+4]=7))",
      "let 'n[2]=5' i++",
      "unset a",
      "unset 'm[a b]'",
      "shift",
      "shift 2",
      'set -- "${a[@]}"',
      "set -- ${b[*]} z",
      "printf -v 'a[4]' '%s' q",
      "printf -v 'm[n]' '%d' 3",
      "read -ra n <<< '1 2  3'",
      "mapfile -t n <<< $'l1\\nl 2'",
      "mapfile -n 1 b <<< $'l1\\nl2'",
      "mapfile -t -O 3 a <<< $'l1\\nl2'",
      "IFS=: read -ra n <<< p:q::",
      '[[ xyz =~ (.)(q)?(.) ]]; t "${BASH_REMATCH[@]}"',
      "[[ -v a[1] && -v m[k] && ! -v b[0] ]]; t $?",
      'f | t; t "${PIPESTATUS[@]}"',
      'for k in "${!m[@]}"; do t "$k=${m[$k]}"; done',
      'for x; do t "$x"; done',
      "RANDOM=7; t $RANDOM $RANDOM",
    ),
  },
);
export const arrayAssignments: fc.Arbitrary<string> = fc
  .array(assigned, { minLength: 1, maxLength: 3 })
  .map((all) => `${ARRAYS}; ${all.join("; ")}; t $? "$@"; ${shown}`);

const flags = pieces("-a", "-A", "-i", "-x", "-l", "-u", "-ai", "-Ai", "-al", "+i", "+x", "");
const declaredItem = fc.oneof(
  fc.tuple(pieces("p", "q", "a", "m", "s"), pieces("=", "=", "+="), pieces("Ab", "1+2", "$i", "''", "x[1]")).map((all) => all.join("")),
  fc
    .tuple(pieces("p", "q", "a"), pieces("(x 'y z')", "([2]=x y)", "()", "(1+1 2*3)", '("${a[@]}")'))
    .map(([name, all]) => `${name}=${all}`),
  pieces("p", "q", "a", '"$k=v w"', "p[1]=4", "1x", "'q[z]=5'", '"p=$s"'),
);
export const declarations: fc.Arbitrary<string> = fc
  .tuple(
    fc.array(
      fc.oneof(
        fc
          .tuple(pieces("declare", "declare", "typeset", "readonly", "export"), flags, declaredItem)
          .map(([name, flag, item]) => `${name} ${/readonly|export/.test(name) ? "" : flag} ${item}`),
        pieces("p=Xy", "p+=Zw", "q=2*3", "p[2]=Qr", "unset p", "p=()", "q+=(5+5)", "t $?"),
      ),
      { minLength: 1, maxLength: 4 },
    ),
  )
  .map(([all]) => `${ARRAYS}; ${all.join("; ")}; t $?; declare -p p q a m s k; t "\${p@A}" "\${q@a}"`);
