import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { WeftError } from "@weft/schema";
import { z } from "zod";
import { hasRuntime } from "../embedded/runtime.ts";

/** The operator's folder cannot be used. The message tells the operator the problem and the fix. */
export class ModelFolderError extends WeftError {
  constructor(message: string) {
    super("embedding-not-configured", { message });
    this.name = "ModelFolderError";
  }
}

const shared = {
  name: z.string().regex(/^[\w.-]{1,80}$/, "must be 1 to 80 letters, digits, dots, hyphens or underscores"),
  /** Maximum tokens of a text, or of a query with a passage, including special tokens. */
  maxTokens: z.int().min(8).max(32_768),
  /** The graph output to read. Default: the first. */
  output: z.string().optional(),
};

export const embeddingManifestSchema = z.strictObject({
  ...shared,
  dimension: z.int().min(1).max(16_000),
  /** How token vectors are pooled: their mean, that of the first token, or `none` if the graph does it. */
  pooling: z.enum(["mean", "cls", "none"]),
  /** Whether vectors are normalised to length 1. */
  normalise: z.boolean().default(true),
  queryPrefix: z.string().max(2_000).default(""),
  passagePrefix: z.string().max(2_000).default(""),
});

export const rerankerManifestSchema = z.strictObject({
  ...shared,
  /** A template with `{query}` and `{passage}`. Default: the tokenizer joins the two as a pair. */
  pair: z
    .string()
    .max(4_000)
    .refine((text) => text.includes("{query}") && text.includes("{passage}"), "must hold {query} and {passage}")
    .optional(),
  /** The graph's output: a logit, to which the sigmoid is applied, or a probability. */
  score: z.enum(["logit", "probability"]).default("logit"),
});

export type EmbeddingManifest = z.infer<typeof embeddingManifestSchema>;
export type RerankerManifest = z.infer<typeof rerankerManifestSchema>;

export type ModelFolder<Manifest> = {
  path: string;
  manifest: Manifest;
  /**
   * `folder:<name>@<hash>`: identifies everything that affects the vectors or scores. Another model, tokenizer or
   * manifest has another id.
   */
  id: string;
  /** When the files last changed. */
  changedAtMs: number;
};

const modelFile = "model.onnx";
const tokenizerFile = "tokenizer.json";
const manifestFile = "manifest.json";
const handbook = "docs/model-folders.md describes the files.";

/** Reads a folder without opening the model. Rejects with a `ModelFolderError` that names the variable. */
export async function readModelFolder<Schema extends z.ZodType<{ name: string }>>(
  { variable, path }: { variable: string; path: string },
  schema: Schema,
): Promise<ModelFolder<z.infer<Schema>>> {
  if (!hasRuntime()) {
    throw new ModelFolderError(
      `${variable} needs the native runtime, which is not installed. Run "node scripts/embedder/install.mjs", then start again; if that finds no runtime for this machine, unset ${variable}.`,
    );
  }
  const names = await readdir(path).catch(() => undefined);
  if (names === undefined) throw new ModelFolderError(`${variable} names a folder that cannot be read: ${path}.`);
  for (const name of [manifestFile, modelFile, tokenizerFile])
    if (!names.includes(name)) throw new ModelFolderError(`${variable}: ${path} has no ${name}. ${handbook}`);
  const manifest = await readManifest(path, schema).catch((cause: unknown) => {
    throw new ModelFolderError(`${variable}: ${join(path, manifestFile)} ${reasonOf(cause)}. ${handbook}`);
  });
  const files = filesOf(names).map((name) => join(path, name));
  const id = `folder:${manifest.name}@${await hashFiles(files)}`;
  return { path, manifest, id, changedAtMs: await lastChange(path) };
}

/** When a file of the model last changed. */
export async function lastChange(path: string): Promise<number> {
  const files = filesOf(await readdir(path));
  return Math.max(...(await Promise.all(files.map(async (name) => (await stat(join(path, name))).mtimeMs))));
}

async function readManifest<Schema extends z.ZodType>(path: string, schema: Schema): Promise<z.infer<Schema>> {
  const parsed = schema.safeParse(JSON.parse(await readFile(join(path, manifestFile), "utf8")));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const place = issue?.path.join(".") ?? "";
  throw new Error(`is wrong${place === "" ? "" : ` at "${place}"`}: ${issue?.message}`);
}

function reasonOf(cause: unknown): string {
  if (cause instanceof SyntaxError) return "is not JSON";
  return (cause as Error).message;
}

/** The model with its external weights, the tokenizer and the manifest, in a fixed order. */
const filesOf = (names: readonly string[]): string[] =>
  names
    .filter((name) => name.startsWith(modelFile) || /^(tokenizer|tokenizer_config|manifest)\.json$/.test(name))
    .toSorted();

async function hashFiles(files: readonly string[]): Promise<string> {
  const hash = createHash("sha256");
  for (const file of files) {
    hash.update(`${(await stat(file)).size}\n`);
    for await (const part of createReadStream(file, { highWaterMark: 1_048_576 })) hash.update(part);
  }
  return hash.digest("hex").slice(0, 16);
}
