/** tar: every expectation was printed by GNU tar 1.34. */
import { gzipSync } from "node:zlib";
import { tar } from "../../../builtins/tar/tar.ts";
import { toBytes, toText } from "../../../src/io/text.ts";
import { cases, type Row } from "../../cases.ts";
import { ARCHIVES } from "./archives.ts";

const tars = (...names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [`${name}.tar`, ARCHIVES[`${name}.tar`] as string]));
const PACKED = toText(gzipSync(toBytes(ARCHIVES["plain.tar"] as string)));

const rows: readonly Row[] = [
  { name: "names", command: "tar tf plain.tar", files: tars("plain"), stdout: "d/\nd/a\nd/l\nd/e/\nd/e/b\nd/h\n" },
  {
    name: "-v",
    command: "tar tvf plain.tar",
    files: tars("plain"),
    stdout:
      "drwxr-xr-x root/root         0 2020-01-02 00:00 d/\n-rw-r--r-- root/root         6 2024-01-02 03:04 d/a\nlrwxrwxrwx root/root         0 1970-01-01 00:00 d/l -> a\ndrwxrwxrwt root/root         0 1970-01-01 00:00 d/e/\n-rwsr-xr-x root/root         4 1970-01-01 00:00 d/e/b\nhrw-r--r-- root/root         0 1970-01-01 00:00 d/h link to d/a\n",
  },
  {
    name: "-v in another zone",
    command: "TZ=America/New_York tar -tvf plain.tar d/a",
    files: tars("plain"),
    stdout: "-rw-r--r-- root/root         6 2024-01-01 22:04 d/a\n",
  },
  {
    name: "--utc prints as -v does",
    command: "TZ=America/New_York tar --utc -tf plain.tar d/a",
    files: tars("plain"),
    stdout: "-rw-r--r-- root/root         6 2024-01-02 03:04 d/a\n",
  },
  {
    name: "--full-time",
    command: "tar tvf pax.tar --full-time",
    files: tars("pax"),
    stdout:
      "-rw-r--r-- me/us             3 2023-11-14 22:13:20.123456789 päth/ünï\nlrw-r--r-- root/root         0 1970-01-01 00:00:00           lk -> tttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttt\n-rw-r--r-- root/root         3 1969-12-31 23:59:55.5         before\n-rw-r--r-- root/root         5 1970-01-01 00:00:00           sized\n",
  },
  {
    name: "--numeric-owner",
    command: "tar tvf pax.tar --numeric-owner",
    files: tars("pax"),
    stdout:
      "-rw-r--r-- 12345678/0        3 2023-11-14 22:13 päth/ünï\nlrw-r--r-- 0/0               0 1970-01-01 00:00 lk -> tttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttt\n-rw-r--r-- 0/0               3 1969-12-31 23:59 before\n-rw-r--r-- 0/0               5 1970-01-01 00:00 sized\n",
  },
  {
    name: "letters with dashes",
    command: "tar -t -v -f plain.tar d/a",
    files: tars("plain"),
    stdout: "-rw-r--r-- root/root         6 2024-01-02 03:04 d/a\n",
  },
  {
    name: "letters in any order",
    command: "tar vtf plain.tar d/a",
    files: tars("plain"),
    stdout: "-rw-r--r-- root/root         6 2024-01-02 03:04 d/a\n",
  },
  {
    name: "-t twice is -v",
    command: "tar -ttf plain.tar d/a",
    files: tars("plain"),
    stdout: "-rw-r--r-- root/root         6 2024-01-02 03:04 d/a\n",
  },
  {
    name: "long flags",
    command: "tar --list --verbose --file=plain.tar d/a",
    files: tars("plain"),
    stdout: "-rw-r--r-- root/root         6 2024-01-02 03:04 d/a\n",
  },
  { name: "a directory stands for what is in it", command: "tar tf plain.tar d/e", files: tars("plain"), stdout: "d/e/\nd/e/b\n" },
  { name: "a slash behind it changes nothing", command: "tar tf plain.tar d/e/", files: tars("plain"), stdout: "d/e/\nd/e/b\n" },
  { name: "-xO prints", command: "tar -xOf plain.tar d/a", files: tars("plain"), stdout: "hello\n" },
  { name: "--get --to-stdout", command: "tar --get --to-stdout --file plain.tar d/a d/e/b", files: tars("plain"), stdout: "hello\nbye\n" },
  { name: "-xO of all", command: "tar xOf plain.tar", files: tars("plain"), stdout: "hello\nbye\n" },
  {
    name: "-v with -xO names members aside",
    command: "tar xOvf plain.tar d/e",
    files: tars("plain"),
    stdout: "bye\n",
    stderr: "d/e/\nd/e/b\n",
  },
  {
    name: "-vv with -xO",
    command: "tar xOvvf plain.tar d/e",
    files: tars("plain"),
    stdout: "bye\n",
    stderr: "drwxrwxrwt root/root         0 1970-01-01 00:00 d/e/\n-rwsr-xr-x root/root         4 1970-01-01 00:00 d/e/b\n",
  },
  { name: "-O with -t lists aside", command: "tar Otf plain.tar d/a", files: tars("plain"), stderr: "d/a\n" },
  { name: "-xO of a hard link prints nothing", command: "tar xOf plain.tar d/h", files: tars("plain") },
  { name: "standard input", command: "cat plain.tar | tar t", files: tars("plain"), stdout: "d/\nd/a\nd/l\nd/e/\nd/e/b\nd/h\n" },
  { name: "- is standard input", command: "cat plain.tar | tar tf - d/a", files: tars("plain"), stdout: "d/a\n" },
  { name: "-z", command: "tar tzf plain.tgz", files: { "plain.tgz": PACKED }, stdout: "d/\nd/a\nd/l\nd/e/\nd/e/b\nd/h\n" },
  { name: "-z is found out", command: "tar xOf plain.tgz d/a", files: { "plain.tgz": PACKED }, stdout: "hello\n" },
  { name: "-z of standard input", command: "cat plain.tgz | tar -xzO d/e/b", files: { "plain.tgz": PACKED }, stdout: "bye\n" },
  {
    name: "packed standard input without -z",
    command: "cat plain.tgz | tar t",
    files: { "plain.tgz": PACKED },
    stderr: "tar: Archive is compressed. Use -z option\ntar: Error is not recoverable: exiting now\n",
    exit: 2,
  },
  {
    name: "-z of what is not packed",
    command: "tar tzf plain.tar",
    files: tars("plain"),
    stderr: "\ngzip: stdin: not in gzip format\ntar: Child returned status 1\ntar: Error is not recoverable: exiting now\n",
    exit: 2,
  },
  {
    name: "a packed file that was cut off",
    command: "head -c 100 plain.tgz | tar tz",
    files: { "plain.tgz": PACKED },
    stdout: "d/\n",
    stderr: "\ngzip: stdin: unexpected end of file\ntar: Child returned status 1\ntar: Error is not recoverable: exiting now\n",
    exit: 2,
  },
  {
    name: "junk behind a packed file",
    command: "{ cat plain.tgz; echo junk; } | tar tz",
    files: { "plain.tgz": PACKED },
    stdout: "d/\nd/a\nd/l\nd/e/\nd/e/b\nd/h\n",
    stderr:
      "\ngzip: stdin: decompression OK, trailing garbage ignored\ntar: Child returned status 2\ntar: Error is not recoverable: exiting now\n",
    exit: 2,
  },
  {
    name: "a member that is not there",
    command: "tar tf plain.tar nope d/a",
    files: tars("plain"),
    stdout: "d/a\n",
    stderr: "tar: nope: Not found in archive\ntar: Exiting with failure status due to previous errors\n",
    exit: 2,
  },
  {
    name: "names match whole",
    command: "tar tf plain.tar a ./d d//a",
    files: tars("plain"),
    stderr:
      "tar: a: Not found in archive\ntar: ./d: Not found in archive\ntar: d//a: Not found in archive\ntar: Exiting with failure status due to previous errors\n",
    exit: 2,
  },
  {
    name: "the first name that matches is found",
    command: "tar tf plain.tar d d/a d/a",
    files: tars("plain"),
    stdout: "d/\nd/a\nd/l\nd/e/\nd/e/b\nd/h\n",
    stderr: "tar: d/a: Not found in archive\ntar: d/a: Not found in archive\ntar: Exiting with failure status due to previous errors\n",
    exit: 2,
  },
  {
    name: "a name with a colon",
    command: "tar tf plain.tar a:b",
    files: tars("plain"),
    stderr: "tar: a\\:b: Not found in archive\ntar: Exiting with failure status due to previous errors\n",
    exit: 2,
  },
  {
    name: "a pattern is a name",
    command: "tar tf plain.tar 'd/*' q",
    files: tars("plain"),
    stderr:
      "tar: Pattern matching characters used in file names\ntar: Use --wildcards to enable pattern matching, or --no-wildcards to suppress this warning\ntar: d/*: Not found in archive\ntar: q: Not found in archive\ntar: Exiting with failure status due to previous errors\n",
    exit: 2,
  },
  { name: "--wildcards", command: "tar tf plain.tar --wildcards '*/b'", files: tars("plain"), stdout: "d/e/b\n" },
  {
    name: "--wildcards behind the pattern",
    command: "tar tf plain.tar '*/b' --wildcards",
    files: tars("plain"),
    stderr: "tar: */b: Not found in archive\ntar: Exiting with failure status due to previous errors\n",
    exit: 2,
  },
  {
    name: "--no-wildcards-match-slash",
    command: "tar tf plain.tar --no-wildcards-match-slash --wildcards --no-recursion 'd/*'",
    files: tars("plain"),
    stdout: "d/a\nd/l\nd/e/\nd/h\n",
  },
  { name: "--no-recursion", command: "tar tf plain.tar --no-recursion d", files: tars("plain"), stdout: "d/\n" },
  { name: "--no-anchored", command: "tar tf plain.tar --no-anchored b e", files: tars("plain"), stdout: "d/e/\nd/e/b\n" },
  { name: "--ignore-case", command: "tar tf plain.tar --ignore-case D/E", files: tars("plain"), stdout: "d/e/\nd/e/b\n" },
  { name: "--exclude", command: "tar tf plain.tar --exclude=e", files: tars("plain"), stdout: "d/\nd/a\nd/l\nd/h\n" },
  { name: "--exclude of a path", command: "tar tf plain.tar --exclude='d/*'", files: tars("plain"), stdout: "d/\n" },
  {
    name: "--exclude with a pattern",
    command: "tar tf plain.tar --exclude '*b' --exclude l",
    files: tars("plain"),
    stdout: "d/\nd/a\nd/e/\nd/h\n",
  },
  {
    name: "--anchored --exclude",
    command: "tar tf plain.tar --anchored --exclude e",
    files: tars("plain"),
    stdout: "d/\nd/a\nd/l\nd/e/\nd/e/b\nd/h\n",
  },
  {
    name: "--no-wildcards --exclude",
    command: "tar tf plain.tar --no-wildcards --exclude '*b'",
    files: tars("plain"),
    stdout: "d/\nd/a\nd/l\nd/e/\nd/e/b\nd/h\n",
  },
  {
    name: "--strip-components leaves out what is shorter",
    command: "tar xOvf plain.tar --strip-components=2",
    files: tars("plain"),
    stdout: "bye\n",
    stderr: "d/e/b\n",
  },
  {
    name: "--strip-components changes no list",
    command: "tar tf plain.tar --strip-components=1 d/e",
    files: tars("plain"),
    stdout: "d/e/\nd/e/b\n",
  },
  { name: "flags without an effect", command: "tar -tkmpSf plain.tar d/a", files: tars("plain"), stdout: "d/a\n" },
  {
    name: "-C that is not there",
    command: "tar tf plain.tar -C nodir",
    files: tars("plain"),
    stderr: "tar: nodir: Cannot open: No such file or directory\ntar: Error is not recoverable: exiting now\n",
    exit: 2,
  },
  { name: "-C behind the names is not looked at", command: "tar tf plain.tar d/a -C nodir", files: tars("plain"), stdout: "d/a\n" },
  {
    name: "an empty name in front is all",
    command: "tar tf plain.tar '' d/a",
    files: tars("plain"),
    stdout: "d/\nd/a\nd/l\nd/e/\nd/e/b\nd/h\n",
  },
  {
    name: "a missing archive",
    command: "tar tf nope.tar",
    stderr: "tar: nope.tar: Cannot open: No such file or directory\ntar: Error is not recoverable: exiting now\n",
    exit: 2,
  },
  {
    name: "a missing archive with -z",
    command: "tar tzf nope.tgz",
    stderr:
      "tar (child): nope.tgz: Cannot open: No such file or directory\ntar (child): Error is not recoverable: exiting now\ntar: Child returned status 2\ntar: Error is not recoverable: exiting now\n",
    exit: 2,
  },
  {
    name: "a directory",
    command: "tar tf .",
    stderr: "tar: .: Cannot read: Is a directory\ntar: At beginning of tape, quitting now\ntar: Error is not recoverable: exiting now\n",
    exit: 2,
  },
  {
    name: "no archive",
    command: "yes | head -c 2000 | tar t",
    stderr:
      "tar: This does not look like a tar archive\ntar: Skipping to next header\ntar: Exiting with failure status due to previous errors\n",
    exit: 2,
  },
  {
    name: "too little for one",
    command: "echo hello | tar t",
    stderr: "tar: This does not look like a tar archive\ntar: Exiting with failure status due to previous errors\n",
    exit: 2,
  },
  {
    name: "nothing",
    command: "tar tf /dev/null",
    stderr: "tar: This does not look like a tar archive\ntar: Exiting with failure status due to previous errors\n",
    exit: 2,
  },
  {
    name: "absolute names",
    command: "tar tf absolute.tar",
    files: tars("absolute"),
    stdout: "/etc/x\n../up\na/../../b\n./ok\nhl\nsl\n..\n/\n\n",
    stderr:
      "tar: Removing leading `/' from member names\ntar: Removing leading `../' from member names\ntar: Removing leading `a/../../' from member names\ntar: Removing leading `/' from hard link targets\ntar: Removing leading `..' from member names\ntar: Substituting `.' for empty member name\n",
  },
  {
    name: "absolute names, -P",
    command: "tar tPvf absolute.tar",
    files: tars("absolute"),
    stdout:
      "-rw-r--r-- root/root         3 1970-01-01 00:00 /etc/x\n-rw-r--r-- root/root         3 1970-01-01 00:00 ../up\n-rw-r--r-- root/root         3 1970-01-01 00:00 a/../../b\n-rw-r--r-- root/root         3 1970-01-01 00:00 ./ok\nhrw-r--r-- root/root         0 1970-01-01 00:00 hl link to /etc/x\nlrw-r--r-- root/root         0 1970-01-01 00:00 sl -> /etc/passwd\n-rw-r--r-- root/root         3 1970-01-01 00:00 ..\n-rw-r--r-- root/root         3 1970-01-01 00:00 /\n-rw-r--r-- root/root         3 1970-01-01 00:00 \n",
    stderr: "tar: Substituting `.' for empty member name\n",
  },
  {
    name: "absolute names are asked for as they are",
    command: "tar tf absolute.tar /etc/x etc/x",
    files: tars("absolute"),
    stdout: "/etc/x\n",
    stderr:
      "tar: Removing leading `/' from member names\ntar: etc/x: Not found in archive\ntar: Exiting with failure status due to previous errors\n",
    exit: 2,
  },
  {
    name: "-xO of names with ..",
    command: "tar xOf absolute.tar",
    files: tars("absolute"),
    stdout: "hi\nhi\nhi\nhi\n",
    stderr:
      "tar: Removing leading `/' from member names\ntar: Removing leading `../' from member names\ntar: ../up: Member name contains '..'\ntar: Removing leading `a/../../' from member names\ntar: a/../../b: Member name contains '..'\ntar: Removing leading `/' from hard link targets\ntar: Removing leading `..' from member names\ntar: ..: Member name contains '..'\ntar: Substituting `.' for empty member name\ntar: Exiting with failure status due to previous errors\n",
    exit: 2,
  },
  { name: "-xOP of names with ..", command: "tar xOPf absolute.tar ../up", files: tars("absolute"), stdout: "hi\n" },
  {
    name: "version 7",
    command: "tar tvf v7.tar",
    files: tars("v7"),
    stdout: "-rw-r--r-- 7/8               3 1970-01-01 00:00 old\ndrwxr-xr-x 0/0               0 1970-01-01 00:00 dir/\n",
  },
  {
    name: "types",
    command: "tar tvf types.tar",
    files: tars("types"),
    stdout:
      "crw-r--r-- root/root       1,5 1970-01-01 00:00 c\nbrw-r--r-- root/root 259,70000 1970-01-01 00:00 b\nprw-r--r-- root/root         0 1970-01-01 00:00 p\nCrw-r--r-- root/root         3 1970-01-01 00:00 C\n?rw-r--r-- root/root         3 1970-01-01 00:00 Z unknown file type ‘Z’\nVrw-r--r-- root/root         0 1970-01-01 00:00 V--Volume Header--\ndrw-r--r-- root/root         3 1970-01-01 00:00 S/\n-rw-r--r-- root/root         3 1970-01-01 00:00 last\ndrw-r--r-- root/root       600 1970-01-01 00:00 data\nMrw-r--r-- root/root         3 1970-01-01 00:00 m--Continued at byte 668--\ndrw-r--r-- root/root         5 1970-01-01 00:00 D\n",
  },
  {
    name: "-xO of types",
    command: "tar xOf types.tar",
    files: tars("types"),
    stdout: "hi\nhi\nhi\n",
    stderr:
      "tar: Z: Unknown file type 'Z', extracted as normal file\ntar: m: Cannot extract -- file is continued from another volume\ntar: Exiting with failure status due to previous errors\n",
    exit: 2,
  },
  {
    name: "--warning=no-unknown-cast",
    command: "tar xOf types.tar Z --warning=no-unknown-cast",
    files: tars("types"),
    stdout: "hi\n",
    stderr: "tar: m: Cannot extract -- file is continued from another volume\ntar: Exiting with failure status due to previous errors\n",
    exit: 2,
  },
  { name: "a label is listed whatever is asked for", command: "tar tf types.tar last", files: tars("types"), stdout: "V\nlast\nm\n" },
  {
    name: "escaped names",
    command: "tar tf names.tar",
    files: tars("names"),
    stdout: "a\\nb\nt\\tb\n\\033[31mred\nback\\\\slash\nü\n\\377\\376\nq'uote\"\nsp ace\n\u202eevil\n\\177\\001\n",
  },
  {
    name: "escaped names in the locale C",
    command: "LC_ALL=C tar tf names.tar",
    files: tars("names"),
    stdout: "a\\nb\nt\\tb\n\\033[31mred\nback\\\\slash\n\\303\\274\n\\377\\376\nq'uote\"\nsp ace\n\\342\\200\\256evil\n\\177\\001\n",
  },
  {
    name: "long names",
    command: "tar tvf long.tar",
    files: tars("long"),
    stdout:
      "-rw-r--r-- root/root         3 1970-01-01 00:00 xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\nlrw-r--r-- root/root         0 1970-01-01 00:00 ln -> yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy\n",
  },
  { name: "prefixes", command: "tar tf prefix.tar", files: tars("prefix"), stdout: "some/dir/name\nname\n" },
  {
    name: "extended headers",
    command: "tar tvf pax.tar",
    files: tars("pax"),
    stdout:
      "-rw-r--r-- me/us             3 2023-11-14 22:13 päth/ünï\nlrw-r--r-- root/root         0 1970-01-01 00:00 lk -> tttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttttt\n-rw-r--r-- root/root         3 1969-12-31 23:59 before\n-rw-r--r-- root/root         5 1970-01-01 00:00 sized\n",
  },
  { name: "-xO with an extended header", command: "tar xOf pax.tar sized", files: tars("pax"), stdout: "12345" },
  {
    name: "keywords and values that are not known",
    command: "tar tf keywords.tar",
    files: tars("keywords"),
    stdout: "a\nb\nc\nd\n\n",
    stderr:
      "tar: Ignoring unknown extended header keyword 'unknown'\ntar: Ignoring unknown extended header keyword 'LIBARCHIVE.xattr'\ntar: Malformed extended header: invalid mtime=abc\ntar: Extended header size=-1 is out of range 0..9223372036854775807\ntar: Extended header uid=99999999999999 is out of range 0..4294967295\ntar: Substituting `.' for empty member name\ntar: Exiting with failure status due to previous errors\n",
    exit: 2,
  },
  {
    name: "--warning=no-unknown-keyword",
    command: "tar tf keywords.tar a --warning=no-unknown-keyword",
    files: tars("keywords"),
    stdout: "a\n",
    stderr:
      "tar: Malformed extended header: invalid mtime=abc\ntar: Extended header size=-1 is out of range 0..9223372036854775807\ntar: Extended header uid=99999999999999 is out of range 0..4294967295\ntar: Exiting with failure status due to previous errors\n",
    exit: 2,
  },
  {
    name: "a global header",
    command: "tar tvf global.tar",
    files: tars("global"),
    stdout: "-rw-r--r-- glob/root         3 2020-09-13 12:26 one\n-rw-r--r-- glob/root         3 2020-09-13 12:26 two2\n",
  },
  {
    name: "malformed extended headers",
    command: "tar tf malformed.tar",
    files: tars("malformed"),
    stdout: "x1\nx2\nx3\nx4\nx5\n",
    stderr:
      "tar: Malformed extended header: missing length\ntar: Extended header length 99 path=abcdefgh\n    is out of range\ntar: Malformed extended header: missing blank after length\ntar: Malformed extended header: missing equal sign\ntar: Malformed extended header: missing newline\ntar: Exiting with failure status due to previous errors\n",
    exit: 2,
  },
  {
    name: "a wrong checksum",
    command: "tar tf checksum.tar",
    files: tars("checksum"),
    stdout: "one\nthree\n",
    stderr: "tar: Skipping to next header\ntar: Exiting with failure status due to previous errors\n",
    exit: 2,
  },
  {
    name: "a lone block of zeros",
    command: "tar tf lone.tar",
    files: tars("lone"),
    stdout: "one\n",
    stderr: "tar: A lone zero block at 3\n",
  },
  { name: "--warning=no-alone-zero-block", command: "tar tf lone.tar --warning=no-alone-zero-block", files: tars("lone"), stdout: "one\n" },
  { name: "blocks of zeros end it", command: "tar tf zeros.tar", files: tars("zeros"), stdout: "one\n" },
  { name: "-i", command: "tar tif zeros.tar", files: tars("zeros"), stdout: "one\ntwo\n" },
  {
    name: "base 256",
    command: "tar tvf base256.tar",
    files: tars("base256"),
    stdout:
      "-rw-r--r-- root/root         3 2242-03-16 12:56 big\n-rw-r--r-- root/root         3 1969-12-31 23:55 before\n-rw-r--r-- root/root         0 9223372036854775807 never\n",
  },
  {
    name: "a forged size",
    command: "tar tf forged.tar",
    files: tars("forged"),
    stdout: "forged\n",
    stderr: "tar: rmtlseek not stopped at a record boundary\ntar: Error is not recoverable: exiting now\n",
    exit: 2,
  },
  {
    name: "a forged size in a stream",
    command: "cat forged.tar | tar tf -",
    files: tars("forged"),
    stdout: "forged\n",
    stderr: "tar: Unexpected EOF in archive\ntar: Error is not recoverable: exiting now\n",
    exit: 2,
  },
  {
    name: "-xO of a forged size",
    command: "tar xOf forged.tar | wc -c",
    files: tars("forged"),
    stdout: "2560\n",
    stderr: "tar: Unexpected EOF in archive\ntar: rmtlseek not stopped at a record boundary\ntar: Error is not recoverable: exiting now\n",
  },
  {
    name: "a negative size",
    command: "tar tf negative.tar",
    files: tars("negative"),
    stdout: "n\n",
    stderr:
      "tar: Archive value -1 is out of off_t range 0..9223372036854775807\ntar: This does not look like a tar archive\ntar: Skipping to next header\ntar: Exiting with failure status due to previous errors\n",
    exit: 2,
  },
  {
    name: "numbers that are none",
    command: "tar tvf digits.tar",
    files: tars("digits"),
    stdout:
      "-rwsrwsrwt root/root         0 1969-12-31 23:59 bad\n-rwsrwsrwt root/root         0 1970-01-01 00:00 blank\n-rw-r--r-- root/root         3 1970-01-01 00:00 n\n",
    stderr:
      "tar: Archive contains ‘abcdefg’ where numeric mode_t value expected\ntar: Archive contains ‘zz\\00000000000’ where numeric time_t value expected\ntar: Blanks in header where numeric mode_t value expected\ntar: Exiting with failure status due to previous errors\n",
    exit: 2,
  },
  {
    name: "owners without names, and long ones",
    command: "tar tvf owners.tar",
    files: tars("owners"),
    stdout:
      "-rw-r--r-- 5/6               3 1970-01-01 00:00 one\n-rw-r--r-- root/root         3 1970-01-01 00:00 n\n-rw-r--r-- averylongusername/averylonggroupname 3 1970-01-01 00:00 w\n-rw-r--r-- root/root                            3 1970-01-01 00:00 m\n",
  },
  { name: "members of one name", command: "tar xOf twice.tar a", files: tars("twice"), stdout: "1\n2\n3\n" },
  { name: "an empty archive", command: "tar tvf empty.tar", files: tars("empty") },
  { name: "an archive without an end", command: "tar tf unended.tar", files: tars("unended"), stdout: "one\n" },
  {
    name: "an archive that was cut off",
    command: "tar tf cut.tar",
    files: tars("cut"),
    stdout: "one\n",
    stderr: "tar: Unexpected EOF in archive\ntar: Error is not recoverable: exiting now\n",
    exit: 2,
  },
  {
    name: "-xO of an archive that was cut off",
    command: "tar xOf cut.tar | wc -c",
    files: tars("cut"),
    stdout: "512\n",
    stderr: "tar: Unexpected EOF in archive\ntar: Unexpected EOF in archive\ntar: Error is not recoverable: exiting now\n",
  },
  { name: "what follows the end", command: "tar tf garbage.tar", files: tars("garbage"), stdout: "one\n" },
  {
    name: "holes",
    command: "tar tvf holes.tar",
    files: tars("holes"),
    stdout:
      "-rw-r--r-- root/root      4096 1970-01-01 00:00 sp\n-rw-r--r-- root/root        10 1970-01-01 00:00 bad\n-rw-r--r-- root/root      2048 1970-01-01 00:00 real\n-rw-r--r-- root/root         9 1970-01-01 00:00 map\n-rw-r--r-- root/root         3 1970-01-01 00:00 n\n",
    stderr: "tar: bad: invalid sparse archive member\ntar: Exiting with failure status due to previous errors\n",
    exit: 2,
  },
  {
    name: "-xO of holes",
    command: "tar xOf holes.tar | od -c",
    files: tars("holes"),
    stdout:
      "0000000  \\0  \\0  \\0  \\0  \\0  \\0  \\0  \\0  \\0  \\0  \\0  \\0  \\0  \\0  \\0  \\0\n*\n0002000   A   A   A   A   A   A   A   A   A   A   A   A   A   A   A   A\n*\n0003000  \\0  \\0  \\0  \\0  \\0  \\0  \\0  \\0  \\0  \\0  \\0  \\0  \\0  \\0  \\0  \\0\n*\n0012000   a   b   c  \\0  \\0   a   b   c  \\0  \\0   d   h   i  \\n\n0012016\n",
    stderr: "tar: bad: invalid sparse archive member\ntar: Exiting with failure status due to previous errors\n",
  },
  {
    name: "-xO of a map of holes",
    command: "tar xOf holes.tar map | od -c",
    files: tars("holes"),
    stdout: "0000000  \\0  \\0   a   b   c  \\0  \\0   d\n0000010\n",
    stderr: "tar: bad: invalid sparse archive member\ntar: Exiting with failure status due to previous errors\n",
  },
];

const refused: readonly Row[] = [
  { name: "-x without -O", command: "tar xf plain.tar d/a", files: tars("plain"), refused: "DISALLOWED_FLAG", after: { d: null } },
  { name: "-c", command: "tar -czf new.tgz .", refused: "DISALLOWED_FLAG", after: { "new.tgz": null } },
  { name: "old letters with c", command: "tar czf new.tgz .", refused: "DISALLOWED_FLAG", after: { "new.tgz": null } },
  { name: "-r", command: "tar -rf plain.tar x", files: tars("plain"), refused: "DISALLOWED_FLAG" },
  { name: "--delete", command: "tar --delete -f plain.tar d", files: tars("plain"), refused: "DISALLOWED_FLAG" },
  { name: "--to-command", command: "tar xf plain.tar --to-command=cat", files: tars("plain"), refused: "DISALLOWED_FLAG" },
  { name: "-I", command: "tar -I cat -tf plain.tar", files: tars("plain"), refused: "DISALLOWED_FLAG" },
  { name: "-j", command: "tar tjf a.tbz", refused: "DISALLOWED_FLAG" },
  { name: "-J", command: "tar -tJf a.txz", refused: "DISALLOWED_FLAG" },
  { name: "another machine's file", command: "tar tf host:a.tar", refused: "DISALLOWED_FLAG" },
  { name: "no operation", command: "tar -f plain.tar", refused: "USAGE" },
  { name: "two operations", command: "tar txf plain.tar", refused: "USAGE" },
  { name: "a letter without its value", command: "tar tf", refused: "BAD_VALUE" },
  { name: "an unknown flag", command: "tar -tf plain.tar --foo", refused: "UNKNOWN_FLAG" },
  { name: "a count that is none", command: "tar xOf plain.tar --strip-components=x", refused: "BAD_VALUE" },
  { name: "a warning that is none", command: "tar tf plain.tar --warning=foo", refused: "BAD_VALUE" },
  { name: "an archive outside", command: "tar tf ../a.tar", refused: "PATH_ESCAPE" },
  { name: "an archive outside, by letters", command: "tar tvf /etc/passwd", refused: "PATH_ESCAPE" },
  {
    name: "letters from a command",
    command: "tar $(echo tf) plain.tar",
    files: tars("plain"),
    stderr: "tar: the first argument is made of letters that are flags, and these have to be typed: tar -tf FILE\n",
    exit: 64,
    differs: "data chooses no flags",
  },
  {
    name: "an archive packed by another program",
    command: "tar tf a.tbz",
    files: { "a.tbz": "BZh91AY&SY" },
    stderr: "tar: a.tbz: packed by bzip2, which is not unpacked here\ntar: Error is not recoverable: exiting now\n",
    exit: 2,
    differs: "tar starts bzip2",
  },
];

cases(tar, [...rows, ...refused]);
