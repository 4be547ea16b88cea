/** `shopt`, `set -f` and extended patterns: rows that bash itself answers the same (npm run test:reference). */
import { describe, expect, test } from "vitest";
import { lineCases, runOurs } from "../cases.ts";
import { tree } from "../tree.ts";

const files = {
  ".h": "hid\n",
  "a.txt": "one\ntwo\nthree\n",
  "b.txt": "x 1\ny 2\n",
  "src/m.ts": "import a\nexport b\n",
  "src/n.ts": "let c\n",
};

describe("options and patterns", () => {
  lineCases([
    {
      name: "nullglob",
      command: "shopt -s nullglob; echo a *.none b; echo *.txt; for f in *.none; do echo no; done",
      files,
      stdout: "a b\na.txt b.txt\n",
    },
    {
      name: "failglob",
      command: "shopt -s failglob; echo *.none; echo no\necho yes",
      files,
      stdout: "yes\n",
      stderr: "bash: line 1: no match: *.none\n",
    },
    { name: "dotglob", command: "shopt -s dotglob; echo *; echo .*", files, stdout: ".h a.txt b.txt src\n.h\n" },
    { name: "nocaseglob", command: "shopt -s nocaseglob; echo *.TXT", files, stdout: "a.txt b.txt\n" },
    {
      name: "nocasematch",
      command: "shopt -s nocasematch; [[ ABC == a* ]] && echo y; case X in x) echo z;; esac; [[ a == B ]] || echo n",
      files,
      stdout: "y\nz\nn\n",
    },
    {
      name: "globstar",
      command: "shopt -s globstar; echo **; echo **/*.ts; echo **/; echo src/**; echo src/**/; echo **/m.ts; echo a**; echo nope/**",
      files,
      stdout: "a.txt b.txt src src/m.ts src/n.ts\nsrc/m.ts src/n.ts\nsrc/\nsrc/ src/m.ts src/n.ts\nsrc/\nsrc/m.ts\na.txt\nnope/**\n",
    },
    { name: "globstar off", command: "echo **/*.ts; echo **", files, stdout: "src/m.ts src/n.ts\na.txt b.txt src\n" },
    {
      name: "globstar with others",
      command: "shopt -s globstar nullglob; echo **/*.none x; echo ./**/*.ts; echo **/src/*.ts; echo **/**/m.ts",
      files,
      stdout: "x\n./src/m.ts ./src/n.ts\nsrc/m.ts src/n.ts\nsrc/m.ts\n",
    },
    {
      name: "lastpipe",
      command: "shopt -s lastpipe; echo a b | read x y; echo $y $x; n=0; printf '1\\n2\\n' | while read -r l; do n=$((n+l)); done; echo $n",
      files,
      stdout: "b a\n3\n",
    },
    {
      name: "extglob on a line of its own",
      command: "shopt -s extglob\necho !(a.txt); echo *.@(txt|ts); echo ?(a|b).txt; echo +([a-z]).txt; echo *(a|b).txt; echo !(*.txt)",
      files,
      stdout: "b.txt src\na.txt b.txt\na.txt b.txt\na.txt b.txt\na.txt b.txt\nsrc\n",
    },
    {
      name: "extglob in directories",
      command: "shopt -s extglob\necho src/!(m*).ts; echo @(src|nope)/*; ls @(a|b).txt",
      files,
      stdout: "src/n.ts\nsrc/m.ts src/n.ts\na.txt\nb.txt\n",
    },
    {
      name: "extglob in case",
      command:
        "shopt -s extglob\nfor x in abc ab foo 12 ''; do case $x in @(ab|abc)) echo 1;; +([0-9])) echo num;; ?(f)oo) echo no;; !(f*)) echo notf;; *) echo other;; esac; done",
      files,
      stdout: "1\n1\nno\nnum\nnotf\n",
    },
    {
      name: "extglob in [[ ]] without shopt",
      command:
        "[[ foo.ts == *.@(ts|js) ]] && echo y; [[ foo == !(foo) ]] || echo n; [[ aaa == +(a) ]] && echo p; p='@(x|y)'; [[ x == $p ]] && echo q; [[ x == \"$p\" ]] || echo r",
      files,
      stdout: "y\nn\np\nq\nr\n",
    },
    {
      name: "extglob in parameters",
      command:
        'shopt -s extglob\nx=000120; echo ${x##+(0)} ${x%%+(0)} ${x#+(0)} ${x%+(0)}; y=\'  a b  \'; echo "[${y##+([[:space:]])}]" "[${y%%*([[:space:]])}]"; z=abcabc; echo ${z//@(a|c)/X} ${z/#@(ab|a)/-} ${z/%+(c|b)/-} ${z//!(a)/N}',
      files,
      stdout: "120 00012 00120 00012\n[a b  ] [  a b]\nXbXXbX -cabc abca- N\n",
    },
    {
      name: "extglob in parameters without shopt",
      command: "x=000120; echo ${x##+(0)} \"${x%%+(0)}\"; y='+(0)1'; echo ${y##+(0)}",
      files,
      stdout: "000120 000120\n1\n",
    },
    {
      name: "extglob from data",
      command: "p='@(a|b).txt'; echo $p; shopt -s extglob; echo $p \"$p\"; case a.txt in $p) echo y;; esac",
      files,
      stdout: "@(a|b).txt\na.txt b.txt @(a|b).txt\ny\n",
    },
    {
      name: "extglob off for data in case",
      command: "p='@(a|b)'; case a in $p) echo y;; *) echo n;; esac; case '@(a|b)' in $p) echo lit;; esac",
      files,
      stdout: "n\nlit\n",
    },
    {
      name: "quotes in extended patterns",
      command:
        "shopt -s extglob\necho @(\"a\"|'b').txt; echo @(a\\.txt|\"b.txt\"); [[ 'a|b' == @(\"a|b\"|c) ]] && echo y; [[ 'a b' == @(a b|c) ]] && echo z",
      files,
      stdout: "a.txt b.txt\na.txt b.txt\ny\nz\n",
    },
    {
      name: "nested extended patterns",
      command:
        "shopt -s extglob\n[[ abab == +(a@(b|c)) ]] && echo 1; [[ abac == +(a@(b|c)) ]] && echo 2; [[ ad == +(a@(b|c)) ]] || echo 3; [[ xyz == !(*(a|b)) ]] && echo 4; [[ aab == !(*(a|b)) ]] || echo 5",
      files,
      stdout: "1\n2\n3\n4\n5\n",
    },
    {
      name: "extended patterns and hidden files",
      command: "shopt -s extglob\necho @(.h|a.txt); echo .@(h|x); echo !(a*); shopt -s dotglob; echo !(a*)",
      files,
      stdout: ".h a.txt\n.h\nb.txt src\n.h b.txt src\n",
    },
    {
      name: "extended patterns that match nothing",
      command: 'shopt -s extglob\necho @(x|y); echo "@(x|y)"; echo +(z).txt',
      files,
      stdout: "@(x|y)\n@(x|y)\n+(z).txt\n",
    },
    { name: "set -f", command: "set -f; echo *.txt; x='*.txt'; echo $x; set +f; echo $x", files, stdout: "*.txt\n*.txt\na.txt b.txt\n" },
    { name: "set -o noglob", command: "set -o noglob; echo *; set -euo pipefail; echo ok", files, stdout: "*\nok\n" },
    {
      name: "shopt -q and -p",
      command: "shopt -q nullglob; echo $?; shopt -s nullglob; shopt -q nullglob; echo $?; shopt -p nullglob extglob; shopt nullglob",
      files,
      stdout: "1\n0\nshopt -s nullglob\nshopt -u extglob\nnullglob       \ton\n",
    },
    {
      name: "shopt alone",
      command: "shopt; shopt -s extglob; shopt -s",
      files,
      stdout:
        "autocd         \toff\nassoc_expand_once\toff\ncdable_vars    \toff\ncdspell        \toff\ncheckhash      \toff\ncheckjobs      \toff\ncheckwinsize   \ton\ncmdhist        \ton\ncompat31       \toff\ncompat32       \toff\ncompat40       \toff\ncompat41       \toff\ncompat42       \toff\ncompat43       \toff\ncompat44       \toff\ncomplete_fullquote\ton\ndirexpand      \toff\ndirspell       \toff\ndotglob        \toff\nexecfail       \toff\nexpand_aliases \toff\nextdebug       \toff\nextglob        \toff\nextquote       \ton\nfailglob       \toff\nforce_fignore  \ton\nglobasciiranges\ton\nglobskipdots   \ton\nglobstar       \toff\ngnu_errfmt     \toff\nhistappend     \toff\nhistreedit     \toff\nhistverify     \toff\nhostcomplete   \ton\nhuponexit      \toff\ninherit_errexit\toff\ninteractive_comments\ton\nlastpipe       \toff\nlithist        \toff\nlocalvar_inherit\toff\nlocalvar_unset \toff\nlogin_shell    \toff\nmailwarn       \toff\nno_empty_cmd_completion\toff\nnocaseglob     \toff\nnocasematch    \toff\nnoexpand_translation\toff\nnullglob       \toff\npatsub_replacement\ton\nprogcomp       \ton\nprogcomp_alias \toff\npromptvars     \ton\nrestricted_shell\toff\nshift_verbose  \toff\nsourcepath     \ton\nvarredir_close \toff\nxpg_echo       \toff\ncheckwinsize   \ton\ncmdhist        \ton\ncomplete_fullquote\ton\nextglob        \ton\nextquote       \ton\nforce_fignore  \ton\nglobasciiranges\ton\nglobskipdots   \ton\nhostcomplete   \ton\ninteractive_comments\ton\npatsub_replacement\ton\nprogcomp       \ton\npromptvars     \ton\nsourcepath     \ton\n",
    },
    {
      name: "an option that is none",
      command: "shopt -s nosuch; echo $?; shopt -su nullglob; echo $?",
      files,
      stdout: "1\n1\n",
      stderr:
        "bash: line 1: shopt: nosuch: invalid shell option name\nbash: line 1: shopt: cannot set and unset shell options simultaneously\n",
    },
    { name: "in a subshell", command: "(shopt -s nullglob; echo *.none); echo *.none", files, stdout: "\n*.none\n" },
    { name: "inherit_errexit", command: "set -e; shopt -s inherit_errexit; x=$(false; echo no); echo no", files, exit: 1 },
    {
      name: "an extended pattern in the line that turns them on",
      command: "shopt -s extglob; echo !(a.txt)",
      files,
      stdout: "b.txt src\n",
      differs: "bash has read the line before it obeys it, and calls it a syntax error",
    },
    { name: "an extended pattern without shopt", command: "echo !(a.txt)", refused: "UNSUPPORTED_SYNTAX" },
    { name: "an option that is not here", command: "shopt -s expand_aliases", refused: "DISALLOWED_FLAG" },
    {
      name: "shapes on which bash never ends",
      command:
        "shopt -s extglob; x=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab; [[ $x == +(+(a)) ]] || echo n; [[ $x == *(a|aa|aaa)c ]] || echo n; [[ $x == !(!(!(a)*)*)c ]] || echo n",
      stdout: "n\nn\nn\n",
      differs: "bash tries one way after another",
    },
  ]);
  test("a pattern ends within its steps", async () => {
    const place = tree([]);
    try {
      const command = 'printf -v y "%05000d" 0; y=${y}1; [[ $y == *(*0*)x ]]';
      await expect(runOurs({ command }, place.path)).rejects.toThrow("steps in matching a pattern");
    } finally {
      place.remove();
    }
  });
});
