/** An assessment names its lines as a refusal does: `try` for the same, `instead` for what is near. */
import { expect, test } from "vitest";
import { Shell } from "../../src/session/shell.ts";
import { assessmentText } from "../../src/guard/assessment-text.ts";
import { tree } from "../tree.ts";

test.each([
  ["echo x > new", /^try {11}echo x \| tee new >\/dev\/null {2}# /m],
  ["ls > new", /^instead {7}set -o pipefail; ls \| tee new >\/dev\/null {2}# /m],
])("%s", async (line, expected) => {
  const place = tree(["f: x\n"]);
  const shell = await Shell.open({ root: place.path, isolation: "none" });
  try {
    expect(assessmentText(await shell.newSession().assess(line))).toMatch(expected);
  } finally {
    await shell.close();
    place.remove();
  }
});
