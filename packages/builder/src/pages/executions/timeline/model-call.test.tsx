// @process browser: a document in place of globals of Node.
import "../../../testing/browser.ts";
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { screen, within } from "@testing-library/react";
import type { Json } from "@weft/client";
import { renderApp } from "../../../testing/render-app.tsx";
import { ModelCall } from "./model-call.tsx";

const bubblesOf = (label: string) =>
  within(screen.getByRole("region", { name: label }))
    .getAllByRole("listitem")
    .filter(({ dataset }) => dataset.role !== undefined);

describe("a model call", () => {
  it("is a conversation by roles, with the arguments of the calls that the model asks for", (t) => {
    const input: Json = {
      messages: [
        { role: "system", content: "Be brief." },
        { role: "user", content: [{ type: "text", text: "What is 6*7?" }] },
        {
          role: "assistant",
          content: "",
          toolCalls: [{ id: "1", name: "calculator", arguments: { expression: "6*7" } }],
        },
        { role: "tool", content: '{"result":42}' },
        { role: "critic", content: "" },
      ],
    };
    renderApp(t, <ModelCall input={input} output={{ text: "**42**", toolCalls: [], finishReason: "stop" }} />);
    const bubbles = bubblesOf("Messages to the model");
    assert.deepEqual(
      bubbles.map(({ dataset }) => dataset.role),
      ["system", "user", "assistant", "tool", "critic"],
    );
    assert.match(bubbles[0]?.textContent ?? "", /System.*Be brief\./);
    assert.match(bubbles[1]?.textContent ?? "", /User.*What is 6\*7\?/);
    const [, , asking] = bubbles;
    assert.ok(asking);
    const given = within(asking).getByRole("group", { name: "Arguments of calculator" });
    assert.match(given.textContent ?? "", /expression6\*7/);
    assert.match(bubbles[4]?.textContent ?? "", /critic.*Nothing/, "a role that is not known has its own name");
    assert.match(bubblesOf("Answer")[0]?.textContent ?? "", /Model.*\*\*42\*\*/);
  });

  it("shows a long message in part, and all of it on request", async (t) => {
    const long = `${"word ".repeat(1_000)}the end`;
    const user = renderApp(t, <ModelCall input={{ messages: [{ role: "user", content: long }] }} output={null} />);
    assert.ok(screen.queryByText(/the end$/) === null);
    await user.click(screen.getByRole("button", { name: "Show all 5,007 characters" }));
    assert.ok(screen.getByText(/the end$/));
    assert.ok(screen.queryByRole("region", { name: "Answer" }) === null, "there is no answer yet");
  });

  it("shows what was cut as it is, and markup as text", (t) => {
    const attack = "<img src=x onerror=alert(1)>";
    renderApp(t, <ModelCall input="{… (cut: 70000 characters in all)" output={{ text: attack }} />);
    assert.match(screen.getByRole("group", { name: "Input" }).textContent ?? "", /cut: 70000/);
    assert.ok(within(screen.getByRole("region", { name: "Answer" })).getByText(attack));
    assert.equal(document.querySelector("img"), null);
  });
});
