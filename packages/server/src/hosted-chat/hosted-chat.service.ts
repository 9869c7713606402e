import { parseSpeechToText } from "@weft/providers";
import { type ChatLook, readChatLook, toShownName } from "@weft/schema";
import type { AgentPolicies, AgentPolicy } from "../access/index.ts";
import { answerFile, toTagged } from "../built-files/answer-file.ts";
import { notBuiltPage, noticeStyleSource, unavailablePage } from "./notice-pages.ts";

/** The chat client for visitors: its files, and an agent's full-page chat. `asked`: request headers. */
export type HostedChatService = {
  /** Never rejects: a file that was not built is answered with 503. */
  file(name: "widget.js" | "chat-page.js", asked: Headers): Promise<Response>;
  /** The same answer for a private agent as for a missing one. */
  page(agentId: string, asked: Headers): Promise<Response>;
};

/** Short, because pages of other sites refer to the file without a version. */
const fileMaxAgeSeconds = 300;

const htmlType = "text/html; charset=utf-8";

/** `folder`: URL of the built chat client, with a trailing slash. */
export function createHostedChatService(findPolicy: AgentPolicies["find"], folder: URL): HostedChatService {
  return {
    async file(name, asked) {
      const headers = {
        "Content-Type": "text/javascript; charset=utf-8",
        "Cache-Control": `public, max-age=${fileMaxAgeSeconds}`,
        // Public code: any page may run it, including one under cross-origin isolation.
        "Access-Control-Allow-Origin": "*",
        "Cross-Origin-Resource-Policy": "cross-origin",
      };
      const answer = await answerFile(new URL(name, folder), { asked, headers });
      return answer ?? new Response(notBuiltPage, { status: 503, headers: { "Content-Type": htmlType } });
    },

    async page(agentId, asked) {
      const policy = await findPolicy(agentId);
      if (policy?.agent === undefined || !policy.isOpen || policy.agent.apikeyid) {
        const headers = { ...pageHeaders(toPolicy({ styles: noticeStyleSource })), "Content-Type": htmlType };
        const notice = unavailablePage(asked.get("accept-language"));
        return new Response(notice, { status: 404, headers: { ...headers, Vary: "Accept-Language" } });
      }
      const { name, chatbotConfig, speechToText } = policy.agent;
      const takesSpeech = parseSpeechToText(speechToText) !== undefined;
      const look = readChatLook(chatbotConfig);
      const csp = toPolicy({ ancestors: ancestorsOf(policy), pictures: [...new Set(pictureOriginsIn(look))] });
      const html = new TextEncoder().encode(toChatPage(name, look));
      return toTagged(html, { asked, headers: { ...pageHeaders(csp, takesSpeech), "Content-Type": htmlType } });
    },
  };
}

/**
 * The sites that may frame the page, as content security policy sources: every site if the settings say `*`, none by
 * default. Anything but a host could end the directive or add another one.
 */
function ancestorsOf({ allowedHosts, allowsEveryHost }: AgentPolicy): string[] {
  if (allowsEveryHost) return ["*"];
  return allowedHosts.filter((host) => /^[a-z\d.-]+(:\d+)?$/i.test(host));
}

type Policy = { ancestors?: readonly string[]; pictures?: readonly string[]; styles?: string };

/** Only our own scripts and requests; images also from the origins in the agent's settings. */
function toPolicy({ ancestors = [], pictures = [], styles = "'none'" }: Policy): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src ${styles}`,
    ["img-src 'self' data: blob:", ...pictures].join(" "),
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    ["frame-ancestors 'self'", ...ancestors].join(" "),
  ].join("; ");
}

/** `takesSpeech`: whether the page may ask for the microphone. */
function pageHeaders(csp: string, takesSpeech = false): Record<string, string> {
  return {
    "Cache-Control": "no-cache",
    "Content-Security-Policy": csp,
    "Permissions-Policy": `camera=(), geolocation=(), microphone=(${takesSpeech ? "self" : ""})`,
  };
}

/** Origins of the addresses under keys such as `titleAvatarSrc` and `backgroundImage`. */
function pictureOriginsIn(value: unknown, key = ""): string[] {
  if (typeof value === "object" && value !== null) {
    return Object.entries(value).flatMap(([name, part]) => pictureOriginsIn(part, name));
  }
  if (typeof value !== "string" || !/(Src|Image)$/.test(key) || !URL.canParse(value)) return [];
  const { protocol, origin } = new URL(value);
  return /^https?:$/.test(protocol) ? [origin] : [];
}

/** The HTML page of a chat: the client renders everything, and reads the agent from the address. */
function toChatPage(name: string, { title = "", appearance }: ChatLook): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1, interactive-widget=resizes-content" />
    <meta name="color-scheme" content="${appearance?.colorScheme ?? "light dark"}" />
    <meta name="robots" content="noindex" />
    <title>${escapeHtml(title.trim() || toShownName(name))}</title>
    <link rel="icon" href="/favicon.svg" />
    <link rel="modulepreload" href="/widget.js" />
    <script type="module" src="/chat-page.js"></script>
  </head>
  <body>
    <main>
      <flowise-fullchatbot></flowise-fullchatbot>
      <noscript>This chat needs JavaScript.</noscript>
    </main>
  </body>
</html>
`;
}

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
