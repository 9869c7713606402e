// @process browser: a document in place of globals of Node.
import "../../../testing/browser.ts";
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { it } from "node:test";
import { fireEvent, screen, waitFor } from "@testing-library/react";
import { visit } from "../../../testing/browser.ts";
import { renderApp } from "../../../testing/render-app.tsx";
import { CheckSetting } from "./questions-tab.tsx";

it("shows at once what was chosen, and what is stored when the server refuses", async (t) => {
  const answering = Promise.withResolvers<void>();
  const server = createServer(async (_, response) => {
    await answering.promise;
    const refusal = { statusCode: 500, success: false, message: "The disk is full.", code: "internal" };
    response.writeHead(500, { "content-type": "application/json" });
    response.end(JSON.stringify({ ...refusal, errors: [], requestId: "r" }));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => server.close());
  visit(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  renderApp(t, <CheckSetting storeId="store" check={{ afterIndexing: false, state: "idle", error: null }} />);
  const setting = screen.getByRole<HTMLInputElement>("switch");
  fireEvent.click(setting);
  assert.equal(setting.checked, true, "in the same turn as the click");
  answering.resolve();
  await screen.findByText("The disk is full.", undefined, { timeout: 15_000 });
  await waitFor(() => assert.equal(setting.checked, false));
});
