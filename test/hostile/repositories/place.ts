/**
 * The world around one hostile repository: the root, a directory beside it and a home directory, each with canaries, and
 * a program that leaves a mark wherever anything starts it.
 */
import {
  chmodSync,
  lutimesSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { toBytes } from "../../../src/io/text.ts";
import { commitData, HostileRepository, treeData } from "../git-objects.ts";
import { makeFifo } from "../../tree.ts";

/** Text that stands outside the root alone, and so may be in no output. */
export const CANARIES = { outside: "CANARY_OUTSIDE_5e1f", home: "CANARY_HOME_c07a", environment: "CANARY_ENV_91d3" } as const;

/** Programs that something might look for in PATH. Each is the canary program. */
const DECOYS = "canary sh bash env git less more cat touch ssh vim vi nano node npx shelpa xdg-open gpg tar gzip rg jq".split(" ");

/** Files of the home directory that other programs obey, none of which is the server's to read or write. */
const HOME: Readonly<Record<string, string>> = {
  ".bashrc": `# ${CANARIES.home}\n`,
  ".profile": `# ${CANARIES.home}\n`,
  ".gitconfig": `[user]\n\tname = ${CANARIES.home}\n[alias]\n\tstatus = !canary\n`,
  ".ripgreprc": `--pre=canary\n--replace=${CANARIES.home}\n`,
  ".netrc": `machine example.org login x password ${CANARIES.home}\n`,
  ".ssh/authorized_keys": `ssh-ed25519 ${CANARIES.home}\n`,
  ".cursor/mcp.json": `{ "mcpServers": { "${CANARIES.home}": { "command": "x" } } }\n`,
  ".claude.json": `{ "${CANARIES.home}": 1 }\n`,
  ".codex/config.toml": `# ${CANARIES.home}\n`,
};

export class Place {
  readonly path = realpathSync(mkdtempSync(`${tmpdir()}/shelpa-hostile-`));
  readonly root = `${this.path}/root`;
  readonly outside = `${this.path}/outside`;
  readonly home = `${this.path}/home`;
  /** A mark of each program that ran. */
  readonly #ran = `${this.path}/ran`;
  readonly #bin = `${this.path}/bin`;

  constructor() {
    for (const path of [this.root, this.#ran, this.#bin, `${this.outside}/dir`]) mkdirSync(path, { recursive: true });
    for (const name of DECOYS) {
      writeFileSync(`${this.#bin}/${name}`, `#!/bin/sh\necho "$0 $*" > "${this.#ran}/$$"\n`, { mode: 0o755 });
    }
    for (const [name, text] of Object.entries(HOME)) written(`${this.home}/${name}`, text);
    written(`${this.outside}/secret.txt`, `${CANARIES.outside}\n`);
    written(`${this.outside}/victim.json`, `{ "mcpServers": {}, "note": "${CANARIES.outside}" }\n`);
    written(`${this.outside}/victim.toml`, `# ${CANARIES.outside}\n`);
    written(`${this.outside}/dir/secret.txt`, `${CANARIES.outside}\n`);
    const outside = new HostileRepository(this.outside);
    committed(outside, { "secret.txt": `${CANARIES.outside}\n` }, `${CANARIES.outside}\n`);
    outside.file(".git/config", `[remote "${CANARIES.outside}"]\n\turl = x\n[core]\n\tfsmonitor = canary\n`);
    this.file("README.md", "needle\nsecond line\n");
    this.file("src/main.ts", "export const needle = 1;\n");
    this.file("data.json", '{ "a": [1, 2] }\n');
  }

  /** Environment of every door: what obeys it would run the canary or show a canary of the home directory. */
  get environment(): Readonly<Record<string, string>> {
    return {
      PATH: this.#bin,
      HOME: this.home,
      TZ: "UTC",
      SHELPA_CANARY: CANARIES.environment,
      RIPGREP_CONFIG_PATH: `${this.home}/.ripgreprc`,
      GIT_DIR: `${this.outside}/.git`,
      GIT_CONFIG_GLOBAL: `${this.home}/.gitconfig`,
      GIT_EXTERNAL_DIFF: this.canary,
      GIT_PAGER: this.canary,
      PAGER: this.canary,
      EDITOR: this.canary,
      LESSOPEN: `|${this.canary} %s`,
      BASH_ENV: this.canary,
      ENV: this.canary,
    };
  }

  /** The program that leaves a mark. */
  get canary(): string {
    return `${this.#bin}/canary`;
  }

  /** Number of programs that ran and should not have. */
  get runs(): number {
    return readdirSync(this.#ran).length;
  }

  /** `name` below the root, in the encoding of src/io/text.ts. */
  at(name: string): Buffer {
    return toBytes(`${this.root}/${name}`);
  }

  file(name: string, content: string | Uint8Array, mode = 0o644): void {
    this.#parents(name);
    writeFileSync(this.at(name), typeof content === "string" ? toBytes(content) : content, { mode });
  }

  directory(name: string): void {
    mkdirSync(this.at(name), { recursive: true });
  }

  link(name: string, target: string): void {
    this.#parents(name);
    symlinkSync(toBytes(target), this.at(name));
  }

  fifo(name: string): void {
    this.#parents(name);
    makeFifo(`${this.root}/${name}`);
  }

  /** A file of holes: of any size, and of no weight. */
  sparse(name: string, bytes: number): void {
    this.file(name, "");
    truncateSync(this.at(name), bytes);
  }

  /** Sets the time of last modification, in seconds since the epoch. */
  time(name: string, seconds: number): void {
    // Node takes a time before 1970 for none, and the present for it: such a one is a date.
    lutimesSync(this.at(name), 1, seconds < 0 ? new Date(seconds * 1000) : seconds);
  }

  mode(name: string, mode: number): void {
    chmodSync(this.at(name), mode);
  }

  /** A repository with one commit of `files` below the root, unless `directory` says where. */
  repository(files: Readonly<Record<string, string>> = { "README.md": "needle\nfirst line\n" }, directory = ""): HostileRepository {
    const repository = new HostileRepository(directory === "" ? this.root : `${this.root}/${directory}`);
    repository.file(".git/config", "[core]\n\trepositoryformatversion = 0\n\tbare = false\n");
    committed(repository, files, "first\n");
    return repository;
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true, maxRetries: 3 });
  }

  #parents(name: string): void {
    const slash = name.lastIndexOf("/");
    if (slash > 0) mkdirSync(this.at(name.slice(0, slash)), { recursive: true });
  }
}

function written(path: string, text: string): void {
  mkdirSync(path.replace(/\/[^/]*$/, ""), { recursive: true });
  writeFileSync(path, text);
}

function committed(repository: HostileRepository, files: Readonly<Record<string, string>>, message: string): void {
  const entries = Object.entries(files).map(([name, text]) => ["100644", name, repository.object("blob", Buffer.from(text))] as const);
  const commit = repository.object("commit", commitData(repository.object("tree", treeData(entries)), [], message));
  repository.file(".git/refs/heads/main", `${commit}\n`);
}
