import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** What a release says of its container image. */
export type ImageRecord = {
  name: string;
  /** Of the image's configuration (`docker image ls --no-trunc`, `podman images --no-trunc`): what was built. */
  imageId: string;
  /** The base image, by digest. */
  base: string;
  builder: string;
};

const builders = [
  { name: "docker", build: ["build"] },
  { name: "podman", build: ["build", "--format", "docker"] },
  // In a chroot, since it needs no container runtime.
  { name: "buildah", build: ["build", "--format", "docker", "--isolation", "chroot", "--network", "host"] },
];

/**
 * Throws unless `base` names an image by digest and a program that builds images is here. Both are checked before
 * anything of the release is written.
 */
export function findImageBuilder(base: string): (typeof builders)[number] {
  if (!/^[\w./:-]+@sha256:[0-9a-f]{64}$/.test(base)) {
    throw new Error(
      `"${base}" does not pin an image. Name it with its digest, such as node:24.21.0-slim@sha256:…; docker buildx imagetools inspect node:24.21.0-slim prints it.`,
    );
  }
  // `version` asks docker's engine as well: its client alone builds nothing.
  const found = builders.find(({ name }) => spawnSync(name, ["version"]).status === 0);
  if (found === undefined) throw new Error("Building an image needs docker, podman or buildah. None is here.");
  return found;
}

/** Builds the Dockerfile of what `source` (a `.tar.gz` with one folder) holds, from that base. */
export function buildImage(source: string, name: string, base: string): ImageRecord {
  const builder = findImageBuilder(base);
  const folder = mkdtempSync(join(tmpdir(), "weft-image-"));
  try {
    const context = join(folder, "context");
    mkdirSync(context);
    run("tar", ["-xzf", source, "--strip-components=1", "-C", context]);
    const idFile = join(folder, "id");
    run(builder.name, [
      ...builder.build,
      "--build-arg",
      `NODE_IMAGE=${base}`,
      "--iidfile",
      idFile,
      "-t",
      name,
      context,
    ]);
    return { name, imageId: readFileSync(idFile, "utf8").trim(), base, builder: builder.name };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Shows what the program prints: an image takes minutes. */
function run(command: string, args: readonly string[]): void {
  const { status, error } = spawnSync(command, args, { stdio: ["ignore", "inherit", "inherit"] });
  if (status !== 0) throw new Error(`${command} ${args[0]} failed. ${error?.message ?? "It says why above."}`);
}
