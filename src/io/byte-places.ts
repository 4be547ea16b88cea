/**
 * Positions of one byte value in a block, all found at once, and the parts between them in reverse order: for reading much
 * text line by line. Vector instructions find many lines in one call, where a search per line costs a call for each.
 */
import { vectorModule } from "./vector-functions.ts";

/** Most bytes that one call searches. */
export const PLACES_BYTES = 64 * 1024;

/**
 * Positions of `byte` in `block` from `from` to `to` (at most PLACES_BYTES further on), as distances from `from`,
 * ascending. The array is valid until the next call.
 */
export function bytePlaces(block: Uint8Array, byte: number, from: number, to: number): Int32Array {
  const length = to - from;
  const whole = length < WORTH_COPYING ? 0 : length & ~15;
  if (whole > 0) INPUT.set(from === 0 && to === block.length ? block : block.subarray(from, to));
  let count = functions.places(whole, byte);
  for (let at = whole; at < length; at++) if (block[from + at] === byte) PLACES[count++] = at;
  return PLACES.subarray(0, count);
}

/**
 * Bytes of the parts that the first `count` positions of the last `bytePlaces` call cut from the text before `end`, last
 * part first; a part begins `after` bytes (0 or 1) past its position. Valid until the next call. `block` and `from` as in
 * that call.
 */
export function reversedParts(block: Uint8Array, from: number, end: number, count: number, after: 0 | 1): Uint8Array {
  // bytePlaces does not copy a text as short as this.
  if (end < WORTH_COPYING) INPUT.set(block.subarray(from, from + end));
  return REVERSED.subarray(0, functions.reversed(end, count, after));
}

/** In bytes. Below this a loop is as fast. */
const WORTH_COPYING = 256;

/** Memory: 64 KiB of input, 256 KiB of places, 64 KiB of output. */
const { memory, functions } = vectorModule(6, {
  /** Finds a byte in the first `end` bytes of the memory, a multiple of 16; returns the number of positions. */
  places: {
    parameters: 2,
    // (func (export "places") (param $end i32) (param $byte i32) (result i32)
    //   (local $at i32) (local $out i32) (local $bits i32) (local $wanted v128)
    code:
      "02037f017b" +
      //   (local.set $wanted (i8x16.splat (local.get $byte))) (local.set $out (i32.const 65536))
      "2001fd0f2105 418080042103" +
      //   (block $done (br_if $done (i32.eqz (local.get $end)))
      "0240 2000450d00" +
      //     (loop $next (local.set $bits (i8x16.bitmask (i8x16.eq (v128.load (local.get $at)) (local.get $wanted))))
      "0340 2002fd000400 2005fd23fd642104" +
      //       (block $none (br_if $none (i32.eqz (local.get $bits)))
      "0240 2004450d00" +
      //         (loop $bit (i32.store (local.get $out) (i32.add (local.get $at) (i32.ctz (local.get $bits))))
      "0340 2003 20022004686a 360200" +
      //           (local.set $out (i32.add (local.get $out) (i32.const 4)))
      "200341046a2103" +
      //           (br_if $bit (local.tee $bits (i32.and (local.get $bits) (i32.sub (local.get $bits) (i32.const 1)))))))
      "2004200441016b7122040d00 0b0b" +
      //       (br_if $next (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 16))) (local.get $end)))))
      "200241106a22022000490d00 0b0b" +
      //   (i32.shr_u (i32.sub (local.get $out) (i32.const 65536)) (i32.const 2)))
      "2003418080046b410276 0b",
  },
  /** Writes the parts of the first `end` bytes after the first `count` places; returns their length in bytes. */
  reversed: {
    parameters: 3,
    // (func (export "reversed") (param $end i32) (param $count i32) (param $after i32) (result i32)
    //   (local $out i32) (local $start i32) (local.set $out (i32.const 327680))
    code:
      "01027f 418080142103" +
      //   (block $done (br_if $done (i32.eqz (local.get $count)))
      "0240 2001450d00" +
      //     (loop $next (local.set $start (i32.add (i32.load offset=65536
      //         (i32.shl (local.tee $count (i32.sub (local.get $count) (i32.const 1))) (i32.const 2))) (local.get $after)))
      "0340 200141016b2201 410274 2802808004 20026a2104" +
      //       (memory.copy (local.get $out) (local.get $start) (i32.sub (local.get $end) (local.get $start)))
      "20032004200020046bfc0a0000" +
      //       (local.set $out (i32.add (local.get $out) (i32.sub (local.get $end) (local.get $start))))
      "2003200020046b6a2103" +
      //       (local.set $end (local.get $start)) (br_if $next (local.get $count))))
      "20042100 20010d00 0b0b" +
      //   (i32.sub (local.get $out) (i32.const 327680)))
      "2003418080146b 0b",
  },
});

/** The module's memory. Nothing in it outlives the use of a call's answer. */
const INPUT = new Uint8Array(memory, 0, PLACES_BYTES);
const PLACES = new Int32Array(memory, PLACES_BYTES, PLACES_BYTES);
const REVERSED = new Uint8Array(memory, 5 * PLACES_BYTES, PLACES_BYTES);
