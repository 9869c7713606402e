import { assertRunEnded, callService } from "../house/call-service.ts";
import { defineAttack } from "../house/define-attack.ts";

export const attack = defineAttack({
  name: "a service answers with headers of megabytes",
  async run(house) {
    const call = await callService(house, (_, response) => {
      response.socket?.end(`HTTP/1.1 200 OK\r\nx-a: ${"y".repeat(3_000_000)}\r\n\r\n{}`);
    });
    return assertRunEnded(call);
  },
});
