/** Idioms about variables, arrays and arguments, each through the real bash with its tools and through our own: the same streams and status. */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ShellState } from "../../src/exec/shell-state.ts";
import { LimitReached } from "../../src/io/limit-reached.ts";
import { MOST_ELEMENTS } from "../../src/shell/arrays.ts";
import { skipWithout } from "../needs.ts";
import { runLine } from "./line-run.ts";

let directory = "";
beforeAll(() => {
  directory = realpathSync(mkdtempSync(join(tmpdir(), "shelpa-book-")));
  mkdirSync(join(directory, "src"));
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(directory, name), text);
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const FILES = {
  "src/a.ts": "one\ntwo\n",
  "src/b.ts": "x\n",
  "src/c d.ts": "",
  "words.txt": 'b a c a b a\nit\'s "q" a\n',
  "t.csv": "id,name\n1,ann\n2,bob\n",
};

const BOOK: Readonly<Record<string, readonly string[]>> = {
  "files in arrays": [
    'files=(src/*.ts); echo "${#files[@]} ${files[0]}"; printf "<%s>" "${files[@]}"',
    'files=(src/*.ts); for f in "${files[@]}"; do wc -l "$f"; done',
    'wc -l $(echo src/[ab].ts); f=(src/[ab].ts); grep -c . "${f[@]}"',
    'f=(src/*.ts); echo "${f[@]##*/}" "${f[@]%.ts}" "${f[-1]}"',
    'f=(nope/*); echo "${#f[@]} ${f[0]}"',
    'for i in "${!FILES[@]}"; do echo $i; done; FILES=(x y); for i in "${!FILES[@]}"; do echo "$i: ${FILES[i]}"; done',
    'args=(-n o); grep "${args[@]}" src/a.ts',
    'opts=(); opts+=(-c); opts+=(-i); grep "${opts[@]}" ONE src/a.ts',
    'set -- src/*.ts; echo $#; for x; do echo "$x"; done',
  ],
  "counting and maps": [
    'declare -A n; for w in $(cat words.txt); do n[$w]=$((n[$w]+1)); done; for k in "${!n[@]}"; do echo "$k ${n[$k]}"; done | sort',
    'declare -A n; for w in $(cat words.txt); do ((n[$w]++)); done; for k in "${!n[@]}"; do printf "%s=%d\\n" "$k" "${n[$k]}"; done',
    'declare -A n; while read -r -a ws; do for w in "${ws[@]}"; do ((++n["$w"])); done; done <<< "$(cat words.txt)"; declare -p n',
    'declare -A ext; for f in src/*; do e=${f##*.}; ext[$e]+="$f;"; done; declare -p ext',
    'declare -A m=([one]=1 [two]=2); echo "${m[one]} ${m[three]-none} ${#m[@]}"; unset "m[one]"; echo "${!m[@]}"',
    "declare -A seen; for x in a b a c b; do [[ -v seen[$x] ]] || { seen[$x]=1; echo $x; }; done",
    "declare -A seen; for x in a b a; do if [[ -n ${seen[$x]} ]]; then echo dup $x; fi; seen[$x]=y; done",
    'declare -A m=([x]=1 [y]=2); for k in "${!m[@]}"; do m[$k]=$((m[$k]*10)); done; echo "${m[x]},${m[y]}"',
    'declare -A m; m[a,1]=p; i=1; echo "${m[a,$i]}"',
    'declare -A inv m=([a]=1 [b]=2); for k in "${!m[@]}"; do inv[${m[$k]}]=$k; done; declare -p inv',
    'declare -A g; while IFS=, read -r id name; do g[$name]=$id; done <<< "$(tail -n +2 t.csv)"; echo "${g[bob]} ${g[ann]}"',
  ],
  "queues, stacks, sets": [
    'q=(a b c); q+=(d); echo "${q[0]}"; q=("${q[@]:1}"); echo "${q[*]} ${#q[@]}"',
    's=(); s+=(1); s+=(2); echo "${s[-1]}"; unset "s[-1]"; echo "${s[@]} ${#s[@]}"',
    'a=(1 2 3 4); while ((${#a[@]})); do echo "${a[0]}"; a=("${a[@]:1}"); done',
    'a=(a b c d e); unset "a[1]" "a[3]"; echo "${!a[@]}"; a=("${a[@]}"); echo "${!a[@]}"',
    'a=(1 2 3); r=(); for ((i=${#a[@]}-1; i>=0; i--)); do r+=("${a[i]}"); done; echo "${r[*]}"',
    'a=(x y z); a=(w "${a[@]}"); a=("${a[@]:0:2}" new "${a[@]:2}"); echo "${a[@]}"',
    'a=(1 2); b=(3 4); c=("${a[@]}" "${b[@]}"); echo "${#c[@]} ${c[*]}"; d=("${c[@]}"); d[0]=9; echo "${c[0]}"',
    'in=no; a=(p q r); for x in "${a[@]}"; do [[ $x == q ]] && in=yes; done; echo $in; [[ " ${a[*]} " == *" q "* ]] && echo found',
    'a=(5 3 9 1); max=${a[0]}; for n in "${a[@]}"; do ((n > max)) && max=$n; done; echo $max; s=0; for n in "${a[@]}"; do ((s+=n)); done; echo $s',
    "a=(3 1 2); for ((i=0;i<${#a[@]};i++)); do for ((j=0;j<${#a[@]}-i-1;j++)); do if ((a[j]>a[j+1])); then t=${a[j]}; a[j]=${a[j+1]}; a[j+1]=$t; fi; done; done; echo ${a[@]}",
    'a=(b c a); mapfile -t s <<< "$(printf \'%s\\n\' "${a[@]}" | sort)"; echo ${s[@]}',
    "a=(b a b); IFS=$'\\n' u=($(printf '%s\\n' \"${a[@]}\" | sort -u)); unset IFS; echo ${#u[@]} ${u[*]}",
  ],
  "splitting and joining": [
    'IFS=, read -ra p <<< "a,b c,,d"; echo "${#p[@]}"; printf "<%s>" "${p[@]}"',
    's=a:b:c; IFS=: a=($s); unset IFS; echo "${a[1]} ${#a[@]}"',
    's="k=v=w"; echo "${s%%=*} ${s#*=}"; IFS== read -r k v <<< "$s"; echo "$k|$v"',
    'a=(x y z); IFS=,; echo "${a[*]}"; unset IFS; echo "${a[*]}"',
    'a=(x y z); printf -v j \'%s, \' "${a[@]}"; echo "${j%, }"',
    'a=(1 2 3); (IFS=+; echo "${a[*]} = $((${a[*]}))")',
    "mapfile -t l < /dev/null; echo ${#l[@]}; mapfile -t l <<< $'x\\n y\\n\\nz'; echo ${#l[@]}; printf '<%s>' \"${l[@]}\"",
    "printf 'a\\0b c\\0' | { mapfile -d '' f; echo ${#f[@]}; printf '<%s>' \"${f[@]}\"; }",
    'mapfile -t l <<< "$(cat src/a.ts)"; for i in "${!l[@]}"; do echo "$((i+1)): ${l[i]}"; done',
    'v=1.22.3; IFS=. read -r a b c <<< "$v"; echo $a $b $c; p=(${v//./ }); echo ${p[@]} ${#p[@]}',
    'line="  a   b "; set -- $line; echo "$# $2"; read -r x <<< "$line"; echo "[$x]"',
    'p=/usr/local/bin:/bin; IFS=:; for d in $p; do echo "$d"; done',
  ],
  strings: [
    's="  trim me  "; s="${s#"${s%%[![:space:]]*}"}"; s="${s%"${s##*[![:space:]]}"}"; echo "[$s]"',
    's=hello; echo "${s^} ${s^^} ${s:1:3} ${s: -2} ${#s} ${s/l/L} ${s//l/L}"',
    'f=a/b.tar.gz; echo "${f##*/} ${f%/*} ${f%%.*} ${f#*.}"',
    'a=(one two); echo "${a[@]^}" "${a[@]/o/0}" "${a[@]:0:1}" "${a[0]:1:1}"',
    's=abc; for ((i=0;i<${#s};i++)); do echo "${s:i:1}"; done',
    's=abcabc; a=(1 2 3 4); set -- x y z; echo "${s::3}|${s::-1}|${s::}|${s: :2}|${a[@]::2}|${a[*]::}|${*:2:1}"; n=2; echo "${s::n+1}"',
    's=abc; echo "${s:::}"; echo after',
    's="it\'s a \\"q\\""; echo "${s@Q}"; a=(x "y z"); echo "${a[@]@Q}"; declare -p a s',
    'x=; echo "${x:-d} ${x-d} ${y:-d} ${y+set} ${x+set}"; : "${z:=new}"; echo $z',
    'n=7; printf -v p "%03d" $n; echo $p; printf -v a[2] x; declare -p a',
    'name=v; v=5; echo "${!name}"; v1=a v2=b; for i in 1 2; do k=v$i; echo "${!k}"; done; echo "${!v@}"',
    'd=$\'a\\tb\\n\'; echo "${d@Q}" "${d@A}"; e=\'x\\ty\'; echo "${e@E}"; u=abc; echo "${u@U} ${u@u} ${u@a}"',
  ],
  arguments: [
    'set -- -v --name=x -o out file1 file2; while [ $# -gt 0 ]; do case $1 in -v) v=1;; --name=*) n=${1#*=};; -o) o=$2; shift;; *) f+=("$1");; esac; shift; done; echo "$v $n $o ${f[*]}"',
    'set -- a "b c" d; echo "$# $1 $2"; shift; echo "$# $1"; printf "<%s>" "$@"; printf "<%s>" $*',
    'set -- a b c d; echo "${@:2}" "${@:2:2}" "${*: -1}" "${!#}" ${#@}',
    'set -- x y; a=("$@"); set -- "${a[@]}" z; echo $#; set --; echo $#; echo "${1-none} ${1:-d}"',
    'set -- 3 1 2; for i do echo $i; done | sort | { mapfile -t s; echo "${s[*]}"; }',
    'set -- one two; IFS=/; echo "$*"; echo "$@"; x="$*"; echo "$x"',
    'set -- "${@:-default}"; echo $1; set -- p; (set -- q r; echo $#); echo $#',
    "while (($#)); do echo $1; shift; done; set -- a b; until (($# == 0)); do echo $1; shift; done",
  ],
  "names of functions, exported variables": [
    'f() { :; }; b() { :; }; declare -F; declare -F f b; declare -F nope f; echo $?; a() { typeset -F; }; a; (unset -f a; declare -F); declare -F nope || echo none; declare -F | cut -d" " -f3',
    'y=1; export y z="2 $" w; export -p | grep -E " [ywz]\\b"; export | grep -c " [yzw]"; declare -x | grep " z="; declare -px | grep " w"; declare -xi n=3; declare -xp | grep n=; f() { local -x q=3; export -p | grep " q"; }; f; export -p | grep q=',
  ],
  "directory stack": [
    "pushd src; dirs; dirs -v; dirs -l; popd; popd; echo $?",
    "pushd src >/dev/null && ls && popd >/dev/null; pwd",
    "pushd src; pushd ..; pushd; pushd +2; dirs +1; popd -0; popd +1; dirs -p",
    "pushd src; (popd; pwd); pwd; x=$(popd); echo $x; dirs | wc -l; f() { popd; }; f",
    "pushd nope || echo no; pushd words.txt; pushd a b; pushd -P src; pushd -n src; popd",
    "cd src; echo ~+ ~-; ls ~-/t.csv; x=~-/y; echo $x; for d in ~+/a.ts ~+/*.ts; do echo $d; done; cd ~-; pwd",
    'echo ~- "~+"; (unset PWD; echo ~+); cd src; pushd ~- >/dev/null; dirs; pushd - ; dirs -c; dirs',
    'for d in src .; do pushd "$d" >/dev/null; pwd; popd >/dev/null; done; type pushd; type -t dirs',
  ],
  trace: [
    `set -x; e=; s='a b'; i=1; for j in $s "$s" {1..2} 'q' z; do :; done`,
    "set -x; set -- A 'B C'; for k; do :; done; for k in; do :; done",
    "set -x; e=; for ((i=$e 0; i< $((2)); i++ )); do :; done; for ((;;)); do break; done; for (( i = 0 ; i<1 ; i++)) do echo; done",
    `set -x; i=1; ((i == $i+1)); (( "$i" > 0 )); ((x=5, y++)); s='a b'; (( s )); (( 1 / 0 )); echo "$((i+1))"`,
    `set -x; s='a b'; case $s in a) ;; esac; case   "a"$i  in x) ;; esac; case a in [a]) echo;; esac`,
    `set -x; i=1; a[i]=x; a[$i]=y; a[i+1]+=z; a["$i"]=q; s='a b'; a=( 1   "$s" [5]=x $(echo sub) {1..2} ); w=(); w=(""); a+=(z "y y")`,
    `set -x; declare -A m; m[k k]=v; s='a b'; m["$s"]=w; m[$s]='q r'; m=([a]=1)`,
    "set -x; readonly R=1 Q; R=2 true; R=3; echo on",
    `set -x; export X; export Y+=b; export Z="a b" 'V=c d'; s='p q'; declare z=$s w; typeset -i n=1+1; export "E=$s"; readonly "r$n=x"`,
    'set -x; l() { local a="$1" b; local -r c=1; typeset d=1; declare -g g=2; return 3; }; l "p q"; l || echo $?',
    String.raw`set -x; s='a b'; e=; i=1; [[ $s == "$s" && $s != $s ]]; [[ $s == 'a b'* ]]; [[ $s == a* || x == y ]]; [[ -f $s ]]; [[ "$e" ]]; [[ -z $e ]]; [[ $e = "" ]]; [[ $i -lt $i+1 ]]; [[ -v s ]]; [[ '' == $e ]]; [[ x == \* ]]`,
    `set -x; s='a b'; [[ $s =~ ^"a b"$ ]]; [[ $s =~ $s ]]; [[ "a.b" =~ "a.b" ]]; [[ x =~ a|(x) ]]; [[ a =~ [[:alpha:]]+ ]]; [[ ab =~ ^(a)"b" ]]`,
    String.raw`set -x; [[ a"*"b == a"*"b ]]; [[ x == "[a-z]" ]]; [[ é == "é" ]]; [[ $'a\nb' == $'a\nb' ]]; [[ a -nt b ]]; [[ ! a ]]; [[ ! -f x && ! a == b ]]; [[ ( a ) ]]; [[ a < b || a > b ]]; [[ ! ! a ]]; [[ a == @(a|b) ]]; [[ -o xtrace ]]`,
    `set -E; trap 'echo err' ERR; f() { false; }; f; echo after`,
    `set -Eeuo pipefail; trap 'echo err' ERR; f() { false; echo n; }; f; echo after`,
    `trap 'echo e' ERR; set -E; (false); x=$(false); echo $x; false | true; f() { g; }; g() { false; }; f; echo $-`,
    `set -o errtrace; [[ -o errtrace ]] && echo on; trap 'echo T' ERR; a() { trap 'echo U' ERR; false; }; a; false`,
    `bash -Ec 'trap "echo E" ERR; f() { false; }; f'`,
    `trap 'echo err' ERR; set -x; false; trap - ERR; trap "echo dq" EXIT; trap '' INT`,
    'set -x; (trap "echo bye" EXIT; echo in); x=$(trap "echo b2" EXIT; :); trap "echo top" EXIT; f() { trap "echo f" EXIT; }; (f); exit',
    "set -x; exec 3>&1 4>/dev/null; exec 3>&-; exec 2>&1; echo a; { echo b; } 2>/dev/null",
    "set -x; nosuch $(echo arg); cat < missing; echo on",
    "set -x; cat < $(echo miss2); echo $(echo w) > /dev/null 2>&1; echo x 2>/dev/null",
    `set -x; x=$(echo 1) echo $(echo 2); x=$(echo 1) y=$x true; e=; $e; x=1 $e; set -- nope 'B C'; "$@"`,
    `set -x; s='a b'; eval "echo p" ; eval 'echo "$s"'; eval; eval 'eval "echo nested"'; eval 'x=1; f() { echo $x; }'; f; eval 'f'`,
    "set -x; { echo in; } 2>/dev/null; { set +x; } 2>/dev/null; echo off; set -x; echo on; (set +x; echo sub); echo on; x=$(set +x; echo sub); echo $x",
    String.raw`set -x; command -v true; timeout 5 true; nice true; env true; builtin echo x; command echo y; \echo y; 'echo' z; nice -n 5 echo q`,
    String.raw`set -x; echo -- - -n; echo $'a\'b' "'" "a'"; x=\'; x="a'b"; x=$'\t'; x=$'\001'; x=é; x='#a'; x=a=b; x='!'; x=; x="a b"`,
    String.raw`set -x; echo a 'b c' "d'e" $'x\ny' '' "*" '~' a=b '[' 'é' "a\\b" -x {1..2} '!' '#' 'a#' '~a' 'a~' "a:~b" '=' '%' '{' '}' ',' 'a^b' '@' $'\t' $'\x01' ';' 'a=~' $'\x01 b'`,
    "set -x; let i++ 'i=2'; read -r v <<< \"$(echo rd)\"; printf -v out '%s' x; echo ${x:-$(echo d)} $((i+1)) $((i++))",
    'set -x; [ 1 = 1 ] && echo y; if [ 1 = 2 ]; then :; elif [[ 1 ]]; then echo elif; fi; i=3; while ((i-- > 1)); do echo $i; done; until [ "$i" -lt 5 ]; do :; done',
    `set -x; f() { echo f "$1"; return 3; }; f 'a b' || echo $?; x=1 f q; : "$(f)"; bash -c 'echo inner'`,
    `set -x; echo "$-"; y=$(($i)) ; set -- a b c; shift 2; unset 'a[1]'; set -e; set +e; set -o pipefail; set +o pipefail; false || true; getopts a o; PS4='> '; echo ps4; echo $(echo a); PS4=; echo b; PS4='é: '; echo $(echo c)`,
    "set -ex; false; echo no",
    "set -o xtrace; echo a; set +o xtrace; echo b",
    'set -x; wc -l < t.csv; for f in *.txt; do echo "$f"; done; x=$(cat t.csv); echo "${x%%,*}"; cd src; pwd; cd - >/dev/null; ls src nope',
    'set -x; shopt -s nullglob; true && echo yes || echo no; x+=b; x+=c echo "$x"; n=5; n+=1 true; pushd src; popd',
    'set -x; for f in a; do [ -e "$f" ] || continue; echo no; done; while true; do break; done; f() { for i in 1; do return 2; done; }; f; exit 4',
    'set -x; for i in 1 2; do echo $i; done > /dev/null 2>&1; if true; then echo a; fi 2>/dev/null; while read -r l; do echo "$l"; done < t.csv',
    "x=5; x=1 y=$x printenv y; x=2 y=$x true; f() { echo $y; }; x=3 y=$x f; echo $x$y",
    'cat 2>/dev/null < <(ls nope); cat < <(ls nope) 2>/dev/null; cat 2>/dev/null <<< "$(ls nope2)"; cat 2>/dev/null < $(ls nope3; echo /dev/null)',
  ],
  "statuses and matches": [
    'false | true | false; echo "${PIPESTATUS[@]}"; true; echo "${PIPESTATUS[*]}"',
    'grep -q nope src/a.ts | cat; st=("${PIPESTATUS[@]}"); echo "${st[0]} ${st[1]}"',
    "seq 3 | head -1 | (exit 4); r=${PIPESTATUS[2]}; echo $r",
    '[[ "v1.22.3" =~ ^v([0-9]+)\\.([0-9]+) ]] && echo "${BASH_REMATCH[1]} ${BASH_REMATCH[2]} ${#BASH_REMATCH[@]}"',
    're="([a-z]+)=([0-9]*)"; while read -r l; do [[ $l =~ $re ]] && echo "${BASH_REMATCH[2]}:${BASH_REMATCH[1]}"; done <<< $\'a=1\\nbb=\\n?\'',
    's=a1b22; while [[ $s =~ ([0-9]+) ]]; do echo "${BASH_REMATCH[1]}"; s=${s#*"${BASH_REMATCH[0]}"}; done',
    "RANDOM=42; echo $RANDOM $((RANDOM % 6 + 1)); a=(x y z); RANDOM=1; echo ${a[RANDOM % 3]}",
    'echo $- $BASH_VERSION; set -u; echo "${a[@]}" "${#a[@]}" 2>/dev/null; echo no',
    "declare -i n=2+3; n+=4; echo $n; declare -r c=1; (c=2) 2>/dev/null || echo ro; declare -l lo=ABC; declare -u up=abc; echo $lo $up",
    'let "x = 3 * 4" y=x+1; echo $x $y; let 0 || echo zero; ((a[2]=5, a[0]=1)); echo "${a[*]} ${!a[*]}"',
    "m=3; a=([m]=x [m+1]=y); declare -p a; i=0; a[i++]=p a[i++]=q; echo $i ${a[0]} ${a[1]}",
    'declare -n ref=target; target=5; ref=6; echo $target ${!ref}; arr=(1 2); declare -n r=arr; r+=(3); echo "${arr[@]}"',
    "readonly K=1; K=2; echo never",
    'a=(1 2 3); a[-1]=z; echo "${a[@]}"; echo "${a[-4]}"; echo "${a[7]}|"; unset a; echo "${#a[@]}"',
    'x=(a b); x=str; declare -p x; y=str; y+=(b); declare -p y; unset "y[0]"; echo "${y[@]}" "${!y[@]}"',
    'export E=1; E=(1 2); declare -p E; typeset -a l=(1 "2 3"); echo "${l[1]}"; declare -p nope; echo $?',
    "a=(\n  one # first\n  'two 2'\n)\necho \"${a[@]}\" $LINENO",
  ],
};

describe.each(Object.entries(BOOK))("%s", (_, lines) => {
  test.each(lines)("%s", async (line) => {
    skipWithout("bash");
    const env = { PATH: process.env["PATH"], HOME: directory, LC_ALL: "C.UTF-8" };
    const { stdout, stderr, status } = spawnSync("bash", ["--norc", "--noprofile", "-c", line], { cwd: directory, env, input: "" });
    const ours = await runLine(line, directory);
    expect(ours).toEqual({ kind: "ran", stdout: stdout.toString(), stderr: stderr.toString(), exit: status });
  });
});

describe("memory is bounded", () => {
  const shell = (): ShellState => new ShellState({ rootPath: "/", currentDirectory: "", previousDirectory: undefined, nowMs: 0, line: "" });
  const fill = (state: ShellState, name: string, count: number, text = ""): void => {
    for (let at = 0; at < count; at++) state.setElement(name, at, { text, typed: true });
  };
  test("by the number of elements, of all arrays together", () => {
    const state = shell();
    fill(state, "a", MOST_ELEMENTS - 1);
    state.setElement("m", 7, { text: "", typed: true });
    expect(() => state.setElement("m", 8, { text: "", typed: true })).toThrow(LimitReached);
    state.unset("a");
    fill(state, "m", 10);
  });
  test("by their text", () => {
    expect(() => fill(shell(), "a", 40, "x".repeat(1 << 20))).toThrow(/characters in variables/);
  });
  test("in subshells, which copy what they change", () => {
    const state = shell();
    fill(state, "a", MOST_ELEMENTS / 2);
    const subshells = [1, 2, 3, 4].map(() => state.copy());
    for (const each of subshells) each.setElement("a", 0, { text: "y", typed: true });
    expect(state.get("a")?.text).toBe("");
    const next = state.copy();
    expect(() => next.setElement("a", 0, { text: "y", typed: true })).toThrow(/subshells/);
    for (const each of subshells) each.release();
    state.copy().setElement("a", 0, { text: "y", typed: true });
  });
});
