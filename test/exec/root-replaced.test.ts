/**
 * The root as a descriptor and one canonical path: what stands in its place afterwards is the root only if it is a
 * directory there, reached by no symbolic link, and then for every executor alike.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { DEFAULT_POLICY } from "../../src/config/policy.ts";
import type { ShellService } from "../../src/mcp/shell-service.ts";
import { createShellService } from "../../src/mcp/service.ts";
import { tree, type Tree } from "../tree.ts";

let place: Tree;
let service: ShellService;

const at = (name: string): string => `${place.path}/${name}`;
const call = async (command: string) => {
  const { result, stdout } = await service.call({ command }, new AbortController().signal);
  return result.kind === "refused" ? result.violations[0].reason : `${stdout.bytes.toString()}`;
};

beforeEach(() => {
  place = tree(["above/root/which: old\n", "outside/which: OUTSIDE\n", "elsewhere/root/which: OUTSIDE\n"]);
});
afterEach(async () => {
  await service.close();
  place.remove();
});

describe.each(["process", "none"] as const)("isolation %s", (isolation) => {
  beforeEach(async () => {
    service = await createShellService({ root: at("above/root"), policy: DEFAULT_POLICY, aliases: [], isolation });
    expect(await call("cat which")).toBe("old\n");
  });

  test("a symbolic link in the root's place is not followed, by reading, writing or a refusal", async () => {
    renameSync(at("above/root"), at("above/moved"));
    symlinkSync(at("outside"), at("above/root"));
    for (const line of ["cat which", "ls", "echo pwned | tee new.txt", "rm which"]) expect(await call(line)).toBe("ROOT_GONE");
    expect(readdirSync(at("outside"))).toEqual(["which"]);
    expect(readdirSync(at("above/moved"))).toEqual(["which"]);
  });

  test("nor is one in the place of a directory above it", async () => {
    renameSync(at("above"), at("was-above"));
    symlinkSync(at("elsewhere"), at("above"));
    for (const line of ["cat which", "echo pwned | tee new.txt", "rm which"]) expect(await call(line)).toBe("ROOT_GONE");
    expect(readdirSync(at("elsewhere/root"))).toEqual(["which"]);
  });

  test("one that was moved away is not written to, and is the root again once it is back", async () => {
    renameSync(at("above/root"), at("above/moved"));
    expect(await call("echo x | tee new.txt")).toBe("ROOT_GONE");
    renameSync(at("above/moved"), at("above/root"));
    expect(await call("cat which; ls")).toBe("old\nwhich\n");
  });

  test("one that was made anew is the root", async () => {
    rmSync(at("above/root"), { recursive: true });
    mkdirSync(at("above/root"));
    writeFileSync(at("above/root/which"), "new\n");
    expect(await call("cat which")).toBe("new\n");
    expect(await call("echo x | tee f | cat")).toBe("x\n");
    expect(existsSync(at("above/root/.shelpa/f"))).toBe(true);
  });
});

test("the call that runs while the root is made anew is the last that its executor is given", async () => {
  service = await createShellService({ root: at("above/root"), policy: DEFAULT_POLICY, aliases: [], isolation: "process" });
  expect(await call("cat which")).toBe("old\n");
  const running = call("sleep 0.5; cat which");
  await new Promise((resolve) => setTimeout(resolve, 100));
  renameSync(at("above/root"), at("above/moved"));
  mkdirSync(at("above/root"));
  writeFileSync(at("above/root/which"), "new\n");
  expect(await call("cat which")).toBe("new\n");
  expect(await running).toBe("old\n");
  for (const name of ["f1", "f2", "f3"]) expect(await call(`cat which; echo hi | tee ${name} | cat`)).toBe("new\nhi\n");
  expect(readdirSync(at("above/moved"))).toEqual(["which"]);
  expect(readFileSync(at("above/root/f3"), "utf8")).toBe("hi\n");
});
