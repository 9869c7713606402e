import { Buffer } from "node:buffer";
import {
  apiKeyField,
  type CredentialType,
  type CredentialValues,
  isJsonObject,
  ownAddressField,
  parseJsonObject,
  readCredentialField,
  toJsonObject,
} from "@weft/schema";

/** Accepts `POST` of OTLP/JSON, or, if `project` is given, of OTLP/protobuf with OpenInference's attributes. */
export type TraceDestination = { url: string; headers: Readonly<Record<string, string>>; project?: string };

/** A service enabled by an agent's `analytic` setting. */
export type ChosenService = { name: string; credentialId: string; read(key: string): string };

type Reader = (name: string) => string | undefined;

type TracingService = {
  credential: CredentialType;
  /** Undefined if the credential lacks what the service needs. */
  toDestination(credential: Reader, setting: (key: string) => string): TraceDestination | undefined;
};

/** Services that accept OTLP, by their names in agents' settings. */
const services: Readonly<Record<string, TracingService>> = {
  /** Source: docs.langchain.com/langsmith/trace-with-opentelemetry. */
  langSmith: {
    credential: {
      name: "langsmithApi",
      title: "LangSmith",
      fields: [apiKeyField("langSmithApiKey"), ownAddressField("langSmithEndpoint", "https://api.smith.langchain.com")],
      hosts: ["api.smith.langchain.com"],
      addressField: "langSmithEndpoint",
    },
    toDestination(credential, setting) {
      const key = credential("langSmithApiKey");
      const address = credential("langSmithEndpoint") ?? "https://api.smith.langchain.com";
      const project = setting("projectName");
      return key === undefined
        ? undefined
        : {
            url: below(address, "/otel/v1/traces"),
            headers: { "x-api-key": key, ...(project !== "" && { "langsmith-project": project }) },
          };
    },
  },
  /** Source: langfuse.com/integrations/native/opentelemetry. */
  langFuse: {
    credential: {
      name: "langfuseApi",
      title: "Langfuse",
      fields: [
        { name: "langFusePublicKey", title: "Public key", secret: false, required: true },
        { name: "langFuseSecretKey", title: "Secret key", secret: true, required: true },
        ownAddressField("langFuseEndpoint", "https://cloud.langfuse.com"),
      ],
      hosts: ["cloud.langfuse.com"],
      addressField: "langFuseEndpoint",
    },
    toDestination(credential) {
      const [publicKey, secretKey] = [credential("langFusePublicKey"), credential("langFuseSecretKey")];
      const address = credential("langFuseEndpoint") ?? "https://cloud.langfuse.com";
      if (publicKey === undefined || secretKey === undefined) return undefined;
      const basic = Buffer.from(`${publicKey}:${secretKey}`).toString("base64");
      return { url: below(address, "/api/public/otel/v1/traces"), headers: { authorization: `Basic ${basic}` } };
    },
  },
  /** Source: docs.langwatch.ai/integration/opentelemetry/guide. */
  langWatch: {
    credential: {
      name: "langwatchApi",
      title: "LangWatch",
      fields: [apiKeyField("langWatchApiKey"), ownAddressField("langWatchEndpoint", "https://app.langwatch.ai")],
      hosts: ["app.langwatch.ai"],
      addressField: "langWatchEndpoint",
    },
    toDestination(credential) {
      const key = credential("langWatchApiKey");
      const address = credential("langWatchEndpoint") ?? "https://app.langwatch.ai";
      const headers = { authorization: `Bearer ${key}` };
      return key === undefined ? undefined : { url: below(address, "/api/otel/v1/traces"), headers };
    },
  },
  /** Source: www.comet.com/docs/opik/integrations/opentelemetry. */
  opik: {
    credential: {
      name: "opikApi",
      title: "Opik",
      fields: [
        { ...apiKeyField("opikApiKey"), required: false },
        { name: "opikWorkspace", title: "Workspace", secret: false, required: false },
        ownAddressField("opikUrl", "https://www.comet.com/opik/api"),
      ],
      hosts: ["www.comet.com"],
      addressField: "opikUrl",
    },
    toDestination(credential, setting) {
      const key = credential("opikApiKey");
      const workspace = credential("opikWorkspace");
      const address = credential("opikUrl") ?? "https://www.comet.com/opik/api";
      const project = setting("opikProjectName");
      const headers = {
        ...(key !== undefined && { authorization: key }),
        ...(workspace !== undefined && { "comet-workspace": workspace }),
        ...(project !== "" && { projectname: project }),
      };
      // A self-hosted server needs no key.
      const isNamed = key !== undefined || credential("opikUrl") !== undefined;
      return isNamed ? { url: below(address, "/v1/private/otel/v1/traces"), headers } : undefined;
    },
  },
  /** Source: arize.com/docs/phoenix/tracing; versions differ in the header that they read. */
  phoenix: {
    credential: {
      name: "phoenixApi",
      title: "Phoenix",
      fields: [
        { ...apiKeyField("phoenixApiKey"), required: false },
        ownAddressField("phoenixEndpoint", "https://app.phoenix.arize.com"),
      ],
      hosts: ["app.phoenix.arize.com"],
      addressField: "phoenixEndpoint",
    },
    toDestination(credential, setting) {
      const key = credential("phoenixApiKey");
      const own = credential("phoenixEndpoint");
      // A self-hosted server needs no key.
      if (key === undefined && own === undefined) return undefined;
      const headers = key === undefined ? {} : { authorization: `Bearer ${key}`, api_key: key };
      return {
        url: toTracesAddress(own ?? "https://app.phoenix.arize.com"),
        headers,
        project: setting("projectName") || "default",
      };
    },
  },
  /** Source: arize.com/docs/ax/integrations/opentelemetry. */
  arize: {
    credential: {
      name: "arizeApi",
      title: "Arize",
      fields: [
        apiKeyField("arizeApiKey"),
        { name: "arizeSpaceId", title: "Space ID", secret: false, required: true },
        ownAddressField("arizeEndpoint", "https://otlp.arize.com"),
      ],
      hosts: ["otlp.arize.com"],
      addressField: "arizeEndpoint",
    },
    toDestination(credential, setting) {
      const [key, space] = [credential("arizeApiKey"), credential("arizeSpaceId")];
      if (key === undefined || space === undefined) return undefined;
      return {
        url: toTracesAddress(credential("arizeEndpoint") ?? "https://otlp.arize.com"),
        headers: { api_key: key, space_id: space },
        project: setting("projectName") || "default",
      };
    },
  },
};

/** Services enabled by an agent's `analytic` setting, and the names of those that do not accept OTLP. */
export function readTracingServices(analytic: string): { chosen: ChosenService[]; unknown: string[] } {
  const chosen: ChosenService[] = [];
  const unknown: string[] = [];
  for (const [name, value] of Object.entries(parseJsonObject(analytic) ?? {})) {
    if (!isJsonObject(value) || value.status !== true) continue;
    const read = (key: string) => String(toJsonObject(value)[key] ?? "").trim();
    if (Object.hasOwn(services, name)) chosen.push({ name, credentialId: read("credentialId"), read });
    else unknown.push(name.slice(0, 100));
  }
  return { chosen, unknown };
}

/**
 * Destinations of an agent's traces, from its `analytic` setting. `readCredential`: the fields of a credential; a
 * service is left out if that rejects or lacks a key.
 */
export async function findTraceDestinations(
  analytic: string,
  readCredential: (id: string) => Promise<CredentialValues>,
): Promise<TraceDestination[]> {
  const { chosen } = readTracingServices(analytic);
  const found = chosen.map(async ({ name, credentialId, read }) => {
    const fields = credentialId === "" ? {} : await readCredential(credentialId).catch(() => ({}));
    return services[name]?.toDestination((field) => readCredentialField({ name: field }, fields)?.trim(), read);
  });
  return (await Promise.all(found)).filter((destination) => destination !== undefined);
}

/** Titles of the services that agents can send traces to. */
export const tracingServiceTitles: readonly string[] = Object.values(services).map(
  ({ credential }) => credential.title,
);

/** Their types of credentials. */
export const tracingCredentialTypes: readonly CredentialType[] = Object.values(services).map(
  ({ credential }) => credential,
);

/** Some give the URL of the API, some that of the traces. */
function toTracesAddress(address: string): string {
  return /\/v1\/traces\/*$/.test(address) ? address : below(address, "/v1/traces");
}

function below(address: string, path: string): string {
  return address.replace(/(?<!\/)\/+$/, "") + path;
}
