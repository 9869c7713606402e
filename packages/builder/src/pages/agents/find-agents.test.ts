import assert from "node:assert/strict";
import { test } from "node:test";
import type { AgentStats } from "@weft/client";
import { type AgentSort, allTags, findAgents, sortAgents, tagsOf, toCategory } from "./find-agents.ts";

const agent = (name: string, category: string, day: number) => ({
  id: name,
  name,
  category,
  updatedDate: `2026-01-0${day}`,
});
const agents = [agent("Support", "Sales; EU", 1), agent("Router", "", 3), agent("Support US", "Sales;US;Sales", 2)];
const namesOf = (search: string, tags: string[] = []) => findAgents(agents, { search, tags }).map(({ name }) => name);

test("tags are the parts of the category", () => {
  assert.deepEqual(tagsOf(" a ;;b;a"), ["a", "b"]);
  assert.deepEqual(tagsOf(""), []);
  assert.deepEqual(allTags(agents), ["EU", "Sales", "US"]);
  assert.equal(toCategory(["a", "b;c"]), "a;b,c");
});

test("agents are found by every word of name and tags", () => {
  assert.deepEqual(namesOf(""), ["Support", "Router", "Support US"]);
  assert.deepEqual(namesOf("SUPPORT us"), ["Support US"]);
  assert.deepEqual(namesOf("sales"), ["Support", "Support US"]);
  assert.deepEqual(namesOf("nothing"), []);
  assert.deepEqual(namesOf("", ["Sales", "EU"]), ["Support"]);
});

test("agents are sorted by name, change and runs; equal ones by their change", () => {
  const some = [agent("b10", "", 1), agent("A", "", 2), agent("b9", "", 4), agent("c", "", 3)];
  const statsOf = (id: string, runs: number, updatedDate: string): [string, AgentStats] => [
    id,
    { agentflowId: id, runs, failures: 0, volume: [], lastRun: { id: "run", state: "FINISHED", updatedDate } },
  ];
  const stats = new Map([statsOf("b10", 0, "2026-01-09"), statsOf("A", 7, "2026-01-08")]);
  const namesBy = (sort: AgentSort, known?: typeof stats) => sortAgents(some, sort, known).map(({ name }) => name);
  assert.deepEqual(namesBy("changed", stats), ["b9", "c", "A", "b10"]);
  assert.deepEqual(namesBy("name", stats), ["A", "b9", "b10", "c"]);
  assert.deepEqual(namesBy("lastRun", stats), ["b10", "A", "b9", "c"]);
  assert.deepEqual(namesBy("runs", stats), ["A", "b9", "c", "b10"]);
  assert.deepEqual(namesBy("runs"), namesBy("changed"), "while nothing is known of the runs");
});
