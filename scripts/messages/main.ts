// `./weft messages`: writes the types of the values that texts of the interface take and the list of what the server
// describes, and lists what each language lacks.
import { writeFileSync } from "node:fs";
import {
  findDescribed,
  findDescribedFaults,
  findUntranslated,
  listFile,
  readTranslations,
  toList,
} from "./described.ts";
import { findFaults, findMissing } from "./find-gaps.ts";
import { readCatalogues } from "./read-messages.ts";
import { toValueTypes } from "./to-value-types.ts";
import { toWholeLanguages } from "./whole-languages.ts";

const source = (path: string) => new URL(`../../packages/builder/src/${path}`, import.meta.url);

const { en: english = new Map<string, string>(), ...others } = Object.fromEntries(readCatalogues());
const described = await findDescribed();
const translations = readTranslations();
writeFileSync(source("texts/message-values.gen.ts"), toValueTypes(english));
writeFileSync(listFile, toList(described));
writeFileSync(
  source("languages/whole-languages.gen.ts"),
  toWholeLanguages({ english, others, described, translations }),
);

const ofServer = described.texts.size + described.sentences.size;
for (const [language, translated] of Object.entries(others)) {
  const missing = findMissing(english, translated);
  const translation = translations.get(language);
  const untranslated = findUntranslated(described, translation);
  console.log(
    `${language}: ${english.size - missing.length} of ${english.size} texts of the interface, ${ofServer - untranslated.length} of ${ofServer} of the server`,
  );
  for (const key of missing) console.log(`  ${key}: ${JSON.stringify(english.get(key))}`);
  // What nobody has begun is not listed text by text.
  if (translation !== undefined) for (const text of untranslated) console.log(`  ${JSON.stringify(text)}`);
  const faults = translation === undefined ? [] : findDescribedFaults(described, translation);
  for (const fault of [...findFaults(language, english, translated), ...faults]) {
    console.error(`  ${fault}`);
    process.exitCode = 1;
  }
}
