/** How a program can call an agent. */
export type Usage = "ask" | "stream" | "openai" | "mcp";
export type SnippetLanguage = "curl" | "typescript" | "python" | "json";

/** `origin` without a slash at its end. */
export type SnippetTarget = { origin: string; agentId: string; apiKey: string };

export function addressesOf({ origin, agentId }: Pick<SnippetTarget, "origin" | "agentId">) {
  return {
    prediction: `${origin}/api/v1/prediction/${agentId}`,
    openai: `${origin}/v1`,
    mcp: `${origin}/api/v1/mcp/${agentId}`,
  };
}

/** Programs that can be run as they are: nothing needs to be installed but the language. */
export function snippetsOf(usage: Usage, target: SnippetTarget): Partial<Record<SnippetLanguage, string>> {
  const { prediction, openai, mcp } = addressesOf(target);
  const { apiKey, agentId } = target;
  switch (usage) {
    case "ask":
      return {
        curl: curl(prediction, apiKey, { question: "Hello!" }),
        typescript: askInTypeScript(prediction, apiKey),
        python: askInPython({ url: prediction, apiKey, body: { question: "Hello!" }, answer: 'answer["text"]' }),
      };
    case "stream":
      return {
        curl: curl(prediction, apiKey, { question: "Hello!", streaming: true }, "-N "),
        typescript: streamInTypeScript(prediction, apiKey),
        python: streamInPython(prediction, apiKey),
      };
    case "openai": {
      const body = { model: agentId, messages: [{ role: "user", content: "Hello!" }] };
      const url = `${openai}/chat/completions`;
      return {
        curl: curl(url, apiKey, body),
        typescript: openAiInTypeScript(url, apiKey, agentId),
        python: askInPython({ url, apiKey, body, answer: 'answer["choices"][0]["message"]["content"]' }),
      };
    }
    case "mcp": {
      const server = { type: "http", url: mcp, headers: { Authorization: `Bearer ${apiKey}` } };
      return { json: JSON.stringify({ mcpServers: { weft: server } }, null, 2) };
    }
  }
}

function curl(url: string, apiKey: string, body: object, options = ""): string {
  return `curl ${options}${url} \\
  -H "Authorization: Bearer ${apiKey}" \\
  -H "Content-Type: application/json" \\
  -d '${JSON.stringify(body)}'`;
}

function askInTypeScript(url: string, apiKey: string): string {
  return `const response = await fetch("${url}", {
  method: "POST",
  headers: {
    Authorization: "Bearer ${apiKey}",
    "Content-Type": "application/json",
  },
  body: JSON.stringify({ question: "Hello!" }),
});
const answer = await response.json();
if (!response.ok) throw new Error(answer.message);

console.log(answer.text);
// To continue the conversation, send answer.chatId with the next question.`;
}

function openAiInTypeScript(url: string, apiKey: string, agentId: string): string {
  return `const response = await fetch("${url}", {
  method: "POST",
  headers: {
    Authorization: "Bearer ${apiKey}",
    "Content-Type": "application/json",
  },
  body: JSON.stringify({
    model: "${agentId}",
    messages: [{ role: "user", content: "Hello!" }],
  }),
});
const answer = await response.json();
if (!response.ok) throw new Error(answer.error.message);

console.log(answer.choices[0].message.content);`;
}

function streamInTypeScript(url: string, apiKey: string): string {
  return `const response = await fetch("${url}", {
  method: "POST",
  headers: {
    Authorization: "Bearer ${apiKey}",
    "Content-Type": "application/json",
  },
  body: JSON.stringify({ question: "Hello!", streaming: true }),
});
if (!response.ok || !response.body) throw new Error(await response.text());

let rest = "";
for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
  const lines = (rest + chunk).split("\\n");
  rest = lines.pop() ?? "";
  for (const line of lines) {
    if (!line.startsWith("data:")) continue;
    const { event, data } = JSON.parse(line.slice("data:".length));
    if (event === "token") process.stdout.write(data);
    if (event === "error") throw new Error(data);
  }
}`;
}

type PythonCall = { url: string; apiKey: string; body: object; answer: string };

function askInPython({ url, apiKey, body, answer }: PythonCall): string {
  return `import json
import urllib.request

request = urllib.request.Request(
    "${url}",
    data=json.dumps(${JSON.stringify(body)}).encode(),
    headers={
        "Authorization": "Bearer ${apiKey}",
        "Content-Type": "application/json",
    },
)
with urllib.request.urlopen(request) as response:
    answer = json.load(response)

print(${answer})`;
}

function streamInPython(url: string, apiKey: string): string {
  return `import json
import urllib.request

request = urllib.request.Request(
    "${url}",
    data=json.dumps({"question": "Hello!", "streaming": True}).encode(),
    headers={
        "Authorization": "Bearer ${apiKey}",
        "Content-Type": "application/json",
    },
)
with urllib.request.urlopen(request) as response:
    for line in response:
        if not line.startswith(b"data:"):
            continue
        frame = json.loads(line[len(b"data:"):])
        if frame["event"] == "token":
            print(frame["data"], end="", flush=True)
        if frame["event"] == "error":
            raise RuntimeError(frame["data"])`;
}
