/** date through the guard and the engine. */
import { date } from "../../../builtins/date/date.ts";
import { cases } from "../../cases.ts";
import { messages } from "../messages.ts";

cases(date, [
  {
    name: "seconds past 2^53",
    command: "date -d @9007199254740993.25 '+%s %F %T.%N'",
    stdout: "9007199254740993 +285428751-11-12 07:36:33.250000000\n",
  },
  {
    name: "seconds before -2^53",
    command: "date -d @-9007199254740993 '+%s %F %T'",
    stdout: "-9007199254740993 -285424812-02-20 16:23:27\n",
  },
  { name: "the last second that struct tm has", command: "date -d @67768036191676799 +%F", stdout: "+2147485547-12-31\n" },
  {
    name: "the second after it",
    command: "date -d @67768036191676800",
    stderr: "date: time ‘67768036191676800’ is out of range\n",
    exit: 1,
  },
  {
    name: "seconds that no intmax_t holds",
    command: "date -d @9223372036854775808",
    stderr: "date: invalid date ‘@9223372036854775808’\n",
    exit: 1,
  },
  {
    name: "letters of the zone at hand, in their season",
    command: "date -u -d 'TZ=\"America/New_York\" 2020-7-15 EDT' +%F",
    stdout: "2020-07-15\n",
  },
  {
    name: "letters of the zone at hand, out of season",
    command: "date -d 'TZ=\"America/New_York\" 2020-2-15 EDT'",
    stderr: 'date: invalid date ‘TZ="America/New_York" 2020-2-15 EDT’\n',
    exit: 1,
  },
  { name: "--resolution as a format has it", command: "date -u --resolution '+%F %N'", stdout: "1970-01-01 000000001\n" },
  {
    name: "--uct",
    command: "date --uct -d @0 +%Z",
    stdout: "UTC\n",
  },
  {
    name: "a zone with rules",
    command: "date -d 'TZ=\"EST5EDT,M3.2.0,M11.1.0\" 2020-07-01 12:00' +%s",
    stdout: "1593619200\n",
  },
  {
    name: "TZ with rules of days and hours",
    command: 'TZ=NZST-12NZDT,M9.5.0,M4.1.0/3 date -d @1600000000 "+%F %T %z %Z"',
    stdout: "2020-09-14 00:26:40 +1200 NZST\n",
  },
  {
    name: "TZ with days of the year",
    command: "TZ='<-03>3<-02>,J60/0,299/26:30' date -d @1600000000 \"+%F %T %z %Z\"",
    stdout: "2020-09-13 10:26:40 -0200 -02\n",
  },
  {
    name: "TZ with an offset alone",
    command: 'TZ=ABC-5:30 date -d @0 "+%T %z %Z"',
    stdout: "05:30:00 +0530 ABC\n",
  },
  {
    name: "TZ in summer of the south",
    command: 'TZ=AEST-10AEDT,M10.1.0,M4.1.0/3 date -d @1610000000 "+%T %Z"',
    stdout: "17:13:20 AEDT\n",
  },
  {
    name: "a zone whose name is letters nobody else has",
    command: "TZ=Asia/Tokyo date -d @0 +%Z",
    stdout: "JST\n",
  },
  {
    name: "a zone that is called by its offset",
    command: "TZ=Asia/Dubai date -d @0 +%Z",
    stdout: "+04\n",
  },
  {
    name: "a zone before there were zones",
    command: "TZ=America/New_York date -d @-5000000000 +%Z",
    stdout: "LMT\n",
  },

  {
    name: "%x counts the years of a century before year 0 upwards",
    command: "date -d '1900-12-01 -2018 year' '+%x %D'",
    stdout: "12/01/82 12/01/18\n",
  },
  { name: "@", command: "date -d @0", stdout: "Thu Jan  1 00:00:00 UTC 1970\n" },
  { name: "relative", command: 'date -d "2020-02-28 10:00 2 days ago" "+%F %T"', stdout: "2020-02-26 10:00:00\n" },
  { name: "a zone", command: 'date -d "TZ=\\"America/New_York\\" 2020-07-01 12:00" +%H:%M', stdout: "16:00\n" },
  { name: "-R", command: 'date -R -d "2020-01-31 +1 month"', stdout: "Mon, 02 Mar 2020 00:00:00 +0000\n" },
  { name: "-f", command: "date -f - +%s", stdin: "@1\nfoo\n@2\n", stdout: "1\n2\n", stderr: "date: invalid date ‘foo’\n", exit: 1 },
  { name: "-r", command: "date -r f -Is", files: { f: "" }, mtimes: { f: "2020-01-01T00:00:00Z" }, stdout: "2020-01-01T00:00:00+00:00\n" },
  { name: "no date", command: "date -d 2020-02-30", stderr: "date: invalid date ‘2020-02-30’\n", exit: 1 },
  { name: "setting is refused", command: "date -s 10:00", refused: "DISALLOWED_FLAG" },
  { name: "so is the old way", command: "date 01010000", refused: "DISALLOWED_FLAG" },
]);

messages(date, [
  [["-I", "-R"], "date: multiple output formats specified\n"],
  [["+a", "+b"], "date: extra operand ‘+b’\nTry 'date --help' for more information.\n"],
  [
    ["-d", "@0", "-r", "x"],
    "date: the options to specify dates for printing are mutually exclusive\nTry 'date --help' for more information.\n",
  ],
]);
