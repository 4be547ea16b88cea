/** Pictures: kinds, sizes and depths from the first bytes of a file. */
import { kind, type Endian, type Kind, type Sample } from "./sample.ts";

export function imageKind(sample: Sample): Kind | undefined {
  if (sample.has("\x89PNG\r\n\x1a\n")) return png(sample);
  if (sample.has("GIF8") && /^GIF8[79]a/.test(sample.text(0, 6))) {
    const size = `${sample.uint16(6, "little")} x ${sample.uint16(8, "little")}`;
    return kind(`GIF image data, version ${sample.text(3, 3)}, ${size}`, "image/gif");
  }
  if (sample.has("\xff\xd8\xff") && sample.size > 3) return jpeg(sample);
  if (sample.has("RIFF") && sample.has("WEBP", 8)) return webp(sample);
  if (sample.has("BM") && sample.uint16(6, "little") === 0 && sample.uint16(8, "little") === 0) return bitmap(sample);
  if (sample.has("\0\0\x01\0") || sample.has("\0\0\x02\0")) return icon(sample);
  if (sample.has("II*\0")) return tiff(sample, "little");
  if (sample.has("MM\0*")) return tiff(sample, "big");
  if (sample.has("8BPS")) return photoshop(sample);
  if (sample.has("\xff\x0a")) return kind("JPEG XL codestream", "image/jxl");
  return undefined;
}

const PNG_COLORS: ReadonlyMap<number, string> = new Map([
  [0, " grayscale,"],
  [2, "/color RGB,"],
  [3, " colormap,"],
  [4, " gray+alpha,"],
  [6, "/color RGBA,"],
]);

function png(sample: Sample): Kind {
  if (!sample.has("IHDR", 12)) return kind("PNG image data", "image/png");
  const size = `${sample.uint32(16, "big")} x ${sample.uint32(20, "big")}`;
  const color = PNG_COLORS.get(sample.byte(25)) ?? "";
  const interlace = sample.byte(28) === 0 ? " non-interlaced" : " interlaced";
  return kind(`PNG image data, ${size}, ${sample.byte(24)}-bit${color}${interlace}`, "image/png");
}

/** Goes from segment to segment up to the frame's header. */
function jpeg(sample: Sample): Kind {
  let description = "JPEG image data";
  let at = 2;
  for (let segments = 0; segments < 1000 && sample.byte(at) === 0xff; segments++) {
    const marker = sample.byte(at + 1);
    const length = sample.uint16(at + 2, "big");
    if (marker === 0xe0 && sample.has("JFIF\0", at + 4)) description += jfif(sample, at, length);
    else if (marker === 0xe1 && sample.has("Exif\0", at + 4)) description += exif(sample, at + 10);
    else if (marker === 0xfe) description += `, comment: "${sample.text(at + 4, Math.max(0, length - 2)).split("\0")[0] as string}"`;
    else if (marker >= 0xc0 && marker <= 0xc2) {
      const coding = ["baseline", "extended sequential", "progressive"][marker - 0xc0] as string;
      const size = `${sample.uint16(at + 7, "big")}x${sample.uint16(at + 5, "big")}`;
      description += `, ${coding}, precision ${sample.byte(at + 4)}, ${size}, components ${sample.byte(at + 9)}`;
      break;
    } else if (marker === 0xda || marker === 0xd9) break;
    at += 2 + length;
  }
  return kind(description, "image/jpeg");
}

function jfif(sample: Sample, at: number, length: number): string {
  const version = `${sample.byte(at + 9)}.${String(sample.byte(at + 10)).padStart(2, "0")}`;
  const unit = [", aspect ratio", ", resolution (DPI)", ", resolution (DPCM)"][sample.byte(at + 11)] ?? "";
  const density = `${sample.uint16(at + 12, "big")}x${sample.uint16(at + 14, "big")}`;
  return `, JFIF standard ${version}${unit}, density ${density}, segment length ${length}`;
}

function exif(sample: Sample, at: number): string {
  const endian = sample.has("II*\0", at) ? "little" : sample.has("MM\0*", at) ? "big" : undefined;
  return endian === undefined ? ", Exif standard" : `, Exif standard: [${tiffText(sample, endian, at)}]`;
}

const tiff = (sample: Sample, endian: Endian): Kind => kind(tiffText(sample, endian, 0), "image/tiff");

function tiffText(sample: Sample, endian: Endian, at: number): string {
  const entries = sample.uint16(at + sample.uint32(at + 4, endian), endian);
  return `TIFF image data, ${endian}-endian, direntries=${entries}`;
}

const WEBP_SCALES = ["none", "5/4", "5/3", "2"];

function webp(sample: Sample): Kind {
  const description = "RIFF (little-endian) data, Web/P image";
  if (!sample.has("VP8 ", 12) || !sample.has("\x9d\x01\x2a", 23)) return kind(description, "image/webp");
  const side = (at: number): [number, string] => {
    const value = sample.uint16(at, "little");
    return [value & 0x3fff, WEBP_SCALES[value >> 14] as string];
  };
  const [width, across] = side(26);
  const [height, down] = side(28);
  const color = (sample.byte(30) & 0x80) === 0 ? ", YUV color" : ", YUV color (reserved)";
  const clamp = (sample.byte(30) & 0x40) === 0 ? ", decoders should clamp" : ", no clamping required";
  return kind(`${description}, VP8 encoding, ${width}x${height}, Scaling: [${across}]x[${down}]${color}${clamp}`, "image/webp");
}

const BITMAP_HEADERS: ReadonlyMap<number, string> = new Map([
  [40, "Windows 3.x format"],
  [108, "Windows 95/NT4 and newer format"],
  [124, "Windows 98/2000 and newer format"],
]);

function bitmap(sample: Sample): Kind | undefined {
  const format = BITMAP_HEADERS.get(sample.uint32(14, "little"));
  if (format === undefined) return undefined;
  const signed = (at: number): number => sample.uint32(at, "little") | 0;
  const parts = [`PC bitmap, ${format}, ${signed(18)} x ${signed(22)} x ${sample.uint16(28, "little")}`];
  const compression = sample.uint32(30, "little");
  if (compression > 0) parts.push(`compression ${compression}`);
  const imageBytes = sample.uint32(34, "little");
  if (imageBytes > 0) parts.push(`image size ${imageBytes}`);
  if (signed(38) > 0) parts.push(`resolution ${signed(38)} x ${signed(42)} px/m`);
  if (signed(46) > 0) parts.push(`${signed(46)} colors`);
  if (signed(50) > 0) parts.push(`${signed(50)} important colors`);
  parts.push(`cbSize ${sample.uint32(2, "little")}`, `bits offset ${sample.uint32(10, "little")}`);
  return kind(parts.join(", "), "image/bmp");
}

/** Cursors are icons with hot spots. */
function icon(sample: Sample): Kind | undefined {
  const count = sample.uint16(4, "little");
  const isCursor = sample.byte(2) === 2;
  const holdsPicture = (at: number): boolean => {
    const start = sample.uint32(at + 12, "little");
    return sample.has("\x28\0\0\0", start) || sample.has("\x89PNG", start) || sample.byte(start) === 0x28;
  };
  if (count === 0 || count > 255 || sample.byte(9) !== 0 || !holdsPicture(6)) return undefined;
  let description = `MS Windows ${isCursor ? "cursor" : "icon"} resource - ${count} icon${count === 1 ? "" : "s"}`;
  for (let at = 6, shown = 0; shown < Math.min(count, 2); at += 16, shown++) {
    description += `, ${sample.byte(at) || 256}x${sample.byte(at + 1) || 256}`;
    if (sample.has("\x89PNG", sample.uint32(at + 12, "little"))) {
      description += ` with ${png(sample.from(sample.uint32(at + 12, "little"))).description}`;
    }
    const colors = sample.byte(at + 2);
    if (colors > 0) description += `, ${colors} colors`;
    const bits = isCursor ? 0 : sample.uint16(at + 6, "little");
    if (bits > 0) description += `, ${bits} bits/pixel`;
  }
  return kind(description, isCursor ? "image/x-win-bitmap" : "image/vnd.microsoft.icon");
}

const PHOTOSHOP_MODES: ReadonlyMap<number, string> = new Map([
  [0, "bitmap"],
  [1, "grayscale"],
  [2, "indexed"],
  [3, "RGB"],
  [4, "CMYK"],
  [7, "multichannel"],
  [8, "duotone"],
  [9, "lab"],
]);

function photoshop(sample: Sample): Kind {
  const mode = PHOTOSHOP_MODES.get(sample.uint16(24, "big"));
  const size = `${sample.uint32(18, "big")} x ${sample.uint32(14, "big")}`;
  const channels = `${sample.uint16(12, "big")}x ${sample.uint16(22, "big")}-bit channel${sample.uint16(12, "big") === 1 ? "" : "s"}`;
  return kind(`Adobe Photoshop Image, ${size}${mode === undefined ? "" : `, ${mode}`}, ${channels}`, "image/vnd.adobe.photoshop");
}
