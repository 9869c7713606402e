import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import { assertRunEnded, callService } from "../house/call-service.ts";
import { defineAttack } from "../house/define-attack.ts";

export const attack = defineAttack({
  name: "a service answers with 300 MB in 300 kB",
  async run(house) {
    const bomb = gzipSync(Buffer.alloc(300_000_000));
    const before = house.platform.residentMb();
    const call = await callService(house, (_, response) => {
      response.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" }).end(bomb);
    });
    const grown = house.platform.residentMb() - before;
    assert.ok(grown < 300, `The server grew by ${grown.toFixed(0)} MB.`);
    return assertRunEnded(call);
  },
});
