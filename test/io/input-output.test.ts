import { describe, expect, test } from "vitest";
import { inputFrom, inputOf } from "../../src/io/input.ts";
import { RereadInput } from "../../src/io/reread-input.ts";
import { BLOCK_BYTES, BlockBuilder } from "../../src/io/output.ts";

const bytes = (text: string): Buffer => Buffer.from(text);

/** A source that tells what happened to it. */
function source(...parts: string[]): { blocks: AsyncGenerator<Uint8Array, void>; pulled: string[]; closed: () => boolean } {
  const pulled: string[] = [];
  let closed = false;
  async function* run(): AsyncGenerator<Uint8Array, void> {
    try {
      for (const part of parts) {
        pulled.push(part);
        yield bytes(part);
      }
    } finally {
      closed = true;
    }
  }
  return { blocks: run(), pulled, closed: () => closed };
}

describe("input that is read again", () => {
  const all = async (input: AsyncIterable<Uint8Array> | undefined): Promise<string | undefined> => {
    if (input === undefined) return undefined;
    let text = "";
    for await (const block of input) text += String(block);
    return text;
  };

  test("each reader has all of it, and only what was asked for is pulled", async () => {
    const given = source("a", "b", "c");
    const input = new RereadInput(inputFrom(given.blocks), 100);
    const first = input.fromStart();
    expect(String(await first?.read())).toBe("a");
    await first?.close();
    expect([given.pulled, given.closed()]).toEqual([["a"], false]);
    expect([await all(input.fromStart()), await all(input.fromStart())]).toEqual(["abc", "abc"]);
  });

  test("a block that was on its way when its reader left is the next one's", async () => {
    let give: (block: Uint8Array) => void = () => {};
    async function* late(): AsyncGenerator<Uint8Array, void> {
      yield await new Promise<Uint8Array>((resolve) => {
        give = resolve;
      });
      yield bytes("b");
    }
    const input = new RereadInput(inputFrom(late()), 100);
    const left = input.fromStart();
    const reading = left?.read();
    await Promise.resolve();
    void left?.close();
    const next = all(input.fromStart());
    give(bytes("a"));
    await reading;
    expect(await next).toBe("ab");
  });

  test("one that has grown long is read to its end, and not again", async () => {
    const input = new RereadInput(inputOf(bytes("abc"), bytes("def"), bytes("ghi")), 5);
    expect(await all(input.fromStart())).toBe("abcdefghi");
    expect(input.fromStart()).toBeUndefined();
  });

  test("closing it closes its source", async () => {
    const given = source("a", "b");
    const input = new RereadInput(inputFrom(given.blocks), 100);
    await input.fromStart()?.read();
    await input.close();
    expect(given.closed()).toBe(true);
  });
});

describe("input", () => {
  test("gives blocks in order, no empty ones, then undefined", async () => {
    const input = inputOf(bytes("a"), bytes(""), bytes("b"));
    expect([await input.read(), await input.read(), await input.read(), await input.read()].map((block) => block && String(block))).toEqual(
      ["a", "b", undefined, undefined],
    );
  });

  test("what is put back comes first, the last put back before all", async () => {
    const input = inputOf(bytes("c"));
    input.unread(bytes("b"));
    input.unread(bytes("a"));
    input.unread(bytes(""));
    const seen: string[] = [];
    for await (const block of input) seen.push(String(block));
    expect(seen).toEqual(["a", "b", "c"]);
  });

  test("what is put back after the end is read again", async () => {
    const input = inputOf(bytes("a"));
    const block = await input.read();
    expect(await input.read()).toBeUndefined();
    input.unread(block as Uint8Array);
    expect(String(await input.read())).toBe("a");
    expect(await input.read()).toBeUndefined();
  });

  test("a loop left early stops the producer after what was pulled", async () => {
    const { blocks, pulled, closed } = source("a", "b", "c");
    for await (const block of inputFrom(blocks)) if (String(block) === "a") break;
    expect(pulled).toEqual(["a"]);
    expect(closed()).toBe(true);
  });

  test("closed: nothing comes any more, not even what was put back", async () => {
    const { blocks, pulled, closed } = source("a", "b", "c");
    const input = inputFrom(blocks);
    input.unread((await input.read()) as Uint8Array);
    await input.close();
    input.unread(bytes("z"));
    expect(await input.read()).toBeUndefined();
    expect(pulled).toEqual(["a"]);
    expect(closed()).toBe(true);
    await input.close();
  });

  test("closed while a block is on its way", async () => {
    const { blocks, closed } = source("a", "b");
    const input = inputFrom(blocks);
    const reading = input.read();
    await input.close();
    expect(await reading).toBeUndefined();
    expect(closed()).toBe(true);
  });

  test("a producer's error reaches the reader", async () => {
    const input = inputFrom(
      (async function* (): AsyncGenerator<Uint8Array, void> {
        yield bytes("a");
        throw new Error("broken");
      })(),
    );
    expect(String(await input.read())).toBe("a");
    await expect(input.read()).rejects.toThrow("broken");
    expect(await input.read()).toBeUndefined();
  });
});

describe("output", () => {
  test("keeps order over every way to add, and over its own growth", () => {
    const output = new BlockBuilder(8);
    const long = "x".repeat(100);
    output.add(bytes("ab"));
    output.addByte(10);
    output.addText("é€😀");
    output.addLatin1("\xff\x00");
    output.add(bytes(long));
    output.add(bytes("012345"), 2, 4);
    output.add(bytes(`${long}tail`), 50, 104);
    expect(output.full).toBe(true);
    expect(
      Buffer.compare(output.take(), Buffer.concat([bytes("ab\né€😀"), Buffer.of(0xff, 0), bytes(`${long}23${"x".repeat(50)}tail`)])),
    ).toBe(0);
    expect(output.empty).toBe(true);
  });

  test("nothing is added that ends before it begins: that would give out memory nobody wrote to", () => {
    const output = new BlockBuilder();
    expect(() => output.add(bytes("abc"), 2, 1)).toThrow(RangeError);
    expect(output.empty).toBe(true);
  });

  test("a taken block is the taker's: later additions do not touch it", () => {
    const output = new BlockBuilder();
    output.addText("first");
    const block = output.take();
    output.addText("second");
    expect(String(block)).toBe("first");
    expect(String(output.take())).toBe("second");
    expect(output.take().length).toBe(0);
  });

  test("what is first added may be larger than the whole room", () => {
    const output = new BlockBuilder(8);
    output.add(bytes("x".repeat(500)));
    expect(output.take().length).toBe(500);
  });

  test("blocks of little and of much follow one another", () => {
    const output = new BlockBuilder();
    const texts = ["a", "b".repeat(5000), "c", "d".repeat(BLOCK_BYTES * 2), "e"];
    for (const text of texts) {
      output.addLatin1(text);
      expect(String(output.take()) === text).toBe(true);
    }
  });

  test("is full at a block's worth, not before", () => {
    const output = new BlockBuilder();
    output.add(Buffer.alloc(BLOCK_BYTES - 1));
    expect(output.full).toBe(false);
    output.addByte(0);
    expect(output.full).toBe(true);
  });
});
