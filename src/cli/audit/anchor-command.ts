/** `shelpa-mcp audit anchor` and `audit verify --anchor`: signs the head of a workspace's chain, and checks signed heads against it. */
import { createHash } from "node:crypto";
import { basename, resolve } from "node:path";
import { AnchorError, anchorKey, anchorText, checkAnchor, headOf, parseAnchor, signedAnchor } from "../../audit/ship/anchor.ts";
import { showName } from "../../display/visible.ts";
import { hostFileText, realHostPath } from "../../host/host-file.ts";
import { Workspace } from "../../workspace/workspace.ts";
import type { Given } from "../command.ts";
import { CommandLineError } from "../command-line-error.ts";
import type { AUDIT_ANCHOR } from "../commands.ts";
import { print, printJson } from "../print.ts";
import { rootOrHere } from "../root-or-here.ts";

export function anchor({ values }: Given<typeof AUDIT_ANCHOR.options>): number {
  if (values.key === undefined) throw new CommandLineError("audit anchor: give --key: the file with the private key to sign with");
  const pem = textOf(values.key);
  const after = values.after === undefined ? undefined : parseAnchor(values.after.trim());
  const root = resolve(rootOrHere(values.root));
  const workspace = Workspace.open(root);
  try {
    const head = headOf(workspace.writer(), after);
    const signed = signedAnchor(head, pem, {
      workspace: values.workspace ?? basename(root),
      root: createHash("sha256")
        .update(realHostPath(root) ?? root)
        .digest("hex"),
      time: new Date().toISOString(),
    });
    if (values.json) printJson(signed);
    else print(`${anchorText(signed)}\n`);
    return 0;
  } finally {
    workspace.close();
  }
}

/** Checks each line of the host file `file` as an anchor; 0 where all hold. Throws AnchorError and FileError. */
export function verifyAnchors(
  { root, json }: { readonly root?: string | undefined; readonly json: boolean },
  file: string,
  publicKey: string,
): number {
  const key = anchorKey(textOf(publicKey));
  const anchors = textOf(file)
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => parseAnchor(line.trim()));
  if (anchors.length === 0) throw new AnchorError(`${showName(file)} holds no anchor`);
  const workspace = Workspace.open(resolve(rootOrHere(root)));
  try {
    let holding = 0;
    for (const each of anchors) {
      const { verdict, detail } = checkAnchor(workspace.writer(), each, key);
      if (verdict === "holds") holding++;
      if (json) printJson({ verdict, detail, anchor: each });
      else print(`${verdict.padEnd(7)}  ${showName(each.time)}, ${each.records} changes: ${showName(detail)}\n`);
    }
    return holding === anchors.length ? 0 : 1;
  } finally {
    workspace.close();
  }
}

function textOf(path: string): string {
  const text = hostFileText(path);
  if (text === undefined) throw new AnchorError(`${showName(path)}: there is no such file`);
  return text;
}
