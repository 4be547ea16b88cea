/** `help`: what there is; `help NAME`: one builtin's page. */
import { defineBuiltin, type Catalogue, type Invocation } from "../../src/builtin/definition.ts";
import { helpText } from "../../src/builtin/help.ts";
import type { NamedPipelineFacts } from "../../src/builtin/server-facts.ts";
import { nearest } from "../../src/builtin/nearest.ts";
import { quoteWord } from "../../src/display/quote.ts";
import { toBytes } from "../../src/io/text.ts";

export const help = defineBuiltin({
  name: "help",
  summary: "List the commands there are, or print the page of each one named.",
  standard: "https://www.gnu.org/software/bash/manual/bash.html#index-help",
  reference: "no other tool: bash's help describes bash",
  operands: { kind: "values" },
  flags: {},
  tells: "start",
  examples: [{ command: "help true | head -n 1", stdout: "Usage: true [OPERAND]...\n", note: "the page of one command" }],
  deviations: [
    {
      from: "bash 5.2",
      what: "help lists the builtins of this server and prints their own pages",
      why: "bash's help describes builtins of bash that do not exist here",
    },
  ],
  async *run({ operands, catalogue, server, warn }: Invocation) {
    const pipelines = server?.pipelines ?? [];
    if (operands.length === 0) {
      yield toBytes(await overview(catalogue, pipelines));
      return 0;
    }
    let status = 0;
    let printed = false;
    for (const operand of operands) {
      const pipeline = pipelines.find(({ name }) => `@${name}` === operand);
      if (pipeline !== undefined) {
        yield toBytes(`${printed ? "\n" : ""}${pipelineText(pipeline)}`);
        printed = true;
        continue;
      }
      const definition = await catalogue.load(operand);
      if (definition === undefined) {
        const near = nearest(operand, [...catalogue.names(), ...pipelines.map(({ name }) => `@${name}`)]);
        warn(`no command is called ${quoteWord(operand)}${near === undefined ? "; help alone lists them all" : `; did you mean ${near}?`}`);
        status = 1;
        continue;
      }
      yield toBytes(`${printed ? "\n" : ""}${helpText(definition, operand)}`);
      printed = true;
    }
    return status;
  },
});

const LANGUAGE = `Commands are joined as in any shell:
  a | b        b reads what a prints; |& takes standard error along
  a && b       b runs if a ends with 0; a || b: if it does not; a ; b: always
  ! a          the exit status the other way round
  ( a ; b )    a group with a current directory of its own; { a ; b ; } without
  'x' "x" $'x' \\x      quotes and escapes
  *  ?  [a-z]  {a,b}  ~      names of files; ~ is the root
  x=1  $x  \${x:-a}  \${x%.ts}  $( a )  $((x + 1))      values; they last for one call
  for f in *; do a "$f"; done      a | while IFS= read -r x; do b "$x"; done
  if a; then b; else c; fi    case $x in *.ts) a;; esac    [[ $x == a* && -f $x ]]
  f() { b "$1"; }    a=(x y); b "\${a[@]}"    functions and arrays
  < FILE  <( a )  2>/dev/null  2>&1  <<'EOF'  <<<      redirections that read, and those that name no file
  > /tmp/x  >> /tmp/x  t=$(mktemp)      temporary files: /tmp is this session's own, and is gone with it
Files of the workspace are written with tee (tee -a adds to the end), sed -i, sort -o and patch, never with > or >>; undo takes it back.
`;

/** "@errors n=N file=FILE". */
function callLine({ name, arguments: wanted }: NamedPipelineFacts): string {
  return [`@${name}`, ...Object.keys(wanted).map((key) => `${key}=${key.toUpperCase()}`)].join(" ");
}

function pipelineText(pipeline: NamedPipelineFacts): string {
  const { command, description, arguments: wanted } = pipeline;
  const keys = Object.entries(wanted).map(([key, what]) => `  ${key}${what === "" ? "" : `  ${what}`}\n`);
  const page = [
    `Usage: ${callLine(pipeline)}\n${description === "" ? "" : `${description}\n`}`,
    ...(keys.length === 0 ? [] : [`Arguments (each once; a value is one text):\n${keys.join("")}`]),
    `Runs:\n  ${command.trimEnd().replaceAll("\n", "\n  ")}\n`,
  ];
  return page.join("\n");
}

async function overview(catalogue: Catalogue, pipelines: readonly NamedPipelineFacts[]): Promise<string> {
  const names = catalogue.names();
  const width = Math.max(...names.map((name) => name.length));
  const definitions = await Promise.all(names.map((name) => catalogue.load(name)));
  const lines = names.map((name, at) => `  ${name.padEnd(width)}  ${definitions[at]?.summary ?? ""}\n`);
  const named = pipelines.map((pipeline) => `  ${callLine(pipeline)}${pipeline.description === "" ? "" : `  ${pipeline.description}`}\n`);
  const calls = named.length === 0 ? "" : `\nNamed pipelines of this server, stages like any other:\n${named.join("")}`;
  return `${LANGUAGE}\nCommands (help NAME or NAME --help tells more):\n${lines.join("")}${calls}`;
}
