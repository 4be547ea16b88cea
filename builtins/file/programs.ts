/** Executables, byte code and what belongs to them. */
import { formatTime, localTimes } from "../../src/dates/date-format.ts";
import { elf } from "./elf.ts";
import { kind, type Endian, type Kind, type Sample } from "./sample.ts";

export function programKind(sample: Sample): Kind | undefined {
  if (sample.has("\x7fELF")) return elf(sample);
  if (sample.has("\0asm")) {
    const version = sample.uint32(4, "little");
    const words = version === 1 ? "version 0x1 (MVP)" : `version 0x${version.toString(16)}`;
    return kind(`WebAssembly (wasm) binary module ${words}`, "application/wasm");
  }
  if (sample.has("\xca\xfe\xba\xbe")) return sample.uint32(4, "big") > 30 ? javaClass(sample) : universal(sample);
  const machO = MACH_O.get(sample.uint32(0, "big"));
  if (machO !== undefined) return kind(machOText(sample, machO.endian, machO.bits), "application/x-mach-binary");
  if (sample.has("MZ") && sample.size > 0x40) return portable(sample);
  if (sample.has("\r\n", 2)) return python(sample);
  if (sample.has("\x1bLua")) return kind(`Lua bytecode, version ${sample.byte(4) >> 4}.${sample.byte(4) & 15}`, "text/plain");
  if (sample.has("dex\n") && sample.byte(7) === 0) return kind(`Dalvik dex file version ${sample.text(4, 3)}`);
  if (sample.has("BC\xc0\xde")) return kind("LLVM IR bitcode", "text/plain");
  return undefined;
}

const JAVA: readonly string[] = [
  ..."Java 1.1|Java 1.2|Java 1.3|Java 1.4|Java 1.5|Java 1.6|Java 1.7|Java 1.8".split("|"),
  ...Array.from({ length: 11 }, (_, at) => `Java SE ${at + 9}`),
];

function javaClass(sample: Sample): Kind {
  const major = sample.uint16(6, "big");
  const words = JAVA[major - 45];
  return kind(
    `compiled Java class data, version ${major}.${sample.uint16(4, "big")}${words === undefined ? "" : ` (${words})`}`,
    "application/x-java-applet",
  );
}

const MACH_O: ReadonlyMap<number, { readonly endian: Endian; readonly bits: 32 | 64 }> = new Map([
  [0xfeedface, { endian: "big", bits: 32 }],
  [0xfeedfacf, { endian: "big", bits: 64 }],
  [0xcefaedfe, { endian: "little", bits: 32 }],
  [0xcffaedfe, { endian: "little", bits: 64 }],
]);

const MACHINES: ReadonlyMap<number, string> = new Map([
  [7, "i386"],
  [0x01000007, "x86_64"],
  [12, "arm"],
  [0x0100000c, "arm64"],
  [18, "ppc"],
  [0x01000012, "ppc64"],
]);

const MACH_O_TYPES: readonly string[] =
  "|object|executable|fixed virtual memory shared library|core|preload executable|dynamically linked shared library|dynamic linker|bundle|dynamically linked shared library stub|dSYM companion file|kext bundle".split(
    "|",
  );

const MACH_O_FLAGS: readonly string[] =
  "NOUNDEFS INCRLINK DYLDLINK BINDATLOAD PREBOUND SPLIT_SEGS LAZY_INIT TWOLEVEL FORCE_FLAT NOMULTIDEFS NOFIXPREBINDING PREBINDABLE ALLMODSBOUND SUBSECTIONS_VIA_SYMBOLS CANONICAL WEAK_DEFINES BINDS_TO_WEAK ALLOW_STACK_EXECUTION ROOT_SAFE SETUID_SAFE NO_REEXPORTED_DYLIBS PIE DEAD_STRIPPABLE_DYLIB HAS_TLV_DESCRIPTORS NO_HEAP_EXECUTION APP_EXTENSION_SAFE".split(
    " ",
  );

function machOText(sample: Sample, endian: Endian, bits: 32 | 64): string {
  const machine = MACHINES.get(sample.uint32(4, endian)) ?? `unknown architecture=${sample.uint32(4, endian)}`;
  const type = MACH_O_TYPES[sample.uint32(12, endian)] ?? "";
  const flags = sample.uint32(24, endian);
  const set = MACH_O_FLAGS.filter((_, bit) => (flags & (1 << bit)) !== 0);
  return `Mach-O ${bits === 64 ? "64-bit " : ""}${machine} ${type}${set.length === 0 ? "" : `, flags:<${set.join("|")}>`}`;
}

function universal(sample: Sample): Kind {
  const count = sample.uint32(4, "big");
  const machines: string[] = [];
  for (let at = 0; at < count; at++) {
    const entry = 8 + at * 20;
    const inner = sample.from(sample.uint32(entry + 8, "big"));
    const machO = MACH_O.get(inner.uint32(0, "big"));
    const name = MACHINES.get(sample.uint32(entry, "big")) ?? `cputype(${sample.uint32(entry, "big")})`;
    machines.push(`[${at === 0 ? "" : "\\012- "}${name}${machO === undefined ? "" : `:${machOText(inner, machO.endian, machO.bits)}`}]`);
  }
  const words = `Mach-O universal binary with ${count} architecture${count === 1 ? "" : "s"}: ${machines.join(" ")}`;
  return kind(words, "application/x-mach-binary");
}

const PE_MACHINES: ReadonlyMap<number, string> = new Map([
  [0x14c, "Intel 80386"],
  [0x8664, "x86-64"],
  [0xaa64, "Aarch64"],
  [0x1c0, "ARM"],
  [0x1c4, "ARMv7 Thumb"],
]);

const PE_SUBSYSTEMS: ReadonlyMap<number, string> = new Map([
  [1, "(native)"],
  [2, "(GUI)"],
  [3, "(console)"],
  [7, "(POSIX)"],
  [9, "(Windows CE)"],
  [10, "(EFI application)"],
  [11, "(EFI boot service driver)"],
  [12, "(EFI runtime driver)"],
]);

function portable(sample: Sample): Kind | undefined {
  const at = sample.uint32(0x3c, "little");
  if (!sample.has("PE\0\0", at)) return kind("MS-DOS executable", "application/x-dosexec");
  const format = sample.uint16(at + 24, "little") === 0x20b ? "PE32+" : "PE32";
  const flags = sample.uint16(at + 22, "little");
  const library = (flags & 0x2000) === 0 ? "" : " (DLL)";
  const subsystem = PE_SUBSYSTEMS.get(sample.uint16(at + 92, "little"));
  const machine = PE_MACHINES.get(sample.uint16(at + 4, "little"));
  const isNet = sample.uint32(at + 24 + (format === "PE32+" ? 224 : 208), "little") > 0;
  const words = [`${format} executable${library}`, subsystem, machine, isNet ? "Mono/.Net assembly" : undefined];
  const sections = sample.uint16(at + 6, "little");
  return kind(
    `${words.filter((word) => word !== undefined).join(" ")}, for MS Windows, ${sections} section${sections === 1 ? "" : "s"}`,
    "application/vnd.microsoft.portable-executable",
  );
}

/** The first magic number of each version of CPython from 3.7 on: what lies between belongs to the one before. */
const CPYTHON: readonly (readonly [number, string])[] = [
  [3531, "3.12 or newer"],
  [3450, "3.11"],
  [3430, "3.10"],
  [3420, "3.9"],
  [3400, "3.8"],
  [3390, "3.7"],
];

function python(sample: Sample): Kind | undefined {
  const magic = sample.uint16(0, "little");
  const version = CPYTHON.find(([from]) => magic >= from)?.[1];
  if (version === undefined || magic > 3600) return undefined;
  let how: string;
  if ((sample.byte(4) & 1) === 0) {
    const time = formatTime(localTimes("UTC")(BigInt(sample.uint32(8, "little")) * 1_000_000_000n), "%a %b %e %H:%M:%S %Y");
    how = `timestamp-based, .py timestamp: ${time} UTC, .py size: ${sample.uint32(12, "little")} bytes`;
  } else how = "hash-based, check-source flag " + ((sample.byte(4) & 2) === 0 ? "unset" : "set");
  return kind(`Byte-compiled Python module for CPython ${version}, ${how}`, "application/x-bytecode.python");
}
