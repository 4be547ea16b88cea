/** Reads a number of a program: its end and its value. */

/** The number whose first digit, or whose point before a digit, is at `start`. */
export function numberAt(text: string, start: number): { readonly end: number; readonly value: number } {
  const end = endOfNumber(text, start);
  return { end, value: valueOf(text.slice(start, end)) };
}

/** gawk reads on over letters that a number may hold somewhere, whether they mean anything or not: `10x5` is one, and 10. */
function endOfNumber(text: string, start: number): number {
  let [hasPoint, hasExponent, isHexadecimal] = [false, false, false];
  for (let at = start; ; at++) {
    const letter = text[at] ?? "";
    if (/[0-9]/.test(letter)) continue;
    if (letter === "x" || letter === "X") {
      if (at !== start + 1) continue;
      if (!/[0-9a-fA-F]/.test(text[at + 1] ?? "")) return at;
      isHexadecimal = true;
    } else if (letter === ".") {
      if (hasPoint || hasExponent) return at;
      hasPoint = true;
    } else if (letter === "e" || letter === "E") {
      if (isHexadecimal) continue;
      const [exponent] = /^[eE][+-]?[0-9]/.exec(text.slice(at, at + 3)) ?? [];
      if (hasExponent || exponent === undefined) return at;
      hasExponent = true;
      at += exponent.length - 1;
    } else if (!isHexadecimal || !/[a-dfA-DF]/.test(letter)) return at;
  }
}

function valueOf(digits: string): number {
  const [hexadecimal] = /^0[xX][0-9a-fA-F]+/.exec(digits) ?? [];
  if (hexadecimal !== undefined) return Number(hexadecimal);
  const [octal] = /^0[0-7]+(?![0-9.eE])/.exec(digits) ?? [];
  if (octal !== undefined) return Number.parseInt(octal, 8);
  const [decimal] = /^(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?/.exec(digits) ?? ["0"];
  return Number(decimal);
}
