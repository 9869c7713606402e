import { globSync, readFileSync } from "node:fs";
import { loadavg } from "node:os";
import { addLinear } from "../../packages/providers/src/embedded/graph/linear.ts";
import { createTokenizer } from "../../packages/providers/src/embedded/graph/tokenizer.ts";
import { readVocabulary } from "../../packages/providers/src/embedded/graph/weights.ts";
import { openNativeModel } from "../../packages/providers/src/embedded/native-model.ts";
import { openWasmModel } from "../../packages/providers/src/embedded/wasm-model.ts";
import type { EmbedWindows } from "../../packages/providers/src/embedded/windows.ts";
import { toWindows } from "../../packages/providers/src/embedded/windows.ts";

/**
 * The embedded model on passages of 774 characters of this project's documentation, in CPU time of one thread: on the native
 * runtime, there with 32-bit weights, and on WebAssembly. `node proof/bench/embedder.ts [passages]`, 96 by default, after
 * `node scripts/embedder/install.mjs`. The median and the range of five rounds, in which the models take turns.
 */
const count = Number(process.argv[2] ?? 96);
const length = 774;
const batch = 16;
const rounds = 5;
const signal = new AbortController().signal;

const root = new URL("../..", import.meta.url);
const files = globSync("docs/**/*.md", { cwd: root }).sort();
const text = files.map((file) => readFileSync(new URL(file, root), "utf8")).join("\n");
const stride = Math.floor((text.length - length) / count);
const passages = Array.from({ length: count }, (_, index) => text.slice(index * stride, index * stride + length));
const tokenize = createTokenizer(await readVocabulary());
const tokens = passages.flatMap(toWindows).reduce((sum, window) => sum + tokenize(window).length, 0);
process.stdout.write(`${count} passages of ${(tokens / count).toFixed(0)} tokens, load ${loadavg()[0]?.toFixed(1)}\n`);

const models: [name: string, embed: EmbedWindows, passages: readonly string[]][] = [
  ["native", await openNativeModel(), passages],
  ["native, 32-bit weights", await openNativeModel({ linear: addLinear }), passages],
  // It is too slow for all of them.
  ["WebAssembly", await openWasmModel(), passages.slice(0, batch)],
];
for (const [, embed, given] of models) await embed(given.slice(0, batch).flatMap(toWindows), signal);
const rates = models.map((): number[] => []);
for (let round = 0; round < rounds; round += 1)
  for (const [index, [, embed, given]] of models.entries()) {
    const before = process.cpuUsage();
    for (let start = 0; start < given.length; start += batch)
      await embed(given.slice(start, start + batch).flatMap(toWindows), signal);
    const { user, system } = process.cpuUsage(before);
    rates[index]?.push((given.length * 1e6) / (user + system));
  }
for (const [index, [name]] of models.entries()) {
  const sorted = (rates[index] ?? []).toSorted((a, b) => a - b).map((rate) => rate.toFixed(1));
  const middle = sorted[Math.floor(rounds / 2)];
  process.stdout.write(`${name.padEnd(24)} ${middle} passages a CPU second (${sorted[0]} to ${sorted.at(-1)})\n`);
}
