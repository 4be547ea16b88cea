/** git remote and git config: what the repository is set to. */
import { fromWord, toWord } from "./byte-text.ts";
import type { Command } from "./command.ts";
import { configName } from "./config.ts";
import { GitError } from "./git-error.ts";
import { compilePosix, type LineMatcher } from "../../src/search/posix-matcher.ts";

const WRITES = "the repository is only read here";

export const remote: Command = {
  flags: "-v --verbose",
  *run({ options, repository, print }) {
    const [action, name] = options.operands.map(fromWord);
    const names = [
      ...new Set(repository.config.settings.flatMap((setting) => /^remote\.(.+)\.[^.]+$/.exec(setting.name)?.[1] ?? [])),
    ].sort();
    const url = (of: string, key: string): string | undefined => repository.config.get(`remote.${of}.${key}`);
    if (action === "get-url" && name !== undefined) {
      if (!names.includes(name)) throw new GitError(`No such remote '${name}'`, { exit: 2, prefix: "error: " });
      print(`${url(name, "url") ?? name}\n`);
      return 0;
    }
    if (action !== undefined && action !== "show") throw new GitError(`git remote ${action}: ${WRITES}\ntry: git remote -v`);
    if (name !== undefined) throw new GitError("git remote show NAME asks the network, which is not there\ntry: git remote -v");
    for (const of of names) {
      const fetch = url(of, "url") ?? of;
      if (!options.has("-v", "--verbose")) print(`${of}\n`);
      else print(`${of}\t${fetch} (fetch)\n${of}\t${url(of, "pushurl") ?? fetch} (push)\n`);
    }
    yield;
    return 0;
  },
};

export const config: Command = {
  flags:
    "--get --get-all --get-regexp -l --list --local --show-origin --name-only -z --null --bool --type: --default: --includes --no-includes",
  refused: {
    ...refusals("--add --unset --unset-all --replace-all --rename-section --remove-section -e --edit", WRITES),
    ...refusals("--global --system --worktree -f --file --blob", "only the repository's own configuration is read"),
  },
  *run({ options, repository, print }) {
    if (options.has("--show-origin", "--type", "--bool")) throw new GitError("--show-origin and --type are not available here yet");
    const [name, value] = options.operands.map(fromWord);
    const end = options.has("-z", "--null") ? "\0" : "\n";
    const { settings } = repository.config;
    if (options.has("-l", "--list")) {
      for (const setting of settings)
        print(
          `${setting.name}${setting.value === undefined || options.has("--name-only") ? "" : `${end === "\0" ? "\n" : "="}${setting.value}`}${end}`,
        );
      return 0;
    }
    if (name === undefined || value !== undefined)
      throw new GitError(`git config NAME VALUE sets it: ${WRITES}\ntry: git config --get ${name ?? "user.name"}`);
    if (options.has("--get-regexp")) {
      const pattern = new RegExpText(name);
      const found = settings.filter((setting) => pattern.test(setting.name));
      for (const setting of found)
        print(`${setting.name}${setting.value === undefined || options.has("--name-only") ? "" : ` ${setting.value}`}${end}`);
      return found.length === 0 ? 1 : 0;
    }
    if (!/^[^.]+\.(.*\.)?[^.]+$/.test(name)) throw new GitError(`key does not contain a section: ${name}`, { exit: 1, prefix: "error: " });
    const found = settings.filter((setting) => setting.name === configName(name));
    if (found.length === 0) {
      const otherwise = options.last("--default");
      if (otherwise === undefined) return 1;
      print(`${fromWord(otherwise)}${end}`);
      return 0;
    }
    for (const setting of options.has("--get-all") ? found : found.slice(-1)) print(`${setting.value ?? ""}${end}`);
    yield;
    return 0;
  },
};

class RegExpText {
  readonly #matcher: LineMatcher;
  constructor(pattern: string) {
    this.#matcher = compilePosix([toWord(pattern)], { syntax: "extended" });
  }
  test(text: string): boolean {
    const bytes = Buffer.from(text, "latin1");
    return this.#matcher.test(bytes, 0, bytes.length);
  }
}

function refusals(names: string, why: string): Record<string, readonly [string, string]> {
  return Object.fromEntries(names.split(" ").map((name) => [name, [why, "git config --list"] as const]));
}
