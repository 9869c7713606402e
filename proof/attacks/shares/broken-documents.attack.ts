import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { defineAttack } from "../house/define-attack.ts";
import { assertQuick, pause, timed } from "../house/hold-answers.ts";
import { llmFlow } from "../house/sketches.ts";

/** A PDF whose object table points at itself. */
const brokenPdf = `%PDF-1.7\n${"1 0 obj<</Type/Pages/Kids[1 0 R]/Count 1000000/Parent 1 0 R>>endobj\n".repeat(20_000)}trailer<</Root 1 0 R>>`;

export const attack = defineAttack({
  name: "twelve broken PDFs hold those who read documents",
  async run(house) {
    const agent = await house.agent(llmFlow());
    const other = await house.agent(llmFlow());
    const attach = (to: string, name: string, text: string) =>
      house
        .visitor()
        .send(
          "POST",
          `/api/v1/attachments/${to}/${randomUUID()}`,
          `--x\r\ncontent-disposition: form-data; name="files"; filename="${name}"\r\n\r\n${text}\r\n--x--\r\n`,
          { headers: { "content-type": "multipart/form-data; boundary=x" } },
        );
    const broken = Array.from({ length: 12 }, (_, index) => attach(agent, `broken-${index}.pdf`, brokenPdf));
    await pause(200);
    const { value, tookMs } = await timed(() => attach(other, "good.md", "# Good\n\nHello there."));
    await Promise.all(broken);
    assert.equal(value.status, 200, value.text);
    assertQuick(tookMs, 3_000);
    return `Beside twelve broken PDFs a good document was read in ${tookMs.toFixed(0)} ms.`;
  },
});
