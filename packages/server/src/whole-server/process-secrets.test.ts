import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { forEachDatabase } from "../../../database/src/testing/test-databases.ts";
import { until } from "../../../database/src/testing/until.ts";
import { openProcessBench } from "../testing/process-bench.ts";
import { llmFlow } from "../testing/test-platform.ts";

const secrets = {
  openAiKey: "sk-operator-5b1f0c9a",
  credentialKey: "sk-credential-77ad20e4",
  adminPassword: "horse-battery-91c3",
  wrongPassword: "guess-of-a-stranger-4410",
  databasePassword: "db-password-0f6e1d2b",
  headerKey: "wk_of-a-stranger-c01d",
  encryptionKey: randomBytes(32).toString("base64"),
  jwtKey: randomBytes(32).toString("base64"),
};

/** A model server that repeats the key it was sent, as some vendors do in their errors. */
const indiscreet = (headers: () => string | undefined) => () => ({
  status: 401,
  body: { error: { message: `Incorrect API key provided: ${headers()}`, type: "invalid_request_error" } },
});

function withPassword(databaseUrl: string): string {
  if (databaseUrl === "") return "";
  const url = new URL(databaseUrl);
  url.password = secrets.databasePassword;
  return url.href;
}

await forEachDatabase((databases) => {
  describe("secrets", () => {
    it("are in no output of the process at its most talkative, nor in plain text in its folder", async (t) => {
      const { storage, startModel, start } = await openProcessBench(t, databases);
      const { databaseUrl, dataDir } = storage;
      const model = await startModel(indiscreet(() => model.requests.at(-1)?.headers.authorization));
      const env = {
        DATABASE_URL: withPassword(databaseUrl),
        OPENAI_API_KEY: secrets.openAiKey,
        ADMIN_EMAIL: "admin@example.com",
        ADMIN_PASSWORD: secrets.adminPassword,
        ENCRYPTION_KEY: secrets.encryptionKey,
        JWT_KEY: secrets.jwtKey,
        LOG_LEVEL: "debug",
      };
      const platform = await start(env);
      const login = { email: env.ADMIN_EMAIL, password: secrets.adminPassword };
      const { token } = await platform.call<{ token: string }>("POST", "/auth/login", login);
      await platform.send("POST", "/auth/login", { ...login, password: secrets.wrongPassword });
      await platform.send("POST", "/auth/login", { ...login, password: [secrets.wrongPassword] });

      const key = { keyName: "mine", permissions: ["predictions:run", "agents:read"] };
      const { id: apikeyid, apiKey } = await platform.call<{ id: string; apiKey: string }>("POST", "/apikey", key);
      const credential = await platform.call<{ id: string }>("POST", "/credentials", {
        name: "OpenAI",
        credentialName: "openAIApi",
        plainDataObj: { openAIApiKey: secrets.credentialKey },
      });
      const create = async (config: object, more: object = {}) =>
        (await platform.call<{ id: string }>("POST", "/chatflows", { name: "A", flowData: llmFlow(config), ...more }))
          .id;
      const agentIds = [
        await create({}, { apikeyid }),
        await create({ model: { provider: "openai-compatible", model: "m", credential: credential.id } }, { apikeyid }),
      ];
      const answers: string[] = [];
      const ask = async (path: string, headers: Record<string, string>, body?: object) => {
        const response = await fetch(`${platform.url}/api/v1${path}`, {
          method: body === undefined ? "GET" : "POST",
          headers: { "content-type": "application/json", ...headers },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        });
        answers.push(await response.text());
      };
      for (const id of agentIds) {
        for (const streaming of [false, true]) {
          const body = { question: "Hi", chatId: "chat", streaming };
          await ask(`/prediction/${id}`, { authorization: `Bearer ${apiKey}` }, body);
          await ask(`/prediction/${id}`, { authorization: `Bearer ${token}`, "x-api-key": apiKey }, body);
          await ask(`/prediction/${id}`, { authorization: `Bearer ${secrets.headerKey}` }, body);
          await ask(`/prediction/${id}`, { authorization: `Bearer ${token}x` }, body);
        }
        await ask(`/chatmessage/${id}`, { authorization: `Bearer ${platform.token}` });
      }
      await ask(`/chatflows/apikey/${apiKey}`, { authorization: `Bearer ${apiKey}` });
      await ask(`/credentials/${credential.id}`, { authorization: `Bearer ${platform.token}` });
      const sent = new Set(model.requests.map(({ headers }) => headers.authorization));
      assert.deepEqual(sent, new Set([`Bearer ${secrets.openAiKey}`, `Bearer ${secrets.credentialKey}`]));
      await until(() => (/run-ended/.test(platform.output()) ? true : undefined));
      assert.equal(await platform.kill("SIGTERM"), 0);

      assert.match(platform.output(), /request-answered/);
      const files = await Promise.all((await readdir(dataDir)).map((name) => readFile(join(dataDir, name), "latin1")));
      const hidden = { ...secrets, token, apiKey, operatorToken: platform.token };
      for (const [name, secret] of Object.entries(hidden)) {
        assert.ok(!platform.output().includes(secret), `${name} is in the output`);
        assert.ok(!answers.join().includes(secret), `${name} is in an answer`);
        assert.ok(!files.join().includes(secret), `${name} is in a file`);
      }
      const signature = token.split(".")[2] ?? "";
      assert.ok(signature.length > 20 && !platform.output().includes(signature));
    });
  });
});
