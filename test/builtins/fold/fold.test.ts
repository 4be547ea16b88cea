/** fold through the guard and the engine. */
import { fold } from "../../../builtins/fold/fold.ts";
import { cases } from "../../cases.ts";
import { messages } from "../messages.ts";

cases(fold, [
  { name: "width", command: "fold -w 4", stdin: "abcdefghij\n", stdout: "abcd\nefgh\nij\n" },
  { name: "old form", command: "fold -3", stdin: "abcd", stdout: "abc\nd" },
  { name: "-s", command: "fold -sw 6", stdin: "some words\n", stdout: "some \nwords\n" },
  { name: "a tab is 8 columns", command: "fold -w 9", stdin: "\tab\n", stdout: "\ta\nb\n" },
  { name: "bytes, not characters", command: "fold -w 2", stdin: "ééé\n", stdout: "é\né\né\n" },
  { name: "a directory", command: "fold .", stderr: "fold: .: Is a directory\n", exit: 1 },
]);

messages(fold, [
  [["-w", "0"], "fold: invalid number of columns: ‘0’: Numerical result out of range\n"],
  [["-1x"], "fold: invalid number of columns: ‘1x’\n"],
]);
