import assert from "node:assert/strict";
import { test } from "node:test";
import { WeftError } from "@weft/schema";
import { z } from "zod";
import { defineRoute } from "../route/define-route.ts";
import { createTestApp } from "../testing/test-app.ts";
import type { FileReceiver } from "./read-multipart-body.ts";

/** An app whose route keeps files elsewhere, and what became of them in their order. */
function openApp() {
  const events: string[] = [];
  const receive = (): FileReceiver<string> => ({
    async receive({ name }, pieces) {
      let sizeBytes = 0;
      for await (const piece of pieces) sizeBytes += piece.length;
      events.push(`received ${name}`);
      return `${name}: ${sizeBytes}`;
    },
    async complete() {
      events.push("complete");
    },
    async release() {
      events.push("released");
      if (events.includes("received jam.txt")) throw new Error("The database is away.");
    },
  });
  const route = defineRoute({
    method: "POST",
    path: "/files",
    operationId: "takeFiles",
    summary: "",
    tag: "Test",
    permission: "agents:write",
    body: z.object({ files: z.array(z.string()), note: z.string().max(5) }),
    multipart: { isRequired: true, receive },
    returns: { schema: z.array(z.string()) },
    errors: [400, 404],
    async handle({ body }) {
      events.push("handled");
      if (body.note === "fail") throw new WeftError("not-found", { params: { resource: "thing", id: "1" } });
      return body.files;
    },
  });
  return { app: createTestApp([route]), events };
}

const boundary = "b";
const head = (disposition: string) => `--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n`;
const formOf = (note: string, name = "a.txt", ending = `--${boundary}--\r\n`) =>
  `${head('name="note"')}${note}\r\n${head(`name="files"; filename="${name}"`)}seven b\r\n${ending}`;

async function send(body: string, authorization = "Bearer all") {
  const { app, events } = openApp();
  const headers = { authorization, "content-type": `multipart/form-data; boundary=${boundary}` };
  const response = await app.fetch(new Request("http://test/files", { method: "POST", headers, body }));
  return { status: response.status, answer: await response.json(), events };
}

test("files are received before the request is handled, and released once it is answered", async () => {
  assert.deepEqual(await send(formOf("ok")), {
    status: 200,
    answer: ["a.txt: 7"],
    events: ["received a.txt", "complete", "handled", "released"],
  });
});

test("whatever ends a request, its files are released; a release that fails changes no answer", async () => {
  const ends: [status: number, body: string, events: string[]][] = [
    [404, formOf("fail"), ["received a.txt", "complete", "handled", "released"]],
    [400, formOf("too long"), ["received a.txt", "complete", "released"]],
    [400, formOf("ok", "a.txt", head('name="files"; filename="cut.txt"')), ["received a.txt", "released"]],
    [200, formOf("ok", "jam.txt"), ["received jam.txt", "complete", "handled", "released"]],
  ];
  for (const [status, body, events] of ends) {
    const found = await send(body);
    assert.deepEqual([found.status, found.events], [status, events]);
  }
});

test("files of those who may not send any are not received", async () => {
  const { status, events } = await send(formOf("ok"), "Bearer nobody");
  assert.deepEqual([status, events], [401, []]);
});
