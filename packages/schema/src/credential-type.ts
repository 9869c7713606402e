/** One value of a credential: what it is called in `plainDataObj`, and how a form shows it. */
export type CredentialField = {
  readonly name: string;
  /** Names under which existing credentials keep the same value. */
  readonly aliases?: readonly string[];
  readonly title: string;
  readonly help?: string;
  /** Whether the value is a secret: code that builds requests sees a placeholder in its place. */
  readonly secret: boolean;
  readonly required: boolean;
  /** Set when other credentials keep a secret under `name`: the value is plain only beside a value of this field. */
  readonly plainBeside?: string;
};

/** The values of a credential by field name. */
export type CredentialValues = Readonly<Record<string, string>>;

/** A kind of credential: everything that the platform knows of it. */
export type CredentialType = {
  /** The `credentialName` of its credentials. */
  readonly name: string;
  readonly title: string;
  readonly fields: readonly CredentialField[];
  /** The vendor's own hosts, which every credential of the type may be sent to; default none. See `parseBoundHost`. */
  readonly hosts?: readonly string[];
  /** The field with the address of a self-hosted server: the credential may be sent to its host, too. Default `baseUrl`. */
  readonly addressField?: string;
  /** The headers that its values stand for, read by field name. Absent: it stands for none; undefined: values are missing. */
  readonly toHeaders?: (read: (field: string) => string | undefined) => Record<string, string> | undefined;
};

/** The value of the field, under its own name or an alias; the first that is not empty. */
export function readCredentialField(
  { name, aliases = [] }: Pick<CredentialField, "name" | "aliases">,
  stored: CredentialValues,
): string | undefined {
  return [name, ...aliases].map((key) => stored[key]).find((value) => value !== undefined && value.trim() !== "");
}

const apiKey = (name: string, aliases: readonly string[] = ["apiKey", "token"]): CredentialField => ({
  name,
  aliases,
  title: "API key",
  secret: true,
  required: true,
});

/** Delegated access (RFC 6749). Signing in happens elsewhere: the tokens are entered here, or imported. */
const oAuthFields: readonly CredentialField[] = [
  { name: "clientId", title: "Client ID", secret: false, required: true },
  { name: "clientSecret", title: "Client secret", secret: true, required: false },
  { name: "refresh_token", title: "Refresh token", secret: true, required: true },
  {
    name: "accessTokenUrl",
    title: "Access token URL",
    help: "Only where it is another than the vendor's, as for one tenant of Microsoft.",
    secret: false,
    required: false,
  },
];

const databaseUser: readonly CredentialField[] = [
  { name: "user", title: "User", secret: false, required: true },
  { name: "password", title: "Password", secret: true, required: true },
];

/** The address of a self-hosted server. */
const ownAddress = (name: string, placeholder: string): CredentialField => ({
  name,
  title: "Address",
  help: `Only for a self-hosted server. Default ${placeholder}.`,
  secret: false,
  required: false,
});

/** Where a credential of the type `httpHeaders` keeps its headers. */
export const httpHeaderPlaces = [1, 2, 3, 4].map((number) => ({
  number,
  name: `headerName${number}`,
  value: `headerValue${number}`,
}));

/** Types of credentials for what flows call besides models. A new type is one entry here; models' types are their providers'. */
export const credentialTypes = {
  tavilyApi: { name: "tavilyApi", title: "Tavily API", fields: [apiKey("tavilyApiKey")], hosts: ["api.tavily.com"] },
  braveSearchApi: {
    name: "braveSearchApi",
    title: "Brave Search API",
    fields: [apiKey("braveApiKey")],
    hosts: ["api.search.brave.com"],
  },
  serperApi: {
    name: "serperApi",
    title: "Serper API",
    fields: [apiKey("serperApiKey")],
    hosts: ["google.serper.dev"],
  },
  googleCustomSearchApi: {
    name: "googleCustomSearchApi",
    title: "Google Programmable Search",
    fields: [
      apiKey("googleCustomSearchApiKey", ["apiKey", "token", "googleApiKey"]),
      {
        name: "googleCustomSearchApiId",
        aliases: ["engineId", "searchEngineId"],
        title: "Search engine ID",
        secret: false,
        required: true,
      },
    ],
    hosts: ["customsearch.googleapis.com"],
  },
  serpApi: { name: "serpApi", title: "SerpApi", fields: [apiKey("serpApiKey")], hosts: ["serpapi.com"] },
  searchApi: { name: "searchApi", title: "SearchApi", fields: [apiKey("searchApiKey")], hosts: ["www.searchapi.io"] },
  exaSearchApi: {
    name: "exaSearchApi",
    title: "Exa Search API",
    fields: [apiKey("exaSearchApiKey", ["ExaSearchApiKey", "exaApiKey", "apiKey", "token"])],
    hosts: ["api.exa.ai"],
  },
  gmailOAuth2: {
    name: "gmailOAuth2",
    title: "Gmail",
    fields: oAuthFields,
    hosts: ["gmail.googleapis.com", "oauth2.googleapis.com"],
  },
  googleCalendarOAuth2: {
    name: "googleCalendarOAuth2",
    title: "Google Calendar",
    fields: oAuthFields,
    hosts: ["www.googleapis.com", "oauth2.googleapis.com"],
  },
  googleDocsOAuth2: {
    name: "googleDocsOAuth2",
    title: "Google Docs",
    fields: oAuthFields,
    hosts: ["docs.googleapis.com", "oauth2.googleapis.com"],
  },
  googleDriveOAuth2: {
    name: "googleDriveOAuth2",
    title: "Google Drive",
    fields: oAuthFields,
    hosts: ["www.googleapis.com", "oauth2.googleapis.com"],
  },
  googleSheetsOAuth2: {
    name: "googleSheetsOAuth2",
    title: "Google Sheets",
    fields: oAuthFields,
    hosts: ["sheets.googleapis.com", "oauth2.googleapis.com"],
  },
  microsoftOutlookOAuth2: {
    name: "microsoftOutlookOAuth2",
    title: "Microsoft Outlook",
    fields: oAuthFields,
    hosts: ["graph.microsoft.com", "login.microsoftonline.com"],
  },
  microsoftTeamsOAuth2: {
    name: "microsoftTeamsOAuth2",
    title: "Microsoft Teams",
    fields: oAuthFields,
    hosts: ["graph.microsoft.com", "login.microsoftonline.com"],
  },
  PostgresApi: { name: "PostgresApi", title: "PostgreSQL", fields: databaseUser },
  MySQLApi: { name: "MySQLApi", title: "MySQL or MariaDB", fields: databaseUser },
  langsmithApi: {
    name: "langsmithApi",
    title: "LangSmith",
    fields: [apiKey("langSmithApiKey"), ownAddress("langSmithEndpoint", "https://api.smith.langchain.com")],
    hosts: ["api.smith.langchain.com"],
    addressField: "langSmithEndpoint",
  },
  langfuseApi: {
    name: "langfuseApi",
    title: "Langfuse",
    fields: [
      { name: "langFusePublicKey", title: "Public key", secret: false, required: true },
      { name: "langFuseSecretKey", title: "Secret key", secret: true, required: true },
      ownAddress("langFuseEndpoint", "https://cloud.langfuse.com"),
    ],
    hosts: ["cloud.langfuse.com"],
    addressField: "langFuseEndpoint",
  },
  langwatchApi: {
    name: "langwatchApi",
    title: "LangWatch",
    fields: [apiKey("langWatchApiKey"), ownAddress("langWatchEndpoint", "https://app.langwatch.ai")],
    hosts: ["app.langwatch.ai"],
    addressField: "langWatchEndpoint",
  },
  opikApi: {
    name: "opikApi",
    title: "Opik",
    fields: [
      { ...apiKey("opikApiKey"), required: false },
      { name: "opikWorkspace", title: "Workspace", secret: false, required: false },
      ownAddress("opikUrl", "https://www.comet.com/opik/api"),
    ],
    hosts: ["www.comet.com"],
    addressField: "opikUrl",
  },
  phoenixApi: {
    name: "phoenixApi",
    title: "Phoenix",
    fields: [
      { ...apiKey("phoenixApiKey"), required: false },
      ownAddress("phoenixEndpoint", "https://app.phoenix.arize.com"),
    ],
    hosts: ["app.phoenix.arize.com"],
    addressField: "phoenixEndpoint",
  },
  arizeApi: {
    name: "arizeApi",
    title: "Arize",
    fields: [
      apiKey("arizeApiKey"),
      { name: "arizeSpaceId", title: "Space ID", secret: false, required: true },
      ownAddress("arizeEndpoint", "https://otlp.arize.com"),
    ],
    hosts: ["otlp.arize.com"],
    addressField: "arizeEndpoint",
  },
  httpBearerToken: {
    name: "httpBearerToken",
    title: "HTTP bearer token",
    fields: [{ name: "token", aliases: ["bearerToken"], title: "Token", secret: true, required: true }],
    toHeaders(read) {
      const token = read("token");
      return token ? { authorization: `Bearer ${token}` } : undefined;
    },
  },
  /** Source: RFC 7617. */
  httpBasicAuth: {
    name: "httpBasicAuth",
    title: "HTTP basic authentication",
    fields: [
      { name: "basicAuthUsername", aliases: ["username"], title: "User name", secret: false, required: true },
      { name: "basicAuthPassword", aliases: ["password"], title: "Password", secret: true, required: true },
    ],
    toHeaders(read) {
      const [username, password] = [read("basicAuthUsername"), read("basicAuthPassword")];
      if (username === undefined || password === undefined) return undefined;
      return { authorization: `Basic ${toBase64(`${username}:${password}`)}` };
    },
  },
  httpApiKey: {
    name: "httpApiKey",
    title: "HTTP header",
    fields: [
      {
        name: "key",
        aliases: ["apiKeyHeaderName"],
        title: "Header name",
        secret: false,
        required: true,
        plainBeside: "value",
      },
      { name: "value", aliases: ["apiKeyHeaderValue"], title: "Header value", secret: true, required: true },
    ],
    toHeaders(read) {
      const [key, value] = [read("key"), read("value")];
      return key && value !== undefined ? { [key.toLowerCase()]: value } : undefined;
    },
  },
  /** Several headers of one request. */
  httpHeaders: {
    name: "httpHeaders",
    title: "HTTP headers",
    fields: httpHeaderPlaces.flatMap(({ name, value, number }) => [
      { name, title: `Header name ${number}`, secret: false, required: number === 1 },
      { name: value, title: `Header value ${number}`, secret: true, required: number === 1 },
    ]),
    toHeaders(read) {
      const headers = httpHeaderPlaces.flatMap(({ name, value }) => {
        const [key, text] = [read(name), read(value)];
        return key && text !== undefined ? [[key.toLowerCase(), text] as const] : [];
      });
      return headers.length > 0 ? Object.fromEntries(headers) : undefined;
    },
  },
  /** Before Browserless, which has a field of this name alone. An API token of an Atlassian account. Source: developer.atlassian.com, "Basic auth for REST APIs". */
  jiraApi: {
    name: "jiraApi",
    title: "Jira",
    fields: [
      { name: "username", aliases: ["email"], title: "E-mail address", secret: false, required: true },
      { name: "accessToken", aliases: ["apiToken"], title: "API token", secret: true, required: true },
    ],
    hosts: ["api.atlassian.com"],
    toHeaders(read) {
      const [username, token] = [read("username"), read("accessToken")];
      return username && token ? { authorization: `Basic ${toBase64(`${username}:${token}`)}` } : undefined;
    },
  },
  /** Source: docs.browserless.io, "Browserless MCP Server". */
  browserlessApi: {
    name: "browserlessApi",
    title: "Browserless API",
    fields: [apiKey("token", ["apiToken"])],
    hosts: ["mcp.browserless.io"],
    toHeaders(read) {
      const token = read("token");
      return token ? { authorization: `Bearer ${token}` } : undefined;
    },
  },
  jiraApiBearerToken: {
    name: "jiraApiBearerToken",
    title: "Jira with a bearer token",
    fields: [{ name: "bearerToken", aliases: ["token"], title: "Token", secret: true, required: true }],
    hosts: ["api.atlassian.com"],
    toHeaders(read) {
      const token = read("bearerToken");
      return token ? { authorization: `Bearer ${token}` } : undefined;
    },
  },
  /** A secret or restricted key. Source: docs.stripe.com/keys. */
  stripeApi: {
    name: "stripeApi",
    title: "Stripe API",
    fields: [
      {
        name: "stripeApiToken",
        aliases: ["stripeApiKey", "stripeSecretKey"],
        title: "Secret or restricted key",
        secret: true,
        required: true,
      },
    ],
    hosts: ["api.stripe.com"],
    toHeaders(read) {
      const key = read("stripeApiToken");
      return key ? { authorization: `Bearer ${key}` } : undefined;
    },
  },
  /** A personal access token. Source: docs.github.com, "Authenticating to the REST API". */
  githubApi: {
    name: "githubApi",
    title: "GitHub API",
    fields: [{ name: "accessToken", aliases: ["githubToken"], title: "Access token", secret: true, required: true }],
    hosts: ["api.githubcopilot.com", "api.github.com"],
    toHeaders(read) {
      const token = read("accessToken");
      return token ? { authorization: `Bearer ${token}` } : undefined;
    },
  },
} as const satisfies Record<string, CredentialType>;

function toBase64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}
