/**
 * The definitions of each language there is a grammar for: one file each, and all that is found in it. Our own tool: no other
 * is asked.
 */
import { describe, expect, test } from "vitest";
import { LANGUAGES } from "../../../builtins/symbols/languages.ts";
import { symbols } from "../../../builtins/symbols/symbols.ts";
import { runOurs } from "../../cases.ts";
import { tree } from "../../tree.ts";

interface LanguageRow {
  readonly file: string;
  readonly code: string;
  /** LINE:COLUMN FIRST-LAST KIND QUALIFIED.NAME — SIGNATURE; where the whole is on one line that is said once. */
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
interface Make { new (size: number): Shop }
`,
    found: [
      "1:23 1-8 class Shop — abstract class Shop<T> extends Base",
      '2:20 2 property Shop.name — private readonly name: string = "x"',
      "3:3 3 method Shop.handler — handler = (a: number)",
      "4:3 4 method Shop.constructor — constructor(readonly size: number)",
      "4:24 4 property Shop.size — readonly size: number",
      "5:16 5 method Shop.open — static async open(): Promise<void>",
      "6:12 6 method Shop.close — abstract close(): void",
      "7:7 7 method Shop.#n — get #n()",
      "9:18 9 interface Plan — interface Plan",
      "9:25 9 property Plan.id — id: number",
      "9:37 9 method Plan.run — run(): void",
      "10:13 10 type Id — type Id = string | number",
      "11:19 11 enum Color — const enum Color",
      "11:27 11 member Color.Red — Red",
      "11:32 11 member Color.Green — Green = 2",
      "12:11 12 namespace Inner — namespace Inner",
      "12:35 12 function Inner.deep — function deep()",
      "13:18 13 function outside — function outside(a: string): void",
      "14:14 14 function add — add = (a: number, b: number): number",
      "15:5 15 variable counter — counter = 0",
      "16:25 16 function main — function main()",
      "16:60 16 function main.nested — function nested()",
      "17:7 17 constant table — table = { key() {}, other: () => 1 }",
      "17:17 17 method table.key — key()",
      "17:27 17 method table.other — other: ()",
      "18:11 18 interface Make — interface Make",
      "18:18 18 constructor Make.new — new (size: number): Shop",
    ],
  },
  {
    file: "b.tsx",
    code: `export function App({ name }: Props): JSX.Element { return <Box name={name} />; }
const Box = (props: Props) => <div>{props.name}</div>;
`,
    found: ["1:17 1 function App — function App({ name }: Props): JSX.Element", "2:7 2 function Box — Box = (props: Props)"],
  },
  {
    file: "c.js",
    code: `class Car { #id = 1; drive(km) {} go = () => 2; static x = 1; }
function* gen() {}
const f = async function () {};
exports.helper = function () {};
var old;
run(function named() {});
`,
    found: [
      "1:7 1 class Car — class Car",
      "1:13 1 property Car.#id — #id = 1",
      "1:22 1 method Car.drive — drive(km)",
      "1:35 1 method Car.go — go = ()",
      "1:56 1 property Car.x — static x = 1",
      "2:11 2 function gen — function* gen()",
      "3:7 3 function f — f = async function ()",
      "4:9 4 function helper — exports.helper = function ()",
      "5:5 5 variable old — old",
      "6:14 6 function named — function named()",
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
twice = lambda x: x * 2
`,
    found: [
      "1:1 1 variable LIMIT — LIMIT = 3",
      "2:7 2-7 class A — class A(B)",
      "3:5 3 property A.size — size: int = 1",
      "5:9 4-6 method A.name — def name(self) -> str",
      "7:15 7 method A.go — async def go(self)",
      "9:5 8-10 function top — def top(a, *, b=2)",
      "10:9 10 function top.inner — def inner()",
      "11:1 11 function twice — twice = lambda x",
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
      "2:7 2 constant Max — Max = 3",
      "3:9 3 constant A — A = iota",
      "3:19 3 constant B — B",
      "5:2 5 variable count — count int",
      "7:6 7 interface Shape — Shape interface",
      "7:24 7 method Shape.Area — Area() float64",
      "8:6 8 struct Point — Point struct",
      "8:21 8 field Point.X — X, Y int",
      "8:24 8 field Point.Y — X, Y int",
      "9:6 9 type ID — ID = string",
      "10:6 10 type List — List[T any] []T",
      "11:17 11 method Point.Move — func (p *Point) Move(dx int)",
      "12:18 12 method List.Len — func (l List[T]) Len() int",
      "13:6 13 function New — func New() *Point",
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
      "1:11 1 constant MAX — pub const MAX: usize = 3",
      "2:12 2 variable S — static mut S: u8 = 0",
      "3:12 3 struct Pair — pub struct Pair<T>",
      "3:22 3 field Pair.left — left: T",
      "3:31 3 field Pair.right — right: T",
      "4:6 4 enum Color — enum Color",
      "4:14 4 member Color.Red — Red",
      "4:19 4 member Color.Green — Green",
      "5:7 5 trait Draw — trait Draw",
      "5:19 5 type Draw.Out — type Out",
      "5:27 5 method Draw.draw — fn draw(&self) -> u8",
      "6:33 6 type Pair.Out — type Out = u8",
      "6:46 6 method Pair.draw — fn draw(&self) -> u8",
      "7:5 7 module inner — mod inner",
      "7:20 7 function inner.deep — pub fn deep()",
      "8:14 8 macro my — macro_rules! my { () => {} }",
      "9:6 9 type Alias — type Alias = Pair<u8>",
      "10:14 10 function top — pub async fn top<'a>(x: &'a str) -> u8 where u8: Copy",
      "11:7 11 union U — union U",
      "11:11 11 field U.a — a: u8",
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
      "2:26 2-9 class Shop — @Deprecated public class Shop<T> implements Runnable",
      "3:28 3 field Shop.MAX — private static final int MAX = 3",
      "4:10 4 constructor Shop.Shop — public Shop(int a)",
      "5:25 5 method Shop.run — @Override public void run()",
      "6:8 6 enum Shop.Color — enum Color",
      "6:16 6 member Shop.Color.RED — RED",
      "6:21 6 member Shop.Color.GREEN — GREEN",
      "7:13 7 interface Shop.In — interface In",
      "7:23 7 method Shop.In.x — void x()",
      "8:10 8 class Shop.Point — record Point(int x, int y)",
      "8:32 8 constructor Shop.Point.Point — Point",
      "10:12 10 interface Mark — @interface Mark",
      "10:26 10 method Mark.value — String value()",
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
      "1:11 1-4 namespace A.B — namespace A.B",
      "2:16 2 class A.B.Shop — public class Shop",
      "2:35 2 field A.B.Shop.count — private int count",
      "2:56 2 property A.B.Shop.Name — public string Name",
      "2:82 2 constructor A.B.Shop.Shop — public Shop()",
      "2:110 2 method A.B.Shop.Open — public async Task Open(int a)",
      "2:129 2 function A.B.Shop.Open.Local — void Local()",
      "2:143 2 method A.B.Shop.Shop — ~Shop()",
      "2:167 2 field A.B.Shop.Done — event Handler Done",
      "3:10 3 struct A.B.P — struct P",
      "3:25 3 interface A.B.IRun — interface IRun",
      "3:37 3 method A.B.IRun.Run — void Run()",
      "3:51 3 enum A.B.Color — enum Color",
      "3:59 3 member A.B.Color.Red — Red",
      "3:72 3 class A.B.R — record R(int X)",
      "3:96 3 type A.B.Handler — delegate void Handler(int a)",
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
      "1:15 1 type callback — typedef int (*callback)(int)",
      "2:8 2 struct node — struct node",
      "2:28 2 field node.next — struct node *next",
      "3:13 3 function find — static int *find(struct node *n)",
      "4:7 4 union u — union u",
      "4:15 4 field u.a — int a",
      "5:5 5 function main — int main(void)",
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
namespace v {
class EXPORT_API Array : public jsi::Object {
  int size() { return 1; }
};
struct EXPORT_API Last final {};
class EXPORT_API Plain {};
}
`,
    found: [
      "1:9 1 macro MAX — #define MAX 3",
      "2:9 2 macro SQ — #define SQ(x) ((x)*(x))",
      "3:11 3-6 namespace outer — namespace outer",
      "3:29 3-6 namespace outer.inner — namespace inner",
      "4:7 4 class outer.inner.Shop — class Shop : public Base",
      "4:36 4 method outer.inner.Shop.Shop — Shop()",
      "4:44 4 method outer.inner.Shop.~Shop — ~Shop()",
      "4:59 4 method outer.inner.Shop.open — int open(int a) const",
      "4:82 4 method outer.inner.Shop.size — int size()",
      "4:116 4 field outer.inner.Shop.n — int n",
      "4:125 4 field outer.inner.Shop.p — char *p",
      "5:25 5 function outer.inner.most — T most(T a, T b)",
      "7:25 7 method outer.inner.Shop.open — int outer::inner::Shop::open(int a) const",
      "8:7 8 method Shop.Shop — Shop::Shop()",
      "9:7 9 method Shop.~Shop — Shop::~Shop()",
      "10:14 10 function name — std::string &name(int x)",
      "11:8 11 function names — char **names()",
      "12:8 12 struct Point — struct Point",
      "12:20 12 field Point.x — int x, y",
      "12:23 12 field Point.y — int x, y",
      "12:31 12 method Point.operator== — bool operator==(const Point& o) const",
      "13:12 13 enum Color — enum class Color",
      "13:20 13 member Color.Red — Red",
      "14:7 14 type Id — using Id = int",
      "15:22 15 field Rec.a — int a",
      "15:27 15 type Rec — typedef struct { int a; } Rec",
      "16:5 16 variable global — int global = 1",
      '17:20 17 variable label — static const char *label = "x"',
      "18:12 18 method Shop.get — void Shop::get()",
      "19:11 19-25 namespace v — namespace v",
      "20:18 20-22 class v.Array — class EXPORT_API Array : public jsi::Object",
      "21:7 21 method v.Array.size — int size()",
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
      "1:8 1-10 module Outer — module Outer",
      "2:3 2 constant Outer.MAX — MAX = 3",
      "3:9 3-9 class Outer.Shop — class Shop < Base",
      "4:9 4 method Outer.Shop.open — def open(day) =",
      "5:14 5 method Outer.Shop.make — def self.make",
      "6:9 6-7 method Outer.Shop.ok? — def ok?",
      "8:11 8 method Outer.Shop.shut — alias shut close",
      "11:10 11-13 class A.B — class A::B",
      "12:7 12 method A.B.x — def x",
      "14:5 14-15 method top — def top(a, b = 1)",
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
      "3:7 3 constant MAX — const MAX = 3",
      "4:11 4 interface Run — interface Run",
      "4:33 4 method Run.go — public function go(): void",
      "5:7 5 trait T — trait T",
      "6:6 6 enum Suit — enum Suit: string",
      "6:26 6 member Suit.Hearts — case Hearts = 'h'",
      "7:13 7 class Shop — final class Shop extends Base",
      "7:39 7 constant Shop.A — const A = 1",
      "7:59 7 property Shop.n — private int $n = 1",
      "7:82 7 method Shop.__construct — public function __construct(private string $name)",
      "7:110 7 property Shop.name — private string $name",
      "7:142 7 method Shop.open — public static function open(int $a): bool",
      "8:10 8 function top — function top(array $x)",
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
      "2:1 2 variable LIMIT — LIMIT=3",
      "3:8 3 variable NAME — NAME=x",
      "4:1 4 function open_it — open_it()",
      "5:10 5 function shut — function shut",
      "6:7 6 alias ll — alias ll='ls -l'",
    ],
  },
  {
    file: "m.css",
    code: `:root { --main: red; }
.box, #top { color: var(--main); }
@keyframes spin { from { } }
`,
    found: [
      "1:9 1 variable --main — --main: red",
      "2:2 2 class box — .box, #top",
      "2:8 2 id top — .box, #top",
      "3:12 3 keyframes spin — @keyframes spin",
    ],
  },
  {
    file: "n.ps1",
    code: `function Get-Thing { param($x) }
class Shop { [int]$n; [void] Open() { } }
enum Color { Red }
function global:prompt { }
`,
    found: [
      "1:10 1 function Get-Thing — function Get-Thing",
      "2:7 2 class Shop — class Shop",
      "2:19 2 property Shop.$n — [int]$n",
      "2:30 2 method Shop.Open — [void] Open() { }",
      "3:6 3 enum Color — enum Color",
      "3:14 3 member Color.Red — Red",
      "4:10 4 function prompt — function global:prompt { }",
    ],
  },
  {
    file: "o.kt",
    code: `abstract class Base<T>(val id: Int, name: String) : Shape {
  constructor(a: String) : this(1, a)
  private var count = 0
  abstract fun go(x: Int): T
  override fun area() = 1.0
  companion object {
    const val X = 1
    fun make(): Base<Int>? = null
  }
  inner class Deep {
    fun f() {}
  }
  init {
    println()
  }
  val lazyOne by lazy { 1 }
  var prop: Int
    get() = 1
    set(v) {}
}
class Other {
  companion object Named {
    val y = 1
  }
}
data class Point(val x: Int, var y: Int)
enum class Color(val rgb: Int) {
  RED(1),
  GREEN(2) { override fun f() {} };
  fun f() {}
}
object Single { fun hi() {} }
sealed interface S
annotation class Ann(val a: String)
fun String.shout(): String { fun nested() {}; val local = 1; return this }
fun <T> List<T>.second(): T = this[1]
suspend fun main() { }
operator fun Point.plus(o: Point) = this
val (a, b) = Pair(1, 2)
fun \`a name with spaces\`() {}
val String.len: Int get() = length
typealias H = (Int) -> Unit
interface Shape { val size: Int; fun area(): Double }
const val MAX = 3
val top: Int = 1
`,
    found: [
      "1:16 1-20 class Base — abstract class Base<T>(val id: Int, name: String) : Shape",
      "1:28 1 property Base.id — val id: Int",
      "2:3 2 constructor Base.constructor — constructor(a: String) : this(1, a)",
      "3:15 3 property Base.count — private var count = 0",
      "4:16 4 method Base.go — abstract fun go(x: Int): T",
      "5:16 5 method Base.area — override fun area()",
      "7:15 7 property Base.X — const val X = 1",
      "8:9 8 method Base.make — fun make(): Base<Int>?",
      "10:15 10-12 class Base.Deep — inner class Deep",
      "11:9 11 method Base.Deep.f — fun f()",
      "16:7 16 property Base.lazyOne — val lazyOne by lazy { 1 }",
      "17:7 17-19 property Base.prop — var prop: Int",
      "21:7 21-25 class Other — class Other",
      "22:20 22-24 class Other.Named — companion object Named",
      "23:9 23 property Other.Named.y — val y = 1",
      "26:12 26 class Point — data class Point(val x: Int, var y: Int)",
      "26:22 26 property Point.x — val x: Int",
      "26:34 26 property Point.y — var y: Int",
      "27:12 27-31 enum Color — enum class Color(val rgb: Int)",
      "27:22 27 property Color.rgb — val rgb: Int",
      "28:3 28 member Color.RED — RED(1)",
      "29:3 29 member Color.GREEN — GREEN(2)",
      "29:27 29 method Color.GREEN.f — override fun f()",
      "30:7 30 method Color.f — fun f()",
      "32:8 32 class Single — object Single",
      "32:21 32 method Single.hi — fun hi()",
      "33:18 33 interface S — sealed interface S",
      "34:18 34 interface Ann — annotation class Ann(val a: String)",
      "34:26 34 property Ann.a — val a: String",
      "35:12 35 method String.shout — fun String.shout(): String",
      "35:34 35 function String.shout.nested — fun nested()",
      "36:17 36 method List.second — fun <T> List<T>.second(): T",
      "37:13 37 function main — suspend fun main()",
      "38:20 38 method Point.plus — operator fun Point.plus(o: Point)",
      "39:6 39 variable a — val (a, b) = Pair(1, 2)",
      "39:9 39 variable b — val (a, b) = Pair(1, 2)",
      "40:5 40 function a name with spaces — fun `a name with spaces`()",
      "41:12 41 property String.len — val String.len: Int",
      "42:11 42 type H — typealias H = (Int) -> Unit",
      "43:11 43 interface Shape — interface Shape",
      "43:23 43 property Shape.size — val size: Int",
      "43:38 43 method Shape.area — fun area(): Double",
      "44:11 44 constant MAX — const val MAX = 3",
      "45:5 45 variable top — val top: Int = 1",
    ],
  },
  {
    file: "p.swift",
    code: `typealias Id = String
let limit = 3
var other: Int = 2
protocol Shape: AnyObject { associatedtype T; var size: Int { get }; func area() -> Double; init(a: Int); static func make() -> Self }
public class Base<T>: Shape {
  private let id: Int
  static var count = 0
  var computed: Int { return 1 }
  lazy var x: Int = 1
  init(id: Int) { self.id = id }
  convenience init?() { return nil }
  deinit { }
  func go(_ x: Int) -> T {
    func nested() {}
    let local = 1
    fatalError()
  }
  override class func made() {}
  subscript(i: Int) -> Int { get { 1 } }
  struct Deep { var y = 1 }
}
struct Point { let x: Int, y: Int; mutating func move() {} ; static func + (a: Point, b: Point) -> Point { a } }
enum Color: Int { case red = 1, green; case blue; case rgb(Int, Int); func f() {} ; indirect case z(Color) }
extension String { func shout() -> String { self } ; var loud: Bool { true } }
extension Array where Element == Int { func sum() -> Int { 0 } }
actor Bank { func pay() async {} }
func top(a: Int) throws -> Int { 1 }
infix operator <+>
precedencegroup P { higherThan: A }
func <+> (a: Int, b: Int) -> Int { a }
macro foo() = #externalMacro(module: "a", type: "b")
let (p, q) = (1, 2)
func \`default\`() {}
`,
    found: [
      "2:5 2 constant limit — let limit = 3",
      "3:5 3 variable other — var other: Int = 2",
      "4:10 4 interface Shape — protocol Shape: AnyObject",
      "4:44 4 type Shape.T — associatedtype T",
      "4:51 4 property Shape.size — var size: Int { get }",
      "4:75 4 method Shape.area — func area() -> Double",
      "4:93 4 constructor Shape.init — init(a: Int)",
      "4:119 4 method Shape.make — static func make() -> Self",
      "5:14 5-21 class Base — public class Base<T>: Shape",
      "6:15 6 property Base.id — private let id: Int",
      "7:14 7 property Base.count — static var count = 0",
      "8:7 8 property Base.computed — var computed: Int",
      "9:12 9 property Base.x — lazy var x: Int = 1",
      "10:3 10 constructor Base.init — init(id: Int)",
      "11:15 11 constructor Base.init — convenience init?()",
      "12:3 12 method Base.deinit — deinit",
      "13:8 13-17 method Base.go — func go(_ x: Int) -> T",
      "14:10 14 function Base.go.nested — func nested()",
      "18:23 18 method Base.made — override class func made()",
      "19:3 19 method Base.subscript — subscript(i: Int) -> Int",
      "20:10 20 struct Base.Deep — struct Deep",
      "20:21 20 property Base.Deep.y — var y = 1",
      "22:8 22 struct Point — struct Point",
      "22:20 22 property Point.x — let x: Int, y: Int",
      "22:28 22 property Point.y — let x: Int, y: Int",
      "22:50 22 method Point.move — mutating func move()",
      "22:74 22 method Point.+ — static func + (a: Point, b: Point) -> Point",
      "23:6 23 enum Color — enum Color: Int",
      "23:24 23 member Color.red — case red = 1, green",
      "23:33 23 member Color.green — case red = 1, green",
      "23:45 23 member Color.blue — case blue",
      "23:56 23 member Color.rgb — case rgb(Int, Int)",
      "23:76 23 method Color.f — func f()",
      "23:99 23 member Color.z — indirect case z(Color)",
      "24:25 24 method String.shout — func shout() -> String",
      "24:58 24 property String.loud — var loud: Bool",
      "25:45 25 method Array.sum — func sum() -> Int",
      "26:7 26 class Bank — actor Bank",
      "26:19 26 method Bank.pay — func pay() async",
      "27:6 27 function top — func top(a: Int) throws -> Int",
      "30:6 30 function <+> — func <+> (a: Int, b: Int) -> Int",
      '31:7 31 macro foo — macro foo() = #externalMacro(module: "a", type: "b")',
      "32:6 32 variable p — let (p, q) = (1, 2)",
      "32:9 32 variable q — let (p, q) = (1, 2)",
      "33:6 33 function default — func `default`()",
    ],
  },
  {
    file: "q.lua",
    code: `local M = {}
VERSION = "1"
local a, b = 1, 2
local function helper(x)
  return x
end
function M.open(a, b) end
function M:close() local function inner() end end
function top() end
M.late = function(x) end
local f = function() end
M.field = 3
return { key = function() end, other = 1 }
`,
    found: [
      "1:7 1 variable M — local M = {}",
      '2:1 2 variable VERSION — VERSION = "1"',
      "3:7 3 variable a — local a, b = 1, 2",
      "3:10 3 variable b — local a, b = 1, 2",
      "4:16 4-6 function helper — local function helper(x)",
      "7:12 7 method M.open — function M.open(a, b)",
      "8:12 8 method M.close — function M:close()",
      "8:35 8 function M.close.inner — local function inner()",
      "9:10 9 function top — function top()",
      "10:3 10 method M.late — M.late = function(x)",
      "11:7 11 function f — f = function()",
      "13:10 13 method key — key = function()",
    ],
  },
  {
    file: "r.c",
    code: `#include <x.h>
#define MAX 3
#define SQ(x) ((x)*(x))
typedef unsigned int uint;
typedef struct { int a; } anon_t;
typedef struct node { struct node *next; int (*cb)(int); char name[3]; int x, *y; } node_t;
typedef int (*handler)(int);
struct point { int x; };
union u { int a; };
enum color { RED, GREEN = 2 };
extern int outside;
static int counter = 0;
static int n, *m;
int table[3] = {1};
static const char *names[] = { "a" };
int (*fp)(int) = 0;
int proto(int);
static int add(int a, int b) { return a; }
char *dup(const char *s) { return 0; }
char **deep(void) { return 0; }
int (*ret(int a))(int) { return 0; }
int old(a, b) int a; char *b; { return a; }
__attribute__((unused)) static void attr(void) {}
int class(int new, int template) { return new; }
#ifdef X
void guarded(void) {
}
#endif
EXPORT_API int exported(void) { return 0; }
struct point origin = { 0 };
int body_brace(void)
{
}
`,
    found: [
      "2:9 2 macro MAX — #define MAX 3",
      "3:9 3 macro SQ — #define SQ(x) ((x)*(x))",
      "4:22 4 type uint — typedef unsigned int uint",
      "5:22 5 field anon_t.a — int a",
      "5:27 5 type anon_t — typedef struct { int a; } anon_t",
      "6:16 6 struct node — struct node",
      "6:36 6 field node.next — struct node *next",
      "6:48 6 field node.cb — int (*cb)(int)",
      "6:63 6 field node.name — char name[3]",
      "6:76 6 field node.x — int x, *y",
      "6:80 6 field node.y — int x, *y",
      "6:85 6 type node_t — typedef struct node { struct node *next; int (*cb)(int); char name[3]; int x, *y; } node_t",
      "7:15 7 type handler — typedef int (*handler)(int)",
      "8:8 8 struct point — struct point",
      "8:20 8 field point.x — int x",
      "9:7 9 union u — union u",
      "9:15 9 field u.a — int a",
      "10:6 10 enum color — enum color",
      "10:14 10 member color.RED — RED",
      "10:19 10 member color.GREEN — GREEN = 2",
      "11:12 11 variable outside — extern int outside",
      "12:12 12 variable counter — static int counter = 0",
      "13:12 13 variable n — static int n, *m",
      "13:16 13 variable m — static int n, *m",
      "14:5 14 variable table — int table[3] = {1}",
      '15:20 15 variable names — static const char *names[] = { "a" }',
      "16:7 16 variable fp — int (*fp)(int) = 0",
      "18:12 18 function add — static int add(int a, int b)",
      "19:7 19 function dup — char *dup(const char *s)",
      "20:8 20 function deep — char **deep(void)",
      "21:7 21 function ret — int (*ret(int a))(int)",
      "22:5 22 function old — int old(a, b) int a; char *b",
      "23:37 23 function attr — __attribute__((unused)) static void attr(void)",
      "24:5 24 function class — int class(int new, int template)",
      "26:6 26-27 function guarded — void guarded(void)",
      "29:16 29 function exported — EXPORT_API int exported(void)",
      "30:14 30 variable origin — struct point origin = { 0 }",
      "31:5 31-33 function body_brace — int body_brace(void)",
    ],
  },
];

function asRow(json: string): string {
  const { line, column, firstLine, lastLine, kind, qualifiedName, signature } = JSON.parse(json);
  const range = firstLine === lastLine ? firstLine : `${firstLine}-${lastLine}`;
  return `${line}:${column} ${range} ${kind} ${qualifiedName} — ${signature}`;
}

describe("symbols, by language", () => {
  for (const { file, code, found } of ROWS) {
    test(file, async () => {
      const place = tree([`${file}: ${code}`]);
      try {
        const { stdout, stderr, exit } = await runOurs({ command: `symbols --json /./ ${file}` }, place.path);
        expect(stdout.split("\n").slice(0, -1).map(asRow)).toEqual(found);
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
    const kinds = new Set(LANGUAGES.flatMap(({ definitions }) => [...definitions.matchAll(/@([a-z]\w*)/g)].map(([, kind]) => kind)));
    for (const special of ["name", "owner", "scope"]) kinds.delete(special);
    const { help } = symbols.flags.kind;
    for (const kind of kinds) expect(help).toMatch(new RegExp(`\\b${kind}\\b`));
  });
});
