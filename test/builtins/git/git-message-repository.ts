/**
 * A repository for messages and merges: tags that are signed, commits with line ends of DOS and trailers, a commit with a signature,
 * words that come, go and come again in another case, and merges of which one side changed nothing of a path.
 */
import { execFileSync } from "node:child_process";
import { Maker } from "./git-feature-repositories.ts";
import { ENVIRONMENT, type Made } from "./git-repositories.ts";

const SIGNATURE = "-----BEGIN PGP SIGNATURE-----\n\niQEzBAABCAAdFiEE\n=abcd\n-----END PGP SIGNATURE-----\n";

export function makeMessageRepository(): Made {
  const maker = new Maker();
  const stored = (type: string, text: string): string =>
    execFileSync("/usr/bin/git", ["hash-object", "-t", type, "-w", "--stdin"], { cwd: maker.path, env: ENVIRONMENT, input: text })
      .toString()
      .trim();
  const asked = (...words: string[]): string =>
    execFileSync("/usr/bin/git", words, { cwd: maker.path, env: ENVIRONMENT }).toString().trim();
  const signedTag = (name: string, message: string): void => {
    const head = asked("rev-parse", "HEAD");
    const id = stored("tag", `object ${head}\ntype commit\ntag ${name}\ntagger Ada <ada@example.org> 1710000000 +0000\n\n${message}`);
    maker.git("update-ref", `refs/tags/${name}`, id);
  };
  maker.git("init", "-q", "-b", "main");
  maker.write("code.ts", "const total = 1;\nconst other = 2;\n");
  maker.write("kept.ts", "kept\n");
  maker.commit("begin\n\nSigned-off-by: Ada <ada@example.org>\nTicket: A-1\nTicket: A-2");
  signedTag("signed", `release one\n\nthe body\nof it\n\n${SIGNATURE}`);
  signedTag("subject-only", `release two\n${SIGNATURE}`);
  signedTag("long", `a subject\nover two lines\n\nfirst\n\nsecond\n${SIGNATURE}`);
  signedTag("ssh", "by ssh\n\nbody\n-----BEGIN SSH SIGNATURE-----\nU1NI\n-----END SSH SIGNATURE-----\n");
  maker.git("tag", "-a", "plain", "-m", "plain tag\n\nwith a body\n\nTicket: P-1");
  maker.git("tag", "light");
  maker.write("code.ts", "const Total = 1;\nconst other = TOTAL + 2;\n");
  maker.git("add", "-A");
  maker.git(
    "commit",
    "-q",
    "--cleanup=verbatim",
    "-m",
    "dos ends\r\n\r\nbody\r\n\r\nSigned-off-by: Zoe <z@example.org>\r\nTicket: D-1\r\n",
  );
  signedTag("dos", "dos tag\r\n\r\nbody\r\n\r\nTicket: D-2\r\n");
  maker.git("checkout", "-q", "-b", "side");
  maker.write("side.ts", "side one\n");
  maker.commit("side: one");
  maker.write("code.ts", "const Total = 1;\nconst other = TOTAL + 2;\nconst third = total3;\n");
  maker.commit("side: code");
  maker.git("checkout", "-q", "main");
  maker.write("main.ts", "main one\n");
  maker.commit("main: one");
  maker.git("merge", "-q", "--no-ff", "-m", "merge side", "side");
  maker.git("checkout", "-q", "-b", "idle", "HEAD~1");
  maker.write("idle.ts", "idle\n");
  maker.commit("idle: nothing of code");
  maker.git("checkout", "-q", "main");
  maker.git("merge", "-q", "--no-ff", "-m", "merge idle", "idle");
  maker.git("checkout", "-q", "-b", "loud", "HEAD~1");
  maker.write("code.ts", "const Total = 1;\nconst other = TOTAL + 2;\nconst loud = total3;\n");
  maker.commit("loud: code");
  maker.git("checkout", "-q", "main");
  maker.write("code.ts", "const Total = 1;\nconst other = TOTAL + 2;\nconst ours = total3;\n");
  maker.commit("main: code");
  maker.tries("merge", "-q", "loud");
  maker.write("code.ts", "const Total = 1;\nconst other = TOTAL + 2;\nconst both = total3;\n");
  maker.commit("merge loud by hand");
  maker.git("tag", "by-hand");
  const tree = asked("rev-parse", "HEAD^{tree}");
  const parent = asked("rev-parse", "HEAD");
  const who = "Ada <ada@example.org> 1710900000 +0000";
  const folded = SIGNATURE.trimEnd().replaceAll("\n", "\n ");
  const signed = stored("commit", `tree ${tree}\nparent ${parent}\nauthor ${who}\ncommitter ${who}\ngpgsig ${folded}\n\nsigned commit\n`);
  maker.git("reset", "-q", "--hard", signed);
  maker.write("code.ts", "const Total = 1;\nconst other = TOTAL + 2;\nconst both = grand_total;\n");
  maker.commit("code: a word more");
  return maker.made();
}
