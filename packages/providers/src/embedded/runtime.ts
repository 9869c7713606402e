import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

/** Where scripts/embedder/install.mjs installs the native runtime of this platform. */
const runtimeFolder = new URL(`../../../../.cache/embedder/${process.platform}-${process.arch}/`, import.meta.url);

/** Whether the native runtime is installed. */
export const hasRuntime = (): boolean => existsSync(runtimeFolder);

/** The used parts of `onnxruntime-node`, which is not a dependency. */
export type Runtime = {
  InferenceSession: { create(graph: Uint8Array | string, options: object): Promise<Session> };
  Tensor: new (
    type: "int32" | "int64" | "float32",
    values: Int32Array | BigInt64Array | Float32Array,
    shape: readonly number[],
  ) => Tensor;
};
export type Tensor = { type: string; data: Float32Array; dims: readonly number[] };
export type Session = {
  readonly inputMetadata: readonly { name: string; type?: string }[];
  readonly outputNames: readonly string[];
  run(inputs: Readonly<Record<string, Tensor>>): Promise<Readonly<Record<string, Tensor>>>;
};

const errorsOnly = 3;
/** A text takes milliseconds, and further threads would compete with the server. */
export const sessionOptions = { intraOpNumThreads: 1, interOpNumThreads: 1, logSeverityLevel: errorsOnly };

/**
 * Throws if the runtime is not installed or cannot run here. Use it only in a separate process: see `openNativeModel`.
 */
export function loadRuntime(): Runtime {
  // Otherwise it sends telemetry, and keeps files for that in the temporary folder.
  // biome-ignore lint/style/noProcessEnv: the library reads it there, and nowhere else.
  process.env.ORT_DISABLE_TELEMETRY = "1";
  return createRequire(fileURLToPath(runtimeFolder))("onnxruntime-node");
}
