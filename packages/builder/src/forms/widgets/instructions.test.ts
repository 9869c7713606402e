import assert from "node:assert/strict";
import { test } from "node:test";
import { withInstructions } from "./list-widgets.tsx";

const system = (content: string) => ({ role: "system", content });
const user = { role: "user", content: "Hi" };

test("instructions come first where there were none, and stay where they are", () => {
  assert.deepEqual(withInstructions([user], -1, system("A")), [system("A"), user]);
  assert.deepEqual(withInstructions([user, { ...system("A"), more: 1 }], 1, system("B")), [
    user,
    { role: "system", content: "B", more: 1 },
  ]);
});

test("empty instructions are no message", () => {
  const list = [user];
  assert.equal(withInstructions(list, -1, system("")), list);
  assert.deepEqual(withInstructions([system("A"), user], 0, system("")), [user]);
});
