/** The command `shelpa-mcp`: arguments, signals and exit status around the server. */
import { constants } from "node:os";
import { resolve } from "node:path";
import { quoteWord } from "../io/quote.ts";
import { loadPolicy } from "../config/load.ts";
import { ConfigurationError } from "../config/configuration-error.ts";
import { policyText } from "../config/policy-text.ts";
import type { Policy } from "../config/policy.ts";
import type { ShelpaServerOptions } from "../mcp/server.ts";
import { activeRules } from "../guard/active-rules.ts";
import type { ShellService, ShellServiceOptions } from "../mcp/shell-service.ts";
import { FileError } from "../workspace/file-error.ts";
import { HELP, policySources, readMcpArguments, type McpSettings } from "./mcp-arguments.ts";
import { CommandLineError } from "./command-line-error.ts";
import { tokenOf } from "./http-settings.ts";
import { VERSION } from "./version.ts";

const EXIT_FAULT = 1;
const EXIT_USAGE = 2;

process.exitCode = await main(process.argv.slice(2));

async function main(argv: readonly string[]): Promise<number> {
  try {
    if (argv[0] === "audit") return await (await import("./audit-command.ts")).auditCommand(argv.slice(1));
    if (argv[0] === "policy") return await (await import("./policy-command.ts")).policyCommand(argv.slice(1));
    if (argv[0] === "init") return (await import("./init/init-command.ts")).initCommand(argv.slice(1));
    if (argv[0] === "hook") return await (await import("./hook/hook-command.ts")).hookCommand(argv.slice(1));
    if (argv[0] === "doctor") return await (await import("./doctor/doctor-command.ts")).doctorCommand(argv.slice(1));
    if (argv[0] === "check") return await (await import("./check-command.ts")).checkCommand(argv.slice(1));
    const command = readMcpArguments(argv, process.env);
    switch (command.kind) {
      case "help":
        process.stdout.write(HELP);
        return 0;
      case "version":
        process.stdout.write(`shelpa-mcp ${VERSION}\n`);
        return 0;
      case "serve":
        return await serve(command.settings);
    }
  } catch (error) {
    if (error instanceof ConfigurationError) {
      log(error.message);
      return EXIT_USAGE;
    }
    if (!(error instanceof CommandLineError)) throw error;
    log(error.message);
    process.stderr.write(error.suggestion === undefined ? "Try 'shelpa-mcp --help' for more information.\n" : `try: ${error.suggestion}\n`);
    return EXIT_USAGE;
  }
}

async function serve(settings: McpSettings): Promise<number> {
  const { policy } = await loadPolicy(policySources(settings));
  // The executor process is started first, so that it comes up while the protocol's code is loaded here.
  const { createShellService } = await import("../session/service.ts");
  const token = settings.http && tokenOf(settings.http, process.env);
  const [service, transport, { Redactor }, { Approvals }] = await Promise.all([
    openService(createShellService, settings, policy),
    settings.http === undefined ? import("../mcp/serve-stdio.ts") : import("../mcp/http/serve-http.ts"),
    import("../mcp/redaction.ts"),
    import("../mcp/approval.ts"),
  ]);
  const stop = new AbortController();
  const onSignal = (signal: NodeJS.Signals): void => {
    if (stop.signal.aborted) process.exit(128 + constants.signals[signal]);
    stop.abort();
  };
  process.on("SIGINT", onSignal);
  process.on("SIGTERM", onSignal);
  try {
    const options: ShelpaServerOptions = {
      version: VERSION,
      readOnly: policy.readOnly,
      rawOutput: settings.rawOutput,
      approvals: new Approvals({ asks: policy.approval.protectedPaths === "ask", challenge: policy.approval.challenge }),
      policyText: policyText(policy, { session: "default", rules: activeRules(policy) }),
      redactor: new Redactor(policy.redaction, process.env),
      log,
    };
    if ("serveOverStdio" in transport) {
      await transport.serveOverStdio(service, { ...options, input: process.stdin, output: process.stdout, stop: stop.signal });
    } else if (settings.http !== undefined && token !== undefined) {
      const { host, port, allowedHosts, allowedOrigins } = settings.http;
      const gate = { token: token.token, hosts: [...(host === "" ? [] : [nameInUrl(host)]), ...allowedHosts], origins: allowedOrigins };
      const serving = await transport.serveOverHttp(service, { ...options, host, port, gate });
      log(`listening on ${serving.url}`);
      if (token.isNew) log(`clients send the header  Authorization: Bearer ${token.token}`);
      if (!stop.signal.aborted) await new Promise<void>((resolve) => stop.signal.addEventListener("abort", () => resolve()));
      await serving.close();
    }
    return 0;
  } catch (error) {
    const isListening = error instanceof Error && "syscall" in error && error.syscall === "listen";
    log(error instanceof Error ? (isListening ? error.message : (error.stack ?? error.message)) : String(error));
    return EXIT_FAULT;
  } finally {
    await service.close();
    // A paused standard input, or a signal's handler, must not keep the process.
    process.off("SIGINT", onSignal).off("SIGTERM", onSignal);
    process.stdin.destroy();
  }
}

async function openService(
  createShellService: (options: ShellServiceOptions) => Promise<ShellService>,
  { root, aliases }: McpSettings,
  policy: Policy,
): Promise<ShellService> {
  try {
    return await createShellService({ root: resolve(root), policy, aliases, isolation: "process" });
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    const hint = error.code === "ENOTDIR" ? `shelpa-mcp --root ${quoteWord(resolve(root, ".."))}` : undefined;
    throw new CommandLineError(`cannot open the root '${root}': ${error.message}`, hint);
  }
}

function log(line: string): void {
  process.stderr.write(`shelpa-mcp: ${line}\n`);
}

function nameInUrl(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}
