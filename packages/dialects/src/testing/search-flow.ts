import type { JsonObject } from "@weft/schema";
import { type ClassicTestNode, classicFlow, ref } from "./classic-file.ts";
import { nodeOf } from "./foreign-file.ts";
import { compileClassic } from "./run-classic.ts";

/** A chatflow that answers from the first of the nodes. */
export function withStore(...nodes: ClassicTestNode[]): JsonObject {
  const [first] = nodes;
  return classicFlow([
    { id: "chatOpenAI_0" },
    ...nodes,
    { id: "retrievalQAChain_0", inputs: { model: ref("chatOpenAI_0"), vectorStoreRetriever: ref(first?.id ?? "") } },
  ]);
}

/** The settings of the search that such a chatflow becomes. */
export function searchOf(document: JsonObject) {
  return nodeOf(compileClassic(document).flow, "retrievalQAChain_0_search").config;
}
