import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { builtins, loadBuiltins } from "../../builtins/registry.ts";
import { defineBuiltin, type BuiltinDefinition } from "../../src/builtin/definition.ts";
import { helpText, versionText } from "../../src/builtin/help.ts";
import { isWriter, Registry } from "../../src/builtin/registry.ts";
import { nativeMessage, UsageError } from "../../src/builtin/usage-error.ts";
import { keysUsedBy, registered } from "../boundaries/flags.ts";
import { parse } from "../boundaries/source.ts";

const allBuiltins = await loadBuiltins();

function definition(changes: Partial<BuiltinDefinition> = {}): BuiltinDefinition {
  return defineBuiltin({
    name: "sample",
    summary: "Show what a definition gives.",
    standard: "https://example.org/sample",
    reference: "GNU sample 1.0",
    operands: { kind: "paths", access: "read" },
    flags: {},
    examples: [{ command: "sample", stdout: "" }],
    async *run() {
      yield* [];
      return 0;
    },
    ...changes,
  });
}

const on = { kind: "switch", help: "something" } as const;

describe("Registry", () => {
  it("finds by name and alias, lists names in order", () => {
    const other = definition({ name: "other", aliases: ["another"] });
    const registry = new Registry([definition(), other]);
    expect(registry.find("another")).toBe(other);
    expect(registry.find("sampl")).toBeUndefined();
    expect(registry.find("constructor")).toBeUndefined();
    expect(registry.names()).toEqual(["other", "sample"]);
  });

  it.each<[string, Partial<BuiltinDefinition>, RegExp]>([
    ["the same letter twice", { flags: { a: { ...on, short: "x" }, b: { ...on, short: "x" } } }, /'a' and 'b' both answer to -x/],
    ["a letter twice in one flag", { flags: { a: { ...on, short: "xx" } } }, /both answer to -x/],
    ["the same long name twice", { flags: { a: { ...on, long: "b" }, b: on } }, /both answer to --b/],
    ["a flag nobody can type", { flags: { a: { ...on, long: false } } }, /'a' has no spelling/],
    ["a letter that is a dash", { flags: { a: { ...on, short: "-" } } }, /cannot be typed/],
    ["a long name with an equals sign", { flags: { a: { ...on, long: "a=b" } } }, /cannot be typed/],
    ["overriding what is not there", { flags: { a: { ...on, overrides: ["nope"] } } }, /overrides 'nope'/],
    ["operands that depend on what is not there", { operands: { kind: "pattern-then-paths", unless: ["nope"] } }, /depend on 'nope'/],
    ["flags in raw syntax", { syntax: "raw", flags: { a: on } }, /can never be given/],
    ["more operands wanted than taken", { operands: { kind: "values", min: 2, max: 1 } }, /wants more operands/],
    ["a summary that is no sentence", { summary: "Show" }, /no sentence/],
  ])("refuses %s", (_, changes, message) => expect(() => new Registry([definition(changes)])).toThrow(message));

  it("a flag without an effect says so in its help, unless it turns others off", () => {
    const silent = allBuiltins.flatMap(({ name, flags }) =>
      Object.entries(flags)
        .filter(([, flag]) => flag.unread === true && !("overrides" in flag) && !/\bno effect\b|\bchanges no output\b/.test(flag.help))
        .map(([key]) => `${name} ${key}`),
    );
    expect(silent).toEqual([]);
  });

  it("each flag that has an effect is named by code of the tool's folder, whichever table it came from", () => {
    const top = new URL("../../builtins/", import.meta.url);
    const keysIn = (folder: string): ReadonlySet<string> =>
      new Set(
        readdirSync(new URL(folder, top), { recursive: true, encoding: "utf8" })
          .filter((name) => name.endsWith(".ts"))
          .flatMap((name) => [...keysUsedBy(parse(name, readFileSync(new URL(`${folder}/${name}`, top), "utf8")))]),
      );
    const modules = registered(parse("builtins/registry.ts", readFileSync(new URL("registry.ts", top), "utf8")));
    expect(modules.length).toBe(allBuiltins.length);
    const keys = new Map<string, ReadonlySet<string>>();
    const unnamed = allBuiltins.flatMap(({ name, flags }, at) => {
      const folder = modules[at]?.module.split("/")[1] ?? "";
      const effective = Object.entries(flags).filter(([, { kind, unread }]) => kind !== "refused" && unread !== true);
      if (effective.length > 0 && !keys.has(folder)) keys.set(folder, keysIn(folder));
      return effective.filter(([key]) => keys.get(folder)?.has(key) !== true).map(([key]) => `${name} ${key}`);
    });
    expect(unnamed).toEqual([]);
  });

  it("refuses two of one name, by alias too", () => {
    expect(() => new Registry([definition(), definition()])).toThrow("two builtins answer to 'sample'");
    expect(() => new Registry([definition(), definition({ name: "b", aliases: ["sample"] })])).toThrow("two builtins answer to 'sample'");
  });

  it("begins work again when a builtin it asked for is loaded", async () => {
    const registry = new Registry([
      { name: "sample", topic: "text", aliases: ["specimen"], load: async () => definition({ aliases: ["specimen"] }) },
    ]);
    expect(() => registry.find("specimen")).toThrow("'specimen' is not loaded");
    expect(await registry.whenLoaded(() => registry.find("specimen")?.name)).toBe("sample");
    expect(registry.find("sample")?.name).toBe("sample");
    expect(await registry.load("other")).toBeUndefined();
  });

  it.each(builtins.map((entry) => [entry.name, entry] as const))(
    "knows of %s before it is loaded what its definition says",
    async (_, entry) => {
      const loaded = await entry.load();
      const { name, aliases } = loaded;
      expect({ name: entry.name, aliases: entry.aliases, writes: entry.writes ?? false }).toEqual({
        name,
        aliases,
        writes: isWriter(loaded),
      });
    },
  );

  it("takes every builtin there is", () => {
    const registry = new Registry(allBuiltins);
    expect(registry.names().length).toBe(allBuiltins.length);
  });
});

describe("helpText", () => {
  it("is one page, made from the definition", () => {
    const sample = definition({
      aliases: ["specimen"],
      operands: { kind: "pattern-then-paths" },
      flags: {
        lines: { kind: "value", short: "n", arg: "NUM", read: Number, otherwise: 10, help: "print NUM lines (default 10)" },
        recursive: { ...on, short: "rR", help: "go into directories" },
        zero: { ...on, short: "z", long: false, help: "end lines with NUL" },
        color: { kind: "value", arg: "WHEN", read: String, otherwise: "never", ifBare: "always", help: "colour" },
        aFlagWithAVeryLongName: { kind: "path", arg: "FILE", access: "read", help: "read names from FILE" },
        follow: {
          kind: "refused",
          short: "f",
          help: "follow",
          reason: "it never ends",
          suggestion: (rest) => ["sample -n 20", ...rest].join(" "),
        },
      },
      examples: [
        { command: "sample -n 1 x", stdout: "", note: "the first line" },
        { command: "sample x", stdout: "" },
      ],
      deviations: [{ from: "GNU sample 1.0", what: "sorts by bytes", why: "one order everywhere" }],
    });
    expect(helpText(sample, "specimen")).toBe(`Usage: specimen [FLAG]... PATTERN [FILE]...
Show what a definition gives.
Other names: sample

Flags:
  -n, --lines=NUM               print NUM lines (default 10)
  -r, -R, --recursive           go into directories
  -z                            end lines with NUL
      --color[=WHEN]            colour
      --a-flag-with-a-very-long-name=FILE
                                read names from FILE
      --help                    print this page
      --version                 print what this is measured against

Not available here:
  -f, --follow  it never ends; instead: sample -n 20

Examples:
  sample -n 1 x  the first line
  sample x

Differs on purpose:
  sorts by bytes (GNU sample 1.0)
                                one order everywhere

Reference: GNU sample 1.0
Standard:  https://example.org/sample
`);
    expect(versionText(sample, "specimen")).toBe("specimen (shelpa-mcp), measured against GNU sample 1.0\n");
  });

  it.each<[BuiltinDefinition["operands"], string]>([
    [{ kind: "none" }, "Usage: sample"],
    [{ kind: "values" }, "Usage: sample [OPERAND]..."],
    [{ kind: "values", min: 2, max: 2 }, "Usage: sample OPERAND OPERAND"],
    [{ kind: "values", min: 1 }, "Usage: sample OPERAND..."],
    [{ kind: "paths", access: "read", max: 2 }, "Usage: sample [FILE] [FILE]"],
    [{ kind: "paths", access: "read", min: 1, max: 2 }, "Usage: sample FILE [FILE]"],
    [{ kind: "paths", access: "read", min: 2 }, "Usage: sample FILE FILE..."],
    [{ kind: "program-then-paths" }, "Usage: sample PROGRAM [FILE]..."],
  ])("operands %j", (operands, usage) => expect(helpText(definition({ operands }), "sample").split("\n")[0]).toBe(usage));
});

it("nativeMessage ends in the tool's own hint, and only where the error points to help", () => {
  const own = definition({ usageHint: (name) => `Usage: ${name} X\n` });
  const pointing = new UsageError("unknown-flag", "invalid option -- 'y'", { pointsToHelp: true });
  expect(nativeMessage(own, "sample", pointing)).toBe("sample: invalid option -- 'y'\nUsage: sample X\n");
  expect(nativeMessage(definition(), "sample", pointing)).toBe(
    "sample: invalid option -- 'y'\nTry 'sample --help' for more information.\n",
  );
  expect(nativeMessage(own, "sample", new UsageError("bad-value", "invalid count"))).toBe("sample: invalid count\n");
});
