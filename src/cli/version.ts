/** The package's own version, for `--version` and the protocol's server information. */
import manifest from "../../package.json" with { type: "json" };

export const VERSION: string = manifest.version;
