import { readFileSync, statSync } from "node:fs";

export type FollowedFileOptions<T> = {
  path: string;
  /** What the file held when it was read at first. */
  value: T;
  /** Throws on text that is not to be used. */
  parse(text: string): T;
};

/**
 * The value of a small file that another process may replace. Each call looks whether the file is another one, which
 * takes a few microseconds, and reads it only then. What is gone or does not parse changes nothing.
 */
export function followFile<T>({ path, value, parse }: FollowedFileOptions<T>): () => T {
  let current = value;
  let seen = "";

  function refresh(): void {
    const { ino, size, mtimeMs } = statSync(path);
    const found = `${ino}:${size}:${mtimeMs}`;
    if (found === seen) return;
    seen = found;
    current = parse(readFileSync(path, "utf8"));
  }

  return () => {
    try {
      refresh();
    } catch {
      // The last good value is better than none.
    }
    return current;
  };
}
