import assert from "node:assert/strict";
import { test } from "node:test";
import {
  fromAssistantDraft,
  newAssistantDraft,
  newSearchDraft,
  toAssistantDraft,
  withTool,
} from "./assistant-draft.ts";

const details = {
  id: "1",
  name: "Helper",
  description: "",
  provider: "anthropic",
  model: "m",
  instructions: "Help.",
  temperature: 0.5,
  top_p: 1,
  tools: ["function" as const, "file_search" as const],
  tool_resources: {
    function: { tool_ids: ["t"] },
    file_search: { vector_store_ids: ["s"] },
    code_interpreter: { file_ids: ["f"] },
  },
  refused: [{ code: "assistant-tool-unsupported", message: "Its tool SerpAPI is not one that assistants have here." }],
};

test("an assistant is sent as it was read, with what another client set", () => {
  const draft = toAssistantDraft({ details, credential: "c" });
  assert.deepEqual(draft.model, { provider: "anthropic", model: "m", credential: "c" });
  assert.deepEqual([draft.toolIds, draft.storeIds], [["t"], ["s"]]);
  const { id: _, ...sent } = details;
  assert.deepEqual(fromAssistantDraft(draft), { details: sent, credential: "c" });
});

test("a new one asks for the server's model and for no tools", () => {
  const { details: sent, credential } = fromAssistantDraft({ ...newAssistantDraft, name: " Helper " });
  assert.deepEqual([sent.name, sent.provider, sent.model, credential], ["Helper", "", "", ""]);
  assert.deepEqual([sent.tools, sent.tool_resources], [[], {}]);
});

test("one that is made from a document store searches it", () => {
  const { details: sent } = fromAssistantDraft(newSearchDraft("s"));
  assert.deepEqual([sent.tools, sent.tool_resources], [["file_search"], { file_search: { vector_store_ids: ["s"] } }]);
});

test("a tool is there once, or not at all", () => {
  assert.deepEqual(withTool(["function"], "function", true), ["function"]);
  assert.deepEqual(withTool(["function", "file_search"], "function", false), ["file_search"]);
});
