import { formatList, formatNumber, localized } from "../../../languages/index.ts";

export const shareStrings = localized("share", {
  open: "Share",
  title: (agent: string) => `Share ${agent}`,
  close: "Close",
  publish: "Make public",
  publishText:
    "Only people who can sign in here, and programs with an API key, can use this agent now. Making it public lets anyone with the link chat with the published flow, at the expense of your model budget. You can limit messages under Sharing and limits.",
  budget: (runs: number, dollars: string, all: string) =>
    `A visitor can send ${formatNumber(runs)} messages a day and cost ${dollars}, all visitors together ${all}. The operator of this server can allow less.`,
  changeBudget: "Change limits",
  isPublic: "This agent is public: anyone with the link can chat with it.",
  closed:
    "Visitors are still blocked, because this server does not allow public agents. Ask its operator to start it with ALLOW_PUBLIC_FLOWS=true.",
  needsKey:
    "Visitors are still blocked, because this agent has a dedicated API key. Remove the key under Sharing and limits.",
  tabs: { link: "Link", embed: "Website", api: "API", openai: "OpenAI", mcp: "MCP" },
  texts: {
    link: "A page with this agent and nothing else. Send the link, or let people scan the code.",
    embed: "Paste this into a page of your website. It shows a button that opens the chat.",
    api: "Sends a message over HTTP. Put an API key in place of YOUR_API_KEY.",
    openai: "For programs that speak the OpenAI API: set this base address, and the agent's ID as the model.",
    mcp: "For MCP clients: the agent as a server with one tool.",
  },
  addressLabels: { link: "Chat page", openai: "Base address", model: "Model", mcp: "Server address" },
  snippet: { embed: "Embed code", api: "Example request" },
  qr: "QR code of the chat page",
  tryIt: "Try it",
  tryTexts: {
    link: "Requests the page as a visitor, without your session.",
    embed: "Loads the script and the agent's chat settings as a visitor, without your session.",
    api: "Sends “Hello!” with your session and shows the answer.",
    openai: "Sends “Hello!” with your session and shows the answer.",
    mcp: "Lists the server's tools with your session.",
  },
  works: "It works.",
  pageWorks: "The page opens for visitors.",
  embedWorks: "The chat opens for visitors.",
  tools: (names: readonly string[]) => `Tools: ${formatList(names)}`,
  noTools: "The server answered without a tool.",
  answered: (text: string) => `The agent answered: ${text}`,
  noAnswer: "The agent answered without text.",
  refused: (status: number) => `Visitors cannot open it. The server answered with status ${status}.`,
});
