/** `shelpa-mcp doctor` and entries that run a container: which of them it starts, with an engine of the test's own in place of docker. */
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { containerFinding } from "../../src/cli/doctor/container-finding.ts";
import { containerOf } from "../../src/cli/init/container-choice.ts";
import { containerArguments } from "../../src/cli/init/container-entry.ts";
import { containerRunOf } from "../../src/cli/init/container-run.ts";
import { placeOf } from "../../src/cli/init/place.ts";
import { Workspace } from "../../src/workspace/workspace.ts";

const SERVER = join(process.cwd(), "dist/shelpa-mcp.js");
const IMAGE = "example.org/tools/shelpa-mcp:1";

let root: string;
let bin: string;
const calls = (): string => join(bin, "calls");

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "shelpa-found-")));
  bin = realpathSync(mkdtempSync(join(tmpdir(), "shelpa-engine-")));
  vi.stubEnv("HOME", bin);
  vi.stubEnv("XDG_CONFIG_HOME", undefined);
  vi.stubEnv("SHELPA_CONFIG", undefined);
});

afterEach(() => {
  vi.unstubAllEnvs();
  for (const directory of [root, bin]) rmSync(directory, { recursive: true });
});

/** An engine that notes what it is asked, says `image` of an image, and in place of a container starts the server itself. */
function engine(directory: string, image: string, run = `exec '${process.execPath}' '${SERVER}' --root '${root}'`): void {
  mkdirSync(directory, { recursive: true });
  const path = join(directory, "docker");
  writeFileSync(path, `#!/bin/sh\necho "$1 $2" >>'${calls()}'\ncase $1 in\nimage) ${image} ;;\nrun) ${run} ;;\nesac\n`);
  chmodSync(path, 0o755);
}

interface Row {
  readonly name: string;
  readonly image?: string;
  readonly run?: string;
  /** Changes the words that init would write. */
  readonly change?: (words: readonly string[]) => readonly string[];
  readonly says: string;
  /** The engine's calls, by their first two words. */
  readonly calls: string;
}

const RUN = "run --pull=never\n";
const ASKED = "image inspect\n";

test.each<Row>([
  { name: "as init writes it", says: "ok x: a container of docker starts and answers (N ms)", calls: ASKED + RUN },
  {
    name: "limits of the user's",
    change: (words) => words.map((word) => word.replace("--memory=4g", "--memory=8g")),
    says: "ok x: a container of docker starts and answers (N ms)",
    calls: ASKED + RUN,
  },
  {
    name: "an image that is not there",
    image: "echo 'Error response from daemon: No such image: example.org/tools/shelpa-mcp:1' >&2; exit 1",
    says: `fail x: the image ${IMAGE} is not there: docker pull ${IMAGE}`,
    calls: ASKED,
  },
  {
    name: "podman's words for that",
    image: "echo 'Error: inspecting object: example.org/tools/shelpa-mcp:1: image not known' >&2; exit 125",
    says: `fail x: the image ${IMAGE} is not there: docker pull ${IMAGE}`,
    calls: ASKED,
  },
  {
    name: "a daemon that is not there",
    image: "echo 'Cannot connect to the Docker daemon' >&2; exit 1",
    says: `fail x: docker was asked for the image ${IMAGE}: no answer: exit status 1: Cannot connect to the Docker daemon`,
    calls: ASKED,
  },
  {
    name: "an image of somebody else's",
    image: "echo evil",
    says: `note x: the image ${IMAGE} is not this program's, and was not tried`,
    calls: ASKED,
  },
  {
    name: "a container that does not start",
    run: "echo 'OCI runtime error' >&2; exit 126",
    says: "fail x: the container, started as its client would, gave no answer: exit status 126: OCI runtime error",
    calls: ASKED + RUN,
  },
  {
    name: "an option more",
    change: ([program = "", run = "", ...words]) => [program, run, "--privileged", ...words],
    says: `fail x: the container is open: --privileged; it was not tried, and 'shelpa-mcp init --container docker --image ${IMAGE}' writes it anew`,
    calls: "",
  },
  {
    name: "the network",
    change: (words) => words.map((word) => word.replace("--network=none", "--network=host")),
    says: `fail x: the container is open: --network=host, without --network=none; it was not tried, and 'shelpa-mcp init --container docker --image ${IMAGE}' writes it anew`,
    calls: "",
  },
  {
    name: "a mount more",
    change: (words) => words.toSpliced(2, 0, "--mount=type=bind,src=/,dst=/host"),
    says: `fail x: the container is open: --mount=type=bind,src=/,dst=/host; it was not tried, and 'shelpa-mcp init --container docker --image ${IMAGE}' writes it anew`,
    calls: "",
  },
  {
    name: "a volume, a capability, and a root file system that can be written",
    change: ([program = "", run = "", ...words]) => [
      ...[program, run, "-v", "/:/host", "--cap-add", "SYS_ADMIN"],
      ...words.filter((word) => word !== "--read-only"),
    ],
    says: `fail x: the container is open: --volume=/:/host, --cap-add=SYS_ADMIN, without --read-only; it was not tried, and 'shelpa-mcp init --container docker --image ${IMAGE}' writes it anew`,
    calls: "",
  },
  {
    name: "seccomp off, and a variable that makes Node run a file",
    change: (words) => words.toSpliced(2, 0, "--security-opt=seccomp=unconfined", "--env=NODE_OPTIONS=--require ./x.js"),
    says: `fail x: the container is open: --security-opt=seccomp=unconfined, --env=NODE_OPTIONS=--require ./x.js; it was not tried, and 'shelpa-mcp init --container docker --image ${IMAGE}' writes it anew`,
    calls: "",
  },
  {
    name: "harmless words",
    change: (words) => words.filter((word) => word !== "--log-driver=none").toSpliced(2, 0, "--name=mine", "--env=TZ=UTC"),
    says: `note x: runs a container in another way than 'shelpa-mcp init --container docker --image ${IMAGE}' writes (--name=mine, --env=TZ=UTC, without --log-driver=none), and was not tried`,
    calls: "",
  },
  {
    name: "the same words in another order",
    change: ([program = "", run = "", first = "", second = "", ...words]) => [program, run, second, first, ...words],
    says: `note x: runs a container with the words that 'shelpa-mcp init --container docker --image ${IMAGE}' writes, in another order, and was not tried`,
    calls: "",
  },
  {
    name: "another root",
    change: (words) => words.map((word) => word.replaceAll(root, "/srv")),
    says: "note x: runs a container for another root, and was not tried",
    calls: "",
  },
  {
    name: "an image that is fetched each time, and limits that are taken away",
    change: (words) => words.map((word) => word.replace(/^--(memory|pids-limit)=.*/, "--$1=-1")).toSpliced(2, 0, "--pull=always"),
    says: `fail x: the container is open: --pull=always, --memory=-1, --pids-limit=-1; it was not tried, and 'shelpa-mcp init --container docker --image ${IMAGE}' writes it anew`,
    calls: "",
  },
  {
    name: "limits of zero in other words",
    change: (words) => words.map((word) => word.replace("--memory=4g", "--memory=0.0").replace("--pids-limit=512", "--pids-limit=+0")),
    says: `fail x: the container is open: --memory=0.0, --pids-limit=+0; it was not tried, and 'shelpa-mcp init --container docker --image ${IMAGE}' writes it anew`,
    calls: "",
  },
  {
    name: "a label, which other programs of the machine may obey",
    change: (words) => words.toSpliced(words.indexOf("--pids-limit=512") + 1, 0, "--label=ofelia.enabled=true"),
    says: `note x: runs a container in another way than 'shelpa-mcp init --container docker --image ${IMAGE}' writes (--label=ofelia.enabled=true), and was not tried`,
    calls: "",
  },
  {
    name: "a configuration",
    change: (words) => [...words, "--config", `${root}/evil.toml`],
    says: "note x: says --config, which is not tried for a file of the project, and was not tried",
    calls: "",
  },
  {
    name: "an image that is an option",
    change: (words) => words.flatMap((word) => (word === IMAGE ? ["--", "--help"] : [word])),
    says: "note x: runs a container of an image that has no such name, and was not tried",
    calls: "",
  },
])("$name", { timeout: 60_000 }, async ({ image = "echo shelpa-mcp", run, change = (words) => words, says, calls: called }) => {
  engine(bin, image, run);
  expect(await found(change)).toBe(says);
  expect(existsSync(calls()) ? readFileSync(calls(), "utf8") : "").toBe(called);
});

async function found(
  change: (words: readonly string[]) => readonly string[],
  path = bin,
  image = IMAGE,
  isOfProject = true,
): Promise<string> {
  const place = placeOf(root, process.platform, process.env);
  const project = Workspace.open(root);
  try {
    const environment = { PATH: path };
    const container = containerOf("docker", image, { place, project, path: [], environment });
    if (container === undefined) throw new Error("no container");
    const args = containerArguments(container, { options: ["--root", root], kept: [], configuration: undefined });
    const words = change(["docker", ...args]);
    const read = containerRunOf(words);
    if (read === undefined) throw new Error("no run");
    const entry = { words, env: {} };
    const start = { where: "x", entry, run: read, fill: (word: string) => word, environment, directory: root, place, project, isOfProject };
    const { state, what } = await containerFinding(start);
    return `${state} ${what.replace(/\d+ ms/, "N ms")}`;
  } finally {
    project.close();
  }
}

test("an engine that is not on PATH is named, and one in the project is not started", async () => {
  expect(await found((words) => words, join(bin, "empty"))).toBe("fail x: docker is not on PATH, so no container starts");
  engine(bin, "echo shelpa-mcp");
  engine(join(root, "bin"), "echo shelpa-mcp");
  const planted = join(root, "bin/docker");
  expect(await found(([, ...words]) => [planted, ...words])).toBe(`note x: '${planted}' is not the docker on PATH, and was not tried`);
  // As npm has it for scripts of a project.
  expect(await found((words) => words, join(root, "bin"))).toBe("note x: the docker on PATH lies in the project, and was not tried");
  expect(existsSync(calls())).toBe(false);
});

test.each([
  ["shelpa-mcp", "build it in a clone of the repository: docker build -t shelpa-mcp . (docs/container.md)"],
  ["me/shelpa:2", "build it in a clone of the repository: docker build -t me/shelpa:2 . (docs/container.md)"],
  ["localhost/shelpa-mcp", "build it in a clone of the repository: docker build -t localhost/shelpa-mcp . (docs/container.md)"],
  ["localhost:5000/shelpa-mcp", "docker pull localhost:5000/shelpa-mcp"],
  ["ghcr.io/shelpa/shelpa-mcp:1", "docker pull ghcr.io/shelpa/shelpa-mcp:1"],
])("the way to the image %s", { timeout: 60_000 }, async (image, way) => {
  engine(bin, "echo 'Error: No such image' >&2; exit 1");
  expect(await found((words) => words, bin, image)).toBe(`fail x: the image ${image} is not there: ${way}`);
});
