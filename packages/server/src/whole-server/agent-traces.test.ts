import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { onTestDatabase } from "../../../database/src/testing/test-databases.ts";
import { openCollector } from "../../../telemetry/src/testing/collector.ts";
import { scrape } from "../../../telemetry/src/testing/scrape.ts";
import { agentWith, flowOf, openTestPlatform } from "../testing/test-platform.ts";

const echo = flowOf("direct-reply", "Reply", { message: "You said {{ question }}" });

await onTestDatabase((databases) => {
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
      // What waits for company is sent when the platform closes.
      const waiting = async () => (await scrape(platform)).samples.get("weft_trace_queue_runs");
      await platform.until(async () => ((await waiting()) === 2 ? true : undefined));
      await platform.close();
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
