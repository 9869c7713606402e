import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { pathToFileURL } from "node:url";
import { brotliCompressSync } from "node:zlib";
import { onTestDatabase } from "../../../database/src/testing/test-databases.ts";
import { createTestApp } from "../../../http/src/testing/test-app.ts";
import { agentWith, llmFlow, openTestPlatform, type TestPlatform } from "../testing/test-platform.ts";
import { hostedChatRoutes } from "./feature.ts";
import { createHostedChatService } from "./hosted-chat.service.ts";

const unknownId = "3f2c8a4e-0d1b-4c7a-9e6f-5a4b3c2d1e0f";

function visit(platform: TestPlatform, path: string, headers: Record<string, string> = {}, init: RequestInit = {}) {
  return platform.fetch(new Request(`http://platform${path}`, { headers, ...init }));
}

function directive(response: Response, name: string): string | undefined {
  const policy = response.headers.get("content-security-policy") ?? "";
  return policy
    .split("; ")
    .find((rule) => rule.startsWith(`${name} `))
    ?.slice(name.length + 1);
}

await onTestDatabase((databases) => {
  if (databases.name !== "sqlite") return;
  const open = (t: TestContext, env: Record<string, string> = {}) =>
    openTestPlatform(t, databases, { ALLOW_PUBLIC_FLOWS: "true", ...env });
  const publish = (platform: TestPlatform, chatbotConfig: object = {}) =>
    agentWith(platform, llmFlow(), { isPublic: true, chatbotConfig: JSON.stringify(chatbotConfig) });

  describe("the page of a chat", () => {
    it("is there for a public agent, with the title of its settings as text", async (t) => {
      const platform = await open(t);
      const id = await publish(platform, { title: "Tom & <b>Jerry</b>" });
      const response = await visit(platform, `/chat/${id}`);
      assert.equal(response.status, 200);
      assert.equal(response.headers.get("content-type"), "text/html; charset=utf-8");
      const html = await response.text();
      assert.match(html, /<title>Tom &#38; &#60;b&#62;Jerry&#60;\/b&#62;<\/title>/);
      assert.doesNotMatch(html, /<script(?! type="module" src="\/chat-page\.js")|<style| on\w+=/);
      const again = await visit(platform, `/chat/${id}`, { "if-none-match": response.headers.get("etag") ?? "" });
      assert.equal(again.status, 304);
    });

    it("takes nothing from settings that is not within its limits", async (t) => {
      const platform = await open(t);
      const id = await publish(platform, {
        title: "n".repeat(10_000),
        titleAvatarSrc: `data:image/png;base64,${"A".repeat(5_000_000)}`,
        botMessage: {
          avatarSrc: "https://a.example; script-src *",
          backgroundColor: "red;background:url(//evil.example)",
        },
        customCSS: "@import url(//evil.example)",
        secret: "settings-secret",
      });
      const page = await visit(platform, `/chat/${id}`);
      assert.match(await page.text(), /<title>n{199}…<\/title>/);
      assert.equal(directive(page, "img-src"), "'self' data: blob:");
      assert.equal(directive(page, "script-src"), "'self'");
      for (const path of ["public-chatbotConfig", "public-chatflows"]) {
        const text = await (await visit(platform, `/api/v1/${path}/${id}`)).text();
        assert.ok(text.length < 20_000, `${path} has ${text.length} characters`);
        assert.doesNotMatch(text, /settings-secret|AAAA|background:url/);
      }
      await platform.json("PUT", `/chatflows/${id}`, { name: "N".repeat(10_000), chatbotConfig: "{}" });
      assert.match(await (await visit(platform, `/chat/${id}`)).text(), /<title>N{199}…<\/title>/);
    });

    it("is drawn in the scheme that its owner chose from the first moment", async (t) => {
      const platform = await open(t);
      const scheme = async (config: object) => {
        const html = await (await visit(platform, `/chat/${await publish(platform, config)}`)).text();
        return /name="color-scheme" content="(.*?)"/.exec(html)?.[1];
      };
      assert.equal(await scheme({ appearance: { colorScheme: "dark" } }), "dark");
      assert.equal(await scheme({}), "light dark");
    });

    it("is the same answer for an agent that is private, needs a key or does not exist", async (t) => {
      const platform = await open(t);
      const { id: apikeyid } = await platform.json<{ id: string }>("POST", "/apikey", { keyName: "own" });
      const unavailable = [
        await agentWith(platform, llmFlow()),
        await agentWith(platform, llmFlow(), { isPublic: true, apikeyid }),
        unknownId,
        "nonsense",
      ];
      const answers = await Promise.all(
        unavailable.map(async (id) => {
          const response = await visit(platform, `/chat/${id}`);
          const { "x-request-id": _, ...headers } = Object.fromEntries(response.headers);
          return { status: response.status, headers, body: await response.text() };
        }),
      );
      assert.equal(answers[0]?.status, 404);
      assert.match(answers[0]?.body ?? "", /Chat not available/);
      for (const answer of answers) assert.deepEqual(answer, answers[0]);
    });

    it("says in the visitor's language that there is no chat", async (t) => {
      const platform = await open(t);
      const notice = async (language: string) => {
        const response = await visit(platform, `/chat/${unknownId}`, { "accept-language": language });
        assert.equal(response.headers.get("vary")?.includes("Accept-Language"), true);
        const html = await response.text();
        return [/<html lang="(.*?)"/.exec(html)?.[1], /<h1>(.*?)<\/h1>/.exec(html)?.[1]];
      };
      assert.deepEqual(await notice("de-CH,de;q=0.9,en;q=0.8"), ["de", "Chat nicht verfügbar"]);
      assert.deepEqual(await notice("ja, fr;q=0.5"), ["fr", "Chat indisponible"]);
      assert.deepEqual(await notice("es"), ["es", "Chat no disponible"]);
      for (const other of ["ja", '"><script>', "__proto__", "*"]) {
        assert.deepEqual(await notice(other), ["en", "Chat not available"]);
      }
    });

    it("is there for nobody where the operator allows no public agents, signed in or not", async (t) => {
      const platform = await open(t, { ALLOW_PUBLIC_FLOWS: "false" });
      const id = await publish(platform);
      for (const headers of [{}, { authorization: `Bearer ${platform.token}` }]) {
        assert.equal((await visit(platform, `/chat/${id}`, headers)).status, 404);
      }
    });

    it("runs no script but ours, and stands in the frames of its own site and of the allowed ones", async (t) => {
      const platform = await open(t);
      const plain = await visit(platform, `/chat/${await publish(platform)}`);
      assert.equal(directive(plain, "script-src"), "'self'");
      assert.equal(directive(plain, "connect-src"), "'self'");
      assert.equal(directive(plain, "frame-ancestors"), "'self'");
      assert.doesNotMatch(plain.headers.get("content-security-policy") ?? "", /unsafe/);
      const allowedOrigins = ["https://shop.example", "other.example:8443", "bad.example; script-src *", "a b"];
      const framed = await visit(platform, `/chat/${await publish(platform, { allowedOrigins })}`);
      assert.equal(directive(framed, "frame-ancestors"), "'self' shop.example other.example:8443");
      assert.equal(directive(framed, "script-src"), "'self'");
      const everywhere = await visit(platform, `/chat/${await publish(platform, { allowedOrigins: ["*"] })}`);
      assert.equal(directive(everywhere, "frame-ancestors"), "'self' *");
      const nowhere = await visit(platform, `/chat/${await publish(platform, { allowedOrigins: [] })}`);
      assert.equal(directive(nowhere, "frame-ancestors"), "'self'");
    });

    it("may ask for the microphone where the agent takes speech", async (t) => {
      const platform = await open(t);
      const speechToText = JSON.stringify({ openAIWhisper: { status: true } });
      const permissions = async (settings: object) => {
        const id = await agentWith(platform, llmFlow(), { isPublic: true, ...settings });
        return (await visit(platform, `/chat/${id}`)).headers.get("permissions-policy");
      };
      assert.equal(await permissions({ speechToText }), "camera=(), geolocation=(), microphone=(self)");
      assert.equal(await permissions({}), "camera=(), geolocation=(), microphone=()");
    });

    it("takes pictures from where the agent's settings have theirs, and from nowhere else", async (t) => {
      const platform = await open(t);
      const id = await publish(platform, {
        titleAvatarSrc: "https://pictures.example/cat.png",
        botMessage: { avatarSrc: "javascript:alert(1)" },
        welcomeMessage: "https://elsewhere.example/",
      });
      const response = await visit(platform, `/chat/${id}`);
      assert.equal(directive(response, "img-src"), "'self' data: blob: https://pictures.example");
    });

    it("may send messages where only other sites are allowed, because it is the server's own", async (t) => {
      const platform = await open(t);
      const id = await publish(platform, { allowedOrigins: ["https://shop.example"] });
      const read = (headers: Record<string, string>) =>
        visit(platform, `/api/v1/public-chatbotConfig/${id}`, { host: "localhost:3000", ...headers });
      assert.equal((await read({ origin: "http://localhost:3000" })).status, 200);
      assert.equal((await read({ origin: "https://else.example", "sec-fetch-site": "same-origin" })).status, 200);
      assert.equal((await read({ origin: "https://shop.example" })).status, 200);
      assert.equal((await read({ origin: "https://else.example", "sec-fetch-site": "cross-site" })).status, 403);
      assert.equal((await read({ origin: "null" })).status, 403);
    });
  });
});

describe("the files of the chat client", () => {
  async function serve(t: TestContext, files: Record<string, string | Uint8Array>) {
    const folder = await mkdtemp(join(tmpdir(), "weft-widget-"));
    t.after(() => rm(folder, { recursive: true, force: true }));
    for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
    const service = createHostedChatService(async () => undefined, pathToFileURL(`${folder}/`));
    const { fetch } = createTestApp(hostedChatRoutes(service));
    return (path: string, headers: Record<string, string> = {}) =>
      fetch(new Request(`http://test${path}`, { headers }));
  }

  it("are open to pages of every site, packed, and tagged", async (t) => {
    const code = "export default {};";
    const get = await serve(t, { "widget.js": code, "widget.js.br": brotliCompressSync(code), "chat-page.js": code });
    const response = await get("/widget.js", { origin: "https://anywhere.example" });
    assert.equal(response.status, 200);
    assert.equal(await response.text(), code);
    assert.equal(response.headers.get("content-type"), "text/javascript; charset=utf-8");
    assert.equal(response.headers.get("access-control-allow-origin"), "*");
    assert.equal(response.headers.get("cross-origin-resource-policy"), "cross-origin");
    assert.equal(response.headers.get("cache-control"), "public, max-age=300");
    const tag = response.headers.get("etag") ?? "";
    assert.equal((await get("/widget.js", { "if-none-match": tag })).status, 304);
    const packed = await get("/widget.js", { "accept-encoding": "br" });
    assert.equal(packed.headers.get("content-encoding"), "br");
    assert.equal((await get("/chat-page.js")).status, 200);
  });

  it("say how to build them where nobody did", async (t) => {
    const get = await serve(t, {});
    const response = await get("/widget.js");
    assert.equal(response.status, 503);
    assert.match(await response.text(), /npm run builder/);
  });
});
