import assert from "node:assert/strict";
import { defineAttack } from "../house/define-attack.ts";

export const attack = defineAttack({
  name: "a chat client's key uses what it was not given",
  async run(house) {
    const holder = await house.keyHolder({ permissions: ["predictions:run"] });
    const tries = [
      ["GET", "/api/v1/credentials"],
      ["GET", "/api/v1/apikey"],
      ["POST", "/api/v1/apikey"],
      ["POST", "/api/v1/chatflows"],
      ["GET", "/api/v1/variables"],
      ["GET", "/api/v1/executions"],
      ["POST", "/api/v1/tools"],
      ["GET", "/api/v1/document-store/store"],
    ] as const;
    for (const [method, path] of tries) {
      const { status } = await holder.send(method, path, method === "POST" ? { name: "x", keyName: "x" } : undefined);
      assert.equal(status, 403, `${method} ${path} answered ${status}.`);
    }
    return `${tries.length} operations answered 403.`;
  },
});
