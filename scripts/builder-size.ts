import { fileURLToPath } from "node:url";
import { describeSizes, findExcess, measureBuilder } from "./builder/measure-builder.ts";
import { describeWidget, findWidgetExcess, measureWidget } from "./builder/measure-widget.ts";

const dist = fileURLToPath(new URL("../packages/builder/dist/", import.meta.url));
const sizes = measureBuilder(dist);
const widget = measureWidget(fileURLToPath(new URL("../packages/widget/dist/", import.meta.url)));
console.log(`${describeSizes(sizes)}\n${describeWidget(widget)}`);
for (const excess of [...findExcess(sizes), ...findWidgetExcess(widget)]) {
  console.error(excess);
  process.exitCode = 1;
}
