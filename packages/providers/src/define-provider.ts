import type { ChatModel, ModelParameterName, ModelParameters } from "@weft/engine/ports/chat-model";
import type { EmbeddingModel } from "@weft/engine/ports/embedding-model";
import type { HttpExchange } from "@weft/engine/ports/http-client";
import type { RerankModel } from "@weft/engine/ports/rerank-model";
import {
  type CredentialField,
  type CredentialType,
  type CredentialValues,
  readCredentialField,
  type VoiceServiceName,
} from "@weft/schema";
import type { z } from "zod";

/** A variable that sets the address of an account. */
export type AddressVariable = {
  readonly variable: string;
  /** Expectation in the error message: "must be …". */
  readonly expected: string;
  /** The address without a trailing slash; undefined if invalid. */
  parse(text: string): string | undefined;
};

/** The operator's account with a vendor. Configuration, redaction, hosts and documentation derive from it. */
export type Account = {
  readonly name: string;
  /** The vendor's own hosts, to which the operator's key is sent unless the operator set another address. */
  readonly hosts: readonly string[];
  /** The variables that set its key, a secret; the first one set wins. Default none. */
  readonly keyVariables?: readonly string[];
  readonly address?: AddressVariable;
};

/** The common part of providers. */
export type Vendor = {
  /** Its name in flows and document stores, and that of its credential type. */
  readonly name: string;
  readonly title: string;
  readonly credentialFields: readonly CredentialField[];
  /** Fields that a model cannot be used without. */
  readonly needs: readonly ("apiKey" | "baseUrl")[];
  /** Absent: it calls no server. */
  readonly account?: Account;
  /** The vendor's own hosts, which a credential of the provider may be sent to. See `parseBoundHost`. */
  readonly hosts: readonly string[];
  /**
   * The address implied by the other fields of a credential, such as a region's. A credential with one is sent only
   * there.
   */
  readonly addressOf?: (credential: ProviderCredential) => string | undefined;
};

/** The fields of a credential, under the provider's own names. */
export type ProviderCredential = Readonly<Record<string, string | undefined>> & {
  readonly apiKey?: string | undefined;
  readonly baseUrl?: string | undefined;
};

export type ChatModelOptions = {
  model: string;
  apiKey?: string | undefined;
  /** Without a trailing slash, as in `https://api.openai.com/v1`. Absent: the vendor's own address. */
  baseUrl?: string | undefined;
  /** The whole credential, for a provider whose fields are more than a key and an address. */
  credential?: ProviderCredential | undefined;
} & ModelHttp;

/** The only way out of the process: the part of the egress client that models use. */
export type ModelHttp = {
  fetch: typeof globalThis.fetch;
  exchange: HttpExchange;
  /** The value of a key that signs requests instead of being sent, if it may be used for the host. */
  reveal(key: string, host: string): string;
};

type ChatPart = {
  readonly summary: string;
  /** Whether its models accept images. Which of them can see is up to the vendor. */
  readonly acceptsImages: boolean;
  /** Model ids suggested in forms, the default first. Any other id is allowed. */
  readonly models: readonly string[];
  /** Model names by which a reference without a provider selects this one. */
  readonly modelNames?: RegExp;
  /** Parameters that its API accepts beside `temperature`, `maxTokens` and `topP`. */
  readonly parameters: readonly ModelParameterName[];
  /** Parameters that the model rejects, alone or in combination. They are not sent. */
  leavesOut?(model: string, given: ModelParameters): readonly ModelParameterName[];
  /**
   * Creates the model, whose failures are `model-*` codes. Imports the vendor's library on first use, so that an unused
   * vendor costs nothing at start.
   */
  create(options: ChatModelOptions): Promise<ChatModel>;
};

export type EmbeddingModelOptions = Omit<ChatModelOptions, "exchange" | "reveal"> & {
  /** Default: the text itself. */
  reveal?: ModelHttp["reveal"];
  /** Length of vectors. Absent: the model's default. */
  dimensions?: number | undefined;
  /** Folder of the operator's own model. */
  folder?: string | undefined;
};

type EmbeddingPart = {
  readonly summary: string;
  /** Model ids suggested in forms, the default first. Any other id is allowed. */
  readonly models: readonly string[];
  /** With `.meta()` hints; its fields are those of an `EmbeddingReference`. */
  readonly config: z.ZodObject;
  /** Its names in existing stores, and their names of our config's fields. */
  readonly aliases: { readonly names: readonly string[]; readonly config: Readonly<Record<string, string>> };
  /** Creates the model, whose failures are `embedding-*` codes. Loads dependencies on first use. */
  create(options: EmbeddingModelOptions): Promise<EmbeddingModel>;
};

export type RerankModelOptions = Omit<ChatModelOptions, "exchange" | "reveal"> & {
  /** Folder of the operator's own reranker. */
  folder?: string | undefined;
};

type RerankPart = {
  readonly summary: string;
  /** Model ids suggested in forms, the default first. Any other id is allowed. */
  readonly models: readonly string[];
  /** Creates the model, whose failures are `model-*` codes. Loads dependencies on first use. */
  create(options: RerankModelOptions): Promise<RerankModel>;
};

/** A service with OpenAI's transcriptions API, named by an agent's `speechToText`. */
export type SpeechService = {
  readonly name: string;
  /** The default. */
  readonly model: string;
  /** The vendor's. Absent: that of the account, or of the settings if `takesAddress`. */
  readonly baseUrl?: string;
  readonly takesAddress?: boolean;
};

/** A voice of a service: its id in the settings, and its display name. */
export type Voice = { readonly id: string; readonly name: string };

type VoiceRequest = { url: string; headers: Record<string, string>; body: object };
type VoiceAccount = { baseUrl: string; apiKey: string | undefined };

/** The voices of an account, readable with its key. */
export type VoiceList = {
  /** Of a GET request. */
  toRequest(account: VoiceAccount): Omit<VoiceRequest, "body">;
  /** Undefined if the response violates the API. */
  read(answer: unknown): readonly Voice[] | undefined;
};

/** A text-to-speech service that returns MP3, named by an agent's `textToSpeech`. */
export type VoiceService = {
  readonly name: VoiceServiceName;
  /** The defaults. */
  readonly model: string;
  readonly voice: string;
  /** Maximum characters per request. */
  readonly longestText: number;
  /** Destination of the key unless a base URL is given. */
  readonly baseUrl: string;
  /** Voices available to everybody, or how to read an account's. */
  readonly voices: readonly Voice[] | VoiceList;
  toRequest(asked: VoiceAccount & { model: string; voice: string; text: string }): VoiceRequest;
};

/** A credential type of existing clients, now covered by the provider's own type. */
export type ExistingCredential = {
  readonly name: string;
  readonly title: string;
  /** Its name of the key. */
  readonly keyField: string;
  /** Its other fields, whose names are aliases of the provider's own fields. */
  readonly otherFields?: readonly CredentialField[];
  /** Given if it belongs to another vendor than the provider's account: that vendor's hosts. */
  readonly hosts?: readonly string[];
};

export type ProviderDefinition = Pick<Vendor, "name" | "title" | "needs" | "account" | "addressOf"> & {
  /** Default those of the account, if it is the provider's own. */
  readonly hosts?: readonly string[];
  readonly credentialFields: readonly CredentialField[];
  readonly existingCredentials?: readonly ExistingCredential[];
  readonly chat?: ChatPart;
  readonly embeddings?: EmbeddingPart;
  readonly rerank?: RerankPart;
  readonly speech?: SpeechService;
  readonly voice?: VoiceService;
};

export type ChatProvider = Vendor & ChatPart;
export type EmbeddingProvider = Vendor & EmbeddingPart;
export type RerankProvider = Vendor & RerankPart;
export type Provider = Vendor & {
  /** Its own type of credential and those of existing clients. */
  readonly credentialTypes: readonly ProviderCredentialType[];
  readonly chat?: ChatProvider;
  readonly embeddings?: EmbeddingProvider;
  readonly rerank?: RerankProvider;
  readonly speech?: SpeechService;
  readonly voice?: VoiceService;
};

export type ProviderCredentialType = CredentialType & {
  /** False for types of existing clients. */
  readonly isOffered: boolean;
  /** The account whose address replaces the vendor's. */
  readonly account?: string | undefined;
  /** As of the provider. */
  readonly addressOf?: (stored: CredentialValues) => string | undefined;
};

type Parts<Definition> = Required<Pick<Provider, Extract<keyof Definition, "chat" | "embeddings" | "rerank">>>;

/**
 * Declares a vendor: the one place with its account and variables, credentials and hosts, and models. The calling
 * module must not import the vendor's library at load time.
 */
export function defineProvider<const Definition extends ProviderDefinition>(
  definition: Definition,
): Provider & Parts<Definition> {
  const {
    name,
    title,
    needs,
    account,
    addressOf,
    existingCredentials = [],
    chat,
    embeddings,
    rerank,
    speech,
    voice,
  }: ProviderDefinition = definition;
  const hosts = definition.hosts ?? (account?.name === name ? account.hosts : []);
  const keyNames = existingCredentials.map(({ keyField }) => keyField);
  const credentialFields = definition.credentialFields.map((field) =>
    field.name === "apiKey" ? { ...field, aliases: [...(field.aliases ?? []), ...keyNames] } : field,
  );
  const vendor: Vendor = {
    name,
    title,
    needs,
    hosts,
    credentialFields,
    ...(account && { account }),
    ...(addressOf && { addressOf }),
  };
  const own = {
    ...toBinding(vendor),
    name,
    title,
    hosts,
    fields: credentialFields,
    isOffered: true,
    account: account?.name,
  };
  const provider: Provider = {
    ...vendor,
    credentialTypes: [
      ...(credentialFields.length === 0 ? [] : [own]),
      ...existingCredentials.map((existing) => toType(existing, vendor)),
    ],
    ...(chat && { chat: { ...vendor, ...chat } }),
    ...(embeddings && { embeddings: { ...vendor, ...embeddings } }),
    ...(rerank && { rerank: { ...vendor, ...rerank } }),
    ...(speech && { speech }),
    ...(voice && { voice }),
  };
  return provider as Provider & Parts<Definition>;
}

/** Reads the provider's fields from stored values: its own names first, then those of existing credentials. */
export function readProviderCredential(
  { credentialFields, addressOf }: Pick<Vendor, "credentialFields" | "addressOf">,
  stored: CredentialValues,
): ProviderCredential {
  const read = Object.fromEntries(credentialFields.map((field) => [field.name, readCredentialField(field, stored)]));
  return read.baseUrl === undefined && addressOf !== undefined ? { ...read, baseUrl: addressOf(read) } : read;
}

function toBinding({ addressOf, credentialFields }: Vendor): Pick<ProviderCredentialType, "addressOf"> {
  if (addressOf === undefined) return {};
  return { addressOf: (stored) => addressOf(readProviderCredential({ credentialFields }, stored)) };
}

function toType(existing: ExistingCredential, vendor: Vendor): ProviderCredentialType {
  const { name, title, keyField, otherFields = [], hosts } = existing;
  return {
    ...toBinding(vendor),
    name,
    title,
    fields: [{ name: keyField, title: "API key", secret: true, required: true }, ...otherFields],
    hosts: hosts ?? vendor.hosts,
    isOffered: false,
    account: hosts === undefined ? vendor.account?.name : undefined,
  };
}

/** The key of a provider's credential. */
export function apiKeyField(
  field: Pick<CredentialField, "required"> & Partial<Pick<CredentialField, "help" | "aliases">>,
): CredentialField {
  const { required, ...rest } = field;
  return { name: "apiKey", ...rest, title: "API key", secret: true, required };
}

/** The optional address of a provider's credential. */
export function baseUrlField(help: string): CredentialField {
  return { name: "baseUrl", title: "Base URL", help, secret: false, required: false };
}

/** A variable with the http(s) address of a vendor's API. */
export function httpAddress(variable: string): AddressVariable {
  const parse = (text: string) => (/^https?:$/.test(URL.parse(text)?.protocol ?? "") ? text : undefined);
  return { variable, expected: "an http or https address", parse };
}
