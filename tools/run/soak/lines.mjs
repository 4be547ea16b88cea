/** Lines that the clients ask for, with the answers that must come back. Every line prints something of its own, so that an answer that went astray is seen. */

const LINES = [
  { weight: 40, of: (id) => ({ command: `grep -c ERROR app.log; echo call ${id}`, stdout: `715\ncall ${id}\n` }) },
  { weight: 10, of: (id) => ({ command: `tail -n 2 app.log | awk '{print $1, "${id}"}'`, stdout: `4998 ${id}\n4999 ${id}\n` }) },
  { weight: 4, of: (id) => ({ command: `rg -c ERROR big.log && echo ${id}`, stdout: `2858\n${id}\n` }) },
  { weight: 8, of: (id) => ({ command: `find src -name 'f3.ts' | wc -l; echo ${id}`, stdout: `40\n${id}\n` }) },
  { weight: 1, of: (id) => ({ command: `jq '.items | length' data.json; echo ${id}`, stdout: `100\n${id}\n` }) },
  { weight: 5, of: (id) => ({ command: `sort -rn app.log | head -1 | cut -d' ' -f1; echo ${id}`, stdout: `4999\n${id}\n` }) },
  { weight: 5, of: (id) => ({ command: `for i in 1 2 3; do echo $i; done | paste -sd+; x=${id}; echo "$x"`, stdout: `1+2+3\n${id}\n` }) },
  { weight: 5, of: (id) => ({ command: `sed -n '3p;5q' app.log; echo ${id}`, stdout: `2 info line of the log\n${id}\n` }) },
  { weight: 4, of: (id) => ({ command: `yes ${id} | head -3 | sort -u`, stdout: `${id}\n` }) },
  { weight: 4, of: (id) => ({ command: `rm -rf /; echo ${id}`, reason: "DISALLOWED_CMD" }) },
  { weight: 4, of: (id) => ({ command: `cat ../../etc/passwd; echo ${id}`, reason: "PATH_ESCAPE" }) },
  { weight: 4, of: (id) => ({ command: `ls 'unclosed ${id}`, reason: "PARSE" }) },
  { weight: 3, of: (id) => ({ command: `cat no-such-${id}`, stdout: "" }) },
  { weight: 3, of: (id) => ({ command: `cd src/d1 && cat f1.ts; echo ${id}`, cwd: ".", stdout: `export const value1 = 1;\n${id}\n` }) },
  { weight: 2, of: (id) => ({ command: `tee out/${id % 97}.txt`, stdin: `written ${id}\n`, stdout: `written ${id}\n` }) },
  { weight: 1, of: (id) => ({ command: `tee -a out/log-${id % 7}.txt | wc -l`, stdin: `appended ${id}\n`, stdout: "1\n" }) },
  { weight: 1, of: (id) => ({ command: `sleep 20; echo ${id}`, cancelled: true }) },
  { weight: 0.3, of: (id) => ({ command: `seq 1 20000 | sed 's/^/${id} /'`, isLong: true }) },
  { weight: 0.02, of: (id) => ({ command: `while :; do :; done; echo ${id}`, timeout: 1, reason: "LIMIT_TIME" }) },
  {
    weight: 0.01,
    of: (id) => ({ command: `awk 'BEGIN { while (1) a[i++] = i "xxxxxxxxxxxxxxxxxxxxxxx" }'; echo ${id}`, timeout: 8, reason: "LIMIT_" }),
  },
  { weight: 0.1, of: (id) => ({ command: `sort -k3,3 -k1,1nr big.log | tail -1 | wc -w; echo ${id}`, stdout: `6\n${id}\n` }) },
];
const TOTAL = LINES.reduce((sum, { weight }) => sum + weight, 0);

/** Of a client's turn: the same in every run. */
export function lineOf(turn, lane) {
  let left = mixed(turn * 64 + lane) * TOTAL;
  for (const { weight, of } of LINES) {
    left -= weight;
    if (left < 0) return of(turn * 64 + lane);
  }
  return LINES[0].of(turn);
}

function mixed(value) {
  let state = Math.imul(value ^ 0x9e3779b9, 0x85ebca6b);
  state = Math.imul(state ^ (state >>> 13), 0xc2b2ae35);
  return ((state ^ (state >>> 16)) >>> 0) / 4294967296;
}

/** undefined where the answer to `line` is as it should be. */
export function wrongAnswer(line, { error, content }) {
  if (error !== undefined) return String(error);
  const refusal = content?.error;
  if (line.reason !== undefined) {
    return refusal?.reason?.startsWith(line.reason) === true || (refusal?.code ?? "").startsWith(line.reason)
      ? undefined
      : JSON.stringify(content).slice(0, 300);
  }
  if (refusal !== undefined) return JSON.stringify(refusal);
  if (line.cancelled === true) return "was answered though it was cancelled";
  if (line.isLong === true) return content.stdout.length > 1000 ? undefined : JSON.stringify(content).slice(0, 300);
  return content?.stdout === line.stdout ? undefined : JSON.stringify(content).slice(0, 300);
}
