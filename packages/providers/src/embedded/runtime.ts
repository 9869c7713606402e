import { existsSync } from "node:fs";

/** Where scripts/embedder/install.mjs puts the native runtime of this platform. */
export const runtimeFolder = new URL(
  `../../../../.cache/embedder/${process.platform}-${process.arch}/`,
  import.meta.url,
);

/** Whether the native runtime is installed. */
export const hasRuntime = (): boolean => existsSync(runtimeFolder);
