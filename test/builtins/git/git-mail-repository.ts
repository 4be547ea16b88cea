/**
 * A repository whose commits are hard to make into mail: names that must be quoted or encoded, subjects that are long, of several lines or in
 * other letters, bodies that begin as mails do, notes, commits without a change, and a merge.
 */
import { execFileSync } from "node:child_process";
import { appendFileSync, chmodSync, mkdtempSync, realpathSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { ENVIRONMENT, type Made } from "./git-repositories.ts";

const WHO = [
  ["Ada Lovelace", "ada@example.org"],
  ["Zoë Ünicodà", "zoe@example.org"],
  ["Robert B. Builder", "bob@example.org"],
  ["Mr. (Quoted) \\ Name", "quoted@example.org"],
  ["Ein sehr langer Name mit vielen Wörtern, der über mehr als eine Zeile geht und nicht endet", "long@example.org"],
  [
    "A very long name of plain letters that goes on over more than a single line of a mail header",
    "very.long.address.of.somebody@a.very.long.domain.example.org",
  ],
  ["A name that is nearly as long as a line is for itself", "and.an.address.that.is.too.long@example.org"],
  ["日本語の名前がここにあります日本語の名前", "jp@example.org"],
  ["=?looks=?like", "like@example.org"],
  ["O'Neil, Pat", "pat@example.org"],
] as const;

const MESSAGES = [
  "Begin",
  "Add a line with a subject that is so long that it does not fit into one line of a mail and has to be folded twice because it does not end before that",
  "Füge eine Zeile mit einem Betreff hinzu, der lang ist und in Wörtern mit Umlauten geschrieben — über mehrere Zeilen\n\nUnd ein Text\tmit Tabulator.\n\n\tUnd noch einer.\n",
  "A subject\nof two lines\nand three\n\nFrom here on it looks like a mail.\n>From there too\n>>From\n From not\nFrom\n\nSigned-off-by: Ada <ada@example.org>",
  "ascii subject\n\nbody with ü in it\n\n\n\ntwo empty lines above  \n  indented",
  "  leading spaces   and trailing   \n\n    body indented\n",
  "=?UTF-8?q?looks_encoded?= and goes on",
  "Nothing changes here",
  "A-word-that-cannot-be-broken-because-it-has-no-spaces-in-it-at-all-although-it-is-longer-than-the-line-is and more",
  "日本語のコミットメッセージで、とても長い件名を持っているので、複数の行に折り返す必要があります。そしてまだ続きます",
  "[tag] subject with brackets: and? equals= under_score",
  "Rename and change the mode\n\n---\n\nA line of dashes above",
] as const;

export function makeMailRepository(): Made {
  const path = realpathSync(mkdtempSync(`${tmpdir()}/shelpa-git-`));
  let clock = 1_720_000_000;
  let step = 0;
  const git = (...args: string[]): void => {
    clock += 4001;
    const [name, mail] = WHO[step++ % WHO.length] ?? WHO[0];
    execFileSync("/usr/bin/git", args, {
      cwd: path,
      stdio: "ignore",
      env: {
        ...ENVIRONMENT,
        GIT_AUTHOR_NAME: name,
        GIT_AUTHOR_EMAIL: mail,
        GIT_AUTHOR_DATE: `${clock} ${["+0000", "+0545", "-0330"][step % 3]}`,
        GIT_COMMITTER_NAME: "Committer",
        GIT_COMMITTER_EMAIL: "c@example.org",
        GIT_COMMITTER_DATE: `${clock} +0000`,
      },
    });
  };
  const commit = (message: string): void => {
    git("add", "-A");
    step--;
    git("commit", "-q", "--allow-empty", "--allow-empty-message", "--cleanup=verbatim", "-m", message);
  };
  git("init", "-q", "-b", "main");
  writeFileSync(`${path}/f.txt`, Array.from({ length: 30 }, (_, line) => `line ${line}\n`).join(""));
  MESSAGES.forEach((message, index) => {
    if (!message.startsWith("Nothing")) appendFileSync(`${path}/f.txt`, `${"added ".repeat(1 + (index % 12))}\n`);
    if (index % 3 === 0) writeFileSync(`${path}/a directory with a long name/`.replace(/\/$/, `-${index}.txt`), `${index}\n`.repeat(40));
    if (index === 4) git("tag", "-a", "v1", "-m", "one");
    if (message.startsWith("Rename")) {
      renameSync(`${path}/a directory with a long name-0.txt`, `${path}/moved.txt`);
      chmodSync(`${path}/f.txt`, 0o755);
    }
    commit(message);
  });
  commit("");
  git("checkout", "-q", "-b", "side", "HEAD~3");
  writeFileSync(`${path}/side.txt`, "side\n");
  commit("On a side: ünd\n\nnot main");
  writeFileSync(`${path}/side.txt`, "side\nside\n");
  commit("Another one on the side");
  git("checkout", "-q", "main");
  git("merge", "-q", "--no-ff", "side", "-m", "Merge the side");
  writeFileSync(`${path}/last.txt`, "last\nno newline at its end");
  commit("The last\n\nbody only\n");
  git("notes", "add", "-m", "a note\nof two lines", "HEAD");
  git("checkout", "-q", "-b", "binary");
  writeFileSync(`${path}/b.bin`, "a\0b");
  commit("Binary");
  git("checkout", "-q", "main");
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}
