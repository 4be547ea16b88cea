/** jq's functions that are ours (the parser says which), but those that are part of the language to us: filter-run.ts. */
import type { One, Running } from "./filter-run.ts";
import { HandOver } from "./hand-over.ts";
import { compactJson, jsonTextOf, sumOf, wholeNumber, wholeOf } from "./json-operations.ts";
import {
  compare,
  Fields,
  itemOf,
  itemsOf,
  KIND,
  KIND_NAMES,
  kindOf,
  List,
  madeText,
  namesOf,
  Numeral,
  Text,
  textOf,
  type Value,
} from "./json-value.ts";
import type { JsonTape } from "./json-tape.ts";

/** `argument`: the filter between its parentheses. Throws HandOver where there is no such function. */
export function functionOf(tape: JsonTape, name: string, argument: One | undefined): Running {
  const kinds = OF_KINDS.get(name);
  if (kinds !== undefined) return { many: (input, emit) => (kinds.includes(kindOf(tape, input)) ? emit(input) : undefined) };
  if (argument === undefined) {
    const plain = PLAIN.get(name);
    if (plain === undefined) throw new HandOver();
    return { one: (input) => plain(tape, input) };
  }
  const withArgument = WITH_ARGUMENT.get(name);
  if (withArgument === undefined) throw new HandOver();
  return { one: (input) => withArgument(tape, input, argument) };
}

const { null: nothing, false: no, true: yes, number, string, array, object } = KIND;
const OF_KINDS: ReadonlyMap<string, readonly number[]> = new Map([
  ["values", [no, yes, number, string, array, object]],
  ["nulls", [nothing]],
  ["booleans", [no, yes]],
  ["numbers", [number]],
  ["strings", [string]],
  ["arrays", [array]],
  ["objects", [object]],
  ["iterables", [array, object]],
  ["scalars", [nothing, no, yes, number, string]],
]);

const KEY = new Text("key");
const VALUE = new Text("value");
const KINDS = KIND_NAMES.map((name) => new Text(name));

const PLAIN: ReadonlyMap<string, (tape: JsonTape, input: Value) => Value> = new Map([
  ["not", (tape, input) => kindOf(tape, input) <= no],
  ["type", (tape, input) => KINDS[kindOf(tape, input)] as Text],
  ["length", lengthOf],
  ["keys", keysOf],
  ["keys_unsorted", (tape, input) => new List(tape, namesOf(tape, input))],
  [
    "to_entries",
    (tape, input) => {
      const values = itemsOf(tape, input);
      const entries = namesOf(tape, input).map((name, at) => new Fields(tape, [KEY, VALUE], [name, values[at] as Value]));
      return new List(tape, entries);
    },
  ],
  ["tostring", (tape, input) => madeText(tape, jsonTextOf(tape, input))],
  ["tojson", (tape, input) => madeText(tape, compactJson(tape, input))],
  ["first", (tape, input) => itemOf(tape, input, 0)],
  ["last", (tape, input) => itemOf(tape, input, -1)],
  ["reverse", (tape, input) => new List(tape, arrayOf(tape, input).toReversed())],
  [
    "add",
    (tape, input) => {
      let sum: Value = null;
      for (const item of itemsOf(tape, input)) {
        // Each sum of arrays would be a copy.
        if (kindOf(tape, item) > string) throw new HandOver();
        sum = sumOf(tape, sum, item);
      }
      return sum;
    },
  ],
  ["sort", (tape, input) => new List(tape, grouped(tape, input, itself).flat())],
  ["unique", (tape, input) => firstOfEach(tape, input, itself)],
  [
    "ascii_downcase",
    (tape, input) =>
      madeText(
        tape,
        textOf(tape, input).replace(/[A-Z]+/g, (letters) => letters.toLowerCase()),
      ),
  ],
  [
    "ascii_upcase",
    (tape, input) =>
      madeText(
        tape,
        textOf(tape, input).replace(/[a-z]+/g, (letters) => letters.toUpperCase()),
      ),
  ],
] satisfies [string, (tape: JsonTape, input: Value) => Value][]);

const WITH_ARGUMENT: ReadonlyMap<string, (tape: JsonTape, input: Value, argument: One) => Value> = new Map([
  ["has", (tape, input, argument) => has(tape, input, argument(input))],
  ["sort_by", (tape, input, argument) => new List(tape, grouped(tape, input, argument).flat())],
  [
    "group_by",
    (tape, input, argument) =>
      new List(
        tape,
        grouped(tape, input, argument).map((group) => new List(tape, group)),
      ),
  ],
  ["unique_by", firstOfEach],
  ["join", (tape, input, argument) => join(tape, input, textOf(tape, argument(input)))],
  ["startswith", (tape, input, argument) => textOf(tape, input).startsWith(textOf(tape, argument(input)))],
  ["endswith", (tape, input, argument) => textOf(tape, input).endsWith(textOf(tape, argument(input)))],
  ["contains", (tape, input, argument) => textOf(tape, input).includes(textOf(tape, argument(input)))],
  [
    "test",
    (tape, input, argument) => {
      const pattern = textOf(tape, argument(input));
      // Only what means itself.
      if (!/^[A-Za-z0-9 _-]+$/.test(pattern)) throw new HandOver();
      return textOf(tape, input).includes(pattern);
    },
  ],
  ["split", (tape, input, argument) => split(tape, textOf(tape, input), textOf(tape, argument(input)))],
  [
    "ltrimstr",
    (tape, input, argument) => {
      const [text, start] = [textOf(tape, input), textOf(tape, argument(input))];
      return text.startsWith(start) ? madeText(tape, text.slice(start.length)) : input;
    },
  ],
  [
    "rtrimstr",
    (tape, input, argument) => {
      const [text, end] = [textOf(tape, input), textOf(tape, argument(input))];
      return text.endsWith(end) && end !== "" ? madeText(tape, text.slice(0, -end.length)) : input;
    },
  ],
] satisfies [string, (tape: JsonTape, input: Value, argument: One) => Value][]);

const itself: One = (input) => input;

function lengthOf(tape: JsonTape, input: Value): Value {
  switch (kindOf(tape, input)) {
    case nothing:
      return wholeNumber(0);
    case number:
      // 3.0 stays as it is written, and -3.0 loses its sign.
      return wholeOf(tape, input) < 0 ? new Numeral(compactJson(tape, input).slice(1)) : input;
    case string: {
      const text = textOf(tape, input);
      let length = 0;
      for (const _ of text) length++;
      return wholeNumber(length);
    }
    default:
      return wholeNumber(itemsOf(tape, input).length);
  }
}

function keysOf(tape: JsonTape, input: Value): Value {
  if (kindOf(tape, input) === array)
    return new List(
      tape,
      itemsOf(tape, input).map((_, at) => wholeNumber(at)),
    );
  return new List(
    tape,
    namesOf(tape, input).toSorted((left, right) => Buffer.compare(left.bytes, right.bytes)),
  );
}

function has(tape: JsonTape, input: Value, key: Value): boolean {
  if (key instanceof Numeral && kindOf(tape, input) === array) return wholeOf(tape, key) >= 0 && key.value < itemsOf(tape, input).length;
  if (!(key instanceof Text) || kindOf(tape, input) !== object) throw new HandOver();
  if (typeof input === "number") return tape.find(input, key.bytes) >= 0;
  return namesOf(tape, input).some(({ text }) => text === key.text);
}

function join(tape: JsonTape, input: Value, separator: string): Text {
  const pieces = itemsOf(tape, input).map((item) => {
    const kind = kindOf(tape, item);
    if (kind > string) throw new HandOver();
    return kind === nothing ? "" : jsonTextOf(tape, item);
  });
  return madeText(tape, pieces.join(separator));
}

function split(tape: JsonTape, text: string, separator: string): List {
  const pieces = text === "" ? [] : separator === "" ? [...text] : text.split(separator);
  return new List(
    tape,
    pieces.map((piece) => madeText(tape, piece)),
  );
}

function arrayOf(tape: JsonTape, input: Value): readonly Value[] {
  if (kindOf(tape, input) !== array) throw new HandOver();
  return itemsOf(tape, input);
}

/** The items in the order of what `by` makes of them, those together that are alike by it. */
function grouped(tape: JsonTape, input: Value, by: One): Value[][] {
  const keyed = arrayOf(tape, input).map((item) => ({ item, key: by(item) }));
  const groups: Value[][] = [];
  let last: Value | undefined;
  for (const { item, key } of keyed.sort((left, right) => compare(tape, left.key, right.key))) {
    if (last !== undefined && compare(tape, last, key) === 0) groups.at(-1)?.push(item);
    else groups.push([item]);
    last = key;
  }
  return groups;
}

function firstOfEach(tape: JsonTape, input: Value, by: One): List {
  return new List(
    tape,
    grouped(tape, input, by).map(([first]) => first as Value),
  );
}
