import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import type { Route } from "@weft/http";
import { z } from "zod";
import { onTestDatabase } from "../../../database/src/testing/test-databases.ts";
import { openTestPlatform, type TestPlatform } from "../testing/test-platform.ts";

/** What a list may be asked for at once. Of a list without it the query is refused. */
const mostOf: Readonly<Record<string, number>> = {
  listConversations: 100,
  ...{ listExecutions: 100, listWaitingExecutions: 50, listCallbackDeliveries: 100, listScheduleLogs: 100 },
  listNotices: 100,
  ...Object.fromEntries(
    [
      ...[
        "listAccounts",
        "listAgents",
        "listApiKeys",
        "listAssistants",
        "listChatMessages",
        "listCredentials",
        "listDocumentStores",
      ],
      ...[
        "listFeedback",
        "listInternalChatMessages",
        "listLeads",
        "listNoticeChannels",
        "listTools",
        "listUpsertHistory",
        "listVariables",
      ],
    ].map((name) => [name, 10_000]),
  ),
};

/** The only list whose answer another API lays down. */
const foreign = "listServedModels";

const isList = ({ method, operationId }: Route) =>
  method === "GET" && operationId.startsWith("list") && operationId !== foreign;

function returnsArray({ method, returns }: Route): boolean {
  if (method !== "GET" || returns === null) return false;
  const { schema } = returns;
  const options = schema instanceof z.ZodUnion ? schema.options : [schema];
  return options.some((option) => option instanceof z.ZodArray);
}

type Refusal = { code: string; message: string; errors: { path: string; message: string }[] };

async function ask(platform: TestPlatform, { path }: Route, query: string) {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name) => (name === "page" ? "1" : unknown));
  const response = await platform.send("GET", `${filled.replace("/api/v1", "")}?${query}`);
  return { status: response.status, body: (await response.json()) as Refusal };
}

const unknown = randomUUID();
const wrong = ["-1", "ten", "1.5", "1;2", "Infinity", "9".repeat(30), "9007199254740993"];

/** Queries that a list with these limits refuses, with what the refusal names. */
function refusedQueries({ operationId }: Route): { query: string; name: string; range: string }[] {
  const most = mostOf[operationId] ?? 0;
  const least = operationId === "listWaitingExecutions" ? 0 : 1;
  const of = (name: string, values: readonly string[], range: string) =>
    [...[...wrong, ...values].map((value) => `${name}=${value}`), `${name}=1&${name}=2`].map((query) => ({
      query,
      name,
      range: `must be a whole number from ${range}`,
    }));
  return [
    ...of("limit", [String(least - 1), String(most + 1)], `${least} to ${most}`),
    ...of("page", ["0", "", "1000001"], "1 to 1000000"),
  ];
}

await onTestDatabase((databases) => {
  test("every list refuses a limit and a page that it does not keep, and says what is allowed", async (t) => {
    const platform = await openTestPlatform(t, databases);
    const limited = platform.routes.filter(({ operationId }) => mostOf[operationId] !== undefined);
    assert.deepEqual(limited.map(({ operationId }) => operationId).toSorted(), Object.keys(mostOf).toSorted());
    for (const route of limited) {
      for (const { query, name, range } of refusedQueries(route)) {
        for (const given of [query, `${query}&${name === "page" ? "limit" : "page"}=1`]) {
          const { status, body } = await ask(platform, route, given);
          assert.deepEqual([status, body.code], [400, "query-invalid"], `${route.operationId}?${given}`);
          assert.deepEqual(body.errors, [{ path: name, message: range }]);
          assert.ok(body.message.includes(range), body.message);
        }
      }
    }
  });

  test("a list keeps the largest limit and page that it names", async (t) => {
    const platform = await openTestPlatform(t, databases);
    for (const route of platform.routes.filter(({ operationId }) => mostOf[operationId] !== undefined)) {
      const query = `page=1000000&limit=${mostOf[route.operationId]}&executionData=false`;
      const { status, body } = await ask(platform, route, query);
      const isUnknown = status === 404 && body.code.endsWith("not-found");
      assert.ok(status === 200 || isUnknown, `${route.operationId}: ${status} ${JSON.stringify(body)}`);
    }
  });

  test("a list that always answers whole refuses a limit and a page", async (t) => {
    const platform = await openTestPlatform(t, databases);
    const whole = platform.routes.filter((route) => isList(route) && mostOf[route.operationId] === undefined);
    assert.ok(whole.length >= 17, String(whole.length));
    for (const route of whole) {
      for (const name of ["limit", "page"]) {
        const { status, body } = await ask(platform, route, `${name}=1`);
        assert.deepEqual([status, body.code], [400, "query-invalid"], `${route.operationId}?${name}`);
        assert.deepEqual(body.errors, [{ path: name, message: "is not taken by this list. Leave it out." }]);
      }
    }
  });

  test("every operation that answers with an array is named a list", async (t) => {
    const { routes } = await openTestPlatform(t, databases);
    const others = routes.filter((route) => returnsArray(route) && !isList(route));
    assert.deepEqual(
      others.map(({ operationId }) => operationId),
      [],
    );
  });
});
