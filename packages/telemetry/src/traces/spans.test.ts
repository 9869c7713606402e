import assert from "node:assert/strict";
import { test } from "node:test";
import { createScriptedOpenAiServer } from "@weft/providers/testing";
import { onTestDatabase } from "../../../database/src/testing/test-databases.ts";
import { startCountingApi } from "../../../server/src/testing/counting-api.ts";
import { openScriptedPlatform, scriptedModelEnv } from "../../../server/src/testing/scripted-model.ts";
import { agentWith, flowOf, llmFlow, openRestartable, toolFlow } from "../../../server/src/testing/test-platform.ts";
import { assertTrace, attributeOf, openCollector } from "../testing/collector.ts";

await onTestDatabase((databases) => {
  test("a run becomes a workflow, its step and the model call, without a word of what was said", async (t) => {
    const collector = await openCollector(t);
    const env = {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_HEADERS: "authorization=Basic%20abc,x-team=a",
      OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=test",
    };
    const platform = await openScriptedPlatform(t, databases, () => ({ text: "A secret answer." }), { env });
    const agent = await agentWith(platform, llmFlow(), { name: "Greeter" });
    const asked = { question: "A secret question?", chatId: "chat-1" };
    const { executionId } = await platform.ask<{ executionId: string }>(agent, asked);
    await platform.close();

    const [request] = collector.requests;
    assert.equal(request?.path, "/v1/traces");
    assert.equal(request?.headers.authorization, "Basic abc");
    assert.equal(request?.headers["x-team"], "a");
    const resource = request?.body.resourceSpans[0]?.resource.attributes;
    assert.deepEqual(
      resource?.filter(({ key }) => key !== "service.version"),
      [
        { key: "service.name", value: { stringValue: "weft" } },
        { key: "deployment.environment.name", value: { stringValue: "test" } },
      ],
    );
    const spans = collector.spans();
    assertTrace(spans);
    const names = spans.map(({ name }) => name);
    assert.deepEqual(names, ["step Start", "chat scripted", "step LLM", "invoke_workflow Greeter"]);
    const [, chat, step, run] = spans;
    assert.ok(chat && step && run);
    assert.equal(run.traceId, executionId.replaceAll("-", ""));
    assert.equal(run.parentSpanId, undefined);
    assert.deepEqual([chat.parentSpanId, step.parentSpanId], [step.spanId, run.spanId]);
    assert.equal(attributeOf(chat, "gen_ai.operation.name"), "chat");
    assert.equal(attributeOf(chat, "gen_ai.provider.name"), "openai-compatible");
    assert.equal(attributeOf(chat, "gen_ai.request.model"), "scripted");
    assert.equal(attributeOf(chat, "gen_ai.response.model"), "scripted");
    assert.equal(attributeOf(chat, "gen_ai.conversation.id"), "chat-1");
    assert.ok(Number(attributeOf(chat, "gen_ai.usage.input_tokens")) > 0);
    assert.deepEqual(attributeOf(chat, "gen_ai.response.finish_reasons"), ["stop"]);
    assert.equal(attributeOf(run, "weft.run.state"), "completed");
    assert.doesNotMatch(JSON.stringify(request.body), /secret/i);
  });

  test("an agent's tool calls are its children, and with content captured they show what was said", async (t) => {
    const api = await startCountingApi();
    t.after(api.close);
    const collector = await openCollector(t);
    const env = {
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collector.url}/custom/traces`,
      OTEL_SERVICE_NAME: "agents",
      OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: "true",
      EGRESS_ALLOW: `127.0.0.1:${api.port}`,
    };
    const script = [{ toolCalls: [{ name: "get_thing", arguments: { id: "7" } }] }, { text: "It is a thing." }];
    const platform = await openScriptedPlatform(t, databases, script as never, { env });
    const agent = await agentWith(platform, toolFlow(`http://127.0.0.1:${api.port}/things/{id}`));
    await platform.ask(agent, { question: "What is 7?" });
    await platform.close();
    const spans = collector.spans();
    assertTrace(spans);
    assert.equal(collector.requests[0]?.path, "/custom/traces");
    const named = (name: string) => spans.find((span) => span.name === name);
    const invoked = named("invoke_agent Agent");
    const tool = named("execute_tool get_thing");
    const chats = spans.filter(({ name }) => name === "chat scripted");
    assert.ok(invoked && tool && chats.length === 2);
    for (const span of [tool, ...chats]) assert.equal(span.parentSpanId, invoked.spanId);
    assert.equal(attributeOf(invoked, "gen_ai.operation.name"), "invoke_agent");
    assert.equal(attributeOf(invoked, "gen_ai.request.model"), "scripted");
    assert.equal(attributeOf(tool, "gen_ai.tool.call.arguments"), '{"id":"7"}');
    assert.deepEqual(attributeOf(chats[0] as never, "gen_ai.response.finish_reasons"), ["tool_call"]);
    const input = JSON.parse(String(attributeOf(chats[1] as never, "gen_ai.input.messages")));
    assert.deepEqual(
      input.map(({ role, parts }: { role: string; parts: { type: string }[] }) => [
        role,
        parts.map(({ type }) => type),
      ]),
      [
        ["user", ["text"]],
        ["assistant", ["tool_call"]],
        ["tool", ["tool_call_response"]],
      ],
    );
    const output = JSON.parse(String(attributeOf(chats[1] as never, "gen_ai.output.messages")));
    assert.deepEqual(output, [
      { role: "assistant", parts: [{ type: "text", content: "It is a thing." }], finish_reason: "stop" },
    ]);
  });

  test("a run continues its caller's trace, the runs that it calls continue it, and a visitor's trace is passed over", async (t) => {
    const collector = await openCollector(t);
    const env = {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_TRACES_SAMPLER: "parentbased_always_off",
      ALLOW_PUBLIC_FLOWS: "true",
    };
    const platform = await openScriptedPlatform(t, databases, () => ({ text: "Yes." }), { env });
    const callee = await agentWith(platform, llmFlow(), { name: "Callee" });
    const caller = await agentWith(platform, flowOf("execute-flow", "Call", { agentId: callee }), {
      name: "Caller",
      isPublic: true,
    });
    const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
    const traceparent = (flags: string) => ({ traceparent: `00-${traceId}-00f067aa0ba902b7-${flags}` });
    await platform.send("POST", `/prediction/${caller}`, { question: "One" }, traceparent("01"));
    await platform.send("POST", `/prediction/${caller}`, { question: "Not sampled" }, traceparent("00"));
    await platform.send("POST", `/prediction/${caller}`, { question: "No parent" });
    const visit = { method: "POST", headers: { "content-type": "application/json", ...traceparent("01") } };
    const url = `http://platform/api/v1/prediction/${caller}`;
    const visited = await platform.fetch(new Request(url, { ...visit, body: '{"question":"As a visitor"}' }));
    assert.equal(visited.status, 200);
    await platform.close();
    const spans = collector.spans();
    assertTrace(spans, ["00f067aa0ba902b7"]);
    const runs = spans.filter(({ name }) => name.startsWith("invoke_workflow"));
    assert.deepEqual(new Set(spans.map((span) => span.traceId)), new Set([traceId]));
    assert.deepEqual(runs.map(({ name }) => name).sort(), ["invoke_workflow Callee", "invoke_workflow Caller"]);
    const root = runs.find(({ name }) => name.endsWith("Caller"));
    assert.deepEqual([root?.parentSpanId, root?.flags], ["00f067aa0ba902b7", 0x301]);
    const call = spans.find(({ name }) => name === `invoke_agent ${callee}`);
    assert.equal(runs.find(({ name }) => name.endsWith("Callee"))?.parentSpanId, call?.spanId);
  });

  test("a run that fails says so on its spans by the error's code", async (t) => {
    const collector = await openCollector(t);
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url };
    const failing = () => ({ status: 401, body: { error: { message: "A secret reason." } } });
    const platform = await openScriptedPlatform(t, databases, failing, { env });
    await platform.ask(await agentWith(platform, llmFlow()), { question: "Anybody?" });
    await platform.close();
    const spans = collector.spans();
    assertTrace(spans);
    for (const span of spans.filter(({ name }) => name !== "step Start")) {
      assert.equal(span.status.code, 2, span.name);
      assert.match(String(attributeOf(span, "error.type")), /^model-/);
    }
    assert.doesNotMatch(JSON.stringify(spans), /secret/i);
  });

  test("a run that another process continues stays one trace, whose spans are sent once", async (t) => {
    const collector = await openCollector(t);
    let isUp = false;
    const model = await createScriptedOpenAiServer({ script: () => (isUp ? { text: "Yes." } : { hang: true }) });
    t.after(() => model.close());
    const env = { ...scriptedModelEnv(model), OTEL_EXPORTER_OTLP_ENDPOINT: collector.url };
    const server = await openRestartable(t, databases, env);
    const platform = await server.open();
    const agent = await agentWith(platform, llmFlow());
    const asked = platform.send("POST", `/prediction/${agent}`, { question: "Hello" }).catch(() => undefined);
    await platform.until(async () => (model.requests.length > 0 ? true : undefined));
    await server.close();
    await asked;
    assert.deepEqual(collector.spans(), []);
    isUp = true;
    const next = await server.open();
    await next.until(async () => {
      const { data } = await next.json<{ data: { state: string }[] }>("GET", "/executions");
      return data[0]?.state === "FINISHED" ? true : undefined;
    });
    await server.close();
    const spans = collector.spans();
    assertTrace(spans);
    assert.deepEqual(
      spans.map(({ name }) => name),
      ["step Start", "chat scripted", "step LLM", "invoke_workflow Agent"],
    );
  });

  test("a run that waits for a person shows each span once, in one trace, whoever goes on with it", async (t) => {
    const collector = await openCollector(t);
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url };
    const platform = await openScriptedPlatform(t, databases, () => ({ text: "Yes." }), { env });
    const flow = JSON.stringify({
      weft: 1,
      nodes: [
        { id: "start_0", type: "start", label: "Start" },
        { id: "llm_0", type: "llm", label: "LLM" },
        { id: "ask_0", type: "human-input", label: "Ask", config: { question: "Go on?" } },
        { id: "reply_0", type: "direct-reply", label: "Reply", config: { message: "Done." } },
      ],
      edges: [
        { id: "a", source: "start_0", target: "llm_0" },
        { id: "b", source: "llm_0", target: "ask_0" },
        { id: "c", source: "ask_0", target: "reply_0", sourcePort: "proceed" },
      ],
    });
    const agent = await agentWith(platform, flow);
    const first = await platform.ask<{ executionId: string; chatId: string; action: { id: string } }>(agent, {
      question: "Hello",
    });
    assert.ok(first.action, JSON.stringify(first));
    const { chatId, action } = first;
    await platform.ask(agent, { chatId, humanInput: { type: "proceed" }, action: { id: action.id } });
    await platform.close();
    const spans = collector.spans();
    assertTrace(spans);
    assert.equal(new Set(spans.map(({ traceId }) => traceId)).size, 1);
    const names = spans.map(({ name }) => name);
    assert.deepEqual(names.slice(0, 3), ["step Start", "chat scripted", "step LLM"]);
    assert.equal(names.filter((name) => name === "step Ask").length, 1);
    assert.match(names.at(-1) ?? "", /^invoke_workflow/);
  });
});
