import assert from "node:assert/strict";
import { describe, type TestContext, test } from "node:test";
import { WeftError } from "@weft/schema";
import type { SpeechService } from "../define-provider.ts";
import { providers } from "../registry.ts";
import { recording, startVendor } from "../testing/bench.ts";
import type { ScriptStep } from "../testing/script-step.ts";
import { speechFormat } from "../testing/speech-format.ts";
import { createTranscriber } from "./transcriber.ts";

const apiKey = "sk-test-0123456789abcdef";
/** The service of a provider, whose address is that of a scripted server. */
async function start(t: TestContext, service: SpeechService, step: ScriptStep) {
  const server = await startVendor(t, speechFormat, step);
  const vendorUrl = service.baseUrl ?? "https://api.openai.com/v1";
  const transcribe = createTranscriber(
    {},
    async () => ({ apiKey }),
    (input, init) => fetch(String(input).replace(vendorUrl, server.url), init),
  );
  const address = service.takesAddress ? { baseUrl: server.url } : {};
  const settings = { [service.name]: { status: true, credentialId: "c", ...address } };
  return { server, transcribe: () => transcribe(JSON.stringify(settings), recording(AbortSignal.timeout(30_000))) };
}

for (const { name, speech } of providers) {
  if (speech === undefined) continue;
  describe(`speech-to-text: ${name}`, () => {
    test("a recording goes to the service with its key, and its words come back", async (t) => {
      const { server, transcribe } = await start(t, speech, { text: "Good day" });
      assert.equal(await transcribe(), "Good day");
      const form = await server.requests[0]?.body.form();
      assert.equal(form?.get("model"), speech.model);
      assert.equal(server.requests[0]?.headers.authorization, `Bearer ${apiKey}`);
    });

    test("a refusal is a code, without the key", async (t) => {
      const body = { error: { message: `bad ${apiKey}` } };
      const { transcribe } = await start(t, speech, { status: 401, body });
      const failure = await transcribe().catch((error: unknown) => error);
      assert.ok(failure instanceof WeftError);
      assert.equal(failure.code, "model-unauthorized");
      assert.ok(!failure.message.includes(apiKey));
    });
  });
}
