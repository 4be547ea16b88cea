/** -x, -X and -l: other builtins as stages of fd, one run for each result or one for many. */
import type { Argument } from "../../src/builtin/arguments.ts";
import type { ExitStatus, FlagValues, Invocation } from "../../src/builtin/definition.ts";
import { UsageError } from "../../src/builtin/usage-error.ts";
import { inputOf } from "../../src/io/input.ts";
import { keptOpen } from "../../src/io/kept-open.ts";
import { toBytes } from "../../src/io/text.ts";
import type { flags } from "./flags.ts";
import type { Settings } from "./settings.ts";
import { fillTemplate, parseTemplate, type Template } from "./template.ts";

type Flags = typeof flags;
type CommandFlags = Pick<FlagValues<Flags>, "exec" | "execBatch" | "listDetails">;

/** The words that fd -l runs. */
const LISTING: readonly Argument[] = ["ls", "-l", "-h", "-d", "--color=never"].map((text) => ({ text }));
/** Bytes of a command line at most: what Linux takes, less what fd keeps free. */
const MOST_COMMAND_BYTES = 2_000_000;

export interface CommandTemplate {
  /** As typed, with `{}` at the end where there was no placeholder. */
  readonly words: readonly (Argument & { readonly template: Template })[];
}

export interface Commands {
  readonly templates: readonly CommandTemplate[];
  readonly inBatches: boolean;
}

/** The commands that results go to; undefined where they are printed. Throws UsageError. */
export function commandsOf(values: CommandFlags): Commands | undefined {
  if (values.exec.length > 0) return { templates: values.exec.map(commandTemplate), inBatches: false };
  if (values.execBatch.length > 0) {
    const templates = values.execBatch.map(commandTemplate);
    for (const { words } of templates) {
      const places = words.filter(({ template }) => template.hasPlaces).length;
      const error =
        places > 1 ? "Only one placeholder allowed for batch commands" : words[0]?.template.hasPlaces === true ? FIXED : undefined;
      if (error !== undefined) throw new UsageError("bad-value", error, { details: "\nUsage: fdfind [OPTIONS] [pattern] [path]...\n" });
    }
    return { templates, inBatches: true };
  }
  return values.listDetails ? { templates: [commandTemplate(LISTING)], inBatches: true } : undefined;
}

const FIXED = "First argument of --exec-batch must be a fixed executable, not a placeholder";

function commandTemplate(typed: readonly Argument[]): CommandTemplate {
  const words = typed.map((word) => ({ ...word, template: parseTemplate(word.text) }));
  if (words.some(({ template }) => template.hasPlaces)) return { words };
  return { words: [...words, { text: "{}", template: parseTemplate("{}") }] };
}

/** A word that names will fill is no flag, unless it was typed as one. */
const holdsNames = ({ text }: Argument, { hasPlaces }: Template): boolean => hasPlaces && !text.startsWith("-");

/** The command as the guard sees it, names left open. */
export function commandForGuard({ words }: CommandTemplate, inBatches: boolean): readonly Argument[] {
  return words.map(({ template, ...plain }) => (holdsNames(plain, template) ? { ...plain, operandOnly: true, many: inBatches } : plain));
}

type RunSettings = Pick<Settings, "batchSize" | "pathSeparator" | "end">;

export class CommandRunner {
  readonly #commands: Commands;
  readonly #settings: RunSettings;
  readonly #invocation: Invocation<Flags>;
  readonly #directory: string | undefined;
  #paths: string[] = [];
  #bytes = 0;
  exit: ExitStatus = 0;

  /** `directory` (relative to the root) is where the commands run, if not where fd does. */
  constructor(commands: Commands, settings: RunSettings, invocation: Invocation<Flags>, directory: string | undefined) {
    this.#commands = commands;
    this.#settings = settings;
    this.#invocation = invocation;
    this.#directory = directory;
  }

  async *add(path: string): AsyncGenerator<Uint8Array, void> {
    if (!this.#commands.inBatches) return yield* this.#oneByOne(path);
    const { batchSize } = this.#settings;
    const size = toBytes(path).length + 1;
    if (this.#bytes + size > MOST_COMMAND_BYTES || (batchSize > 0 && this.#paths.length >= batchSize)) yield* this.finish();
    this.#paths.push(path);
    this.#bytes += size;
  }

  /** Runs what has been gathered. */
  async *finish(): AsyncGenerator<Uint8Array, void> {
    const paths = this.#paths;
    if (paths.length === 0) return;
    this.#paths = [];
    this.#bytes = 0;
    for (const { words } of this.#commands.templates) {
      const command = words.flatMap((word) =>
        word.template.hasPlaces ? paths.map((path) => this.#filled(word, path)) : [this.#filled(word, "")],
      );
      if ((yield* this.#invocation.runStage(command, keptOpen(this.#invocation.stdin), this.#directory)) !== 0) this.exit = 1;
    }
  }

  /** A command that fails ends those after it. */
  async *#oneByOne(path: string): AsyncGenerator<Uint8Array, void> {
    const { runStage } = this.#invocation;
    for (const { words } of this.#commands.templates) {
      const command = words.map((word) => this.#filled(word, path));
      const exit = yield* runStage(command, inputOf(), this.#directory);
      if (this.#settings.end === "\0") yield Uint8Array.of(0);
      if (exit === 0) continue;
      this.exit = 1;
      return;
    }
  }

  #filled(word: CommandTemplate["words"][number], path: string): Argument {
    const text = fillTemplate(word.template, path, this.#settings.pathSeparator);
    return holdsNames(word, word.template) || word.operandOnly === true ? { text, operandOnly: true } : { text };
  }
}
