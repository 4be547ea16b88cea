/**
 * Kinds of text: scripts by their first line, source files by words that only one language has. In the order in which libmagic
 * tries them, its strongest patterns first; the first that fits is it.
 */
import { kind, type Kind } from "./sample.ts";

/** A kind ending in " text" or " text executable" has its encoding put in there. */
interface TextPattern {
  readonly pattern: RegExp;
  readonly is: string;
  readonly mime?: string;
  /** How much of the beginning is searched, if not all. */
  readonly within?: number;
  /** Printed as it stands, without encoding or line ends. */
  readonly alone?: true;
}

/** `beginning` are the first 8 KiB, one character per byte. */
export function textKind(beginning: string): (Kind & { readonly alone: boolean }) | undefined {
  for (const { pattern, is, mime, within, alone } of PATTERNS) {
    const found = pattern.exec(within === undefined ? beginning : beginning.slice(0, within));
    if (found !== null)
      return {
        ...kind(
          is.replace("$1", () => found[1] ?? ""),
          mime ?? "text/plain",
        ),
        alone: alone === true,
      };
  }
  return undefined;
}

const SHELL = "text/x-shellscript";
const PYTHON = "text/x-script.python";
const JAVASCRIPT = "application/javascript";
const C = "text/x-c";
const CPP = "text/x-c++";

const PATTERNS: readonly TextPattern[] = [
  { pattern: /^<svg/, is: "SVG Scalable Vector Graphics image", mime: "image/svg+xml", alone: true },
  {
    pattern: /^<\?xml version=["' \t]*[0-9.]+["' \t]*[^]{0,4096}?<svg/,
    is: "SVG Scalable Vector Graphics image",
    mime: "image/svg+xml",
    alone: true,
  },
  { pattern: /^#!\s*\/(?:usr\/(?:local\/)?)?bin\/(?:env )?perl/, is: "Perl script text executable", mime: "text/x-perl", alone: true },
  { pattern: /^#! *(?:\/usr(?:\/local)?)?\/bin\/tcsh/, is: "Tenex C shell script text executable", mime: SHELL },
  {
    pattern: /^#! *(?:\/usr(?:\/local)?)?\/bin\/bash|^#! *\/usr\/bin\/env bash/,
    is: "Bourne-Again shell script text executable",
    mime: SHELL,
  },
  { pattern: /^#! *\/usr\/(?:local\/)?bin\/fish|^#! *\/usr\/bin\/env fish/, is: "fish shell script text executable", mime: SHELL },
  { pattern: /^#!(?:\/usr)?\/bin\/node|^#!\/usr\/bin\/env node/, is: "Node.js script executable", mime: JAVASCRIPT },
  {
    pattern: /^#! *(?:\/usr(?:\/local)?)?\/bin\/zsh|^#! *\/usr\/bin\/env zsh/,
    is: "Paul Falstad's zsh script text executable",
    mime: SHELL,
  },
  { pattern: /^<\?xml version ?[="' ]+(.{1,3}?)["'][^]*?/, is: "XML $1 document text", mime: "text/xml" },
  { pattern: /^\s*<!doctype html/i, is: "HTML document text", mime: "text/html" },
  { pattern: /^#! *\/bin\/csh/, is: "C shell script text executable", mime: SHELL },
  { pattern: /^#! *(?:\/usr(?:\/local)?)?\/bin\/ksh/, is: "Korn shell script text executable", mime: SHELL },
  { pattern: /^#! *\/bin\/sh/, is: "POSIX shell script text executable", mime: SHELL },
  {
    pattern: /^#! *(?:\/usr(?:\/local)?)?\/bin\/gawk|^#! *\/usr\/bin\/env gawk/,
    is: "GNU awk script text executable",
    mime: "text/x-gawk",
  },
  { pattern: /^#! *(?:\/usr(?:\/local)?)?\/bin\/awk|^#! *\/usr\/bin\/env awk/, is: "awk script text executable", mime: "text/x-awk" },
  { pattern: /^#! *(?:\/usr(?:\/local)?)?\/bin\/php|^#! *\/usr\/local\/bin\/php/, is: "PHP script text executable", mime: "text/x-php" },
  { pattern: /^#! *\/usr\/(?:local\/)?bin\/python|^#! *\/usr\/bin\/env python/, is: "Python script text executable", mime: PYTHON },
  { pattern: /^#! *\/usr\/(?:local\/)?bin\/ruby|^#! *\/usr\/bin\/env ruby/, is: "Ruby script text executable", mime: "text/x-ruby" },
  { pattern: /^#! *\/usr\/(?:local\/)?bin\/lua|^#! *\/usr\/bin\/env lua/, is: "Lua script text executable", mime: "text/x-lua" },
  {
    pattern: /^#! *\/usr\/(?:local\/)?bin\/(?:tclsh|wish)|^#! *\/usr\/bin\/env (?:tclsh|wish)/,
    is: "Tcl/Tk script text executable",
    mime: "text/x-tcl",
  },
  { pattern: /^--- .*\n\+\+\+ .*\n@@ /, is: "unified diff output text", mime: "text/x-diff" },
  { pattern: /^#! *\/usr\/bin\/env +(.*)/, is: "a $1 script text executable" },
  { pattern: /^#![ \t]*(.*)/, is: "a $1 script text executable" },
  { pattern: /^[ \t]*['"]use strict['"]/m, is: "JavaScript source", mime: JAVASCRIPT },
  { pattern: /^module\.exports[ \t]*=/m, is: "JavaScript source", mime: JAVASCRIPT },
  { pattern: /^(?:const|var|let)[ \t]+\S.{0,200}?=[ \t]*require\(['"]/m, is: "JavaScript source", mime: JAVASCRIPT },
  { pattern: /^import[ \t]+\S.{0,200}?[ \t]from[ \t]+['"]/m, is: "JavaScript source", mime: JAVASCRIPT },
  {
    pattern: /^export[ \t]+(?:default[ \t]+)?(?:async[ \t]+)?(?:(?:function|class|const|let|var)\b|\*)/m,
    is: "JavaScript source",
    mime: JAVASCRIPT,
  },
  {
    pattern: /^(?:Relay-Version:|#! rnews|N#! rnews|Forward to|Pipe to|Return-Path:|From:|Xref:)/,
    is: "news or mail text",
    mime: "message/rfc822",
  },
  { pattern: /^Received:/, is: "RFC 822 mail text", mime: "message/rfc822" },
  {
    pattern: /^[ \t]*class[ \t]+\w[\w:]*[^\n;]*\n(?:[^\n]*\n){0,400}?[ \t]*def[ \t]+\w[^:\n]*$/m,
    is: "Ruby script text",
    mime: "text/x-ruby",
  },
  {
    pattern: /^[ \t]*module[ \t][A-Z]\w*(?:::[A-Z]\w*)*[ \t]*\n(?:[^\n]*\n){0,400}?[ \t]*def[ \t]+\w[^:\n]*$/m,
    is: "Ruby script text",
    mime: "text/x-ruby",
  },
  { pattern: /^package[ \t]+[0-9A-Za-z_:]+[ \t]*;(?=[^]*?^(?:use|sub|our|my|1;))/m, is: "Perl5 module source text" },
  { pattern: /^template[ \t]*<[^>\n]*>[ \t]*$/m, is: "C++ source text", mime: CPP },
  { pattern: /^using[ \t]+(?:namespace )?std(?:::)?\w*[ \t]*;/m, is: "C++ source text", mime: CPP },
  { pattern: /^namespace[ \t]+[_a-zA-Z]{1,20}[ \t]*\{/m, is: "C++ source text", mime: CPP },
  { pattern: /^<\?php/i, is: "PHP script text", mime: "text/x-php" },
  { pattern: /^[ \t]*virtual[ \t]+.*[};][ \t]*$/m, is: "C++ source text", mime: CPP },
  { pattern: /^from[ \t]+[\w.]+[ \t]+import\b/m, is: "Python script text executable", mime: PYTHON },
  { pattern: /^[ \t]*(?:private|protected):/m, is: "C++ source text", mime: CPP },
  { pattern: /^[ \t]*class[ \t]+\w[\w:]*[ \t]*\{(?=[^]*\}(?:;)?$)/m, is: "C++ source text", mime: CPP },
  { pattern: /^[ \t]*public:/m, is: "C++ source text", mime: CPP },
  { pattern: /^"""/, is: "Python script text executable" },
  { pattern: /^#import[ \t]+["<]/m, is: "Objective-C source text", mime: "text/x-objective-c" },
  { pattern: /def __init__.{0,64}?self/, is: "Python script text executable", mime: PYTHON },
  { pattern: /\\documentclass/, is: "LaTeX 2e document text", mime: "text/x-tex" },
  { pattern: /\\(?:documentstyle|begin\{|section|chapter|contentsline|setlength|relax)/, is: "LaTeX document text", mime: "text/x-tex" },
  { pattern: /^\\input/, is: "TeX document text", mime: "text/x-tex" },
  { pattern: /if __name__.{0,64}?["']__main__["']/, is: "Python script text executable", mime: PYTHON },
  { pattern: /^[ \t]{0,50}def {1,50}[_a-zA-Z]{1,100}\([a-zA-Z*_, ]{0,255}\):$/m, is: "Python script text executable", mime: PYTHON },
  { pattern: /^class [_a-zA-Z]+(?:\([^\n]*\))? *:(?:[ \t]+pass)?$/m, is: "Python script text executable", mime: PYTHON },
  { pattern: /try:(?=[^]*?^[ \t]*except[^\n]*:$)/m, is: "Python script text executable", mime: PYTHON },
  { pattern: /try:(?=[^]*?finally:)/, is: "Python script text executable", mime: PYTHON },
  { pattern: /<(?:head|title|html|script|style|table)[ >]|<a href=/i, is: "HTML document text", mime: "text/html", within: 4096 },
  { pattern: /^(?:dnl |AC_INIT)/m, is: "M4 macro processor script text", mime: "text/x-m4" },
  { pattern: /^import [_a-zA-Z]+ as [a-zA-Z]\s*$/m, is: "Python script text executable", mime: PYTHON },
  { pattern: /^(?:diff -|\*\*\* .*\n--- )/m, is: "diff output text", mime: "text/x-diff" },
  { pattern: /^Index: .*\n=/, is: "RCS/CVS diff output text", mime: "text/x-diff" },
  {
    pattern: /^(?:[A-Z_][A-Z0-9_]*[ \t]*:?=[^\n]*\n|\.PHONY:|(?:all|clean|install|default|test):)(?=[^]*?^\t)/m,
    is: "makefile script text",
    mime: "text/x-makefile",
  },
  { pattern: /^\.PHONY/m, is: "makefile script text", mime: "text/x-makefile" },
  { pattern: /^\(ns [\w.-]+/m, is: "Clojure module source text", mime: "text/x-clojure" },
  { pattern: /^\((?:defun|defvar|defparam|autoload|setq|if |custom-set)\b|^;;/m, is: "Lisp/Scheme program text", mime: "text/x-lisp" },
  { pattern: /^#include/m, is: "C source text", mime: C },
  { pattern: /^#[ \t]*pragma/m, is: "C source text", mime: C },
  { pattern: /^#[ \t]*ifn?def(?=[^]*?^#[ \t]*endif$)/m, is: "C source text", mime: C },
  { pattern: /^[ \t]*extern[ \t]+/m, is: "C source text", mime: C },
  { pattern: /^struct[ \t]+/m, is: "C source text", mime: C },
  { pattern: /^union[ \t]+/m, is: "C source text", mime: C },
  { pattern: /^[ \t]*(?:char|double|float)(?: \*|\*).+;[ \t]*$/m, is: "C source text", mime: C },
  { pattern: /main\(.{0,64}?String/, is: "Java source text", mime: "text/x-java" },
  { pattern: /main\([^]*?\)\s*\{/, is: "C source text", mime: C },
  { pattern: /^import[ \t]+java/m, is: "Java source text", mime: "text/x-java" },
  { pattern: /^@echo off/i, is: "DOS batch file text", mime: "text/x-msdos-batch" },
  { pattern: /^[.']\\"|^\.(?:TH|SH|Dd|ds|nr)\b/, is: "troff or preprocessor input text", mime: "text/troff" },
  { pattern: /^1\r?\n\d{2}:\d{2}:\d{2},\d{3} --> /, is: "SubRip", mime: "application/x-subrip" },
  { pattern: /^#EXTM3U/, is: "M3U playlist text" },
  { pattern: /^=(?:head1|pod|cut|begin)\b/, is: "Perl POD document text" },
  { pattern: /^[ \t]*(?:\.globl|\.text|\.file|\.section|\.asciz|\.byte)\b/m, is: "assembler source text", mime: "text/x-asm" },
  { pattern: /^@(?:article|book|inproceedings|manual|misc|online|techreport)\{/im, is: "BibTeX text file text" },
  { pattern: /^C[ \t]/m, is: "FORTRAN program text", mime: "text/x-fortran" },
  { pattern: /<!(?:doctype|--)/i, is: "exported SGML document text", within: 4096 },
  { pattern: /^# Magic\b/, is: "magic text file for file(1) cmd" },
  { pattern: /^<\?/, is: "PHP script text", mime: "text/x-php" },
];
