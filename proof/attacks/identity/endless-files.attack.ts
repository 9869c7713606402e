import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { defineAttack } from "../house/define-attack.ts";
import { llmFlow } from "../house/sketches.ts";

export const attack = defineAttack({
  name: "a visitor fills the disk with attachments",
  env: { VISITOR_FILES_TOTAL: "20mb/50" },
  async run(house) {
    const agent = await house.agent(llmFlow());
    const visitor = house.visitor();
    const text = "word ".repeat(800_000);
    let taken = 0;
    let refusal = 0;
    for (let round = 0; round < 12 && refusal === 0; round += 1) {
      const { status } = await visitor.send(
        "POST",
        `/api/v1/attachments/${agent}/${randomUUID()}`,
        `--x\r\ncontent-disposition: form-data; name="files"; filename="f.txt"\r\n\r\n${text}\r\n--x--\r\n`,
        { headers: { "content-type": "multipart/form-data; boundary=x" } },
      );
      if (status === 200) taken += 1;
      else refusal = status;
    }
    assert.notEqual(refusal, 0, `${taken} files of 4 MB were taken.`);
    return `${taken} files of 4 MB were taken, then the answer was ${refusal}.`;
  },
});
