import { enableCompileCache } from "node:module";

enableCompileCache();
// Imported late: earlier imports are not in the compile cache.
const { serve } = await import("./serve.ts");
await serve();
