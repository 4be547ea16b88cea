/**
 * A stand-in for vitest, for a program that runs tests without it: groups and tests are collected, and `runTests` runs them. Its
 * `expect` is vitest's own.
 */
import { JestAsymmetricMatchers, JestChaiExpect, JestExtend, chai } from "@vitest/expect";

type Body = (context: Context) => unknown;

interface Context {
  readonly skip: (note?: string) => never;
  readonly onTestFinished: (action: () => unknown) => void;
  readonly expect: unknown;
}

interface Collected {
  readonly name: string;
  readonly body: Body;
}

export interface Outcome {
  readonly name: string;
  /** Undefined for a test that passed. */
  readonly failure: string | undefined;
  readonly isSkipped: boolean;
}

class Skipped extends Error {}

chai.use(JestExtend);
chai.use(JestChaiExpect);
chai.use(JestAsymmetricMatchers);

export const expect = Object.assign((value: unknown, message?: string) => chai.expect(value, message), chai.expect);

const groups: string[] = [];
const found: Collected[] = [];
let running: { finish: (() => unknown)[] } | undefined;

const named = (name: string): string => [...groups, name].join(" > ");

function group(name: string, ...rest: readonly unknown[]): void {
  const body = rest.find((each) => typeof each === "function") as (() => unknown) | undefined;
  groups.push(name);
  try {
    const made = body?.();
    if (made instanceof Promise) waiting.push(made);
  } finally {
    groups.pop();
  }
}
const waiting: Promise<unknown>[] = [];

function single(name: string, ...rest: readonly unknown[]): void {
  const body = rest.find((each) => typeof each === "function") as Body | undefined;
  if (body !== undefined) found.push({ name: named(name), body });
}

const skipped = (name: string): void => void found.push({ name: named(name), body: () => skip() });

/** `%s` and `$name` of a row are put in its place as far as tests use them: the name need only be unlike the others. */
const each =
  (one: (name: string, body: () => unknown) => void) =>
  (rows: readonly unknown[]) =>
  (name: string, ...rest: readonly unknown[]): void => {
    const body = rest.find((part) => typeof part === "function") as (...row: readonly unknown[]) => unknown;
    for (const row of rows) {
      const values = Array.isArray(row) ? row : [row];
      one(`${name} ${JSON.stringify(row)?.slice(0, 80)}`, () => body(...values));
    }
  };

const variants = <T extends (name: string, ...rest: readonly unknown[]) => void>(one: T) =>
  Object.assign(one, {
    skip: skipped,
    each: each(one),
    skipIf: (condition: unknown) => (condition ? skipped : one),
    runIf: (condition: unknown) => (condition ? one : skipped),
    concurrent: one,
    sequential: one,
    for: each(one),
  });

export const describe = variants(group);
export const test = variants(single);
export const it = variants((name, ...rest) => single(name, ...rest));
/** Of a file's tests: those of a group are done for all of them. */
export const beforeAll = (action: () => unknown): void => void around.first.push(action);
export const afterAll = (action: () => unknown): void => void around.last.push(action);
export const beforeEach = (action: () => unknown): void => void around.before.push(action);
export const afterEach = (action: () => unknown): void => void around.after.push(action);
const nothing = (): Record<"first" | "before" | "after" | "last", (() => unknown)[]> => ({ first: [], before: [], after: [], last: [] });
let around = nothing();
export const onTestFinished = (action: () => unknown): void => void running?.finish.push(action);
export const TestRunner = { getCurrentTest: () => (running === undefined ? undefined : { context: { skip } }) };
/** Of vitest's `vi`, what tests of commands use. */
export const vi = {
  stubEnv(name: string, value: string | undefined): void {
    const old = process.env[name];
    restoring.environment.push(() => setVariable(name, old));
    setVariable(name, value);
  },
  unstubAllEnvs: (): void => {
    for (const restore of restoring.environment.splice(0).reverse()) restore();
  },
  spyOn(holder: Record<string, unknown>, name: string): Spy {
    const old = holder[name];
    const calls: unknown[][] = [];
    let does: (...args: unknown[]) => unknown = () => undefined;
    restoring.members.push(() => void (holder[name] = old));
    holder[name] = (...args: unknown[]) => {
      calls.push(args);
      return does(...args);
    };
    const spy: Spy = {
      mock: { calls },
      mockImplementation: (action) => {
        does = action;
        return spy;
      },
      mockReturnValue: (value) => spy.mockImplementation(() => value),
    };
    return spy;
  },
  restoreAllMocks: (): void => {
    for (const restore of restoring.members.splice(0).reverse()) restore();
  },
  useFakeTimers: (): never => unavailable("vi.useFakeTimers"),
  useRealTimers: (): void => undefined,
};
const restoring: Record<"environment" | "members", (() => void)[]> = { environment: [], members: [] };

interface Spy {
  readonly mock: { readonly calls: readonly unknown[][] };
  readonly mockImplementation: (action: (...args: unknown[]) => unknown) => Spy;
  readonly mockReturnValue: (value: unknown) => Spy;
}

function setVariable(name: string, value: string | undefined): void {
  if (value === undefined) delete process.env[name];
  else process.env[name] = value;
}

export type TestContext = Context;
export type TestFunction = Body;
export type TestOptions = object;

function unavailable(name: string): never {
  throw new Error(`${name} is not here`);
}

function skip(note = ""): never {
  throw new Skipped(note);
}

/** Reads the tests of a file by `load`, and runs those that `isWanted` takes. A file that cannot be read is one failure. */
export async function runTests(load: () => Promise<unknown>, isWanted: (at: number) => boolean): Promise<readonly Outcome[]> {
  found.length = 0;
  around = nothing();
  try {
    await load();
    await Promise.all(waiting.splice(0));
  } catch (thrown) {
    return [{ name: "(its tests are read)", failure: textOf(thrown), isSkipped: false }];
  }
  const outcomes: Outcome[] = [];
  await attempt("(before its tests)", around.first, outcomes);
  for (const [at, one] of [...found].entries()) if (isWanted(at)) outcomes.push(await run(one));
  await attempt("(after its tests)", around.last, outcomes);
  return outcomes;
}

/** Does `actions`; one that fails is an outcome of its own. */
async function attempt(name: string, actions: readonly (() => unknown)[], outcomes: Outcome[]): Promise<void> {
  for (const action of actions) {
    try {
      await action();
    } catch (thrown) {
      outcomes.push({ name, failure: textOf(thrown), isSkipped: false });
    }
  }
}

/** A test that takes longer is left running. */
const MOST_MS = 180_000;

async function run({ name, body }: Collected): Promise<Outcome> {
  const finish: (() => unknown)[] = [];
  running = { finish };
  let timer: NodeJS.Timeout | undefined;
  try {
    const late = new Promise((_, reject) => {
      timer = setTimeout(() => reject(new Error("not done in three minutes")), MOST_MS);
    });
    for (const action of around.before) await action();
    await Promise.race([body({ skip, expect, onTestFinished: (action) => void finish.push(action) }), late]);
    return { name, failure: undefined, isSkipped: false };
  } catch (thrown) {
    return thrown instanceof Skipped
      ? { name, failure: thrown.message, isSkipped: true }
      : { name, failure: textOf(thrown), isSkipped: false };
  } finally {
    clearTimeout(timer);
    await attempt("(after it)", [...finish, ...around.after], []);
    running = undefined;
  }
}

function textOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  const { actual, expected } = thrown as { actual?: unknown; expected?: unknown };
  const compared = actual === undefined && expected === undefined ? "" : `\n  actual ${shown(actual)}\n  wanted ${shown(expected)}`;
  const cause = thrown.cause === undefined ? "" : `\n  cause ${textOf(thrown.cause)}`;
  return `${thrown.message}${compared}${cause}`;
}

const shown = (value: unknown): string => (JSON.stringify(value) ?? String(value)).slice(0, 2_000);
