// Writes packages/client/src/api.gen.ts from the committed openapi.json: `npm run -s client`.
import { readFile, writeFile } from "node:fs/promises";
import { toClientText } from "./client/client-text.ts";

const root = new URL("..", import.meta.url);
const document = JSON.parse(await readFile(new URL("openapi.json", root), "utf8"));
await writeFile(new URL("packages/client/src/api.gen.ts", root), toClientText(document));
