/** A book of the functions and idioms that people write in bash, as they type them: rows that bash itself answers the same (npm run test:reference). */
import { describe } from "vitest";
import { lineCases } from "../cases.ts";

const FILES = { "a.txt": "one\ntwo words\nthree\n", "b.txt": "x 1\ny 2\n" };

const LINES = [
  { command: "seq 3 | awk -f <(echo '{s+=$1}') -f <(echo 'END{print s}')", stdout: "6\n" },
  {
    command:
      'trim() { local s=$1; s=${s#"${s%%[![:space:]]*}"}; s=${s%"${s##*[![:space:]]}"}; printf \'%s\' "$s"; }; echo "[$(trim \'  a b  \')]"',
    stdout: "[a b]\n",
  },
  { command: 'ltrim() { echo "${1#"${1%%[! ]*}"}"; }; ltrim \'   x y \'', stdout: "x y \n" },
  {
    command: 'split() { local IFS=$2; read -ra parts <<< "$1"; printf \'<%s>\\n\' "${parts[@]}"; }; split a:b::c :',
    stdout: "<a>\n<b>\n<>\n<c>\n",
  },
  { command: "join_by() { local d=$1 f=$2; shift 2; printf '%s' \"$f\" \"${@/#/$d}\"; echo; }; join_by ', ' a b c", stdout: "a, b, c\n" },
  {
    command: 'contains() { case $1 in *"$2"*) return 0;; esac; return 1; }; contains hello ell && echo yes; contains hello x || echo no',
    stdout: "yes\nno\n",
  },
  {
    command:
      'in_array() { local x=$1; shift; for e; do [[ $e == "$x" ]] && return 0; done; return 1; }; a=(x y z); in_array y "${a[@]}" && echo found; in_array q "${a[@]}" || echo missing',
    stdout: "found\nmissing\n",
  },
  { command: 'repeat() { printf "%0.s$1" $(seq 1 "$2"); echo; }; repeat ab 3', stdout: "ababab\n" },
  { command: 'upper() { echo "${1^^}"; }; lower() { echo "${1,,}"; }; upper aBc; lower aBc', stdout: "ABC\nabc\n" },
  {
    command: 'basename2() { local p=${1%/}; echo "${p##*/}"; }; dirname2() { echo "${1%/*}"; }; basename2 /a/b/c.txt; dirname2 /a/b/c.txt',
    stdout: "c.txt\n/a/b\n",
  },
  { command: 'ext() { echo "${1##*.}"; }; stem() { local b=${1##*/}; echo "${b%.*}"; }; ext x.tar.gz; stem a/b.c.d', stdout: "gz\nb.c\n" },
  {
    command:
      'queue=(); push() { queue+=("$1"); }; pop() { out=${queue[0]}; queue=("${queue[@]:1}"); }; push a; push b; pop; echo "$out ${#queue[@]}"',
    stdout: "a 1\n",
  },
  {
    command:
      'stack=(); push() { stack+=("$1"); }; pop() { out=${stack[-1]}; unset \'stack[-1]\'; }; push a; push b; pop; echo "$out ${#stack[@]} ${stack[*]}"',
    stdout: "b 1 a\n",
  },
  {
    command:
      "declare -A count; while read -r w; do ((count[$w]++)); done <<< $'a\\nb\\na\\nc\\na'; for k in $(printf '%s\\n' \"${!count[@]}\" | sort); do echo \"$k=${count[$k]}\"; done",
    stdout: "a=3\nb=1\nc=1\n",
  },
  {
    command: 'declare -A m=([one]=1 [two]=2); for k in one two three; do echo "$k -> ${m[$k]:-none}"; done',
    stdout: "one -> 1\ntwo -> 2\nthree -> none\n",
  },
  {
    command:
      'declare -A seen; uniq_words() { local w; for w; do [[ ${seen[$w]} ]] || { seen[$w]=1; echo "$w"; }; done; }; uniq_words a b a c b',
    stdout: "a\nb\nc\n",
  },
  {
    command: "reverse() { local i; for ((i=${#1}-1; i>=0; i--)); do printf '%s' \"${1:i:1}\"; done; echo; }; reverse hello",
    stdout: "olleh\n",
  },
  {
    command: 'palindrome() { [[ $1 == "$(rev <<< "$1")" ]]; }; palindrome level && echo yes; palindrome ab || echo no',
    stdout: "yes\nno\n",
  },
  { command: "gcd() { local a=$1 b=$2; while ((b)); do ((a%=b, a^=b, b^=a, a^=b)); done; echo $a; }; gcd 48 36", stdout: "12\n" },
  { command: "pow() { local r=1 i; for ((i=0;i<$2;i++)); do ((r*=$1)); done; echo $r; }; pow 2 10", stdout: "1024\n" },
  {
    command: 'hanoi() { (( $1 )) || return; hanoi $(($1-1)) $2 $4 $3; echo "$2->$3"; hanoi $(($1-1)) $4 $3 $2; }; hanoi 2 A C B',
    stdout: "A->B\nA->C\nB->C\n",
    exit: 1,
  },
  {
    command: "collatz() { local n=$1 s=0; until ((n==1)); do ((n = n%2 ? 3*n+1 : n/2, s++)); done; echo $s; }; collatz 27",
    stdout: "111\n",
  },
  {
    command:
      'bubble() { local -a a=("$@"); local i j t; for ((i=0;i<${#a[@]};i++)); do for ((j=0;j<${#a[@]}-i-1;j++)); do ((a[j]>a[j+1])) && { t=${a[j]}; a[j]=${a[j+1]}; a[j+1]=$t; }; done; done; echo "${a[@]}"; }; bubble 5 2 9 1',
    stdout: "1 2 5 9\n",
  },
  {
    command:
      "primes() { local n i; for ((n=2;n<=$1;n++)); do for ((i=2;i*i<=n;i++)); do ((n%i)) || continue 2; done; printf '%d ' $n; done; echo; }; primes 30",
    stdout: "2 3 5 7 11 13 17 19 23 29 \n",
  },
  { command: "bin() { local n=$1 s=; while ((n)); do s=$((n%2))$s; ((n/=2)); done; echo ${s:-0}; }; bin 10; bin 0", stdout: "1010\n0\n" },
  { command: "hex() { printf '%x\\n' \"$1\"; }; dec() { echo $((16#$1)); }; hex 255; dec ff", stdout: "ff\n255\n" },
  { command: "sum() { local t=0 n; for n; do ((t+=n)); done; echo $t; }; sum 1 2 3; sum", stdout: "6\n0\n" },
  { command: "avg() { local t=0 n; for n; do t=$((t+n)); done; echo $((t/$#)); }; avg 2 4 6", stdout: "4\n" },
  { command: "max() { local m=$1 n; for n; do ((n>m)) && m=$n; done; echo $m; }; max 3 17 5", stdout: "17\n" },
  { command: 'range() { local i; for ((i=$1;i<=$2;i+=${3:-1})); do echo -n "$i "; done; echo; }; range 1 10 3', stdout: "1 4 7 10 \n" },
  {
    command:
      'parse() { local verbose=0 file= rest=(); while (($#)); do case $1 in -v|--verbose) verbose=1;; -f|--file) file=$2; shift;; --file=*) file=${1#*=};; --) shift; rest+=("$@"); break;; -*) echo "unknown: $1" >&2; return 2;; *) rest+=("$1");; esac; shift; done; echo "v=$verbose f=$file r=${rest[*]}"; }; parse -v --file=x a -- -b; parse -q; echo $?',
    stdout: "v=1 f=x r=a -b\n2\n",
    stderr: "unknown: -q\n",
  },
  {
    command:
      'opts() { local OPTIND=1 o a= b=; while getopts \':ab:\' o; do case $o in a) a=1;; b) b=$OPTARG;; :) echo "need $OPTARG"; return 1;; ?) echo "bad $OPTARG"; return 2;; esac; done; shift $((OPTIND-1)); echo "a=$a b=$b $*"; }; opts -a -b x y; opts -b; opts -z; opts -ab5 q',
    stdout: "a=1 b=x y\nneed b\nbad z\na=1 b=5 q\n",
  },
  {
    command: 'die() { echo "error: $*" >&2; return 1; }; check() { [[ -f $1 ]] || die "no $1"; }; check a.txt; check nope || echo failed',
    stdout: "failed\n",
    stderr: "error: no nope\n",
  },
  {
    command: "default() { local x=${1:-def}; local y=${2-unset}; echo \"$x $y ${3:+given}\"; }; default; default '' ''; default a b c",
    stdout: "def unset \ndef  \na b given\n",
  },
  { command: "require() { : \"${1:?missing argument}\"; echo ok; }; require x; (require '') 2>/dev/null; echo $?", stdout: "ok\n1\n" },
  { command: "swap() { local -n p=$1 q=$2; local t=$p; p=$q; q=$t; }; a=1 b=2; swap a b; echo $a $b", stdout: "2 1\n" },
  { command: 'append() { local -n arr=$1; shift; arr+=("$@"); }; l=(1); append l 2 3; echo "${l[@]}"', stdout: "1 2 3\n" },
  { command: 'getter() { local __r=$1; printf -v "$__r" \'%s\' "value of $2"; }; getter out key; echo "$out"', stdout: "value of key\n" },
  {
    command: 'with_ifs() { local IFS=,; echo "$*"; }; with_ifs a b c; echo "[$IFS]" | od -c | head -1',
    stdout: "a,b,c\n0000000   [      \\t  \\n   ]  \\n\n",
  },
  { command: 'lines() { local n=0; while IFS= read -r _; do ((n++)); done < "$1"; echo $n; }; lines a.txt', stdout: "3\n" },
  { command: 'field() { awk -v n="$1" \'{print $n}\' "$2"; }; field 2 b.txt', stdout: "1\n2\n" },
  { command: 'nth() { sed -n "${1}p" "$2"; }; nth 2 a.txt', stdout: "two words\n" },
  {
    command: 'longest() { local l= x; while IFS= read -r x; do ((${#x} > ${#l})) && l=$x; done < a.txt; echo "$l"; }; longest',
    stdout: "two words\n",
  },
  {
    command: 'mapfile -t ls < a.txt; for i in "${!ls[@]}"; do printf \'%d:%s\\n\' $((i+1)) "${ls[i]}"; done',
    stdout: "1:one\n2:two words\n3:three\n",
  },
  { command: "mapfile -t sorted < <(printf '%s\\n' c a b | sort); echo \"${sorted[@]}\"", stdout: "a b c\n" },
  {
    command: "while IFS='=' read -r k v; do declare \"cfg_$k=$v\"; done <<< $'host=h\\nport=80'; echo \"$cfg_host:$cfg_port\"",
    stdout: "h:80\n",
  },
  { command: "while read -r -d, x || [[ $x ]]; do echo \"<$x>\"; done <<< 'a,b,c'", stdout: "<a>\n<b>\n<c>\n" },
  { command: "IFS=, read -r first rest <<< 'a,b,c'; echo \"$first|$rest\"", stdout: "a|b,c\n" },
  { command: "read -r -d '' text <<'Q' || true\none\ntwo\nQ\necho \"$text\" | wc -l", stdout: "2\n" },
  {
    command: "[[ '2024-05-06' =~ ^([0-9]+)-([0-9]+)-([0-9]+)$ ]] && echo \"${BASH_REMATCH[3]}/${BASH_REMATCH[2]}/${BASH_REMATCH[1]}\"",
    stdout: "06/05/2024\n",
  },
  {
    command:
      're=\'([a-z]+)([0-9]+)\'; s=ab12cd34; while [[ $s =~ $re ]]; do echo "${BASH_REMATCH[1]}:${BASH_REMATCH[2]}"; s=${s#*"${BASH_REMATCH[0]}"}; done',
    stdout: "ab:12\ncd:34\n",
  },
  { command: 's=\'a b c\'; echo "${s// /_}" "${s/b/[&]}" "${#s}"; set -- $s; echo $# "${!#}"', stdout: "a_b_c a [b] c 5\n3 c\n" },
  {
    command: 'f() { echo "args: $#"; printf \'[%s]\' "$@"; echo; }; f "$@"; f "a b" \'\' c; f $(echo x y)',
    stdout: "args: 0\n[]\nargs: 3\n[a b][][c]\nargs: 2\n[x][y]\n",
  },
  {
    command: 'outer() { local v=1; inner; echo "outer $v"; }; inner() { v=2; local w=3; }; outer; echo "[${v-}] [${w-}]"',
    stdout: "outer 2\n[] []\n",
  },
  { command: "counter() { local n=${1:-3}; ((n)) || return 0; echo $n; counter $((n-1)); }; counter", stdout: "3\n2\n1\n" },
  { command: 'cleanup() { echo "cleanup $?"; }; (trap cleanup EXIT; exit 3); echo "status $?"', stdout: "cleanup 3\nstatus 3\n" },
  {
    command:
      'retry() { local n=$1 i; shift; for ((i=1;i<=n;i++)); do "$@" && return; echo "try $i"; done; return 1; }; retry 2 test -f nope; echo $?',
    stdout: "try 1\ntry 2\n1\n",
  },
  {
    command: 'map() { local f=$1 x; shift; for x; do "$f" "$x"; done; }; double() { echo $(($1*2)); }; map double 1 2 3',
    stdout: "2\n4\n6\n",
  },
  {
    command:
      'filter() { local p=$1 x; shift; for x; do "$p" "$x" && echo "$x"; done; return 0; }; even() { (( $1 % 2 == 0 )); }; filter even 1 2 3 4',
    stdout: "2\n4\n",
  },
  {
    command:
      'fold() { local f=$1 acc=$2 x; shift 2; for x; do acc=$("$f" "$acc" "$x"); done; echo "$acc"; }; add() { echo $(($1+$2)); }; fold add 0 1 2 3',
    stdout: "6\n",
  },
  { command: "compose() { eval 'echo \"<$1>\"'; }; compose 'a b'; cmd=(printf '%s-'); \"${cmd[@]}\" x y; echo", stdout: "<a b>\nx-y-\n" },
  {
    command:
      "case_of() { case $1 in [0-9]*) echo num;; [a-z]*|[A-Z]*) echo word;; '') echo empty;; *) echo other;; esac; }; for x in 1a Zb '' '#'; do case_of \"$x\"; done",
    stdout: "num\nword\nempty\nother\n",
  },
  { command: 'plural() { echo "$1 file$( (($1 == 1)) || echo s)"; }; plural 1; plural 2', stdout: "1 file\n2 files\n" },
  { command: 'pad() { printf \'%-6s|%6s|%06.2f\\n\' "$1" "$2" "$3"; }; pad ab cd 3.14159', stdout: "ab    |    cd|003.14\n" },
  { command: "table() { local IFS=$'\\t'; printf '%s\\n' \"$*\"; }; table a b c | cut -f2", stdout: "b\n" },
  { command: 'csv() { local IFS=, f; for f in $1; do echo "$f"; done; }; csv a,b,,c', stdout: "a\nb\n\nc\n" },
  { command: "tobytes() { printf '%s' \"$1\" | od -An -tx1 | tr -d ' \\n'; echo; }; tobytes AZ", stdout: "415a\n" },
];

describe("as bash", () => lineCases(LINES.map((row) => ({ name: row.command, files: FILES, ...row }))));
