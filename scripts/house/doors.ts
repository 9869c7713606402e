import { globSync, readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";

/** The file that a specifier such as `@weft/engine/node` opens, by its path from the root; undefined for packages from outside. */
export type Doors = (specifier: string) => string | undefined;

const wildcard = "*";

/** Reads which files the packages of this repository export: the `exports` of each `package.json`. */
export function readDoors(root: string): Doors {
  const doors = new Map<string, string>();
  for (const path of globSync("{packages/*,apps/*,imports}/package.json", { cwd: root })) {
    const { name, exports = {} } = JSON.parse(readFileSync(join(root, path), "utf8"));
    for (const [door, file] of Object.entries(exports)) {
      if (typeof file !== "string") continue;
      doors.set(posix.join(name, door), posix.join(dirname(path).replaceAll("\\", "/"), file));
    }
  }
  return (specifier) => doors.get(specifier) ?? findByPattern(doors, specifier);
}

function findByPattern(doors: ReadonlyMap<string, string>, specifier: string): string | undefined {
  const folder = `${posix.dirname(specifier)}/`;
  return doors.get(`${folder}${wildcard}`)?.replace(wildcard, specifier.slice(folder.length));
}
