/** C's integer conversions and padding, as glibc's printf does them. */

export interface Shape {
  readonly left: boolean;
  readonly zero: boolean;
  readonly plus: boolean;
  readonly space: boolean;
  readonly alternate: boolean;
  readonly width: number;
  readonly precision: number | undefined;
}

/** The shape that the flag characters of a conversion specification ask for. */
export function shapeOf(flags: string, width: number, precision: number | undefined): Shape {
  return {
    left: flags.includes("-"),
    zero: flags.includes("0"),
    plus: flags.includes("+"),
    space: flags.includes(" "),
    alternate: flags.includes("#"),
    width,
    precision,
  };
}

/** Text in its field. */
export function padded(text: string, shape: Pick<Shape, "left" | "width">): string {
  return shape.left ? text.padEnd(shape.width) : text.padStart(shape.width);
}

export function formatInteger(value: bigint, conversion: "d" | "o" | "u" | "x" | "X", shape: Shape): string {
  const size = value < 0n ? -value : value;
  const radix = conversion === "o" ? 8 : conversion === "x" || conversion === "X" ? 16 : 10;
  let digits = size.toString(radix);
  if (conversion === "X") digits = digits.toUpperCase();
  if (shape.precision !== undefined) digits = shape.precision === 0 && size === 0n ? "" : digits.padStart(shape.precision, "0");
  if (conversion === "o" && shape.alternate && !digits.startsWith("0")) digits = `0${digits}`;
  let prefix = "";
  if (radix === 16 && shape.alternate && size !== 0n) prefix = `0${conversion}`;
  if (conversion === "d") prefix = signOf(value < 0n, shape);
  return inField(prefix, digits, shape.precision === undefined, shape);
}

export function signOf(negative: boolean, shape: Shape): string {
  return negative ? "-" : shape.plus ? "+" : shape.space ? " " : "";
}

/** Pads between `prefix` and `digits` with zeros where asked and allowed. */
export function inField(prefix: string, digits: string, zerosAllowed: boolean, shape: Shape): string {
  if (shape.zero && !shape.left && zerosAllowed) return prefix + digits.padStart(shape.width - prefix.length, "0");
  return padded(prefix + digits, shape);
}
