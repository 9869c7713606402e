import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSSyncVariant,
  type QuickJSWASMModule,
} from "quickjs-emscripten-core";

/** QuickJS in a linear memory of its own that cannot outgrow its limit. */
export type BoundedModule = {
  quickjs: QuickJSWASMModule;
  memoryLimitBytes: number;
  /** Whether memory was ever refused: the state left by a failed allocation is unknown. */
  isSpent(): boolean;
  /** Whether it was refused only because other modules of this thread hold much. */
  wasCrowdedOut(): boolean;
  grownBytes(): number;
};

export type ModuleLimits = {
  memoryLimitBytes: number;
  /** Total growth of all modules of this thread, beyond their initial memory. */
  sharedBytes: number;
};

/** The interpreters of one thread: compiled once, one instance for each call in progress. */
export type Modules = {
  take(): Promise<BoundedModule>;
  /** Returns one whose runtimes are all freed. */
  give(module: BoundedModule): void;
};

/**
 * Loads the interpreter. The runtime's own `setMemoryLimit` counts allocations but not their sizes on this platform (a
 * limit of 64 MiB was seen to let 248 MiB through), so the growth of the memory itself is limited. The interpreter
 * turns a refused growth into an `out of memory` that the code can see.
 */
export async function createModules({ memoryLimitBytes, sharedBytes }: ModuleLimits): Promise<Modules> {
  const path = fileURLToPath(import.meta.resolve("@jitl/quickjs-wasmfile-release-sync/wasm"));
  const wasmModule = await WebAssembly.compile(await readFile(path));
  const { default: published } = await import("@jitl/quickjs-wasmfile-release-sync");
  // Its declarations are those of CommonJS.
  const variant = newVariant(published as unknown as QuickJSSyncVariant, { wasmModule });
  const idle: BoundedModule[] = [];
  let grownBytes = 0;

  async function load(): Promise<BoundedModule> {
    const quickjs = await newQuickJSWASMModuleFromVariant(variant);
    const memory = quickjs.getWasmMemory();
    const grow = memory.grow.bind(memory);
    let ownBytes = 0;
    let isSpent = false;
    let wasCrowdedOut = false;
    memory.grow = (pages: number) => {
      const bytes = pages * pageBytes;
      const isTooMuch = memory.buffer.byteLength + bytes > memoryLimitBytes;
      const isCrowded = grownBytes > ownBytes && grownBytes + bytes > sharedBytes;
      if (isTooMuch || isCrowded) {
        isSpent = true;
        wasCrowdedOut ||= !isTooMuch;
        throw new RangeError("The sandbox's memory limit is reached.");
      }
      ownBytes += bytes;
      grownBytes += bytes;
      return grow(pages);
    };
    return {
      quickjs,
      memoryLimitBytes,
      isSpent: () => isSpent,
      wasCrowdedOut: () => wasCrowdedOut,
      grownBytes: () => ownBytes,
    };
  }

  return {
    take: async () => idle.pop() ?? (await load()),
    give(module) {
      // One that has grown never shrinks again.
      if (module.isSpent() || module.grownBytes() > 0) grownBytes -= module.grownBytes();
      else if (idle.length < keptModules) idle.push(module);
    },
  };
}

/** Missing from Node's types. */
declare const WebAssembly: { compile(bytes: Uint8Array): Promise<object> };

const pageBytes = 65_536;
const keptModules = 2;
