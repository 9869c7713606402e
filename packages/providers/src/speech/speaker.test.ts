import assert from "node:assert/strict";
import { describe, type TestContext, test } from "node:test";
import { WeftError } from "@weft/schema";
import type { VoiceService } from "../define-provider.ts";
import { providers } from "../registry.ts";
import { startVoiceServer, type VoiceStep } from "../testing/voice-server.ts";
import { parseTextToSpeech } from "./parse-text-to-speech.ts";
import { createSpeaker, splitText } from "./speaker.ts";

const apiKey = "sk-test-0123456789abcdef";

async function start(t: TestContext, service: VoiceService, ...script: VoiceStep[]) {
  const server = await startVoiceServer(...script);
  t.after(server.close);
  const { speak, findVoices } = createSpeaker(
    {},
    async (id) => (id === "gone" ? undefined : { apiKey }),
    (input, init) => fetch(String(input).replace(service.baseUrl, server.url), init),
  );
  const say = async (text: string, more: object = {}, signal = AbortSignal.timeout(30_000)) => {
    const heard: Buffer[] = [];
    const settings = { textToSpeech: { [service.name]: { status: true, credentialId: "c", ...more } } };
    const onAudio = (piece: Uint8Array) => void heard.push(Buffer.from(piece));
    const isOn = await speak(JSON.stringify(settings), { text, signal, onAudio });
    return { isOn, heard: Buffer.concat(heard).toString() };
  };
  const voices = (credentialId?: string) =>
    findVoices({ service: service.name, credentialId, signal: AbortSignal.timeout(30_000) });
  return { server, say, voices };
}

for (const { name, voice } of providers) {
  if (voice === undefined) continue;
  describe(`text-to-speech: ${name}`, () => {
    test("a text goes to the service with its key, and the recording comes in pieces", async (t) => {
      const { server, say } = await start(t, voice, { pieces: ["ID3", "sound"] }, { pieces: ["x"] });
      assert.deepEqual(await say("Good day"), { isOn: true, heard: "ID3sound" });
      await say("Good day", { voice: "Own voice", model: "own-model" });
      const [first, second] = server.requests.map(({ path, body }) => decodeURIComponent(path) + JSON.stringify(body));
      assert.ok(first?.includes("Good day") && first.includes(voice.voice) && first.includes(voice.model), first);
      assert.ok(second?.includes("Own voice") && second.includes("own-model"), second);
      assert.ok(JSON.stringify(server.requests[0]?.headers).includes(apiKey));
    });

    test("a text that is too long for one request is read in parts", async (t) => {
      const { server, say } = await start(t, voice, { pieces: ["one "] }, { pieces: ["two"] });
      const sentence = "It rains again today. ".repeat(Math.ceil((voice.longestText * 1.5) / 22));
      assert.equal((await say(sentence)).heard, "one two");
      assert.equal(server.requests.length, 2);
    });

    test("what fails is a code, without the key", async (t) => {
      for (const [step, code] of [
        [{ status: 401, body: { error: { message: `bad ${apiKey}` } } }, "model-unauthorized"],
        [{ status: 429, body: { detail: { message: "slow" } } }, "model-rate-limited"],
        [{ pieces: ["<html>"], contentType: "text/html" }, "model-invalid-answer"],
        [{ pieces: ["one"], breaks: true }, "model-interrupted"],
      ] as [VoiceStep, string][]) {
        const { say } = await start(t, voice, step);
        const failure = await say("Hi").catch((error: unknown) => error);
        assert.ok(failure instanceof WeftError, code);
        assert.equal(failure.code, code);
        assert.ok(!failure.message.includes(apiKey));
      }
    });

    test("an abort ends the request, and a missing key or credential is told", async (t) => {
      const { server, say } = await start(t, voice, { pieces: ["one"], hangs: true });
      const controller = new AbortController();
      const reason = new Error("left");
      const pending = say("Hi", {}, controller.signal);
      while (server.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
      controller.abort(reason);
      await assert.rejects(pending, reason);
      while (server.abandoned() === 0) await new Promise((resolve) => setTimeout(resolve, 5));
      await assert.rejects(say("Hi", { credentialId: "" }), { code: "model-not-configured" });
      await assert.rejects(say("Hi", { credentialId: "gone" }), { message: /credential no longer exists/ });
      assert.equal(server.requests.length, 1);
    });
  });
}

test("OpenAI has the same voices for all, its default among them, and is not asked", async (t) => {
  const { server, voices } = await start(t, voiceFor("openai"));
  const found = await voices();
  assert.ok(found.some(({ id, name }) => id === voiceFor("openai").voice && name === "Alloy"));
  assert.equal(server.requests.length, 0);
});

test("ElevenLabs tells the voices of an account to its key", async (t) => {
  const voicesOfAccount = [
    { voice_id: "21m00", name: "Rachel", category: "premade" },
    { voice_id: "own", name: "My voice", labels: { accent: "none" } },
  ];
  const { server, voices } = await start(
    t,
    voiceFor("elevenlabs"),
    { status: 200, body: { voices: voicesOfAccount } },
    {
      status: 200,
      body: { voices: Array.from({ length: 1_200 }, (_, index) => ({ voice_id: `v${index}`, name: "" })) },
    },
  );
  assert.deepEqual(await voices("c"), [
    { id: "21m00", name: "Rachel" },
    { id: "own", name: "My voice" },
  ]);
  const { path, headers } = server.requests[0] ?? assert.fail("nobody was asked");
  assert.deepEqual([path, headers["xi-api-key"]], ["/voices", apiKey]);
  assert.equal((await voices("c")).length, 1_000);
});

test("voices that cannot be listed are a code, without the key", async (t) => {
  for (const [step, code] of [
    [{ status: 401, body: { detail: { message: `bad ${apiKey}` } } }, "model-unauthorized"],
    [{ status: 200, body: { voices: [{ name: "No id" }] } }, "model-invalid-answer"],
    [{ pieces: ["<html>"], contentType: "text/html" }, "model-invalid-answer"],
  ] as [VoiceStep, string][]) {
    const { voices } = await start(t, voiceFor("elevenlabs"), step);
    const failure = await voices("c").catch((error: unknown) => error);
    assert.ok(failure instanceof WeftError, code);
    assert.equal(failure.code, code);
    assert.ok(!failure.message.includes(apiKey));
  }
  const { server, voices } = await start(t, voiceFor("elevenlabs"));
  await assert.rejects(voices(), { code: "model-not-configured" });
  await assert.rejects(voices("gone"), { message: /credential no longer exists/ });
  assert.equal(server.requests.length, 0);
});

function voiceFor(name: string): VoiceService {
  return providers.find(({ voice }) => voice?.name === name)?.voice ?? assert.fail(`${name} reads nothing aloud`);
}

test("nothing is read aloud where no service is on", () => {
  for (const settings of [
    {},
    { textToSpeech: null },
    { textToSpeech: { openai: { status: false } } },
    { textToSpeech: { unheardOf: { status: true } } },
    { textToSpeech: { openai: "on" } },
  ])
    assert.equal(parseTextToSpeech(JSON.stringify(settings)), undefined, JSON.stringify(settings));
  assert.equal(parseTextToSpeech('{"textToSpeech"'), undefined);
});

test("texts are cut after sentences, else words, else anywhere", () => {
  assert.deepEqual(splitText("One. Two three. Four", 12), ["One.", "Two three.", "Four"]);
  assert.deepEqual(splitText("one two three", 8), ["one two", "three"]);
  assert.deepEqual(splitText("abcdef", 4), ["abcd", "ef"]);
  assert.deepEqual(splitText("  ", 4), []);
});
