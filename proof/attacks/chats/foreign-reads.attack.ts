import assert from "node:assert/strict";
import { defineAttack } from "../house/define-attack.ts";
import { llmFlow } from "../house/sketches.ts";

export const attack = defineAttack({
  name: "a key reads, aborts and rates the chats of another",
  async run(house) {
    const agent = await house.agent(llmFlow(), { isPublic: false });
    const permissions = [
      "predictions:run",
      "messages:read",
      "messages:write",
      "executions:read",
      "executions:write",
      "feedback:read",
      "feedback:write",
      "attachments:write",
    ];
    const [mine, theirs] = [await house.keyHolder({ permissions }), await house.keyHolder({ permissions })];
    const chatId = "customer-4711";
    const said = "my iban is DE02 1203 0000 0000 2020 51";
    const { text } = await mine.send("POST", `/api/v1/prediction/${agent}`, { question: said, chatId });
    const { executionId, chatMessageId } = JSON.parse(text) as { executionId: string; chatMessageId: string };
    const own = await mine.send("GET", `/api/v1/chatmessage/${agent}?chatId=${chatId}`);
    assert.match(own.text, /iban/, "The key does not see its own chat, so the attack proves nothing.");
    const tries = [
      ["GET", `/api/v1/chatmessage/${agent}?chatId=${chatId}`],
      ["GET", `/api/v1/chatmessage/${agent}`],
      ["GET", `/api/v1/executions/${executionId}`],
      ["GET", `/api/v1/executions/${executionId}/events`],
      ["GET", `/api/v1/executions?agentflowId=${agent}`],
      ["GET", "/api/v1/executions?page=1&limit=50"],
      ["GET", `/api/v1/feedback/${agent}?chatId=${chatId}`],
      ["PUT", `/api/v1/chatmessage/abort/${agent}/${chatId}`],
    ] as const;
    for (const [method, path] of tries) {
      const { text: seen } = await theirs.send(method, path);
      assert.ok(!seen.includes("iban") && !seen.includes(chatMessageId), `${method} ${path} shows the chat.`);
    }
    await theirs.send("DELETE", `/api/v1/chatmessage/${agent}?chatId=${chatId}`);
    const after = await mine.send("GET", `/api/v1/chatmessage/${agent}?chatId=${chatId}`);
    assert.match(after.text, /iban/, "The other key deleted the chat.");
    return `${tries.length} reads of another key showed nothing, and its deletion deleted nothing.`;
  },
});
