import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { request } from "node:http";
import { type TestContext, test } from "node:test";
import { listen } from "@weft/http";
import { forEachDatabase } from "../../../database/src/testing/test-databases.ts";
import { agentId, openWithMessage } from "../testing/bench.ts";

const otherAgentId = "22222222-2222-4222-8222-222222222222";
const unknownId = "3f2c8a4e-0d1b-4c7a-9e6f-5a4b3c2d1e0f";

const queryOf = (fields: Record<string, string>) => new URLSearchParams(fields).toString();

await forEachDatabase(({ openTestDatabase }) => {
  test("GET leaves feedback when its query has the fields, with the path's id, and is never cached", async (t) => {
    const { call, fields, listed, clock } = await openWithMessage(await openTestDatabase(t));
    const query = queryOf({ ...fields, content: "Good & short", createdDate: "2001-01-01T00:00:00Z" });
    const { status, body, headers } = await call("GET", `/feedback/${unknownId}?${query}`);
    assert.equal(status, 200);
    const createdDate = new Date(clock.nowMs).toISOString();
    assert.deepEqual(body, { ...fields, id: unknownId, content: "Good & short", createdDate });
    assert.equal(headers.get("cache-control"), "no-store");
    assert.equal(headers.get("etag"), null);
    assert.deepEqual(await listed(), [body]);
  });

  test("GET without an id in the path, or with the agent's, gives the feedback a new one", async (t) => {
    const { call, recordTurn, fields } = await openWithMessage(await openTestDatabase(t));
    for (const path of ["/feedback", "/feedback/", `/feedback/${agentId}`]) {
      const messageId = await recordTurn({ agentId, chatId: "c1" });
      const { status, body } = await call("GET", `${path}?${queryOf({ ...fields, messageId })}`);
      assert.deepEqual([status, body.messageId], [200, messageId], path);
      assert.notEqual(body.id, agentId);
    }
  });

  test("GET takes the fields from a JSON body, too: over a socket, with and without a query beside it", async (t) => {
    const { app, authorizationOf, fields, listed } = await openWithMessage(await openTestDatabase(t));
    const { port } = await listenOn(app, t);
    const headers = await authorizationOf(["feedback:read", "feedback:write"]);
    const get = (path: string, text: string) => getWithBody({ port, path: `/api/v1${path}`, headers }, text);
    const made = await get("/feedback/", JSON.stringify({ ...fields, content: "from the body", createdDate: 7 }));
    assert.deepEqual([made.status, made.body.content, made.body.rating], [200, "from the body", "THUMBS_UP"]);
    const { messageId, chatId } = fields;
    const both = await get(
      `/feedback/${unknownId}?messageId=${messageId}&rating=THUMBS_DOWN`,
      JSON.stringify({ chatflowid: agentId, chatId, rating: "THUMBS_UP" }),
    );
    assert.deepEqual([both.status, both.body.id, both.body.rating], [200, made.body.id, "THUMBS_DOWN"]);
    const list = await get(`/feedback/${agentId}`, JSON.stringify({ chatId: "elsewhere" }));
    assert.deepEqual(list.body, await listed());
    for (const text of ['{"messageId":', "[]", '{"rating":"MEH"}', '{"content":7}']) {
      const { status, body } = await get("/feedback", text);
      assert.deepEqual([status, body.statusCode], [400, 400], text);
    }
    assert.equal((await listed()).length, 1);
  });

  test("GET says what is missing, and leaves nothing behind when something is", async (t) => {
    const { call, fields, listed } = await openWithMessage(await openTestDatabase(t));
    for (const name of ["chatflowid", "chatId", "messageId", "rating"] as const) {
      const { [name]: _, ...rest } = { ...fields, content: "x" };
      const { status, body } = await call("GET", `/feedback?${queryOf(rest)}`);
      const message = `Feedback needs chatflowid, chatId, messageId, rating. Missing here: ${name}.`;
      assert.deepEqual([status, body.message], [400, message]);
      assert.deepEqual(body.errors, [{ path: name, message: "is required" }]);
    }
    const contentAlone = await call("GET", `/feedback/${agentId}?content=`);
    assert.match(contentAlone.body.message, /Missing here: chatflowid, chatId, messageId, rating\.$/);
    const nothing = await call("GET", `/feedback?${queryOf({ chatflowid: agentId, chatId: "c1" })}`);
    assert.deepEqual([nothing.status, nothing.body.code], [400, "parameters-invalid"]);
    assert.deepEqual(await listed(), []);
  });

  test("GET with a field that does not fit is 400 and leaves nothing behind", async (t) => {
    const { call, fields, listed, recordTurn } = await openWithMessage(await openTestDatabase(t));
    const elsewhere = await recordTurn({ agentId: otherAgentId, chatId: "c9" });
    const broken: [Record<string, string>, RegExp][] = [
      [{ rating: "MEH" }, /rating/],
      [{ rating: "" }, /rating/],
      [{ messageId: "no-uuid" }, /messageId: must be a uuid/],
      [{ chatflowid: "no-uuid" }, /chatflowid: must be a uuid/],
      [{ messageId: unknownId }, /No message with the id/],
      [{ messageId: elsewhere }, /belongs to another agent and chat\. Correct chatflowid and chatId\.$/],
      [{ chatflowid: otherAgentId }, /belongs to another agent\. Correct chatflowid\.$/],
      [{ chatId: "c2" }, /belongs to another chat\. Correct chatId\.$/],
      [{ content: "x".repeat(20_001) }, /content/],
    ];
    for (const [change, message] of broken) {
      const { status, body } = await call("GET", `/feedback?${queryOf({ ...fields, ...change })}`);
      assert.equal(status, 400);
      assert.match(body.message, message);
    }
    const malformed = await call("GET", `/feedback/no-uuid?${queryOf(fields)}`);
    assert.deepEqual([malformed.status, malformed.body.code], [400, "id-invalid"]);
    assert.equal((await call("GET", `/feedback?${queryOf(fields)}&rating=THUMBS_DOWN`)).status, 400);
    assert.deepEqual(await listed(), []);
  });

  test("HEAD never leaves feedback", async (t) => {
    const { send, fields, listed } = await openWithMessage(await openTestDatabase(t));
    assert.equal((await send("HEAD", `/feedback/${agentId}?${queryOf(fields)}`)).status, 200);
    assert.equal((await send("HEAD", `/feedback?${queryOf(fields)}`)).status, 400);
    assert.deepEqual(await listed(), []);
  });

  test("the list is in order, filtered, paged, and its dates are inclusive to the millisecond", async (t) => {
    const { call, clock, recordTurn, fields } = await openWithMessage(await openTestDatabase(t));
    const dates: string[] = [];
    for (const [content, chatId] of Object.entries({ a: "c1", b: "c2", c: "c2" })) {
      const messageId = await recordTurn({ agentId, chatId });
      clock.nowMs += 1;
      const { body } = await call("POST", "/feedback", { messageId, rating: fields.rating, content });
      dates.push(body.createdDate);
    }
    await call("POST", "/feedback", { messageId: await recordTurn({ agentId: otherAgentId }), rating: "THUMBS_UP" });
    const [, second = ""] = dates;
    const expected: Record<string, string> = {
      "": "abc",
      "sortOrder=asc": "abc",
      "sortOrder=desc": "cba",
      "order=DESC": "cba",
      "order=DESC&sortOrder=asc": "abc",
      "chatId=c2": "bc",
      "chatId=c3": "",
      [`startDate=${second}`]: "bc",
      [`endDate=${second}`]: "ab",
      [`startDate=${second}&endDate=${second}&sortOrder=desc`]: "b",
    };
    const contents = (list: { content: string }[]) => list.map(({ content }) => content).join("");
    for (const [query, found] of Object.entries(expected)) {
      const { body } = await call("GET", `/feedback/${agentId}?${query}`);
      assert.equal(contents(body), found, query);
    }
    const { body } = await call("GET", `/feedback/${agentId}?page=2&limit=2`);
    assert.deepEqual([contents(body.data), body.total], ["c", 3]);
    for (const query of ["sortOrder=up", "order=asc", "startDate=yesterday", "page=0"]) {
      assert.equal((await call("GET", `/feedback/${agentId}?${query}`)).status, 400, query);
    }
  });

  test("feedback of the same moment is in the order of its ids", async (t) => {
    const { call, recordTurn, listed } = await openWithMessage(await openTestDatabase(t));
    for (let index = 0; index < 4; index++) {
      await call("POST", "/feedback", { messageId: await recordTurn({ agentId }), rating: "THUMBS_UP" });
    }
    const idsOf = (list: { id: string }[]) => list.map(({ id }) => id);
    const ids = idsOf(await listed());
    assert.deepEqual(ids, ids.toSorted());
    assert.deepEqual(idsOf((await call("GET", `/feedback/${agentId}?sortOrder=desc`)).body), ids.toReversed());
  });

  test("an unknown agent and a malformed id have no feedback; an unchanged list is 304", async (t) => {
    const { call } = await openWithMessage(await openTestDatabase(t));
    for (const id of [unknownId, "no-uuid"]) {
      const { status, body, headers } = await call("GET", `/feedback/${id}`);
      assert.deepEqual([status, body], [200, []]);
      const again = await call("GET", `/feedback/${id}`, undefined, { "If-None-Match": headers.get("etag") ?? "" });
      assert.equal(again.status, 304);
    }
  });

  test("POST takes agent and chat from the message; the path's id is the agent's or the feedback's", async (t) => {
    const { call, recordTurn, fields } = await openWithMessage(await openTestDatabase(t));
    const post = async (path: string, more: object = {}) => {
      const messageId = await recordTurn({ agentId, chatId: "c1" });
      const { status, body } = await call("POST", path, { messageId, rating: "THUMBS_DOWN", ...more });
      assert.deepEqual([status, body.chatflowid, body.chatId, body.content], [200, agentId, "c1", ""], path);
      return body.id;
    };
    assert.match(await post("/feedback"), /^[0-9a-f-]{36}$/);
    assert.notEqual(await post(`/feedback/${agentId}`, { content: null }), agentId);
    const [own, inPath] = [randomUUID(), randomUUID()];
    assert.equal(await post(`/feedback/${inPath}`), inPath);
    assert.equal(await post("/feedback", { id: own.toUpperCase() }), own);
    const taken = await call("POST", `/feedback/${own}`, fields);
    assert.deepEqual([taken.status, taken.body.code], [409, "conflict"]);
  });

  test("POST refuses what does not fit", async (t) => {
    const { call, send, fields, listed } = await openWithMessage(await openTestDatabase(t));
    const { messageId: _, ...withoutMessage } = fields;
    const { rating: __, ...withoutRating } = fields;
    const refused: [object, number, string][] = [
      [withoutMessage, 400, "body-invalid"],
      [withoutRating, 400, "body-invalid"],
      [{ ...fields, rating: "MEH" }, 400, "body-invalid"],
      [{}, 400, "body-invalid"],
      [{ ...fields, chatId: "..\\c1" }, 400, "parameters-invalid"],
      [{ ...fields, messageId: unknownId }, 404, "not-found"],
      [{ ...fields, chatflowid: otherAgentId }, 400, "parameters-invalid"],
      [{ ...fields, chatId: "c2" }, 400, "parameters-invalid"],
    ];
    for (const [body, status, code] of refused) {
      const answer = await call("POST", `/feedback/${agentId}`, body);
      assert.deepEqual([answer.status, answer.body.code], [status, code], JSON.stringify(body));
    }
    assert.equal((await call("POST", "/feedback")).body.code, "body-missing");
    assert.equal((await send("POST", "/feedback", "{")).body.code, "body-unparsable");
    assert.equal((await call("POST", "/feedback/no-uuid", fields)).body.code, "id-invalid");
    assert.deepEqual(await listed(), []);
  });

  test("a message has one feedback: whatever leaves another changes it", async (t) => {
    const { call, clock, fields, listed } = await openWithMessage(await openTestDatabase(t));
    const { body: first } = await call("POST", `/feedback/${agentId}`, { ...fields, content: "why" });
    clock.nowMs += 5;
    const second = await call("POST", `/feedback/${unknownId}`, { ...fields, rating: "THUMBS_DOWN" });
    assert.deepEqual(second.body, { ...first, rating: "THUMBS_DOWN" });
    const third = await call("GET", `/feedback?${queryOf({ ...fields, content: "" })}`);
    assert.deepEqual(third.body, { ...first, content: "" });
    const ratings = ["THUMBS_UP", "THUMBS_DOWN", "THUMBS_UP", "THUMBS_DOWN", "THUMBS_DOWN"];
    const answers = await Promise.all(ratings.map((rating) => call("POST", "/feedback", { ...fields, rating })));
    assert.deepEqual(new Set(answers.map(({ status, body }) => `${status} ${body.id}`)), new Set([`200 ${first.id}`]));
    assert.equal((await listed()).length, 1);
  });

  test("feedback that is left while its message is deleted goes, too", async (t) => {
    const { call, recordTurn, listed } = await openWithMessage(await openTestDatabase(t));
    for (let index = 0; index < 10; index++) {
      const messageId = await recordTurn({ agentId, chatId: "short-lived" });
      const left = await Promise.all([
        call("POST", "/feedback", { messageId, rating: "THUMBS_UP" }),
        call("DELETE", `/chatmessage/${agentId}?chatId=short-lived`),
      ]);
      assert.ok([200, 404].includes(left[0].status));
      assert.equal(left[1].status, 200);
    }
    assert.deepEqual(await listed(), []);
  });

  test("a repeated POST with an Idempotency-Key gets the same answer, another body does not", async (t) => {
    const { call, fields, listed } = await openWithMessage(await openTestDatabase(t));
    const key = { "Idempotency-Key": "k1" };
    const first = await call("POST", `/feedback/${agentId}`, fields, key);
    const second = await call("POST", `/feedback/${agentId}`, fields, key);
    assert.deepEqual([second.status, second.body], [200, first.body]);
    const other = await call("POST", `/feedback/${agentId}`, { ...fields, content: "x" }, key);
    assert.deepEqual([other.status, other.body.code], [409, "idempotency-key-reused"]);
    assert.deepEqual(await listed(), [first.body]);
  });

  test("PUT changes rating and content, nothing else, and honours If-Match", async (t) => {
    const { call, clock, fields, listed } = await openWithMessage(await openTestDatabase(t));
    const { body: made } = await call("POST", "/feedback", { ...fields, content: "why" });
    const path = `/feedback/${made.id}`;
    clock.nowMs += 5;
    const foreign = { id: unknownId, messageId: unknownId, chatflowid: otherAgentId, chatId: "c2", createdDate: "" };
    const rated = await call("PUT", path, { ...foreign, rating: "THUMBS_DOWN" });
    assert.deepEqual([rated.status, rated.body], [200, { ...made, rating: "THUMBS_DOWN" }]);
    const etag = rated.headers.get("etag") ?? "";
    const emptied = await call("PUT", path, { content: null }, { "If-Match": etag });
    assert.deepEqual(emptied.body, { ...rated.body, content: "" });
    const late = await call("PUT", path, { content: "late" }, { "If-Match": etag });
    assert.deepEqual([late.status, late.body.code], [412, "precondition-failed"]);
    assert.deepEqual(await listed(), [emptied.body]);
  });

  test("PUT refuses what does not fit", async (t) => {
    const { call, send, fields, listed } = await openWithMessage(await openTestDatabase(t));
    const { body: made } = await call("POST", "/feedback", fields);
    const path = `/feedback/${made.id}`;
    assert.equal((await call("PUT", path, { rating: "MEH" })).body.code, "body-invalid");
    assert.equal((await call("PUT", path)).body.code, "body-missing");
    assert.equal((await send("PUT", path, "{")).status, 400);
    assert.equal((await call("PUT", "/feedback/no-uuid", { rating: "THUMBS_UP" })).body.code, "id-invalid");
    const unknown = await call("PUT", `/feedback/${unknownId}`, { rating: "THUMBS_UP" });
    assert.deepEqual([unknown.status, unknown.body.code], [404, "not-found"]);
    assert.deepEqual(await listed(), [made]);
  });

  test("reading needs feedback:read, leaving and changing feedback:write, by whatever method", async (t) => {
    const { callAs, fields, listed } = await openWithMessage(await openTestDatabase(t));
    const requests = [
      ["GET", `/feedback/${agentId}?${queryOf(fields)}`],
      ["GET", `/feedback?${queryOf(fields)}`],
      ["POST", "/feedback"],
      ["POST", `/feedback/${agentId}`],
      ["PUT", `/feedback/${unknownId}`],
    ] as const;
    for (const [method, path] of requests) {
      assert.equal((await callAs(undefined, method, path, fields)).status, 401, `${method} ${path}`);
      const { status, body } = await callAs(["feedback:read"], method, path, fields);
      assert.deepEqual([status, body.code], [403, "forbidden"], `${method} ${path}`);
    }
    assert.deepEqual(await listed(), []);
    assert.equal((await callAs(["feedback:read"], "GET", `/feedback/${agentId}`)).status, 200);
    assert.equal((await callAs(["feedback:write"], "GET", `/feedback/${agentId}`)).status, 403);
    assert.equal((await callAs(["feedback:write"], "POST", "/feedback", fields)).status, 200);
  });
});

type App = Awaited<ReturnType<typeof openWithMessage>>["app"];

async function listenOn(app: App, t: TestContext): Promise<{ port: number }> {
  const listening = await listen(app, { host: "127.0.0.1", port: 0 });
  t.after(() => listening.close({ graceMs: 100 }));
  return listening;
}

type Target = { port: number; path: string; headers: Record<string, string> };

// biome-ignore lint/suspicious/noExplicitAny: a test asserts on what came over the wire, which has no type
function getWithBody(target: Target, text: string): Promise<{ status: number | undefined; body: any }> {
  const headers = { ...target.headers, "Content-Type": "application/json", "Content-Length": Buffer.byteLength(text) };
  return new Promise((resolve, reject) => {
    const sent = request({ ...target, host: "127.0.0.1", method: "GET", headers, agent: false }, (response) => {
      let answer = "";
      response.setEncoding("utf8").on("data", (chunk: string) => {
        answer += chunk;
      });
      response.on("end", () => resolve({ status: response.statusCode, body: JSON.parse(answer) }));
    });
    sent.on("error", reject);
    sent.end(text);
  });
}
