/** One value of a credential: its name in `plainDataObj`, and how a form shows it. */
export type CredentialField = {
  readonly name: string;
  /** Names under which existing credentials store the same value. */
  readonly aliases?: readonly string[];
  readonly title: string;
  readonly help?: string;
  /** The value is a secret: code that builds requests sees a placeholder instead. */
  readonly secret: boolean;
  readonly required: boolean;
  /** Set if other credentials store a secret under `name`: the value is plain only beside a value of this field. */
  readonly plainBeside?: string;
};

export type CredentialValues = Readonly<Record<string, string>>;

/** A kind of credential. */
export type CredentialType = {
  /** The `credentialName` of its credentials. */
  readonly name: string;
  readonly title: string;
  readonly fields: readonly CredentialField[];
  /** The vendor's own hosts, to which every credential of the type may be sent; default none. See `parseBoundHost`. */
  readonly hosts?: readonly string[];
  /**
   * The field with the address of a self-hosted server, to whose host the credential may also be sent. Default
   * `baseUrl`.
   */
  readonly addressField?: string;
  /**
   * Builds headers from its values, read by field name. Absent: the type has no headers; undefined: values are missing.
   */
  readonly toHeaders?: (read: (field: string) => string | undefined) => Record<string, string> | undefined;
};

/** The first non-empty value of the field, under its own name or an alias. */
export function readCredentialField(
  { name, aliases = [] }: Pick<CredentialField, "name" | "aliases">,
  stored: CredentialValues,
): string | undefined {
  return [name, ...aliases].map((key) => stored[key]).find((value) => value !== undefined && value.trim() !== "");
}

/** The key of an API. */
export const apiKeyField = (name: string, aliases: readonly string[] = ["apiKey", "token"]): CredentialField => ({
  name,
  aliases,
  title: "API key",
  secret: true,
  required: true,
});

/** The address of a self-hosted server. */
export const ownAddressField = (name: string, placeholder: string): CredentialField => ({
  name,
  title: "Address",
  help: `Only for a self-hosted server. Default ${placeholder}.`,
  secret: false,
  required: false,
});

/** Fields in which `httpHeaders` credentials store their headers. */
export const httpHeaderPlaces = [1, 2, 3, 4].map((number) => ({
  number,
  name: `headerName${number}`,
  value: `headerValue${number}`,
}));

type ToHeaders = NonNullable<CredentialType["toHeaders"]>;

/** The value of a field in the authorization header, after the name of the scheme (RFC 6750). */
const tokenOf =
  (field: string, scheme: string): ToHeaders =>
  (read) => {
    const token = read(field);
    return token ? { authorization: `${scheme} ${token}`.trimStart() } : undefined;
  };

const bearerOf = (field: string) => tokenOf(field, "Bearer");

/**
 * Credential types that produce headers, so that any HTTP call can use them. Those of models, search services, vendors,
 * databases and traces are declared where they are used.
 */
export const httpCredentialTypes = {
  httpBearerToken: {
    name: "httpBearerToken",
    title: "HTTP bearer token",
    fields: [{ name: "token", aliases: ["bearerToken"], title: "Token", secret: true, required: true }],
    toHeaders: bearerOf("token"),
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
  /**
   * Before Browserless, which only has a field of this name. An API token of an Atlassian account. Source:
   * developer.atlassian.com, "Basic auth for REST APIs".
   */
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
    fields: [apiKeyField("token", ["apiToken"])],
    hosts: ["mcp.browserless.io"],
    toHeaders: bearerOf("token"),
  },
  jiraApiBearerToken: {
    name: "jiraApiBearerToken",
    title: "Jira with a bearer token",
    fields: [{ name: "bearerToken", aliases: ["token"], title: "Token", secret: true, required: true }],
    hosts: ["api.atlassian.com"],
    toHeaders: bearerOf("bearerToken"),
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
    toHeaders: bearerOf("stripeApiToken"),
  },
  /** A personal access token. Source: docs.github.com, "Authenticating to the REST API". */
  githubApi: {
    name: "githubApi",
    title: "GitHub API",
    fields: [{ name: "accessToken", aliases: ["githubToken"], title: "Access token", secret: true, required: true }],
    hosts: ["api.githubcopilot.com", "api.github.com"],
    toHeaders: bearerOf("accessToken"),
  },
  /** The token of a bot. Source: docs.slack.dev/authentication/tokens. */
  slackApi: {
    name: "slackApi",
    title: "Slack",
    fields: [
      {
        name: "botToken",
        title: "Bot token",
        help: "Of the app, under OAuth & Permissions. It starts with xoxb-.",
        secret: true,
        required: true,
      },
    ],
    hosts: ["slack.com"],
    toHeaders: bearerOf("botToken"),
  },
  /** Source: developers.notion.com/docs/authorization. */
  notionApi: {
    name: "notionApi",
    title: "Notion",
    fields: [
      {
        name: "notionApiKey",
        title: "Integration secret",
        help: "Of an internal integration. Pages and databases have to be shared with it.",
        secret: true,
        required: true,
      },
    ],
    hosts: ["api.notion.com"],
    toHeaders: bearerOf("notionApiKey"),
  },
  /** The token of a bot. Source: discord.com/developers/docs/reference, "Authentication". */
  discordApi: {
    name: "discordApi",
    title: "Discord",
    fields: [{ name: "discordBotToken", title: "Bot token", secret: true, required: true }],
    hosts: ["discord.com"],
    toHeaders: tokenOf("discordBotToken", "Bot"),
  },
  /** The access token of a private app. Source: developers.hubspot.com/docs/guides/apps/private-apps. */
  hubspotApi: {
    name: "hubspotApi",
    title: "HubSpot",
    fields: [{ name: "accessToken", title: "Access token", help: "Of a private app.", secret: true, required: true }],
    hosts: ["api.hubapi.com"],
    toHeaders: bearerOf("accessToken"),
  },
  /** A personal access token. Source: airtable.com/developers/web/api/authentication. */
  airtableApi: {
    name: "airtableApi",
    title: "Airtable",
    fields: [{ name: "accessToken", title: "Access token", secret: true, required: true }],
    hosts: ["api.airtable.com"],
    toHeaders: bearerOf("accessToken"),
  },
  /** A personal API key, which no scheme precedes. Source: linear.app/developers/graphql, "Authentication". */
  linearApi: {
    name: "linearApi",
    title: "Linear",
    fields: [{ name: "linearApiKey", title: "API key", secret: true, required: true }],
    hosts: ["api.linear.app"],
    toHeaders: tokenOf("linearApiKey", ""),
  },
  /** An API token of an agent. Source: developer.zendesk.com/api-reference/introduction/security-and-auth. */
  zendeskApi: {
    name: "zendeskApi",
    title: "Zendesk",
    fields: [
      { name: "zendeskEmail", title: "E-mail address", secret: false, required: true },
      { name: "zendeskApiToken", title: "API token", secret: true, required: true },
    ],
    toHeaders(read) {
      const [email, token] = [read("zendeskEmail"), read("zendeskApiToken")];
      return email && token ? { authorization: `Basic ${toBase64(`${email}/token:${token}`)}` } : undefined;
    },
  },
} as const satisfies Record<string, CredentialType>;

function toBase64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}
