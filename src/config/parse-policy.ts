/** Policy of a program that has it as text: the notation of the configuration file. */
import { merged } from "./merge.ts";
import { profilePolicy, type Policy } from "./policy.ts";

/**
 * The policy that a configuration in TOML means: its settings over the profile that it names, over the defaults. Rejects with
 * ConfigurationError, which names the setting and, for an unknown one, the nearest that there is.
 */
export async function parsePolicy(text: string): Promise<Policy> {
  // Loaded here: a program without such a text does not wait for a parser and a schema.
  const { parseConfiguration } = await import("./parse-configuration.ts");
  const configuration = parseConfiguration(text, "policy", { isInRoot: false });
  return merged(profilePolicy(configuration.profile ?? "standard"), configuration);
}
