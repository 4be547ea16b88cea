/** unzip and zipinfo: every expectation was printed by UnZip 6.00 of Debian 12. */
import { unzip, zipinfo } from "../../../builtins/unzip/unzip.ts";
import { cases, type Row } from "../../cases.ts";
import { ZIPS } from "./archives.ts";

const zips = (...names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [`${name}.zip`, ZIPS[`${name}.zip`] as string]));

const rows: readonly Row[] = [
  {
    name: "-l",
    command: "unzip -l plain.zip",
    files: zips("plain"),
    stdout:
      "Archive:  plain.zip\n  Length      Date    Time    Name\n---------  ---------- -----   ----\n        0  2024-05-06 07:08   d/\n        6  2024-05-06 07:08   d/a\n        4  2024-05-06 07:08   d/e/b\n     5000  2024-05-06 07:08   zz\n---------                     -------\n     5010                     4 files\n",
  },
  {
    name: "-v",
    command: "unzip -v plain.zip",
    files: zips("plain"),
    stdout:
      "Archive:  plain.zip\n Length   Method    Size  Cmpr    Date    Time   CRC-32   Name\n--------  ------  ------- ---- ---------- ----- --------  ----\n       0  Stored        0   0% 2024-05-06 07:08 00000000  d/\n       6  Defl:N        8 -33% 2024-05-06 07:08 363a3020  d/a\n       4  Stored        4   0% 2024-05-06 07:08 1314c5b7  d/e/b\n    5000  Defl:N       22 100% 2024-05-06 07:08 e89d912a  zz\n--------          -------  ---                            -------\n    5010               34  99%                            4 files\n",
  },
  { name: "-Z1", command: "unzip -Z1 plain.zip", files: zips("plain"), stdout: "d/\nd/a\nd/e/b\nzz\n" },
  { name: "-Z -1", command: "unzip -Z -1 plain.zip", files: zips("plain"), stdout: "d/\nd/a\nd/e/b\nzz\n" },
  {
    name: "-l of a member",
    command: "unzip -l plain.zip d/a",
    files: zips("plain"),
    stdout:
      "Archive:  plain.zip\n  Length      Date    Time    Name\n---------  ---------- -----   ----\n        6  2024-05-06 07:08   d/a\n---------                     -------\n        6                     1 file\n",
  },
  {
    name: "-l of patterns",
    command: "unzip -l plain.zip 'd/*' -x d/a",
    files: zips("plain"),
    stdout:
      "Archive:  plain.zip\n  Length      Date    Time    Name\n---------  ---------- -----   ----\n        0  2024-05-06 07:08   d/\n        4  2024-05-06 07:08   d/e/b\n---------                     -------\n        4                     2 files\n",
  },
  {
    name: "-l of nothing",
    command: "unzip -l plain.zip nope",
    files: zips("plain"),
    stdout:
      "Archive:  plain.zip\n  Length      Date    Time    Name\n---------  ---------- -----   ----\n---------                     -------\n        0                     0 files\n",
    exit: 11,
  },
  {
    name: "-lq",
    command: "unzip -lq plain.zip",
    files: zips("plain"),
    stdout:
      "  Length      Date    Time    Name\n---------  ---------- -----   ----\n        0  2024-05-06 07:08   d/\n        6  2024-05-06 07:08   d/a\n        4  2024-05-06 07:08   d/e/b\n     5000  2024-05-06 07:08   zz\n---------                     -------\n     5010                     4 files\n",
  },
  {
    name: "-lqq",
    command: "unzip -lqq plain.zip",
    files: zips("plain"),
    stdout:
      "        0  2024-05-06 07:08   d/\n        6  2024-05-06 07:08   d/a\n        4  2024-05-06 07:08   d/e/b\n     5000  2024-05-06 07:08   zz\n",
  },
  {
    name: "the suffix may be left out",
    command: "unzip -lqq plain",
    files: zips("plain"),
    stdout:
      "        0  2024-05-06 07:08   d/\n        6  2024-05-06 07:08   d/a\n        4  2024-05-06 07:08   d/e/b\n     5000  2024-05-06 07:08   zz\n",
  },
  { name: "-p", command: "unzip -p plain.zip d/a d/e/b", files: zips("plain"), stdout: "hello\nbye\n" },
  { name: "-p of a pattern", command: "unzip -p plain.zip 'd/[!b]*'", files: zips("plain"), stdout: "hello\nbye\n" },
  {
    name: "-p of all but some",
    command: "unzip -p plain.zip -x zz nope",
    files: zips("plain"),
    stdout: "hello\nbye\n",
    stderr: "caution: excluded filename not matched:  nope\n",
  },
  {
    name: "-p of what is not there",
    command: "unzip -p plain.zip nope d/a",
    files: zips("plain"),
    stdout: "hello\n",
    stderr: "caution: filename not matched:  nope\n",
    exit: 11,
  },
  {
    name: "-p in its case",
    command: "unzip -p plain.zip D/A",
    files: zips("plain"),
    stderr: "caution: filename not matched:  D/A\n",
    exit: 11,
  },
  { name: "-pC", command: "unzip -pC plain.zip D/A", files: zips("plain"), stdout: "hello\n" },
  { name: "-p goes before -l", command: "unzip -lp plain.zip d/a", files: zips("plain"), stdout: "hello\n" },
  { name: "-o and -j change nothing", command: "unzip -oj -p plain.zip d/a", files: zips("plain"), stdout: "hello\n" },
  { name: "-p of all", command: "unzip -p plain.zip | wc -c", files: zips("plain"), stdout: "5010\n" },
  {
    name: "-t",
    command: "unzip -t plain.zip",
    files: zips("plain"),
    stdout:
      "Archive:  plain.zip\n    testing: d/                       OK\n    testing: d/a                      OK\n    testing: d/e/b                    OK\n    testing: zz                       OK\nNo errors detected in compressed data of plain.zip.\n",
  },
  { name: "-tq", command: "unzip -tq plain.zip", files: zips("plain"), stdout: "No errors detected in compressed data of plain.zip.\n" },
  { name: "-tqq", command: "unzip -tqq plain.zip", files: zips("plain") },
  {
    name: "-t of some",
    command: "unzip -t plain.zip d/a",
    files: zips("plain"),
    stdout: "Archive:  plain.zip\n    testing: d/a                      OK\nNo errors detected in plain.zip for the 1 file tested.\n",
  },
  {
    name: "-t of what is not there",
    command: "unzip -t plain.zip nope d/a",
    files: zips("plain"),
    stdout:
      "Archive:  plain.zip\n    testing: d/a                      OK\ncaution: filename not matched:  nope\nAt least one error was detected in plain.zip.\n",
    exit: 11,
  },
  {
    name: "a missing archive",
    command: "unzip -l nope.zip",
    stderr: "unzip:  cannot find or open nope.zip, nope.zip.zip or nope.zip.ZIP.\n",
    exit: 9,
  },
  { name: "-p of a missing archive", command: "unzip -p nope", exit: 9 },
  {
    name: "-Z1 of a missing archive",
    command: "unzip -Z1 nope",
    stderr: "zipinfo:  cannot find or open nope, nope.zip or nope.ZIP.\n",
    exit: 9,
  },
  {
    name: "no archive",
    command: "unzip -l x",
    files: { x: "hi" },
    stdout: "Archive:  x\n",
    stderr:
      "  End-of-central-directory signature not found.  Either this file is not\n  a zipfile, or it constitutes one disk of a multi-part archive.  In the\n  latter case the central directory and zipfile comment will be found on\n  the last disk(s) of this archive.\nunzip:  cannot find zipfile directory in one of x or\n        x.zip, and cannot find x.ZIP, period.\n",
    exit: 9,
  },
  {
    name: "control characters in names",
    command: "unzip -l names.zip",
    files: zips("names"),
    stdout:
      "Archive:  names.zip\n  Length      Date    Time    Name\n---------  ---------- -----   ----\n        6  2024-05-06 07:08   a^Jb\n        6  2024-05-06 07:08   t^Ib\n        6  2024-05-06 07:08   ^[[31mred\n        6  2024-05-06 07:08   back\\slash\n        6  2024-05-06 07:08   sp ace\n        6  2024-05-06 07:08   \u007f^A\n        6  2024-05-06 07:08   ü\n        6  2024-05-06 07:08   \udcff\udcfe\n---------                     -------\n       48                     8 files\n",
  },
  {
    name: "-t of control characters in names",
    command: "unzip -t names.zip",
    files: zips("names"),
    stdout:
      "Archive:  names.zip\n    testing: a^Jb                     OK\n    testing: t^Ib                     OK\n    testing: ^[[31mred                OK\n    testing: back\\slash               OK\n    testing: sp ace                   OK\n    testing: \u007f^A                      OK\n    testing: ü                       OK\n    testing: \udcff\udcfe                       OK\nNo errors detected in compressed data of names.zip.\n",
  },
  {
    name: "names with ..",
    command: "unzip -l climbs.zip",
    files: zips("climbs"),
    stdout:
      "Archive:  climbs.zip\n  Length      Date    Time    Name\n---------  ---------- -----   ----\n        6  2024-05-06 07:08   ../up\n        6  2024-05-06 07:08   /abs\n        6  2024-05-06 07:08   a/../../b\n       11  2024-05-06 07:08   l\n---------                     -------\n       29                     4 files\n",
  },
  { name: "-p of names with ..", command: "unzip -p climbs.zip", files: zips("climbs"), stdout: "hello\nhello\nhello\n/etc/passwd" },
  {
    name: "names in Unicode",
    command: "unzip -l unicode.zip",
    files: zips("unicode"),
    stdout:
      "Archive:  unicode.zip\n  Length      Date    Time    Name\n---------  ---------- -----   ----\n        6  2024-05-06 07:08   aü\n        6  2024-05-06 07:08   b?\n---------                     -------\n       12                     2 files\n",
    stderr: "\nwarning:  Unicode Path checksum invalid\n",
  },
  { name: "-Z1 of names in Unicode", command: "unzip -Z1 unicode.zip 'a*'", files: zips("unicode"), stdout: "aü\n" },
  {
    name: "a checksum that is wrong",
    command: "unzip -p crc.zip",
    files: zips("crc"),
    stdout: "hello\nhello\n",
    stderr: "a                       bad CRC 363a3020  (should be 00000005)\n",
    exit: 2,
  },
  {
    name: "-t of a checksum that is wrong",
    command: "unzip -t crc.zip",
    files: zips("crc"),
    stdout:
      "Archive:  crc.zip\n    testing: a                        bad CRC 363a3020  (should be 00000005)\n    testing: b                        OK\nAt least one error was detected in crc.zip.\n",
    exit: 2,
  },
  {
    name: "-tq of a checksum that is wrong",
    command: "unzip -tq crc.zip",
    files: zips("crc"),
    stdout: "a                       bad CRC 363a3020  (should be 00000005)\nAt least one error was detected in crc.zip.\n",
    exit: 2,
  },
  {
    name: "data that is not deflate's",
    command: "unzip -p deflate.zip",
    files: zips("deflate"),
    stdout: "hello\n",
    stderr: "  error:  invalid compressed data to inflate a\n",
    exit: 2,
  },
  {
    name: "-t of data that is not deflate's",
    command: "unzip -t deflate.zip",
    files: zips("deflate"),
    stdout:
      "Archive:  deflate.zip\n    testing: a                       \n  error:  invalid compressed data to inflate\n    testing: b                        OK\nAt least one error was detected in deflate.zip.\n",
    exit: 2,
  },
  {
    name: "data that was cut off",
    command: "unzip -p cut.zip",
    files: zips("cut"),
    stdout: "helhello\n",
    stderr: "  error:  invalid compressed data to inflate a\n",
    exit: 2,
    differs: "unzip keeps to itself what it unpacked last before the fault",
  },
  {
    name: "methods",
    command: "unzip -v methods.zip",
    files: zips("methods"),
    stdout:
      "Archive:  methods.zip\n Length   Method    Size  Cmpr    Date    Time   CRC-32   Name\n--------  ------  ------- ---- ---------- ----- --------  ----\n       6  Unk:099       6   0% 2024-05-06 07:08 363a3020  a\n       6  LZMA          6   0% 2024-05-06 07:08 363a3020  l\n       6  Defl:N        8 -33% 2024-05-06 07:08 363a3020  c\n       6  Defl:N        8 -33% 2024-05-06 07:08 363a3020  b\n--------          -------  ---                            -------\n      24               28 -17%                            4 files\n",
  },
  {
    name: "-t of methods",
    command: "unzip -t methods.zip",
    files: zips("methods"),
    stdout:
      "Archive:  methods.zip\n   skipping: a                       unsupported compression method 99\n   skipping: l                       `LZMA' method not supported\n   skipping: b                       need PK compat. v9.9 (can do v4.6)\n    testing: c                        OK\nNo errors detected in methods.zip for the 1 file tested.\n3 files skipped because of unsupported compression or encoding.\n",
    exit: 81,
  },
  {
    name: "an encrypted member",
    command: "unzip -p locked.zip",
    files: zips("locked"),
    stdout: "hello\n",
    stderr: "   skipping: a                       unable to get password\n",
    exit: 5,
  },
  {
    name: "-t of an encrypted member",
    command: "unzip -t locked.zip",
    files: zips("locked"),
    stdout:
      "Archive:  locked.zip\n   skipping: a                       unable to get password\n    testing: b                        OK\nAt least one error was detected in locked.zip.\n",
    exit: 5,
  },
  {
    name: "-v of an encrypted member",
    command: "unzip -v locked.zip",
    files: zips("locked"),
    stdout:
      "Archive:  locked.zip\n Length   Method    Size  Cmpr    Date    Time   CRC-32   Name\n--------  ------  ------- ---- ---------- ----- --------  ----\n       6  Defl:N        6   0% 2024-05-06 07:08 363a3020  a\n       6  Defl:N        8 -33% 2024-05-06 07:08 363a3020  b\n--------          -------  ---                            -------\n      12               14 -17%                            2 files\n",
  },
  { name: "bytes in front", command: "unzip -p before.zip", files: zips("before"), stdout: "hello\n" },
  {
    name: "bytes in front that are not counted",
    command: "unzip -p shifted.zip",
    files: zips("shifted"),
    stdout: "hello\n",
    stderr: "warning [shifted.zip]:  10 extra bytes at beginning or within zipfile\n  (attempting to process anyway)\n",
    exit: 1,
  },
  {
    name: "-t of bytes in front that are not counted",
    command: "unzip -t shifted.zip",
    files: zips("shifted"),
    stdout:
      "Archive:  shifted.zip\nwarning [shifted.zip]:  10 extra bytes at beginning or within zipfile\n  (attempting to process anyway)\n    testing: a                        OK\nNo errors detected in compressed data of shifted.zip.\n",
    exit: 1,
  },
  {
    name: "zip64",
    command: "unzip -lv wide.zip",
    files: zips("wide"),
    stdout:
      "Archive:  wide.zip\n Length   Method    Size  Cmpr    Date    Time   CRC-32   Name\n--------  ------  ------- ---- ---------- ----- --------  ----\n       6  Defl:N        8 -33% 2024-05-06 07:08 363a3020  a\n       6  Defl:N        8 -33% 2024-05-06 07:08 363a3020  b\n--------          -------  ---                            -------\n      12               16 -33%                            2 files\n",
  },
  { name: "-p of zip64", command: "unzip -p wide.zip", files: zips("wide"), stdout: "hello\nhello\n" },
  {
    name: "fewer entries than there are",
    command: "unzip -l few.zip",
    files: zips("few"),
    stdout:
      "Archive:  few.zip\n  Length      Date    Time    Name\n---------  ---------- -----   ----\n        6  2024-05-06 07:08   a\n        6  2024-05-06 07:08   b\n",
    stderr:
      "error:  expected central file header signature not found (file #3).\n  (please check that you have transferred or created the zipfile in the\n  appropriate BINARY mode and that you have compiled UnZip properly)\n",
    exit: 3,
  },
  {
    name: "-p of fewer entries than there are",
    command: "unzip -p few.zip b",
    files: zips("few"),
    stdout: "hello\n",
    stderr:
      "error:  expected central file header signature not found (file #2).\n  (please check that you have transferred or created the zipfile in the\n  appropriate BINARY mode and that you have compiled UnZip properly)\n",
    exit: 3,
  },
  {
    name: "more entries than there are",
    command: "unzip -t many.zip",
    files: zips("many"),
    stdout:
      "Archive:  many.zip\nerror:  expected central file header signature not found (file #3).\n  (please check that you have transferred or created the zipfile in the\n  appropriate BINARY mode and that you have compiled UnZip properly)\n    testing: a                        OK\n    testing: b                        OK\nAt least one error was detected in many.zip.\n",
    exit: 3,
  },
  {
    name: "comments",
    command: "unzip -l comment.zip",
    files: zips("comment"),
    stdout:
      "Archive:  comment.zip\nhi^[[31m there\n  Length      Date    Time    Name\n---------  ---------- -----   ----\n        6  2024-05-06 07:08   a\nnote^[[1m\n---------                     -------\n        6                     1 file\n",
  },
  {
    name: "-q: no comments",
    command: "unzip -lq comment.zip",
    files: zips("comment"),
    stdout:
      "  Length      Date    Time    Name\n---------  ---------- -----   ----\n        6  2024-05-06 07:08   a\n---------                     -------\n        6                     1 file\n",
  },
  {
    name: "a comment that was cut off",
    command: "unzip -l short.zip",
    files: zips("short"),
    stdout:
      "Archive:  short.zip\nxxxxx  Length      Date    Time    Name\n---------  ---------- -----   ----\n        6  2024-05-06 07:08   a\n---------                     -------\n        6                     1 file\n",
    stderr: "\ncaution:  zipfile comment truncated\n",
    exit: 1,
  },
  {
    name: "what follows the end",
    command: "unzip -l tail.zip",
    files: zips("tail"),
    stdout:
      "Archive:  tail.zip\n  Length      Date    Time    Name\n---------  ---------- -----   ----\n        6  2024-05-06 07:08   a\n---------                     -------\n        6                     1 file\n",
  },
  {
    name: "an empty archive",
    command: "unzip -l empty.zip",
    files: zips("empty"),
    stdout: "Archive:  empty.zip\n",
    stderr: "warning [empty.zip]:  zipfile is empty\n",
    exit: 1,
  },
  { name: "-Z1 of an empty archive", command: "unzip -Z1 empty.zip", files: zips("empty"), stdout: "Empty zipfile.\n", exit: 1 },
  {
    name: "a wrong place",
    command: "unzip -p offset.zip",
    files: zips("offset"),
    stdout: "hello\n",
    stderr: "file #1:  bad zipfile offset (local header sig):  3\n",
    exit: 2,
  },
  {
    name: "a place beyond the end",
    command: "unzip -t beyond.zip",
    files: zips("beyond"),
    stdout:
      "Archive:  beyond.zip\nfile #1:  bad zipfile offset (lseek):  98304\n    testing: b                        OK\nAt least one error was detected in beyond.zip.\n",
    exit: 3,
  },
  {
    name: "members in one place",
    command: "unzip -p overlap.zip",
    files: zips("overlap"),
    stdout: "hello\n",
    stderr: "error: invalid zip file with overlapped components (possible zip bomb)\n",
    exit: 12,
  },
  {
    name: "another name in front of the data",
    command: "unzip -p local.zip",
    files: zips("local"),
    stdout: "hello\nhello\n",
    stderr: 'a:  mismatching "local" filename (other),\n         continuing with "central" filename version\n',
    exit: 1,
  },
  {
    name: "times",
    command: "unzip -l times.zip",
    files: zips("times"),
    stdout:
      "Archive:  times.zip\n  Length      Date    Time    Name\n---------  ---------- -----   ----\n        6  2023-11-14 22:13   a\n        6  1980-00-00 00:00   b\n        6  2107-15-31 31:63   c\n---------                     -------\n       18                     3 files\n",
  },
  {
    name: "times in another zone",
    command: "TZ=America/New_York unzip -l times.zip",
    files: zips("times"),
    stdout:
      "Archive:  times.zip\n  Length      Date    Time    Name\n---------  ---------- -----   ----\n        6  2023-11-14 17:13   a\n        6  1980-00-00 00:00   b\n        6  2107-15-31 31:63   c\n---------                     -------\n       18                     3 files\n",
  },
  {
    name: "ratios",
    command: "unzip -v ratios.zip",
    files: zips("ratios"),
    stdout:
      "Archive:  ratios.zip\n Length   Method    Size  Cmpr    Date    Time   CRC-32   Name\n--------  ------  ------- ---- ---------- ----- --------  ----\n       1  Defl:N        3 -200% 2024-05-06 07:08 8cdc1683  x\n 3000000  Defl:N     2923 100% 2024-05-06 07:08 97ca159d  y\n       6  Defl:N        8 -33% 2024-05-06 07:08 860b8ccb  c\n--------          -------  ---                            -------\n 3000007             2934 100%                            3 files\n",
  },
  {
    name: "a directory that is too large",
    command: "unzip -l size.zip",
    files: zips("size"),
    stdout: "Archive:  size.zip\n",
    stderr:
      "error [size.zip]:  missing 9952 bytes in zipfile\n  (attempting to process anyway)\nerror [size.zip]:  attempt to seek before beginning of zipfile\n  (please check that you have transferred or created the zipfile in the\n  appropriate BINARY mode and that you have compiled UnZip properly)\n",
    exit: 3,
  },
];

const ours: readonly Row[] = [
  { name: "extraction", command: "unzip plain.zip", files: zips("plain"), refused: "DISALLOWED_FLAG", after: { zz: null } },
  {
    name: "extraction of a member",
    command: "unzip -o plain.zip d/a -d out",
    files: zips("plain"),
    refused: "DISALLOWED_FLAG",
    after: { out: null },
  },
  { name: "-d", command: "unzip -l plain.zip -d out", files: zips("plain"), refused: "DISALLOWED_FLAG" },
  { name: "-P", command: "unzip -P pw -p locked.zip a", files: zips("locked"), refused: "DISALLOWED_FLAG" },
  { name: "several archives", command: "unzip -l '*.zip'", files: zips("plain"), refused: "DISALLOWED_FLAG" },
  { name: "zipinfo's long list", command: "unzip -Z plain.zip", files: zips("plain"), refused: "DISALLOWED_FLAG" },
  { name: "standard input", command: "cat plain.zip | unzip -l -", files: zips("plain"), refused: "BAD_VALUE" },
  { name: "no archive is named", command: "unzip -l", refused: "USAGE" },
  { name: "an unknown flag", command: "unzip -Y plain.zip", files: zips("plain"), refused: "UNKNOWN_FLAG" },
  { name: "an archive outside", command: "unzip -l ../a.zip", refused: "PATH_ESCAPE" },
  { name: "an archive outside, with its suffix left out", command: "unzip -p /etc/a", refused: "PATH_ESCAPE" },
  {
    name: "a method that is not unpacked",
    command: "unzip -p bzip2.zip",
    files: zips("bzip2"),
    stdout: "hello\n",
    stderr: "   skipping: a                       `BZip2' method not supported\n",
    exit: 81,
    differs: "unzip unpacks it",
  },
  {
    name: "a name in another character set",
    command: "unzip -Z1 dos.zip",
    files: zips("dos"),
    stdout: "a\n",
    stderr: "unzip: \udc81: a name in the characters of another system is not read here\n",
    exit: 81,
    differs: "unzip prints it in ISO 8859-1",
  },
  {
    name: "an empty name",
    command: "unzip -Z1 unnamed.zip",
    files: zips("unnamed"),
    stdout: "a\n",
    stderr: "unzip: file #2 has no name, and is not read here\n",
    exit: 3,
    differs: "unzip prints the name before it",
  },
];

cases(unzip, [...rows, ...ours]);
cases(zipinfo, [
  { name: "-1", command: "zipinfo -1 plain.zip 'd/*'", files: zips("plain"), stdout: "d/\nd/a\nd/e/b\n" },
  {
    name: "what is not there",
    command: "zipinfo -1 plain.zip nope",
    files: zips("plain"),
    stderr: "caution: filename not matched:  nope\n",
    exit: 11,
  },
  { name: "its long list", command: "zipinfo plain.zip", files: zips("plain"), refused: "DISALLOWED_FLAG" },
]);
