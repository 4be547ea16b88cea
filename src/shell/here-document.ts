/** The body of a here-document (POSIX 2.7.4), read again from the line to check where the parser saw its end. */

export interface HereDocumentShape {
  /** Start of the body's first line. */
  readonly start: number;
  readonly delimiter: string;
  /** `<<-`: leading tabs of each line go. */
  readonly stripsTabs: boolean;
  /** A delimiter with any quote: the body is taken as it is. */
  readonly literal: boolean;
}

export interface HereDocumentBody {
  readonly text: string;
  /** Start of the line with the delimiter. */
  readonly bodyEnd: number;
  /** End of the line with the delimiter, before its newline. */
  readonly end: number;
}

/** Undefined where no line is the delimiter. */
export function readHereDocument(line: string, shape: HereDocumentShape): HereDocumentBody | undefined {
  let text = "";
  for (let at = shape.start; at < line.length || at === shape.start; ) {
    const logical = shape.literal ? plainLine(line, at) : joinedLine(line, at);
    const content = shape.stripsTabs ? logical.text.replace(/^\t+/, "") : logical.text;
    if (content === shape.delimiter) return { text: shape.literal ? text : removeBackslashes(text), bodyEnd: at, end: logical.end };
    text += `${content}\n`;
    at = logical.end + 1;
  }
  return undefined;
}

interface LogicalLine {
  readonly text: string;
  readonly end: number;
}

function plainLine(line: string, start: number): LogicalLine {
  const newline = line.indexOf("\n", start);
  const end = newline < 0 ? line.length : newline;
  return { text: line.slice(start, end), end };
}

/** One line, joined with the next where an unescaped backslash ends it. */
function joinedLine(line: string, start: number): LogicalLine {
  let text = "";
  let from = start;
  for (let at = start; ; at++) {
    if (at >= line.length || line[at] === "\n") return { text: text + line.slice(from, at), end: Math.min(at, line.length) };
    if (line[at] !== "\\") continue;
    if (line[at + 1] === "\n") {
      text += line.slice(from, at);
      from = at + 2;
    }
    at++;
  }
}

/** In an unquoted body a backslash is special before `$`, a backquote and itself. */
function removeBackslashes(text: string): string {
  return text.replace(/\\([$`\\])/g, "$1");
}
