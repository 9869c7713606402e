import { glob, readFile, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { parse as parseYaml } from "yaml";
import { z } from "zod";
import { FileError, readText } from "../read-flow-file.ts";

const component = z.strictObject({ name: z.string(), config: z.record(z.string(), z.json()).default({}) });

/** Questions, and which documents answer them. */
const fileSchema = z.strictObject({
  /** Files beside this one; `*` stands for any part of a name. */
  documents: z.array(z.string().min(1)).min(1),
  splitter: component.optional(),
  embedding: component.optional(),
  vectorStore: component.optional(),
  mode: z.enum(["vector", "keyword", "hybrid"]).optional(),
  topK: z.number().int().min(1).max(100).default(4),
  questions: z
    .array(
      z.strictObject({
        question: z.string().min(1),
        /** Names of the documents that answer it. */
        relevant: z.array(z.string().min(1)).min(1),
      }),
    )
    .min(1),
});

export type RetrievalEval = z.infer<typeof fileSchema> & { files: readonly { name: string; bytes: Uint8Array }[] };

/** Reads a question file, YAML or JSON, and the documents that it names. Rejects with `FileError`. */
export async function readRetrievalEval(path: string): Promise<RetrievalEval> {
  const parsed = fileSchema.safeParse(parse(path, await readText(path)));
  if (!parsed.success) {
    const mistakes = parsed.error.issues.map(({ path: place, message }) => `${path}: ${place.join(".")}: ${message}`);
    throw new FileError(mistakes.join("\n"));
  }
  const files = await readDocuments(path, parsed.data.documents);
  const names = new Set(files.map(({ name }) => name));
  const unknown = parsed.data.questions.flatMap(({ relevant }) => relevant).find((name) => !names.has(name));
  if (unknown !== undefined) throw new FileError(`${path}: relevant names ${unknown}, which is none of the documents.`);
  return { ...parsed.data, files };
}

function parse(path: string, text: string): unknown {
  try {
    return parseYaml(text);
  } catch (cause) {
    throw new FileError(`${path} is neither YAML nor JSON: ${(cause as Error).message.split("\n", 1)[0]}.`);
  }
}

async function readDocuments(path: string, patterns: readonly string[]) {
  const files: { name: string; bytes: Uint8Array }[] = [];
  for (const pattern of patterns) {
    const found: string[] = [];
    for await (const match of glob(pattern, { cwd: dirname(path) })) found.push(match);
    for (const match of found.sort()) {
      const file = join(dirname(path), match);
      if ((await stat(file)).isFile()) files.push({ name: basename(match), bytes: await readFile(file) });
    }
    if (found.length === 0) throw new FileError(`${path}: no document matches ${pattern}.`);
  }
  return files;
}
