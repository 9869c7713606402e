import type { HttpApp } from "@weft/http";
import { createScriptedOpenAiServer, startVoiceServer } from "@weft/providers/testing";
import type { JsonObject } from "@weft/schema";
import type { CleanUp, TestDatabases } from "../../../../../database/src/testing/test-databases.ts";
import { createTestApp } from "../../../../../http/src/testing/test-app.ts";
import { createScriptedQdrant } from "../../../../../vector-stores/src/qdrant/testing/scripted-qdrant.ts";
import { describeRoutes } from "../../../describe-routes.ts";
import { client as scriptedClient, startScriptedProvider } from "../../../identity/testing/scripted-provider.ts";
import { type ApiOperation, readApiDocument } from "../../api-document.ts";
import { agentWith, llmFlow, openTestPlatform, type TestPlatform } from "../../test-platform.ts";
import { createFailingDatabase } from "./failing-database.ts";
import { bodyLimitBytes } from "./status-producers.ts";
import { freshExample } from "./valid-request.ts";
import type { Parts, SendOptions, Turn, World } from "./world.ts";

/** A platform with a model that answers, or fails when it is told to. */
export async function openWorld(
  t: CleanUp,
  databases: TestDatabases,
  more: Record<string, string> = {},
): Promise<World> {
  const model = { fails: false };
  const script = () => (model.fails ? { status: 500, body: "broken" } : { text: "Hello" });
  const server = await createScriptedOpenAiServer({ script, record: false });
  t.after(() => server.close());
  const vectors = await createScriptedQdrant();
  t.after(() => vectors.close());
  const voice = await startVoiceServer({ pieces: ["ID3"] });
  t.after(() => voice.close());
  const provider = await startScriptedProvider(t);
  const store = createFailingDatabase();
  const env = {
    OPENAI_API_KEY: "k",
    OPENAI_BASE_URL: server.url,
    DEFAULT_MODEL: "scripted",
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: scriptedClient.id,
    OIDC_CLIENT_SECRET: scriptedClient.secret,
    EGRESS_ALLOW: [vectors.url, voice.url, provider.issuer].map((url) => new URL(url).host).join(","),
    BODY_LIMIT: String(bodyLimitBytes),
    ...more,
  };
  const open = (parts = {}) => openTestPlatform(t as Parameters<typeof openTestPlatform>[0], databases, env, parts);
  const platform = await open({ wrapDatabase: store.wrap });
  const text = await (await platform.fetch(new Request("http://platform/openapi.json"))).text();
  const document = readApiDocument(JSON.parse(text) as JsonObject);
  const faulty = await createFaultyApp();
  let strict: Promise<World> | undefined;
  let count = 0;
  const next = () => {
    count += 1;
    return count;
  };

  async function send(operation: ApiOperation, parts: Parts, { text, token }: SendOptions = {}): Promise<Response> {
    const bearer = token === undefined ? (parts.token ?? platform.token) : token;
    return platform.fetch(toRequest(operation, parts, { text, token: bearer }));
  }

  async function create(operationId: string, fields: JsonObject = {}) {
    const operation = document.operations.find(({ id }) => id === operationId);
    if (operation === undefined) throw new Error(`There is no operation ${operationId}.`);
    const response = await send(operation, { body: { ...(freshExample(operation, next()) as JsonObject), ...fields } });
    const answer = await response.text();
    if (response.status !== 200) throw new Error(`${operationId} answers ${response.status} ${answer}`);
    return JSON.parse(answer) as JsonObject & { id: string };
  }

  return {
    platform,
    document,
    store,
    model,
    vectors,
    voiceUrl: `${voice.url}/v1`,
    provider,
    next,
    send,
    create,
    agent: () => publicAgent(platform),
    turn: () => ask(platform),
    openFresh: () => open(),
    openStrict() {
      strict ??= openWorld(t, databases, { ALLOW_PUBLIC_FLOWS: "true", PUBLIC_RATE_LIMIT: "1" });
      return strict;
    },
    sendToFaulty: (operation, parts) => faulty.fetch(toRequest(operation, parts, { text: undefined, token: "all" })),
    async keyWith(permission) {
      const { apiKey } = await create("createApiKey", { permissions: [permission] });
      return String(apiKey);
    },
  };
}

function publicAgent(platform: TestPlatform): Promise<string> {
  return agentWith(platform, llmFlow(), { isPublic: true });
}

async function ask(platform: TestPlatform): Promise<Turn> {
  const agentId = await publicAgent(platform);
  const answer = await platform.json<Omit<Turn, "agentId">>("POST", `/prediction/${agentId}`, { question: "Hi" });
  return { ...answer, agentId };
}

type Sent = { text: string | undefined; token: string | null };

function toRequest(operation: ApiOperation, parts: Parts, { text, token }: Sent): Request {
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(parts.params?.[name] ?? ""));
  const search = new URLSearchParams(parts.query).toString();
  const isForm = parts.body instanceof FormData && text === undefined;
  const content = isForm ? (parts.body as FormData) : (text ?? JSON.stringify(parts.body));
  const hasBody = content !== undefined && operation.method !== "GET";
  return new Request(`http://platform${path}${search === "" ? "" : `?${search}`}`, {
    method: operation.method,
    headers: {
      ...(token !== null && { authorization: `Bearer ${token}` }),
      ...(hasBody && !isForm && { "content-type": "application/json" }),
      ...parts.headers,
    },
    ...(hasBody && { body: content }),
  });
}

/** The same operations with handlers that throw. */
async function createFaultyApp(): Promise<HttpApp> {
  const routes = (await describeRoutes()).map((route) => ({
    ...route,
    handle: () => {
      throw new Error("A fault.");
    },
  }));
  return createTestApp(routes);
}
