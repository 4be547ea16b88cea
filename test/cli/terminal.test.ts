/** The commands for people on a terminal of their own (script(1) makes one): nothing in a name or a file speaks to it. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { quoteWord } from "../../src/display/quote.ts";
import { Shell } from "../../src/session/shell.ts";
import { tree, type Tree } from "../tree.ts";
import { needs } from "../needs.ts";
import { typedOnTerminal } from "./typed-on-terminal.ts";

const program = (name: string): string => fileURLToPath(new URL(`../../dist/${name}.js`, import.meta.url));
const NAME = "a\u001b]0;x\u0007\u202eb";
const CONTENT = "one\u001b[2J\u009b31m\u202e\n[shelpa] created .bashrc: 3 bytes\n";
/** Sequences that must not reach a terminal: a title, a clearing of the screen, a change of the text's direction. */
const RAW = ["\u001b]0;x", "\u001b[2J", "\u009b", "\u202e"];

let place: Tree;
beforeAll(async () => {
  place = tree([`.mcp.json: { // \u001b]0;x\u0007\u001b[2J\n}\n`, "d\u001b]0;x\u0007\n[shelpa] x/f: x"]);
  const shell = await Shell.open({ root: place.path, isolation: "none" });
  await shell.defaultSession.run(`tee ${quoteWord(NAME)}`, { stdin: CONTENT });
  await shell.defaultSession.run(`tee ${quoteWord(NAME)}`, { stdin: `${CONTENT}two\n` });
  await shell.close();
});
afterAll(() => place.remove());

needs("script").describe("on a terminal", () => {
  test.each(
    [
      ["audit", "log"],
      ["audit", "show", "last"],
      ["audit", "diff", "last"],
      ["audit", "restore", "last", "--undo", "--dry-run"],
      ["audit", "verify"],
      ["init", "--print", "--client", "claude-code"],
    ].map((words) => [words.join(" "), words] as const),
  )("%s", async (_, words) => {
    const said = await onTerminal("shelpa-mcp", [...words, "--root", place.path]);
    expect(RAW.filter((text) => said.includes(text))).toEqual([]);
    expect(said.split(/\r*\n/).filter((line) => line.startsWith("[shelpa]"))).toEqual([]);
    expect(said.length).toBeGreaterThan(10);
  });

  test("init asks for each client that is here, and does as it is told", async () => {
    const own = tree([".claude/", ".cursor/", ".vscode/"]);
    try {
      const command = ["env", `HOME=${own.path}/home`, "PATH=", process.execPath, program("shelpa-mcp"), "init", "--root", own.path];
      const said = await answeredOnTerminal(command, "[Y/n] ", ["maybe\r", "YES\r", "n\r", "\r"]);
      expect(said.split("Set up Claude Code (.mcp.json)? [Y/n]")).toHaveLength(3);
      const written = [".mcp.json", ".cursor/mcp.json", ".vscode/mcp.json"].map((file) => existsSync(join(own.path, file)));
      expect(written).toEqual([true, false, true]);
    } finally {
      own.remove();
    }
  });

  test.each([
    ["Ctrl-C", "\u0003", 130],
    ["Ctrl-D", "\u0004", 1],
  ])("init asks before it takes a client from another project, and %s ends the questions", async (_, key, status) => {
    const own = tree(["a/.claude/", "b/", "home/.codeium/windsurf/"]);
    const file = join(own.path, "home/.codeium/windsurf/mcp_config.json");
    const init = (root: string, ...args: string[]): readonly string[] => [
      ...["env", `HOME=${own.path}/home`, "PATH=", process.execPath, program("shelpa-mcp"), "init", "--root", join(own.path, root)],
      ...args,
    ];
    try {
      await typedOnTerminal(init("b", "--client", "windsurf"), []);
      const before = readFileSync(file, "utf8");
      const asked = `Windsurf has one entry for all projects (~/.codeium/windsurf/mcp_config.json), which serves ${own.path}/b.`;
      const { said, exit } = await typedOnTerminal(init("a"), [
        ["[Y/n] ", "y\r"],
        ["[y/N] ", key],
      ]);
      expect(said).toContain(`${asked} Have it serve ${own.path}/a instead? [y/N] `);
      expect(said).toContain("shelpa-mcp: init: nothing was written");
      expect(exit).toBe(status);
      expect(existsSync(join(own.path, "a/.mcp.json"))).toBe(false);
      const left = await typedOnTerminal(init("a"), [
        ["[Y/n] ", "\r"],
        ["[y/N] ", "\r"],
      ]);
      expect(left.exit).toBe(0);
      expect([existsSync(join(own.path, "a/.mcp.json")), readFileSync(file, "utf8")]).toEqual([true, before]);
      const taken = await typedOnTerminal(init("a"), [
        ["[Y/n] ", "n\r"],
        ["[y/N] ", "y\r"],
      ]);
      expect(taken.exit).toBe(0);
      expect(readFileSync(file, "utf8")).toContain(join(own.path, "a"));
    } finally {
      own.remove();
    }
  });

  test("a line at the prompt: its last row stays, a while is told of, Ctrl-C ends it, exit gives its status", {
    timeout: 60_000,
  }, async () => {
    const { said, exit } = await typedOnTerminal(
      [process.execPath, program("shelpa"), "--root", place.path],
      [
        ["$ ", "printf unended\r"],
        ["$ ", "sleep 600\r"],
        ["1 s, 0 bytes, in sleep 600", "\u0003"],
        ["^C", ""],
        ["$ ", "echo dropped\u0003"],
        ["^C", ""],
        ["$ ", "clear\r"],
        ["\u001b[H\u001b[2J", ""],
        ["$ ", "false || exit 7\r"],
      ],
    );
    expect(said).toMatch(/\nunended\r\n/);
    expect(said).not.toMatch(/stopped|\ndropped/);
    expect(exit).toBe(7);
  });

  test("a change is told of in one line, once", async () => {
    const own = tree(["a.txt: old", "b.txt: old"]);
    try {
      const { said } = await typedOnTerminal(
        [process.execPath, program("shelpa"), "--root", own.path],
        [
          ["$ ", "sed -i s/old/new/ a.txt\r"],
          ["$ ", "echo x | tee c.txt >/dev/null; rm b.txt\r"],
          ["$ ", "undo\r"],
          ["$ ", "cat a.txt\r"],
          ["$ ", "\u0004"],
        ],
      );
      expect(said.split(/\r*\n/).filter((text) => text.startsWith("shelpa: ") && !text.includes("'help'"))).toEqual([
        "shelpa: replaced a.txt: 1 line changed",
        "shelpa: created c.txt: 1 line, and 1 more change",
      ]);
    } finally {
      own.remove();
    }
  });

  test("an unfinished line asks for more, which Ctrl-C drops and Ctrl-D ends as in bash", async () => {
    const { said, exit } = await typedOnTerminal(
      [process.execPath, program("shelpa"), "--root", place.path],
      [
        ["$ ", "for i in 1 2\r"],
        ["\u001b[0J> ", "do echo item $i; done\r"],
        ["$ ", "echo 'never\r"],
        ["\u001b[0J> ", "more\u0003"],
        ["$ ", "cat <<E\r"],
        ["\u001b[0J> ", "of the text\r"],
        ["\u001b[0J> ", "\u0004"],
        ["$ ", "echo `\r"],
        ["\u001b[0J> ", "\u0004"],
        ["$ ", "\u0004"],
      ],
    );
    const shown = said.replace(/\u001b\[\d*[GJ]/g, "").split(/\r+\n/);
    expect(shown.slice(shown.indexOf("> do echo item $i; done") + 1)).toEqual([
      "item 1",
      "item 2",
      "shelpa:/$ echo 'never",
      "> more^C",
      "shelpa:/$ cat <<E",
      "> of the text",
      "> ",
      "bash: warning: here-document at line 1 delimited by end-of-file (wanted `E')",
      "of the text",
      "shelpa:/$ echo `",
      "> ",
      "bash: unexpected EOF while looking for matching ``'",
      "shelpa:/$ ",
      "exit",
      "",
    ]);
    expect(exit).toBe(2);
  });

  test("Up and Ctrl-R go back over the commands of a session before", async () => {
    const own = tree(["root/"]);
    const words = [
      "env",
      "SHELPA_HISTORY=",
      `XDG_STATE_HOME=${own.path}/state`,
      process.execPath,
      program("shelpa"),
      "--root",
      `${own.path}/root`,
    ];
    try {
      await typedOnTerminal(words, [
        ["$ ", "for i in 1\r"],
        ["\u001b[0J> ", "do echo item $i; done\r"],
        ["$ ", "echo newest\r"],
        ["$ ", "\u0004"],
      ]);
      const { said } = await typedOnTerminal(words, [
        ["$ ", "\u0012it"],
        ["(reverse-i-search)`it': ", "\r"],
        ["\nitem 1", ""],
        ["$ ", "\u001b[A\u001b[A\r"],
        ["\nnewest", ""],
        ["$ ", "\u0004"],
      ]);
      expect(said).toContain("\nnewest\r\n");
    } finally {
      own.remove();
    }
  });

  test("colours are those of builtins that print on the terminal, and of no file", async () => {
    const own = tree(["src/", "a: one \u001b[31mred\u001b[0m\n"]);
    const colours = ["env", "NO_COLOR=", "TERM=xterm"];
    const lines = ["ls\r", "grep one a\r", "ls | cat\r", "grep --color=never one a\r", "exit 3\r"];
    const steps = lines.map((line) => ["$ ", line] as const);
    const words = [process.execPath, program("shelpa"), "--root", own.path];
    try {
      const { said } = await typedOnTerminal([...colours, ...words], steps);
      const shown = said.split(/\r+\n/);
      expect(shown.filter((line) => line.includes("src"))).toEqual(["\u001b[0m\u001b[01;34msrc\u001b[0m", "src"]);
      expect(shown.filter((line) => line.includes("red"))).toEqual([
        "\u001b[01;31mone\u001b[m \\u{1b}[31mred\\u{1b}[0m",
        "one \\u{1b}[31mred\\u{1b}[0m",
      ]);
      for (const without of ["NO_COLOR=1", "TERM=dumb"]) {
        const plain = await typedOnTerminal(["env", "NO_COLOR=", without, ...words], steps);
        expect(plain.said).not.toMatch(/\u001b\[[\d;]*m/);
      }
    } finally {
      own.remove();
    }
  });

  test("output longer than the screen waits for keys, and its producer with it", async () => {
    const words = ["sh", "-c", `stty rows 6 columns 60; exec "$@"`, "sh", process.execPath, program("shelpa"), "--root", place.path];
    const { said, exit } = await typedOnTerminal(words, [
      ["$ ", "yes row\r"],
      ["--More--", " "],
      ["--More--", "q"],
      ["$ ", "seq 8\r"],
      ["--More--", " "],
      ["\n8", ""],
      ["$ ", "yes | nl\r"],
      ["--More--", "\u0003"],
      ["$ ", "exit 4\r"],
    ]);
    expect(said.split(/\r+\n/).filter((line) => line === "row")).toHaveLength(9);
    expect(exit).toBe(4);
    const whole = await typedOnTerminal(
      [...words, "--no-pager"],
      [
        ["$ ", "seq 100\r"],
        ["\n100", ""],
        ["$ ", "exit\r"],
      ],
    );
    expect(whole.said).not.toContain("--More--");
  });

  test("an exit in a subshell does not leave the prompt, and Ctrl-D does with the last status", async () => {
    const { said, exit } = await typedOnTerminal(
      [process.execPath, program("shelpa"), "--root", place.path],
      [
        ["$ ", "(exit 9); echo stays\r"],
        ["stays", ""],
        ["$ ", "false\r"],
        ["$ ", "\u0004"],
      ],
    );
    expect(said).toMatch(/exit\r\n$/);
    expect(exit).toBe(1);
  });

  test("the prompt of shelpa, in a directory of that name", async () => {
    const said = await onTerminal("shelpa", ["--root", place.path], ["cat a*\r", "ls\r", "echo a*\r", "cd d*\r", "exit\r"]);
    expect(said).toContain("one\\u{1b}[2J\\u{9b}31m\\u{202e}\r\n\\u{5b}shelpa] created");
    expect(RAW.filter((text) => said.includes(text))).toEqual([]);
    expect(said.split(/\r*\n/).filter((line) => line.startsWith("[shelpa]"))).toEqual([]);
  });
});

/** Output of a program on its terminal. Each of `lines` is typed once it prompts. */
const onTerminal = (name: string, args: readonly string[], lines: readonly string[] = []): Promise<string> =>
  answeredOnTerminal([process.execPath, program(name), ...args], "$ ", lines);

/** Output of a command that is given a line for each `prompt` it shows. */
const answeredOnTerminal = async (words: readonly string[], prompt: string, lines: readonly string[]): Promise<string> =>
  (
    await typedOnTerminal(
      words,
      lines.map((line) => [prompt, line]),
    )
  ).said;
