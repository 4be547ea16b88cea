/** The policy as text: a name and its value, with a blank between. */
import { expect, test } from "vitest";
import { DEFAULT_POLICY } from "../../src/config/policy.ts";
import { policyText } from "../../src/config/policy-text.ts";

test("the long name of a mount has a blank behind it", () => {
  const mount = { name: "/documents/reference", directory: "/usr", access: "read", own: [], denyRead: [] } as const;
  const text = policyText({ ...DEFAULT_POLICY, mounts: [mount] }, { rules: new Map() });
  expect(text).toContain("\n/documents/reference mounted: only read\n");
  expect(text).toContain("profile         standard\n");
});
