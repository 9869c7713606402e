import { enableCompileCache } from "node:module";

enableCompileCache();
// Only now: what is imported before goes into no cache.
const { serve } = await import("./serve.ts");
await serve();
