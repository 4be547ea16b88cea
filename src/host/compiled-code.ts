/**
 * Compiled code that Node keeps from one start to the next (22.1 and later), in dist/ beside the code that it is of: whoever may write
 * there may write the code itself, and no line may (ownFiles). Where it cannot be written, nothing is kept.
 */
import * as nodeModule from "node:module";
import { ownPath } from "./own-code.ts";

const { enableCompileCache } = nodeModule as { readonly enableCompileCache?: (directory: string) => unknown };

/** For the first statement of a command, whose other code is loaded after it. */
export function keepCompiledCode(): void {
  enableCompileCache?.(ownPath(".compiled"));
}
