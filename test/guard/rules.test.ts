/** Every rule's own examples, through the guard: what it refuses and suggests, and what passes beside it. */
import { describe, expect, it } from "vitest";
import { loadBuiltins } from "../../builtins/registry.ts";
import type { BuiltinDefinition } from "../../src/builtin/definition.ts";
import { foreignCommand } from "../../src/guard/foreign-commands.ts";
import { planLine } from "../../src/guard/guard.ts";
import { callRules, stageRules, syntaxRules } from "../../src/guard/rules.ts";
import { context, standIns } from "./stand-ins.ts";

const allBuiltins = await loadBuiltins();

const rules = [...syntaxRules, ...callRules, ...stageRules];

/** The guard's tests do not depend on the real builtins, but its examples are about them. Stand-ins are for those to come. */
const real = [
  ...allBuiltins,
  ...standIns.filter(({ name }) => !allBuiltins.some((definition) => [definition.name, ...(definition.aliases ?? [])].includes(name))),
];
const languages: readonly { name: string; builtins: readonly BuiltinDefinition[] }[] = [
  { name: "stand-ins", builtins: standIns },
  { name: "the real builtins", builtins: real },
];

describe.each(languages)("with $name", ({ builtins }) => {
  describe.each(rules)("$id", (rule) => {
    const here = context({}, rule.under, builtins);

    it.each(rule.refuses)("refuses $line", ({ line, suggestion }) => {
      const planned = planLine(line, here);
      if (planned.kind === "plan") throw new Error("it passed");
      const violation = planned.violations.find(({ reason }) => reason === rule.reason);
      expect(planned.violations.map(({ reason }) => reason)).toContain(rule.reason);
      if (suggestion !== undefined) expect(violation?.suggestion).toBe(suggestion);
      for (const { suggestion: other } of planned.violations) {
        if (other !== undefined) expect(planLine(other, here).kind, other).toBe("plan");
      }
    });

    it.each(rule.allows)("allows %s", (line) => {
      expect(planLine(line, here)).toMatchObject({ kind: "plan" });
    });
  });
});

it("ids are unique", () => expect(new Set(rules.map(({ id }) => id)).size).toBe(rules.length));

it("no command that is a builtin is called foreign", () => {
  const names = allBuiltins.flatMap(({ name, aliases = [] }) => [name, ...aliases]);
  expect(names.filter((name) => foreignCommand(name) !== undefined)).toEqual([]);
});

it("the commands agents reach for have a sentence each", () => {
  const asked =
    "npm npx node python python3 pip go cargo rm mv cp mkdir touch chmod chown ln curl wget ssh scp docker make kill ps sudo zsh fish vim nano man top source eval exec";
  for (const name of asked.split(" ")) expect(foreignCommand(name)?.why, name).toMatch(/^.*\.$/);
});
