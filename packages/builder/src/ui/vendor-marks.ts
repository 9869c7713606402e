/**
 * Marks of vendors, and the providers, credential types and tools that have them. The marks are drawn from
 * `public/vendor-marks.svg`, which `./weft marks` makes of these.
 */
export const vendorMarks = {
  openai: ["openai", "openAIApi"],
  anthropic: ["anthropic", "anthropicApi"],
  gemini: ["google", "googleGenerativeAI"],
  google: [
    "googleCustomSearchApi",
    "gmail",
    "gmailOAuth2",
    "google-calendar",
    "googleCalendarOAuth2",
    "google-docs",
    "googleDocsOAuth2",
    "google-drive",
    "googleDriveOAuth2",
    "google-sheets",
    "googleSheetsOAuth2",
  ],
  microsoft: ["microsoft-teams", "microsoftTeamsOAuth2", "microsoft-outlook", "microsoftOutlookOAuth2"],
  ollama: ["ollama", "ollamaApi"],
  groq: ["groq", "groqApi"],
  mistral: ["mistral", "mistralAIApi"],
  together: ["together", "togetherAIApi"],
  xai: ["xai", "xaiApi"],
  perplexity: ["perplexity", "perplexityApi"],
  fireworks: ["fireworks", "fireworksApi"],
  cerebras: ["cerebras", "cerebrasAIApi"],
  nvidia: ["nvidia", "nvidiaNIMApi"],
  sambanova: ["sambanova", "sambanovaApi"],
  deepseek: ["deepseek", "deepseekApi"],
  openrouter: ["openrouter", "openRouterApi"],
  huggingface: ["huggingface", "huggingFaceApi"],
  alibabacloud: ["alibaba", "AlibabaApi"],
  cometapi: ["cometapi", "cometApi"],
  azureai: ["azure-openai", "azureOpenAIApi"],
  cohere: ["cohere", "cohereApi"],
  bedrock: ["bedrock"],
  aws: ["awsApi"],
  vertexai: ["vertex", "googleVertexAuth"],
  tavily: ["tavily", "tavilyApi"],
  brave: ["brave", "braveSearchApi"],
  searxng: ["searxng"],
  searchapi: ["searchapi", "searchApi"],
  exa: ["exa", "exaSearchApi"],
  github: ["github", "githubApi"],
  notion: ["notion", "notionApi"],
  mcp: ["mcp", "mcp-server"],
} as const satisfies Record<string, readonly string[]>;

export type VendorMarkName = keyof typeof vendorMarks;

const byName = new Map<string, VendorMarkName>(
  Object.entries(vendorMarks).flatMap(([mark, names]) => names.map((name) => [name, mark as VendorMarkName] as const)),
);

/** The mark of a provider, credential type or tool; undefined if it has none. */
export function markOf(name: string): VendorMarkName | undefined {
  return byName.get(name);
}

/** For what has no mark: the first letters of its first two words, without the words that all have. */
export function initialsOf(title: string): string {
  const words = title.match(/[\p{L}\p{N}]+/gu) ?? [];
  const own = words.filter((word) => !/^(api|the)$/i.test(word));
  return (own.length > 0 ? own : words)
    .slice(0, 2)
    .map((word) => word.slice(0, 1).toUpperCase())
    .join("");
}
