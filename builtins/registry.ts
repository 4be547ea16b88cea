/** Every builtin there is: the one file that imports them all, because something has to know the whole list. */
import type { BuiltinDefinition } from "../src/builtin/definition.ts";
import { cat } from "./cat.ts";
import { cut } from "./cut.ts";
import { grep } from "./grep.ts";
import { head } from "./head.ts";
import { help } from "./help.ts";
import { tail } from "./tail.ts";
import { tee } from "./tee.ts";
import { tr } from "./tr.ts";
import { uniq } from "./uniq.ts";

export const allBuiltins: readonly BuiltinDefinition[] = [cat, cut, grep, head, help, tail, tee, tr, uniq];
