import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { defineAttack } from "../house/define-attack.ts";

export const attack = defineAttack({
  name: "every operation of the API without credentials",
  async run(house) {
    const visitor = house.visitor();
    const document = (await visitor.send("GET", "/openapi.json")).json<{
      paths: Record<string, Record<string, unknown>>;
    }>();
    const id = randomUUID();
    const open = new Set<string>();
    let refused = 0;
    for (const [template, operations] of Object.entries(document.paths)) {
      const path = template.replace(/\{[^}]+\}/g, id);
      for (const method of Object.keys(operations)) {
        const { status } = await visitor.send(method.toUpperCase(), path, method === "get" ? undefined : {});
        if (status === 401) refused += 1;
        else open.add(`${method.toUpperCase()} ${template} ${status}`);
      }
    }
    const known =
      /ping|auth\/|livez|readyz|webhook|openapi\.json|event-api|public-|chatflows-(streaming|uploads)|prediction|feedback|leads|attachments|abort|replies|get-upload-file|verify|oauth|chatkit|agui|a2a|widget|version|invitations\/(look|accept)/;
    const strange = [...open].filter((entry) => !known.test(entry));
    assert.deepEqual(strange, []);
    assert.ok(refused > 60, `Only ${refused} operations asked for credentials.`);
    return `${refused} operations answered 401; ${open.size} are open by declaration, for agents that are public or known to exist.`;
  },
});
