import { Worker } from "node:worker_threads";

/** Longer texts take more than about 30 ms, which would hold up everything else in the process. */
const inlineCharacters = 64 * 1024;

/** The value of a YAML text; a long text is read in a thread of its own. Rejects when it is not YAML. */
export async function readYaml(text: string): Promise<unknown> {
  return JSON.parse(text.length <= inlineCharacters ? await readHere(text) : await readInWorker(text));
}

/** The library is loaded by the first text. */
async function readHere(text: string): Promise<string> {
  const { yamlToJson } = await import("./yaml-to-json.ts");
  return yamlToJson(text);
}

function readInWorker(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL("./yaml-worker.ts", import.meta.url), {
      workerData: text,
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: 512 },
    });
    worker.once("message", resolve);
    worker.once("error", reject);
    worker.once("exit", () => reject(new Error("reading it took too much memory")));
  });
}
