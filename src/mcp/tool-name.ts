/** Names of the tools, for code that needs nothing else of them. */
export const TOOL_NAME = "shelpa_pipe";
/** The tool for lines that write, where there are two. */
export const WRITING_TOOL_NAME = "shelpa_write";
