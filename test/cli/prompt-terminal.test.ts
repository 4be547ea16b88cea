/** Text that stands for the bytes of a line on the prompt's terminal, however they are cut into blocks, and the colours among them. */
import { expect, test } from "vitest";
import { ShownText } from "../../src/cli/prompt-terminal.ts";

test.each([
  ["plain\ttext\r\n", "plain\ttext\r\n"],
  ["ключ 鍵 🔑 é\n", "ключ 鍵 🔑 é\n"],
  ["\u001b[31mred\u001b[0m\u0007\n", "\\u{1b}[31mred\\u{1b}[0m\\u{7}\n"],
  ["over\rwritten\n", "over\\u{d}written\n"],
  ["\u009b2J \u202e\n", "\\u{9b}2J \\u{202e}\n"],
  ["[shelpa] x [shelpa] x\n", "\\u{5b}shelpa] x [shelpa] x\n"],
  ["x[shelpa]\n[shelpa]", "x[shelpa]\n\\u{5b}shelpa]"],
  [Buffer.from([0x61, 0xff, 0xe9, 0x62, 0xf0, 0x9f]), "a\\xff\\xe9b\\xf0\\x9f"],
])("%j", (input, expected) => {
  const bytes = Buffer.from(input);
  const whole = new ShownText();
  expect(whole.next(bytes) + whole.end()).toBe(expected);
  const cut = new ShownText();
  // Where a beginning of ours is cut, what was shown of it cannot be taken back.
  if (!bytes.includes("[shelpa]")) expect([...bytes].map((byte) => cut.next(Buffer.from([byte]))).join("") + cut.end()).toBe(expected);
});

const RED = "\u001b[KEY01;31m";
const END = "\u001b[KEY0m";

test.each([
  [`${RED}x${END} y\n`, "\u001b[01;31mx\u001b[0m y\n"],
  ["\u001b[01;31mx\u001b[0m\n", "\\u{1b}[01;31mx\\u{1b}[0m\n"],
  ["\u001b[YEK01;31mx\n", "\\u{1b}[YEK01;31mx\n"],
  [`\u001b[KEY01;31\u001b[2J${END}\n`, "\\u{1b}[KEY01;31\\u{1b}[2J\u001b[0m\n"],
  [`a${RED}\u0007b`, "a\u001b[01;31m\\u{7}b\u001b[0m"],
  [`a${RED}b${END}c\u001b[KE`, "a\u001b[01;31mb\u001b[0mc\\u{1b}[KE"],
])("colours in %j", (input, expected) => {
  const bytes = Buffer.from(input);
  const whole = new ShownText("KEY");
  expect(whole.next(bytes) + whole.end()).toBe(expected);
  const cut = new ShownText("KEY");
  expect([...bytes].map((byte) => cut.next(Buffer.from([byte]))).join("") + cut.end()).toBe(expected);
});

test("a line that begins as ours is spelled out, wherever colours cut it", () => {
  const text = new ShownText("KEY");
  expect(text.next(Buffer.from(`${RED}[${END}shelpa] x\n${RED}[shelpa]${END}\n[x]\n[${RED}shelpa${END}] x\n`)) + text.end()).toBe(
    "\u001b[01;31m\\u{5b}\u001b[0mshelpa] x\n\u001b[01;31m\\u{5b}shelpa]\u001b[0m\n[x]\n\\u{5b}\u001b[01;31mshelpa\u001b[0m] x\n",
  );
});
