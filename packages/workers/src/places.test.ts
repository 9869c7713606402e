import assert from "node:assert/strict";
import { test } from "node:test";
import { createPlaces, type Places } from "./places.ts";

const known = (name: string) => ({ name, isAnonymous: false });
const visitor = (name: string) => ({ name, isAnonymous: true });

function takeAll(places: Places, share: { name: string; isAnonymous: boolean }): number {
  let count = 0;
  while (places.take(share)) count += 1;
  return count;
}

test("one share takes half, the next ones less, and a newcomer always finds a place", () => {
  const places = createPlaces({ total: 64 });
  assert.deepEqual(
    ["a", "b", "c", "d"].map((name) => takeAll(places, known(name))),
    [32, 16, 8, 4],
  );
  for (const name of ["e", "f", "g", "h"]) assert.ok(places.take(known(name)), name);
  assert.equal(places.take(known("i")), false);
});

test("shares that come together get the same", () => {
  const places = createPlaces({ total: 64 });
  const names = ["a", "b", "c"];
  for (let round = 0; round < 64; round += 1) for (const name of names) places.take(known(name));
  assert.deepEqual(
    names.map((name) => places.heldBy(known(name))),
    [16, 16, 16],
  );
});

test("visitors have a part that they share among themselves", () => {
  const places = createPlaces({ total: 64, anonymous: 16 });
  assert.equal(takeAll(places, visitor("a")), 8);
  for (let index = 0; index < 100; index += 1) places.take(visitor(`${index}`));
  assert.equal(places.mayTake(visitor("new")), false);
  assert.ok(takeAll(places, known("a")) >= 24);
});

test("an agent with many callers leaves places for the callers of others", () => {
  const places = createPlaces({ total: 64, anonymous: 32 });
  const callerOf = (group: string, index: number) => ({ ...visitor(`${group} ${index}`), group });
  const taken = Array.from({ length: 100 }, (_, index) => places.take(callerOf("busy", index))).filter(Boolean);
  assert.equal(taken.length, 24);
  assert.ok(places.take(callerOf("other", 0)));
  for (let index = 0; index < 24; index += 1) places.give(callerOf("busy", index));
  assert.ok(places.take(callerOf("busy", 200)), "what is given back can be taken");
});

test("a place that is given back can be taken; there is one even where there is nothing to share", () => {
  const single = createPlaces({ total: 1 });
  assert.ok(single.take(visitor("a")));
  assert.equal(single.take(known("a")), false);
  single.give(visitor("a"));
  assert.ok(single.take(known("a")));
  assert.equal(takeAll(createPlaces({ total: 2 }), known("a")), 1);
  assert.equal(takeAll(createPlaces({ total: 0 }), known("a")), 0);
  assert.equal(takeAll(createPlaces({ total: Number.POSITIVE_INFINITY, anonymous: 3 }), visitor("a")), 1);
});
