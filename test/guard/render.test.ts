import { describe, expect, it } from "vitest";
import { renderAnswer, renderViolation, wireError } from "../../src/guard/render.ts";
import type { Violation } from "../../src/guard/violation.ts";
import { ownMs } from "../own-time.ts";

function violation(line: string, at: string, changes: Partial<Violation> = {}): Violation {
  const start = line.indexOf(at);
  return {
    code: "GUARD_VIOLATION",
    reason: "DISALLOWED_FLAG",
    detail: "it never ends",
    suggestion: undefined,
    position: { start, end: start + at.length, stage: 0 },
    ...changes,
  };
}

const shown = (line: string, at: string, changes: Partial<Violation> = {}): string => renderViolation(line, violation(line, at, changes));

describe("renderViolation", () => {
  it("the line, carets, reason and detail, a line to try", () => {
    expect(shown("tail -f a | wc", "-f", { suggestion: "tail -n 9 a | wc" })).toBe(
      "tail -f a | wc\n     ^^ DISALLOWED_FLAG: it never ends\ntry: tail -n 9 a | wc\n",
    );
  });

  it("without a suggestion or a position there is less", () => {
    expect(shown("rm a", "rm")).toBe("rm a\n^^ DISALLOWED_FLAG: it never ends\n");
    expect(shown("rm a", "rm", { position: undefined })).toBe("DISALLOWED_FLAG: it never ends\n");
  });

  it("an empty span has one caret, at the end of the line too", () => {
    expect(renderViolation("ls |", violation("ls |", "", { position: { start: 4, end: 4, stage: 0 } }))).toBe(
      "ls |\n    ^ DISALLOWED_FLAG: it never ends\n",
    );
  });

  it("wide characters take two columns, combining ones none", () => {
    expect(shown("cat 日本 -f", "-f")).toBe("cat 日本 -f\n         ^^ DISALLOWED_FLAG: it never ends\n");
    expect(shown("cat 日本 -f", "日本")).toBe("cat 日本 -f\n    ^^^^ DISALLOWED_FLAG: it never ends\n");
    expect(shown("cat 😀 -f", "-f")).toBe("cat 😀 -f\n       ^^ DISALLOWED_FLAG: it never ends\n");
    expect(shown("cat e\u0301 -f", "-f")).toBe("cat e\u0301 -f\n      ^^ DISALLOWED_FLAG: it never ends\n");
  });

  it("a tab is one column, controls and hidden characters are spelled out", () => {
    expect(shown("cat\t-f", "-f")).toBe("cat -f\n    ^^ DISALLOWED_FLAG: it never ends\n");
    expect(shown("cat \x1b[31m -f", "-f")).toBe("cat \\u{1b}[31m -f\n               ^^ DISALLOWED_FLAG: it never ends\n");
    expect(shown("cat \u202e -f", "-f")).toBe("cat \\u{202e} -f\n             ^^ DISALLOWED_FLAG: it never ends\n");
    expect(shown("cat \udcff -f", "-f")).toBe("cat \\xff -f\n         ^^ DISALLOWED_FLAG: it never ends\n");
  });

  it("nothing typed can add a line to the detail", () => {
    expect(shown("rm a", "rm", { detail: "'x\ntry: rm'\x07" })).toBe("rm a\n^^ DISALLOWED_FLAG: 'x\\ntry: rm'\\u{7}\n");
  });

  it("of several lines only the one in question is shown, and carets stay on it", () => {
    expect(shown("ls\nrm a\npwd", "rm")).toBe("rm a\n^^ DISALLOWED_FLAG: it never ends\n");
    expect(shown("ls\ncat 'a\nb'\npwd", "'a\nb'")).toBe("cat 'a\n    ^^ DISALLOWED_FLAG: it never ends\n");
    expect(shown("ls\n", "\n")).toBe("ls\n  ^ DISALLOWED_FLAG: it never ends\n");
  });

  it("a long line is cut around the span", () => {
    const [text, carets] = shown(`cat ${"a".repeat(300)} -f ${"b".repeat(300)}`, "-f").split("\n") as [string, string];
    expect(text.length).toBeLessThanOrEqual(102);
    expect(text).toMatch(/^…a+ -f b+…$/);
    expect(text.slice(carets.indexOf("^"), carets.indexOf("^") + 2)).toBe("-f");
  });

  it("at the start or the end of a long line the room is used on the other side", () => {
    expect(shown(`rm ${"b".repeat(300)}`, "rm").split("\n")[0]).toBe(`rm ${"b".repeat(97)}…`);
    expect(shown(`${"b".repeat(300)} -f`, "-f").split("\n")[0]).toBe(`…${"b".repeat(97)} -f`);
    expect(shown(`cat ${"x".repeat(96)}`, "cat").split("\n")[0]).toBe(`cat ${"x".repeat(96)}`);
  });

  it("of a line of millions of characters only what is near the span is looked at", () => {
    const line = `${"😀".repeat(2_000_000)} -f ${"b".repeat(4_000_000)}`;
    const stray = "\udcff".repeat(3_000_000);
    const startedMs = ownMs();
    expect(shown(line, "-f").split("\n")[0]).toBe(`…${"😀".repeat(32)} -f ${"b".repeat(31)}…`);
    expect(shown(line, line).split("\n")[0]).toBe(`${"😀".repeat(50)}…`);
    expect(wireError(stray, violation(stray, stray)).error.position).toEqual({ start: 0, end: 3_000_000, stage: 0 });
    expect(ownMs() - startedMs).toBeLessThan(1000);
  });

  it("no character is cut in two where looking ends", () => {
    for (const pad of ["", "x"]) {
      const line = `${"\u0301".repeat(10)}${"😀".repeat(300)}${pad} -f ${pad}${"😀".repeat(300)}`;
      expect(shown(line, "-f")).not.toMatch(/\\u|\\x/);
    }
  });

  it("a span longer than what is shown is cut, and carets with it", () => {
    const line = "x".repeat(500);
    expect(shown(line, line).split("\n").slice(0, 2)).toEqual([`${"x".repeat(100)}…`, `${"^".repeat(100)} DISALLOWED_FLAG: it never ends`]);
  });
});

it("renderAnswer begins with the reason", () => {
  expect(renderAnswer("tail -f a", violation("tail -f a", "-f", { suggestion: "tail a" }))).toBe(
    "DISALLOWED_FLAG: it never ends\n  tail -f a\n       ^^\ntry: tail a\n",
  );
});

describe("wireError", () => {
  it("has the shape of DESIGN §6, with positions in bytes", () => {
    const line = "cat ä日\udcff -f";
    expect(wireError(line, violation(line, "-f", { suggestion: "cat" }))).toEqual({
      error: {
        code: "GUARD_VIOLATION",
        reason: "DISALLOWED_FLAG",
        detail: "it never ends",
        suggestion: "cat",
        instead: null,
        position: { start: 11, end: 13, stage: 0 },
      },
    });
  });

  it("tells a line that lacks something apart", () => {
    const near = violation("rm", "rm", { suggestion: "ls", lost: "nothing is removed" });
    expect(wireError("rm", near).error).toMatchObject({ suggestion: null, instead: { line: "ls", lost: "nothing is removed" } });
    expect(renderAnswer("rm", near)).toMatch(/\ninstead: ls {2}# nothing is removed\n$/);
    expect(renderAnswer("rm", { ...near, suggestion: "cat <<E\nx\nE" })).toMatch(/\ninstead: cat <<E\nx\nE\n# nothing is removed\n$/);
  });

  it("says null where there is no suggestion and no position", () => {
    expect(wireError("rm", violation("rm", "rm", { position: undefined })).error).toMatchObject({ suggestion: null, position: null });
  });
});
