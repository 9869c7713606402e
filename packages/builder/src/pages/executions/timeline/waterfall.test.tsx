// @process browser: a document in place of globals of Node.
import "../../../testing/browser.ts";
import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, it } from "node:test";
import { screen, waitFor } from "@testing-library/react";
import type { ExecutionEffect, ExecutionStep } from "@weft/client";
import { visit } from "../../../testing/browser.ts";
import { renderApp } from "../../../testing/render-app.tsx";
import { createTimeScale } from "./time-scale.ts";
import { toTimelineRows, toTimelineTree } from "./timeline-tree.ts";
import { Waterfall } from "./waterfall.tsx";

/** Answers what the catalogue of node types says of the looks of a step. */
const server = createServer((_, response) => {
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify([{ type: "llm", group: "model", icon: "sparkles" }]));
});

before(async () => {
  server.listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  visit(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
after(() => {
  server.close();
  server.closeAllConnections();
});

const usage = { inputTokens: 1_000, outputTokens: 234, totalTokens: 1_234 };
const timing = {
  startedAt: "2026-01-01T12:00:00.000Z",
  finishedAt: "2026-01-01T12:00:01.500Z",
  durationMs: 1_500,
};
const common = { ...timing, attempt: 1, input: null, output: null, error: null, usage };
const call = (name: string, costDollars: number | null): ExecutionEffect => ({
  ...common,
  key: name,
  category: "model",
  kind: "read",
  name,
  costDollars,
});

it("a model's row has the mark of its provider, its name alone, and what it used", async (t) => {
  const step: ExecutionStep = {
    ...common,
    nodeKey: "llm_0#0",
    nodeId: "llm_0",
    nodeLabel: "Ask",
    type: "llm",
    status: "FINISHED",
    costDollars: null,
    waits: [],
    effects: [call("anthropic/claude-x", 0.0123), call("openai-compatible/ours/large", null)],
  };
  const tree = toTimelineTree([step]);
  renderApp(
    t,
    <Waterfall
      rows={toTimelineRows(tree, new Set())}
      scale={createTimeScale(tree, 0)}
      nowMs={0}
      selectedKey="llm_0#0"
      markedNodeId="llm_0"
      onSelect={() => undefined}
      onToggle={() => undefined}
      onHover={() => undefined}
    />,
  );
  const [ask, known, unknown] = screen.getAllByRole("treeitem");
  assert.ok(ask && known && unknown);
  await waitFor(() => assert.equal(ask.dataset.group, "model", "a step looks as on the canvas"));
  assert.equal(ask.getAttribute("aria-selected"), "true");
  assert.ok(known.hasAttribute("data-marked"), "calls belong to the node of their step");
  assert.ok(known.querySelector("[data-mark]"));
  assert.match(known.textContent ?? "", /^claude-x.*1\.50 s.*1,234.*\$0\.0123$/);
  assert.equal(unknown.querySelector("[data-mark]"), null);
  assert.match(unknown.textContent ?? "", /^ours\/large.*1,234 Tokens$/);
});

it("the length of a wait at an end of the axis is written inside of the axis", async (t) => {
  const { startedAt } = timing;
  const open: ExecutionStep = {
    ...common,
    nodeKey: "ask_0#0",
    nodeId: "ask_0",
    nodeLabel: "Ask",
    type: "llm",
    status: "STOPPED",
    costDollars: null,
    finishedAt: null,
    waits: [{ startedAt: timing.finishedAt, finishedAt: null }],
    effects: [],
  };
  const tree = toTimelineTree([open]);
  const nowMs = Date.parse(startedAt) + 60_000;
  renderApp(
    t,
    <Waterfall
      rows={toTimelineRows(tree, new Set())}
      scale={createTimeScale(tree, nowMs)}
      nowMs={nowMs}
      selectedKey={undefined}
      markedNodeId={undefined}
      onSelect={() => undefined}
      onToggle={() => undefined}
      onHover={() => undefined}
    />,
  );
  await waitFor(() => assert.equal(screen.getByRole("treeitem").dataset.group, "model"));
  const label = screen.getByTitle(/^Waited 58\.5 s/);
  assert.equal(label.dataset.side, "end");
  assert.equal(label.style.insetInlineEnd, "0%");
});
