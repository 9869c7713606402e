import { addressesOf, snippetsOf } from "../../agent-api/snippets.ts";

export type ShareTargets = {
  page: string;
  embed: string;
  curl: string;
  openai: string;
  mcp: string;
};

/** What is given away to use an agent from elsewhere. `origin`: of this server, without a slash at its end. */
export function shareTargetsOf(origin: string, agentId: string): ShareTargets {
  const { openai, mcp } = addressesOf({ origin, agentId });
  return {
    page: `${origin}/chat/${agentId}`,
    embed: embedCode(origin, agentId),
    curl: snippetsOf("ask", { origin, agentId, apiKey: "YOUR_API_KEY" }).curl ?? "",
    openai,
    mcp,
  };
}

function embedCode(origin: string, agentId: string): string {
  return `<script type="module">
  import Chatbot from "${origin}/widget.js";
  Chatbot.init({ chatflowid: "${agentId}", apiHost: "${origin}" });
</script>`;
}
