import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import { onTestDatabase, type TestDatabases } from "../../../database/src/testing/test-databases.ts";
import { sendForm } from "../../../server/src/testing/send-form.ts";
import { agentWith, llmFlow, openTestPlatform } from "../../../server/src/testing/test-platform.ts";

const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

async function open(t: TestContext, databases: TestDatabases, env: Record<string, string> = {}) {
  const platform = await openTestPlatform(t, databases, env);
  const id = await agentWith(platform, llmFlow(), { isPublic: true });
  const store = (chatId: string, name: string, type = "text/plain", bytes: string | Uint8Array = "content") =>
    sendForm(platform, `/attachments/${id}/${chatId}`, [["files", { name, type, bytes }]]);
  const get = (chatId: string, fileName: string, more: Record<string, string> = {}, agent = id) =>
    platform.send("GET", `/get-upload-file?${new URLSearchParams({ chatflowId: agent, chatId, fileName, ...more })}`);
  /** A picture comes with a question. */
  const ask = (chatId: string, name = "dot.png") =>
    platform.json("POST", `/prediction/${id}`, {
      question: "What is this?",
      chatId,
      uploads: [{ type: "file", name, data: `data:image/png;base64,${png.toString("base64")}` }],
    });
  return { platform, id, store, get, ask };
}

await onTestDatabase((databases) => {
  describe("files", () => {
    it("are downloaded under their own name, and never run", async (t) => {
      const { store, get } = await open(t, databases);
      await store("chat", "Bericht „1“.html", "text/html", "<p>Hi</p><script>alert(1)</script>");
      const answer = await get("chat", "Bericht „1“.html");
      assert.equal(answer.status, 200);
      assert.equal(await answer.text(), "<p>Hi</p><script>alert(1)</script>");
      const header = (name: string) => answer.headers.get(name);
      assert.equal(
        header("content-disposition"),
        `attachment; filename="Bericht _1_.html"; filename*=UTF-8''Bericht%20%E2%80%9E1%E2%80%9C.html`,
      );
      assert.equal(header("x-content-type-options"), "nosniff");
      assert.equal(header("content-security-policy"), "default-src 'none'; sandbox");
      assert.equal(header("content-length"), "34");
    });

    it("are shown when they are pictures, unless a download is asked for", async (t) => {
      const { get, ask } = await open(t, databases);
      await ask("chat");
      const shown = await get("chat", "dot.png");
      assert.equal(shown.headers.get("content-type"), "image/png");
      assert.match(shown.headers.get("content-disposition") ?? "", /^inline; filename="dot\.png"/);
      assert.deepEqual(Buffer.from(await shown.arrayBuffer()), png);
      const saved = await get("chat", "dot.png", { download: "true" });
      assert.match(saved.headers.get("content-disposition") ?? "", /^attachment;/);
    });

    it("are found by agent, chat and name, the newest of a name first", async (t) => {
      const { store, get, id, platform } = await open(t, databases);
      await store("chat", "a.txt", "text/plain", "old");
      await store("chat", "../../a.txt", "text/plain", "new");
      assert.equal(await (await get("chat", "a.txt")).text(), "new");
      const other = await agentWith(platform, llmFlow());
      for (const response of [
        await get("other", "a.txt"),
        await get("chat", "b.txt"),
        await get("chat", "a.txt", {}, other),
      ]) {
        assert.equal(response.status, 404);
      }
      for (const query of ["", `?chatflowId=${id}&chatId=chat`, "?chatflowId=no-uuid&chatId=chat&fileName=a.txt"]) {
        assert.equal((await platform.send("GET", `/get-upload-file${query}`)).status, 400);
      }
      assert.equal((await get("chat", "a.txt", { download: "maybe" })).status, 400);
      for (const name of ["../../a.txt", "/a.txt", "..", "a\0.txt", "..\\a.txt", "x".repeat(201)]) {
        assert.equal((await get("chat", name)).status, 400, name);
      }
      for (const chat of ["../chat", "a\nb", "c\\d", "%00"]) assert.equal((await get(chat, "a.txt")).status, 400, chat);
    });

    it("may have percent signs in their names, which are decoded once", async (t) => {
      const { store, get } = await open(t, databases);
      const names = ["%2e", "%2E%2e", "..%2fa.txt", "a%2fb.txt", "a%5Cb.txt", "100%.txt", "a%252Fb.txt", "%00.txt"];
      for (const name of names) {
        assert.equal((await get("chat", name)).status, 404, name);
        const [stored] = (await (await store("chat", name, "text/plain", `This is ${name}`)).json()) as {
          name: string;
        }[];
        assert.equal(stored?.name, name);
      }
      for (const name of names) {
        const answer = await get("chat", name);
        assert.deepEqual([answer.status, await answer.text()], [200, `This is ${name}`]);
        assert.ok(answer.headers.get("content-disposition")?.endsWith(`UTF-8''${encodeURIComponent(name)}`), name);
      }
      for (const name of ["..", "."]) {
        const [stored] = (await (await store("dots", name)).json()) as { name: string }[];
        assert.deepEqual([stored?.name, (await get("dots", "file")).status], ["file", 200]);
      }
    });

    it("of a public agent need no credentials, those of others do", async (t) => {
      const { platform, id, store } = await open(t, databases, { ALLOW_PUBLIC_FLOWS: "true" });
      const chatId = "0b7f4c1e-6d2a-4f3b-9c8d-1e2f3a4b5c6d";
      await store(chatId, "of-an-account.txt");
      const file = { name: "a.txt", type: "text/plain", bytes: "Hi" };
      assert.equal((await sendForm(platform, `/attachments/${id}/${chatId}`, [["files", file]], {})).status, 200);
      const statusOf = async (agent: string, name = "a.txt") => {
        const url = `http://platform/api/v1/get-upload-file?chatflowId=${agent}&chatId=${chatId}&fileName=${name}`;
        return (await platform.fetch(new Request(url))).status;
      };
      assert.equal(await statusOf(id), 200);
      assert.equal(await statusOf(id, "of-an-account.txt"), 404);
      assert.equal(await statusOf(await agentWith(platform, llmFlow())), 401);
      assert.equal(await statusOf("no-uuid"), 401);
    });

    it("go with the last message of their chat, and only then", async (t) => {
      const { platform, id, store, get, ask } = await open(t, databases);
      await ask("one");
      await ask("one");
      await ask("two");
      await store("unsent", "a.txt");
      const messages = await platform.json<{ createdDate: string }[]>("GET", `/chatmessage/${id}?chatId=one`);
      await platform.json("DELETE", `/chatmessage/${id}?chatId=one&endDate=${messages[1]?.createdDate}`);
      assert.equal((await get("one", "dot.png")).status, 200);
      await platform.json("DELETE", `/chatmessage/${id}?chatId=one`);
      assert.equal((await get("one", "dot.png")).status, 404);
      assert.equal((await get("two", "dot.png")).status, 200);
      await platform.json("DELETE", `/chatmessage/${id}`);
      assert.equal((await get("two", "dot.png")).status, 404);
      assert.equal((await get("unsent", "a.txt")).status, 200, "a chat that has not begun keeps its files");
    });

    it("go with their agent", async (t) => {
      const { platform, id, store, get } = await open(t, databases);
      await store("chat", "a.txt");
      await platform.json("DELETE", `/chatflows/${id}`);
      assert.equal((await get("chat", "a.txt")).status, 404);
      assert.equal((await store("chat", "a.txt")).status, 404);
    });

    it("have names without control characters and of bearable length", async (t) => {
      const { store } = await open(t, databases);
      const nameOf = async (name: string) =>
        ((await (await store("chat", name)).json()) as { name: string }[])[0]?.name;
      assert.equal(await nameOf(`C:\\docs\\a\u0007b.txt`), "ab.txt");
      assert.equal(await nameOf(`${"x".repeat(300)}.txt`), `${"x".repeat(196)}.txt`);
    });
  });
});
