/** Calls that bring a case's texts to every place of an answer: what runs, is refused, writes, asks, or is only looked at. */
import fc from "fast-check";
import { quoteWord } from "../../src/display/quote.ts";
import { forgedContent, forgedName, forgedText } from "./forged-text.ts";

/** The texts of one case. Names are of files in a directory of its own. */
export interface Texts {
  readonly name: string;
  readonly other: string;
  readonly word: string;
  readonly content: string;
  /** The directory of the case's files, below the root; every call starts there unless it says otherwise. */
  readonly directory: string;
}

export interface ForgeryCase extends Omit<Texts, "directory"> {
  /** Index in LINES. */
  readonly line: number;
  readonly allowance: number;
  readonly agrees: boolean;
  readonly challenge: boolean;
  readonly ending: "as it is" | "time" | "output" | "fault" | "exception";
}

/** Most characters of an answer. */
export const ALLOWANCES = [300, 2500, 30_000] as const;

export const forgeryCase: fc.Arbitrary<ForgeryCase> = fc.record({
  name: forgedName,
  other: forgedName,
  word: forgedText,
  content: forgedContent,
  line: fc.nat({ max: 10_000 }),
  allowance: fc.constantFrom(...ALLOWANCES),
  agrees: fc.boolean(),
  challenge: fc.boolean(),
  ending: fc.constantFrom("as it is", "as it is", "as it is", "as it is", "as it is", "as it is", "time", "output", "fault", "exception"),
});

/** The arguments of a call. */
export type Call = Readonly<Record<string, unknown>>;

const q = quoteWord;
/** In bash's own quotes, which spell every byte. */
const ansi = (text: string): string => `$'${text.replace(/['\\]/g, "\\$&").replaceAll("\n", "\\n").replaceAll("\r", "\\r")}'`;

/** Files of a case lie in the directory that it starts in. */
export const LINES: readonly ((texts: Texts) => Call)[] = [
  ({ name }) => ({ command: `cat ${q(name)}` }),
  ({ name, other }) => ({ command: `cat ${q(name)} ${q(other)}nope` }),
  () => ({ command: "cat *" }),
  () => ({ command: "ls -la; ls" }),
  () => ({ command: "find . -type f" }),
  () => ({ command: "wc -l * && head -n 2 * && stat *" }),
  () => ({ command: "cat * | head -c 40000; cat * | tail -n 5" }),
  ({ word }) => ({ command: `printf '%s\\n' ${q(word)} ${q(word)}` }),
  ({ word }) => ({ command: `echo ${ansi(word)}; echo ${ansi(word)} >&2; exit 3` }),
  ({ word }) => ({ command: `echo ${ansi(word)} >&2` }),
  ({ word, name }) => ({ command: `grep ${q(word)} ${q(name)}` }),
  ({ word, name }) => ({ command: `rg -n -F ${q(word)} ${q(name)}` }),
  ({ word }) => ({ command: `grep -P ${q(`(${word}`)} *` }),
  ({ word }) => ({ command: q(word) }),
  ({ word }) => ({ command: word }),
  ({ word, name }) => ({ command: `${word} | cat ${q(name)}` }),
  ({ word }) => ({ command: `curl ${q(word)} | sh` }),
  ({ word }) => ({ command: `ls --${word}` }),
  ({ word }) => ({ command: `head -n ${q(word)} *` }),
  ({ word, name }) => ({ command: `awk ${q(word)} ${q(name)}` }),
  ({ word, name }) => ({ command: `awk ${q(`{ print "${word}" > "/dev/stderr"; system("${word}") }`)} ${q(name)}` }),
  ({ word, name }) => ({ command: `sed ${q(word)} ${q(name)}` }),
  ({ word, name }) => ({ command: `sed -n ${q(`s/a/${word}/p`)} ${q(name)}` }),
  ({ word }) => ({ command: `jq -n ${q(word)}` }),
  ({ word }) => ({ command: `jq -n ${q(`error(${JSON.stringify(word)})`)}` }),
  ({ name }) => ({ command: `jq . ${q(name)}` }),
  ({ name, word }) => ({ command: `cat ${q(name)} > ${q(word)}` }),
  ({ word }) => ({ command: `cat /etc/${word}` }),
  ({ word }) => ({ command: `cat ../../../${q(word)}` }),
  ({ name }) => ({ command: `tail -f ${q(name)}` }),
  ({ name }) => ({ command: `tail --since new ${q(name)}` }),
  ({ name, other }) => ({ command: `tail --since new ${q(name)}; tail --since new ${q(other)}` }),
  ({ word }) => ({ command: `[[ ${q(word)} -eq 1 ]]; echo $(( ${word.replace(/[^\w]/g, "")} )) $nothing` }),
  ({ word }) => ({ command: `x=${q(word)}; echo "\${x:?${word}}"` }),
  ({ word }) => ({ command: `echo "\${nope:?${word.replace(/["$`\\}]/g, "")}}"` }),
  ({ word }) => ({ command: `for f in *; do echo "$f" ${q(word)}` }),
  ({ word }) => ({ command: `cat <<'${word.replace(/['\n]/g, "")}'\n${word}\n` }),
  ({ word }) => ({ command: `echo a\n${word}\nrm -rf ${word}` }),
  ({ other, content }) => ({ command: `tee ${q(`new ${other}`)}`, stdin: content }),
  ({ other, content }) => ({ command: `tee ${ansi(`new ${other}`)} ${ansi(`two ${other}`)} > /dev/null`, stdin: content }),
  ({ name, content }) => ({ command: `tee -a ${q(name)}`, stdin: content }),
  ({ name, content }) => ({ command: `tee ${q(`d ${name}`)}/f`, stdin: content }),
  ({ other, content }) => ({ command: `tee .vscode/${q(other)}`, stdin: content }),
  ({ other, name, content }) => ({ command: `tee .vscode/${q(other)} .vscode/${q(name)}2`, stdin: content }),
  ({ content }) => ({ command: "tee .envrc", stdin: content }),
  ({ name, word }) => ({ command: `cat ${q(name)} | tee .envrc # ${word}` }),
  ({ word, content }) => ({ command: `tee .git/${q(word)}`, stdin: content }),
  ({ name, content, directory }) => ({
    command: `cd ~ && tee ${directory}/${q(`d ${name}`)}/f > /dev/null; cd ${directory}/${q(`d ${name}`)}`,
    stdin: content,
    cwd: null,
  }),
  ({ name, directory }) => ({ command: `cd ~/${directory}/${q(name)}/sub && pwd`, cwd: null }),
  ({ name }) => ({ command: `history ${q(name)}; history | tail -n 3` }),
  ({ word }) => ({ command: `explain ${q(word)}` }),
  ({ name, word }) => ({ command: `explain ${q(`cat ${q(name)} | tee ${q(word)}`)}` }),
  ({ word }) => ({ command: `help ${q(word)}; type ${q(word)}; command -v ${q(word)}` }),
  ({ word }) => ({ command: `@${word} a=${q(word)}` }),
  () => ({ command: "@out 1" }),
  () => ({ command: "@out 1 | sed -n '1,3p'" }),
  () => ({ command: "@out 2 | sed -n '2,40p'" }),
  ({ name, other }) => ({ command: `diff ${q(name)} ${q(other)}` }),
  ({ word }) => ({ command: `date -d ${q(word)}; seq ${q(word)}; numfmt ${q(word)}` }),
  ({ word }) => ({ command: `git log ${q(word)}; git show ${q(word)}` }),
  ({ name }) => ({ command: `cat ${q(name)} | xargs -d '\\n' -n 1 ls` }),
  ({ name }) => ({ command: `file ${q(name)}; du ${q(name)}; realpath ${q(name)}; basename ${q(name)}` }),
  ({ word }) => ({ command: `yes ${q(word)} | head -n 300` }),
  ({ word }) => ({ command: `test ${q(word)} -gt 1; expr ${q(word)} + 1; printf %d ${q(word)}` }),
  ({ name, word }) => ({ command: `cat ${q(name)}; ${word}`, dry_run: true }),
  ({ name, content }) => ({ command: `tee ${q(name)} .vscode/${q(name)} | rm x`, stdin: content, dry_run: true }),
  ({ word }) => ({ command: "ls", cwd: word }),
  ({ word }) => ({ command: "cat *", session: word }),
  ({ word, name }) => ({ command: `cat ${q(name)}`, [word]: word }),
  ({ word }) => ({ command: "ls", timeout_seconds: word }),
  ({ word }) => ({ command: "ls", cmd: word }),
];
