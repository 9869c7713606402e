// @tier long: it sends generated requests.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { onTestDatabase } from "../../../../database/src/testing/test-databases.ts";
import { readApiDocument } from "../api-document.ts";
import { fuzzPlatform } from "./fuzz-platform.ts";
import type { FuzzRequest } from "./fuzz-request.ts";
import { judgeAnswer } from "./judge-answer.ts";

await onTestDatabase((databases) => {
  if (databases.name !== "sqlite") return;
  test("whatever is sent, the answer is one that the document promises", async (t) => {
    const { failures, statuses } = await fuzzPlatform(t, databases, { seed: 20_260_101, requests: 500 });
    assert.deepEqual(failures, []);
    const answers = [...statuses.values()].flatMap((counts) => [...counts]);
    const countOf = (isCounted: (status: number) => boolean) =>
      answers.reduce((sum, [status, count]) => sum + (isCounted(status) ? count : 0), 0);
    assert.ok(countOf((status) => status === 200) > 100, "hardly a request was valid");
    assert.ok(countOf((status) => status === 400 || status === 422) > 50, "hardly a request was broken");
  });
});

describe("the judge of answers", () => {
  const answer = { "200": { content: { "application/json": { schema: { type: "object", required: ["id"] } } } } };
  const stream = { "200": { content: { "text/event-stream": { schema: { type: "string" } } } } };
  const document = readApiDocument({
    paths: {
      "/things": { get: { operationId: "listThings", responses: answer } },
      "/prediction": { post: { operationId: "createPrediction", responses: { ...stream, "500": {} } } },
      "/open": { get: { operationId: "getOpen", security: [], responses: { "200": {} } } },
    },
    components: { responses: {}, schemas: { Error: { type: "object", required: ["code", "requestId"] } } },
  });
  const judge = (id: string | undefined, status: number, body: unknown, more: Partial<FuzzRequest> = {}) => {
    const operation = document.operations.find((candidate) => candidate.id === id);
    const request = { operation, caller: "operator", ...more } as FuzzRequest;
    const isText = typeof body === "string";
    const contentType = isText ? "text/event-stream" : "application/json";
    return judgeAnswer(document, request, { status, contentType, text: isText ? body : JSON.stringify(body) });
  };
  const frame = (event: string) => `id:1:1\nmessage:\ndata:{"event":"${event}","data":""}\n\n`;

  test("lets pass what is promised", () => {
    assert.equal(judge("listThings", 200, { id: "a" }), undefined);
    assert.equal(judge("listThings", 503, { code: "shutting-down", requestId: "r" }), undefined);
    assert.equal(judge(undefined, 404, { code: "path-unknown", requestId: "r" }), undefined);
    assert.equal(judge("createPrediction", 200, `${frame("token")}:heartbeat\n\n${frame("end")}`), undefined);
  });

  test("finds what is not", () => {
    assert.match(judge("listThings", 200, {}) ?? "", /id/);
    assert.match(judge("listThings", 418, {}) ?? "", /418 is not declared/);
    assert.match(judge("listThings", 500, { code: "internal" }) ?? "", /500 internal/);
    assert.match(judge("listThings", 500, { code: "flow-invalid" }) ?? "", /500 flow-invalid/);
    assert.match(judge("createPrediction", 500, { code: "internal" }) ?? "", /500 internal/);
    assert.match(judge("listThings", 429, { code: "rate-limited" }) ?? "", /requestId/);
    assert.match(judge("listThings", 200, { id: "a" }, { caller: "nobody" }) ?? "", /200 without credentials/);
    assert.match(judge("getOpen", 200, { id: "a" }) ?? "", /no body is declared/);
    assert.match(judge(undefined, 200, {}) ?? "", /200 where there is nothing/);
    assert.match(judge("createPrediction", 200, frame("token")) ?? "", /no end/);
    assert.match(judge("createPrediction", 200, "data: x\n\n") ?? "", /malformed/);
    assert.match(judge("listThings", 200, frame("end")) ?? "", /not declared|event-stream/);
  });
});
