// @process browser: a document in place of globals of Node.
import "../../testing/browser.ts";
import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { screen } from "@testing-library/react";
import type { Retention } from "@weft/client";
import { visit } from "../../testing/browser.ts";
import { renderApp } from "../../testing/render-app.tsx";
import { RetentionSection } from "./settings-page.tsx";

const list: Retention[] = [
  { kind: "runs", keptSeconds: null, setting: "EXECUTION_RETENTION" },
  { kind: "payloads", keptSeconds: 30 * 86_400, setting: "PAYLOAD_RETENTION" },
  { kind: "unsent-files", keptSeconds: 5_400, setting: "UNSENT_FILES_RETENTION" },
  { kind: "leads", keptSeconds: null, setting: null },
  { kind: "logs", keptSeconds: 0, setting: null },
];

test("Settings shows how long each kind of data is kept, and which setting changes it", async (t) => {
  const asked: (string | undefined)[] = [];
  const server = createServer(({ url }, response) => {
    asked.push(url);
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(list));
  });
  server.listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  const later = Date.now() + 3_600_000;
  localStorage.setItem("weft.session", JSON.stringify({ expiresAtMs: later, renewAtMs: later }));
  visit(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  renderApp(t, <RetentionSection />);
  for (const [name, value] of [
    ["Finished runs", "Until deleted · Set by EXECUTION_RETENTION"],
    ["Large inputs and outputs of their steps", "30 days · Set by PAYLOAD_RETENTION"],
    ["Files of chats that never begin", "90 minutes · Set by UNSENT_FILES_RETENTION"],
    ["Leads", "Until deleted"],
    ["Server logs", "Not at all: they go to the server’s output"],
  ] as const) {
    const term = await screen.findByText(name, {}, { timeout: 15_000 });
    assert.equal(term.parentElement?.textContent, `${name}${value}`);
  }
  assert.deepEqual(asked, ["/api/v1/retention"]);
});
