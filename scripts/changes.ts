// `./weft changes`: prints the entry that the next release adds to CHANGELOG.md.
import { readFileSync } from "node:fs";
import { composeEntry, readFragments } from "./release/compose-entry.ts";

console.log(composeEntry(readFileSync("CHANGELOG.md", "utf8"), readFragments(process.cwd())));
