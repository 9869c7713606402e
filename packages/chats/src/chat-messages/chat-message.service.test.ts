import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { everything } from "@weft/http/identity";
import { type JsonObject, type RunInput, toMoment } from "@weft/schema";
import { forEachDatabase } from "../../../database/src/testing/test-databases.ts";
import { noon, openMessages, turnOf } from "../testing/bench.ts";
import { createMemory } from "./chat-message.service.ts";

await forEachDatabase(({ openTestDatabase }) => {
  test("a turn is two messages, the answer later than the question even within one millisecond", async (t) => {
    const { service, record } = openMessages(await openTestDatabase(t));
    const turn = turnOf("Hi", { executionId: "run", memoryType: "Buffer Memory", leadEmail: "a@b.example" });
    await record(turn);
    const messages = await service.list(turn.agentId, { reach: everything });
    assert.ok(Array.isArray(messages));
    const [user, api] = messages;
    assert.equal(user?.role, "userMessage");
    assert.equal(user?.createdDate, "2026-01-01T12:00:00.000Z");
    const { user: _, api: __, agentId, askedAt: ___, ...shared } = turn;
    const empty = { sourceDocuments: [], usedTools: [], fileAnnotations: [], agentReasoning: [], fileUploads: [] };
    assert.deepEqual(api, {
      ...shared,
      ...empty,
      action: [],
      id: turn.api?.id,
      role: "apiMessage",
      chatflowid: agentId,
      content: "Hi!",
      createdDate: "2026-01-01T12:00:00.001Z",
    });
  });

  test("what a message carries comes back as it was, control characters included", async (t) => {
    const { service, record } = openMessages(await openTestDatabase(t));
    const api = {
      id: randomUUID(),
      content: 'NUL \u0000, "quotes", 🧶, \u2028 and \r\n',
      sourceDocuments: [{ pageContent: "page \u0000", metadata: { loc: { line: 1 }, "a.b": null } }],
      usedTools: [{ tool: "get_events", toolInput: { limit: 2 }, toolOutput: "[]" }],
      fileAnnotations: [{ filePath: "/f", fileName: "f" }],
      fileUploads: [{ data: "data:,x", type: "file", name: "x", mime: "text/plain" }],
      action: [
        { id: randomUUID(), mapping: { approve: "Proceed", reject: "Reject", toolCalls: [] }, elements: [{ a: 1 }] },
      ],
      agentReasoning: [
        {
          agentName: "a",
          messages: ["m"],
          nodeName: "n",
          nodeId: "n_0",
          usedTools: [],
          sourceDocuments: [],
          state: { deep: [1] },
        },
      ],
    };
    const turn = turnOf("Hi", { api });
    await record(turn);
    const messages = await service.list(turn.agentId, { order: "DESC", reach: everything });
    assert.ok(Array.isArray(messages));
    assert.partialDeepStrictEqual(messages[0], api);
  });

  test("the input of a tool is an object, also where a row has a text", async (t) => {
    const { service, record } = openMessages(await openTestDatabase(t));
    const call = { tool: "look", toolInput: "Ulm" as unknown as JsonObject, toolOutput: "o" };
    const agent = { agentName: "a", messages: [], nodeName: "n", nodeId: "n_0", sourceDocuments: [], state: {} };
    const agentReasoning = [{ ...agent, usedTools: [call, null as never] }];
    const turn = turnOf("Hi", { api: { id: randomUUID(), content: "", usedTools: [call], agentReasoning } });
    await record(turn);
    const messages = await service.list(turn.agentId, { order: "DESC", reach: everything });
    assert.ok(Array.isArray(messages));
    const shown = [{ ...call, toolInput: { arguments: "Ulm" } }];
    assert.deepEqual([messages[0]?.usedTools, messages[0]?.agentReasoning[0]?.usedTools], [shown, shown]);
  });

  test("memory is the session's messages, oldest first, the last of them when there is a limit", async (t) => {
    const { clock, service, record } = openMessages(await openTestDatabase(t));
    const memory = createMemory(service, { flowState: async () => ({}), input: async () => undefined });
    for (const question of ["one", "two", "three"]) {
      await record(turnOf(question, { askedAt: clock.nowMs }));
      clock.nowMs += 1_000;
    }
    await record(turnOf("elsewhere", { sessionId: "other" }));
    const session = { owner: "client:a", agentId: turnOf("").agentId, sessionId: "session" };
    assert.deepEqual(
      (await memory.messages(session)).map((message) => message.content),
      ["one", "one!", "two", "two!", "three", "three!"],
    );
    assert.deepEqual(await memory.messages({ ...session, limit: 2 }), [
      { role: "userMessage", content: "three" },
      { role: "apiMessage", content: "three!" },
    ]);
    assert.deepEqual(await memory.messages({ ...session, limit: 0 }), []);
    assert.deepEqual(await memory.messages({ ...session, sessionId: "unknown" }), []);
  });

  test("memory has the files of a message as long as its run is kept", async (t) => {
    const { clock, service, record } = openMessages(await openTestDatabase(t));
    const upload = { data: "", type: "stored-file", name: "dot.png", mime: "image/png" };
    for (const executionId of ["kept", "gone"]) {
      await record(
        turnOf(executionId, { executionId, user: { id: executionId, content: "Look", fileUploads: [upload] } }),
      );
      clock.nowMs += 1_000;
    }
    const uploads = [{ ...upload, kind: "image" as const, type: "stored-file" as const, fileId: "f-1" }];
    const inputs: Record<string, RunInput> = { kept: { question: "Look", uploads, fileAttachment: "text" } };
    const memory = createMemory(service, { flowState: async () => ({}), input: async (runId) => inputs[runId] });
    const messages = await memory.messages({ owner: "client:a", agentId: turnOf("").agentId, sessionId: "session" });
    assert.deepEqual(
      messages.map(({ files }) => files),
      [{ uploads, fileAttachment: "text" }, undefined, undefined, undefined],
    );
  });

  test("a turn that waited for another, or a clock that goes back, keeps the order of the session", async (t) => {
    const { clock, service, record } = openMessages(await openTestDatabase(t));
    clock.nowMs = noon + 5_000;
    await record(turnOf("first", { askedAt: noon }));
    await record(turnOf("asked while the first ran", { askedAt: noon + 10 }));
    clock.nowMs = noon - 60_000;
    await record(turnOf("after the clock went back", { askedAt: clock.nowMs }));
    const history = await service.history({ owner: "client:a", agentId: turnOf("").agentId, sessionId: "session" });
    assert.deepEqual(
      history.map((message) => message.content),
      ["first", "asked while the first ran", "after the clock went back"].flatMap((text) => [text, `${text}!`]),
    );
  });

  test("a run that waited remembers what was there when it began", async (t) => {
    const database = await openTestDatabase(t);
    const { clock, service, record } = openMessages(database);
    const run = (id: string, at: number) => ({
      ...{
        id,
        agentId: turnOf("").agentId,
        agentVersionId: "v",
        chatId: "chat",
        sessionId: "session",
        owner: "client:a",
      },
      ...{ chatType: "EXTERNAL", status: "completed", lastSeq: 1, leaseEpoch: 1, leaseOwner: null, leaseUntil: 0 },
      ...{ takeOvers: 0, takeOverSeq: 0, cancelRequested: 0, createdDate: toMoment(at), updatedDate: toMoment(at) },
      stoppedDate: id === "later" ? null : toMoment(at),
    });
    const runs = ["before", "own", "later"].map((id, index) => run(id, noon + index));
    await database.write((tx) => tx.insertInto("runs").values(runs).execute());
    for (const executionId of ["gone", "before", "own", "later"]) {
      await record(turnOf(executionId, { executionId }));
      clock.nowMs += 1_000;
    }
    const session = { owner: "client:a", agentId: turnOf("").agentId, sessionId: "session" };
    const remembered = await service.history({ ...session, beforeRun: "own" });
    assert.deepEqual(
      remembered.map(({ content }) => content),
      ["gone", "gone!", "before", "before!"],
    );
    assert.deepEqual(await service.history({ ...session, beforeRun: "own", limit: 1 }), remembered.slice(-1));
    assert.equal(await service.lastAnsweringRun({ ...session, beforeRun: "newest" }), "own");
    assert.equal(await service.lastAnsweringRun({ ...session, beforeRun: "own" }), "before");
    assert.equal(await service.lastAnsweringRun({ ...session, sessionId: "other", beforeRun: "own" }), undefined);
  });

  test("memory never holds more than 1,000 messages", async (t) => {
    const database = await openTestDatabase(t);
    const { service } = openMessages(database);
    await database.write(async (tx) => {
      for (let index = 0; index < 501; index++) await tx.executeQuery(service.turnStatement(turnOf(`${index}`)));
    });
    const history = await service.history({
      owner: "client:a",
      agentId: turnOf("").agentId,
      sessionId: "session",
      limit: 5_000,
    });
    assert.equal(history.length, 1_000);
    assert.equal(history[0]?.content, "1");
    assert.equal(history.at(-1)?.content, "500!");
  });

  test("a turn whose transaction fails leaves no message", async (t) => {
    const database = await openTestDatabase(t);
    const { service } = openMessages(database);
    const failed = database.write(async (tx) => {
      await tx.executeQuery(service.turnStatement(turnOf("Hi")));
      throw new Error("the run could not end");
    });
    await assert.rejects(failed, /the run could not end/);
    assert.deepEqual(await service.list(turnOf("").agentId, { reach: everything }), []);
  });
});
