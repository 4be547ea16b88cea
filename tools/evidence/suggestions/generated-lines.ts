/** Lines that a server would refuse, made at random in the manner of what agents type; the same ones for the same seed. */

/** The files of the tree that they run in (small-tree.ts). */
const FILES = ["app.log", "data.json", "notes.md", "src/a.ts", "src/b.ts", "table.csv", "words.txt", "src/deep/c.ts"];
const TEXTS = ["a.ts", "ERROR", "TODO", "import", "one", "name", "export", "x"];

export function* generatedLines(seed: number, count: number): Iterable<string> {
  const random = new Random(seed);
  for (let made = 0; made < count; made++) yield random.of(KINDS)(random);
}

class Random {
  #state: number;
  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** mulberry32 */
  below(limit: number): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  }

  of<T>(choices: readonly T[]): T {
    return choices[this.below(choices.length)] as T;
  }

  file(): string {
    return this.of(FILES);
  }

  text(): string {
    return this.of(TEXTS);
  }

  /** A line that reads. */
  reading(): string {
    return this.of([
      () => `cat ${this.file()}`,
      () => `grep -n ${this.text()} ${this.file()}`,
      () => `grep -rn ${this.text()} src`,
      () => `ls src`,
      () => `head -n ${1 + this.below(5)} ${this.file()}`,
      () => `sort ${this.file()} | uniq -c`,
      () => `find src -name '*.ts'`,
      () => `wc -l src/*.ts`,
      () => `awk '{ print $1 }' ${this.file()}`,
      () => `false`,
      () => `git log --oneline`,
    ])();
  }
}

const KINDS: readonly ((random: Random) => string)[] = [
  // Programs that are not there.
  (r) =>
    `${r.of(["eza", "exa", "lsd", "ag", "ack", "gsed -n 1p", "ggrep x", "ghead -n 2", "colordiff src/a.ts", "dir", "xmllint", "csvlook", "md5", "pv", "zless", "zmore", "iconv -f utf8", "dos2unix", "sponge", "cloc", "tokei", "batcat", "vim", "nano", "view"])} ${r.file()}`,
  (r) =>
    `${r.of(["npm test", "npm run build", "pip install x", "cargo test", "make", "go test ./...", "pytest -q", "tsc --noEmit", "node src/a.ts", "docker ps", "curl -s https://example.org/", "wget -q https://example.org/a", "ps aux", "kill 1", "top -b -n 1", "df -h", "free -m", "uptime", "lsof -i", "man ls", "info ls", "whatis ls", "locate a.ts", "apropos list", "clear", "tput cols", "stty size", "sync", "uuidgen", "cal", "locale", "arch", "getconf PAGE_SIZE"])}`,
  (r) =>
    `${r.of(["sudo", "sudo -u root", "doas", "nice -n 5", "nohup", "time -p", "timeout -v 5", "stdbuf -i0", "watch -n 1", "ionice -c 3", "chronic", "command -p", "setsid", "/usr/bin/env", "exec", "strace"])} ${r.reading()}`,
  (r) =>
    `/${r.of(["usr/bin", "bin", "usr/local/bin"])}/${r.of(["ls src", "grep -c x words.txt", "cat notes.md", "wc -l app.log", "sort words.txt", "which ls"])}`,
  (r) => `${r.of(["gerp", "grpe", "car", "lss", "fnid", "heda", "shelpa"])} ${r.text()} ${r.file()}`,
  // Other shells.
  (r) => `${r.of(["zsh", "fish", "dash", "ksh"])} -c '${r.reading().replaceAll("'", '"')}'`,
  (r) => `${r.of(["source", "."])} ${r.file()}`,
  // Scripts in another language.
  (r) =>
    `python3 -m json.tool ${r.of(["data.json", "< data.json", "data.json | head -n 5", "--indent 2 data.json", "--sort-keys data.json", "--compact data.json", "no.json", "words.txt"])}`,
  () => `cat data.json | python3 -m json.tool`,
  (r) =>
    `python3 -c '${r.of([
      'import json; print(json.load(open("data.json"))["name"])',
      'import json,sys; print(json.load(sys.stdin)["name"])',
      'import json; print(json.load(open("data.json"))["version"])',
      'import json; print(len(json.load(open("data.json"))["items"]))',
      'import json; print(list(json.load(open("data.json")).keys()))',
      'import json; d = json.load(open("data.json")); print(d["nested"]["key"])',
      "print(1+2)",
      'print(open("words.txt").read())',
      "import sys; print(sys.version)",
    ])}'${r.of(["", " < data.json", ""])}`,
  (r) =>
    `node -${r.of(["p", "pe"])} ${r.of([
      `'require("./data.json").name'`,
      `"require('./data.json').version"`,
      `'require("./data.json").items.length'`,
      `'Object.keys(require("./data.json"))'`,
      "'1+2'",
      `'require("fs").readFileSync("words.txt", "utf8")'`,
      `'JSON.stringify(require("./data.json").items)'`,
    ])}`,
  (r) => `node -e '${r.of(['console.log(require("./data.json").name)', "console.log(1)", "console.log(process.version)"])}'`,
  (r) =>
    `perl ${r.of([
      `-ne 'print if /${r.text()}/'`,
      `-ne 'print unless /${r.text()}/'`,
      `-ne 'print if 2..4'`,
      `-ne 'print "$.: $_"'`,
      `-pe 's/${r.text()}/Y/'`,
      `-pe 's/${r.text()}/Y/g'`,
      `-pi -e 's/${r.text()}/Y/g'`,
      `-i -pe 's/${r.text()}/Y/'`,
      `-lane 'print $F[0]'`,
      `-0777 -ne 'print length'`,
      `-ne 'print $1 if /(\\w+)/'`,
    ])} ${r.file()}`,
  (r) => `ruby -ne 'puts $_ if /${r.text()}/' ${r.file()}`,
  // Redirections.
  (r) =>
    `${r.reading()} ${r.of([">", ">>", ">|", "&>", "2>", "&>>", "2>>"])} ${r.of(["out.txt", "new/out.txt", "words.txt", "../out.txt", "/tmp/out.txt", "'a b.txt'", "/etc/x"])}`,
  (r) => `${r.reading()} > out.txt 2>&1${r.of(["", " && cat out.txt", "; echo $?", " || echo no", "; wc -l out.txt"])}`,
  (r) =>
    `${r.of(["for f in src/*.ts; do wc -l $f; done > out.txt", "{ echo a; echo b; } > out.txt", "(cd src && ls) > out.txt", 'while read -r l; do echo "$l"; done < words.txt > out.txt', "n=0; while read -r l; do n=$((n+1)); done < words.txt > out.txt; echo $n", "if true; then ls; fi > out.txt", "> empty.txt", ": > words.txt", "echo a > one.txt; echo b > two.txt", "cat <<EOF > out.txt\na\nb\nEOF", "ls > out.txt | wc -l", "cat < words.txt > out.txt", "set -- src/*.ts; echo $# > out.txt", "printf '%s\\n' a b >> words.txt", "cd src && ls > ../out.txt", "grep zzz words.txt > out.txt", "ls nope > out.txt 2> err.txt", "awk '{print > \"out.txt\"}' words.txt", "awk '{ print $1 | \"sort\" }' words.txt", "exec > out.txt; ls", "echo x | tee /dev/stderr", "gzip -c words.txt > words.gz", "sort words.txt > words.txt", "tr a b < words.txt > out.txt"])}`,
  // Outside.
  (r) =>
    `${r.of(["cat", "head -n 3", "ls", "wc -l", "grep x", "ls -la", "stat", "find"])} ${r.of(["/etc/passwd", "/etc/hostname", "..", "../other", "/", "/home/user/project/src/a.ts", "~root/x", "/nonexistent/words.txt", "/var/log", "/proc/cpuinfo", "$HOME/../x"])}`,
  (r) => `echo x | tee ${r.of(["/tmp/../etc/x", "/etc/x", "../x", "/var/x", ".git/config", ".git/hooks/pre-commit"])}`,
  (r) => `cd ${r.of(["/etc", "..", "/home/user/project", "/usr", "../.."])} && ls`,
  // The shell's own.
  (r) => `${r.reading()} &${r.of(["", " wait", " echo done", " pid=$!; wait $pid", " sleep 0.1; ls src"])}`,
  (r) =>
    `${r.of(["echo $$", "echo $PPID", "echo $!", "echo $UID", "echo $HOSTNAME", "echo ${!x@}", "x=ls; echo ${x@P}", "select x in a b; do echo $x; done", "coproc ls", "echo $SRANDOM", "declare -f", "export -p", "set", "declare -p", "ls | tee >(wc -l)", "ls ~root", "echo {a..Z}", "ls !(a)", "echo $[1+1]", "time time ls", "a=1 b=(1 2) ls", "trap 'echo x' INT", "bind -p", "history", "fc -l", "enable -n ls", "alias ll='ls -l'; ll", "pushd src; ls; popd", "ulimit -a", "jobs", "fg", "disown", "suspend", "logout", "caller", "hash -r", "times", "umask 022"])}`,
  (r) =>
    `${r.of(["LC_ALL=de_DE.UTF-8", "POSIXLY_CORRECT=1", "COLUMNS=40", "TZ=Nowhere/None", "LS_COLORS=x", "GREP_OPTIONS=-n", "TIME_STYLE=+%F", "CDPATH=src", "GREP_COLORS=mt=1", "BLOCK_SIZE=1", "LANG=fr_FR.UTF-8", "AWKPATH=src"])} ${r.reading()}`,
  (r) => `x=$(${r.of(["curl -s x", "node -p 1", "sudo ls", "date +%s", "python3 -c 'print(1)'"])}); echo "$x"; ${r.reading()}`,
  (r) =>
    `${r.of(["eval", "xargs", "find . -name '*.ts' | xargs"])} ${r.of(["$(cat words.txt)", "sh -c 'echo $0'", "node -p 1", "sudo wc -l", "perl -ne print", "-P 4 -I{} python3 {}"])}`,
  (r) =>
    `find . -name '*.ts' -exec ${r.of(["node {} \\;", "prettier --write {} +", "sh -c 'echo \"$1\"' _ {} \\;", "sh -c 'wc -l {}' \\;", "sudo cat {} \\;", "chmod +x {} \\;", "perl -ne 'print if /x/' {} +"])}`,
  (r) =>
    `find . ${r.of(["-name '*.ts' -ok rm {} \\;", "-fls out.txt", "-fprint out.txt", "-newermt yesterday -fprint0 o", "-name '*.ts' -fprintf out.txt '%p\\n'"])}`,
  // Flags that are not done.
  (r) =>
    `${r.of(["tail -f", "tail -F", "tail -n 5 -f", "head --lins=2", "cat --nope", "wc --wrods", "less +F", "less -o out.txt", "bat --diff", "bat -A", "file -i", "file -C", "file -z", "strings -n", "xxd -r -p", "hexdump -e", "sort --parallel", "sort --files0-from=-", "sort --debug", "column -R", "shuf -o out.txt", "uniq --group=x", "tree -o out.txt", "tree -C", "tree --info", "touch -h", "gzip -l", "gzip", "gzip -9", "gzip -dk", "gunzip", "cksum --debug", "shasum -U", "base64 --nope", "date -s", "date -f", "du --files0-from=-", "split", "csplit", "truncate -s 0", "dd if=", "ln -s", "install -m 644", "chmod 644", "chown me", "unlink", "shred", "rename", "patch -b", "ed"])} ${r.file()}`,
  (r) =>
    `${r.of(["rg -z", "rg --pre cat", "rg --pre-glob x", "rg --hyperlink-format x", "rg --no-such", "rg -P '(?<n>a)\\k<n>'", "rg -UP 'a(?=\\s+b)'", "grep --perl", "grep -z -P", "grep --color=always", "grep --binary-files=x", "grep -rP 'a(?=b)'", "fd -x node", "fd -X vim", "fd --exec-batch code", "fd --color=always", "ag -l", "ack -l", "git grep -P"])} ${r.of([r.text(), `${r.text()} src`])}`,
  (r) =>
    `${r.of(["sed -i.bak", "sed -z", "sed -s", "sed --debug", "sed -n --posix", "sed -u"])} '${r.of(["s/one/two/", "2d", "s/one/two/w out.txt", "1e date", "s/x/date/e", "2r words.txt", "5q3", "$!N;P;D"])}' ${r.file()}`,
  (r) =>
    `${r.of(["rm -i", "rm -I", "rm -rf", "mv -i", "mv -b", "cp -i", "cp -b", "cp -l", "cp -s", "cp --reflink=always", "mv -S .bak", "cp --parents", "mkdir -Z", "cp -a --context=x", "install", "ln", "ln -sf", "rsync -a"])} ${r.file()} ${r.of(["copy.txt", "src/", "new/"])}`,
  (r) =>
    `${r.of(["tar xzf a.tgz", "tar -cf a.tar src", "tar tf a.tgz --wildcards '*.ts'", "tar -xf a.tgz -C src", "tar tvzf a.tgz", "unzip a.zip", "unzip -o a.zip -d new", "zip -r a.zip src", "unzip -Z a.zip", "bzip2 words.txt", "xz -d words.xz", "zstd words.txt", "7z l a.zip", "gzip -c words.txt", "gzip -l words.txt", "zcat -r src", "zgrep -r x ."])}`,
  // git
  (r) =>
    `git ${r.of(["add -A", "commit -m x", "checkout -- words.txt", "checkout -b x", "switch main", "restore words.txt", "reset --hard", "reset HEAD words.txt", "stash", "stash pop", "push", "pull", "fetch", "clone x", "rebase main", "merge main", "clean -fd", "apply x.patch", "apply < x.patch", "apply --check x.patch", "bisect start", "submodule status", "format-patch -1", "range-diff A B", "show-branch", "count-objects -v", "ls-remote", "gc", "archive HEAD", "worktree list", "log -S one", "log -G one", "log -L 1,2:words.txt", "log --graph --oneline", "log --format=email", "show --format=email HEAD", "diff --word-diff", "diff -B --stat HEAD~1 HEAD -- src", "diff --color-words", "diff --ext-diff", "diff --no-index src/a.ts src/b.ts", "diff --dirstat", "diff --submodule", "diff -O x", "blame -L 1,2 words.txt --incremental", "log --show-signature", "log --no-such", "-C src status", "--no-pager log --oneline", "--git-dir=.git log --oneline", "-c color.ui=always status", "tag v1", "branch new", "branch -d x", "config user.name x", "config --edit", "remote add a b", "reflog expire", "fsck", "help log", "var -l", "notes show", "describe --all --dirty", "rev-parse --parseopt", "shortlog", "grep -O x", "mergetool", "status --ignored=matching", "rev-list --bisect HEAD", "cat-file --textconv HEAD:words.txt", "log --stdin", "am x.patch", "cherry-pick HEAD", "revert HEAD", "update-index --refresh", "hash-object words.txt", "log -p --ext-diff", "show --textconv", "whatchanged"])}`,
  // Others.
  (r) =>
    `${r.of(["jq --stream . data.json", "jq -f prog.jq data.json", "jq . --seq data.json", "jq '.items[' data.json", "jq --no-such . data.json", "jq --indent 9 . data.json", "yq . data.json", "jq input_line_number data.json", "jq -C . data.json", "jq --yaml . data.json", "jq --args . data.json a", "jq -L src . data.json"])}`,
  (r) =>
    `awk '${r.of(['{ print | "sort" }', '{ print > "out.txt" }', '{ system("wc -l " $1) }', '{ "date" | getline d; print d }', '@include "x"; { print }', 'BEGIN { while (("node -p 1" | getline x) > 0) print x }', "{ print | cmd }", 'BEGIN { printf "%s\\n", ENVIRON["HOME"] }'])}' ${r.of([r.file(), "src/*.ts"])}`,
  (r) =>
    `${r.of(["date -s 2020-01-01", "date -f words.txt", "date %F", "date 01010000", "hostname -I", "hostname x", "id -Z", "nproc --all", "uname -x", "whoami x", "bc -i", "bc -l -q x", "seq -f %d 3", "env -i ls", "env -S 'ls -l'", "env -u A -C src ls", "command -V ls", "type -a -x ls", "mktemp --tmpdir=/var x", "mktemp -p /etc", "shopt -s globasciiranges", "set -o vi", "set -x; ls", "set -euxo pipefail; ls src", "mapfile -c 1 -C echo a < words.txt", "read -e x", "read -s x", "read -u 9 x", "printf -v", "diff --color=always src/a.ts src/b.ts", "diff --from-file=src/a.ts src/b.ts", "diff -l src/a.ts src/b.ts", "diff --help=x", "sdiff src/a.ts src/b.ts", "vimdiff src/a.ts src/b.ts", "colordiff src/a.ts src/b.ts", "diff3 src/a.ts src/b.ts words.txt", "comm -x src/a.ts src/b.ts", "join --nope a b", "parallel wc -l ::: src/a.ts", "ls | parallel wc -l", "xargs -p echo < words.txt", "xargs -o echo < words.txt", "xargs --process-slot-var=A echo < words.txt", "column -t -s, -T 1 table.csv", "tree -H . src", "tree --fromfile words.txt", "tree -L", "stat -f words.txt", "stat -c %w words.txt", "stat -Z words.txt", "ls --hyperlink src", "ls -Z src", "ls --color=always src", "ls --dired src", "ls -D src"])}`,
];
