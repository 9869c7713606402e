import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ModelMessage } from "@weft/engine/ports/chat-model";
import type { RememberedMessage } from "@weft/engine/ports/memory";
import { createScriptedModel } from "@weft/engine/testing";
import { chain, modelServices, runFlow } from "./testing/run-flow.ts";

const llm = { id: "llm", type: "llm", label: "LLM", config: {} };
const image = { kind: "image", type: "stored-file", name: "dot.png", mime: "image/png", data: "" } as const;
const bytes = new Uint8Array([1, 2, 3]);
const shown = { type: "image", mediaType: "image/png", data: bytes } as const;

function said(content: string, files: RememberedMessage["files"] = {}): RememberedMessage[] {
  return [
    { role: "userMessage", content, files },
    { role: "apiMessage", content: "Seen." },
  ];
}

/** What a model is sent of a session's past, and the warnings. */
async function past(stored: RememberedMessage[], acceptsImages = true) {
  const model = { ...createScriptedModel([{ text: "ok" }]), acceptsImages };
  const files = { read: async (id: string) => (id === "gone" ? undefined : { bytes, mediaType: "image/png" }) };
  const run = await runFlow(chain(llm), { stored, services: { ...modelServices(model), files } });
  const asked = (model.calls[0]?.messages ?? []).slice(0, -1).filter(({ role }) => role === "user");
  return { contents: asked.map(({ content }) => withoutNumber(content)), warnings: run.warnings };
}

/** The mark of data has another number in each run. */
function withoutNumber(content: ModelMessage["content"]): ModelMessage["content"] {
  const plain = (text: string) => text.replaceAll(/data-\w{16}/g, "data-0");
  if (typeof content === "string") return plain(content);
  return content.map((part) => (part.type === "text" ? { ...part, text: plain(part.text) } : part));
}

describe("files of earlier messages", () => {
  it("stand where they stood, as long as they are there and the model sees", async () => {
    const files = { fileAttachment: "<doc name='a'>A</doc>", uploads: [{ ...image, fileId: "here" }] };
    const marked = `<data-0 from="document">\n<doc name='a'>A</doc>\n</data-0>\n\nLook`;
    const seen = await past([...said("Look", files), ...said("", { uploads: [{ ...image, fileId: "gone" }] })]);
    assert.deepEqual(seen, {
      contents: [[{ type: "text", text: marked }, shown], ""],
      warnings: [],
    });
    const blind = await past(said("Look", files), false);
    assert.deepEqual(blind, { contents: [marked], warnings: [] });
  });

  it("are those of the newest messages where they are many or long", async () => {
    const long = { fileAttachment: "x".repeat(150_000) };
    const pictures = { uploads: Array.from({ length: 6 }, () => ({ ...image, fileId: "here" })) };
    const { contents, warnings } = await past([
      ...said("one", long),
      ...said("two", pictures),
      ...said("three", long),
      ...said("four", pictures),
      ...said("five", { fileAttachment: "short" }),
    ]);
    assert.equal(contents[0], "one");
    assert.equal(contents[1], "two");
    assert.equal(contents[2], `${long.fileAttachment}\n\nthree`);
    assert.deepEqual(contents[3], [{ type: "text", text: "four" }, ...pictures.uploads.map(() => shown)]);
    assert.equal(contents[4], "short\n\nfive");
    assert.deepEqual(warnings, ["LLM: the files of 2 earlier messages are too many or too long to be shown again."]);
  });
});
