// @process browser: a document in place of globals of Node.
import "../../testing/browser.ts";
import assert from "node:assert/strict";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, beforeEach, describe, it } from "node:test";
import { screen, waitFor, within } from "@testing-library/react";
import { type System, systemSchema } from "@weft/schema";
import { visit } from "../../testing/browser.ts";
import { renderApp } from "../../testing/render-app.tsx";
import { SystemPage } from "./system-page.tsx";

const timeout = 15_000;
const example = systemSchema.parse((systemSchema.meta()?.examples as unknown[] | undefined)?.at(0));
const callback = {
  id: "0f6a1d0e-3b5c-8d7e-9a2b-4c6d8e0f1a2b",
  executionId: "5a0e7c1b-2f4d-4c6a-8b9e-7d6f5a4b3c2d",
  agentflowId: "3f2c8a4e-0d1b-4c7a-9e6f-5a4b3c2d1e0f",
  agentName: "Orders",
  host: "hooks.example.com",
  state: "FAILED" as const,
  attempts: 11,
  lastStatus: 503,
  error: "The receiver answered 503.",
  nextDate: null,
  attemptDate: "2025-01-31T12:00:00.000Z",
};

type Answer = { status?: number; body: unknown };

describe("the page System", () => {
  let answers: { system(): Answer; deliveries(): Answer; resend(): Answer };
  let looks = 0;
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const path = request.url ?? "";
    if (path.endsWith("/system")) looks += 1;
    const kind = path.endsWith("/system") ? "system" : path.endsWith("/resend") ? "resend" : "deliveries";
    const { status = 200, body } = answers[kind]();
    response.writeHead(status, { "content-type": "application/json" });
    response.end(JSON.stringify(body));
  });
  const refusal = (status: number, code: string, message: string) => ({
    status,
    body: { statusCode: status, success: false, message, code, errors: [], requestId: "r" },
  });

  before(async () => {
    server.listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    const later = Date.now() + 3_600_000;
    localStorage.setItem("weft.session", JSON.stringify({ expiresAtMs: later, renewAtMs: later }));
    visit(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  });
  beforeEach(() => {
    looks = 0;
    answers = {
      system: () => ({ body: example }),
      deliveries: () => ({ body: { data: [{ ...callback, state: "DELIVERED", error: null }], total: 1 } }),
      resend: () => ({ body: callback }),
    };
  });
  after(() => {
    server.close();
    server.closeAllConnections();
  });

  /** Waits until a number, and what stands below it, is this. */
  const tile = (name: string, expected: RegExp) =>
    waitFor(
      () => {
        const shown = [...document.querySelectorAll("dl > div")].map(({ textContent }) => textContent ?? "");
        assert.match(shown.find((text) => text.startsWith(name)) ?? "", expected);
      },
      { timeout },
    );

  it("shows one process, its queue and storage, and refreshes itself", async (t) => {
    let waiting = 2;
    answers.system = () => ({ body: { ...example, queue: { ...example.queue, waiting } } });
    renderApp(t, <SystemPage />);
    await tile("Waiting", /^Waiting2oldest 1.50 s$/);
    const processes = within(screen.getByRole("table", { name: "Processes" }));
    assert.ok(processes.getByText(/Answers this page/));
    assert.ok(processes.getByText("3 of 128"));
    assert.ok(screen.getByText("SQLite 3.51.0"));
    assert.ok(screen.getByText("52.4 GB free of 62.9 GB"));
    assert.ok(screen.getByText("Every callback was delivered."));
    assert.ok(screen.queryByRole("alert") === null);
    await tile("Vector index", /^Vector index159.4 MB of 536.9 MB, 3 collections$/);
    waiting = 9;
    await tile("Waiting", /^Waiting9/);
  });

  it("shows how far vectors are that are being read, and what is there", async (t) => {
    const idle = { memoryBytes: 0, limitBytes: 512e6, collections: 0, loading: null };
    let vectorIndex: System["vectorIndex"] = idle;
    answers.system = () => ({ body: { ...example, vectorIndex } });
    renderApp(t, <SystemPage />);
    await tile("Vector index", /^Vector indexNothing in memory, up to 512.0 MB$/);
    vectorIndex = { ...idle, memoryBytes: 152e6, collections: 3, loading: { done: 459, total: 1_000 } };
    await tile("Vector index", /^Vector indexLoading 45 %, 152.0 MB of 512.0 MB so far$/);
    vectorIndex = { ...vectorIndex, memoryBytes: 300e6, collections: 1, loading: null };
    await tile("Vector index", /^Vector index300.0 MB of 512.0 MB, 1 collection$/);
  });

  it("without the permission it says so, and asks no more", async (t) => {
    answers.system = () => refusal(403, "forbidden", "This needs the permission server:read.");
    renderApp(t, <SystemPage />);
    assert.ok(await screen.findByText("You cannot see the system", {}, { timeout }));
    assert.equal(looks, 1);
  });

  it("keeps what it knows while the server is away, and says from when it is", async (t) => {
    let isAway = false;
    answers.system = () =>
      isAway ? refusal(503, "database-unavailable", "The database does not answer.") : { body: example };
    renderApp(t, <SystemPage />);
    await tile("Waiting", /2/);
    isAway = true;
    const notice = await screen.findByText(/These values are from/, {}, { timeout });
    assert.match(
      notice.closest("[role=alert]")?.textContent ?? "",
      /These values are from \d\d:\d\d:\d\d.*The database does not answer\./,
    );
    await tile("Waiting", /^Waiting2/);
    isAway = false;
    await waitFor(() => assert.ok(screen.queryByText(/These values are from/) === null), { timeout });
  });

  it("an error before the first answer can be tried again", async (t) => {
    answers.system = () => refusal(500, "internal", "Something broke.");
    const user = renderApp(t, <SystemPage />);
    await screen.findByText("Something broke.", {}, { timeout });
    answers.system = () => ({ body: example });
    await user.click(screen.getByRole("button", { name: "Try again" }));
    await tile("Waiting", /2/);
  });

  it("sends a callback again, which stays with what became of it", async (t) => {
    let list = [callback];
    answers.system = () => ({ body: { ...example, callbacks: { failing: list.length, list } } });
    const user = renderApp(t, <SystemPage />);
    const name = "Send again: Orders to hooks.example.com";
    const button = await screen.findByRole("button", { name }, { timeout });
    assert.ok(screen.getByText(/11 attempts · last .* · given up/));
    answers.resend = () => refusal(403, "forbidden", "This needs the permission agents:write.");
    await user.click(button);
    assert.ok(await screen.findByText("This needs the permission agents:write.", {}, { timeout }));

    answers.resend = () => ({ body: callback });
    answers.deliveries = () => ({ body: { data: [callback], total: 1 } });
    await user.click(button);
    assert.ok(await screen.findByText("Failed again", {}, { timeout }));

    answers.deliveries = () => ({ body: { data: [{ ...callback, state: "STOPPED", error: null }], total: 1 } });
    await user.click(button);
    assert.ok(await screen.findByText("The receiver wants no more callbacks", {}, { timeout }));

    answers.deliveries = () => ({ body: { data: [{ ...callback, state: "DELIVERED", error: null }], total: 1 } });
    list = [];
    await user.click(button);
    assert.ok(await screen.findByText("Delivered", {}, { timeout }));
    await tile("Failing callbacks", /0all delivered$/);
    assert.ok(screen.getByText("Delivered"));
    assert.ok(screen.queryByRole("button", { name }) === null);
  });
});
