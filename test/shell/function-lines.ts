/** Lines made by chance about functions, eval, traps, input from files and descriptors, and extended patterns, for the comparison with bash. */
import fc from "fast-check";

const pieces = (...texts: readonly string[]): fc.Arbitrary<string> => fc.constantFrom(...texts);
const several = (piece: fc.Arbitrary<string>, most: number, between: fc.Arbitrary<string> = pieces("; ")): fc.Arbitrary<string> =>
  fc.array(fc.tuple(piece, between), { minLength: 1, maxLength: most }).map((all) => all.flat().slice(0, -1).join(""));

const SETTINGS = "x=a; y='b c'; k=2; n=";
const then = pieces("; ", "; ", "\n", " && ", " || ");

const argument = pieces("a", "'b c'", '"$x"', "$y", "$n", '"$@"', "-r", "''", "$#", '"${@:2}"', "$1", "${1:-d}", '"$*"', "é", "{p,q}");
const call = fc
  .tuple(
    pieces("g", "g", "h", "x=T g", "! g", "y= h", "g |", "t |", "command g", "h | t;"),
    fc.array(argument, { maxLength: 3 }),
    pieces("", "", " 2>/dev/null", " >&2", " <<< in", " | t"),
  )
  .map(([name, args, after]) => (/[|;]$/.test(name) ? `${name} t` : `${name} ${args.join(" ")}${after}`));
/** Steps without calls, for what others call: every line ends. */
const leafStep = pieces(
  't "$@"',
  't $# "$1"',
  "local x=$1",
  "local y",
  "local x y=$x",
  "x=$1$x",
  "y+=q",
  "return",
  "return 3",
  "return $k",
  "shift",
  "shift 2",
  "set -- p 'q r'",
  'local -a l=("$@"); t "${l[@]}" ${#l[@]}',
  "local -i n=2+3; t $n",
  "local -r w=1",
  't "$x" "$y" "$n"',
  "unset x",
  "declare v=1; t $v",
  "declare -g v=2",
  'for i; do t "$i"; done',
  "t ${@:2}",
  't "${1:-none}" "${!#}"',
  "f || return",
  "f && return 4",
  "{ return 2; }",
  "(return 4)",
  "t $(return 5)$?",
  "[[ $1 == a ]] && return 1",
  "t | return 6",
  "while :; do return 7; done",
  "for i in 1 2; do continue; done",
  "if f; then t no; else return; fi",
  "eval 't \"$1\"'",
  "eval 'return 8'",
  "eval 'local x=e'",
  "eval t $x",
  "eval 'false'",
  "(trap 't bye' EXIT; t in)",
  'case $1 in a) t A;; "") t E;; *) return 9;; esac',
  "((k--)) || return",
  "t $?",
  "false",
  "local IFS=:; t $*",
  "k=0",
  '[ "$1" ]',
  "read -r x <<< 'l m'",
  'g2() { t inner "$1"; return 1; }; g2 i',
  "unset -f h",
  "t $(g3 z)",
  "exit 5",
);
const step = fc.oneof(
  { weight: 3, arbitrary: leafStep },
  { weight: 1, arbitrary: pieces('{ ((k-- > 0)) && g "$@" r; }', 'h "$1"', "h", "h $k", "x=H h", "h | t") },
);
const definition = fc
  .tuple(
    fc.oneof(
      fc.tuple(pieces("g() {", "function g {", "g () {", "g() ("), several(step, 4, then)),
      fc.tuple(pieces("h() {", "h() if t c; then"), several(leafStep, 4, then)),
    ),
    pieces("", "", " 2>/dev/null", " <<< D"),
  )
  .map(([[head, inner], after]) =>
    head.endsWith("(") ? `${head} ${inner} )${after}` : head.endsWith("then") ? `${head} ${inner}; fi` : `${head} ${inner}; }${after}`,
  );

export const functionLines: fc.Arbitrary<string> = fc
  .tuple(
    pieces("", "", "", "set -e; ", "set -- A 'B C'; "),
    fc.array(definition, { minLength: 1, maxLength: 2 }),
    several(
      fc.oneof(
        { weight: 4, arbitrary: call },
        // bash obeys set -e within a subshell of one command that is negated.
        { weight: 1, arbitrary: call.map((it) => `(${it.replace(/^! /, "")})`) },
        { weight: 1, arbitrary: call.map((it) => `t "$(${it})"`) },
        { weight: 1, arbitrary: step.filter((text) => !text.startsWith("local")) },
      ),
      3,
      then,
    ),
  )
  .map(
    ([options, definitions, calls]) =>
      `${SETTINGS}; ${options}h() { t H "$x" "$1"; }; g3() { t three; }; ${definitions.join("\n")}\n${calls}; t $? "$x" "$y" "\${v-}" $#`,
  );

const source = pieces(
  "< <(echo a)",
  "< <(echo a; echo b)",
  "< /dev/null",
  "<<< x",
  "<<< 'a b'",
  "3<<< y",
  "3<<< y <&3",
  "3< <(echo c)",
  "<&3",
  "3<&0",
  "<&0",
  "0<<< z",
  "< none",
  "3< none",
  "< /dev/fd/3",
  "< /dev/stdin",
  "3<&-",
  "4<&3",
  '< "$n"',
  "< <(f)",
  "< <(e q 2>&1)",
  "2>/dev/null",
  "2>&1",
);
const sources = fc.array(source, { maxLength: 2 }).map((all) => all.join(" "));
const reader = pieces(
  "t",
  "t a",
  'read -r x; t "$x"',
  'read -r x y; t "$x|$y"',
  'mapfile -t l; t "${l[@]}"',
  'IFS= read -r x; t "$x"; t',
  'read -ru 3 x; t "$x"',
  'while read -r x; do t2 "$x"; done',
  '{ read -r x; read -r y; t2 "$x" "$y"; }',
  't "$(< /dev/stdin)"',
  't "$(t s)"',
  "f",
  ": | t",
  "e q | t",
);
export const inputLines: fc.Arbitrary<string> = fc
  .tuple(
    fc.array(fc.tuple(reader, sources, pieces("{", "(", "plain", "while", "if", "for", "case", "func", "exec", "(exec")), {
      minLength: 1,
      maxLength: 2,
    }),
    then,
  )
  .map(([parts, between]) => {
    const lines = parts.map(([read, from, how]) => {
      const inner = read.replaceAll("t2", "echo");
      switch (how) {
        case "{":
          return `{ ${inner}; } ${from}`;
        case "(":
          return `(${inner}) ${from}`;
        case "while":
          return `for i in 1; do ${inner}; done ${from}`;
        case "if":
          return `if t c <<< i; then ${inner}; fi ${from}`;
        case "for":
          return `until t u <<< i; do :; done ${from}; ${inner}`;
        case "case":
          return `case a in a) ${inner};; esac ${from}`;
        case "exec":
          return `exec ${from}\n${inner}`;
        case "(exec":
          return `(exec ${from}; ${inner}; exec 3<&-)`;
        case "func":
          return `rd() { ${inner}; } ${from}; rd; rd <<< w`;
        default:
          return /[;|{]|done/.test(inner) ? inner : `${inner} ${from}`;
      }
    });
    return `${SETTINGS}; ${lines.join(between)}; t $? <<< end`;
  });

const outputStep = pieces(
  "t a",
  "t a >&3",
  "e b",
  "e b 2>&3",
  "t a >&4",
  "t c >&2",
  "{ t a; e b; } 2>&3",
  "{ t a; e b; } >&3 2>&1",
  '{ t a >&3; t b; } 3>&1; t "$x"',
  "x=$(t a >&3; t b); t $x",
  "x=$(e a 2>&1 >&3); t $x",
  "x=$(exec 3>&1; t a >&3; t b); t $x",
  "x=$(exec 2>&1; e a; t b >&3); t $x",
  "t a 3>&1 1>&2 2>&3",
  "{ e q; t r; } 4>&1 1>&2 2>&4",
  "(exec 3>&-; t a >&3); t $?",
  "(exec 3>&1 1>&2; t a; t b >&3)",
  "(exec 4>&1; exec 3>&4-; t a >&3; t b >&4)",
  "w >&3",
  "w",
  "for i in 1 2; do t $i >&3; e $i; done 2>&4",
  "if t c >&3; then e d; fi 3>&2",
  "{ t a >&5; } 5>&3",
  "{ w; } 3>/dev/null",
  "t $(e q 2>&3; t r >&4) 3>&1",
  "f >&3 || t no",
  "case a in a) t A >&3;; esac 3>&1 >&2",
);
const outputExec = pieces(
  "exec 3>&1",
  "exec 3>&2",
  "exec 4>&1 3>&4",
  "exec 3>&1 4>&2",
  "exec 3>&-",
  "exec 2>&1",
  "exec 1>&2",
  "exec 4>&3",
  "exec 1>&3",
  "exec 2>&4 4>&-",
  "exec 3>&1 1>&2 2>&3 3>&-",
  "exec 3>/dev/null",
  "exec 2>/dev/null 3>&2",
  "exec 1>&3 2>&4",
  "exec 3>&1 >/dev/null",
);
export const outputLines: fc.Arbitrary<string> = fc
  .tuple(
    pieces("", "", "", "set -e; ", "trap 'e bye >&3' EXIT; ", "trap 't err' ERR; "),
    fc.array(fc.tuple(fc.oneof({ weight: 1, arbitrary: outputExec }, { weight: 2, arbitrary: outputStep }), pieces("; ", "\n", "; ")), {
      minLength: 2,
      maxLength: 6,
    }),
  )
  .map(([options, all]) => `${SETTINGS}; w() { t w >&3; e v 2>&4; t u; }; ${options}exec 3>&1; ${all.flat().slice(0, -1).join("")}; t $?`);

const stackStep = pieces(
  ...["pushd .", "pushd .", "pushd -n p", "pushd -n '/q r'", 'pushd -n "$HOME/s"', "pushd", "pushd +1", "pushd +2", "pushd -0"],
  ...[
    "pushd -1",
    "pushd +0",
    "pushd -n +1",
    "pushd -n",
    "pushd nope",
    "pushd a b",
    "pushd -q",
    "pushd +x",
    "pushd ''",
    "pushd -",
    "pushd -- .",
  ],
  ...["popd", "popd", "popd -n", "popd +1", "popd -0", "popd -1", "popd -n +2", "popd +0", "popd x", "popd -z", "popd -n -1", "popd --"],
  ...[
    "dirs",
    "dirs -v",
    "dirs -p",
    "dirs -l",
    "dirs -l -v",
    "dirs +1",
    "dirs -0",
    "dirs -v +2",
    "dirs -1 -l",
    "dirs +5",
    "dirs -c",
    "dirs x",
  ],
  ...[
    "dirs -p +0",
    "dirs -lv",
    "(popd; dirs)",
    "t $(dirs)",
    "dirs | t",
    "cd .",
    "t ~+ ~-",
    't ~-/x "~+" ~+/y',
    "x=~+; t $x",
    "HOME=/ dirs",
  ],
  ...["HOME=/", "unset HOME", "s() { pushd . >/dev/null; popd; }; s", "t $?", "builtin dirs", "command popd -n", "[[ ~+ == $PWD ]]; t $?"],
);
export const stackLines: fc.Arbitrary<string> = fc
  .array(stackStep, { minLength: 2, maxLength: 8 })
  .map((all) => `${SETTINGS}; pushd -n p1 >/dev/null; pushd -n . > /dev/null; ${all.join("; ")}; dirs -v`);

const letters = pieces("a", "b", "ab", "a.b", "aXb", "", "A", "*", "?", "[a]", "a|b", "(", "é", "ba", "aab", "-");
const character = pieces("a", "b", ".", "*", "?", "[ab]", "[!a]", "X", "'*'", "\\?", "$x", '"$y"', "[[:upper:]]", "é", "-");
const shapes = (piece: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.array(piece, { minLength: 1, maxLength: 3 }).map((all) => all.join(""));
const groups = (operators: fc.Arbitrary<string>, inner: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.tuple(operators, fc.array(inner, { minLength: 1, maxLength: 3 })).map(([operator, all]) => `${operator}(${all.join("|")})`);
/** Within a group no group is negated: there bash's own matching does not follow its manual. */
const inner = groups(pieces("+", "@", "?", "*"), shapes(character));
const pattern = shapes(
  fc.oneof(
    { weight: 4, arbitrary: character },
    { weight: 2, arbitrary: groups(pieces("+", "@", "!", "?", "*"), shapes(character)) },
    { weight: 1, arbitrary: groups(pieces("+", "@", "?", "*"), shapes(fc.oneof(character, inner))) },
  ),
  // Behind a star bash wants a character for a group that may match none.
).filter((shape) => !/[*?][@+!*?]\(/.test(shape));
export const patternLines: fc.Arbitrary<string> = fc
  .tuple(pieces("", "", "shopt -s nocasematch\n"), fc.array(fc.tuple(letters, pattern, fc.nat(7)), { minLength: 1, maxLength: 3 }))
  .map(([option, all]) => {
    const tests = all.map(([text, shape, how]) => {
      const set = `v='${text}'`;
      const uses = [
        `[[ $v == ${shape} ]]; t $?`,
        `[[ $v != ${shape} ]]; t $?`,
        `case $v in ${shape}) t yes;; *) t no;; esac`,
        `t "\${v##${shape}}"`,
        `t "\${v%${shape}}"`,
        `t "\${v//${shape}/<&>}"`,
        // At the end bash takes a match of nothing by !( ) for some groups and not for others.
        `t "\${v/#${shape}/-}" ${shape.includes("!(") ? "" : `"\${v/%${shape}/-}"`}`,
        `t "\${v^^${shape}}" "\${v#${shape}}"`,
      ];
      return `${set}; ${uses[how]}`;
    });
    return `${SETTINGS}; shopt -s extglob\n${option}${tests.join("\n")}`;
  });
