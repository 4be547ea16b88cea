/** server.json (the MCP registry) and the manifest of the MCPB bundle say what is so. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { z } from "zod";
import { SERVE } from "../src/cli/commands.ts";
import { PROFILES } from "../src/config/policy.ts";
import { TOOL_NAME } from "../src/mcp/tool-name.ts";

const json = (path: string): unknown => JSON.parse(readFileSync(fileURLToPath(new URL(`../${path}`, import.meta.url)), "utf8"));
const { name, version, license, engines, mcpName, repository, homepage, bugs } = z
  .object({
    name: z.string(),
    version: z.string(),
    license: z.string(),
    engines: z.object({ node: z.string() }),
    mcpName: z.string(),
    repository: z.object({ url: z.string() }),
    homepage: z.url(),
    bugs: z.url(),
  })
  .parse(json("package.json"));

/** The part of https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json that we use. */
const input = {
  description: z.string(),
  format: z.enum(["string", "number", "boolean", "filepath"]).optional(),
  isRequired: z.boolean().optional(),
  default: z.string().optional(),
  choices: z.array(z.string()).optional(),
};
const serverSchema = z.strictObject({
  $schema: z.literal("https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"),
  name: z.string().regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/),
  title: z.string().max(100),
  description: z.string().min(1).max(100),
  repository: z.strictObject({ url: z.url(), source: z.literal("github") }),
  version: z.string(),
  packages: z.tuple([
    z.strictObject({
      registryType: z.literal("npm"),
      registryBaseUrl: z.url(),
      identifier: z.string(),
      version: z.string(),
      runtimeHint: z.literal("npx"),
      transport: z.strictObject({ type: z.literal("stdio") }),
      packageArguments: z.array(z.strictObject({ type: z.literal("named"), name: z.string(), ...input })),
      environmentVariables: z.array(z.strictObject({ name: z.string(), ...input })),
    }),
  ]),
});

test("server.json is what the registry takes, and is about this package", () => {
  const server = serverSchema.parse(json("server.json"));
  const [npm] = server.packages;
  // The registry compares it to the published package's own, to know that both have one owner.
  expect(server.name).toBe(mcpName);
  expect([server.version, npm.version, npm.identifier]).toEqual([version, version, name]);
  expect(repository.url).toBe(`git+${server.repository.url}.git`);
  for (const argument of npm.packageArguments) expect(Object.keys(SERVE.options)).toContain(argument.name.slice(2));
  expect(npm.environmentVariables.find((variable) => variable.name === "SHELPA_PROFILE")?.choices?.toSorted()).toEqual(PROFILES.toSorted());
});

test("the manifest of the bundle is about this package, and starts it", () => {
  const manifest = z
    .object({
      name: z.string(),
      version: z.string(),
      license: z.string(),
      repository: z.object({ url: z.string() }),
      homepage: z.url(),
      support: z.url(),
      server: z.object({
        entry_point: z.string(),
        mcp_config: z.object({ args: z.array(z.string()), env: z.record(z.string(), z.string()) }),
      }),
      tools: z.array(z.object({ name: z.string() })),
      user_config: z.record(z.string(), z.unknown()),
      compatibility: z.object({ runtimes: z.object({ node: z.string() }) }),
    })
    .parse(json("packaging/mcpb/manifest.json"));
  const { args, env } = manifest.server.mcp_config;
  expect(manifest).toMatchObject({ name, version, license, tools: [{ name: TOOL_NAME }], compatibility: { runtimes: engines } });
  expect([`git+${manifest.repository.url}`, manifest.homepage, manifest.support]).toEqual([repository.url, homepage, bugs]);
  expect(args[0]).toBe(`\${__dirname}/${manifest.server.entry_point}`);
  for (const flag of args.filter((argument) => argument.startsWith("--"))) expect(Object.keys(SERVE.options)).toContain(flag.slice(2));
  const asked = [...args, ...Object.values(env)].flatMap((text) => [...text.matchAll(/\$\{user_config\.(\w+)\}/g)].map(([, key]) => key));
  expect(asked.toSorted()).toEqual(Object.keys(manifest.user_config).toSorted());
});
