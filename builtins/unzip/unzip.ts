/** unzip and zipinfo: list zip archives, and print their members. Nothing is extracted. See the other files for the parts. */
import { defineBuiltin, type BuiltinDefinition } from "../../src/builtin/definition.ts";
import { FLAGS } from "./flags.ts";
import { inOrder } from "./respelled.ts";
import { settingsOf } from "./settings.ts";
import { UnzipRun } from "./unzip-run.ts";

/** An archive with the file `notes/a.txt`, as text of a file. */
const NOTES =
  "PK\x03\x04\n\x00\x00\x00\x00\x00\x009\udca6X 0:6\x06\x00\x00\x00\x06\x00\x00\x00\x0b\x00\x00\x00notes/a.txthello\nPK\x01\x02\x1e\x03\n\x00\x00\x00\x00\x00\x009\udca6X 0:6\x06\x00\x00\x00\x06\x00\x00\x00\x0b\x00\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00\udca4\udc81\x00\x00\x00\x00notes/a.txtPK\x05\x06\x00\x00\x00\x00\x01\x00\x01\x009\x00\x00\x00/\x00\x00\x00\x00\x00";

function reader(
  name: "unzip" | "zipinfo",
  { summary, examples, deviations }: Pick<BuiltinDefinition<typeof FLAGS>, "summary" | "examples" | "deviations">,
): BuiltinDefinition<typeof FLAGS> {
  return defineBuiltin({
    name,
    summary,
    standard: "https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT",
    reference: "UnZip 6.00",
    operands: { kind: "values" },
    flags: FLAGS,
    respelled: inOrder,
    usageExit: 10,
    examples,
    ...(deviations === undefined ? {} : { deviations }),
    check: (invocation) => void settingsOf(invocation),
    effects: ({ operands }) => (operands[0] === undefined ? [] : [{ kind: "read", path: operands[0], operand: 0 }]),
    async *run(invocation) {
      return yield* new UnzipRun(invocation, settingsOf(invocation)).run();
    },
  });
}

export const unzip = reader("unzip", {
  summary: "List zip archives (-l, -v), print their members (-p) or test them (-t).",
  examples: [
    { command: "unzip -Z1 notes.zip", files: { "notes.zip": NOTES }, stdout: "notes/a.txt\n" },
    {
      command: "unzip -p notes.zip 'notes/*.txt'",
      files: { "notes.zip": NOTES },
      stdout: "hello\n",
      note: "what members hold; tee puts it into a file",
    },
    {
      command: "unzip -l notes.zip",
      files: { "notes.zip": NOTES },
      stdout:
        "Archive:  notes.zip\n  Length      Date    Time    Name\n---------  ---------- -----   ----\n        6  2024-05-06 07:08   notes/a.txt\n---------                     -------\n        6                     1 file\n",
    },
  ],
  deviations: [
    { from: "UnZip 6.00", what: "nothing is extracted into files", why: "tee is the one way to write" },
    {
      from: "UnZip 6.00",
      what: "members packed by anything but deflate are skipped by name, and none is decrypted",
      why: "deflate is what archives are packed by",
    },
    {
      from: "UnZip 6.00",
      what: "a name with characters beyond ASCII that no Unix system stored ends the run with status 81, an empty name with 3",
      why: "unzip turns the former into ISO 8859-1, which is not what they were, and the latter into the name before it",
    },
    {
      from: "UnZip 6.00",
      what: "one archive is read, by its name; zipinfo lists names alone",
      why: "a loop reads several, and unzip -v lists the rest",
    },
  ],
});

export const zipinfo = reader("zipinfo", {
  summary: "List the names in a zip archive (-1).",
  examples: [{ command: "zipinfo -1 notes.zip", files: { "notes.zip": NOTES }, stdout: "notes/a.txt\n" }],
});
