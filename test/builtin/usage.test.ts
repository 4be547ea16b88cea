/**
 * Bad arguments of every builtin, made from its flag table: what the guard says the tool itself would print must be
 * what it prints. Runs against the real tools (npm run test:reference).
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { loadBuiltins } from "../../builtins/registry.ts";
import type { BuiltinDefinition } from "../../src/builtin/definition.ts";
import { namedFlags } from "../../src/builtin/flag-names.ts";
import { DEFAULT_POLICY } from "../../src/config/policy.ts";
import { policyContext } from "../../src/guard/policy-context.ts";
import { planLine } from "../../src/guard/guard.ts";
import { toText } from "../../src/io/text.ts";
import { needs, ORACLE, oracle } from "../needs.ts";

const allBuiltins = await loadBuiltins();

/** Builtins whose arguments are not read by getopt: bash has its own way, and its own messages. */
const apart = (definition: BuiltinDefinition): boolean => definition.syntax === "raw" || /bash/.test(definition.reference);

/** Lines that may be wrong: whichever are refused are compared. */
function badLines(definition: BuiltinDefinition): readonly string[] {
  const { name } = definition;
  const lines = [`${name} --nope`, `${name} -%`, `${name} --he=1`, `${name} --version=1`, name, `${name} a b c d`];
  for (const { flag, letters, longNames } of namedFlags(definition.flags)) {
    for (const long of longNames) {
      for (let taken = 1; taken < Math.min(long.length, 5); taken++) lines.push(`${name} --${long.slice(0, taken)}`);
      lines.push(`${name} --${long}=x`);
    }
    if (flag.kind !== "value") continue;
    for (const value of ["''", "-1", "0", "1x", "zz%", "99999999999999999999999"]) {
      lines.push(
        ...longNames.slice(0, 1).map((long) => `${name} --${long}=${value}`),
        ...letters.slice(0, 1).map((letter) => `${name} -${letter} ${value}`),
      );
    }
    lines.push(...longNames.slice(0, 1).map((long) => `${name} --${long}`), ...letters.slice(0, 1).map((letter) => `${name} -${letter}`));
  }
  return [...new Set(lines)];
}

const context = {
  ...policyContext(allBuiltins, DEFAULT_POLICY),
  currentDirectory: "",
  rootPath: "/root-of-the-test",
  insideRoot: () => false,
};

needs(ORACLE).describe("what the guard says the tool prints is what it prints", () => {
  test.each(allBuiltins.filter((definition) => !apart(definition)).map((definition) => [definition.name, definition] as const))(
    "%s",
    (_, definition) => {
      const place = mkdtempSync(join(tmpdir(), "shelpa-usage-"));
      try {
        let compared = 0;
        const wrong: unknown[] = [];
        for (const line of badLines(definition)) {
          const planned = planLine(line, context);
          const native = planned.kind === "refused" ? planned.violations[0].native : undefined;
          if (planned.kind === "plan" || native === undefined || planned.violations[0].reason === "DISALLOWED_FLAG") continue;
          const real = spawnSync("bash", ["--norc", "-c", line], {
            cwd: place,
            input: "",
            env: { PATH: `${oracle}:/usr/bin:/bin`, LC_ALL: "C.UTF-8", TZ: "UTC" },
            timeout: 5_000,
          });
          const said = { line, stderr: toText(real.stderr), exit: real.status };
          compared++;
          if (said.stderr !== native.stderr || said.exit !== native.exit) wrong.push({ ...native, said });
        }
        expect(wrong).toEqual([]);
        expect(compared).toBeGreaterThan(3);
      } finally {
        rmSync(place, { recursive: true });
      }
    },
    60_000,
  );
});
