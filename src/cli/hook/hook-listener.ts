/**
 * The server's side of a hook's socket: it says whether every part of a line would run here, as a dry run in the executor says it. Who can enter the
 * user's own directory can ask, and nothing but that.
 */
import { connect, createServer, type Server, type Socket } from "node:net";
import { madePrivateDirectory, removeSocket } from "../../host/private-directory.ts";
import type { ShellService } from "../../mcp/shell-service.ts";
import type { HookAnswer, HookQuestion, SocketPlace } from "./hook-socket.ts";

const MOST_CONNECTIONS = 8;
/** Longest question, in characters: more than a command line can have. */
const MOST_CHARACTERS = 4 << 20;
/** Time for a question to arrive whole, so that halves of some keep no place from others for long. */
const QUESTION_MS = 1_000;
/** Time for it to be answered. */
const ANSWER_MS = 10_000;

export interface HookListener {
  close(): void;
}

/** Listens for the hooks of a root at its place; undefined where that cannot be, or another server of the user's does. */
export async function listenForHooks(service: ShellService, place: SocketPlace): Promise<HookListener | undefined> {
  if (!madePrivateDirectory(place.directory)) return undefined;
  const session = service.openSession();
  const server = createServer((socket) => answer(socket, service, session));
  server.maxConnections = MOST_CONNECTIONS;
  if (!(await listens(server, place.path))) {
    // A socket that nobody listens at is of a server that was killed.
    if (await isAnswered(place.path)) return undefined;
    removeSocket(place.path);
    if (!(await listens(server, place.path))) return undefined;
  }
  server.unref();
  return {
    close: () => {
      server.close();
      service.closeSession(session);
    },
  };
}

function listens(server: Server, path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const failed = (): void => resolve(false);
    server.once("error", failed);
    server.listen(path, () => {
      server.off("error", failed);
      // Later errors are of single connections.
      server.on("error", () => {});
      resolve(true);
    });
  });
}

function isAnswered(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path, () => {
      socket.destroy();
      resolve(true);
    });
    socket.on("error", () => resolve(false));
  });
}

function answer(socket: Socket, service: ShellService, session: ReturnType<ShellService["openSession"]>): void {
  const gone = new AbortController();
  let heard = "";
  let isAsked = false;
  socket.unref();
  socket.setEncoding("utf8");
  let late = setTimeout(() => socket.destroy(), QUESTION_MS).unref();
  socket.on("error", () => {});
  socket.on("close", () => {
    clearTimeout(late);
    gone.abort();
  });
  socket.on("data", (piece: string) => {
    heard += piece;
    if (isAsked || heard.length > MOST_CHARACTERS) return void socket.destroy();
    if (!heard.includes("\n")) return;
    isAsked = true;
    clearTimeout(late);
    late = setTimeout(() => socket.destroy(), ANSWER_MS).unref();
    const question = questionIn(heard);
    if (question === undefined) return void socket.destroy();
    const request = { command: question.line, cwd: question.directory, dryRun: true };
    service.call(request, gone.signal, { session, isLookUp: true }).then(
      ({ result }) => {
        const allowed: HookAnswer = { allowed: result.kind === "completed" && result.assessment?.every_part_runs === true };
        socket.end(JSON.stringify(allowed));
      },
      // A fault of ours: the hook reckons for itself.
      () => socket.destroy(),
    );
  });
}

function questionIn(text: string): HookQuestion | undefined {
  try {
    const { line, directory } = JSON.parse(text) as Partial<HookQuestion>;
    return typeof line === "string" && typeof directory === "string" ? { line, directory } : undefined;
  } catch {
    return undefined;
  }
}
