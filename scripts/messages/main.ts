// `./weft messages`: writes the types of the values that texts of the interface take, and lists what each language lacks.
import { writeFileSync } from "node:fs";
import { findFaults, findMissing } from "./find-gaps.ts";
import { readCatalogues } from "./read-messages.ts";
import { toValueTypes } from "./to-value-types.ts";

const { en: english = new Map<string, string>(), ...others } = Object.fromEntries(readCatalogues());
writeFileSync(
  new URL("../../packages/builder/src/texts/message-values.gen.ts", import.meta.url),
  toValueTypes(english),
);
for (const [language, translated] of Object.entries(others)) {
  const missing = findMissing(english, translated);
  console.log(`${language}: ${english.size - missing.length} of ${english.size} texts`);
  for (const key of missing) console.log(`  ${key}: ${JSON.stringify(english.get(key))}`);
  for (const fault of findFaults(language, english, translated)) {
    console.error(`  ${fault}`);
    process.exitCode = 1;
  }
}
