import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { describe, test } from "node:test";
import { type ExportFile, type ImportReport, type JsonObject, removedSecret, type StoreQuestion } from "@weft/schema";
import { onTestDatabase, type TestDatabases } from "../../../database/src/testing/test-databases.ts";
import { agentWith, flowOf, llmFlow, openTestPlatform, type TestPlatform } from "../testing/test-platform.ts";

const emptyFile = {
  format: "weft-export",
  formatVersion: 1,
  productVersion: "1",
  createdDate: "2025-01-31T12:00:00.000Z",
};
const dates = { createdDate: "2025-01-31T12:00:00.000Z", updatedDate: "2025-02-01T08:30:00.000Z" };

/** Secrets by the place in which they are planted. */
const planted = {
  credential: "sesame-4711-credential",
  copiedCredential: "sesame-4711-credential",
  environment: "sesame-4712-environment",
  header: "sesame-4713-header",
  row: "sesame-4714-row",
  address: "sesame-4715-address",
  query: "sesame-4716-query",
  code: "sesame-4717-code",
  variable: "sesame-4718-variable",
  setting: "sesame-4719-setting",
  loader: "sesame-4720-loader",
  prompt: "sk-sesame4721prompt0000000",
  earlier: "sesame-4722-earlier",
};

type Installation = Record<"agentId" | "toolId" | "storeId" | "assistantId" | "credentialId", string>;

async function fill(platform: TestPlatform): Promise<Installation> {
  const made = async (path: string, body: object) => (await platform.json<{ id: string }>("POST", path, body)).id;
  const credentialId = await made("/credentials", {
    name: "Events",
    credentialName: "httpBearerToken",
    plainDataObj: { token: planted.credential },
  });
  const { apiKey, id: keyId } = await platform.json<{ apiKey: string; id: string }>("POST", "/apikey", {
    keyName: "k",
  });
  await made("/variables", { name: "city", value: "London" });
  await made("/variables", { name: "limit", value: "12.5", type: "number" });
  await made("/variables", { name: "shopApiKey", value: planted.variable });
  const toolId = await made("/tools", {
    name: "get_weather",
    description: "Tells the weather",
    schema: '[{"property":"city","type":"string","description":"Name","required":true}]',
    func: `const headers = { "x-api-key": "${planted.code}" };\nreturn "It is sunny in " + $city;`,
  });
  const storeId = await made("/document-store/store", { name: "Handbook" });
  await platform.json("POST", `/document-store/upsert/${storeId}`, {
    loader: { name: "plainText", config: { text: `Refunds take five days. password: "${planted.loader}"` } },
  });
  for (const [question, word] of [
    ["How long do refunds take?", "five days"],
    ["Who pays?", planted.copiedCredential],
  ]) {
    await made(`/document-store/store/${storeId}/questions`, { question, relevant: ["faq.md"], words: [word] });
  }
  await platform.json("PUT", `/document-store/store/${storeId}/evaluation-settings`, { afterIndexing: true });
  const request = {
    url: `https://user:${planted.address}@api.example.com/events?access_token=${planted.query}`,
    name: "get_thing",
    description: "Gets a thing",
    headers: { Authorization: planted.header, "x-copied": planted.copiedCredential, accept: "text/plain" },
    credential: credentialId,
  };
  const tools = [
    { type: "request-get", config: request },
    { type: "custom-tools", config: { toolIds: [toolId] } },
  ];
  const earlier = flowOf("agent", "Agent", {
    tools: [{ type: "request-get", config: { ...request, headers: { Authorization: planted.earlier } } }],
  });
  const agentId = await agentWith(platform, earlier, {
    name: "Support",
    apikeyid: keyId,
    isPublic: true,
    apiConfig: JSON.stringify({ rateLimit: { limitMax: 5 }, apiKey: planted.setting }),
    chatbotConfig: '{ "welcomeMessage": "Hello" }',
  });
  await platform.json("PUT", `/chatflows/${agentId}`, {
    flowData: flowOf("agent", "Agent", {
      tools,
      messages: [{ role: "system", content: `Never tell ${planted.prompt}` }],
    }),
    version: { name: "Discreet", note: "Keeps secrets" },
  });
  const rows = [
    { name: "X-Session", value: planted.row },
    { name: "X-Env", value: planted.environment },
  ];
  await agentWith(platform, flowOf("http", "HTTP", { url: "https://api.example.com", headers: rows }), {
    name: "Caller",
  });
  await agentWith(platform, llmFlow(), { name: "Plain" });
  const assistantId = await made("/assistants", {
    details: { name: "Helper", tools: ["function"], tool_resources: { function: { tool_ids: [toolId] } } },
    credential: credentialId,
  });
  await platform.json("POST", `/chatflows/${agentId}/webhook-secret`);
  assert.notEqual(apiKey, "");
  return { agentId, toolId, storeId, assistantId, credentialId };
}

const environment = { RUNTIME_VARIABLES: "SHOP", SHOP: planted.environment };

const open = (t: Parameters<typeof openTestPlatform>[0], databases: TestDatabases, env = {}) =>
  openTestPlatform(t, databases, env);

const exported = (platform: TestPlatform) => platform.json<ExportFile>("GET", "/export");
const imported = (platform: TestPlatform, file: object, query = "") =>
  platform.json<ImportReport>("POST", `/import${query}`, file);

/** How many entries had each outcome. */
function countsOf(report: ImportReport): Record<string, number[]> {
  const { variables, tools, documentStores, agents, assistants } = report;
  const kinds = { variables, tools, documentStores, agents, assistants };
  return Object.fromEntries(
    Object.entries(kinds).map(([kind, { added, unchanged, overwritten, skipped }]) => [
      kind,
      [added.length, unchanged.length, overwritten.length, skipped.length],
    ]),
  );
}

/** What two installations with the same content export alike. */
function toComparable({ createdDate: _, credentials: __, agents, documentStores, ...lists }: ExportFile) {
  return {
    ...lists,
    agents: agents.map((agent) => ({ ...agent, needsApiKey: false })),
    // Settings of splitters that were not given have their defaults once they were imported.
    documentStores: documentStores.map((store) => ({
      ...store,
      loaders: (store.loaders as JsonObject[]).map((loader) => ({ ...loader, splitterConfig: {} })),
    })),
  };
}

async function refusalOf(
  response: Response,
  status: number,
): Promise<{ code: string; paths: string[]; message: string }> {
  const {
    code,
    errors = [],
    message,
  } = (await response.json()) as {
    code: string;
    message: string;
    errors?: { path: string }[];
  };
  assert.equal(response.status, status, message);
  return { code, paths: errors.map(({ path }) => path), message };
}

await onTestDatabase((databases) => {
  describe("export", () => {
    test("no planted secret is in the file, and nothing else is missing", async (t) => {
      const platform = await open(t, databases, environment);
      const { credentialId, toolId } = await fill(platform);
      const response = await platform.send("GET", "/export");
      assert.match(response.headers.get("content-disposition") ?? "", /attachment/);
      const text = await response.text();
      for (const [place, secret] of Object.entries(planted)) assert.ok(!text.includes(secret), place);
      assert.doesNotMatch(text, /wk_|whsec_|encryptedData|"apikeyid"/);
      const file = JSON.parse(text) as ExportFile;
      const [reference] = file.credentials.filter(({ id }) => id === credentialId);
      assert.deepEqual(reference, { id: credentialId, name: "Events", credentialName: "httpBearerToken" });
      assert.ok(text.includes(toolId));
      const support = file.agents.find(({ name }) => name === "Support");
      assert.deepEqual([support?.isPublic, support?.needsApiKey], [false, true]);
      assert.equal((support?.versions as JsonObject[] | undefined)?.length, 2);
      assert.equal(support?.chatbotConfig, '{ "welcomeMessage": "Hello" }');
      assert.match(JSON.stringify(file.tools), /It is sunny in/);
      const plain = file.agents.find(({ name }) => name === "Plain");
      assert.deepEqual((plain?.versions as JsonObject[] | undefined)?.[0]?.flowData, llmFlow());
      const current = await platform.json<ExportFile>("GET", "/export?versions=current");
      assert.ok(current.agents.every(({ versions }) => (versions as JsonObject[]).length === 1));
    });

    test("keys need a permission of their own", async (t) => {
      const platform = await open(t, databases);
      const keyWith = async (body: object) => {
        const { apiKey } = await platform.json<{ apiKey: string }>("POST", "/apikey", { keyName: "k", ...body });
        return { authorization: `Bearer ${apiKey}` };
      };
      const agents = await keyWith({ permissions: ["agents:read", "agents:write", "installation:import"] });
      const exporting = await keyWith({ permissions: ["installation:export"] });
      const limited = await keyWith({
        permissions: ["installation:export"],
        agents: [await agentWith(platform, llmFlow())],
      });
      assert.equal((await platform.send("GET", "/export", undefined, agents)).status, 403);
      assert.equal((await platform.send("GET", "/export", undefined, limited)).status, 403);
      assert.equal((await platform.send("GET", "/export", undefined, exporting)).status, 200);
      assert.equal((await platform.send("POST", "/import", emptyFile, exporting)).status, 403);
      assert.equal((await platform.send("POST", "/import", emptyFile, agents)).status, 200);
      assert.equal((await platform.send("GET", "/export", undefined, { authorization: "" })).status, 401);
    });
  });

  describe("import", () => {
    test("an empty installation becomes the same, twice the same, and its agents run", async (t) => {
      const [here, there] = [await open(t, databases, environment), await open(t, databases)];
      const ids = await fill(here);
      const file = await exported(here);
      const dry = await imported(there, file, "?dryRun=true");
      assert.deepEqual(await there.json("GET", "/chatflows"), []);
      const report = await imported(there, file);
      assert.deepEqual({ ...report, dryRun: true }, dry);
      const all = { variables: 3, tools: 1, documentStores: 1, agents: 3, assistants: 1 };
      for (const [kind, count] of Object.entries(all)) assert.deepEqual(countsOf(report)[kind], [count, 0, 0, 0], kind);
      const again = await imported(there, file, "?mode=overwrite");
      for (const [kind, count] of Object.entries(all)) assert.deepEqual(countsOf(again)[kind], [0, count, 0, 0], kind);

      assert.deepEqual(toComparable(await exported(there)), toComparable(file));
      const plain = async (platform: TestPlatform) =>
        (await platform.json<JsonObject[]>("GET", "/chatflows")).find(({ name }) => name === "Plain");
      assert.deepEqual(await plain(there), await plain(here));
      const versions = await there.json<{ number: number; current: boolean; name: string; note: string }[]>(
        "GET",
        `/chatflows/${ids.agentId}/versions`,
      );
      assert.deepEqual(
        versions.map(({ number, current, name, note }) => [number, current, name, note]),
        [
          [2, true, "Discreet", "Keeps secrets"],
          [1, false, "", ""],
        ],
      );

      const idsOf = (topic: string) => report.next.filter((step) => step.topic === topic).map(({ id }) => id);
      assert.ok(idsOf("credential").includes(ids.credentialId));
      assert.deepEqual([idsOf("document-store"), idsOf("api-key")], [[ids.storeId], [ids.agentId]]);
      assert.match(JSON.stringify(report.next), /shopApiKey[\s\S]*webhook secret|webhook secret[\s\S]*shopApiKey/);
      const answer = await there.json<{ text: string }>("POST", `/prediction/${(await plain(there))?.id}`, {
        question: "Hello",
      });
      assert.notEqual(answer.text, "");
    });

    test("what differs is kept, or overwritten as a new version, and extra things stay", async (t) => {
      const platform = await open(t, databases);
      const { agentId, storeId, assistantId, toolId } = await fill(platform);
      const file = await exported(platform);
      await platform.json("PUT", `/chatflows/${agentId}`, { name: "Renamed", flowData: llmFlow() });
      await platform.json("PUT", `/tools/${toolId}`, { description: "Another one" });
      await platform.json("PUT", `/document-store/store/${storeId}`, { description: "Another one" });
      await platform.json("PUT", `/assistants/${assistantId}`, { details: { name: "Helped" } });
      const [variable] = await platform.json<{ id: string }[]>("GET", "/variables");
      await platform.json("PUT", `/variables/${variable?.id}`, { name: "shopApiKeys" });
      const extra = await agentWith(platform, llmFlow(), { name: "Extra" });
      const skipped = await imported(platform, file);
      assert.deepEqual(countsOf(skipped).agents, [0, 2, 0, 1]);
      assert.equal((await platform.json<{ name: string }>("GET", `/chatflows/${agentId}`)).name, "Renamed");
      const counts = countsOf(await imported(platform, file, "?mode=overwrite"));
      assert.deepEqual(counts, {
        variables: [0, 2, 1, 0],
        tools: [0, 0, 1, 0],
        documentStores: [0, 0, 1, 0],
        agents: [0, 2, 1, 0],
        assistants: [0, 0, 1, 0],
      });
      const agent = await platform.json<{ name: string; apikeyid: string }>("GET", `/chatflows/${agentId}`);
      assert.equal(agent.name, "Support");
      assert.notEqual(agent.apikeyid, "");
      const kept = await platform.json<{ name: string; value: string }>("GET", `/variables/${variable?.id}`);
      assert.deepEqual([kept.name, kept.value], ["shopApiKey", planted.variable]);
      assert.equal((await platform.send("GET", `/chatflows/${extra}`)).status, 200);
      const again = countsOf(await imported(platform, file, "?mode=overwrite"));
      assert.ok(Object.values(again).every(([added, , overwritten]) => added === 0 && overwritten === 0));
    });

    test("questions of a store come along: those of the file become what it says, and others stay", async (t) => {
      const [here, there] = [await open(t, databases), await open(t, databases)];
      const { storeId } = await fill(here);
      const file = await exported(here);
      await imported(there, file);
      const base = `/document-store/store/${storeId}`;
      const list = async () =>
        (await there.json<StoreQuestion[]>("GET", `${base}/questions`)).map(({ id, question, relevant, words }) => ({
          id,
          said: [question, ...relevant, ...words],
        }));
      const [refunds, payer] = await list();
      assert.deepEqual(
        [refunds?.said, payer?.said],
        [
          ["How long do refunds take?", "faq.md", "five days"],
          ["Who pays?", "faq.md", removedSecret],
        ],
      );
      const check = () => there.json<{ afterIndexing: boolean }>("GET", `${base}/evaluation-settings`);
      assert.equal((await check()).afterIndexing, true);

      const own = { question: "Who packs?", relevant: ["team.md"], words: [] };
      await there.json("POST", `${base}/questions`, own);
      assert.deepEqual(countsOf(await imported(there, file)).documentStores, [0, 1, 0, 0], "others do not count");
      await there.json("PUT", `${base}/questions/${refunds?.id}`, { relevant: ["old.md"] });
      await there.json("PUT", `${base}/evaluation-settings`, { afterIndexing: false });
      assert.deepEqual(countsOf(await imported(there, file)).documentStores, [0, 0, 0, 1]);
      assert.deepEqual(countsOf(await imported(there, file, "?mode=overwrite")).documentStores, [0, 0, 1, 0]);
      const after = await list();
      assert.deepEqual(
        after.map(({ said }) => said[0]),
        ["Who pays?", "Who packs?", "How long do refunds take?"],
      );
      assert.deepEqual([after[0]?.id, after[2]?.said], [payer?.id, refunds?.said]);
      assert.equal((await check()).afterIndexing, true);
      assert.deepEqual(countsOf(await imported(there, file, "?mode=overwrite")).documentStores, [0, 1, 0, 0]);

      const older = file.documentStores.map(({ questionSet: _, ...store }) => store);
      assert.deepEqual(
        countsOf(await imported(there, { ...file, documentStores: older })).documentStores,
        [0, 1, 0, 0],
      );
      const questions = Array.from({ length: 1_001 }, (_, index) => ({ ...own, question: `Q${index}` }));
      const tooMany = { ...file, documentStores: [{ ...file.documentStores[0], questionSet: { questions } }] };
      const refused = await there.send("POST", "/import", tooMany);
      assert.equal(refused.status, 422);
      assert.match(await refused.text(), /documentStores\.0\.questionSet\.questions/);
    });

    test("an import that was interrupted is completed by another one", async (t) => {
      const [here, there] = [await open(t, databases), await open(t, databases)];
      await fill(here);
      const file = await exported(here);
      await imported(there, { ...file, agents: file.agents.slice(0, 1), assistants: [] });
      const report = await imported(there, file);
      assert.deepEqual(countsOf(report).agents, [2, 1, 0, 0]);
      assert.deepEqual(countsOf(report).assistants, [1, 0, 0, 0]);
    });

    test("a file that is not valid changes nothing, and its mistakes are named", async (t) => {
      const platform = await open(t, databases);
      const { toolId, credentialId } = await fill(platform);
      const before = await platform.json("GET", "/chatflows");
      const refuse = async (file: object) => refusalOf(await platform.send("POST", "/import", file), 422);
      const paths = async (file: object) => (await refuse({ ...emptyFile, ...file })).paths;
      const agent = {
        id: randomUUID(),
        name: "A",
        ...dates,
        versions: [{ flowData: llmFlow(), createdDate: dates.createdDate }],
      };
      assert.deepEqual((await refuse({ ...emptyFile, format: "other" })).paths, ["format"]);
      assert.match((await refuse({ ...emptyFile, formatVersion: 2 })).message, /newer version of Weft/);
      const noFlow = { ...agent, versions: [{ flowData: "[]", createdDate: dates.createdDate }] };
      assert.deepEqual(await paths({ agents: [agent, noFlow] }), ["agents.1.versions.0.flowData"]);
      assert.deepEqual(await paths({ agents: [{ ...agent, versions: [] }] }), ["agents.0.versions"]);
      assert.deepEqual(await paths({ agents: [agent, agent] }), ["agents.1.id"]);
      assert.deepEqual(await paths({ agents: [{ ...agent, id: toolId }] }), ["agents.0.id"]);
      assert.deepEqual(await paths({ agents: [{ ...agent, id: credentialId }] }), ["agents.0.id"]);
      assert.deepEqual(await paths({ agents: ["text"] }), ["agents.0"]);
      const number = { id: randomUUID(), name: "n", type: "number", value: "many", ...dates };
      assert.deepEqual(await paths({ variables: [number], agents: [agent] }), ["variables.0.value"]);
      const long = { ...number, type: "string", value: "v".repeat(65_537) };
      const tooLong = await refuse({ ...emptyFile, variables: [long], agents: [agent] });
      assert.deepEqual(tooLong.paths, ["variables.0.value"]);
      assert.match(tooLong.message, /must have at most 65,536 characters/);
      const store = { id: randomUUID(), name: "S", ...dates, vectorStoreConfig: '{"name":"nowhere"}' };
      assert.deepEqual(await paths({ documentStores: [store], agents: [agent] }), ["documentStores.0"]);
      assert.deepEqual(await platform.json("GET", "/chatflows"), before);
    });

    test("what is no JSON, or too large, is refused", async (t) => {
      const platform = await open(t, databases, { BODY_LIMIT: "5000" });
      const headers = { authorization: `Bearer ${platform.token}`, "content-type": "application/json" };
      const post = (body: string) =>
        platform.fetch(new Request("http://platform/api/v1/import", { method: "POST", headers, body }));
      assert.equal((await refusalOf(await post("{"), 400)).code, "body-unparsable");
      const agent = { id: randomUUID(), name: "x".repeat(6_000), ...dates };
      assert.equal(
        (await refusalOf(await post(JSON.stringify({ ...emptyFile, agents: [agent] })), 413)).code,
        "body-too-large",
      );
    });
  });
});
