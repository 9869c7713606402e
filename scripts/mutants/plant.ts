import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Mutant } from "./mutant.ts";

/** The text of the file with the fault. Throws a sentence that names it where the original does not stand there once. */
export function plantIn(root: string, { name, file, original, replacement }: Mutant): string {
  const text = readFileSync(join(root, file), "utf8");
  const count = text.split(original).length - 1;
  if (count !== 1) {
    const found = count === 0 ? "is no longer there" : `stands there ${count} times`;
    throw new Error(`The mutant "${name}" does not fit ${file}: its original ${found}. Correct it in scripts/mutants.`);
  }
  return text.replace(original, () => replacement);
}
