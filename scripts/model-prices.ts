import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { toPriceTable } from "./prices/price-table.ts";

const packageName = "@pydantic/genai-prices";
const manifest = new URL(`../node_modules/${packageName}/package.json`, import.meta.url);
const { version } = JSON.parse(readFileSync(manifest, "utf8")) as { version: string };

// The release's date is in the registry alone.
const times = JSON.parse(execFileSync("npm", ["view", packageName, "time", "--json"], { encoding: "utf8" }));
const date = String(times[version]).slice(0, 10);
const table = toPriceTable({ version, date });
writeFileSync(new URL("../packages/telemetry/src/prices/price-table.json", import.meta.url), table);
