/** Sound and film. */
import { zip } from "./archives.ts";
import { kind, type Kind, type Sample } from "./sample.ts";

export function mediaKind(sample: Sample): Kind | undefined {
  if (sample.has("RIFF") && sample.has("WAVE", 8)) return wave(sample);
  if (sample.has("RIFF") && sample.has("AVI ", 8)) return kind("RIFF (little-endian) data, AVI", "video/x-msvideo");
  if (sample.has("RIFF")) return kind("RIFF (little-endian) data", "application/octet-stream");
  if (sample.has("ID3")) return taggedAudio(sample);
  if (sample.byte(0) === 0xff && (sample.byte(1) & 0xfe) === 0xfa) return mpegAudio(sample);
  if (sample.has("fLaC")) return flac(sample);
  if (sample.has("OggS")) return ogg(sample);
  if (sample.has("ftyp", 4)) return isoMedia(sample);
  if (sample.has("\x1a\x45\xdf\xa3")) {
    const head = sample.text(4, 4096);
    if (head.includes("\x42\x82\x84webm")) return kind("WebM", "video/webm");
    if (head.includes("\x42\x82\x88matroska")) return kind("Matroska data", "video/x-matroska");
    return kind("EBML file");
  }
  if (sample.has("FORM") && sample.has("AIFF", 8)) return kind("IFF data, AIFF audio", "audio/x-aiff");
  if (sample.has("MThd")) {
    const division = sample.uint16(12, "big");
    const tracks = sample.uint16(10, "big");
    const shown = `${tracks} track${tracks === 1 ? "" : "s"} at 1/${division}`;
    return kind(`Standard MIDI data (format ${sample.uint16(8, "big")}) using ${shown}`, "audio/midi");
  }
  if (sample.has("FLV\x01")) return kind("Macromedia Flash Video", "video/x-flv");
  return undefined;
}

const WAVE_FORMATS: ReadonlyMap<number, string> = new Map([
  [1, ", Microsoft PCM"],
  [2, ", Microsoft ADPCM"],
  [3, ", IEEE Float"],
  [6, ", ITU G.711 A-law"],
  [7, ", ITU G.711 mu-law"],
  [0x55, ", MPEG Layer 3"],
  [0xfffe, ", WAVE_FORMAT_EXTENSIBLE"],
]);

function wave(sample: Sample): Kind {
  let description = "RIFF (little-endian) data, WAVE audio";
  if (sample.has("fmt ", 12)) {
    description += WAVE_FORMATS.get(sample.uint16(20, "little")) ?? "";
    const bits = sample.uint16(34, "little");
    if (bits > 0 && bits < 1024) description += `, ${bits} bit`;
    const channels = sample.uint16(22, "little");
    description += channels === 1 ? ", mono" : channels === 2 ? ", stereo" : `, ${channels} channels`;
    description += ` ${sample.uint32(24, "little")} Hz`;
  }
  return kind(description, "audio/x-wav");
}

/** The bits of an ID3 header's flags, in libmagic's words. */
const TAG_FLAGS: readonly (readonly [bit: number, words: string])[] = [
  [0x80, "unsynchronized frames"],
  [0x40, "extended header"],
  [0x20, "experimental"],
  [0x10, "footer present"],
];

function taggedAudio(sample: Sample): Kind {
  const signed = (at: number): string => (sample.size > at ? `.${(sample.byte(at) << 24) >> 24}` : "");
  const flags = TAG_FLAGS.filter(([bit]) => (sample.byte(5) & bit) !== 0).map(([, words]) => `, ${words}`);
  const description = `Audio file with ID3 version 2${signed(3)}${signed(4)}${flags.join("")}`;
  const size = [6, 7, 8, 9].reduce((sum, at) => (sum << 7) | (sample.byte(at) & 0x7f), 0);
  const inner = sample.from(10 + size);
  const isAudio = inner.byte(0) === 0xff && (inner.byte(1) & 0xfe) === 0xfa;
  const contained = isAudio ? mpegAudio(inner) : inner.has("PK\x03\x04") && inner.size > 30 ? zip(inner) : undefined;
  return contained === undefined ? kind(description) : kind(`${description}, contains: ${contained.description}`, contained.mime);
}

/** Kilobits per second of layer III, version 1. */
const BIT_RATES = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320];
const SAMPLE_RATES = ["44.1", "48", "32"];
const CHANNEL_MODES = ["Stereo", "JntStereo", "2x Monaural", "Monaural"];

function mpegAudio(sample: Sample): Kind | undefined {
  const rate = BIT_RATES[sample.byte(2) >> 4] ?? 0;
  const frequency = SAMPLE_RATES[(sample.byte(2) >> 2) & 3];
  if (rate === 0 || frequency === undefined) return undefined;
  const mode = CHANNEL_MODES[sample.byte(3) >> 6] as string;
  return kind(`MPEG ADTS, layer III, v1, ${rate} kbps, ${frequency} kHz, ${mode}`, "audio/mpeg");
}

function flac(sample: Sample): Kind {
  let description = "FLAC audio bitstream data";
  if ((sample.byte(4) & 0x7f) === 0) {
    const packed = sample.uint32(18, "big");
    const rate = packed >>> 12;
    const channels = ((packed >> 9) & 7) + 1;
    const bits = ((packed >> 4) & 31) + 1;
    const samples = (packed & 15) * 2 ** 32 + sample.uint32(22, "big");
    description += `, ${bits} bit, ${channels === 1 ? "mono" : channels === 2 ? "stereo" : `${channels} channels`}, ${rate / 1000} kHz`;
    if (samples > 0) description += `, ${samples} samples`;
  }
  return kind(description, "audio/flac");
}

function ogg(sample: Sample): Kind {
  const channels = (count: number): string => (count === 1 ? ", mono" : count === 2 ? ", stereo" : `, ${count} channels`);
  if (sample.has("\x01vorbis", 28))
    return kind(`Ogg data, Vorbis audio${channels(sample.byte(39))}, ${sample.uint32(40, "little")} Hz`, "audio/ogg");
  if (sample.has("OpusHead", 28)) {
    const rate = sample.uint32(40, "little");
    return kind(
      `Ogg data, Opus audio, version 0.${sample.byte(36)}${channels(sample.byte(37))}, ${rate} Hz (Input Sample Rate)`,
      "audio/ogg",
    );
  }
  if (sample.has("\x80theora", 28)) return kind("Ogg data, Theora video", "video/ogg");
  if (sample.has("\x7fFLAC", 28)) return kind("Ogg data, FLAC audio", "audio/ogg");
  return kind("Ogg data", "application/ogg");
}

const BRANDS: readonly (readonly [string, string, string])[] = [
  ["isom", "MP4 Base Media v1 [ISO 14496-12:2003]", "video/mp4"],
  ["iso2", "MP4 Base Media v2 [ISO 14496-12:2005]", "video/mp4"],
  ["iso4", "MP4 Base Media v4", "video/mp4"],
  ["iso5", "MP4 Base Media v5", "video/mp4"],
  ["iso6", "MP4 Base Media v6", "video/mp4"],
  ["mp41", "MP4 v1 [ISO 14496-1:ch13]", "video/mp4"],
  ["mp42", "MP4 v2 [ISO 14496-14]", "video/mp4"],
  ["avc1", "MP4 Base w/ AVC ext [ISO 14496-12:2005]", "video/mp4"],
  ["dash", "MPEG v4 system, Dynamic Adaptive Streaming over HTTP", "video/mp4"],
  ["M4A ", "Apple iTunes ALAC/AAC-LC (.M4A) Audio", "audio/x-m4a"],
  ["M4V ", "Apple iTunes Video (.M4V) Video", "video/x-m4v"],
  ["qt  ", "Apple QuickTime movie, Apple QuickTime (.MOV/QT)", "video/quicktime"],
  ["heic", "HEIF Image HEVC Main or Main Still Picture Profile", "image/heic"],
  ["mif1", "HEIF Image", "image/heif"],
  ["avif", "AVIF Image", "image/avif"],
  ["avis", "AVIF Image Sequence", "image/avif-sequence"],
];

function isoMedia(sample: Sample): Kind {
  const brand = BRANDS.find(([name]) => sample.has(name, 8));
  return brand === undefined ? kind("ISO Media", "application/octet-stream") : kind(`ISO Media, ${brand[1]}`, brand[2]);
}
