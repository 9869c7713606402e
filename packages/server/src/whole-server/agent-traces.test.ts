import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setTimeout } from "node:timers/promises";
import { forEachDatabase } from "../../../database/src/testing/test-databases.ts";
import { type Collector, openCollector } from "../../../telemetry/src/testing/collector.ts";
import { agentWith, flowOf, openTestPlatform } from "../testing/test-platform.ts";

const echo = flowOf("direct-reply", "Reply", { message: "You said {{ question }}" });

/** Traces are sent five seconds after a run at the latest. */
async function arrived(collector: Collector): Promise<void> {
  for (let waited = 0; collector.requests.length === 0; waited += 50) {
    assert.ok(waited < 15_000, "no trace came");
    await setTimeout(50);
  }
}

await forEachDatabase((databases) => {
  describe("an agent that sends its traces to services of its own", () => {
    it("does so with the keys of its credentials, which nobody else sees, and other agents do not", async (t) => {
      const collector = await openCollector(t);
      const platform = await openTestPlatform(t, databases, { EGRESS_ALLOW: new URL(collector.url).host });
      const credentialOf = (credentialName: string, plainDataObj: Record<string, string>) =>
        platform.client.createCredential({ name: credentialName, credentialName, plainDataObj });
      const langfuse = await credentialOf("langfuseApi", {
        langFusePublicKey: "pk-1",
        langFuseSecretKey: "sk-secret",
        langFuseEndpoint: collector.url,
      });
      const langsmith = await credentialOf("langsmithApi", {
        langSmithApiKey: "ls-secret",
        langSmithEndpoint: `${collector.url}/smith/`,
      });
      const analytic = JSON.stringify({
        langFuse: { status: true, credentialId: langfuse.id },
        langSmith: { status: true, credentialId: langsmith.id, projectName: "support" },
        langWatch: { status: true, credentialId: "gone" },
        opik: { status: false, credentialId: langfuse.id },
      });
      const traced = await agentWith(platform, echo, { analytic });
      const other = await agentWith(platform, echo);
      await platform.client.createPrediction({ id: other }, { question: "unseen" });
      await platform.client.createPrediction({ id: traced }, { question: "hello" });
      await arrived(collector);
      await setTimeout(200);
      const sent = collector.requests.map(({ path, headers }) => [path, headers]);
      assert.deepEqual(sent.map(([path]) => path).toSorted(), ["/api/public/otel/v1/traces", "/smith/otel/v1/traces"]);
      const headersOf = (path: string) =>
        collector.requests.find((request) => request.path === path)?.headers ?? assert.fail(path);
      const basic = Buffer.from("pk-1:sk-secret").toString("base64");
      assert.equal(headersOf("/api/public/otel/v1/traces").authorization, `Basic ${basic}`);
      const smith = headersOf("/smith/otel/v1/traces");
      assert.deepEqual([smith["x-api-key"], smith["langsmith-project"]], ["ls-secret", "support"]);
      const text = JSON.stringify(collector.spans());
      assert.match(text, /You said hello/);
      assert.doesNotMatch(text, /unseen|secret/);
    });
  });
});
