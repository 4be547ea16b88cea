/** date through the guard and the engine. */
import { date } from "../../builtins/date.ts";
import { cases } from "../cases.ts";
import { messages } from "./messages.ts";

cases(date, [
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
