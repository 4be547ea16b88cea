import fc from "fast-check";
import { expect, test } from "vitest";
import { sequenceLength, toBytes, toText } from "../../src/io/text.ts";

/** Bytes that hit the edges of UTF-8 more often than chance does. */
const bytes = fc.oneof(
  fc.uint8Array({ maxLength: 40 }),
  fc
    .array(
      fc.constantFrom(0x00, 0x41, 0x7f, 0x80, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xed, 0xef, 0xf0, 0xf4, 0xf5, 0xff, 0x90, 0x9f, 0xa0),
      { maxLength: 12 },
    )
    .map((list) => Uint8Array.from(list)),
);

test("every byte string survives the way to text and back", () => {
  fc.assert(
    fc.property(bytes, (given) => void expect(Buffer.compare(toBytes(toText(given)), given)).toBe(0)),
    { numRuns: 5_000 },
  );
});

test("every well-formed text is itself", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => void expect(toText(toBytes(text))).toBe(text)),
    { numRuns: 2_000 },
  );
});

test("what is valid is decided as the platform's strict decoder does", () => {
  const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  fc.assert(
    fc.property(bytes, (given) => {
      let valid = true;
      try {
        strict.decode(given);
      } catch {
        valid = false;
      }
      expect(toText(given).isWellFormed()).toBe(valid);
    }),
    { numRuns: 5_000 },
  );
});

test.each([
  ["a byte order mark is kept", [0xef, 0xbb, 0xbf, 0x61], "\ufeffa"],
  ["the replacement character is itself", [0xef, 0xbf, 0xbd], "\ufffd"],
  ["a lone continuation byte", [0x61, 0x80], "a\udc80"],
  ["an overlong slash", [0xc0, 0xaf], "\udcc0\udcaf"],
  ["an encoded surrogate", [0xed, 0xa0, 0x80], "\udced\udca0\udc80"],
  ["past U+10FFFF", [0xf4, 0x90, 0x80, 0x80], "\udcf4\udc90\udc80\udc80"],
  ["a sequence cut short", [0xe2, 0x82, 0x61], "\udce2\udc82a"],
  ["four bytes", [0xf0, 0x9f, 0x98, 0x80], "😀"],
])("%s", (_, given, text) => {
  expect(toText(Uint8Array.from(given))).toBe(text);
  expect([...toBytes(text)]).toEqual(given);
});

test("a view into a larger buffer is read by itself", () => {
  expect(toText(Buffer.from("xabcx").subarray(1, 4))).toBe("abc");
});

test("sequenceLength at the end of the bytes", () => {
  expect(sequenceLength(Uint8Array.of(0xe2, 0x82), 0)).toBe(0);
  expect(sequenceLength(Uint8Array.of(), 0)).toBe(0);
});
