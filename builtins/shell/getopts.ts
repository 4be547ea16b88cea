/** `getopts`: the next option of a function's or a script's arguments, as POSIX and bash read them. */
import { defineBuiltin } from "../../src/builtin/definition.ts";
import { allFlagsRead } from "../../src/builtin/flag-values.ts";

const USAGE = "getopts: usage: getopts optstring name [arg ...]\n";

/** An option as it was found. */
interface Option {
  readonly letter: string;
  readonly kind: "plain" | "illegal" | "lacking";
  readonly value: string | undefined;
  readonly next: OptionPlace;
}

/** The argument that is read next, from 1, and the letter in it; 0 before any of its letters. */
interface OptionPlace {
  readonly argument: number;
  readonly letter: number;
}

export const getopts = defineBuiltin({
  name: "getopts",
  summary: "Read the next option of the positional parameters, or of the ARGs, into NAME and OPTARG.",
  standard: "https://pubs.opengroup.org/onlinepubs/9799919799/utilities/getopts.html",
  reference: "GNU bash 5.2",
  operands: { kind: "values" },
  syntax: "posix",
  usageExit: 2,
  usageHint: () => USAGE,
  sharesShell: "needs",
  flags: {},
  examples: [
    { command: 'set -- -v -o out f; while getopts vo: opt; do echo "$opt $OPTARG"; done; echo $OPTIND', stdout: "v \no out\n4\n" },
    { command: 'set -- -x; getopts :a opt; echo "$opt $OPTARG"', stdout: "? x\n" },
  ],
  // oxlint-disable-next-line require-yield -- it prints nothing
  async *run({ flags, operands, shell, stderr }) {
    allFlagsRead(flags);
    if (shell === undefined) throw new Error("getopts without a shell");
    const [letters, name, ...given] = operands;
    if (letters === undefined || name === undefined) {
      stderr(USAGE);
      return 2;
    }
    const args = operands.length > 2 ? given : shell.positionalTexts();
    const isSilent = letters.startsWith(":");
    const found = nextOption(letters, args, shell.optionPlace());
    shell.setOptionPlace(found.next);
    const complaint = found.letter === "" ? undefined : COMPLAINTS[found.kind];
    const hasValue = found.value !== undefined || (complaint !== undefined && isSilent);
    if (hasValue) shell.setVariable("OPTARG", found.value ?? found.letter);
    else shell.unsetVariable("OPTARG");
    if (complaint !== undefined && !isSilent && shell.variable("OPTERR") !== "0") stderr(`bash: ${complaint} -- ${found.letter}\n`);
    const shown = found.letter === "" || found.kind === "illegal" ? "?" : found.kind === "plain" ? found.letter : isSilent ? ":" : "?";
    if (!/^[A-Za-z_]\w*$/.test(name)) {
      stderr(`${shell.place}: getopts: \`${name}': not a valid identifier\n`);
      return 1;
    }
    if (!shell.setVariable(name, shown)) return 2;
    return found.letter === "" ? 1 : 0;
  },
});

const COMPLAINTS = { plain: undefined, illegal: "illegal option", lacking: "option requires an argument" } as const;

/** `letter` is empty where no option is left. */
function nextOption(letters: string, args: readonly string[], { argument, letter: at }: OptionPlace): Option {
  const text = args[argument - 1] ?? "";
  if (at === 0 && (text === "--" || !/^-./s.test(text))) {
    const end = text === "--" ? argument + 1 : Math.min(argument, args.length + 1);
    return { letter: "", kind: "plain", value: undefined, next: { argument: end, letter: 0 } };
  }
  const letter = String.fromCodePoint(text.codePointAt(Math.max(at, 1)) ?? 0);
  const behind = Math.max(at, 1) + letter.length;
  const next = behind < text.length ? { argument, letter: behind } : { argument: argument + 1, letter: 0 };
  const known = letter === ":" ? -1 : letters.indexOf(letter);
  if (known < 0) return { letter, kind: "illegal", value: undefined, next };
  if (letters[known + letter.length] !== ":") return { letter, kind: "plain", value: undefined, next };
  if (behind < text.length) return { letter, kind: "plain", value: text.slice(behind), next: { argument: argument + 1, letter: 0 } };
  const value = args[argument];
  if (value === undefined) return { letter, kind: "lacking", value: undefined, next };
  return { letter, kind: "plain", value, next: { argument: argument + 2, letter: 0 } };
}
