import assert from "node:assert/strict";
import { test } from "node:test";
import { createLogger } from "@weft/http/logger";
import type { RunEvent } from "@weft/schema";
import { until } from "../../../database/src/testing/until.ts";
import { systemClock } from "../system-clock.ts";
import { createRunBroadcast } from "./run-broadcast.ts";
import { createRunTail } from "./run-tail.ts";

const logger = createLogger({ level: "silent", write: () => undefined, now: () => 0 });
const warning = (seq: number): RunEvent => ({ type: "run-warning", code: "c", message: "m", seq, at: 0 }) as never;

test("a run that another process says has gone on is read at once, without the next look at all runs", async (t) => {
  const journal = [warning(1)];
  const tail = createRunTail({
    store: {
      find: async () => undefined,
      eventsAfter: async (_, seq) => journal.filter((event) => event.seq > seq),
      // The look at all runs never comes to an end.
      lastSeqs: () => new Promise(() => undefined),
      isAnyHeld: async () => true,
    },
    clock: systemClock,
    broadcast: createRunBroadcast(),
    isHere: () => false,
    logger,
  });
  t.after(tail.close);
  const seen: number[] = [];
  t.after(tail.follow("a", 0, { events: (events) => void seen.push(...events.map(({ seq }) => seq)) }));
  await until(() => (seen.length === 1 ? true : undefined));
  journal.push(warning(2), warning(3));
  tail.look(["another"]);
  tail.look(["another", "a"]);
  await until(() => (seen.length === 3 ? true : undefined));
  tail.look(["a"]);
  assert.deepEqual(seen, [1, 2, 3]);
});

test("a run elsewhere is read once it is heard, so that nothing falls between", async (t) => {
  const journal = [warning(1)];
  let reads = 0;
  const heard = Promise.withResolvers<() => void>();
  const tail = createRunTail({
    store: {
      find: async () => undefined,
      async eventsAfter(_, seq) {
        reads += 1;
        return journal.filter((event) => event.seq > seq);
      },
      lastSeqs: () => new Promise(() => undefined),
      isAnyHeld: async () => true,
    },
    clock: systemClock,
    broadcast: createRunBroadcast(),
    isHere: () => false,
    listen(_, onHeard) {
      heard.resolve(onHeard);
      return () => undefined;
    },
    logger,
  });
  t.after(tail.close);
  const seen: number[] = [];
  t.after(tail.follow("a", 0, { events: (events) => void seen.push(...events.map(({ seq }) => seq)) }));
  const onHeard = await heard.promise;
  journal.push(warning(2));
  onHeard();
  await until(() => (seen.length === 2 ? true : undefined));
  assert.deepEqual([seen, reads], [[1, 2], 1]);
});
