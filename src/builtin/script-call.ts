/** The shell in which a script (`sh -c`) runs. */
import type { ByteInput } from "../io/input.ts";

export interface ScriptCall {
  /** `$0`. */
  readonly name: string;
  /** `$1` and on. */
  readonly args: readonly string[];
  /** Names of options that are on: errexit, nounset, noglob, pipefail. */
  readonly options: readonly string[];
  /** Default: the standard input of the stage that runs it. */
  readonly stdin?: ByteInput;
}
