/** git var: who commits, and with which programs, where the line's variables or the repository's configuration say it. */
import { fromWord } from "../objects/byte-text.ts";
import { GitError } from "../git-error.ts";
import { command, type CommandRun } from "./command.ts";
import { SWITCH } from "./flags.ts";

const USAGE = new GitError("usage: git var (-l | <variable>)", { prefix: "", exit: 129 });

type VarRun = CommandRun<"-l">;

export const variable = command({
  flags: { "-l": SWITCH },
  *run(run) {
    const { options, repository, print } = run;
    const [name, ...others] = [...options.operands.map(fromWord), ...(options.paths ?? [])];
    if (options.has("-l")) {
      if (name !== undefined) throw USAGE;
      const known = [...VARIABLES].map(([each, value]) => `${each}=${value(run)}\n`);
      for (const setting of repository.config.settings) print(`${setting.name}${setting.value === undefined ? "" : `=${setting.value}`}\n`);
      print(known.join(""));
      return 0;
    }
    yield;
    const value = name === undefined || others.length > 0 ? undefined : VARIABLES.get(name);
    if (value === undefined) throw USAGE;
    print(`${value(run)}\n`);
    return 0;
  },
});

/** In the order of -l. Each throws GitError where the host would have to be asked. */
const VARIABLES: ReadonlyMap<string, (run: VarRun) => string> = new Map([
  ["GIT_COMMITTER_IDENT", (run: VarRun) => identity(run, "committer")],
  ["GIT_AUTHOR_IDENT", (run: VarRun) => identity(run, "author")],
  ["GIT_EDITOR", (run: VarRun) => program(run, "GIT_EDITOR", "core.editor")],
  ["GIT_PAGER", (run: VarRun) => program(run, "GIT_PAGER", "core.pager") || "cat"],
  ["GIT_DEFAULT_BRANCH", defaultBranch],
]);

const unsaid = (variable: string, setting: string): GitError =>
  new GitError(`${variable} is the host's to say: neither it nor ${setting} of the repository is set\nhint: git config --list`);

function program({ invocation, repository }: VarRun, variable: string, setting: string): string {
  const given = invocation.environment().get(variable);
  const value = given === undefined ? repository.config.get(setting) : fromWord(given);
  if (value === undefined) throw unsaid(variable, setting);
  return value;
}

function defaultBranch({ repository }: VarRun): string {
  const value = repository.config.get("init.defaultbranch");
  if (value === undefined) throw unsaid("GIT_DEFAULT_BRANCH", "init.defaultBranch");
  return value;
}

function identity({ invocation, repository, dates }: VarRun, role: "author" | "committer"): string {
  const { config } = repository;
  const variables = invocation.environment();
  const upper = role.toUpperCase();
  if (variables.has(`GIT_${upper}_DATE`)) throw new GitError(`GIT_${upper}_DATE is set, which is not read here`);
  const part = (kind: "name" | "email"): string => {
    const variable = `GIT_${upper}_${kind.toUpperCase()}`;
    const given = variables.get(variable);
    const value = given === undefined ? (config.get(`${role}.${kind}`) ?? config.get(`user.${kind}`)) : fromWord(given);
    if (value === undefined || value === "") throw unsaid(variable, `user.${kind}`);
    const kept = value.replace(CRUD_AT_ENDS, "").replace(/[\n<>]/g, "");
    if (kept === "" && kind === "name") throw new GitError(`name consists only of disallowed characters: ${value}`);
    return kept;
  };
  const [name, mail] = [part("name"), part("email")];
  const now = { name, mail, seconds: Math.floor(invocation.nowMs / 1000), zone: "+0000" };
  return `${name} <${mail}> ${dates.text(now, { kind: "raw", isLocal: true, format: "" })}`;
}

/** What git takes off the ends of a name. */
const CRUD_AT_ENDS = /^[\0- .,:;<>"\\']+|[\0- .,:;<>"\\']+$/g;
