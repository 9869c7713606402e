import assert from "node:assert/strict";
import { defineAttack } from "../house/define-attack.ts";
import { llmFlow } from "../house/sketches.ts";

export const attack = defineAttack({
  name: "a key fetches the file of another key's chat",
  async run(house) {
    const agent = await house.agent(llmFlow(), { isPublic: false });
    const permissions = ["predictions:run", "attachments:write", "messages:read"];
    const [mine, theirs] = [await house.keyHolder({ permissions }), await house.keyHolder({ permissions })];
    const chatId = "customer-4712";
    const data = `data:text/plain;base64,${Buffer.from("The code is 8842").toString("base64")}`;
    const uploads = [{ type: "file", name: "code.txt", mime: "text/plain", data }];
    const asked = await mine.send("POST", `/api/v1/prediction/${agent}`, { question: "Keep it", chatId, uploads });
    assert.equal(asked.status, 200, asked.text);
    const path = `/api/v1/get-upload-file?chatflowId=${agent}&chatId=${chatId}&fileName=code.txt`;
    const own = await mine.send("GET", path);
    const foreign = await theirs.send("GET", path);
    assert.ok(!foreign.text.includes("8842"), "The other key got the file.");
    return `Its own key was answered with ${own.status}, the other with ${foreign.status}.`;
  },
});
