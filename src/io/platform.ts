/** The kind of host, where more than the file layer has to know it. */

export const isWindows: boolean = process.platform === "win32";

/** True where the kernel tells of processes and mounts under /proc. Another system may have files of that name, which tell nothing of it. */
export const isLinux: boolean = process.platform === "linux";
