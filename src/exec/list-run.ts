/**
 * Lists and pipelines: the order of their commands, the flow of output to input, and the effect of exit statuses.
 */
import type { ExitStatus } from "../builtin/definition.ts";
import type { Plan } from "../guard/plan.ts";
import { inputFrom } from "../io/input.ts";
import { keptOpen } from "../io/kept-open.ts";
import { LimitReached } from "../io/limit-reached.ts";
import { toBytes } from "../io/text.ts";
import { showName } from "../display/visible.ts";
import type { Command, List, ListItem, Span } from "../shell/tree.ts";
import { ExpansionError } from "../shell/variables.ts";
import { FileError } from "../workspace/file-error.ts";
import { endsShell, hasOwnStatus, isOfShell, isRest, STAGELESS } from "./command-kinds.ts";
import { assignAll } from "./assign-run.ts";
import { runCompound } from "./compound-run.ts";
import { Descriptors } from "./descriptors.ts";
import { runDeclare } from "./declare-run.ts";
import { overheard, Producers } from "./producers.ts";
import { MOST_REPORTS, type StageReport } from "./result.ts";
import type { StageClock } from "./stage-clock.ts";
import { FLUSH, RedirectionError, Routes, Waiting } from "./routes.ts";
import type { ShellState } from "./shell-state.ts";
import type { StageOutput, Surroundings } from "./stage.ts";
import { stageTells } from "./stage-report.ts";
import { PIPE_BYTES, Started } from "./started-stage.ts";
import { StageOutputs } from "./stage-outputs.ts";
import { marked } from "./passed-on.ts";
import { BASH_BUILTINS } from "../shell/bash-builtins.ts";
import { runSimple } from "./stage-run.ts";
import { unwrittenMessage } from "./unwritten-message.ts";
import { timedBy } from "./timing.ts";
import { atExit, endsAfter } from "./traps.ts";
import { type ExpandedCommand, traceStart } from "./trace.ts";
import type { ListContext } from "./list-context.ts";
import { openedInput, redirectedPath } from "./substitution.ts";

/** Commands that one call may start: a loop that prints nothing ends here, if not at its time limit. */
export const MOST_COMMANDS = 1_000_000;

export class ListRun {
  readonly context: ListContext;
  /** Commands that the call has started. */
  readonly #started: { count: number };
  /** Error that ends the call: stages that are closed without having begun shall not begin, as a recursion would at every level. */
  #ending: LimitReached | undefined;

  constructor(context: ListContext, started = { count: 0 }) {
    this.context = context;
    this.#started = started;
  }

  /** The same call, for a script that is a part of it. */
  within({ line, stages: planned, failing, origins, scripts }: Plan): ListRun {
    return new ListRun({ ...this.context, line, planned, failing, origins, scripts }, this.#started);
  }

  /** Runs the items in turn, after one that ended with `before`. They share `stdin`: bytes that one leaves unread are there for the next. */
  async *list({ items }: List, surroundings: Surroundings, before: ExitStatus = 0): StageOutput {
    const { shell, stdin } = surroundings;
    let status = before;
    for (const [at, item] of items.entries()) {
      if (item.when === "success" && status !== 0) continue;
      if (item.when === "failure" && status === 0) continue;
      const tested = item.pipeline.negated || (items[at + 1]?.when ?? "always") !== "always";
      if (tested) shell.conditions++;
      const around = { ...surroundings, stdin: keptOpen(stdin) };
      const { timed } = item.pipeline;
      const exit = yield* timed === undefined
        ? this.#pipeline(item, around)
        : timedBy(this.#pipeline(item, around), around, timed === "posix");
      if (tested) shell.conditions--;
      if (shell.leaving !== undefined) {
        // After `continue`, `$?` is of that, and no longer of what stood before it.
        shell.status = "status" in shell.leaving ? shell.leaving.status : exit;
        return shell.status;
      }
      status = item.pipeline.negated ? Number(exit === 0) : exit;
      shell.status = status;
      const hasFailed = status !== 0 && !tested && (endsShell(item) || shell.unredirected === item.pipeline.commands[0]);
      const left = hasFailed && !item.pipeline.negated ? yield* endsAfter(this, status, surroundings) : undefined;
      if (left !== undefined) return left;
    }
    return status;
  }

  /** The whole line. An expansion that fails gives up the rest of its own line of text, as in bash. */
  async *line(body: List, surroundings: Surroundings, before: ExitStatus = 0): StageOutput {
    const { shell } = surroundings;
    let { items } = body;
    shell.status = before;
    for (;;) {
      const status = yield* this.list({ items, span: body.span }, surroundings, items === body.items ? before : 0);
      const { leaving } = shell;
      if (leaving?.kind !== "discard") return shell.traps.EXIT === undefined ? status : yield* atExit(this, status, surroundings);
      shell.leaving = undefined;
      shell.status = status;
      const next = items.findIndex((item) => item.when === "always" && item.pipeline.span.start > this.#discardedTo);
      if (next < 0) return yield* atExit(this, status, surroundings);
      items = items.slice(next);
    }
  }

  /** Runs what comes after `exec` with redirections, which ended with `status`. */
  async *#rest(body: List, surroundings: Surroundings, status: ExitStatus): StageOutput {
    const { shell } = surroundings;
    shell.special.pipeline = [status];
    shell.status = status;
    const isTested = (body.items[0]?.when ?? "always") !== "always";
    return (isTested ? undefined : yield* endsAfter(this, status, surroundings)) ?? (yield* this.line(body, surroundings, status));
  }

  /** Output and exit status of `run` in a subshell, which ends with it. */
  async *subshell(shell: ShellState, at: Omit<Surroundings, "shell">, run: (own: ShellState) => StageOutput): StageOutput {
    const own = shell.copy();
    try {
      const ended = yield* run(own);
      const status = own.leaving !== undefined && "status" in own.leaving ? own.leaving.status : ended;
      own.traceDepth = shell.traceDepth + 1;
      return own.traps.EXIT === undefined ? status : yield* atExit(this, status, { ...at, shell: own });
    } finally {
      own.release();
    }
  }

  /** End of the line of text in which an expansion failed. */
  #discardedTo = 0;

  async *#pipeline({ pipeline }: ListItem, surroundings: Surroundings): StageOutput {
    const [first, ...others] = pipeline.commands;
    const { shell, stderr, descriptors, waiting } = surroundings;
    if (others.length === 0) {
      const exit = yield* this.#stage(first, this.#report(first, true), surroundings, true);
      if (hasOwnStatus(first)) shell.special.pipeline = [exit];
      return exit;
    }
    const { clock } = this.context;
    let input = surroundings.stdin;
    let before: ReturnType<StageClock["of"]> | undefined;
    const started: Started[] = [];
    const producers = new Producers();
    for (const command of pipeline.commands) {
      // The place is taken now: stages start in the order they are pulled, last first.
      const place = this.#report(command, command === first);
      before = clock.of(command, this.#textOf, before);
      const stdin = input;
      const isLast = command === pipeline.commands.at(-1);
      const said = isLast ? { stderr, message: () => "" } : overheard(stderr);
      const failedProducer = command === first ? surroundings.failedProducer : producers.failed();
      const colourMark = isLast ? surroundings.colourMark : undefined;
      const around = { stdin, stderr: said.stderr, descriptors, failedProducer, waiting: isLast ? waiting : new Waiting(), colourMark };
      const output =
        isLast && shell.options.lastpipe
          ? this.#stage(command, place, { ...around, shell }, isLast)
          : this.subshell(shell, around, (own) => this.#stage(command, place, { ...around, shell: own }, isLast));
      started.push(new Started(output, shell.options.pipefail || this.context.line.includes("PIPESTATUS") ? PIPE_BYTES : 0));
      const producer = started.at(-1) as Started;
      producers.add(producer, this.#notStarted(command).command, said.message);
      input = inputFrom(producer);
    }
    const last = started.pop() as Started;
    let status: ExitStatus = 0;
    try {
      // Stages are traced in the order in which bash starts them.
      if (shell.options.xtrace) for (const stage of started) await stage.begin();
      status = yield* last.all();
    } finally {
      // Innermost first: closing the stage nearest the end lets those before it see a closed pipe in turn.
      for (const stage of [...started].reverse()) await stage.return();
    }
    shell.special.pipeline = [...started.map((stage) => stage.exit), status];
    if (!shell.options.pipefail || status !== 0) return status;
    return started.findLast((stage) => stage.exit !== 0)?.exit ?? status;
  }

  readonly #textOf = (command: Command): string => {
    const { line, origins } = this.context;
    return origins.get(command)?.source ?? line.slice(command.span.start, command.span.end);
  };

  #notStarted(command: Command): StageReport {
    return { command: this.#textOf(command), outputBytes: 0, elapsedMs: 0, exit: null };
  }

  /** Index of the report for `command`; undefined for a command that is no stage of its own, and past the cap. */
  #report(command: Command, startsPipeline: boolean): number | undefined {
    const { stages } = this.context;
    if (isOfShell(command) || STAGELESS.has(command.kind)) return undefined;
    return stages.length < MOST_REPORTS
      ? stages.push({ ...this.#notStarted(command), ...(startsPipeline ? { startsPipeline } : {}) }) - 1
      : undefined;
  }

  async *#stage(command: Command, place: number | undefined, surroundings: Surroundings, isLast: boolean): StageOutput {
    if (this.#ending !== undefined) throw this.#ending;
    const { control, stages, clock } = this.context;
    if (++this.#started.count > MOST_COMMANDS) throw new LimitReached("held", MOST_COMMANDS, "commands in one call");
    const startedMs = performance.now();
    const time = clock.of(command, this.#textOf);
    time.runs++;
    const { shell } = surroundings;
    shell.at = command.span;
    const outputs = new StageOutputs(this.context, shell);
    const { waiting } = surroundings;
    const routes = new Routes(surroundings, outputs, waiting);
    const descriptors = new Descriptors(surroundings.descriptors);
    const outer = { ...surroundings, descriptors };
    // The words of a simple command are expanded before its redirections are made.
    const isSimple = command.redirects.length > 0 && (command.kind === "simple" || command.kind === "declare");
    const before = isSimple ? { ...outer, descriptors: descriptors.beforeOwn() } : outer;
    let given: ExpandedCommand | undefined;
    let assigned: ExitStatus | undefined;
    try {
      if (shell.options.xtrace) {
        given = await traceStart(this, command, before);
        yield FLUSH;
      }
      // Variables are set before the redirections of their command are made.
      if (command.kind === "assign") assigned = await assignAll(this, command, outer);
      if (command.redirects.length > 0)
        await routes.apply(
          command.redirects,
          surroundings.stdin,
          descriptors,
          (redirect, stdin) => openedInput(this, redirect, { ...outer, stdin, stderr: routes.stderrSoFar }),
          async (redirect) => {
            const path = await redirectedPath(this, redirect.file, { ...outer, stderr: routes.stderrSoFar });
            if (isRest(command) && redirect.from > 2) outputs.requireScratch(path, redirect.from);
            return path;
          },
        );
    } catch (thrown) {
      const status = await this.failed(thrown, command, { ...outer, stderr: routes.stderr }).finally(() => outputs.close());
      yield* waiting.take();
      await descriptors.close();
      shell.unredirected = command;
      return isRest(command) && shell.leaving === undefined ? yield* this.#rest(command.body, surroundings, status) : status;
    }
    if (command.kind === "assign") {
      await this.#finished(outputs, 0, command, outer);
      outputs.close();
      await descriptors.close();
      return assigned as ExitStatus;
    }
    const stdin = routes.stdin ?? surroundings.stdin;
    let exit: ExitStatus | null = null;
    let hasThrown = false;
    let outputBytes = 0;
    let hasPrinted = false;
    let told: ((printed: boolean, exit: ExitStatus | null) => ReturnType<typeof stageTells>) | undefined;
    let described: { readonly name: string; readonly isOfShell: boolean } | undefined;
    let passesOn = false;
    const describe: Surroundings["describe"] = (name, definition, args) => {
      described = { name, isOfShell: BASH_BUILTINS.has(name) };
      passesOn = isLast && definition.passesOn?.(args.map(({ text }) => text)) === true;
      told = (printed, ended) => stageTells(name, definition, args, printed, ended);
    };
    const failedProducer = routes.stdin === undefined ? surroundings.failedProducer : undefined;
    const inside = routes.stdout === "output" ? waiting : new Waiting();
    const colourMark = routes.stdout === "output" ? surroundings.colourMark : undefined;
    const inner = { shell, stdin, stderr: routes.stderr, describe, descriptors, failedProducer, outputs, waiting: inside, colourMark };
    const body = this.#body(command, inner, before, given);
    try {
      for (;;) {
        const check = control.check();
        if (check !== undefined) await check;
        clock.enter(time);
        const next = await body.next();
        clock.leave(time);
        for (const block of waiting.take()) {
          outputBytes += block.length;
          hasPrinted = true;
          yield block;
        }
        if (routes.takeNeedsFlush()) yield FLUSH;
        if (next.done === true) {
          exit = (await this.#finished(outputs, next.value, command, { ...outer, stderr: routes.stderr })) ?? next.value;
          return exit;
        }
        if (next.value.length === 0) {
          if (next.value === FLUSH) yield FLUSH;
          continue;
        }
        hasPrinted = true;
        if (routes.stdout === "output") {
          outputBytes += next.value.length;
          yield marked(next.value, passesOn, command, this.context.passedOn);
        } else if (routes.stdout === "errors") {
          await surroundings.stderr(next.value);
        } else if (typeof routes.stdout === "object" && "kind" in routes.stdout) {
          await routes.stdout.write(next.value);
          yield FLUSH;
        } else if (typeof routes.stdout === "object") {
          try {
            routes.stdout.write(next.value);
          } catch (thrown) {
            await routes.stderr(unwrittenMessage(thrown, described, this.place(command.span, shell)));
            exit = 1;
            await body.return(0);
            return exit;
          }
        }
      }
    } catch (thrown) {
      clock.failed(time, thrown);
      hasThrown = true;
      throw thrown;
    } finally {
      if (exit === null) await body.return(0);
      if (exit === null && !hasThrown) outputs.finish(0);
      outputs.close();
      await stdin.close();
      const closing = descriptors.close();
      if (closing !== undefined) await closing;
      time.outputBytes += outputBytes;
      if (place !== undefined) {
        const elapsedMs = performance.now() - startedMs;
        stages[place] = { ...(stages[place] as StageReport), outputBytes, elapsedMs, exit, ...told?.(hasPrinted, exit) };
      }
    }
  }

  /** Makes the changes of the files that the stage has written. The status where one of them failed. */
  async #finished(outputs: StageOutputs, exit: ExitStatus, command: Command, around: Surroundings): Promise<ExitStatus | undefined> {
    try {
      outputs.finish(exit);
      return undefined;
    } catch (thrown) {
      return await this.failed(thrown, command, around);
    }
  }

  /** Runs `command` in `inner`. A simple command's words are expanded in `outer`, because its redirections are not theirs. */
  async *#body(
    command: Exclude<Command, { kind: "assign" }>,
    inner: Surroundings,
    outer: Surroundings,
    given: ExpandedCommand | undefined,
  ): StageOutput {
    try {
      if (command.kind === "simple") return yield* runSimple(this, command, inner, outer, given);
      if (command.kind === "function") {
        outer.shell.functions = new Map(outer.shell.functions).set(command.name, command);
        return 0;
      }
      if (command.kind === "trap") {
        const set = typeof command.action === "string" ? undefined : command.action;
        const { shell } = outer;
        for (const condition of command.conditions) if (condition !== "never") shell.traps = { ...shell.traps, [condition]: set };
        return 0;
      }
      if (command.kind === "declare") return yield* runDeclare(this, command, inner, outer);
      if (isRest(command)) return yield* this.#rest(command.body, inner, 0);
      return yield* runCompound(this, command, inner);
    } catch (thrown) {
      // A word is expanded before its command's redirections are made.
      return await this.failed(thrown, command, command.kind === "simple" || command.kind === "declare" ? outer : inner);
    }
  }

  /** Reports a file error, or a failed expansion, which ends the line or the shell as in bash. Throws any other error on. */
  async failed(thrown: unknown, { span }: { readonly span: Span }, { shell, stderr }: Surroundings): Promise<ExitStatus> {
    if (thrown instanceof FileError || thrown instanceof RedirectionError) {
      const path = thrown instanceof FileError ? `${showName(thrown.path)}: ` : "";
      await stderr(toBytes(`${this.place(span, shell)}: ${path}${thrown.message}\n`));
      return 1;
    }
    if (thrown instanceof LimitReached) this.#ending = thrown;
    if (!(thrown instanceof ExpansionError)) throw thrown;
    await stderr(toBytes(`${this.place(span, shell)}: ${thrown.message}\n`));
    const ends = thrown.exit !== 1 || shell.isSubshell;
    const status = shell.isSubshell || shell.options.errexit ? 1 : thrown.exit;
    shell.leaving = { kind: ends ? "exit" : "discard", status };
    const newline = this.context.line.indexOf("\n", span.end);
    this.#discardedTo = newline < 0 ? this.context.line.length : newline;
    return status;
  }

  /** The place of a command as bash's messages name it. */
  place(span: Span, shell: ShellState): string {
    return `${shell.source}: line ${this.lineNumber(span)}`;
  }

  /** Line of the text, from 1. */
  lineNumber({ start }: Span): number {
    const { line } = this.context;
    let number = 1;
    for (let at = line.indexOf("\n"); at >= 0 && at < start; at = line.indexOf("\n", at + 1)) number++;
    return number;
  }
}
