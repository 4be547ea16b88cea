/** /tmp is the session's own: what lines write there, how much, who sees it, and how it ends. */
import { spawn, spawnSync } from "node:child_process";
import {
  mkdtempSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { DEFAULT_POLICY, type Policy } from "../../src/config/policy.ts";
import { createShellService } from "../../src/mcp/service.ts";
import type { ShellService } from "../../src/mcp/shell-service.ts";
import type { Session } from "../../src/session/session.ts";
import { Shell } from "../../src/session/shell.ts";
import { removeLeftBases } from "../../src/workspace/mount/scratch-base.ts";
import { skipWithout } from "../needs.ts";
import { tree, type Tree } from "../tree.ts";

let place: Tree;
let shell: Shell | undefined;
beforeEach(() => {
  place = tree(["root/f: b\\na\\nc\\n", "root/d/g: g\n", "outside/secret: CANARY\n", "root/to-tmp => /tmp/x"]);
  writeFileSync(`${place.path}/root/f`, "b\na\nc\n");
});
const close = async (): Promise<void> => {
  await shell?.close();
  shell = undefined;
};
afterEach(async () => {
  await close();
  place.remove();
});

const open = async (policy: Partial<Policy> = {}, isolation: "none" | "process" = "none"): Promise<Session> => {
  shell = await Shell.open({ root: `${place.path}/root`, policy: { ...DEFAULT_POLICY, ...policy }, isolation });
  return shell.defaultSession;
};
const limited = (scratchBytes: number): Partial<Policy> => ({ limits: { ...DEFAULT_POLICY.limits, scratchBytes } });

/** Standard output, standard error and the ending; the reason of a refusal. */
async function said(session: Session, line: string): Promise<string> {
  const { result, stdout, stderr } = await session.run(line);
  if (result.kind === "refused") return `${stdout}${stderr}${result.violations[0].reason}`;
  return `${stdout}${stderr}${result.kind === "completed" ? result.exit : JSON.stringify(result)}`;
}

/** Bases of this process; those of its executors are the same. */
const bases = (): readonly string[] => readdirSync(tmpdir()).filter((name) => name.startsWith(`shelpa-scratch-${process.pid}-`));

/** The directory of the one session that has used its scratch. */
function sessionDirectory(): string {
  for (const base of bases()) {
    const [session] = readdirSync(join(tmpdir(), base));
    if (session !== undefined) return join(tmpdir(), base, session);
  }
  throw new Error("no scratch is there");
}

describe("lines as bash runs them, with T for the directory", () => {
  const lines = [
    "sort f > T/x; cat T/x",
    "cat f >T/x; cat f >> T/x; wc -l < T/x",
    "echo a >| T/x; cat < T/x",
    "ls nope 2> T/err; echo $?; wc -l T/err | cut -d' ' -f1",
    "ls nope f &> T/both; wc -l < T/both",
    "ls f &>> T/both; ls f >& T/both2; cat T/both T/both2",
    "{ echo out; echo err >&2; } > T/o 2> T/e; cat T/e T/o",
    "ls nope 2>&1 > T/o | wc -l; wc -c < T/o",
    "ls nope > T/o 2>&1; wc -l < T/o",
    "for i in 1 2 3; do echo $i; done > T/n; cat T/n",
    "for i in 1 2 3; do echo $i >> T/m; done; cat T/m",
    'while read -r l; do echo "<$l>"; done < f > T/w; cat T/w',
    "( echo sub ) > T/s; cat T/s",
    "if true; then echo yes; fi > T/i; cat T/i",
    "f2() { echo fun; }; f2 > T/fn; cat T/fn",
    "> T/empty; [ -f T/empty ] && [ ! -s T/empty ] && echo made",
    ": > T/empty2; ls T/empty2 | wc -l",
    "x=1 > T/assigned; [ -e T/assigned ] && echo $x",
    "sort f > T/a; cat T/a > T/a; wc -c < T/a",
    "cat f > T/p | wc -l; wc -l < T/p",
    "cat f > T/q | true; wc -l < T/q",
    "echo one > T/1; echo two > T/2; cat T/?",
    "echo x > T/d/none; echo $?",
    "echo x > T; echo $?",
    't=T/v; sort f > "$t"; wc -l < "$t"',
    "t=T/v; sort f > ${t}.sorted; head -n 1 T/v.sorted",
    'for x in p q; do echo $x > "T/$x.txt"; done; cat T/p.txt T/q.txt',
    't=$(mktemp -p T); sort f > "$t"; wc -l < "$t"',
    "d=$(mktemp -d -p T) && echo in > $d/x && cat $d/x",
    "cat f | tee T/t | head -n 1; wc -l < T/t",
    "echo more | tee -a T/t2 T/t3; cat T/t2 T/t3",
    "tee T/t4 < f > T/t5; diff T/t4 T/t5 && echo same",
    "diff <(sort f) f > T/diff; wc -l < T/diff",
    "sort f > T/k; sort f | comm -12 - T/k | wc -l; join f T/k 2> /dev/null | wc -l",
    "grep -c a f > T/c && grep -q 1 T/c && echo found",
    "trap 'cat T/bye' EXIT; echo bye > T/bye",
    "cd T && echo here > rel && cat rel T/rel; cd - > T/cd; cat rel 2>&1 | wc -l",
    "awk 'BEGIN { while ((getline l < \"T/none\") > 0) n++; print n + 0 }'",
    "sort f > T/g; awk 'NR == FNR { a[$1]; next } $1 in a { n++ } END { print n }' T/g f",
    'awk \'{ print > "T/aw" } END { close("T/aw"); while ((getline l < "T/aw") > 0) print "<" l ">" }\' f; cat T/aw',
    'awk \'{ print > ("T/" $1 ".t"); print NR >> "T/nr" }\' f; cat T/?.t T/nr',
    'awk \'BEGIN { print "x" > "T/fl"; fflush(); system("cat T/fl"); print "y" > "T/fl"; system("cat T/fl") }\'',
    'awk \'BEGIN { print "x" > "T" }\'; echo $?; awk \'BEGIN { print "x" > "T/no/x" }\'; echo $?',
    "printf '{ print > \"T/pf\" }' > T/p.awk; awk -f T/p.awk f; cat T/pf",
    "sed -n '/b/w T/sed' f; cat T/sed; sed 's/b/X/w T/sed' f; cat T/sed",
    "sed -e 'w T/own' -e 'r T/own' f; sed -u -e 'w T/own' -e 'r T/own' f; echo 'w T/own' > T/s.sed; sed -n -f T/s.sed T/own; cat T/own",
    "sed 'w T/no/x' f; echo $?; sed -n 'w T' f; echo $?",
    "echo a > T/find.x; find T -name '*.x' | wc -l; echo T/find.*",
  ];
  let own: string;
  beforeAll(() => {
    own = mkdtempSync(join(tmpdir(), "shelpa-own-"));
  });
  afterAll(() => rmSync(own, { recursive: true }));

  test.each(lines)("%s", async (line) => {
    skipWithout("bash", ...(/\bawk\b/.test(line) ? ["gawk"] : []));
    rmSync(own, { recursive: true });
    mkdirSync(own);
    const real = spawnSync("bash", ["--norc", "-c", line.replaceAll(/\bT\b/g, own)], {
      stdio: ["ignore", "pipe", "pipe"],
      cwd: `${place.path}/root`,
      env: { PATH: process.env["PATH"], LC_ALL: "C.UTF-8", TMPDIR: own },
      encoding: "utf8",
    });
    const { result, stdout, stderr } = await (await open()).run(line.replaceAll(/\bT\b/g, "/tmp"));
    expect(result.kind).toBe("completed");
    const ours = { stdout: String(stdout), stderr: String(stderr), exit: result.kind === "completed" ? result.exit : -1 };
    const asOurs = (text: string): string => text.replaceAll(own, "/tmp");
    expect(ours).toEqual({ stdout: asOurs(real.stdout), stderr: asOurs(real.stderr), exit: real.status });
  });
});

describe.each(["none", "process"] as const)("isolation %s", (isolation) => {
  test("files last from line to line, and go with the shell", async () => {
    const session = await open({}, isolation);
    expect(await said(session, "sort f > /tmp/x; t=$(mktemp -d); echo q > $t/y; echo $t")).toMatch(/^\/tmp\/tmp\.[A-Za-z0-9]{10}\n0$/);
    expect(await said(session, "cat /tmp/x; cat /tmp/tmp.*/y")).toBe("a\nb\nc\nq\n0");
    const directory = sessionDirectory();
    expect(existsSync(directory)).toBe(true);
    await close();
    expect(existsSync(directory)).toBe(false);
    expect(bases()).toEqual([]);
  });

  test("a line that does not name it makes no directory in it", async () => {
    const session = await open({}, isolation);
    expect(await said(session, "cat f | sort | wc -l; echo x | tee new")).toBe("3\nx\n0");
    expect(bases().flatMap((base) => readdirSync(join(tmpdir(), base)))).toEqual([]);
  });

  test("no more bytes than may be, and a part stays", async () => {
    const session = await open(limited(100_000), isolation);
    expect(await said(session, "yes > /tmp/flood; echo $?; stat -c %s /tmp/flood")).toMatch(
      /^1\n100000\nyes: write error: No space left on device\n0$/,
    );
    expect(await said(session, "echo x > /tmp/more")).toBe("bash: line 1: echo: write error: No space left on device\n1");
    expect(await said(session, "echo x | tee /tmp/more")).toBe("x\ntee: /tmp/more: No space left on device\n1");
    expect(await said(session, "echo x >> /tmp/flood; stat -c %s /tmp/flood")).toMatch(/^100000\n/);
    expect(await said(session, "> /tmp/flood; echo x > /tmp/more; cat /tmp/more")).toBe("x\n0");
    expect(await said(session, "for i in $(seq 100); do yes | head -c 2000 >> /tmp/many; done; stat -c %s /tmp/many")).toMatch(/^9999\d\n/);
  });

  test("no more files than may be", async () => {
    const session = await open({}, isolation);
    const answer = await said(session, "for i in $(seq 1100); do echo > /tmp/n$i || break; done; ls /tmp | wc -l; mktemp; mktemp -d");
    expect(answer).toContain("1000\n");
    expect(answer).toContain("bash: line 1: /tmp/n1001: No space left on device");
    expect(answer).toContain("mktemp: failed to create file via template ‘/tmp/tmp.XXXXXXXXXX’: No space left on device");
    expect(answer).toContain("mktemp: failed to create directory via template");
  });

  test("a session never sees another's", async () => {
    const session = await open({}, isolation);
    await said(session, "echo mine > /tmp/x; mkdir=1; echo in > $(mktemp)");
    const other = (shell as Shell).newSession();
    expect(await said(other, "ls -A /tmp; cat /tmp/x")).toBe("cat: /tmp/x: No such file or directory\n1");
    const name = sessionDirectory().split("/").at(-1) as string;
    for (const path of [`/tmp/../${name}/x`, `/tmp/${name}/x`, `/tmp/x/../../${name}/x`, `${sessionDirectory()}/x`]) {
      expect(await said(other, `cat ${path}`)).not.toContain("mine");
      expect(await said(other, `cd /tmp; cat ../${name}/x; p=${path}; cat "$p" < "$p"`)).not.toContain("mine");
    }
    expect(await said(session, "cat /tmp/x")).toBe("mine\n0");
  });

  test("what others have put there leads nowhere", async () => {
    const session = await open({}, isolation);
    await said(session, "echo mine > /tmp/x");
    const directory = sessionDirectory();
    const secret = `${place.path}/outside/secret`;
    symlinkSync(secret, `${directory}/link`);
    symlinkSync(`${place.path}/root/f`, `${directory}/into-root`);
    symlinkSync("../../../etc", `${directory}/up`);
    linkSync(secret, `${directory}/hard`);
    spawnSync("mkfifo", [`${directory}/fifo`]);
    expect(await said(session, "cat /tmp/link /tmp/up/passwd 2>&1")).not.toMatch(/CANARY|root:/);
    for (const name of ["link", "up/new", "hard", "fifo"]) {
      expect(await said(session, `echo pwned > /tmp/${name}`)).not.toMatch(/0$/);
      expect(await said(session, `echo pwned | tee -a /tmp/${name} > /dev/null`)).not.toMatch(/0$/);
    }
    expect(await said(session, "echo pwned > /tmp/into-root/../f")).not.toMatch(/0$/);
    expect(readFileSync(secret, "utf8")).toBe("CANARY\n");
    expect(readFileSync(`${place.path}/root/f`, "utf8")).toBe("b\na\nc\n");
    // A directory in the place of the session's own is not followed either.
    renameSync(directory, `${directory}-moved`);
    symlinkSync(`${place.path}/outside`, directory);
    expect(await said(session, "cat /tmp/secret; echo pwned > /tmp/secret")).not.toMatch(/CANARY/);
    expect(readdirSync(`${place.path}/outside`)).toEqual(["secret"]);
    expect(readFileSync(secret, "utf8")).toBe("CANARY\n");
    rmSync(directory);
    rmSync(`${directory}-moved`, { recursive: true });
  });

  test("read-only: /tmp is written, and nothing else", async () => {
    const nothing = await open({ readOnly: true, ...limited(0) }, isolation);
    for (const line of ["echo x | tee f", "n=$(echo f); echo x | tee $n", "sed -i s/a/b/ f", "rm f"])
      expect(await said(nothing, line)).toBe("READ_ONLY");
    await close();
    const session = await open({ readOnly: true }, isolation);
    expect(await said(session, "sort f > /tmp/x; cat /tmp/x | tee /tmp/y | wc -l; t=$(mktemp); echo q | tee $t")).toBe("3\nq\n0");
    expect(await said(session, "awk '{ print > \"/tmp/a\" }' f; sed -n '1w /tmp/s' f; cat /tmp/a /tmp/s")).toBe("b\na\nc\nb\n0");
    expect(await said(session, "echo x | tee new")).toBe("READ_ONLY");
    expect(await said(session, "n=$(echo new); echo x | tee $n")).toBe("READ_ONLY");
    expect(await said(session, "echo x | tee /tmp/x new")).toBe("READ_ONLY");
    expect(await said(session, "echo x > new")).toBe("READ_ONLY");
    expect(existsSync(`${place.path}/root/new`)).toBe(false);
    expect(existsSync(`${place.path}/root/.shelpa`)).toBe(false);
  });
});

describe("refused", () => {
  test.each([
    ["echo x > new", "REDIRECT"],
    ['e=; echo x > "$e"', "REDIRECT"],
    ["echo a > /tmp/a; echo x > new", "REDIRECT"],
    ["t=new; echo x > $t", "REDIRECT"],
    ["t=$(echo /tmp/x); echo x > $t", "REDIRECT"],
    ["if true; then t=$(mktemp); else t=new; fi; echo x > $t", "REDIRECT"],
    ["t=$(mktemp); read -r t < f; echo x > $t", "REDIRECT"],
    ["for t in *; do echo x > $t; done", "REDIRECT"],
    ["echo x > /tmp/../new", "PATH_ESCAPE"],
    ["echo x > /tmp/../../etc/new", "PATH_ESCAPE"],
    ["echo x > /tmpfile", "PATH_ESCAPE"],
    ["echo x > /var/tmp/x", "PATH_ESCAPE"],
    ["cd d && echo x > /tmp/a && echo x > rel", "REDIRECT"],
    ["cd /tmp; echo x > rel", "REDIRECT"],
    ["echo x <> /tmp/x", "REDIRECT"],
    ["n=../../../etc; y=$(echo $n); echo x > /tmp/$y", "REDIRECT"],
    ["awk '{ print > \"new\" }' f", "DISALLOWED_FLAG"],
    ["awk '{ print > \"/tmp/../new\" }' f", "DISALLOWED_FLAG"],
    ["awk '{ print > (\"/tmp\" $1) }' f", "DISALLOWED_FLAG"],
    ["awk -v n=../new '{ print > (\"/tmp/\" n) }' f", "REDIRECT"],
    ["awk -v n=/tmp/x '{ print > n }' f", "DISALLOWED_FLAG"],
    ["cd /tmp; awk 'BEGIN { print > \"rel\" }'", "DISALLOWED_FLAG"],
    ['p=\'{ print > "new" }\'; awk "$p" f', "DISALLOWED_FLAG"],
    ['p=$(echo \'{ print > "new" }\'); awk "$p" f', "would write a file"],
    ["find . -name f -exec awk '{ print > \"new\" }' {} +", "would write a file"],
    ["sed 'w new' f", "DISALLOWED_FLAG"],
    ["sed 's/b/x/w /tmp/../new' f", "DISALLOWED_FLAG"],
    ["sed -f <(echo 'w new') f", "a script writes no files here"],
    ["awk -f <(echo '{ print > \"new\" }') f", "would write a file"],
    ['awk -f <(echo \'{ print > ("/tmp/" "../new") }\') f', "REDIRECT"],
    ["echo x | tee /tmp/../new", "PATH_ESCAPE"],
    ["echo x > to-tmp", "SYMLINK_ESCAPE"],
    ["cat to-tmp", "cat: to-tmp: Symbolic link leaves the workspace\n1"],
    ["mktemp foo.XXX", "DISALLOWED_FLAG"],
    ["mktemp -p d", "DISALLOWED_FLAG"],
    ["d=$(echo d); mktemp -p $d foo.XXX; ls d", "g\nmktemp: mktemp makes files"],
    ["git -C /tmp log", "fatal: "],
  ])("%s", async (line, expected) => {
    const before = spawnSync("find", [place.path], { encoding: "utf8" }).stdout;
    expect(await said(await open(), line)).toContain(expected);
    expect(spawnSync("find", [place.path], { encoding: "utf8" }).stdout).toBe(before);
  });

  test("all of it, where the scratch is off or the policy is strict", async () => {
    expect(await said(await open(limited(0)), "echo x > /tmp/x")).toBe("REDIRECT");
    expect(await said(await open(limited(0)), "cat /tmp/x")).toBe("PATH_ESCAPE");
    expect(await said(await open(limited(0)), "mktemp")).toMatch(/outside the workspace/);
    expect(await said(await open({ strict: true }), "echo x > /tmp/x")).toBe("REDIRECT");
  });
});

test("a root below /tmp is the root, and its neighbours are not there", async () => {
  const session = await open();
  const root = `${place.path}/root`;
  expect(await said(session, `cat ${root}/d/g; ls ${place.path}/outside`)).toMatch(/^g\n/);
  expect(await said(session, `echo x > ${root}/new`)).toBe("REDIRECT");
  // The tests may be run with another directory for temporary files.
  if (root.startsWith("/tmp/")) expect(await said(session, `y=$(echo ${root.slice(5)}/new); echo x > /tmp/$y`)).toBe("REDIRECT");
  expect(existsSync(`${root}/new`)).toBe(false);
});

test("the scratch of a session that is forgotten goes with it", async () => {
  let nowMs = 0;
  shell = await Shell.open({ root: `${place.path}/root`, isolation: "none", nowMs: () => nowMs });
  const session = shell.newSession();
  await session.run("echo x > /tmp/x");
  const directory = sessionDirectory();
  nowMs += 2 * 3_600_000;
  expect(shell.session(session.handle)).toBeUndefined();
  expect(existsSync(directory)).toBe(false);
});

describe("calls of their own sessions", () => {
  let service: ShellService;
  const call = async (command: string, session?: string) => {
    const options = { session: "of its own" } as const;
    return service.call({ command, ...(session === undefined ? {} : { session }) }, new AbortController().signal, options);
  };
  afterEach(() => service.close());
  test.each(["none", "process"] as const)("one that left files can be gone on with: isolation %s", async (isolation) => {
    service = await createShellService({ root: `${place.path}/root`, policy: DEFAULT_POLICY, aliases: [], isolation });
    const { notes } = await call("sort f > /tmp/x");
    const [, handle = ""] = /the next call has another \/tmp; to go on from here, give it "session": "([^"]+)"/.exec(notes.join()) ?? [];
    expect((await call("cat /tmp/x", handle)).stdout.bytes.toString()).toBe("a\nb\nc\n");
    expect((await call("ls /tmp")).stdout.bytes.toString()).toBe("");
    expect((await call("true")).notes).toEqual([]);
  });
  test("an opened one ends with its files", async () => {
    service = await createShellService({ root: `${place.path}/root`, policy: DEFAULT_POLICY, aliases: [], isolation: "none" });
    const session = service.openSession();
    await service.call({ command: "echo x > /tmp/x" }, new AbortController().signal, { session });
    const directory = sessionDirectory();
    service.closeSession(session);
    expect(existsSync(directory)).toBe(false);
  });
  test("a preview leaves no trace in it", async () => {
    service = await createShellService({ root: `${place.path}/root`, policy: DEFAULT_POLICY, aliases: [], isolation: "none" });
    const request = (command: string) => [{ command }, new AbortController().signal] as const;
    await service.call(...request("echo one > /tmp/x"));
    await service.preview(...request("echo two >> /tmp/x; cat /tmp/x | tee new"));
    expect((await service.call(...request("cat /tmp/x"))).stdout.bytes.toString()).toBe("one\n");
  });
});

describe("what a process leaves", () => {
  const start = (): ReturnType<typeof spawn> =>
    spawn(process.execPath, ["dist/shelpa-mcp.js", "--root", `${place.path}/root`], { stdio: ["pipe", "pipe", "inherit"] });
  const request = `${JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name: "shelpa_pipe", arguments: { command: "echo x > /tmp/x" } },
  })}\n`;
  const basesOf = (pid: number): readonly string[] => readdirSync(tmpdir()).filter((name) => name.startsWith(`shelpa-scratch-${pid}-`));
  const answered = (server: ReturnType<typeof spawn>): Promise<void> =>
    new Promise((resolve) => {
      server.stdout?.once("data", () => resolve());
      server.stdin?.write(request);
    });
  const ended = (server: ReturnType<typeof spawn>): Promise<void> => new Promise((resolve) => server.once("exit", () => resolve()));

  test.each(["SIGTERM", "SIGINT", "end of input"])("nothing at %s", async (how) => {
    const server = start();
    await answered(server);
    const pid = server.pid as number;
    expect(basesOf(pid).flatMap((base) => readdirSync(join(tmpdir(), base)))).toHaveLength(1);
    const gone = ended(server);
    if (how === "end of input") server.stdin?.end();
    else server.kill(how as NodeJS.Signals);
    await gone;
    expect(basesOf(pid)).toEqual([]);
  });

  test("nothing at SIGTERM during shelpa -c", async () => {
    const line = spawn(process.execPath, ["dist/shelpa.js", "-c", "echo x > /tmp/x; cat /tmp/x; sleep 60"], {
      cwd: process.cwd(),
      stdio: ["ignore", "pipe", "inherit"],
    });
    await new Promise((resolve) => line.stdout.once("data", resolve));
    expect(basesOf(line.pid as number)).toHaveLength(1);
    const exit = new Promise((resolve) => line.once("exit", resolve));
    line.kill("SIGTERM");
    expect(await exit).toBe(143);
    expect(basesOf(line.pid as number)).toEqual([]);
  });

  test("one that was killed: the next start removes it, and no other", async () => {
    const [server, living] = [start(), start()];
    await Promise.all([answered(server), answered(living)]);
    const gone = ended(server);
    server.kill("SIGKILL");
    await gone;
    const pid = server.pid as number;
    const [left = ""] = basesOf(pid);
    expect(left).not.toBe("");
    // Of another user's making, or not as ours are: left alone.
    const strange = join(tmpdir(), left.replace(/-[0-9a-f]+$/, "-00"));
    mkdirSync(strange, 0o755);
    removeLeftBases();
    expect(basesOf(pid)).toEqual([strange.split("/").at(-1)]);
    expect(basesOf(living.pid as number)).toHaveLength(1);
    rmSync(strange, { recursive: true });
    const end = ended(living);
    living.kill("SIGTERM");
    await end;
  });
});
