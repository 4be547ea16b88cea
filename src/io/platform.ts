/** The kind of host, where more than the file layer has to know it. */

export const isWindows: boolean = process.platform === "win32";
