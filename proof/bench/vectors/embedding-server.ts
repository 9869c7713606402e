import { createScriptedEmbeddingServer } from "../../../packages/providers/src/testing/index.ts";

// The vendor, in a process of its own: sends its address and ends with the first message.

const server = await createScriptedEmbeddingServer({ record: false });
process.once("message", async () => {
  await server.close();
  process.disconnect();
});
process.send?.(server.url);
