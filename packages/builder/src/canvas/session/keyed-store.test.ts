import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createKeyedStore } from "./keyed-store.ts";

describe("a keyed store", () => {
  it("tells only those whose value changed", () => {
    const store = createKeyedStore<string>();
    const heard: string[] = [];
    for (const key of ["a", "b"]) store.subscribe(key, () => heard.push(`${key} ${store.get(key)}`));
    store.set("a", "1");
    store.set("a", "1");
    store.replace(new Map([["b", "2"]]));
    store.replace(new Map([["b", "2"]]));
    assert.deepEqual(heard, ["a 1", "a undefined", "b 2"]);
  });

  it("keeps a value that is the same in another object, and forgets who left", () => {
    const store = createKeyedStore<string[]>((a, b) => a?.join() === b?.join());
    let calls = 0;
    const leave = store.subscribe("a", () => {
      calls += 1;
    });
    store.set("a", ["x"]);
    const before = store.get("a");
    store.replace(new Map([["a", ["x"]]]));
    assert.equal(store.get("a"), before);
    leave();
    store.set("a", ["y"]);
    assert.equal(calls, 1);
  });
});
