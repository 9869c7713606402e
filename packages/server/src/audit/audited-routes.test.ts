import assert from "node:assert/strict";
import { test } from "node:test";
import { auditRuleOf } from "@weft/http";
import { describeRoutes } from "../describe-routes.ts";

/** What leaves no entry although it is no read: uses of agents and trials, which change nothing that others rely on. */
const unaudited = [
  "askModel",
  "createInternalPrediction",
  "describeRequests",
  "draftFlow",
  "finishSignInTrial",
  "lookAtInvitation",
  "markNoticesSeen",
  "previewLoader",
  "queryDocumentStore",
  "readFlow",
  "refreshToken",
  "sendTestRequest",
  "signalExecution",
  "startConnecting",
  "startSignIn",
  "startSignInTrial",
  "testModel",
  "testTool",
];

test("somebody has decided of each operation that may change something whether it is audited", async () => {
  const routes = (await describeRoutes()).filter(({ method }) => method !== "GET");
  const undecided = routes.filter((route) => auditRuleOf(route) === undefined);
  assert.deepEqual(
    undecided.map(({ operationId }) => operationId),
    [],
    "say in defineRoute what the audit log says of it",
  );
  const silent = routes.filter((route) => auditRuleOf(route) === false && typeof route.permission !== "object");
  assert.deepEqual(silent.map(({ operationId }) => operationId).toSorted(), unaudited);
});

test("no chat client's operation is audited, and reads only where the log is about them", async () => {
  const routes = await describeRoutes();
  const ofClients = routes.filter(({ permission }) => typeof permission === "object");
  assert.ok(ofClients.length > 10);
  assert.deepEqual(
    ofClients.filter((route) => auditRuleOf(route) !== false).map(({ operationId }) => operationId),
    [],
  );
  const reads = routes.filter((route) => route.method === "GET" && auditRuleOf(route) !== false);
  assert.deepEqual(reads.map(({ operationId }) => operationId).toSorted(), [
    "exportAudit",
    "exportInstallation",
    "listChatMessages",
  ]);
});
