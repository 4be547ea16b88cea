/** The programs that run containers, of which `init --container` knows the options. */
export const ENGINES = ["docker", "podman"] as const;
export type Engine = (typeof ENGINES)[number];
