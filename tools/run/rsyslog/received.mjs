/** Compares the lines that a receiver of syslog has written down with those of a journal. */

/**
 * `text`: lines of structured data, a blank and the message. `expected`: the journal's lines. A line that came again, with its number, is
 * counted and is no disorder.
 */
export function checkReceived(text, expected) {
  const seen = new Map();
  let duplicates = 0;
  let isInOrder = true;
  let problem = "";
  /** Parts of the line that comes next, by number. */
  let parts = [];
  for (const row of text.split("\n").slice(0, -1)) {
    const [, data, message] = /^\[shelpa@32473 ((?:[^\]\\]|\\.)*)\] ?(.*)$/s.exec(row) ?? [];
    if (data === undefined) {
      problem = `no message of ours: ${row.slice(0, 200)}`;
      continue;
    }
    const facts = Object.fromEntries([...data.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, name, value]) => [name, value]));
    if (facts.log !== "journal") continue;
    let whole = message;
    if (facts.part !== undefined) {
      const [number, count] = facts.part.split("/").map(Number);
      if (number === 1) parts = [];
      parts.push(message);
      if (number < count) continue;
      whole = parts.join("");
    }
    const number = Number(facts.seq);
    if (seen.has(number)) {
      duplicates++;
      if (seen.get(number) !== whole) problem = `line ${number} came with another text`;
      continue;
    }
    if (number !== seen.size + 1) {
      isInOrder = false;
      problem ||= `line ${number} came after ${seen.size}`;
    }
    seen.set(number, whole);
    if (expected[number - 1] !== whole) problem ||= `line ${number} is not the journal's: ${whole.slice(0, 200)}`;
  }
  const isWhole = seen.size === expected.length && expected.every((line, index) => seen.get(index + 1) === line);
  return { lines: seen.size, duplicates, isInOrder, isWhole, problem };
}
