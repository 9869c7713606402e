// @process browser: a document in place of globals of Node.
import "../testing/browser.ts";
import assert from "node:assert/strict";
import { after, before, describe, it, type TestContext } from "node:test";
import { cleanup, screen, waitFor, within } from "@testing-library/react";
import { type Json, type JsonObject, type JsonSchema, retrievalSettingsSchema, withUnavailable } from "@weft/schema";
import { useState } from "react";
import { z } from "zod";
import { type PlatformProcess, startPlatformProcess } from "../../../server/src/testing/platform-process.ts";
import { visit } from "../testing/browser.ts";
import { renderApp } from "../testing/render-app.tsx";
import { ConfigForm } from "./form/config-form.tsx";
import type { FormContext } from "./form/form-scope.ts";

const timeout = 10_000;

type FormOptions = { required?: string[]; initial?: JsonObject; context?: FormContext };

type FormProps = { schema: object; initial: JsonObject; context: FormContext; onValue(value: JsonObject): void };

function Form({ schema, initial, context, onValue }: FormProps) {
  const [value, setValue] = useState(initial);
  const change = (changed: JsonObject) => {
    setValue(changed);
    onValue(changed);
  };
  return <ConfigForm schema={schema} value={value} onChange={change} context={context} />;
}

/** A form of these fields. `value` is what it has been edited to. */
function openForm(t: TestContext, properties: Record<string, object>, options: FormOptions = {}) {
  const { required = [], initial = {}, context = {} } = options;
  const schema = { type: "object", properties, required };
  let current = initial;
  const onValue = (value: JsonObject) => {
    current = value;
  };
  const user = renderApp(t, <Form {...{ schema, initial, context, onValue }} />);
  const becomes = (expected: Json) => waitFor(() => assert.deepEqual(current, expected));
  return { user, becomes, value: () => current };
}

describe("a form drawn from a schema", () => {
  it("edits texts, numbers, switches and choices, and drops what is cleared", async (t) => {
    const { user, becomes } = openForm(t, {
      name: { type: "string", title: "Name" },
      text: { type: "string", title: "Text", widget: "textarea" },
      count: { type: "integer", title: "Count" },
      fast: { type: "boolean", title: "Fast" },
      size: { type: "string", title: "Size", enum: ["s", "l"], labels: { s: "Small", l: "Large" } },
    });
    await user.type(screen.getByLabelText("Name"), "Ada");
    await user.type(screen.getByLabelText("Text"), "One{Enter}Two");
    await user.type(screen.getByLabelText("Count"), "12");
    await user.click(screen.getByLabelText("Fast"));
    await user.click(screen.getByRole("combobox", { name: "Size" }));
    await user.click(await screen.findByRole("option", { name: "Large" }));
    await becomes({ name: "Ada", text: "One\nTwo", count: 12, fast: true, size: "l" });
    await user.clear(screen.getByLabelText("Name"));
    await user.clear(screen.getByLabelText("Count"));
    await becomes({ text: "One\nTwo", fast: true, size: "l" });
  });

  it("sets how stores are searched, and asks a reranker's questions only where there is one", async (t) => {
    const { properties = {} } = z.toJSONSchema(retrievalSettingsSchema, { io: "input" });
    const { user, becomes } = openForm(t, properties as Record<string, object>);
    await user.type(screen.getByLabelText("Minimum score"), "0.4");
    await user.click(screen.getByRole("switch", { name: /^Complete follow-up questions/ }));
    const judging = within(screen.getByRole("group", { name: "Rerank" }));
    assert.equal(judging.queryByLabelText("Model") === null, true);
    await user.click(judging.getByRole("combobox", { name: "Reranker" }));
    await user.click(await screen.findByRole("option", { name: "Jina AI" }));
    await user.type(await judging.findByLabelText("Model"), "m");
    await becomes({ scoreThreshold: 0.4, rewrite: true, rerank: { provider: "jina", model: "m" } });
    assert.ok(judging.getByText("Credential"));
  });

  it("offers no choice that this server lacks, and says what one needs that was chosen elsewhere", async (t) => {
    const schema = withUnavailable(z.toJSONSchema(retrievalSettingsSchema, { io: "input" }) as JsonSchema, new Set());
    const { properties = {} } = schema as { properties?: Record<string, object> };
    const { user } = openForm(t, properties, { initial: { rerank: { provider: "cohere" } } });
    const judging = within(screen.getByRole("group", { name: "Rerank" }));
    await user.click(judging.getByRole("combobox", { name: "Reranker" }));
    await screen.findByRole("option", { name: "Jina AI" });
    assert.equal(screen.queryByRole("option", { name: /Model folder/ }), null);
    cleanup();

    openForm(t, properties, { initial: { rerank: { provider: "model-folder" } } });
    const kept = within(screen.getByRole("group", { name: "Rerank" }));
    const shown = kept.getByRole<HTMLInputElement>("combobox", { name: "Reranker" });
    assert.equal(shown.value, "Model folder (needs RERANKER_MODEL_DIR)");
  });

  it("edits lists, names with values, rows and nested objects", async (t) => {
    const { user, becomes } = openForm(t, {
      tags: { type: "array", title: "Tags", items: { type: "string" } },
      headers: { type: "object", title: "Headers", additionalProperties: { type: "string" }, item: "header" },
      steps: {
        type: "array",
        title: "Steps",
        item: "step",
        items: { type: "object", properties: { label: { type: "string", title: "Label" } } },
      },
      proxy: { type: "object", title: "Proxy", properties: { host: { type: "string", title: "Host" } } },
    });
    await user.type(screen.getByLabelText("Tags"), "red{Enter}blue{Enter}");
    await user.click(screen.getByRole("button", { name: "Add header" }));
    await user.type(screen.getByLabelText("Name of header 1"), "accept");
    await user.type(screen.getByLabelText("Value of header 1"), "text");
    await user.click(screen.getByRole("button", { name: "Add step" }));
    await user.type(screen.getByLabelText("Label 1"), "First");
    await user.type(within(screen.getByRole("group", { name: "Proxy" })).getByLabelText("Host"), "localhost");
    await becomes({
      tags: ["red", "blue"],
      headers: { accept: "text" },
      steps: [{ label: "First" }],
      proxy: { host: "localhost" },
    });
  });

  it("changes the fields with the kind of a value", async (t) => {
    const kind = (value: string, title: string, fields: object) => ({
      type: "object",
      title,
      properties: { type: { const: value }, ...fields },
    });
    const { user, becomes } = openForm(t, {
      auth: {
        title: "Access",
        oneOf: [
          kind("token", "Token", { header: { type: "string", title: "Header" } }),
          kind("basic", "Password", { login: { type: "string", title: "Login" } }),
        ],
      },
    });
    const group = within(screen.getByRole("group", { name: "Access" }));
    await user.click(group.getAllByRole("combobox")[0] as HTMLElement);
    await user.click(await screen.findByRole("option", { name: "Password" }));
    await user.type(await group.findByLabelText("Login"), "ada");
    assert.ok(group.queryByLabelText("Header") === null);
    await becomes({ auth: { type: "basic", login: "ada" } });
  });

  it("shows a field only where another has the value that it belongs to, and keeps what it had", async (t) => {
    const { user, becomes } = openForm(t, {
      streams: { type: "boolean", title: "Streams" },
      pace: { type: "string", title: "Pace", showWhen: { field: "streams", is: [true] } },
    });
    assert.ok(screen.queryByLabelText("Pace") === null);
    await user.click(screen.getByLabelText("Streams"));
    await user.type(await screen.findByLabelText("Pace"), "slow");
    await user.click(screen.getByLabelText("Streams"));
    assert.ok(screen.queryByLabelText("Pace") === null);
    await becomes({ streams: false, pace: "slow" });
  });

  it("says what is wrong with a value, and that one is missing once the field was left", async (t) => {
    const { user } = openForm(
      t,
      {
        name: { type: "string", title: "Name" },
        count: { type: "integer", title: "Count", minimum: 1, maximum: 9 },
        site: { type: "string", title: "Site", format: "uri" },
      },
      { required: ["name"] },
    );
    const describes = (label: RegExp) => {
      const id = screen.getByLabelText(label).getAttribute("aria-describedby");
      return id === null ? "" : document.getElementById(id)?.textContent;
    };
    assert.ok(screen.queryByText("Required.") === null);
    await user.click(screen.getByLabelText(/^Name/));
    await user.tab();
    assert.equal(describes(/^Name/), "Required.");
    await user.type(screen.getByLabelText(/^Name/), "Ada");
    assert.ok(screen.queryByText("Required.") === null);
    await user.type(screen.getByLabelText("Count"), "12");
    assert.equal(describes(/^Count/), "Must be at most 9.");
    await user.type(screen.getByLabelText("Site"), "example");
    assert.match(describes(/^Site/) ?? "", /Not a valid address/);
  });

  it("folds away what few people need, with the number of problems in it", async (t) => {
    const seed = { type: "integer", title: "Seed", advanced: true, minimum: 1 };
    const { user } = openForm(t, { name: { type: "string", title: "Name" }, seed }, { initial: { seed: 0 } });
    assert.ok(screen.queryByLabelText("Seed") === null);
    await user.click(screen.getByRole("button", { name: /Seed.*1 problem/ }));
    assert.ok(await screen.findByLabelText("Seed"));
  });

  it("names what is folded: by a heading of the schema, else by the fields themselves; a lone switch is in sight", async (t) => {
    const folded = (title: string, more: object = { advanced: true }) => ({ type: "string", title, ...more });
    const names = () => screen.getAllByRole("button").map(({ textContent }) => textContent);
    openForm(t, {
      prompt: folded("Prompt", { fold: "Conversation" }),
      memory: folded("Memory", { fold: "Conversation", advanced: true }),
      one: folded("One"),
      two: folded("Two"),
      three: folded("Three"),
      four: folded("Four"),
    });
    assert.deepEqual(names(), ["Conversation", "One, Two and 2 more"]);
    cleanup();
    const { user } = openForm(t, { one: folded("One"), two: folded("Two") });
    await user.click(screen.getByRole("button", { name: "One, Two" }));
    assert.ok(await screen.findByLabelText("Two"));
    cleanup();
    openForm(t, { fast: { type: "boolean", title: "Fast", advanced: true } });
    assert.ok(screen.getByLabelText("Fast"));
  });

  it("offers the steps of the flow, and goes back to a default", async (t) => {
    const { user, becomes } = openForm(
      t,
      {
        target: { type: "string", title: "Target", widget: "node" },
        prompt: { type: "string", title: "Prompt", default: "Be brief." },
      },
      { context: { nodes: [{ id: "llm_0", label: "Writer" }] }, initial: { prompt: "Be long." } },
    );
    await user.click(screen.getByRole("combobox", { name: "Target" }));
    await user.click(await screen.findByRole("option", { name: "Writer" }));
    await user.click(screen.getByRole("button", { name: "Reset Prompt to its default" }));
    await becomes({ target: "llm_0" });
  });
});

describe("fields for what the platform holds", () => {
  let platform: PlatformProcess;
  before(async () => {
    platform = await startPlatformProcess();
    const later = Date.now() + 3_600_000;
    localStorage.setItem("weft.session", JSON.stringify({ expiresAtMs: later, renewAtMs: later }));
    visit(platform.url, platform.token);
  });
  after(() => platform?.remove());

  it("stores a secret, keeps its id alone, and never shows it again", async (t) => {
    const fields = { credential: { type: "string", title: "Credential", widget: "credential" } };
    const { user, value } = openForm(
      t,
      { provider: { type: "string", title: "Provider" }, ...fields },
      {
        initial: { provider: "openai" },
      },
    );
    await user.click(await screen.findByRole("button", { name: "New credential" }));
    const dialog = within(await screen.findByRole("dialog"));
    await user.click(dialog.getByRole("combobox", { name: "Type" }));
    await user.click(await screen.findByRole("option", { name: "HTTP bearer token" }));
    await user.type(dialog.getByLabelText("Name"), "Mine");
    const secret = document.querySelector<HTMLInputElement>("[role=dialog] input[type=password]");
    assert.ok(secret, "the token is typed unseen");
    await user.type(secret, "sk-very-secret");
    await user.click(dialog.getByRole("button", { name: /^(Create|Save|Add)/ }));
    await waitFor(() => assert.ok(screen.queryByRole("dialog") === null), { timeout });
    const [stored] = await platform.call<{ id: string; name: string }[]>("GET", "/credentials");
    assert.deepEqual([stored?.name, value().credential], ["Mine", stored?.id]);
    await screen.findByDisplayValue("Mine", {}, { timeout });
    assert.equal(document.documentElement.outerHTML.includes("sk-very-secret"), false);
    assert.equal(
      JSON.stringify(await platform.call("GET", `/credentials/${stored?.id}`)).includes("sk-very-secret"),
      false,
    );
  });

  it("offers the parameters that the provider takes, and those that are set", async (t) => {
    const properties = {
      provider: { type: "string", title: "Provider", widget: "model-provider" },
      seed: { type: "integer", title: "Seed" },
      topK: { type: "integer", title: "Top K" },
      contextTokens: { type: "integer", title: "Context" },
    };
    const model = { type: "object", title: "Model", widget: "model-settings", properties };
    const initial = { model: { provider: "anthropic", contextTokens: 5 } };
    const { user } = openForm(t, { model }, { initial });
    await user.click(await screen.findByRole("button", { name: /^Model / }));
    await user.click(await screen.findByRole("button", { name: /^Parameters/ }));
    // A failed comparison of an element would print the whole page, again and again.
    await waitFor(() => assert.ok(screen.queryByLabelText("Seed") === null, "Seed is offered"), { timeout });
    assert.ok(screen.getByLabelText("Top K"));
    assert.ok(screen.getByLabelText("Context"), "what is set can be seen and removed");
  });
});
