/** tar: lists archives (-t) and prints their members (-xO). Nothing is written. See the other files for its parts. */
import { defineBuiltin } from "../../src/builtin/definition.ts";
import { FLAGS } from "./flags.ts";
import { withDashes } from "./old-letters.ts";
import { settingsOf } from "./settings.ts";
import { TarRun } from "./tar-run.ts";

/** The directory `notes` with the files a.txt and b.txt, packed with gzip, in base64. */
const NOTES =
  "H4sIAAAAAAAAA+3TMQ6AIAwF0M6eghOokFLOIwmJA4FBBr29iJOauKEx9i0lDQv8/BCTmzqoqs+M1mVm51nOEkmSzPfUtjdSKxAaPuT8uI8IJf+hTXOq+jWEeJM/HfPPEw0I4PyrG533sQH2U3v/7cv9x2v/ifv/BLs4bj9jjP3QClN8F4sADgAA";

export const tar = defineBuiltin({
  name: "tar",
  summary: "List the members of an archive (-t), or print them (-xO).",
  standard: "https://www.gnu.org/software/tar/manual/",
  reference: "GNU tar 1.34",
  operands: { kind: "values" },
  flags: FLAGS,
  respelled: withDashes,
  readsStreams: true,
  usageExit: 64,
  usageHint: () => "Try 'tar --help' or 'tar --usage' for more information.\n",
  examples: [
    { command: "base64 -d notes.b64 | tar -tz", files: { "notes.b64": NOTES }, stdout: "notes/\nnotes/a.txt\nnotes/b.txt\n" },
    {
      command: "base64 -d notes.b64 | tar tvz notes/a.txt",
      files: { "notes.b64": NOTES },
      stdout: "-rw-r--r-- 0/0               6 2024-05-06 07:08 notes/a.txt\n",
    },
    {
      command: "base64 -d notes.b64 | tar -xzO --wildcards '*/b.*'",
      files: { "notes.b64": NOTES },
      stdout: "bye\n",
      note: "what members hold; tee puts it into a file",
    },
  ],
  deviations: [
    {
      from: "tar 1.34",
      what: "nothing is extracted into files, and no archive is made, changed or compared",
      why: "tee is the one way to write",
    },
    {
      from: "tar 1.34",
      what: "only gzip's packing is unpacked; an archive in another is an error by the program's name",
      why: "no program is ever started",
    },
    {
      from: "tar 1.34",
      what: "a process substitution and /dev/stdin are looked into for gzip as a file is",
      why: "tar opens the name a second time, by when the bytes are gone",
    },
    {
      from: "tar 1.34",
      what: "numbers in base 64, as tar 1.13.6 to 1.13.11 wrote them, are an error",
      why: "no archive of that summer is left",
    },
    { from: "tar 1.34", what: "a name or an extended header of more than 4 MiB ends the call", why: "it is held in memory" },
  ],
  check: (invocation) => void settingsOf(invocation),
  async *run(invocation) {
    return yield* new TarRun(invocation, settingsOf(invocation)).run();
  },
});
