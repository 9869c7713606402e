import assert from "node:assert/strict";
import { defineAttack } from "../house/define-attack.ts";
import { llmFlow } from "../house/sketches.ts";

export const attack = defineAttack({
  name: "a form of a hundred thousand parts",
  async run(house) {
    const agent = await house.agent(llmFlow());
    const visitor = house.visitor();
    const part = (index: number) => `--x\r\ncontent-disposition: form-data; name="f${index}"\r\n\r\nv\r\n`;
    const body = `${Array.from({ length: 100_000 }, (_, index) => part(index)).join("")}--x--\r\n`;
    const { status, text } = await visitor.send("POST", `/api/v1/prediction/${agent}`, body, {
      headers: { "content-type": "multipart/form-data; boundary=x" },
    });
    assert.ok([400, 413, 422].includes(status), `It was answered with ${status}.`);
    assert.ok(text.length < 4_000, `The refusal is ${text.length} characters long.`);
    return `${(body.length / 1e6).toFixed(1)} MB were refused with ${status}.`;
  },
});
