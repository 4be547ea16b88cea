/**
 * The definitions of each language there is a grammar for: one file each, and all that is found in it. Our own tool: no other
 * is asked.
 */
import { readFileSync } from "node:fs";
import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { LANGUAGES } from "../../builtins/symbols/languages.ts";
import { symbols } from "../../builtins/symbols.ts";
import { GRAMMARS } from "../../src/wasm/grammars.ts";
import { ownBytes } from "../../src/workspace/own-code.ts";
import { runOurs } from "../cases.ts";
import { tree } from "../tree.ts";

interface LanguageRow {
  readonly file: string;
  readonly code: string;
  /** LINE:COLUMN KIND QUALIFIED.NAME — SIGNATURE. */
  readonly found: readonly string[];
}

const ROWS: readonly LanguageRow[] = [
  {
    file: "a.ts",
    code: `export abstract class Shop<T> extends Base {
  private readonly name: string = "x";
  handler = (a: number) => a;
  constructor(readonly size: number) { super(); }
  static async open(): Promise<void> {}
  abstract close(): void;
  get #n() { return 1; }
}
export interface Plan { id: number; run(): void }
export type Id = string | number;
export const enum Color { Red, Green = 2 }
namespace Inner { export function deep() {} }
declare function outside(a: string): void;
export const add = (a: number, b: number): number => a + b;
let counter = 0;
export default function main() { const local = 1; function nested() {} }
const table = { key() {}, other: () => 1 };
`,
    found: [
      "1:23 class Shop — abstract class Shop<T> extends Base",
      '2:20 property Shop.name — private readonly name: string = "x"',
      "3:3 method Shop.handler — handler = (a: number)",
      "4:3 method Shop.constructor — constructor(readonly size: number)",
      "4:24 property Shop.size — readonly size: number",
      "5:16 method Shop.open — static async open(): Promise<void>",
      "6:12 method Shop.close — abstract close(): void",
      "7:7 method Shop.#n — get #n()",
      "9:18 interface Plan — interface Plan",
      "9:25 property Plan.id — id: number",
      "9:37 method Plan.run — run(): void",
      "10:13 type Id — type Id = string | number",
      "11:19 enum Color — const enum Color",
      "11:27 member Color.Red — Red",
      "11:32 member Color.Green — Green = 2",
      "12:11 namespace Inner — namespace Inner",
      "12:35 function Inner.deep — function deep()",
      "13:18 function outside — function outside(a: string): void",
      "14:14 function add — add = (a: number, b: number): number",
      "15:5 variable counter — counter = 0",
      "16:25 function main — function main()",
      "16:60 function main.nested — function nested()",
      "17:7 constant table — table = { key() {}, other: () => 1 }",
      "17:17 method table.key — key()",
      "17:27 method table.other — other: ()",
    ],
  },
  {
    file: "b.tsx",
    code: `export function App({ name }: Props): JSX.Element { return <Box name={name} />; }
const Box = (props: Props) => <div>{props.name}</div>;
`,
    found: ["1:17 function App — function App({ name }: Props): JSX.Element", "2:7 function Box — Box = (props: Props)"],
  },
  {
    file: "c.js",
    code: `class Car { #id = 1; drive(km) {} go = () => 2; static x = 1; }
function* gen() {}
const f = async function () {};
exports.helper = function () {};
var old;
`,
    found: [
      "1:7 class Car — class Car",
      "1:13 property Car.#id — #id = 1",
      "1:22 method Car.drive — drive(km)",
      "1:35 method Car.go — go = ()",
      "1:56 property Car.x — static x = 1",
      "2:11 function gen — function* gen()",
      "3:7 function f — f = async function ()",
      "4:9 function helper — exports.helper = function ()",
      "5:5 variable old — old",
    ],
  },
  {
    file: "d.py",
    code: `LIMIT = 3
class A(B):
    size: int = 1
    @property
    def name(self) -> str:
        return "x"
    async def go(self): pass
@decor(1)
def top(a, *, b=2):
    def inner(): pass
`,
    found: [
      "1:1 variable LIMIT — LIMIT = 3",
      "2:7 class A — class A(B)",
      "3:5 property A.size — size: int = 1",
      "5:9 method A.name — def name(self) -> str",
      "7:15 method A.go — async def go(self)",
      "9:5 function top — def top(a, *, b=2)",
      "10:9 function top.inner — def inner()",
    ],
  },
  {
    file: "e.go",
    code: `package e
const Max = 3
const ( A = iota; B )
var (
	count int
)
type Shape interface { Area() float64 }
type Point struct { X, Y int }
type ID = string
type List[T any] []T
func (p *Point) Move(dx int) {}
func (l List[T]) Len() int { return 0 }
func New() *Point { return nil }
`,
    found: [
      "2:7 constant Max — Max = 3",
      "3:9 constant A — A = iota",
      "3:19 constant B — B",
      "5:2 variable count — count int",
      "7:6 interface Shape — Shape interface",
      "7:24 method Shape.Area — Area() float64",
      "8:6 struct Point — Point struct",
      "8:21 field Point.X — X, Y int",
      "8:24 field Point.Y — X, Y int",
      "9:6 type ID — ID = string",
      "10:6 type List — List[T any] []T",
      "11:17 method Point.Move — func (p *Point) Move(dx int)",
      "12:18 method List.Len — func (l List[T]) Len() int",
      "13:6 function New — func New() *Point",
    ],
  },
  {
    file: "f.rs",
    code: `pub const MAX: usize = 3;
static mut S: u8 = 0;
pub struct Pair<T> { left: T, right: T }
enum Color { Red, Green(u8) }
trait Draw { type Out; fn draw(&self) -> u8; }
impl<T> Draw for Pair<T> { type Out = u8; fn draw(&self) -> u8 { 1 } }
mod inner { pub fn deep() {} }
macro_rules! my { () => {} }
type Alias = Pair<u8>;
pub async fn top<'a>(x: &'a str) -> u8 where u8: Copy { 0 }
union U { a: u8 }
`,
    found: [
      "1:11 constant MAX — pub const MAX: usize = 3",
      "2:12 variable S — static mut S: u8 = 0",
      "3:12 struct Pair — pub struct Pair<T>",
      "3:22 field Pair.left — left: T",
      "3:31 field Pair.right — right: T",
      "4:6 enum Color — enum Color",
      "4:14 member Color.Red — Red",
      "4:19 member Color.Green — Green",
      "5:7 trait Draw — trait Draw",
      "5:19 type Draw.Out — type Out",
      "5:27 method Draw.draw — fn draw(&self) -> u8",
      "6:33 type Pair.Out — type Out = u8",
      "6:46 method Pair.draw — fn draw(&self) -> u8",
      "7:5 module inner — mod inner",
      "7:20 function inner.deep — pub fn deep()",
      "8:14 macro my — macro_rules! my { () => {} }",
      "9:6 type Alias — type Alias = Pair<u8>",
      "10:14 function top — pub async fn top<'a>(x: &'a str) -> u8 where u8: Copy",
      "11:7 union U — union U",
      "11:11 field U.a — a: u8",
    ],
  },
  {
    file: "g.java",
    code: `package g;
@Deprecated public class Shop<T> implements Runnable {
  private static final int MAX = 3;
  public Shop(int a) {}
  @Override public void run() {}
  enum Color { RED, GREEN }
  interface In { void x(); }
  record Point(int x, int y) { Point { } }
}
@interface Mark { String value(); }
`,
    found: [
      "2:26 class Shop — @Deprecated public class Shop<T> implements Runnable",
      "3:28 field Shop.MAX — private static final int MAX = 3",
      "4:10 constructor Shop.Shop — public Shop(int a)",
      "5:25 method Shop.run — @Override public void run()",
      "6:8 enum Shop.Color — enum Color",
      "6:16 member Shop.Color.RED — RED",
      "6:21 member Shop.Color.GREEN — GREEN",
      "7:13 interface Shop.In — interface In",
      "7:23 method Shop.In.x — void x()",
      "8:10 class Shop.Point — record Point(int x, int y)",
      "8:32 constructor Shop.Point.Point — Point",
      "10:12 interface Mark — @interface Mark",
      "10:26 method Mark.value — String value()",
    ],
  },
  {
    file: "h.cs",
    code: `namespace A.B {
  public class Shop { private int count; public string Name { get; set; } public Shop() {} public async Task Open(int a) { void Local() {} } ~Shop() {} event Handler Done; }
  struct P {} interface IRun { void Run(); } enum Color { Red } record R(int X); delegate void Handler(int a);
}
`,
    found: [
      "1:11 namespace A.B — namespace A.B",
      "2:16 class A.B.Shop — public class Shop",
      "2:35 field A.B.Shop.count — private int count",
      "2:56 property A.B.Shop.Name — public string Name",
      "2:82 constructor A.B.Shop.Shop — public Shop()",
      "2:110 method A.B.Shop.Open — public async Task Open(int a)",
      "2:129 function A.B.Shop.Open.Local — void Local()",
      "2:143 method A.B.Shop.Shop — ~Shop()",
      "2:167 field A.B.Shop.Done — event Handler Done",
      "3:10 struct A.B.P — struct P",
      "3:25 interface A.B.IRun — interface IRun",
      "3:37 method A.B.IRun.Run — void Run()",
      "3:51 enum A.B.Color — enum Color",
      "3:59 member A.B.Color.Red — Red",
      "3:72 class A.B.R — record R(int X)",
      "3:96 type A.B.Handler — delegate void Handler(int a)",
    ],
  },
  {
    file: "i.c",
    code: `typedef int (*callback)(int);
struct node { struct node *next; };
static int *find(struct node *n) { return 0; }
union u { int a; };
int main(void) { return 0; }
`,
    found: [
      "1:15 type callback — typedef int (*callback)(int)",
      "2:8 struct node — struct node",
      "2:28 field node.next — struct node *next",
      "3:13 function find — static int *find(struct node *n)",
      "4:7 union u — union u",
      "4:15 field u.a — int a",
      "5:5 function main — int main(void)",
    ],
  },
  {
    file: "i.cpp",
    code: `#define MAX 3
#define SQ(x) ((x)*(x))
namespace outer { namespace inner {
class Shop : public Base { public: Shop(); ~Shop() {} int open(int a) const; int size() { return n; } private: int n; char *p; };
template <typename T> T most(T a, T b) { return a; }
} }
int outer::inner::Shop::open(int a) const { return a; }
Shop::Shop() {}
Shop::~Shop() {}
std::string &name(int x) { }
char **names() { }
struct Point { int x, y; bool operator==(const Point& o) const { return true; } };
enum class Color { Red };
using Id = int;
typedef struct { int a; } Rec;
int global = 1;
static const char *label = "x";
void Shop::get() { }
`,
    found: [
      "1:9 macro MAX — #define MAX 3",
      "2:9 macro SQ — #define SQ(x) ((x)*(x))",
      "3:11 namespace outer — namespace outer",
      "3:29 namespace outer.inner — namespace inner",
      "4:7 class outer.inner.Shop — class Shop : public Base",
      "4:36 method outer.inner.Shop.Shop — Shop()",
      "4:44 method outer.inner.Shop.~Shop — ~Shop()",
      "4:59 method outer.inner.Shop.open — int open(int a) const",
      "4:82 method outer.inner.Shop.size — int size()",
      "4:116 field outer.inner.Shop.n — int n",
      "4:125 field outer.inner.Shop.p — char *p",
      "5:25 function outer.inner.most — T most(T a, T b)",
      "7:25 method outer.inner.Shop.open — int outer::inner::Shop::open(int a) const",
      "8:7 method Shop.Shop — Shop::Shop()",
      "9:7 method Shop.~Shop — Shop::~Shop()",
      "10:14 function name — std::string &name(int x)",
      "11:8 function names — char **names()",
      "12:8 struct Point — struct Point",
      "12:20 field Point.x — int x, y",
      "12:23 field Point.y — int x, y",
      "12:31 method Point.operator== — bool operator==(const Point& o) const",
      "13:12 enum Color — enum class Color",
      "13:20 member Color.Red — Red",
      "14:7 type Id — using Id = int",
      "15:22 field Rec.a — int a",
      "15:27 type Rec — typedef struct { int a; } Rec",
      "16:5 variable global — int global = 1",
      '17:20 variable label — static const char *label = "x"',
      "18:12 method Shop.get — void Shop::get()",
    ],
  },
  {
    file: "j.rb",
    code: `module Outer
  MAX = 3
  class Shop < Base
    def open(day) = day
    def self.make; end
    def ok?
    end
    alias shut close
  end
end
class A::B
  def x; end
end
def top(a, b = 1)
end
`,
    found: [
      "1:8 module Outer — module Outer",
      "2:3 constant Outer.MAX — MAX = 3",
      "3:9 class Outer.Shop — class Shop < Base",
      "4:9 method Outer.Shop.open — def open(day) =",
      "5:14 method Outer.Shop.make — def self.make",
      "6:9 method Outer.Shop.ok? — def ok?",
      "8:11 method Outer.Shop.shut — alias shut close",
      "11:10 class A.B — class A::B",
      "12:7 method A.B.x — def x",
      "14:5 method top — def top(a, b = 1)",
    ],
  },
  {
    file: "k.php",
    code: `<?php
namespace App\\Models;
const MAX = 3;
interface Run { public function go(): void; }
trait T { }
enum Suit: string { case Hearts = 'h'; }
final class Shop extends Base { const A = 1; private int $n = 1; public function __construct(private string $name) {} public static function open(int $a): bool { return true; } }
function top(array $x) { }
`,
    found: [
      "3:7 constant MAX — const MAX = 3",
      "4:11 interface Run — interface Run",
      "4:33 method Run.go — public function go(): void",
      "5:7 trait T — trait T",
      "6:6 enum Suit — enum Suit: string",
      "6:26 member Suit.Hearts — case Hearts = 'h'",
      "7:13 class Shop — final class Shop extends Base",
      "7:39 constant Shop.A — const A = 1",
      "7:59 property Shop.n — private int $n = 1",
      "7:82 method Shop.__construct — public function __construct(private string $name)",
      "7:110 property Shop.name — private string $name",
      "7:142 method Shop.open — public static function open(int $a): bool",
      "8:10 function top — function top(array $x)",
    ],
  },
  {
    file: "l.sh",
    code: `#!/bin/bash
LIMIT=3
export NAME=x
open_it() { local y=1; echo; }
function shut { :; }
alias ll='ls -l'
`,
    found: [
      "2:1 variable LIMIT — LIMIT=3",
      "3:8 variable NAME — NAME=x",
      "4:1 function open_it — open_it()",
      "5:10 function shut — function shut",
      "6:7 alias ll — alias ll='ls -l'",
    ],
  },
  {
    file: "m.css",
    code: `:root { --main: red; }
.box, #top { color: var(--main); }
@keyframes spin { from { } }
`,
    found: [
      "1:9 variable --main — --main: red",
      "2:2 class box — .box, #top",
      "2:8 id top — .box, #top",
      "3:12 keyframes spin — @keyframes spin",
    ],
  },
  {
    file: "n.ps1",
    code: `function Get-Thing { param($x) }
class Shop { [int]$n; [void] Open() { } }
enum Color { Red }
`,
    found: [
      "1:10 function Get-Thing — function Get-Thing",
      "2:7 class Shop — class Shop",
      "2:19 property Shop.$n — [int]$n",
      "2:30 method Shop.Open — [void] Open() { }",
      "3:6 enum Color — enum Color",
      "3:14 member Color.Red — Red",
    ],
  },
];

describe("symbols, by language", () => {
  for (const { file, code, found } of ROWS) {
    test(file, async () => {
      const place = tree([`${file}: ${code}`]);
      try {
        const { stdout, stderr, exit } = await runOurs({ command: `symbols /./ ${file}` }, place.path);
        expect(stdout.split("\n").slice(0, -1)).toEqual(found.map((line) => `${file}:${line.replace(" ", ": ")}`));
        expect(stderr).toBe("");
        expect(exit).toBe(0);
      } finally {
        place.remove();
      }
    });
  }
  test("every language has a row", () => {
    const extensions = new Set(ROWS.map(({ file }) => file.slice(file.lastIndexOf(".") + 1)));
    for (const { name, extensions: own } of LANGUAGES)
      expect(
        own.some((extension) => extensions.has(extension)),
        name,
      ).toBe(true);
  });
  test("every kind in a query can be asked for", () => {
    const kinds = new Set(LANGUAGES.flatMap(({ definitions }) => [...definitions.matchAll(/@(\w+)/g)].map(([, kind]) => kind)));
    for (const special of ["name", "owner", "scope", "_command"]) kinds.delete(special);
    const { help } = symbols.flags.kind;
    for (const kind of kinds) expect(help).toMatch(new RegExp(`\\b${kind}\\b`));
  });
});

describe("grammars", () => {
  test("those in dist/ and in the package are the ones that were checked", () => {
    for (const [name, sha256] of Object.entries(GRAMMARS)) {
      const file = `tree-sitter-${name}.wasm`;
      const inPackage = readFileSync(new URL(`../../node_modules/@vscode/tree-sitter-wasm/wasm/${file}`, import.meta.url));
      for (const bytes of [ownBytes(`grammars/${file}`), inPackage]) {
        expect(createHash("sha256").update(bytes).digest("hex"), name).toBe(sha256);
      }
    }
  });
});
