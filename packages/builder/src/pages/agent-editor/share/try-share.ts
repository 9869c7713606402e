import { client } from "../../../api/client.ts";
import { formatList } from "../../../languages/index.ts";
import { sessionHeaders } from "../../../session/session.ts";
import { shareStrings as strings } from "../../../strings.ts";

export type ShareWay = "link" | "embed" | "api" | "openai" | "mcp";

/** Uses an agent in one of the ways that are shared. Resolves with what happened, rejects with why it does not work. */
export function tryShare(way: ShareWay, agentId: string): Promise<string> {
  return ways[way](agentId);
}

const ways: Readonly<Record<ShareWay, (agentId: string) => Promise<string>>> = {
  async link(agentId) {
    await visit(`/chat/${agentId}`);
    return strings.pageWorks;
  },
  async embed(agentId) {
    await visit("/widget.js");
    await visit(`/api/v1/public-chatbotConfig/${agentId}`);
    return strings.embedWorks;
  },
  async api(agentId) {
    const { text } = await client.createPrediction({ id: agentId }, { question: "Hello!" });
    return toAnswer(text);
  },
  async openai(agentId) {
    const messages = [{ role: "user", content: "Hello!" }];
    const body = await call("/v1/chat/completions", { model: agentId, messages });
    const { choices } = body as { choices?: { message?: { content?: string } }[] };
    return toAnswer(choices?.[0]?.message?.content);
  },
  async mcp(agentId) {
    const body = await call(`/api/v1/mcp/${agentId}`, { jsonrpc: "2.0", id: 1, method: "tools/list" });
    const { result } = body as { result?: { tools?: { name: string }[] } };
    const names = (result?.tools ?? []).map(({ name }) => name);
    if (names.length === 0) throw new Error(strings.noTools);
    return strings.tools({ names: formatList(names) });
  },
};

function toAnswer(text: string | null | undefined): string {
  return text ? strings.answered({ text }) : strings.noAnswer;
}

/** Without credentials, as a visitor comes. */
async function visit(path: string): Promise<void> {
  const { ok, status } = await fetch(path, { credentials: "omit", cache: "no-store" });
  if (!ok) throw new Error(strings.refused({ status }));
}

/** Sends JSON as the signed-in user, to an address of another protocol than our API's. */
async function call(path: string, body: object): Promise<unknown> {
  const headers = {
    Accept: "application/json, text/event-stream",
    "Content-Type": "application/json",
    ...sessionHeaders,
    ...(path.includes("/mcp/") && { "MCP-Protocol-Version": "2025-11-25" }),
  };
  const response = await fetch(path, { method: "POST", headers, body: JSON.stringify(body) });
  const answer: unknown = await response.json().catch(() => undefined);
  const { error } = (answer ?? {}) as { error?: { message?: string } };
  if (!response.ok || error !== undefined)
    throw new Error(error?.message ?? strings.refused({ status: response.status }));
  return answer;
}
