/** Text that stands for the bytes of a line on the prompt's terminal, however they are cut into blocks. */
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
