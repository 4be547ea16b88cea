/** Every builtin there is: the one file that imports them all, because something has to know the whole list. */
import type { BuiltinDefinition } from "../src/builtin/definition.ts";
import { awk } from "./awk.ts";
import { basename } from "./basename.ts";
import { bat } from "./bat.ts";
import { breakLoop } from "./break.ts";
import { cat } from "./cat.ts";
import { cd } from "./cd.ts";
import { b2sum, cksum, md5sum, sha1sum, sha224sum, sha256sum, sha384sum, sha512sum, sum } from "./checksums.ts";
import { cmp } from "./cmp.ts";
import { column } from "./column.ts";
import { comm } from "./comm.ts";
import { command } from "./command.ts";
import { cut } from "./cut.ts";
import { date } from "./date.ts";
import { diff } from "./diff.ts";
import { dirname } from "./dirname.ts";
import { du } from "./du.ts";
import { echo } from "./echo.ts";
import { base32, base64, basenc } from "./encodings.ts";
import { exit } from "./exit.ts";
import { expand } from "./expand.ts";
import { expr } from "./expr.ts";
import { factor } from "./factor.ts";
import { alwaysFalse } from "./false.ts";
import { fd } from "./fd.ts";
import { file } from "./file.ts";
import { find } from "./find.ts";
import { fold } from "./fold.ts";
import { grep } from "./grep.ts";
import { head } from "./head.ts";
import { help } from "./help.ts";
import { hexdump } from "./hexdump.ts";
import { history } from "./history.ts";
import { join } from "./join.ts";
import { jq } from "./jq.ts";
import { ls } from "./ls.ts";
import { nl } from "./nl.ts";
import { numfmt } from "./numfmt.ts";
import { od } from "./od.ts";
import { less, more } from "./pagers.ts";
import { paste } from "./paste.ts";
import { policy } from "./policy.ts";
import { printf } from "./printf.ts";
import { pwd } from "./pwd.ts";
import { read } from "./read.ts";
import { readlink } from "./readlink.ts";
import { realpath } from "./realpath.ts";
import { rev } from "./rev.ts";
import { rg } from "./rg.ts";
import { sed } from "./sed.ts";
import { seq } from "./seq.ts";
import { set } from "./set.ts";
import { shuf } from "./shuf.ts";
import { sleep } from "./sleep.ts";
import { sort } from "./sort.ts";
import { stat } from "./stat.ts";
import { strings } from "./strings.ts";
import { tac } from "./tac.ts";
import { tail } from "./tail.ts";
import { tee } from "./tee.ts";
import { test } from "./test.ts";
import { tr } from "./tr.ts";
import { tree } from "./tree.ts";
import { alwaysTrue } from "./true.ts";
import { tsort } from "./tsort.ts";
import { type } from "./type.ts";
import { unexpand } from "./unexpand.ts";
import { uniq } from "./uniq.ts";
import { unset } from "./unset.ts";
import { wc } from "./wc.ts";
import { which } from "./which.ts";
import { xargs } from "./xargs.ts";
import { xxd } from "./xxd.ts";
import { yes } from "./yes.ts";

export const allBuiltins: readonly BuiltinDefinition[] = [
  alwaysFalse,
  alwaysTrue,
  awk,
  b2sum,
  base32,
  base64,
  basename,
  basenc,
  bat,
  breakLoop,
  cat,
  cd,
  cksum,
  cmp,
  column,
  comm,
  command,
  cut,
  date,
  diff,
  dirname,
  du,
  echo,
  exit,
  expand,
  expr,
  factor,
  fd,
  file,
  find,
  fold,
  grep,
  head,
  help,
  hexdump,
  history,
  join,
  jq,
  less,
  ls,
  md5sum,
  more,
  nl,
  numfmt,
  od,
  paste,
  policy,
  printf,
  pwd,
  read,
  readlink,
  realpath,
  rev,
  rg,
  sed,
  seq,
  set,
  sha1sum,
  sha224sum,
  sha256sum,
  sha384sum,
  sha512sum,
  shuf,
  sleep,
  sort,
  stat,
  strings,
  sum,
  tac,
  tail,
  tee,
  test,
  tr,
  tree,
  tsort,
  type,
  unexpand,
  uniq,
  unset,
  wc,
  which,
  xargs,
  xxd,
  yes,
];
