/** Remotes of the configuration: their names, and the places that they are fetched from and pushed to. */
import type { Config } from "../config.ts";

/** In order. */
export const remoteNames = ({ settings }: Config): readonly string[] =>
  [...new Set(settings.flatMap(({ name }) => /^remote\.(.+)\.[^.]+$/.exec(name)?.[1] ?? []))].sort();

/** The first is fetched from; the name itself where none is set. */
export function fetchUrls(config: Config, remote: string): readonly string[] {
  const urls = valuesOf(config, `remote.${remote}.url`).map((url) => rewritten(config, url, "insteadof") ?? url);
  return urls.length === 0 ? [remote] : urls;
}

/** All are pushed to. */
export function pushUrls(config: Config, remote: string): readonly string[] {
  const own = valuesOf(config, `remote.${remote}.pushurl`);
  if (own.length > 0) return own.map((url) => rewritten(config, url, "insteadof") ?? url);
  const urls = valuesOf(config, `remote.${remote}.url`);
  const pushed = urls.map((url) => rewritten(config, url, "pushinsteadof") ?? rewritten(config, url, "insteadof") ?? url);
  return pushed.length === 0 ? [remote] : pushed;
}

export const valuesOf = ({ settings }: Config, name: string): readonly string[] =>
  settings.filter((setting) => setting.name === name).map(({ value }) => value ?? "");

/** By the longest beginning that a `url.BASE.insteadOf` replaces. */
function rewritten({ settings }: Config, url: string, key: "insteadof" | "pushinsteadof"): string | undefined {
  let base: string | undefined;
  let longest = "";
  for (const { name, value = "" } of settings) {
    if (!name.startsWith("url.") || !name.endsWith(`.${key}`) || value === "" || !url.startsWith(value) || value.length <= longest.length)
      continue;
    longest = value;
    base = name.slice("url.".length, -key.length - 1);
  }
  return base === undefined ? undefined : base + url.slice(longest.length);
}
