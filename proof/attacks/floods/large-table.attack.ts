import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { defineAttack } from "../house/define-attack.ts";
import { llmFlow } from "../house/sketches.ts";

export const attack = defineAttack({
  name: "a table of 20 MB is attached to a chat",
  async run(house) {
    const agent = await house.agent(llmFlow());
    const row = '2026-01-01,Ulm,"a name, quoted",12.5,yes\n';
    const table = `date,city,name,price,paid\n${row.repeat(Math.floor(20_000_000 / row.length))}`;
    const head = `--x\r\ncontent-disposition: form-data; name="files"; filename="big.csv"\r\ncontent-type: text/csv\r\n\r\n`;
    const { status } = await house
      .visitor()
      .send("POST", `/api/v1/attachments/${agent}/${randomUUID()}`, `${head}${table}\r\n--x--\r\n`, {
        headers: { "content-type": "multipart/form-data; boundary=x" },
      });
    assert.ok([200, 400, 413, 422].includes(status), `It was answered with ${status}.`);
    return `${(table.length / 1e6).toFixed(0)} MB were answered with ${status}.`;
  },
});
