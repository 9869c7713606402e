import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { defineAttack } from "../house/define-attack.ts";
import { llmFlow } from "../house/sketches.ts";

export const attack = defineAttack({
  name: "a visitor has answers read aloud again and again, and texts of its own",
  async run(house) {
    const voice = await house.shop((_, response) => response.setHeader("content-type", "audio/mpeg").end("ID3"));
    const plainDataObj = { openAIApiKey: "sk-owner", baseUrl: `${voice.url}/v1` };
    const body = { name: "Voice", credentialName: "openAIApi", plainDataObj };
    const { id: credentialId } = await house.owner<{ id: string }>("POST", "/credentials", body);
    const chatbotConfig = JSON.stringify({ textToSpeech: { openai: { status: true, voice: "nova", credentialId } } });
    const chatflowId = await house.agent(llmFlow(), { chatbotConfig });
    const visitor = house.visitor();
    const chatId = randomUUID();
    const answer = await visitor.send("POST", `/api/v1/prediction/${chatflowId}`, { question: "Hi", chatId });
    const { chatMessageId } = answer.json<{ chatMessageId: string }>();
    const own = "My own long text. ".repeat(1_000);
    const read = (more: object) =>
      house
        .visitor()
        .send("POST", "/api/v1/text-to-speech/generate", { chatflowId, chatId, chatMessageId, text: own, ...more });
    const answers = await Promise.all(Array.from({ length: 20 }, () => read({})));
    await Promise.all(Array.from({ length: 10 }, () => read({ chatId: randomUUID(), chatMessageId: randomUUID() })));
    const statuses = answers.map(({ status }) => status);
    assert.ok(statuses.includes(200), `Nothing was read: ${answers[0]?.text.slice(0, 300)}`);
    assert.equal(voice.received.length, 1, `The service was asked ${voice.received.length} times.`);
    assert.ok(!voice.hasSeen("My own long text"), "The visitor's own text was read.");
    return `Of 30 requests one was read, as the chat holds it; the others were answered with ${Math.max(...statuses)}.`;
  },
});
