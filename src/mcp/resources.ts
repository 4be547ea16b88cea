/** Resources a client can read: the policy, help, the audit, and whole outputs of recent calls. */
import { isUtf8 } from "node:buffer";
import {
  ResourceNotFoundError,
  type ListResourcesResult,
  type ListResourceTemplatesResult,
  type ReadResourceResult,
  type Resource,
} from "@modelcontextprotocol/server";
import { nearest } from "../builtin/nearest.ts";
import { shortName } from "../display/visible.ts";
import { beginningWith, type Completions } from "./completion.ts";
import { lookUp } from "./own-line.ts";
import { OUTPUT_URI } from "./answer.ts";
import { redactedText, type Redactor } from "./redaction.ts";
import type { CallOptions, ShellService } from "./shell-service.ts";

export interface ResourceOptions {
  /** True if outputs are listed. False where clients that should not see each other's outputs share the service. */
  readonly listsOutputs: boolean;
  /** The policy in force; undefined: there is no such resource. */
  readonly policyText: string | undefined;
  readonly redactor: Redactor | undefined;
}

const POLICY_URI = "shelpa://policy";
const HELP_URI = "shelpa://help/";
const LOG_URI = "shelpa://audit/log";
const RECORD_URI = "shelpa://audit/record/";

/** Records shown by `shelpa://audit/log`, the newest. */
const MOST_RECORDS = 1000;
/** `.shelpa/@/journal.jsonl`: see docs/audit.md. */
const JOURNAL = ".shelpa/@/journal.jsonl";

/** Most characters, in an output's name, of the line that printed it. */
const MOST_NAME_CHARACTERS = 80;

export class Resources {
  readonly #service: ShellService;
  readonly #options: ResourceOptions;

  constructor(service: ShellService, options: ResourceOptions) {
    this.#service = service;
    this.#options = options;
  }

  async list(): Promise<ListResourcesResult> {
    const { listsOutputs, policyText } = this.#options;
    const policy = {
      uri: POLICY_URI,
      name: "policy",
      description: "what may be read, written and run here, and up to which limits",
      mimeType: "text/plain",
    };
    const log = {
      uri: LOG_URI,
      name: "audit log",
      description: `the last ${MOST_RECORDS} writes: time, record, change, size, file and command line, separated by tabs`,
      mimeType: "text/tab-separated-values",
    };
    const outputs: Resource[] = [];
    for (const { id, command, bytes } of listsOutputs ? this.#service.keptOutputs() : []) {
      outputs.push({
        uri: OUTPUT_URI + id,
        // Redacted before it is cut, because a part of a secret has no format.
        name: shortName(await this.#withoutSecrets(command), MOST_NAME_CHARACTERS),
        description: "whole output of a recent call",
        mimeType: isUtf8(bytes) ? "text/plain" : "application/octet-stream",
        size: bytes.length,
      });
    }
    return {
      resources: [...(policyText === undefined ? [] : [policy]), log, ...outputs],
    };
  }

  templates(): ListResourceTemplatesResult {
    return {
      resourceTemplates: [
        { uriTemplate: `${HELP_URI}{command}`, name: "help", description: "flags and examples of a command", mimeType: "text/plain" },
        { uriTemplate: `${RECORD_URI}{id}`, name: "audit record", description: "a write, as the journal has it", mimeType: JSON_LINES },
        { uriTemplate: `${OUTPUT_URI}{id}`, name: "output", description: "whole output of a recent call" },
      ],
    };
  }

  /** `callerKey`: of whoever reads, see CallOptions. Throws ResourceNotFoundError. */
  async read(
    uri: string,
    { signal, callerKey }: { readonly signal: AbortSignal } & Pick<CallOptions, "callerKey">,
  ): Promise<ReadResourceResult> {
    const { policyText } = this.#options;
    if (uri === POLICY_URI && policyText !== undefined) return textOf(uri, "text/plain", policyText);
    if (uri === LOG_URI) return textOf(uri, "text/tab-separated-values", await this.#run(uri, `history | tail -n ${MOST_RECORDS}`, signal));
    if (uri.startsWith(HELP_URI)) return this.#help(uri, uri.slice(HELP_URI.length), signal);
    if (uri.startsWith(RECORD_URI)) return this.#record(uri, uri.slice(RECORD_URI.length), signal);
    return this.#output(uri, callerKey);
  }

  /** Values for the variable of `template`. */
  async complete(template: string, value: string, signal: AbortSignal): Promise<Completions> {
    const { listsOutputs } = this.#options;
    switch (template) {
      case `${HELP_URI}{command}`:
        return beginningWith(value, this.#service.commandNames);
      case `${RECORD_URI}{id}`: {
        const { stdout = "" } = (await this.#look(`history | tail -n ${MOST_RECORDS} | cut -f 2 | tac`, signal)) ?? {};
        return beginningWith(value, stdout.split("\n").slice(0, -1));
      }
      case `${OUTPUT_URI}{id}`:
        return beginningWith(value, listsOutputs ? this.#service.keptOutputs().map(({ id }) => id) : []);
      default:
        throw new ResourceNotFoundError(template, `there is no resource template '${template}'`);
    }
  }

  async #help(uri: string, name: string, signal: AbortSignal): Promise<ReadResourceResult> {
    const { commandNames } = this.#service;
    if (commandNames.includes(name)) return textOf(uri, "text/plain", await this.#run(uri, `help ${name}`, signal));
    const near = nearest(name, commandNames);
    throw new ResourceNotFoundError(uri, `there is no command '${name}'${near === undefined ? "" : `: did you mean ${HELP_URI}${near}?`}`);
  }

  async #record(uri: string, id: string, signal: AbortSignal): Promise<ReadResourceResult> {
    const lines = /^\d{1,30}$/.test(id) ? await this.#look(`grep -hE '"(id|record_id)":"${id}"' ${JOURNAL}`, signal) : undefined;
    if (lines === undefined || lines.exit !== 0) throw new ResourceNotFoundError(uri, `there is no record '${id}'; ${LOG_URI} lists them`);
    return textOf(uri, JSON_LINES, lines.stdout);
  }

  async #output(uri: string, callerKey: string | undefined): Promise<ReadResourceResult> {
    const output = uri.startsWith(OUTPUT_URI) ? this.#service.keptOutput(uri.slice(OUTPUT_URI.length), callerKey) : undefined;
    if (output === undefined) {
      const what = uri.startsWith(OUTPUT_URI) ? "no output of a recent call; run the command again" : "no resource of this server";
      throw new ResourceNotFoundError(uri, `${uri} is ${what}`);
    }
    const { bytes } = output;
    const redacted = await this.#options.redactor?.redact(bytes);
    const buffer = redacted?.bytes ?? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (isUtf8(buffer)) return textOf(uri, "text/plain", buffer.toString("utf8"));
    return { contents: [{ uri, mimeType: "application/octet-stream", blob: buffer.toString("base64") }] };
  }

  async #withoutSecrets(text: string): Promise<string> {
    const { redactor } = this.#options;
    return redactor === undefined ? text : (await redactedText(text, redactor)).text;
  }

  async #run(uri: string, line: string, signal: AbortSignal): Promise<string> {
    const run = await this.#look(line, signal);
    if (run === undefined) throw new ResourceNotFoundError(uri, `${uri} cannot be read under this server's policy`);
    return run.stdout;
  }

  #look(line: string, signal: AbortSignal): ReturnType<typeof lookUp> {
    return lookUp(this.#service, line, { signal, redactor: this.#options.redactor });
  }
}

const JSON_LINES = "application/jsonl";

const textOf = (uri: string, mimeType: string, text: string): ReadResourceResult => ({ contents: [{ uri, mimeType, text }] });
