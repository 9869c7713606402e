import { newQuickJSWASMModuleFromVariant, type QuickJSWASMModule } from "quickjs-emscripten-core";

/** QuickJS in a linear memory that cannot outgrow its limit. */
export type BoundedModule = {
  quickjs: QuickJSWASMModule;
  memoryLimitBytes: number;
  /** Whether memory was ever refused: what an allocation without an answer left behind is unknown. */
  isSpent(): boolean;
};

/**
 * Loads the interpreter. The runtime's own `setMemoryLimit` counts allocations but not their sizes on this platform
 * (a limit of 64 MiB was seen to let 248 MiB through), so the growth of the memory itself is limited. The interpreter
 * turns a refused growth into an `out of memory` that the code can see.
 */
export async function loadBoundedModule(memoryLimitBytes: number): Promise<BoundedModule> {
  const quickjs = await newQuickJSWASMModuleFromVariant(import("@jitl/quickjs-wasmfile-release-sync"));
  const memory = quickjs.getWasmMemory();
  const grow = memory.grow.bind(memory);
  let refusals = 0;
  memory.grow = (pages: number) => {
    if (memory.buffer.byteLength + pages * pageBytes > memoryLimitBytes) {
      refusals += 1;
      throw new RangeError("The sandbox's memory limit is reached.");
    }
    return grow(pages);
  };
  return { quickjs, memoryLimitBytes, isSpent: () => refusals > 0 };
}

const pageBytes = 65_536;
