import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { flowDocumentSchema } from "@weft/schema";
import { applyChanges, changesTo } from "../../../canvas/model/edits.ts";
import { type FlowModel, toModel } from "../../../canvas/model/flow-model.ts";
import { connectionsId, toProposal } from "./choose-changes.ts";

/** `a>b` stands for an edge; other words for steps, with a text after `=`. */
function flow(text: string): FlowModel {
  const words = text.split(" ");
  const nodes = words
    .filter((word) => !word.includes(">"))
    .map((word) => {
      const [id = "", prompt = ""] = word.split("=");
      return { id, type: "llm", label: id, config: prompt === "" ? {} : { prompt } };
    });
  const edges = words
    .filter((word) => word.includes(">"))
    .map((word) => {
      const [source = "", target = ""] = word.split(">");
      return { id: word, source, target };
    });
  return toModel(flowDocumentSchema.parse({ weft: 1, nodes, edges }));
}

function toText({ nodes, edges }: FlowModel): string {
  const steps = [...nodes.values()].map(({ id, config }) =>
    config.prompt === undefined ? id : `${id}=${config.prompt}`,
  );
  return [...steps, ...edges.keys()].toSorted().join(" ");
}

const base = flow("a b c a>b b>c");
const proposed = flow("a=new c x a>x x>c");

describe("a proposal", () => {
  it("says what it would do to each step", () => {
    const { items } = toProposal(changesTo(base, proposed));
    const shown = items.map(({ id, kind }) => `${kind} ${id}`).toSorted();
    assert.deepEqual(shown, ["added x", "changed a", "removed b"]);
    assert.deepEqual(toProposal(changesTo(base, flow("a b c a>b b>c"))).items, []);
    assert.deepEqual(
      toProposal(changesTo(base, flow("a b c a>b b>c a>c"))).items.map(({ id }) => id),
      [connectionsId],
    );
  });

  it("is accepted as a whole, or step by step, with the connections that belong to a step", () => {
    const proposal = toProposal(changesTo(base, proposed));
    const accept = (...chosen: string[]) => {
      const { changes, isStale } = proposal.choose(new Set(chosen), base);
      assert.equal(isStale, false);
      return toText(applyChanges(base, changes));
    };
    assert.equal(accept("a", "b", "x"), toText(proposed));
    assert.equal(accept("a"), toText(flow("a=new b c a>b b>c")));
    assert.equal(accept("b"), toText(flow("a c")));
    assert.equal(accept("x"), toText(flow("a b c x a>b b>c a>x x>c")));
    assert.equal(accept(), toText(base));
  });

  it("leaves alone what someone changed meanwhile, and says so", () => {
    const proposal = toProposal(changesTo(base, proposed));
    const now = flow("a=mine b c a>b b>c");
    const { changes, isStale } = proposal.choose(new Set(["a", "b", "x"]), now);
    assert.equal(isStale, true);
    assert.equal(toText(applyChanges(now, changes)), toText(flow("a=mine c x a>x x>c")));
  });

  it("takes a flow whose fields come in another order as the same", () => {
    const turned = new Map(
      [...base.nodes].map(([id, node]) => [id, Object.fromEntries(Object.entries(node).toReversed())]),
    );
    assert.deepEqual(
      toProposal(changesTo(base, { ...base, nodes: turned as unknown as FlowModel["nodes"] })).items,
      [],
    );
  });
});
