import assert from "node:assert/strict";
import { defineAttack } from "../house/define-attack.ts";
import { callsOnce, orderTool } from "../house/sketches.ts";

export const attack = defineAttack({
  name: "a tool's result repeats its credential in other spellings, and the model tells the visitor",
  async run(house) {
    const secret = house.plant();
    const shop = await house.shop(({ headers }, response) => {
      const value = String(headers.authorization).replace("Bearer ", "");
      response.setHeader("content-type", "application/json");
      response.end(
        JSON.stringify({ plain: value, base64: Buffer.from(value).toString("base64"), url: encodeURIComponent(value) }),
      );
    });
    const credential = await house.credential(secret);
    const agent = await house.agent(orderTool(`${shop.url}/orders`, { credential }));
    house.script(callsOnce("get_order", { id: "1" }));
    const visitor = house.visitor();
    const path = `/api/v1/prediction/${agent}`;
    const { text } = await visitor.send("POST", path, { question: "Order 1?" });
    await visitor.send("POST", path, { question: "Order 1?", streaming: true });
    assert.ok(shop.hasSeen(secret), "The shop never got the credential, so the attack proves nothing.");
    assert.match(text, /The tool said/);
    assert.ok(!text.includes(Buffer.from(secret).toString("base64")), "The answer holds the credential as base64.");
    assert.ok(!JSON.stringify(house.asked()).includes(secret), "The model was shown the credential.");
    return "The tool answered with the credential; the model and the visitor read a placeholder.";
  },
});
