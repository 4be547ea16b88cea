/** Every builtin there is: the one file that imports them all, because something has to know the whole list. */
import type { BuiltinDefinition } from "../src/builtin/definition.ts";
import { help } from "./help.ts";

export const allBuiltins: readonly BuiltinDefinition[] = [help];
