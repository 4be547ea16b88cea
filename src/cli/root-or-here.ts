/** The root that a subcommand works on: `--root`, `$SHELPA_ROOT`, the current directory. */
export const rootOrHere = (given: string | undefined): string => given ?? process.env["SHELPA_ROOT"] ?? ".";
