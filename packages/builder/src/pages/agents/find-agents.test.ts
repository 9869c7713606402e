import assert from "node:assert/strict";
import { test } from "node:test";
import { allTags, findAgents, stepTypesOf, tagsOf, toCategory } from "./find-agents.ts";

const agent = (name: string, category: string, day: number) => ({ name, category, updatedDate: `2026-01-0${day}` });
const agents = [agent("Support", "Sales; EU", 1), agent("Router", "", 3), agent("Support US", "Sales;US;Sales", 2)];
const namesOf = (search: string, tags: string[] = []) => findAgents(agents, { search, tags }).map(({ name }) => name);

test("tags are the parts of the category", () => {
  assert.deepEqual(tagsOf({ category: " a ;;b;a" }), ["a", "b"]);
  assert.deepEqual(tagsOf({ category: "" }), []);
  assert.deepEqual(allTags(agents), ["EU", "Sales", "US"]);
  assert.equal(toCategory(["a", "b;c"]), "a;b,c");
});

test("agents are found by every word of name and tags, the last changed first", () => {
  assert.deepEqual(namesOf(""), ["Router", "Support US", "Support"]);
  assert.deepEqual(namesOf("SUPPORT us"), ["Support US"]);
  assert.deepEqual(namesOf("sales"), ["Support US", "Support"]);
  assert.deepEqual(namesOf("nothing"), []);
  assert.deepEqual(namesOf("", ["Sales", "EU"]), ["Support"]);
});

test("the steps of a flow are those of our own format", () => {
  const nodes = [{ type: "start" }, { type: "agent" }];
  assert.deepEqual(stepTypesOf(JSON.stringify({ weft: 1, nodes })), ["start", "agent"]);
  assert.deepEqual(stepTypesOf(JSON.stringify({ nodes })), []);
  assert.deepEqual(stepTypesOf("{"), []);
});
