import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type PortRule, portsOf } from "./port-rule.ts";

const branches: PortRule[] = [
  { each: "branches", titleField: "title", title: "Branch {n}" },
  { id: "else", title: "Else", onlyWith: "hasElse" },
];

describe("portsOf", () => {
  it("gives a port for each entry, titled by the entry or by its number", () => {
    const config = { branches: [{ id: "a", title: "Urgent" }, { id: "b", title: "" }, { id: "c" }], hasElse: true };
    assert.deepEqual(portsOf(branches, config), [
      { id: "a", title: "Urgent" },
      { id: "b", title: "Branch 2" },
      { id: "c", title: "Branch 3" },
      { id: "else", title: "Else" },
    ]);
  });

  it("leaves a port out whose field is off, and what is half written", () => {
    assert.deepEqual(portsOf(branches, { branches: [{ title: "No id yet" }, null, 3], hasElse: false }), []);
    assert.deepEqual(portsOf(branches, {}), []);
  });

  it("takes a title from the config, and else its own", () => {
    const rules: PortRule[] = [{ id: "proceed", title: "Proceed", titleField: "proceedLabel" }];
    assert.deepEqual(portsOf(rules, { proceedLabel: "Send" }), [{ id: "proceed", title: "Send" }]);
    assert.deepEqual(portsOf(rules, { proceedLabel: "" }), [{ id: "proceed", title: "Proceed" }]);
  });

  it("takes strings as ids, and shortens long titles", () => {
    assert.deepEqual(portsOf([{ each: "names", title: "{id}" }], { names: ["yes", "$&"] }), [
      { id: "yes", title: "yes" },
      { id: "$&", title: "$&" },
    ]);
    const [port] = portsOf(branches, { branches: [{ id: "a", title: "x".repeat(500) }] });
    assert.equal(port?.title.length, 100);
  });
});
