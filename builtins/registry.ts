/** Every builtin there is: the one file that imports them all, because something has to know the whole list. */
import type { BuiltinDefinition } from "../src/builtin/definition.ts";
import { cat } from "./cat.ts";
import { cd } from "./cd.ts";
import { cut } from "./cut.ts";
import { diff } from "./diff.ts";
import { echo } from "./echo.ts";
import { alwaysFalse } from "./false.ts";
import { find } from "./find.ts";
import { grep } from "./grep.ts";
import { head } from "./head.ts";
import { help } from "./help.ts";
import { jq } from "./jq.ts";
import { ls } from "./ls.ts";
import { nl } from "./nl.ts";
import { printf } from "./printf.ts";
import { pwd } from "./pwd.ts";
import { rg } from "./rg.ts";
import { sed } from "./sed.ts";
import { sort } from "./sort.ts";
import { tail } from "./tail.ts";
import { tee } from "./tee.ts";
import { test } from "./test.ts";
import { tr } from "./tr.ts";
import { alwaysTrue } from "./true.ts";
import { uniq } from "./uniq.ts";
import { wc } from "./wc.ts";
import { xargs } from "./xargs.ts";
import { yes } from "./yes.ts";

export const allBuiltins: readonly BuiltinDefinition[] = [
  alwaysFalse,
  alwaysTrue,
  cat,
  cd,
  cut,
  diff,
  echo,
  find,
  grep,
  head,
  help,
  jq,
  ls,
  nl,
  printf,
  pwd,
  rg,
  sed,
  sort,
  tail,
  tee,
  test,
  tr,
  uniq,
  wc,
  xargs,
  yes,
];
