/**
 * The image that the Dockerfile describes, where no registry can be reached: its last stage as it is, on a base that is laid by hand of this
 * machine's Node with the libraries it loads, and of what the stage's RUN needs. Built by podman with chroot isolation.
 */
import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

const BASE = "localhost/shelpa-test-base:latest";

/** Builds the image `name` from the project at `top`. Throws where podman fails. */
export function layImage(podman, name, top) {
  const work = mkdtempSync(join(tmpdir(), "shelpa-image-"));
  try {
    const base = join(work, "base");
    for (const directory of ["tmp", "proc", "sys", "dev", "etc", "usr/local/bin", "usr/local/lib"])
      mkdirSync(join(base, directory), { recursive: true });
    // Runtimes give the container's own /tmp the permissions that the image's has.
    chmodSync(join(base, "tmp"), 0o1777);
    writeFileSync(join(base, "etc/passwd"), "root:x:0:0::/:/bin/sh\nnode:x:1000:1000::/:/bin/sh\n");
    writeFileSync(join(base, "etc/group"), "root:x:0:\nnode:x:1000:\n");
    for (const [program, place] of [
      [process.execPath, "usr/local/bin/node"],
      ["/bin/sh", "bin/sh"],
      ["/bin/mkdir", "bin/mkdir"],
      ["/bin/chown", "bin/chown"],
    ])
      layProgram(program, join(base, place), base);
    execFileSync("tar", ["-C", base, "-cf", join(work, "base.tar"), "."]);
    podman(["import", "--quiet", join(work, "base.tar"), BASE]);

    const context = join(work, "context");
    for (const part of ["package.json", "LICENSE", "dist"]) cpSync(join(top, part), join(context, "build", part), { recursive: true });
    const dockerfile = readFileSync(join(top, "Dockerfile"), "utf8");
    const last = dockerfile.slice(dockerfile.lastIndexOf("\nFROM "));
    writeFileSync(join(context, "Dockerfile"), `ARG NODE_IMAGE\nFROM \${NODE_IMAGE} AS build\nCOPY build /build\n${last}`);
    podman(["build", "--isolation=chroot", "--format=docker", "--quiet", `--build-arg=NODE_IMAGE=${BASE}`, `--tag=${name}`, context]);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** Removes the images of `layImage`. */
export function removeImages(podman, name) {
  podman(["rmi", "--force", name, BASE]);
}

/** Copies a program, and the libraries that ldd names, to their own paths. */
function layProgram(from, to, base) {
  mkdirSync(dirname(to), { recursive: true });
  cpSync(realpathSync(from), to);
  for (const [, library] of execFileSync("ldd", [from], { encoding: "utf8" }).matchAll(/(\/\S+)(?= \(0x)/g)) {
    const place = join(base, library);
    mkdirSync(dirname(place), { recursive: true });
    cpSync(realpathSync(library), place);
  }
}
