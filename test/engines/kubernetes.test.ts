/** examples/kubernetes: fields and types of the manifests as Kubernetes' API has them, and what they say of one another and of the server. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { serverSchema } from "../../src/config/server/server-schema.ts";
import { checkedValue, tomlValue } from "../../src/config/toml-file.ts";
import { needs } from "../needs.ts";

const top = fileURLToPath(new URL("../..", import.meta.url));
const base = join(top, "examples/kubernetes/base");
const textOf = (name: string): string => readFileSync(join(base, name), "utf8");

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly [field: string]: unknown;
}

/** As kubectl reads them: YAML 1.1, where 0440 is octal. */
const manifestsIn = (name: string): readonly Manifest[] =>
  parseAllDocuments(textOf(name), { version: "1.1" }).map((document) => document.toJS() as Manifest);

const kustomization = manifestsIn("kustomization.yaml")[0] as Manifest & { readonly resources: readonly string[] };
const manifests = kustomization.resources.flatMap(manifestsIn);

/** The value at `path` of the manifest `kind`/`name`; throws where there is none of that name. */
function at(kind: string, name: string, ...path: readonly (string | number)[]): unknown {
  const found = manifests.find((manifest) => manifest.kind === kind && manifest.metadata.name === name);
  if (found === undefined) throw new Error(`there is no ${kind} ${name}`);
  return path.reduce<unknown>((value, key) => (value as Readonly<Record<string | number, unknown>> | undefined)?.[key], found);
}

/** The compiler's complaints about the manifests as literals of the types of Kubernetes' OpenAPI description; "" where it has none. */
function complaints(all: readonly Manifest[]): string {
  const place = mkdtempSync(join(tmpdir(), "shelpa-kubernetes-"));
  const lines = all.map((manifest, index) => {
    const [group = "", version = ""] = manifest.apiVersion.includes("/") ? manifest.apiVersion.split("/") : ["core", manifest.apiVersion];
    const module = join(top, "node_modules/kubernetes-types", group.replace(/\..*/, ""), `${version}.d.ts`);
    return `export const m${index}: import(${JSON.stringify(module)}).${manifest.kind} = ${JSON.stringify(manifest)};`;
  });
  writeFileSync(join(place, "manifests.ts"), lines.join("\n"));
  const flags = ["--noEmit", "--strict", "--skipLibCheck", "--module", "esnext", "--moduleResolution", "bundler"];
  const ran = spawnSync(join(top, "node_modules/.bin/tsc"), [...flags, "--allowImportingTsExtensions", "--types", "", "manifests.ts"], {
    cwd: place,
    encoding: "utf8",
  });
  rmSync(place, { recursive: true });
  return ran.stdout + ran.stderr;
}

describe("the manifests", () => {
  test("have the fields that the API has, of its types", { timeout: 60_000 }, () => {
    expect(manifests.length).toBeGreaterThan(10);
    expect(complaints(manifests)).toBe("");
  });
  test("one with a field that there is none of would be found", { timeout: 60_000 }, () => {
    const spec = { containers: [{ name: "a", securityContext: { readOnlyRootFileSystem: true } }] };
    expect(complaints([{ apiVersion: "v1", kind: "Pod", metadata: { name: "a" }, spec }])).toContain(
      "readOnlyRootFileSystem\"' does not exist in type 'SecurityContext'",
    );
  });
  test("all files of the folder are used", () => {
    const generated = (kustomization["configMapGenerator"] as readonly { readonly files: readonly string[] }[]).flatMap(
      ({ files }) => files,
    );
    expect(readdirSync(base).sort()).toEqual(["kustomization.yaml", ...kustomization.resources, ...generated].sort());
  });
  needs("kubectl").test("kubectl kustomize takes them", { timeout: 60_000 }, () => {
    const made = execFileSync("kubectl", ["kustomize", join(base, "../prometheus-operator")], { encoding: "utf8" });
    expect(made.match(/^kind: .*$/gm)).toHaveLength(manifests.length + 3);
    expect(made).toMatch(/name: shelpa-config-\w{10}\n/);
  });
});

describe("the shards", () => {
  const pod = at("StatefulSet", "shelpa", "spec", "template", "spec") as Readonly<Record<string, unknown>>;
  const [container] = pod["containers"] as readonly Readonly<Record<string, unknown>>[];
  const file = checkedValue(tomlValue(textOf("server.toml"), "server.toml"), serverSchema, "server.toml");

  test("have no rights", () => {
    expect(pod).toMatchObject({
      automountServiceAccountToken: false,
      securityContext: { runAsNonRoot: true, runAsUser: 1000, seccompProfile: { type: "RuntimeDefault" } },
    });
    expect(container?.["securityContext"]).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ["ALL"] },
    });
    expect(container?.["env"]).toBeUndefined();
    expect(at("NetworkPolicy", "shelpa", "spec", "egress")).toEqual([]);
  });
  test("may take the memory that their calls may", () => {
    const { concurrent_calls: calls = 0, executors = 0 } = file.limits ?? {};
    const mebibytes = calls * 768 + 256 + (executors - calls) * 72;
    expect(container?.["resources"]).toMatchObject({ limits: { memory: `${mebibytes}Mi` } });
  });
  test("find each token where the secret is mounted, readable by their group", () => {
    const keys = Object.keys(at("Secret", "shelpa-tokens", "stringData") as object);
    expect(Object.values(file.callers ?? {}).map((caller) => caller.token_file)).toEqual(keys.map((key) => `/run/secrets/shelpa/${key}`));
    expect(container?.["volumeMounts"]).toContainEqual({ name: "tokens", mountPath: "/run/secrets/shelpa", readOnly: true });
    expect(pod["volumes"]).toContainEqual({ name: "tokens", secret: { secretName: "shelpa-tokens", defaultMode: 0o440 } });
    expect(container?.["volumeMounts"]).toContainEqual({ name: "workspaces", mountPath: file.directory });
  });
  test("are as many as the proxy knows, by their names", () => {
    const count = at("StatefulSet", "shelpa", "spec", "replicas") as number;
    const servers = [...textOf("haproxy.cfg").matchAll(/^ {4}server (\S+) (\S+)$/gm)].map(([, name, address]) => [name, address]);
    const names = Array.from({ length: count }, (_, shard) => [`shard-${shard}`, `shelpa-${shard}.shards.shelpa.svc.cluster.local:3456`]);
    expect(servers).toEqual(names);
    expect(at("StatefulSet", "shelpa", "spec", "serviceName")).toBe("shards");
    expect(at("Service", "shards", "spec", "clusterIP")).toBe("None");
  });
  test.each([
    ["StatefulSet", "shelpa", "Service", "shards", "spec", "selector"],
    ["StatefulSet", "shelpa", "PodDisruptionBudget", "shelpa", "spec", "selector", "matchLabels"],
    ["StatefulSet", "shelpa", "NetworkPolicy", "shelpa", "spec", "podSelector", "matchLabels"],
    ["StatefulSet", "shelpa", "NetworkPolicy", "proxy", "spec", "egress", 1, "to", 0, "podSelector", "matchLabels"],
    ["Deployment", "proxy", "Service", "proxy", "spec", "selector"],
    ["Deployment", "proxy", "PodDisruptionBudget", "proxy", "spec", "selector", "matchLabels"],
    ["Deployment", "proxy", "NetworkPolicy", "proxy", "spec", "podSelector", "matchLabels"],
    ["Deployment", "proxy", "NetworkPolicy", "shelpa", "spec", "ingress", 0, "from", 0, "podSelector", "matchLabels"],
  ])("of %s %s are meant by %s %s", (workload, name, kind, selecting, ...path) => {
    expect(at(kind, selecting, ...path)).toEqual(at(workload, name, "spec", "template", "metadata", "labels"));
  });
  test("the host that the ingress has is one that they take", () => {
    expect(container?.["args"]).toContain(at("Ingress", "shelpa", "spec", "rules", 0, "host"));
  });
});
