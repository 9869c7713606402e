import { assertRunEnded, callService, sendForever } from "../house/call-service.ts";
import { defineAttack } from "../house/define-attack.ts";

export const attack = defineAttack({
  name: "a service sends one byte a second",
  run: async (house) => assertRunEnded(await callService(house, sendForever("x", 500))),
});
