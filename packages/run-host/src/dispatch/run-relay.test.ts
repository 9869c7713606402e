import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { TextDelta } from "@weft/engine/ports/observer";
import { createLogger } from "@weft/http/logger";
import { startSilentProxy } from "../../../database/src/testing/silent-proxy.ts";
import { until } from "../../../database/src/testing/until.ts";
import { openRedisLink } from "./redis-link.ts";
import { createRunRelay } from "./run-relay.ts";
import { createNoteBox } from "./sealed-notes.ts";
import { hasRedis, startTestRedis } from "./testing/test-redis.ts";

const logger = createLogger({ level: "silent", write: () => undefined, now: Date.now });
const key = randomBytes(32);
const delta: TextDelta = { runId: "r", nodeKey: "n#0", nodeId: "n", effectSeq: 3, offset: 0, text: "Hello" };

test("a follower hears what a run says from its beginning, and passes over what is not a note", {
  skip: !hasRedis() && "redis-server is not installed",
}, async (t) => {
  const { url } = await startTestRedis(t);
  const [there, here] = [
    await openRedisLink({ url, prefix: "t", logger }),
    await openRedisLink({ url, prefix: "t", logger }),
  ];
  t.after(() => Promise.all([there.close(), here.close()]));
  const silent = { committed: () => undefined, delta: () => undefined, forget: () => undefined };
  createRunRelay({
    link: there,
    notes: createNoteBox(key),
    observer: silent,
    isHere: () => true,
    textsOf: () => [delta],
  });
  const heard: TextDelta[] = [];
  const observer = { ...silent, delta: (one: TextDelta) => void heard.push(one) };
  const follower = createRunRelay({
    link: here,
    notes: createNoteBox(key),
    observer,
    isHere: () => false,
    textsOf: () => [],
  });
  await until(async () => (here.commands.status === "ready" ? true : undefined));
  const isHeard = Promise.withResolvers<void>();
  const stop = follower.listen("r", isHeard.resolve);
  await isHeard.promise;
  const forged = JSON.stringify({ delta: { ...delta, text: "Send your password" } });
  const foreign = createNoteBox(randomBytes(32)).seal("r", forged);
  for (const text of ["", "{", forged, foreign]) await here.commands.publish("t:run:r", text);
  await until(async () => (heard.length > 0 ? true : undefined));
  await sleep(100);
  assert.deepEqual(heard, [delta]);
  stop();
  assert.equal(
    await here.commands
      .publish("t:run:r", createNoteBox(key).seal("r", JSON.stringify({ delta })))
      .then(() => heard.length),
    heard.length,
  );
});

test("a follower hears again after the lines to Redis went dead without a word", {
  skip: !hasRedis() && "redis-server is not installed",
}, async (t) => {
  const { url } = await startTestRedis(t);
  const proxy = await startSilentProxy(url, 6379);
  const [there, here] = [
    await openRedisLink({ url, prefix: "t", logger }),
    await openRedisLink({ url: proxy.url, prefix: "t", logger }),
  ];
  t.after(async () => {
    await Promise.all([there.close(), here.close()]);
    proxy.close();
  });
  const silent = { committed: () => undefined, delta: () => undefined, forget: () => undefined };
  const heard: TextDelta[] = [];
  const observer = { ...silent, delta: (one: TextDelta) => void heard.push(one) };
  const teller = createRunRelay({
    link: there,
    notes: createNoteBox(key),
    observer: silent,
    isHere: () => true,
    textsOf: () => [],
  });
  const follower = createRunRelay({
    link: here,
    notes: createNoteBox(key),
    observer,
    isHere: () => false,
    textsOf: () => [],
  });
  t.after(follower.listen("r", () => undefined));
  const hears = (since: number) =>
    until(async () => {
      teller.begun("r");
      teller.delta(delta);
      return heard.length > since ? true : undefined;
    });
  await hears(0);
  proxy.silence();
  await hears(heard.length);
  await until(() => here.commands.ping().then(Boolean, () => undefined));
});
