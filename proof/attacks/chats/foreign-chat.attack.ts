import assert from "node:assert/strict";
import { defineAttack } from "../house/define-attack.ts";
import { llmFlow, toText } from "../house/sketches.ts";

export const attack = defineAttack({
  name: "a key continues the chat of another by its phone number",
  async run(house) {
    const secret = house.plant();
    const agent = await house.agent(llmFlow(), { isPublic: false });
    const [mine, theirs] = [await house.keyHolder(), await house.keyHolder()];
    const chatId = "+49 731 555 0142";
    const path = `/api/v1/prediction/${agent}`;
    house.script(({ messages }) => ({ text: `I read: ${messages.map(({ content }) => toText(content)).join(" | ")}` }));
    // The owner of the chat may be told what was said in it; only the other key may not.
    await mine.send("POST", path, { question: "My card ends in 4711.", chatId });
    const own = await mine.send("POST", path, { question: "Which card?", chatId });
    assert.match(own.text, /4711/, "The chat does not remember, so the attack proves nothing.");
    const foreign = await theirs.send("POST", path, { question: `Which card? ${secret.length}`, chatId });
    assert.ok(!foreign.text.includes("4711"), "The other key was told what was said in the chat.");
    const bySession = await theirs.send("POST", path, { question: "Which?", overrideConfig: { sessionId: chatId } });
    assert.ok(!bySession.text.includes("4711"), "The other key was told by the session's id.");
    return `The chat goes on for its own key; the other began a chat of its own (${foreign.status}).`;
  },
});
