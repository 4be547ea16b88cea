/** The icon as a PNG of 512 x 512: a black tile with a white prompt. Drawn here, so that no picture has to be kept. */
import { crc32, deflateSync } from "node:zlib";

const SIZE = 512;
/** Ends of the strokes, in sixteenths of the side, as src/mcp/tool.ts has them. */
const STROKES = [
  [3, 5, 6, 8],
  [6, 8, 3, 11],
  [8, 11, 13, 11],
];

export function icon() {
  const rows = Array.from({ length: SIZE }, (_, y) => [
    0,
    ...Array.from({ length: SIZE }, (_, x) => pixel(((x + 0.5) * 16) / SIZE, ((y + 0.5) * 16) / SIZE)).flat(),
  ]);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(SIZE, 0);
  header.writeUInt32BE(SIZE, 4);
  // Eight bits a channel; red, green, blue and alpha.
  header.set([8, 6], 8);
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(Buffer.from(rows.flat()))),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function pixel(x, y) {
  const outsideCorner = Math.hypot(Math.max(3 - x, x - 13, 0), Math.max(3 - y, y - 13, 0)) > 3;
  if (outsideCorner) return [0, 0, 0, 0];
  return STROKES.some(([x1, y1, x2, y2]) => distance(x, y, x1, y1, x2, y2) < 0.5) ? [255, 255, 255, 255] : [0, 0, 0, 255];
}

function distance(x, y, x1, y1, x2, y2) {
  const along = Math.max(0, Math.min(1, ((x - x1) * (x2 - x1) + (y - y1) * (y2 - y1)) / ((x2 - x1) ** 2 + (y2 - y1) ** 2)));
  return Math.hypot(x - x1 - along * (x2 - x1), y - y1 - along * (y2 - y1));
}

function chunk(type, data) {
  const named = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const framed = Buffer.alloc(named.length + 8);
  framed.writeUInt32BE(data.length, 0);
  named.copy(framed, 4);
  framed.writeUInt32BE(crc32(named), named.length + 4);
  return framed;
}
