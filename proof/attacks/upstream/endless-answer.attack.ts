import { assertRunEnded, callService, sendForever } from "../house/call-service.ts";
import { defineAttack } from "../house/define-attack.ts";

export const attack = defineAttack({
  name: "a service answers without end",
  run: async (house) => assertRunEnded(await callService(house, sendForever("x".repeat(100_000), 5))),
});
