import fs from "node:fs"; import { Parser, Language, Query } from "web-tree-sitter";
await Parser.init();
const name=process.argv[2], q=process.argv[3], code="f\n";
const warm=await Language.load(`dist/grammars/tree-sitter-${name==="lua"?"css":"lua"}.wasm`); { const p=new Parser().setLanguage(warm); const t=p.parse("f\n"); new Query(warm, name==="lua"?"(class_name) @a":"(identifier) @a").matches(t.rootNode); }
globalThis.gc?.(); const m0=process.memoryUsage().rss, c0=process.cpuUsage();
const l=await Language.load(`dist/grammars/tree-sitter-${name}.wasm`); const p=new Parser().setLanguage(l); const t=p.parse(code);
const c=process.cpuUsage(c0); const c1=process.cpuUsage(); new Query(l,q).matches(t.rootNode); const d=process.cpuUsage(c1);
globalThis.gc?.();
console.log(((c.user+c.system)/1000).toFixed(0), ((d.user+d.system)/1000).toFixed(0), ((process.memoryUsage().rss-m0)/1e6).toFixed(0));
