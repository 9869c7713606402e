import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { onTestDatabase } from "../../../database/src/testing/test-databases.ts";
import { agentWith, openTestPlatform } from "../testing/test-platform.ts";

type Answer = { text: string; question: string; form?: object; metadata: { warnings: object[] } };
type Problem = { code: string; errors: { path: string; message: string }[] };

function startAnd(start: object, reply: object): string {
  return JSON.stringify({
    weft: 1,
    nodes: [
      { id: "start_0", type: "start", config: start },
      { id: "reply_0", type: "direct-reply", config: reply },
    ],
    edges: [{ id: "e", source: "start_0", target: "reply_0" }],
  });
}

const fields = [
  { name: "city", required: true },
  { name: "days", type: "number", default: 3 },
  { name: "room", type: "options", options: ["single", "double"] },
];
const form = { input: "form", form: { title: "Book", fields } };

await onTestDatabase((databases) => {
  describe("what a run begins with", () => {
    it("is a form, with its defaults", async (t) => {
      const platform = await openTestPlatform(t, databases);
      const id = await agentWith(platform, startAnd(form, { message: "{{ $form.city }} {{ $form.days }}" }));
      const ask = (given: object) => platform.json<Answer>("POST", `/prediction/${id}`, { form: given });
      assert.equal((await ask({ city: "Ulm" })).text, "Ulm 3");
      const answer = await ask({ city: "Ulm", days: "5", room: "double" });
      assert.equal(answer.text, "Ulm 5");
      assert.deepEqual(answer.form, { city: "Ulm", days: 5, room: "double" });
      assert.equal(answer.question, "", "a form asks nothing in words");
      const streamed = await platform.send("POST", `/prediction/${id}`, { form: { city: "Ulm" }, streaming: true });
      assert.match(await streamed.text(), /"event":"metadata","data":\{[^\n]*"question":""/);
    });

    it("is a form that a question fills in with a line for each field; one that does not is told so", async (t) => {
      const platform = await openTestPlatform(t, databases);
      const message = "{{ $form.city }} {{ $form.days }} {{ question }}";
      const filled = await agentWith(platform, startAnd(form, { message }));
      const question = "City: Ulm\ndays: 5";
      const answer = await platform.json<Answer>("POST", `/prediction/${filled}`, { question });
      assert.deepEqual([answer.text, answer.metadata.warnings], [`Ulm 5 ${question}`, []]);
      const open = { input: "form", form: { fields: [{ name: "city" }, { name: "days" }] } };
      const optional = await agentWith(platform, startAnd(open, { message: "{{ question }}" }));
      const other = await platform.json<Answer>("POST", `/prediction/${optional}`, { question: "Hello" });
      assert.equal(other.text, "Hello");
      assert.deepEqual(other.metadata.warnings, [
        {
          code: "form-empty",
          message:
            'This agent begins with a form, and the question fills in none of its fields. Send form, or a question with a line for each field, such as "city: …". Fields: city, days.',
        },
      ]);
    });

    it("is refused when the form does not fit, before anything runs", async (t) => {
      const platform = await openTestPlatform(t, databases);
      const id = await agentWith(platform, startAnd(form, { message: "never" }));
      for (const body of [{ form: { days: "many", room: "triple" } }, { question: "Hello" }]) {
        const response = await platform.send("POST", `/prediction/${id}`, body);
        assert.equal(response.status, 422);
        const { code, errors } = (await response.json()) as Problem;
        assert.equal(code, "validation-failed");
        assert.deepEqual(errors[0], { path: "form.city", message: "Required." });
      }
      assert.deepEqual(await platform.json("GET", `/chatmessage/${id}`), []);
    });

    it("is the state that the session's last run left, until its messages are deleted", async (t) => {
      const platform = await openTestPlatform(t, databases);
      const updateState = [{ key: "log", value: "{{ $flow.state.log }}{{ question }};" }];
      const flow = (persistState: boolean) =>
        startAnd({ state: { log: "" }, persistState }, { message: "[{{ $flow.state.log }}]", updateState });
      const id = await agentWith(platform, flow(true));
      const ask = async (question: string, chatId: string) =>
        (await platform.json<Answer>("POST", `/prediction/${id}`, { question, chatId })).text;
      assert.deepEqual(
        [await ask("a", "one"), await ask("b", "one"), await ask("c", "two"), await ask("d", "one")],
        ["[]", "[a;]", "[]", "[a;b;]"],
      );
      const together = await Promise.all(["e", "f", "g"].map((question) => ask(question, "two")));
      assert.deepEqual(together.map(({ length }) => length).sort(), [4, 6, 8]);
      assert.match(await ask("-", "two"), /^\[c;(?=.*e;)(?=.*f;)(?=.*g;).{6}\]$/);
      await platform.json("DELETE", `/chatmessage/${id}?chatId=one`);
      assert.equal(await ask("h", "one"), "[]");
      await platform.json("PUT", `/chatflows/${id}`, { flowData: flow(false) });
      assert.equal(await ask("i", "two"), "[]");
    });
  });
});
