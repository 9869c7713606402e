import { randomUUID } from "node:crypto";
import { expectOk, isForLater, type PlayerOptions } from "./player.ts";

type Variable = { id: string; name: string; value: string };

/** Creates and updates of plain resources: what was acknowledged is there, with the value of then or a later one. */
export const variables: PlayerOptions = {
  name: "variables",
  weight: 2,
  async prepare(world) {
    const { client, cluster } = world;
    let acknowledged = new Map<string, { isFree: boolean; value: number }>();
    const note = (id: string, value: number) => void world.ledger.variables.set(id, value);
    return {
      async play() {
        const [id, known] = [...acknowledged].find(([, { isFree }]) => isFree) ?? [];
        if (id === undefined || known === undefined || world.random.next() < 0.5) {
          const body = { name: `v-${randomUUID()}`, value: "0" };
          const answer = await client.ask("POST", "/variables", body, { key: randomUUID() });
          const made = expectOk<Variable>(world, answer, "A create");
          if (made === undefined) return;
          acknowledged.set(made.id, { isFree: true, value: 0 });
          return note(made.id, 0);
        }
        known.isFree = false;
        const value = known.value + 1;
        const answer = await client.askOnce("PUT", `/variables/${id}`, { value: `${value}` });
        // A frozen server may still do it, after any later update: nobody updates this one again.
        if (answer === undefined) return;
        if (!isForLater(answer) && expectOk(world, answer, "An update")) {
          known.value = value;
          note(id, value);
        }
        known.isFree = true;
      },
      async collect() {
        const stored = new Map(
          (await cluster.call<Variable[]>("GET", "/variables")).map((row) => [row.id, Number(row.value)]),
        );
        for (const [id, { value }] of acknowledged) {
          const what = `The variable ${id} with the value ${value}`;
          world.facts.writes.push({ what, isThere: (stored.get(id) ?? -1) >= value });
        }
        acknowledged = new Map();
      },
    };
  },
};
