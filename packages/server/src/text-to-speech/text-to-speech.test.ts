import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { startVoiceServer, type VoiceStep } from "@weft/providers/testing";
import { onTestDatabase, type TestDatabases } from "../../../database/src/testing/test-databases.ts";
import { until } from "../../../database/src/testing/until.ts";
import { parseFrames } from "../predictions/testing/stream-client.ts";
import { agentWith, flowOf, llmFlow, openTestPlatform } from "../testing/test-platform.ts";

type Event = { event: string; data: { audioChunk?: string; error?: string; chatMessageId: string } };

const on = JSON.stringify({
  textToSpeech: { openai: { status: true, voice: "nova" } },
  chatFeedback: { status: true },
});

/** A platform whose OpenAI is a server that reads aloud by a script, with a public agent. */
async function open(t: TestContext, databases: TestDatabases, chatbotConfig: string, ...script: VoiceStep[]) {
  const server = await startVoiceServer(...script);
  t.after(server.close);
  const platform = await openTestPlatform(t, databases, {
    OPENAI_API_KEY: "sk-operator",
    OPENAI_BASE_URL: `${server.url}/v1`,
    ALLOW_PUBLIC_FLOWS: "true",
  });
  const flowData = flowOf("direct-reply", "Reply", { message: "It rains." });
  const chatflowId = await agentWith(platform, flowData, { isPublic: true, chatbotConfig });
  const visit = (path: string, body: object, headers: Record<string, string> = {}) =>
    platform.fetch(
      new Request(`http://platform/api/v1/${path}`, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: JSON.stringify(body),
      }),
    );
  /** A visitor's message, and what it takes to have its answer read. */
  const answer = async (chatId: string = crypto.randomUUID()) => {
    const answered = await visit(`prediction/${chatflowId}`, { question: "Weather?", chatId });
    const { chatMessageId } = (await answered.json()) as { chatMessageId: string };
    return { chatflowId, chatId, chatMessageId, text: "It rains." };
  };
  const asked = await answer();
  const post = (path: string, body: object) => visit(`text-to-speech/${path}`, body);
  const read = (more: object = {}) => post("generate", { ...asked, ...more });
  const readAsOwner = (more: object = {}) =>
    visit("text-to-speech/generate", { ...asked, ...more }, { authorization: `Bearer ${platform.token}` });
  return { server, platform, chatflowId, asked, answer, visit, post, read, readAsOwner };
}

/** The events as the published widget reads them. */
function toEvents(text: string): Event[] {
  const lines = text.split("\n").filter((line) => line.startsWith("data: "));
  return lines.map((line) => JSON.parse(line.slice(6)) as Event);
}

/** Reads a stream until a text came. `rest` reads on. */
async function readUntil(response: Response, text: string) {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  const read = async () => (await reader?.read())?.value;
  let heard = "";
  for (let piece = await read(); piece !== undefined; piece = await read()) {
    heard += piece;
    if (heard.includes(text)) break;
  }
  const rest = async () => {
    let all = "";
    for (let piece = await read(); piece !== undefined; piece = await read()) all += piece;
    return all;
  };
  return { heard, rest };
}

const soundOf = (events: Event[]) =>
  Buffer.concat(events.map(({ data }) => Buffer.from(data.audioChunk ?? "", "base64"))).toString();

await onTestDatabase((databases) => {
  describe("an answer that is read aloud", () => {
    it("comes in pieces to visitors of a public agent, by the service that its settings choose", async (t) => {
      const { server, platform, chatflowId, asked, read } = await open(t, databases, on, { pieces: ["ID3", "rain"] });
      const config = await platform.client.getChatConfig({ id: chatflowId });
      assert.equal(config.isTTSEnabled, true);
      assert.ok(!("textToSpeech" in config), "its settings are not for visitors");
      const response = await read();
      assert.equal(response.status, 200);
      assert.match(response.headers.get("content-type") ?? "", /^text\/event-stream/);
      const events = toEvents(await response.text());
      assert.deepEqual([events[0]?.event, events.at(-1)?.event], ["tts_start", "tts_end"]);
      assert.ok(events.every(({ data }) => data.chatMessageId === asked.chatMessageId));
      assert.equal(soundOf(events), "ID3rain");
      const { path, headers, body } = server.requests[0] ?? assert.fail("nobody was asked");
      assert.deepEqual([path, headers.authorization], ["/v1/audio/speech", "Bearer sk-operator"]);
      assert.deepEqual([body.voice, body.input], ["nova", "It rains."]);
    });

    it("is stopped by its reader, and by a client that leaves", async (t) => {
      const endless = { pieces: ["one"], hangs: true };
      const { server, post, readAsOwner: read, asked } = await open(t, databases, on, endless, endless, endless);
      const first = await read();
      const answered = await post("abort", asked);
      assert.deepEqual(await answered.json(), {
        message: "TTS stream aborted successfully",
        chatId: asked.chatId,
        chatMessageId: asked.chatMessageId,
      });
      assert.equal(toEvents(await first.text()).at(-1)?.event, "tts_abort");
      const again = await read();
      const instead = await read();
      assert.equal(toEvents(await again.text()).at(-1)?.event, "tts_abort", "the same message begins again");
      await instead.body?.cancel();
      while (server.abandoned() < 3) await new Promise((resolve) => setTimeout(resolve, 10));
      assert.equal((await post("abort", asked)).status, 200, "what is over can be stopped");
    });

    it("is to visitors what their own chat holds, once each, whatever text they send", async (t) => {
      const pieces = { pieces: ["ID3"] };
      const { server, read, readAsOwner, answer } = await open(t, databases, on, pieces, pieces, pieces);
      const foreign = await answer();
      for (const wrong of [
        { chatMessageId: crypto.randomUUID() },
        { chatMessageId: foreign.chatMessageId },
        { chatId: crypto.randomUUID() },
      ]) {
        assert.equal((await read(wrong)).status, 404, JSON.stringify(wrong));
      }
      assert.equal(server.requests.length, 0);
      const both = await Promise.all([read({ text: "A novel." }), read({ text: "Another novel." })]);
      assert.deepEqual(both.map(({ status }) => status).sort(), [200, 409]);
      await Promise.all(both.map((response) => response.text()));
      assert.deepEqual(
        server.requests.map(({ body }) => body.input),
        ["It rains."],
      );
      const again = await read();
      assert.match(await again.text(), /this answer was read aloud before/);
      assert.equal((await readAsOwner({ text: "A novel." })).status, 200);
      assert.equal(server.requests.at(-1)?.body.input, "A novel.");
    });

    it("is heard by visitors without the marks of its format, and with no word more", async (t) => {
      const pieces = { pieces: ["ID3"] };
      const reply = "It **rains**, [again](https://weather.example/rain).";
      const { server, platform, visit, post } = await open(t, databases, on, pieces, pieces, pieces);
      const flowData = flowOf("direct-reply", "Reply", { message: reply });
      const chatflowId = await agentWith(platform, flowData, { isPublic: true, chatbotConfig: on });
      const heard = async (text: string) => {
        const answered = await visit(`prediction/${chatflowId}`, { question: "Weather?" });
        const { chatId, chatMessageId } = (await answered.json()) as { chatId: string; chatMessageId: string };
        await (await post("generate", { chatflowId, chatId, chatMessageId, text })).text();
        return server.requests.at(-1)?.body.input;
      };
      assert.equal(await heard("It rains, again."), "It rains, again.");
      assert.equal(await heard("It rains money, again."), reply);
      assert.equal(await heard(`It rains${"!".repeat(1_000)}`), reply);
    });

    it("counts for the budget of its chat", async (t) => {
      const { platform, chatflowId, asked, answer, read, server } = await open(t, databases, on, { pieces: ["a"] });
      const apiConfig = JSON.stringify({ budget: { visitors: { chat: { tokens: 3 } } } });
      await platform.client.updateAgent({ id: chatflowId }, { apiConfig });
      const second = await answer(asked.chatId);
      assert.equal((await read()).status, 200);
      const refused = await read(second);
      assert.deepEqual(
        [refused.status, ((await refused.json()) as { code: string }).code],
        [429, "budget-tokens-of-day"],
      );
      assert.ok(Number(refused.headers.get("retry-after")) > 0);
      assert.equal(server.requests.length, 1);
    });

    it("fails with a status before it begins, and with an event after", async (t) => {
      const refusal = { status: 401, body: { error: { message: "bad sk-operator" } } };
      const broken = { pieces: ["one"], breaks: true };
      const { read } = await open(t, databases, on, refusal, broken, { pieces: ["one"] });
      const refused = await read();
      const text = await refused.text();
      assert.ok(refused.status >= 400, text);
      assert.ok(!text.includes("sk-operator"), text);
      const events = toEvents(await (await read()).text());
      assert.equal(events.at(-1)?.event, "tts_error");
      assert.match(events.at(-1)?.data.error ?? "", /\.$/);
      assert.equal(toEvents(await (await read()).text()).at(-1)?.event, "tts_end", "what broke off is read again");
      assert.equal((await read()).status, 409);
    });

    it("waits for a listener who is slow, without being kept in memory meanwhile", async (t) => {
      const pieces = Array.from({ length: 28 }, (_, index) => Buffer.alloc(1_048_576, 65 + index));
      const { server, readAsOwner } = await open(t, databases, on, { pieces });
      const response = await readAsOwner();
      let writtenBytes = -1;
      // What the sockets between them take is full when nothing more has been written for a while.
      await until(async () => {
        await sleep(500);
        const isFull = server.flow().isHeld && server.flow().writtenBytes === writtenBytes;
        writtenBytes = server.flow().writtenBytes;
        return isFull || undefined;
      });
      assert.ok(writtenBytes < 20 * 1_048_576, `${writtenBytes} bytes were taken`);
      const events = toEvents(await response.text());
      assert.equal(events.at(-1)?.event, "tts_end");
      assert.ok(soundOf(events) === Buffer.concat(pieces).toString());
    });

    it("is refused where it is off, too long, or for nobody", async (t) => {
      const { platform, read, server } = await open(t, databases, "{}");
      const off = await read();
      assert.equal(off.status, 400);
      assert.match(await off.text(), /reads nothing aloud\. Choose a service under Speech in its settings/);
      assert.equal((await read({ text: "x".repeat(20_001) })).status, 422);
      assert.equal((await read({ text: " " })).status, 422);
      const closed = await agentWith(platform, llmFlow(), { chatbotConfig: on });
      assert.equal((await read({ chatflowId: closed })).status, 401);
      assert.equal(server.requests.length, 0);
    });

    it("is read by itself at the end of its stream, where the settings say so", async (t) => {
      const settings = { textToSpeech: { openai: { status: true, autoPlay: true } } };
      const { platform, server, chatflowId, post } = await open(
        t,
        databases,
        JSON.stringify(settings),
        { pieces: ["ID3", "rain"] },
        { status: 401, body: {} },
        { pieces: ["ID3"], breaks: true },
        { pieces: ["ID3"], hangs: true },
      );
      const ask = (path = "prediction", body: object = {}) =>
        platform.send("POST", `/${path}/${chatflowId}`, { question: "Weather?", streaming: true, ...body });
      const eventsOf = async (response: Promise<Response>) => parseFrames(await (await response).text());
      const names = (frames: { event: string }[]) =>
        frames.map(({ event }) => event).slice(frames.findIndex(({ event }) => event === "metadata"));
      const first = await eventsOf(ask());
      assert.deepEqual([...new Set(names(first))], ["metadata", "tts_start", "tts_data", "tts_end", "end"]);
      const metadata = first.find(({ event }) => event === "metadata");
      assert.ok(metadata);
      const { chatMessageId, executionId } = metadata.data as { chatMessageId: string; executionId: string };
      const sound = toEvents(first.map((frame) => `data: ${JSON.stringify(frame)}`).join("\n")).slice(-4);
      assert.equal(soundOf(sound.filter(({ event }) => event === "tts_data")), "ID3rain");
      const start = first.find(({ event }) => event === "tts_start");
      assert.deepEqual([start?.id, start?.data], [metadata.id, { chatMessageId, format: "mp3" }]);
      assert.equal(server.requests[0]?.body.input, "It rains.");

      const replayed = await eventsOf(platform.send("GET", `/executions/${executionId}/events`));
      assert.deepEqual(names(replayed), ["metadata", "end"], "who reads a stream again gets no recording");
      assert.equal((await platform.send("POST", `/prediction/${chatflowId}`, { question: "Weather?" })).status, 200);
      assert.deepEqual(names(await eventsOf(ask("internal-prediction"))), ["metadata", "end"]);
      assert.equal(server.requests.length, 1, "tests and answers without a stream are not read");

      assert.deepEqual(names(await eventsOf(ask())), ["metadata", "end"], "a service that fails costs no answer");
      assert.deepEqual(names(await eventsOf(ask())), ["metadata", "tts_start", "tts_data", "tts_abort", "end"]);
      const chatId = crypto.randomUUID();
      const stopped = await ask("prediction", { chatId });
      // A recording of which nothing came yet ends without a word.
      const { heard, rest } = await readUntil(stopped, '"tts_data"');
      const messages = await platform.json<{ id: string; role: string }[]>(
        "GET",
        `/chatmessage/${chatflowId}?chatId=${chatId}`,
      );
      const answer = messages.find(({ role }) => role === "apiMessage");
      await post("abort", { chatflowId, chatId, chatMessageId: answer?.id });
      assert.deepEqual(names(parseFrames(heard + (await rest()))).slice(-2), ["tts_abort", "end"]);
      const left = await ask();
      while (server.requests.length < 5) await new Promise((resolve) => setTimeout(resolve, 10));
      await left.body?.cancel();
      while (server.abandoned() < 3) await new Promise((resolve) => setTimeout(resolve, 10));
    });

    it("has voices to choose from, for those who may change agents", async (t) => {
      const { platform, server } = await open(t, databases, "{}");
      const voices = await platform.client.listVoices({ provider: "openai" });
      assert.ok(voices.some(({ id, name }) => id === "nova" && name === "Nova"));
      await assert.rejects(platform.client.listVoices({ provider: "elevenlabs", credentialId: "" }), {
        message: /The model eleven_multilingual_v2 cannot be used: it needs an API key/,
      });
      const credentialId = crypto.randomUUID();
      await assert.rejects(platform.client.listVoices({ provider: "elevenlabs", credentialId }), { status: 404 });
      const get = (query: string, headers: Record<string, string> = {}) =>
        platform.fetch(new Request(`http://platform/api/v1/text-to-speech/voices${query}`, { headers }));
      assert.equal((await get("?provider=openai")).status, 401);
      const authorization = `Bearer ${platform.token}`;
      for (const query of ["", "?provider=unheardOf"]) assert.equal((await get(query, { authorization })).status, 400);
      assert.equal(server.requests.length, 0);
    });

    it("counts as a message of its agent", async (t) => {
      const rateLimit = { status: true, limitMax: 1, limitDuration: 60, limitMsg: "Later." };
      const { platform, chatflowId, read } = await open(t, databases, on, { pieces: ["a"] }, { pieces: ["b"] });
      await platform.client.updateAgent({ id: chatflowId }, { apiConfig: JSON.stringify({ rateLimit }) });
      assert.equal((await read()).status, 200);
      assert.equal((await read()).status, 429);
    });
  });
});
