/** A hook's question to a server that runs for the same root. */
import { connect } from "node:net";
import { isPrivateDirectory } from "../../host/private-directory.ts";
import { socketPlace, type HookAnswer, type HookQuestion } from "./hook-socket.ts";

/** Time for the answer; past it the hook reckons for itself. */
const ANSWER_MS = 5000;
/** More than an answer has. */
const MOST_CHARACTERS = 1000;

/** True where the server runs every part of the line, false where it does not; undefined where none answers. */
export function serverRuns(root: string, question: HookQuestion): Promise<boolean | undefined> {
  const place = socketPlace(root, process.env);
  if (place === undefined || !isPrivateDirectory(place.directory)) return Promise.resolve(undefined);
  return new Promise((resolve) => {
    let heard = "";
    const socket = connect(place.path);
    socket.setTimeout(ANSWER_MS, () => socket.destroy());
    socket.setEncoding("utf8");
    socket.on("connect", () => socket.write(`${JSON.stringify(question)}\n`));
    socket.on("data", (piece: string) => {
      heard += piece;
      if (heard.length > MOST_CHARACTERS) socket.destroy();
    });
    socket.on("error", () => {});
    socket.on("close", () => resolve(allowedIn(heard)));
  });
}

/** Undefined for a text that is no answer. */
function allowedIn(text: string): boolean | undefined {
  try {
    const { allowed } = JSON.parse(text) as Partial<HookAnswer>;
    return typeof allowed === "boolean" ? allowed : undefined;
  } catch {
    return undefined;
  }
}
