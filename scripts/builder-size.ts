import { fileURLToPath } from "node:url";
import { describeSizes, findExcess, measureBuilder } from "./builder/measure-builder.ts";

const dist = fileURLToPath(new URL("../packages/builder/dist/", import.meta.url));
const sizes = measureBuilder(dist);
console.log(describeSizes(sizes));
for (const excess of findExcess(sizes)) {
  console.error(excess);
  process.exitCode = 1;
}
