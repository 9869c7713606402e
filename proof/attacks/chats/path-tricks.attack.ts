import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { defineAttack } from "../house/define-attack.ts";
import { llmFlow } from "../house/sketches.ts";

export const attack = defineAttack({
  name: "chat ids and file names climb out of their folder",
  async run(house) {
    const agent = await house.agent(llmFlow());
    const visitor = house.visitor();
    const evil = ["..%2F..%2Fetc", "%2e%2e%2f", "a%00b", "..%5c..%5c", "%0d%0aset-cookie:x", "%ff%fe"];
    for (const id of evil) {
      for (const path of [
        `/api/v1/attachments/${agent}/${id}`,
        `/api/v1/chatmessage/abort/${agent}/${id}`,
        `/api/v1/get-upload-file?chatflowId=${agent}&chatId=${id}&fileName=database.sqlite`,
        `/api/v1/get-upload-file?chatflowId=${agent}&chatId=${randomUUID()}&fileName=${id}`,
      ]) {
        const method = path.includes("get-upload") ? "GET" : path.includes("abort") ? "PUT" : "POST";
        const { status, text } = await visitor.send(method, path);
        assert.ok(status >= 400 && status < 500, `${method} ${path} answered ${status}.`);
        assert.ok(!/SQLite|root:/.test(text), `${path} shows a file of the server.`);
      }
    }
    return `${evil.length} ids at four places were refused.`;
  },
});
