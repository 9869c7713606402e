import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, it, type TestContext } from "node:test";
import { createScriptedOpenAiServer, createScriptedServer, speechFormat } from "@weft/providers/testing";
import type { FileUpload, Upload } from "@weft/schema";
import { onTestDatabase, type TestDatabases } from "../../../database/src/testing/test-databases.ts";
import { sendForm } from "../testing/send-form.ts";
import { agentWith, llmFlow, openTestPlatform } from "../testing/test-platform.ts";

const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const picture: Upload = { type: "file", name: "dot.png", mime: "image/png", data: `data:image/png;base64,${pixel}` };
const toData = (mime: string, text: string) => `data:${mime};base64,${Buffer.from(text).toString("base64")}`;
const note: Upload = { type: "file", name: "it's.md", mime: "text/markdown", data: toData("text/markdown", "# Note") };

type Answer = { text: string; question: string; chatId: string; executionId: string; metadata: { warnings: object[] } };

type Refusal = { code: string; message: string; errors: { path: string }[] };

async function open(t: TestContext, databases: TestDatabases, env: Record<string, string> = {}) {
  const model = await createScriptedOpenAiServer({ script: () => ({ text: "Seen." }) });
  t.after(() => model.close());
  const platform = await openTestPlatform(t, databases, {
    OPENAI_BASE_URL: model.url,
    OPENAI_API_KEY: "sk-operator",
    DEFAULT_MODEL: "scripted",
    ...env,
  });
  const asked = () => model.requests.at(-1)?.body.messages.at(-1)?.content;
  const refusal = async (id: string, upload: object, question = "What?") => {
    const response = await platform.send("POST", `/prediction/${id}`, { question, uploads: [upload] });
    const { code, message, errors } = (await response.json()) as Refusal;
    return { status: response.status, code, message, path: errors[0]?.path };
  };
  return { platform, model, asked, refusal };
}

/** Answers every request with the bytes. */
async function serve(t: TestContext, bytes: Uint8Array, status = 200): Promise<string> {
  const server = createServer((_, response) => response.writeHead(status).end(bytes));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => server.close());
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

await onTestDatabase((databases) => {
  describe("uploads of a prediction", () => {
    it("show pictures to the model and keep their bytes out of the journal", async (t) => {
      const { platform, asked } = await open(t, databases);
      const id = await agentWith(platform, llmFlow());
      const uploads = [picture, { ...picture, type: "image", name: "" }];
      const answer = await platform.json<Answer>("POST", `/prediction/${id}`, { question: "What is it?", uploads });
      const image = { type: "image_url", image_url: { url: picture.data } };
      assert.deepEqual(asked(), [{ type: "text", text: "What is it?" }, image, image]);
      assert.deepEqual(answer.metadata.warnings, []);
      const execution = await platform.send("GET", `/executions/${answer.executionId}`);
      assert.doesNotMatch(await execution.text(), /iVBORw0KGgo/);
      const [message] = await platform.json<{ fileUploads: FileUpload[] }[]>("GET", `/chatmessage/${id}`);
      const size = Buffer.from(pixel, "base64").length;
      const place = (name: string) =>
        `/api/v1/get-upload-file?chatflowId=${id}&chatId=${answer.chatId}&fileName=${name}`;
      const shown = { data: "", type: "stored-file", mime: "image/png", size };
      assert.deepEqual(message?.fileUploads, [
        { ...shown, name: "dot.png", url: place("dot.png") },
        { ...shown, name: "file", url: place("file") },
      ]);
      const stored = await platform.send("GET", message?.fileUploads[0]?.url?.replace("/api/v1", "") ?? "");
      assert.equal(Buffer.from(await stored.arrayBuffer()).toString("base64"), pixel);
    });

    it("put the texts of documents before the question", async (t) => {
      const { platform, asked } = await open(t, databases);
      const id = await agentWith(platform, llmFlow());
      const full = { type: "file:full", name: "full.txt", mime: "text/plain", data: "Extracted" };
      const answer = await platform.json<Answer>("POST", `/prediction/${id}`, {
        question: "Sum up",
        uploads: [note, full],
      });
      assert.equal(asked(), "<doc name='it_s.md'># Note</doc>\n\n<doc name='full.txt'>Extracted</doc>\n\nSum up");
      assert.equal(answer.question, "Sum up");
      const [message] = await platform.json<{ content: string; fileUploads: object[] }[]>("GET", `/chatmessage/${id}`);
      assert.equal(message?.content, "Sum up");
      const url = `/api/v1/get-upload-file?chatflowId=${id}&chatId=${answer.chatId}&fileName=it%27s.md`;
      assert.deepEqual(message?.fileUploads, [
        { data: "", type: "stored-file", name: "it's.md", mime: "text/markdown", size: 6, url },
        { data: "", type: "stored-file:full", name: "full.txt", mime: "text/plain", size: 9 },
      ]);
    });

    it("read a file that is sent whole: as its text, not as base64", async (t) => {
      const { platform, asked, refusal } = await open(t, databases);
      const id = await agentWith(platform, llmFlow());
      const page = "<p>Grüße aus <b>Köln</b></p>";
      const uploads = [
        { type: "file:full", name: "note.md", mime: "", data: toData("text/markdown", "# Grüße") },
        { type: "file:full", name: "page.html", mime: "text/html", data: toData("text/html", page) },
        { type: "file:full", name: "plain.txt", mime: "text/plain", data: "data: of the text itself, not a URL" },
      ];
      const answer = await platform.json<Answer>("POST", `/prediction/${id}`, { question: "Sum up", uploads });
      const texts = [
        "<doc name='note.md'># Grüße</doc>",
        "<doc name='page.html'>Grüße aus **Köln**</doc>",
        "<doc name='plain.txt'>data: of the text itself, not a URL</doc>",
      ];
      assert.equal(asked(), `${texts.join("\n\n")}\n\nSum up`);
      const [message] = await platform.json<{ fileUploads: FileUpload[] }[]>(
        "GET",
        `/chatmessage/${id}?chatId=${answer.chatId}`,
      );
      assert.deepEqual(
        message?.fileUploads.map(({ type, mime, size, url }) => [type, mime, size, url !== undefined]),
        [
          ["stored-file:full", "text/markdown", 9, true],
          ["stored-file:full", "text/html", Buffer.byteLength(page), true],
          ["stored-file:full", "text/plain", 35, false],
        ],
      );
      const broken = { type: "file:full", name: "a.pdf", mime: "", data: toData("application/pdf", "no pdf") };
      const refused = await refusal(id, broken);
      assert.deepEqual([refused.status, refused.path], [422, "uploads.0.data"]);
    });

    it("go where the flow's texts put them", async (t) => {
      const { platform, model } = await open(t, databases);
      const messages = [{ role: "system", content: "Use: {{ file_attachment }}" }];
      const id = await agentWith(platform, llmFlow({ messages }));
      await platform.json("POST", `/prediction/${id}`, { question: "Sum up", uploads: [note] });
      assert.deepEqual(
        model.requests.at(-1)?.body.messages.map(({ content }) => content),
        ["Use: <doc name='it_s.md'># Note</doc>", "Sum up"],
      );
      const fixed = await agentWith(platform, llmFlow({ prompt: "Say hello." }));
      await platform.json("POST", `/prediction/${fixed}`, { question: "Sum up", uploads: [note, picture] });
      assert.equal(model.requests.at(-1)?.body.messages.at(-1)?.content, "Say hello.");
    });

    it("are shown again with later questions of the chat", async (t) => {
      const { platform, model } = await open(t, databases);
      const id = await agentWith(platform, llmFlow());
      const ask = (question: string, uploads: Upload[] = []) =>
        platform.json<Answer>("POST", `/prediction/${id}`, { question, uploads, chatId: "chat-1" });
      const { executionId } = await ask("What is it?", [picture, note]);
      const first = model.requests.at(-1)?.body.messages.at(-1);
      await ask("And its colour?");
      const [remembered, ...others] = model.requests.at(-1)?.body.messages ?? [];
      assert.deepEqual(remembered, first);
      assert.deepEqual(
        others.map(({ content }) => content),
        ["Seen.", "And its colour?"],
      );
      await platform.json("DELETE", `/executions/${executionId}`);
      await ask("Still there?");
      assert.equal(model.requests.at(-1)?.body.messages[0]?.content, "What is it?");
    });

    it("warn when the model cannot see", async (t) => {
      const { platform } = await open(t, databases);
      const id = await agentWith(platform, llmFlow({ model: { provider: "rehearsal" } }));
      const answer = await platform.json<Answer>("POST", `/prediction/${id}`, { question: "Hi", uploads: [picture] });
      assert.match(JSON.stringify(answer.metadata.warnings), /images-ignored.*takes no pictures/);
    });

    it("may be the address of a picture, which is fetched with care", async (t) => {
      const host = await serve(t, Buffer.from(pixel, "base64"));
      const text = await serve(t, Buffer.from("no picture"));
      const gone = await serve(t, Buffer.from("gone"), 410);
      const { platform, asked, refusal } = await open(t, databases, { EGRESS_ALLOW: [host, text, gone].join() });
      const id = await agentWith(platform, llmFlow());
      const url = (data: string) => ({ type: "url", name: "dot.png", mime: "image/png", data });
      const uploads = [url(`http://${host}/dot.png`)];
      await platform.json("POST", `/prediction/${id}`, { question: "What?", uploads });
      assert.deepEqual(asked(), [
        { type: "text", text: "What?" },
        { type: "image_url", image_url: { url: picture.data } },
      ]);
      const [message] = await platform.json<{ fileUploads: FileUpload[] }[]>("GET", `/chatmessage/${id}`);
      const [{ size, url: kept, ...shown } = {} as FileUpload] = message?.fileUploads ?? [];
      assert.deepEqual([shown, size], [uploads[0], Buffer.from(pixel, "base64").length]);
      assert.match(kept ?? "", /get-upload-file\?.*fileName=dot\.png$/, "what was fetched is kept");
      for (const [address, reason] of [
        ["http://169.254.169.254/latest/meta-data", /is not allowed/],
        ["http://127.0.0.1:1/x.png", /is not allowed/],
        ["file:///etc/passwd", /must be an http\(s\) address/],
        [`http://${text}/x`, /must be a PNG, JPEG, GIF or WebP picture/],
        [`http://${gone}/x`, /status 410/],
      ] as const) {
        const { status, path, message: words } = await refusal(id, url(address));
        assert.deepEqual([status, path], [422, "uploads.0.data"], address);
        assert.match(words, reason);
        assert.doesNotMatch(words, /no picture"|gone"/);
      }
    });

    it("may be speech, which becomes the question", async (t) => {
      const speech = await createScriptedServer(speechFormat, {
        script: [{ text: "What time is it?" }, { status: 401, body: {} }],
      });
      t.after(() => speech.close());
      const { platform, asked, refusal } = await open(t, databases, { EGRESS_ALLOW: new URL(speech.url).host });
      const localAISTT = { status: true, baseUrl: speech.url };
      const id = await agentWith(platform, llmFlow(), { speechToText: JSON.stringify({ localAISTT }) });
      const recording = {
        type: "audio",
        name: "a.webm",
        mime: "audio/webm",
        data: toData("audio/webm;codecs=opus", "RIFF"),
      };
      const answer = await platform.json<Answer>("POST", `/prediction/${id}`, { question: "", uploads: [recording] });
      assert.deepEqual([answer.question, asked()], ["What time is it?", "What time is it?"]);
      const form = await speech.requests[0]?.body.form();
      assert.deepEqual(
        form?.getAll("file").map((file) => file instanceof File && file.name),
        ["a.webm"],
      );
      assert.equal((await refusal(id, recording)).code, "model-unauthorized");
      const deaf = await agentWith(platform, llmFlow());
      const refused = await refusal(deaf, recording);
      assert.deepEqual([refused.status, refused.path], [422, "uploads.0.type"]);
      assert.match(refused.message, /Set up speech-to-text in its settings/);
      const wrong = await refusal(id, { ...recording, data: toData("text/plain", "x") });
      assert.deepEqual([wrong.status, wrong.path], [422, "uploads.0.data"]);
    });

    it("that cannot be used are refused with their place", async (t) => {
      const { platform, refusal } = await open(t, databases);
      const id = await agentWith(platform, llmFlow());
      const big = Buffer.alloc(10 * 1024 * 1024 + 1);
      Buffer.from(pixel, "base64").copy(big);
      const broken: [object, string, RegExp][] = [
        [{ ...picture, data: "no data url" }, "uploads.0.data", /must be a data URL in base64/],
        [{ ...picture, data: "data:image/png;base64,%%%" }, "uploads.0.data", /must be a data URL/],
        [{ ...picture, data: "data:image/png;base64," }, "uploads.0.data", /must be a data URL/],
        [{ ...picture, data: "data:image/png,raw" }, "uploads.0.data", /must be a data URL/],
        [{ ...picture, data: toData("image/png", "text") }, "uploads.0.data", /must be a PNG/],
        [{ ...picture, data: `data:image/gif;base64,${pixel}` }, "uploads.0.data", /declared as what it is/],
        [{ ...picture, data: `data:image/svg+xml;base64,${pixel}` }, "uploads.0.data", /must be a PNG/],
        [{ ...picture, data: `data:image/png;base64,${big.toString("base64")}` }, "uploads.0.data", /is larger/],
        [{ ...note, name: "a.exe", data: toData("application/x-dos", "MZ") }, "uploads.0.data", /unsupported format/],
        [{ ...note, name: "a.docx" }, "uploads.0.data", /it is called docx, and its content is not/],
        [{ ...note, data: toData("text/plain", "x".repeat(1_000_001)) }, "uploads.0.data", /longer than 1000000/],
        [{ ...note, type: "file:rag" }, "uploads.0.type", /type/],
        [{ type: "file", name: "a" }, "uploads.0.data", /data/],
      ];
      for (const [upload, path, reason] of broken) {
        const refused = await refusal(id, upload);
        assert.deepEqual([refused.status, refused.path], [422, path], JSON.stringify(upload).slice(0, 200));
        assert.match(refused.message, reason);
      }
      const many = Array.from({ length: 21 }, () => picture);
      const response = await platform.send("POST", `/prediction/${id}`, { question: "Hi", uploads: many });
      assert.deepEqual([response.status, ((await response.json()) as Refusal).errors[0]?.path], [422, "uploads"]);
      assert.equal((await platform.send("POST", `/prediction/${id}`, { uploads: [picture] })).status, 422);
      const chatbotConfig = JSON.stringify({ fullFileUpload: { status: false } });
      const closed = await refusal(await agentWith(platform, llmFlow(), { chatbotConfig }), note);
      assert.deepEqual([closed.status, closed.path], [400, "uploads.0.data"]);
      assert.deepEqual(await platform.json("GET", `/chatmessage/${id}`), []);
    });

    it("may come as a form", async (t) => {
      const { platform, asked } = await open(t, databases);
      const id = await agentWith(platform, llmFlow());
      const response = await sendForm(platform, `/prediction/${id}`, [
        ["question", "Sum up"],
        ["overrideConfig", '{"sessionId":"s-1"}'],
        ["files", { name: "a.csv", type: "text/csv", bytes: "a,b\n1,2" }],
        ["files", { name: "dot.png", type: "image/png", bytes: Buffer.from(pixel, "base64") }],
      ]);
      const answer = (await response.json()) as { sessionId: string };
      assert.deepEqual([response.status, answer.sessionId], [200, "s-1"]);
      assert.deepEqual(asked(), [
        { type: "text", text: "<doc name='a.csv'>a,b\n1,2</doc>\n\nSum up" },
        { type: "image_url", image_url: { url: picture.data } },
      ]);
      const broken = await sendForm(platform, `/prediction/${id}`, [
        ["question", "x"],
        ["overrideConfig", "{"],
      ]);
      assert.deepEqual([broken.status, ((await broken.json()) as Refusal).errors[0]?.path], [422, "overrideConfig"]);
    });

    it("of a streamed prediction are refused before the first byte", async (t) => {
      const { platform, asked } = await open(t, databases);
      const id = await agentWith(platform, llmFlow());
      const body = { question: "Hi", streaming: true };
      const refused = await platform.send("POST", `/prediction/${id}`, {
        ...body,
        uploads: [{ ...picture, data: "x" }],
      });
      assert.deepEqual([refused.status, refused.headers.get("content-type")], [422, "application/json"]);
      const streamed = await platform.send("POST", `/prediction/${id}`, { ...body, uploads: [picture] });
      assert.match(await streamed.text(), /"event":"end"/);
      assert.deepEqual(asked(), [
        { type: "text", text: "Hi" },
        { type: "image_url", image_url: { url: picture.data } },
      ]);
    });
  });
});
