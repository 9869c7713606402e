// Made from openapi.json by `npm run -s client`. Changes are made there.
import type { OperationDescription, RequestOptions, StreamFrame } from "./operation.ts";

export type Account = {
  id: string;
  email: string;
  name: string;
  role: "owner" | "admin" | "editor" | "operator" | "analyst" | "viewer";
  /** False: it signs in at a provider alone */
  hasPassword: boolean;
  createdDate: string;
  updatedDate: string;
};

export type AccountIdentity = {
  id: string;
  issuer: string;
  /** The provider's name; its address if it was removed */
  provider: string;
  /** The address that the provider names, or nothing */
  email: string;
  createdDate: string;
  usedDate: string;
};

export type AccountLink = {
  id: string;
  kind: "invitation" | "password-reset";
  email: string;
  role: "owner" | "admin" | "editor" | "operator" | "analyst" | "viewer";
  /** Who created the link */
  createdBy: string;
  createdDate: string;
  expiresDate: string;
};

export type AccountLinkToken = {
  token: string;
};

export type AccountLinkUse = {
  token: string;
  password: string;
  name?: string;
};

export type Agent = {
  id: string;
  name: string;
  /** JSON text. Without nodes, the agent is only a draft so far: it was never published. */
  flowData: string;
  deployed: boolean;
  isPublic: boolean;
  apikeyid: string;
  /** JSON text */
  chatbotConfig: string;
  /** JSON text */
  apiConfig: string;
  /** JSON text */
  analytic: string;
  /** JSON text */
  speechToText: string;
  /** Categories joined by ; */
  category: string;
  type: "AGENTFLOW" | "CHATFLOW" | "MULTIAGENT" | "ASSISTANT";
  createdDate: string;
  updatedDate: string;
};

export type AgentCreate = {
  id?: string;
  name: string;
  flowData: string;
  /** What to write about the version that runs this flow: the new one, or the present one if the flow is the same. */
  version?: {
    name?: string;
    note?: string;
  };
  deployed?: boolean | null;
  isPublic?: boolean | null;
  apikeyid?: string | null;
  chatbotConfig?: string | null;
  apiConfig?: string | null;
  analytic?: string | null;
  speechToText?: string | null;
  category?: string | null;
  type?: "AGENTFLOW" | "CHATFLOW" | "MULTIAGENT" | "ASSISTANT";
};

export type AgentDraft = {
  /** False: there is no draft, and this is the published flow. */
  isDraft: boolean;
  /** JSON text */
  flowData: string;
  /** Outputs that test runs use in place of executing a step, by node id. */
  pins: { [key: string]: Pin };
  /** The account or API key that last saved the draft. */
  savedBy: string;
  updatedDate: string;
};

export type AgentDraftUpdate = {
  flowData?: string;
  pins?: { [key: string]: Pin };
};

export type AgentReasoning = {
  agentName: string;
  messages: string[];
  nodeName: string;
  nodeId: string;
  usedTools: UsedTool[];
  sourceDocuments: Document[];
  state: { [key: string]: Json };
};

export type AgentStats = {
  agentflowId: string;
  /** Runs that ended or paused in this time. */
  runs: number;
  /** Runs among them that failed or timed out. */
  failures: number;
  /** The seven days up to now, the oldest first. */
  volume: {
    startDate: string;
    /** Runs that ended or paused in this time. */
    runs: number;
    /** Runs among them that failed or timed out. */
    failures: number;
  }[];
  /** The run that was updated last, even before these days. */
  lastRun: {
    id: string;
    state: "INPROGRESS" | "FINISHED" | "ERROR" | "TERMINATED" | "TIMEOUT" | "STOPPED";
    updatedDate: string;
  };
};

export type AgentUpdate = {
  name?: string;
  flowData?: string;
  /** What to write about the version that runs this flow: the new one, or the present one if the flow is the same. */
  version?: {
    name?: string;
    note?: string;
  };
  deployed?: boolean | null;
  isPublic?: boolean | null;
  apikeyid?: string | null;
  chatbotConfig?: string | null;
  apiConfig?: string | null;
  analytic?: string | null;
  speechToText?: string | null;
  category?: string | null;
  type?: "AGENTFLOW" | "CHATFLOW" | "MULTIAGENT" | "ASSISTANT";
};

export type AgentVersion = {
  id: string;
  agentId: string;
  number: number;
  current: boolean;
  createdDate: string;
  /** Who saved it: an e-mail address, the name of an API key, or `operator`. Null: unknown, or an import */
  createdBy: string | null;
  /** What people call it; empty: nothing but its number */
  name: string;
  /** What people wrote about it; empty: nothing */
  note: string;
  /** JSON text */
  flowData: string;
};

export type AgentVersionSummary = {
  id: string;
  agentId: string;
  number: number;
  current: boolean;
  createdDate: string;
  /** Who saved it: an e-mail address, the name of an API key, or `operator`. Null: unknown, or an import */
  createdBy: string | null;
  /** What people call it; empty: nothing but its number */
  name: string;
  /** What people wrote about it; empty: nothing */
  note: string;
};

export type AgentVersionUpdate = {
  name?: string;
  note?: string;
};

export type ApiKey = {
  id: string;
  keyName: string;
  /** First characters of the key */
  keyHint: string;
  permissions: string[];
  /** Ids of the agents the key is limited to; empty means all */
  agents: string[];
  /** Owner of the chats created with this key. Keys with the same clientId share their chats. */
  clientId: string;
  /** The account the key belongs to: it can do no more than that. Null: nobody's */
  ownerId: string | null;
  createdDate: string;
  updatedDate: string;
  /** Accurate to the minute; null if never used */
  lastUsedDate: string | null;
};

export type ApiKeyCreate = {
  id?: string;
  keyName: string;
  /** Defaults to what a chat client needs, without access to other users' messages */
  permissions?: string[];
  /** Ids of the agents and assistants the key is limited to; empty means all */
  agents?: string[];
  /** Owner of the chats created with this key. Use an existing clientId to continue that client's chats. */
  clientId?: string;
};

export type ApiKeyUpdate = {
  keyName?: string;
  permissions?: string[];
  /** Ids of the agents and assistants the key is limited to; empty means all */
  agents?: string[];
  /** Owner of the chats created with this key. Use an existing clientId to continue that client's chats. */
  clientId?: string;
};

export type Assistant = {
  id: string;
  details: AssistantDetails;
  /** Id of the model's credential; if empty, the server's own key is used */
  credential: string;
  iconSrc: string;
  createdDate: string;
  updatedDate: string;
};

export type AssistantCreate = {
  id?: string;
  details: string | { [key: string]: Json };
  credential?: string | "" | null;
  iconSrc?: string | null;
};

export type AssistantDetails = {
  id: string;
  name: string;
  description: string;
  /** Model id; if empty, the default of the provider or the server */
  model: string;
  /** Name of the model provider; defaults to the server's */
  provider?: string;
  /** System prompt; may contain templates such as {{ current_date_time }} */
  instructions: string;
  temperature: number;
  top_p: number;
  tools: ("function" | "code_interpreter" | "file_search")[];
  /** For function: {"function": {"tool_ids": […]}}, ids of custom tools. For file_search: {"file_search": {"vector_store_ids": […]}}, ids of document stores */
  tool_resources: { [key: string]: Json };
  /** What an import could not carry over: it stops runs until it is removed here */
  refused?: {
    code: string;
    message: string;
  }[];
};

export type AssistantUpdate = {
  details?: string | { [key: string]: Json };
  credential?: string | "" | null;
  iconSrc?: string | null;
};

export type AttachmentForm = {
  files: Blob[];
  base64?: string;
};

export type AttachmentResult = {
  name: string;
  mimeType: string;
  /** In bytes */
  size: string;
  /** The text of the file, or its bytes as base64 */
  content: string;
};

export type AuditEntry = {
  /** 1, 2, 3 and so on, without gaps */
  seq: number;
  date: string;
  actor: {
    /** `nobody`: someone who is not signed in */
    kind: "account" | "api-key" | "operator" | "nobody";
    id: string;
    /** E-mail address of the account or name of the API key at that time */
    name: string;
  };
  /** The operation, as the API names it */
  action: string;
  /** `failed`: a sign-in that did not succeed; `refused`: the caller lacked the permission */
  outcome: "done" | "failed" | "refused";
  thing: {
    /** First segment of the operation's path, such as `credentials` */
    kind: string;
    /** Empty if the action is about no single thing */
    id: string;
  };
  /** Names of the fields that the request brought, without values */
  fields: string[];
  /** How many more failed or refused requests this entry stands for: only some are written each minute */
  omitted: number;
  /** IP address of the client */
  address: string;
  requestId: string;
  /** SHA-256 over the previous entry's hash and this entry */
  hash: string;
};

export type AuditPage = {
  data: AuditEntry[];
  /** `before` of the next page; null: this is the last one */
  next: number | null;
};

export type CallbackDelivery = {
  /** Sent to the receiver as `webhook-id`; the same in every attempt. */
  id: string;
  executionId: string;
  url: string;
  state: "PENDING" | "DELIVERED" | "FAILED" | "STOPPED";
  attempts: number;
  /** Status of the receiver's last response. */
  lastStatus: number | null;
  /** Why the last attempt failed. */
  error: string | null;
  /** Time of the next attempt. */
  nextDate: string | null;
  /** Time of the last attempt. */
  attemptDate: string | null;
  createdDate: string;
};

export type Caller = {
  kind: "account" | "operator" | "api-key";
  user: Account | null;
  /** * means all permissions */
  permissions: string[];
};

export type ChatCompletion = {
  id: string;
  object: "chat.completion";
  /** Seconds since the epoch. */
  created: number;
  model: string;
  choices: {
    index: number;
    message: {
      role: "assistant";
      content: string;
      refusal: null;
    };
    logprobs: null;
    finish_reason: "stop";
  }[];
  usage: {
    prompt_tokens: number;
    completion_tokens: number;
    total_tokens: number;
  };
};

export type ChatCompletionRequest = {
  /** Id of an agent, or its name as listed by `/v1/models`. */
  model: string;
  messages: {
    role: "system" | "developer" | "user" | "assistant" | "tool" | "function";
    content?: string | {
      type: string;
      text?: string;
      image_url?: {
        /** A base64 data URL or an http(s) address. */
        url: string;
      };
    }[] | null;
  }[];
  stream?: boolean | null;
  stream_options?: {
    include_usage?: boolean | null;
  } | null;
  temperature?: number | null;
  top_p?: number | null;
  max_tokens?: number | null;
  max_completion_tokens?: number | null;
  n?: 1 | null;
};

export type ChatConfig = {
  title?: string;
  titleAvatarSrc?: string;
  titleBackgroundColor?: string;
  titleTextColor?: string;
  showTitle?: boolean;
  welcomeMessage?: string;
  welcomeText?: string;
  errorMessage?: string;
  backgroundColor?: string;
  backgroundImage?: string;
  bubbleBackgroundColor?: string;
  bubbleTextColor?: string;
  poweredByTextColor?: string;
  badgeBackgroundColor?: string;
  fontSize?: number;
  height?: number;
  width?: number;
  customCSS?: string;
  sourceDocsTitle?: string;
  showAgentMessages?: boolean;
  renderHTML?: boolean;
  clearChatOnReload?: boolean;
  starterPromptFontSize?: number;
  generateNewSession?: boolean;
  displayFeedback?: boolean;
  botMessage?: { [key: string]: string | number | boolean | { [key: string]: string | number | boolean } };
  userMessage?: { [key: string]: string | number | boolean | { [key: string]: string | number | boolean } };
  textInput?: { [key: string]: string | number | boolean | { [key: string]: string | number | boolean } };
  feedback?: { [key: string]: string | number | boolean | { [key: string]: string | number | boolean } };
  footer?: { [key: string]: string | number | boolean | { [key: string]: string | number | boolean } };
  dateTimeToggle?: { [key: string]: string | number | boolean | { [key: string]: string | number | boolean } };
  button?: { [key: string]: string | number | boolean | { [key: string]: string | number | boolean } };
  tooltip?: { [key: string]: string | number | boolean | { [key: string]: string | number | boolean } };
  disclaimer?: { [key: string]: string | number | boolean | { [key: string]: string | number | boolean } };
  chatWindow?: { [key: string]: string | number | boolean | { [key: string]: string | number | boolean } };
  appearance?: {
    description?: string;
    /** One emoji */
    avatarEmoji?: string;
    /** If absent, the visitor's */
    colorScheme?: "light" | "dark";
  };
  overrideConfig?: {
    generateNewSession?: boolean;
  };
  starterPrompts?: { [key: string]: {
    prompt: string;
  } };
  chatFeedback?: {
    status: boolean;
  };
  followUpPrompts?: {
    status: boolean;
  };
  leads?: {
    status: boolean;
    title?: string;
    successMessage?: string;
    name?: boolean;
    email?: boolean;
    phone?: boolean;
  };
  fullFileUpload?: {
    status: boolean;
    /** Media types, separated by commas */
    allowedUploadFileTypes?: string;
    /** Megabytes */
    maxUploadSize?: number;
  };
  /** The agent's name, at most 200 characters. Chats show it if `title` is absent. */
  name: string;
  uploads: UploadInfo;
  /** JSON text of a start node in AgentFlow V2 format. It shows whether the agent takes a message or a form, and nothing else of the flow. */
  flowData: string;
  isTTSEnabled: boolean;
  /** Absent if the agent takes messages */
  form?: StartForm;
  /** Whether the agent uses the rehearsal model, which follows rules and is not an AI */
  isRehearsal: boolean;
};

export type ChatMessage = {
  id: string;
  role: "apiMessage" | "userMessage";
  chatflowid: string;
  content: string;
  sourceDocuments: Document[];
  usedTools: UsedTool[];
  fileAnnotations: {
    filePath: string;
    fileName: string;
  }[];
  agentReasoning: AgentReasoning[];
  fileUploads: {
    data: string;
    type: string;
    name: string;
    mime: string;
    /** Bytes; absent if unknown */
    size?: number;
    /** URL of the stored file; absent if only its text was sent */
    url?: string;
  }[];
  action: MessageAction[];
  chatType: "INTERNAL" | "EXTERNAL";
  chatId: string;
  memoryType: string;
  sessionId: string;
  createdDate: string;
  leadEmail: string;
  /** Run that wrote the message; empty if there was none */
  executionId: string;
  /** The person who wrote the answer in place of the agent; empty if no name was given */
  author?: string;
  feedback?: Feedback;
};

export type ChatReplies = {
  /** Null: the agent answers */
  takenOver: TakeOver | null;
  replies: {
    id: string;
    author: string;
    text: string;
    createdDate: string;
  }[];
};

export type ChatStats = {
  totalMessages: number;
  totalSessions: number;
  totalFeedback: number;
  positiveFeedback: number;
};

export type ChunkPage = {
  chunks: {
    id: string;
    docId: string;
    storeId: string;
    chunkNo: number;
    pageContent: string;
    /** JSON text: object */
    metadata: string;
  }[];
  /** Total across all pages */
  count: number;
  characters: number;
  currentPage: number;
  file: { [key: string]: Json } | null;
  docId: string;
  storeName: string;
  description: string;
};

export type ChunkUpdate = {
  pageContent: string;
  metadata?: { [key: string]: Json } | null | null;
};

export type ComponentChoice = {
  name: string;
  config?: { [key: string]: Json } | null;
};

/** If name is omitted, the settings override those of the loader given by docId */
export type ComponentSettings = {
  name?: string;
  config?: { [key: string]: Json } | null;
};

export type Conversation = {
  /** Of the agent, the chat id and whose chat it is */
  id: string;
  agentId: string;
  chatId: string;
  sessionId: string;
  chatType: "INTERNAL" | "EXTERNAL";
  leadEmail: string;
  messageCount: number;
  first: {
    role: "apiMessage" | "userMessage";
    /** The first 200 characters */
    content: string;
    createdDate: string;
  };
  last: {
    role: "apiMessage" | "userMessage";
    /** The first 200 characters */
    content: string;
    createdDate: string;
  };
  thumbsUp: number;
  thumbsDown: number;
  /** A run waits for an answer */
  isWaiting: boolean;
  /** The last run of the conversation failed */
  hasFailed: boolean;
  /** The agent asked for a person, and nobody has taken the conversation over or declined */
  handOver: {
    reason: string;
    since: string;
  } | null;
  takenOver: {
    /** As the person wants to be called; empty: not given */
    name: string;
    since: string;
    by: string;
  } | null;
  labels: string[];
  note: string;
  /** Who asked for a person, took over, handed back or declined, and when; the last 100 */
  events: {
    type: "hand-over-asked" | "hand-over-declined" | "taken-over" | "handed-back";
    /** Who did it: an account's e-mail address, or the name of an API key; empty: the agent */
    by: string;
    at: string;
  }[];
};

export type ConversationUpdate = {
  labels?: string[];
  note?: string;
};

export type Credential = {
  id: string;
  name: string;
  /** Type of the credential, for example openAIApi */
  credentialName: string;
  /** Names of the fields that have a value */
  fields: string[];
  /** False if the stored values cannot be decrypted with the current encryption key; enter them again */
  readable: boolean;
  /** Hosts it may be sent to in addition to the vendor's, for example api.example.com or *.example.com */
  hosts: string[];
  /** The same as addresses, with who allowed each and when; null: it is from before that was kept. An address with http may be called without TLS */
  destinations: {
    destination: string;
    confirmedBy: string | null;
    confirmedDate: string | null;
  }[];
  /** Hosts implied by its type and base URL */
  impliedHosts: string[];
  createdDate: string;
  updatedDate: string;
};

export type CredentialCreate = {
  id?: string;
  name: string;
  credentialName: string;
  /** Values by field name. They are stored encrypted and never returned. */
  plainDataObj: { [key: string]: string | number | boolean | null };
  /** Hosts it may be sent to in addition to the vendor's; replaces the previous list */
  hosts?: string[];
};

export type CredentialType = {
  /** The credential's credentialName */
  name: string;
  title: string;
  purpose: "model" | "other";
  /** False for types kept only for existing credentials */
  isOffered: boolean;
  fields: {
    name: string;
    title: string;
    help?: string;
    secret: boolean;
    required: boolean;
  }[];
};

export type CredentialUpdate = {
  name?: string;
  credentialName?: string;
  /** Values by field name. They are stored encrypted and never returned. */
  plainDataObj?: { [key: string]: string | number | boolean | null };
  /** Hosts it may be sent to in addition to the vendor's; replaces the previous list */
  hosts?: string[];
};

export type DefaultModel = {
  provider: string;
  model: string;
  credential: string;
  /** chosen: set by PUT; configuration: taken from the server's environment */
  source: "chosen" | "configuration";
};

export type Destination = {
  destination: string;
};

export type Document = {
  pageContent: string;
  metadata: { [key: string]: Json };
};

export type DocumentComponent = {
  name: string;
  title: string;
  summary: string;
  /** JSON Schema of the settings, with hints for a form */
  schema: { [key: string]: Json };
};

/** If items is omitted, every loader of the store is refreshed */
export type DocumentRefresh = {
  items?: {
    /** Id of a loader in the store; its settings are used for anything the body leaves out */
    docId?: string | "" | null;
    /** Merged into the metadata of every document */
    metadata?: { [key: string]: Json } | null | null;
    /** With docId. true: the new chunks replace the loader's; existing vectors stay in the database. Otherwise another source becomes a loader of its own with a copy of the loader's settings; files do so only if it is false. */
    replaceExisting?: boolean | string | null;
    /** With replaceExisting: also delete the vectors of the replaced chunks */
    deleteEmbeddings?: boolean | string | null;
    /** Display name of the loader */
    loaderName?: string | null;
    loader?: ComponentSettings | null | null;
    splitter?: ComponentSettings | null | null;
    embedding?: ComponentChoice | null | null;
    vectorStore?: ComponentChoice | null | null;
    recordManager?: ComponentChoice | null | null;
  }[] | null;
};

export type DocumentStore = {
  id: string;
  name: string;
  description: string;
  /** JSON text: array of loaders */
  loaders: string;
  /** JSON text: ids of the agents and assistants that use it */
  whereUsed: string;
  status: "EMPTY" | "NEW" | "SYNCING" | "SYNC" | "STALE" | "UPSERTING" | "UPSERTED";
  /** JSON text: { name, config }; {} is the embedded one */
  vectorStoreConfig: string;
  /** JSON text: { name, config }; {} is the embedded one */
  embeddingConfig: string;
  /** JSON text: { name, config: { cleanup: none, incremental or full } } */
  recordManagerConfig: string;
  /** JSON text: how it is searched; {} is plainly. Agents may say otherwise */
  retrievalConfig: string;
  totalChunks: number;
  totalChars: number;
  createdDate: string;
  updatedDate: string;
};

export type DocumentStoreCreate = {
  id?: string;
  name: string;
  description?: string | null;
  vectorStoreConfig?: string | null;
  embeddingConfig?: string | null;
  recordManagerConfig?: string | null;
  retrievalConfig?: string | null;
  /** JSON text: array of loaders, in the format the store returns. Loaders with a known id are updated, new ones are added without being processed; none are deleted */
  loaders?: {
    id?: string | null;
    loaderId?: string | null;
    loaderName?: string | null;
    loaderConfig?: { [key: string]: Json } | null;
    splitterId?: string | null;
    splitterConfig?: { [key: string]: Json } | null;
    metadata?: { [key: string]: Json } | null;
  }[] | null;
};

export type DocumentStoreUpdate = {
  name?: string;
  description?: string | null;
  vectorStoreConfig?: string | null;
  embeddingConfig?: string | null;
  recordManagerConfig?: string | null;
  retrievalConfig?: string | null;
  /** JSON text: array of loaders, in the format the store returns. Loaders with a known id are updated, new ones are added without being processed; none are deleted */
  loaders?: {
    id?: string | null;
    loaderId?: string | null;
    loaderName?: string | null;
    loaderConfig?: { [key: string]: Json } | null;
    splitterId?: string | null;
    splitterConfig?: { [key: string]: Json } | null;
    metadata?: { [key: string]: Json } | null;
  }[] | null;
};

export type DocumentUpsertRequest = {
  /** Id of a loader in the store; its settings are used for anything the body leaves out */
  docId?: string | "" | null;
  /** Merged into the metadata of every document */
  metadata?: { [key: string]: Json } | null | null;
  /** With docId. true: the new chunks replace the loader's; existing vectors stay in the database. Otherwise another source becomes a loader of its own with a copy of the loader's settings; files do so only if it is false. */
  replaceExisting?: boolean | string | null;
  /** With replaceExisting: also delete the vectors of the replaced chunks */
  deleteEmbeddings?: boolean | string | null;
  /** Display name of the loader */
  loaderName?: string | null;
  loader?: ComponentSettings | null | null;
  splitter?: ComponentSettings | null | null;
  embedding?: ComponentChoice | null | null;
  vectorStore?: ComponentChoice | null | null;
  recordManager?: ComponentChoice | null | null;
  createNewDocStore?: boolean | string | null;
  /** name and description of the new store */
  docStore?: { [key: string]: Json } | null | null;
  files?: Blob[];
};

export type Erased = {
  chats: number;
  messages: number;
  /** Runs with their journals, prompts and budgets */
  executions: number;
  files: number;
  feedback: number;
  leads: number;
  /** Loaders of document stores that a chat brought, with their passages */
  documents: number;
  vectors: number;
  /** Entries of the upsert history */
  upserts: number;
  /** Callbacks and their deliveries, sent or not */
  callbacks: number;
  /** Answers kept for repeated requests */
  answers: number;
};

export type Error = {
  statusCode: number;
  success: false;
  /** What went wrong and what to do about it */
  message: string;
  /** Stable identifier of the error */
  code: string;
  /** The code as a URI */
  type: string;
  title: string;
  status: number;
  detail: string;
  /** Path of the request */
  instance: string;
  /** Each validation error, with the dotted path of the field */
  errors: {
    path: string;
    message: string;
  }[];
  requestId: string;
  /** Whether the same request may succeed if sent again later */
  retryable?: boolean;
  /** Response of the external service that caused the error, if any */
  upstream?: {
    status: number;
    retryAfterSeconds?: number;
  };
  /** The accepted run that failed */
  executionId?: string;
  /** Path of the run's event stream */
  events?: string;
};

export type Execution = {
  id: string;
  agentflowId: string;
  /** Null if the agent was deleted. */
  agentflow: {
    id: string;
    name: string;
  } | null;
  chatId: string;
  sessionId: string;
  /** `STOPPED`: waiting for human input, a signal, or a later moment. */
  state: "INPROGRESS" | "FINISHED" | "ERROR" | "TERMINATED" | "TIMEOUT" | "STOPPED";
  /** What started the run: an account in the builder, a program over the API (MCP and OpenAI's protocol included), a visitor of the widget or the hosted page, or a trigger. Runs that another run calls have its origin. */
  origin: "builder" | "api" | "visitor" | "schedule" | "webhook";
  /** The question as text; truncated in lists. */
  question: string;
  /** The answer, or the question the run asks; truncated in lists. */
  text: string | null;
  error: {
    code: string;
    message: string;
    retryable: boolean;
    upstream?: {
      status: number;
      retryAfterSeconds?: number;
    };
  } | null;
  /** Tokens used until the run ended or paused. */
  usage: {
    inputTokens: number;
    outputTokens: number;
    totalTokens: number;
  };
  /** Sum over the model calls in US dollars, by the prices when the run ended or paused; null if a model has no known price. */
  costDollars: number | null;
  /** What the run asks a human. */
  action: MessageAction | null;
  /** When the run continues by itself; null unless it waits for a moment. */
  waitsUntil: string | null;
  /** Names of the signals that continue the run. */
  waitsForSignals: string[];
  createdDate: string;
  updatedDate: string;
  stoppedDate: string | null;
  /** From start to end; null until the run has ended. */
  durationMs: number | null;
  /** JSON text: the executed steps, as returned by predictions. */
  executionData: string;
  agentVersionId: string;
  /** In the order they started. */
  steps: ExecutionStep[];
  /** The flow that the run began with; null if it is gone. */
  graph: {
    nodes: {
      id: string;
      type: string;
      label: string;
      position: {
        x: number;
        y: number;
      };
      /** The step around it, from whose corner its position counts */
      parent?: string;
    }[];
    edges: {
      source: string;
      sourcePort: string;
      target: string;
    }[];
  } | null;
  warnings: {
    code: string;
    message: string;
  }[];
  /** The failed run that this one continues. */
  retriedFrom: string | null;
  /** The run that this one replays from one of its steps. */
  replayedFrom: string | null;
};

export type ExecutionAnswer = {
  /** `proceed` (or `approve`) or `reject`, in any case. */
  type: string;
  /** Comment that accompanies the decision. */
  feedback?: string | null;
  /** The `id` of the action. Defaults to the last one asked. */
  waitId?: string;
};

export type ExecutionDelete = {
  executionIds: string[];
};

export type ExecutionDeleted = {
  success: true;
  deletedCount: number;
};

export type ExecutionEffect = {
  key: string;
  category: "model" | "tool" | "http" | "flow" | "function" | "retrieval";
  kind: "read" | "idempotent" | "write";
  name: string;
  attempt: number;
  startedAt: string;
  finishedAt: string | null;
  durationMs: number | null;
  input: Json;
  /** The input of the model that requested the call: the question, results, documents. */
  follows?: string[];
  output: Json;
  error: {
    code: string;
    message: string;
    retryable: boolean;
    upstream?: {
      status: number;
      retryAfterSeconds?: number;
    };
  } | null;
  usage: {
    inputTokens: number;
    outputTokens: number;
    totalTokens: number;
  } | null;
  /** Of a model call, in US dollars by today's prices. */
  costDollars: number | null;
};

export type ExecutionReplay = {
  /** An execution of a step, by its `nodeKey`. */
  nodeKey?: string;
  /** In place of `nodeKey`: the step's last execution, or where it would have been executed first. */
  nodeId?: string;
  /** In place of the run's question. */
  question?: string;
  /** In place of the run's form. */
  form?: { [key: string]: Json };
  /** What earlier steps are to have given, by node id. Branches that were taken stay taken. */
  outputs?: { [key: string]: {
    output: Json;
    /** The answer, where the step gives one. */
    text?: string;
    /** The answer as data, where the step has structured output. */
    json?: Json;
    /** What the step puts into the flow's state. */
    state?: { [key: string]: Json };
  } };
  /** With the agent's draft in place of the run's flow. */
  draft?: boolean;
  /** The step alone: the replay ends after it. */
  only?: boolean;
};

export type ExecutionSignal = {
  /** What the waiting step gets. Default: null. */
  payload?: Json;
};

export type ExecutionStep = {
  /** Unique within the run: scope, node and pass. */
  nodeKey: string;
  nodeId: string;
  nodeLabel: string;
  type: string;
  /** The iteration that contains the step. */
  parentNodeId?: string;
  iterationIndex?: number;
  status: "INPROGRESS" | "FINISHED" | "STOPPED" | "ERROR" | "TERMINATED";
  attempt: number;
  /** It was not executed: its output was pinned or given. */
  pinned?: true;
  startedAt: string;
  finishedAt: string | null;
  durationMs: number | null;
  /** Input of a start node, item of an iteration, or human answer; otherwise null. */
  input: Json;
  output: Json;
  /** Error of the last failed attempt. */
  error: {
    code: string;
    message: string;
    retryable: boolean;
    upstream?: {
      status: number;
      retryAfterSeconds?: number;
    };
  } | null;
  usage: {
    inputTokens: number;
    outputTokens: number;
    totalTokens: number;
  };
  /** Sum over the model calls in US dollars, by today's prices; null if a model has no known price. */
  costDollars: number | null;
  /** When the step waited for human input, a moment or a signal; the last `finishedAt` is null while it is waiting. */
  waits: {
    startedAt: string;
    finishedAt: string | null;
    /** When the wait ends by itself. */
    until?: string;
    /** Name of the signal that ends the wait. */
    signal?: string;
    /** False: nobody was asked. Absent: a person was. */
    asks?: false;
    /** Absent: a human's answer. */
    resumedBy?: "time" | "signal";
    /** The e-mail address of the account, or the name of the API key. Absent for visitors. */
    answeredBy?: string;
  }[];
  effects: ExecutionEffect[];
  /** Of the whole step that was asked for, once it is finished: what gives the same without executing it. */
  pin?: Pin;
  /** It was executed in the run that this one replays or retries. Its tokens and costs count there alone. */
  isRepeated?: true;
};

export type ExecutionSummary = {
  id: string;
  agentflowId: string;
  /** Null if the agent was deleted. */
  agentflow: {
    id: string;
    name: string;
  } | null;
  chatId: string;
  sessionId: string;
  /** `STOPPED`: waiting for human input, a signal, or a later moment. */
  state: "INPROGRESS" | "FINISHED" | "ERROR" | "TERMINATED" | "TIMEOUT" | "STOPPED";
  /** What started the run: an account in the builder, a program over the API (MCP and OpenAI's protocol included), a visitor of the widget or the hosted page, or a trigger. Runs that another run calls have its origin. */
  origin: "builder" | "api" | "visitor" | "schedule" | "webhook";
  /** The question as text; truncated in lists. */
  question: string;
  /** The answer, or the question the run asks; truncated in lists. */
  text: string | null;
  error: {
    code: string;
    message: string;
    retryable: boolean;
    upstream?: {
      status: number;
      retryAfterSeconds?: number;
    };
  } | null;
  /** Tokens used until the run ended or paused. */
  usage: {
    inputTokens: number;
    outputTokens: number;
    totalTokens: number;
  };
  /** Sum over the model calls in US dollars, by the prices when the run ended or paused; null if a model has no known price. */
  costDollars: number | null;
  /** What the run asks a human. */
  action: MessageAction | null;
  /** When the run continues by itself; null unless it waits for a moment. */
  waitsUntil: string | null;
  /** Names of the signals that continue the run. */
  waitsForSignals: string[];
  createdDate: string;
  updatedDate: string;
  stoppedDate: string | null;
  /** From start to end; null until the run has ended. */
  durationMs: number | null;
  /** JSON text: the executed steps; included in lists with `page` and `limit`. */
  executionData?: string;
};

export type ExportFile = {
  format: "weft-export";
  formatVersion: number;
  /** Version of Weft that wrote the file */
  productVersion: string;
  createdDate: string;
  /** As GET /variables answers them, without values that are secrets */
  variables: { [key: string]: Json }[];
  /** As GET /tools answers them */
  tools: { [key: string]: Json }[];
  /** Settings, loaders and the question set, without documents; files names what has to be uploaded again */
  documentStores: { [key: string]: Json }[];
  /** As GET /chatflows answers them, with the saved flows as versions, oldest first */
  agents: { [key: string]: Json }[];
  /** As GET /assistants answers them */
  assistants: { [key: string]: Json }[];
  /** id, name and credentialName of the credentials that the other lists use; never their values */
  credentials: { [key: string]: Json }[];
};

export type FailingCallback = {
  /** Sent to the receiver as `webhook-id`; the same in every attempt. */
  id: string;
  executionId: string;
  state: "PENDING" | "DELIVERED" | "FAILED" | "STOPPED";
  attempts: number;
  /** Status of the receiver's last response. */
  lastStatus: number | null;
  /** Why the last attempt failed. */
  error: string | null;
  /** Time of the next attempt. */
  nextDate: string | null;
  /** Time of the last attempt. */
  attemptDate: string | null;
  agentflowId: string;
  /** Null for document stores, and if the agent was deleted. */
  agentName: string | null;
  /** Of the address, whose other parts may be secret. */
  host: string;
};

export type Feedback = {
  id: string;
  chatflowid: string;
  chatId: string;
  messageId: string;
  rating: "THUMBS_UP" | "THUMBS_DOWN";
  content: string;
  createdDate: string;
};

export type FeedbackCreate = {
  id?: string;
  messageId: string;
  rating: "THUMBS_UP" | "THUMBS_DOWN";
  content?: string | null;
  chatflowid?: string;
  chatId?: string;
};

export type FeedbackFields = {
  id?: string;
  messageId?: string;
  rating?: "THUMBS_UP" | "THUMBS_DOWN";
  content?: string | null;
  chatflowid?: string;
  chatId?: string;
  /** Accepted and ignored. */
  createdDate?: unknown;
};

export type FeedbackUpdate = {
  rating?: "THUMBS_UP" | "THUMBS_DOWN";
  content?: string | null;
};

export type FlowDraftRequest = {
  /** What the flow should do, or what to change in `flowData` */
  request: string;
  /** The flow to change. Absent: a new one is drafted */
  flowData?: string;
  /** What happened in a run of it, such as the error of a step. The model reads it as data */
  evidence?: string;
  /** The model that drafts. Default: the default model */
  model?: ModelChoice;
};

export type FlowImport = {
  agent: Agent;
  findings: {
    level: "error" | "warning";
    code: string;
    nodeId: string | null;
    path?: string;
    message: string;
    bind?: {
      credential: string;
      name: string;
      host: string;
      destination: string;
    };
    fix?: {
      title: string;
      path: string;
      value: Json;
    };
  }[];
  /** Stored secrets of the files */
  credentials: Credential[];
};

export type FlowImportRequest = {
  files: {
    name: string;
    text: string;
  }[];
  /** What was chosen for names in the files: the id of an agent, document store or credential, or the settings of a model (`provider`, `model`, `baseUrl`, `credential`; `{}` is the default model) */
  choices?: {
    kind: "model" | "agent" | "document-store" | "credential";
    name: string;
    value: string | { [key: string]: string };
  }[];
  /** Name of the agent. Default: as the files call the flow */
  name?: string;
};

export type FlowReading = {
  dialect: "native" | "agentflow-v2" | "classic" | "workspace" | "foundry" | "agent-builder" | "unknown";
  /** What the files call the flow; may be empty */
  name: string;
  /** Has no nodes if it cannot be converted */
  flow: {
    weft: 1;
    nodes: {
      id: string;
      type: string;
      version: number;
      label: string;
      position: {
        x: number;
        y: number;
      };
      parent?: string;
      size?: {
        width: number;
        height: number;
      };
      config: { [key: string]: Json };
      /** What an import could not carry over: it stops runs until it is removed here */
      refused?: {
        code: string;
        message: string;
        path?: string;
        value?: Json;
      }[];
    }[];
    edges: {
      id: string;
      source: string;
      sourcePort: string;
      target: string;
    }[];
    viewport?: {
      x: number;
      y: number;
      zoom: number;
    };
  };
  findings: {
    level: "error" | "warning";
    code: string;
    nodeId: string | null;
    path?: string;
    message: string;
    bind?: {
      credential: string;
      name: string;
      host: string;
      destination: string;
    };
    fix?: {
      title: string;
      path: string;
      value: Json;
    };
  }[];
  /** The flows of a workspace; read each one separately */
  flows: {
    name: string;
    /** JSON text */
    flowData: string;
  }[];
  /** What only you can choose */
  choices: {
    kind: "model" | "agent" | "document-store" | "credential";
    /** As the files name it */
    name: string;
    /** The steps that use it */
    nodeIds: string[];
    /** An id with that name on this server */
    proposal?: string;
  }[];
  /** Secrets in the files, without values. An import stores them as credentials. */
  secrets: {
    name: string;
    credentialName: string;
    host?: string;
  }[];
};

export type FlowReadingRequest = {
  flowData: string;
  /** The agent that has the flow: steps name its own document stores by their ids */
  agentId?: string;
} | {
  files: {
    name: string;
    text: string;
  }[];
  /** What was chosen for names in the files: the id of an agent, document store or credential, or the settings of a model (`provider`, `model`, `baseUrl`, `credential`; `{}` is the default model) */
  choices?: {
    kind: "model" | "agent" | "document-store" | "credential";
    name: string;
    value: string | { [key: string]: string };
  }[];
};

export type FlowiseAgentReport = {
  id: string;
  name: string;
  /** Who may ask it: holders of its key, everybody, or holders of any key */
  access: "key" | "public" | "closed";
  findings: string[];
};

export type FlowiseImport = {
  file: {
    name: string;
    sizeBytes: number;
    /** Less than sizeBytes: the upload goes on there */
    receivedBytes: number;
    /** Their names, once the file is complete */
    workspaces: string[];
  } | null;
  /** Whether a key was given for the file */
  hasKey: boolean;
  run: FlowiseImportRun | null;
};

export type FlowiseImportRun = {
  state: "running";
  dryRun: boolean;
  /** What was chosen for flows that need no key */
  openFlows: "closed" | "public";
  /** Whether its credentials may go where its flows send them */
  confirmDestinations: boolean;
  /** The one workspace that was chosen; null: all of them */
  workspace: string | null;
  /** How many rows of the present table were read */
  progress: {
    table: string;
    done: number;
    total: number;
  } | null;
} | {
  state: "done";
  dryRun: boolean;
  /** What was chosen for flows that need no key */
  openFlows: "closed" | "public";
  /** Whether its credentials may go where its flows send them */
  confirmDestinations: boolean;
  /** The one workspace that was chosen; null: all of them */
  workspace: string | null;
  report: FlowiseReport;
} | {
  state: "failed";
  dryRun: boolean;
  /** What was chosen for flows that need no key */
  openFlows: "closed" | "public";
  /** Whether its credentials may go where its flows send them */
  confirmDestinations: boolean;
  /** The one workspace that was chosen; null: all of them */
  workspace: string | null;
  error: string;
};

export type FlowiseImportStart = {
  /** Only report what an import would do */
  dryRun: boolean;
  /** Text of encryption.key, without which credentials come without their values. Default: the one given before for this file; empty: none. */
  key?: string;
  /** Let its credentials be sent to where its flows send them. Otherwise each one that is not its vendor's own is a finding of its agent */
  confirmDestinations?: boolean;
  /** What flows become that need no key: closed (callers need an API key) or public */
  openFlows?: "closed" | "public";
  /** Name of the one workspace that is imported. Default: all of them. */
  workspace?: string;
};

export type FlowiseReport = {
  dryRun: boolean;
  tables: FlowiseTableReport[];
  /** In the order of their names */
  agents: FlowiseAgentReport[];
  /** Sentences about single rows that are here and differ, such as credentials without values */
  notes: string[];
  /** Variables whose values the other server took from its environment */
  runtimeVariables: string[];
  /** Hosts, as host:port, that flows call and that only a private network reaches */
  privateHosts: string[];
  /** Names of the agents that start on a schedule, switched off here */
  schedules: string[];
  /** Chunks that the server embeds, by document store */
  embedding: {
    store: string;
    chunks: number;
  }[];
  /** Rows that have no counterpart here */
  notMoved: {
    table: string;
    count: number;
  }[];
};

export type FlowiseTableReport = {
  table: string;
  read: number;
  written: number;
  there: number;
  left: {
    reason: string;
    count: number;
    /** Names or ids of the first of them */
    examples: string[];
  }[];
};

export type IdentityProvider = {
  id: string;
  /** Its name in addresses: the redirect URI is `/sign-in/<slug>` */
  slug: string;
  name: string;
  issuer: string;
  clientId: string;
  hasClientSecret: boolean;
  scopes: string;
  /** Accounts with an address of these domains, owners excepted, belong to whom the provider says has verified it */
  domains: string[];
  signUp: "nobody" | "domains" | "anyone";
  /** The role of those for whom no rule says another */
  defaultRole: "owner" | "admin" | "editor" | "operator" | "analyst" | "viewer" | null;
  /** The claim that roles are read from at each sign-in, such as `groups`. Empty: roles are given here */
  roleClaim: string;
  roleRules: {
    value: string;
    role: "owner" | "admin" | "editor" | "operator" | "analyst" | "viewer";
  }[];
  isEnabled: boolean;
  /** `environment`: set by `OIDC_ISSUER`, and changed there alone */
  source: "environment" | "stored";
  createdDate: string;
  updatedDate: string;
};

export type IdentityProviderCreate = {
  slug: string;
  name: string;
  issuer: string;
  clientId: string;
  clientSecret?: string;
  scopes?: string;
  domains?: string[];
  signUp?: "nobody" | "domains" | "anyone";
  defaultRole?: "admin" | "editor" | "operator" | "analyst" | "viewer" | null;
  roleClaim?: string;
  roleRules?: {
    value: string;
    role: "owner" | "admin" | "editor" | "operator" | "analyst" | "viewer";
  }[];
  isEnabled?: boolean;
  id?: string;
};

export type IdentityProviderUpdate = {
  slug?: string;
  name?: string;
  issuer?: string;
  clientId?: string;
  clientSecret?: string;
  scopes?: string;
  domains?: string[];
  signUp?: "nobody" | "domains" | "anyone";
  defaultRole?: "admin" | "editor" | "operator" | "analyst" | "viewer" | null;
  roleClaim?: string;
  roleRules?: {
    value: string;
    role: "owner" | "admin" | "editor" | "operator" | "analyst" | "viewer";
  }[];
  isEnabled?: boolean;
};

export type ImportFile = {
  format: "weft-export";
  formatVersion: number;
  /** Version of Weft that wrote the file */
  productVersion: string;
  createdDate: string;
  /** As GET /variables answers them, without values that are secrets */
  variables?: { [key: string]: Json }[];
  /** As GET /tools answers them */
  tools?: { [key: string]: Json }[];
  /** Settings, loaders and the question set, without documents; files names what has to be uploaded again */
  documentStores?: { [key: string]: Json }[];
  /** As GET /chatflows answers them, with the saved flows as versions, oldest first */
  agents?: { [key: string]: Json }[];
  /** As GET /assistants answers them */
  assistants?: { [key: string]: Json }[];
  /** id, name and credentialName of the credentials that the other lists use; never their values */
  credentials?: { [key: string]: Json }[];
};

export type ImportReport = {
  /** Whether nothing was written */
  dryRun: boolean;
  variables: {
    added: {
      id: string;
      name: string;
    }[];
    unchanged: {
      id: string;
      name: string;
    }[];
    overwritten: {
      id: string;
      name: string;
    }[];
    /** Different here, and kept: overwrite takes what the file says */
    skipped: {
      id: string;
      name: string;
    }[];
  };
  tools: {
    added: {
      id: string;
      name: string;
    }[];
    unchanged: {
      id: string;
      name: string;
    }[];
    overwritten: {
      id: string;
      name: string;
    }[];
    /** Different here, and kept: overwrite takes what the file says */
    skipped: {
      id: string;
      name: string;
    }[];
  };
  documentStores: {
    added: {
      id: string;
      name: string;
    }[];
    unchanged: {
      id: string;
      name: string;
    }[];
    overwritten: {
      id: string;
      name: string;
    }[];
    /** Different here, and kept: overwrite takes what the file says */
    skipped: {
      id: string;
      name: string;
    }[];
  };
  agents: {
    added: {
      id: string;
      name: string;
    }[];
    unchanged: {
      id: string;
      name: string;
    }[];
    overwritten: {
      id: string;
      name: string;
    }[];
    /** Different here, and kept: overwrite takes what the file says */
    skipped: {
      id: string;
      name: string;
    }[];
  };
  assistants: {
    added: {
      id: string;
      name: string;
    }[];
    unchanged: {
      id: string;
      name: string;
    }[];
    overwritten: {
      id: string;
      name: string;
    }[];
    /** Different here, and kept: overwrite takes what the file says */
    skipped: {
      id: string;
      name: string;
    }[];
  };
  /** What to do before everything works as it did */
  next: {
    topic: "credential" | "document-store" | "secret" | "api-key" | "schedule";
    /** Of what has to be completed */
    id: string;
    name: string;
    message: string;
  }[];
};

export type Integration = {
  /** Name used in flows */
  type: string;
  title: string;
  summary: string;
  group: string;
  /** Name of an icon */
  icon?: string;
  /** JSON Schema of the integration's config, with form hints. */
  config: { [key: string]: Json };
};

export type InvitationCreate = {
  email: string;
  role: "owner" | "admin" | "editor" | "operator" | "analyst" | "viewer";
};

/** Any JSON value */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

export type Lead = {
  id: string;
  name: string;
  email: string;
  phone: string;
  chatflowid: string;
  chatId: string;
  createdDate: string;
};

export type LeadCreate = {
  id?: string;
  chatflowid: string;
  name?: string | null;
  email?: string | null;
  phone?: string | null;
  chatId?: string | null;
};

export type LoaderBody = {
  storeId: string;
  /** Id of the loader to change */
  id?: string | null;
  /** Name of the loader in the catalogue */
  loaderId?: string | null;
  loaderName?: string | null;
  loaderConfig?: { [key: string]: Json } | null;
  splitterId?: string | null;
  splitterConfig?: { [key: string]: Json } | null;
  metadata?: { [key: string]: Json } | null;
};

export type LoaderPreview = {
  chunks: Document[];
  totalChunks: number;
  previewChunkCount: number;
  failed: {
    source: string;
    code: string;
    message: string;
  }[];
};

export type LoaderPreviewBody = {
  storeId?: string | null;
  /** Id of the loader to change */
  id?: string | null;
  /** Name of the loader in the catalogue */
  loaderId?: string | null;
  loaderName?: string | null;
  loaderConfig?: { [key: string]: Json } | null;
  splitterId?: string | null;
  splitterConfig?: { [key: string]: Json } | null;
  metadata?: { [key: string]: Json } | null;
  previewChunkCount?: number | null;
};

export type LoaderProcess = {
  storeId: string;
};

export type Login = {
  email: string;
  password: string;
};

export type McpAnswer = {
  jsonrpc: "2.0";
  id?: string | number;
  result?: { [key: string]: Json };
  error?: {
    code: number;
    message: string;
    data?: Json;
  };
};

export type McpMessage = {
  jsonrpc: "2.0";
  id?: string | number;
  method: string;
  params?: { [key: string]: Json };
};

export type MessageAction = {
  id: string;
  mapping: {
    approve: string;
    reject: string;
    toolCalls: Json[];
  };
  elements: Json[];
  data?: { [key: string]: Json };
};

export type ModelChoice = {
  /** A provider listed by GET /models */
  provider: string;
  /** If empty, the provider's default */
  model?: string;
  /** Id of a credential; if empty, the key from the server's configuration */
  credential?: string | "";
};

/** US dollars for a million tokens. */
export type ModelPrice = {
  input: number;
  output: number;
  /** Of input that the vendor has cached; not used in sums. */
  cachedInput?: number;
};

export type ModelProvider = {
  /** Name used in flows */
  name: string;
  title: string;
  summary: string;
  /** Whether it is used when a flow does not specify a model */
  isDefault: boolean;
  /** Whether its models accept images */
  acceptsImages: boolean;
  /** Suggested models, default first; other models can be used as well */
  models: string[];
  /** Parameters that its models take; a model may leave out some of them */
  parameters: ("temperature" | "maxTokens" | "reasoning" | "thinkingTokens" | "topP" | "topK" | "frequencyPenalty" | "presencePenalty" | "seed" | "stop" | "contextTokens")[];
  credentialFields: {
    name: string;
    title: string;
    help?: string;
    secret: boolean;
    required: boolean;
  }[];
  /** Present for providers that turn speech into text */
  speech?: {
    /** Name used in an agent's `speechToText` */
    service: string;
    /** Used unless the settings name another */
    model: string;
    /** Whether the settings must have a `baseUrl` */
    takesAddress: boolean;
    /** Whether it can only be used with a credential: the server has no key for it */
    needsCredential: boolean;
  };
};

export type ModelQuestion = {
  messages: {
    role: "system" | "user" | "assistant";
    content: string;
  }[];
  /** As a step names it. Empty: the default model */
  model?: {
    provider?: string;
    model?: string;
    baseUrl?: string;
    credential?: string;
  };
  parameters?: {
    temperature?: number;
    maxTokens?: number;
    reasoning?: "none" | "minimal" | "low" | "medium" | "high" | "xhigh" | "max";
    thinkingTokens?: number;
    topP?: number;
    topK?: number;
    frequencyPenalty?: number;
    presencePenalty?: number;
    seed?: number;
    stop?: string[];
    contextTokens?: number;
  };
};

export type ModelTrial = {
  ok: boolean;
  /** For example openai/gpt-4o-mini; empty if no model was found */
  model: string;
  durationMs: number;
  /** The model's answer, or why the call failed */
  message: string;
};

export type NewAccountLink = {
  id: string;
  kind: "invitation" | "password-reset";
  email: string;
  role: "owner" | "admin" | "editor" | "operator" | "analyst" | "viewer";
  /** Who created the link */
  createdBy: string;
  createdDate: string;
  expiresDate: string;
  /** Works once. The page for it is `/join#<token>`. It is only returned here. */
  token: string;
};

export type NewApiKey = {
  id: string;
  keyName: string;
  /** First characters of the key */
  keyHint: string;
  permissions: string[];
  /** Ids of the agents the key is limited to; empty means all */
  agents: string[];
  /** Owner of the chats created with this key. Keys with the same clientId share their chats. */
  clientId: string;
  /** The account the key belongs to: it can do no more than that. Null: nobody's */
  ownerId: string | null;
  createdDate: string;
  updatedDate: string;
  /** Accurate to the minute; null if never used */
  lastUsedDate: string | null;
  /** The key. It is only returned here. */
  apiKey: string;
};

export type NodeType = {
  type: string;
  version: number;
  title: string;
  summary: string;
  group: string;
  /** Name of its icon; a builder without that icon shows the group's */
  icon: string;
  /** Config fields that summarise in one line what a node does */
  outline: string[];
  /** Whether it is a step. Other nodes are notes, which have no ports and cannot fail */
  executes: boolean;
  /** Whether it can contain other nodes */
  hasSubFlow: boolean;
  /** Output ports of a node, depending on its config */
  ports: PortRule[];
  /** JSON Schema of the node's config, with form hints. */
  config: { [key: string]: Json };
};

export type Notice = {
  id: string;
  kind: "failed-runs" | "budget-near" | "budget-spent" | "callbacks-failing" | "person-awaited" | "hand-over" | "store-failing" | "schedule-failing" | "channel-failing";
  /** The agent, document store or notice channel that it is about */
  subject: {
    id: string;
    name: string;
  };
  /** What happened, in English. It never holds what people or agents said */
  text: string;
  /** The page of the builder that shows it, as a path */
  link: string;
  /** How many runs, callbacks, waiting runs, conversations, sources or firings; of a budget the percentage used */
  count: number;
  /** `failed-runs`: how many runs ended in that hour */
  of: number | null;
  /** Of a budget whose and what: `agent` or `visitors`, and the amount, as in `agent/tokens` */
  detail: string;
  state: "open" | "resolved";
  since: string;
  resolvedDate: string | null;
  /** Whether the caller has marked it as seen */
  isSeen: boolean;
};

export type NoticeChannel = {
  id: string;
  name: string;
  kind: "mail" | "webhook" | "slack";
  /** An address for mail, or the beginning of a webhook's address */
  address: string;
  kinds: ("failed-runs" | "budget-near" | "budget-spent" | "callbacks-failing" | "person-awaited" | "hand-over" | "store-failing" | "schedule-failing" | "channel-failing")[];
  agents: "all" | string[];
  quietHours: {
    from: string;
    to: string;
    timeZone: string;
  } | null;
  isEnabled: boolean;
  /** Notices that are to be sent */
  waiting: number;
  /** Why the last attempt failed; null: it did not */
  error: string | null;
  /** The next attempt, after one that failed */
  nextDate: string | null;
  /** When attempts ended after a day, if nothing could be sent since */
  givenUpDate: string | null;
  /** When something was last sent */
  sentDate: string | null;
  createdDate: string;
  updatedDate: string;
};

export type NoticeChannelCreate = {
  name: string;
  address: string;
  secret?: string;
  kinds?: ("failed-runs" | "budget-near" | "budget-spent" | "callbacks-failing" | "person-awaited" | "hand-over" | "store-failing" | "schedule-failing" | "channel-failing")[];
  agents?: "all" | string[];
  quietHours?: {
    from: string;
    to: string;
    timeZone: string;
  } | null;
  isEnabled?: boolean;
  id?: string;
  kind: "mail" | "webhook" | "slack";
};

export type NoticeChannelUpdate = {
  name?: string;
  address?: string;
  secret?: string;
  kinds?: ("failed-runs" | "budget-near" | "budget-spent" | "callbacks-failing" | "person-awaited" | "hand-over" | "store-failing" | "schedule-failing" | "channel-failing")[];
  agents?: "all" | string[];
  quietHours?: {
    from: string;
    to: string;
    timeZone: string;
  } | null;
  isEnabled?: boolean;
};

export type NoticeTest = {
  ok: boolean;
  /** The status of the answer; null: there was none */
  status: number | null;
  /** What the other end said, or why nothing could be sent */
  answer: string;
};

export type NoticesSeen = {
  ids: string[];
};

export type OpenAiError = {
  error: {
    message: string;
    type: string;
    param: string | null;
    code: string;
  };
};

export type PasswordChange = {
  currentPassword: string;
  newPassword: string;
};

export type Person = {
  /** A chat, with all agents that took part in it */
  chatId?: string;
  /** All chats of a session */
  sessionId?: string;
  /** All chats of the API keys with this clientId */
  clientId?: string;
  /** All chats in which this address was left, in upper or lower case */
  email?: string;
};

export type PersonReply = {
  text: string;
};

export type PersonUpdate = {
  role?: "owner" | "admin" | "editor" | "operator" | "analyst" | "viewer";
  name?: string;
};

export type PersonalData = {
  chats: {
    agentId: string;
    chatId: string;
    labels?: string[];
    note?: string;
    /** Who asked for a person, took over, handed back or declined, and when; the last 100 */
    events?: {
      type: "hand-over-asked" | "hand-over-declined" | "taken-over" | "handed-back";
      /** Who did it: an account's e-mail address, or the name of an API key; empty: the agent */
      by: string;
      at: string;
    }[];
  }[];
  messages: ChatMessage[];
  feedback: Feedback[];
  leads: Lead[];
  files: {
    id: string;
    chatflowid: string;
    chatId: string;
    name: string;
    mime: string;
    createdDate: string;
    /** The bytes, in base64 */
    data: string;
  }[];
  documents: {
    passages: string[];
  }[];
  executions: Execution[];
};

export type Pin = {
  output: Json;
  /** The answer, where the step gives one. */
  text?: string;
  /** The answer as data, where the step has structured output. */
  json?: Json;
  /** The branches taken. Default: the step's only way on. */
  ports?: string[];
  /** What the step puts into the flow's state. */
  state?: { [key: string]: Json };
};

export type PortRule = {
  id: string;
  /** Shown unless the field named by `titleField` has a value */
  title: string;
  /** Config field that holds the title */
  titleField?: string;
  /** Config field that must be set for the port to exist */
  onlyWith?: string;
  /** Config field that must have one of these values for the port to exist */
  onlyWhen?: {
    field: string;
    is: string[];
  };
} | {
  /** Config field with a list; each entry gets a port named after its `id` */
  each: string;
  /** Field of an entry that holds the title */
  titleField?: string;
  /** Shown if the entry has no title; {n} counts from 1, {id} is the entry's id */
  title: string;
};

export type PredictionRequest = {
  /** Message sent to the agent. */
  question?: string;
  /** Form fields; send these instead of question. */
  form?: { [key: string]: Json } | null;
  /** Return the answer as a stream of server-sent events. */
  streaming?: boolean | "true" | "false";
  /** Id of the conversation; a new one is created if absent. */
  chatId?: string | null;
  /** Overrides at run time: sessionId, vars, temperature, maxTokens, topP, and node settings. Accounts can override everything except credentials and addresses; API keys and visitors only what the agent's apiConfig enables. Everything else is ignored with a warning. */
  overrideConfig?: { [key: string]: Json } | null;
  /** Replaces the stored memory for this run, unless empty. For visitors without credentials it is used only if the agent enables it. */
  history?: {
    role: "apiMessage" | "userMessage";
    content: string;
  } | {
    type: "apiMessage" | "userMessage";
    message: string;
  }[] | null;
  /** Files sent with the question. */
  uploads?: Upload[] | null;
  /** Answers the run in this chat that is waiting for human input; send it instead of a question. */
  humanInput?: {
    /** `proceed` (or `approve`) or `reject`, in any case. */
    type: string;
    /** Comment that accompanies the decision. */
    feedback?: string | null;
  };
  /** The run that humanInput answers. Defaults to the one that asked last. */
  executionId?: string;
  /** Id of the question that humanInput answers, as returned with the action. Defaults to the last one asked. With the whole action, the words of one of its buttons as the question answer it, too. */
  action?: {
    id: string;
  } | null;
  /** Runs the agent's draft with its pinned outputs, as an internal test. For callers that may edit the agent. */
  draft?: boolean | null;
  leadEmail?: string | null;
};

export type PredictionResult = {
  /** Everything said in this turn: messages on the way, then the answer or question, with a blank line between. */
  text: string;
  json?: Json;
  /** The question asked or transcribed; empty for a form */
  question: string;
  form?: { [key: string]: Json };
  chatId: string;
  chatMessageId: string;
  sessionId: string;
  memoryType: string;
  sourceDocuments: Document[];
  usedTools: UsedTool[];
  /** Files created by tools or the model */
  fileAnnotations: {
    filePath: string;
    fileName: string;
  }[];
  /** What each agent did, if several worked on the answer; otherwise empty */
  agentReasoning: AgentReasoning[];
  executionId: string;
  /** JSON text of a list of messages that the user may send next; absent if the agent suggests none */
  followUpPrompts?: string;
  /** What the run is waiting for; absent if it has ended. */
  action?: MessageAction;
  /** A person answers this chat. The message is stored, no run starts, and `text` says so. */
  takenOver?: TakeOver;
  agentFlowExecutedData: {
    nodeId: string;
    nodeLabel: string;
    data: {
      id: string;
      name: string;
      output: Json;
      error?: string;
      state?: { [key: string]: Json };
      /** The step was not executed: its output was pinned. */
      pinned?: true;
      parentNodeId?: string;
      iterationIndex?: number;
    };
    previousNodeIds: string[];
    status: "FINISHED" | "ERROR" | "STOPPED" | "INPROGRESS";
  }[];
  usage: {
    inputTokens: number;
    outputTokens: number;
    totalTokens: number;
  };
  metadata: {
    warnings: {
      code: string;
      message: string;
    }[];
  };
};

export type PriceChoice = {
  /** By a model's id, such as `openai/gpt-4o-mini`. Replaces all of them. */
  prices: { [key: string]: ModelPrice };
};

export type Prices = {
  /** Where the list comes from, and of which day it is. */
  source: {
    name: string;
    url: string;
    licence: string;
    date: string;
  };
  /** Set here. They win over all others. */
  prices: { [key: string]: ModelPrice };
  /** From `MODEL_PRICES`. They win over the list. */
  environment: { [key: string]: ModelPrice };
  /** Shipped with this release. */
  list: { [key: string]: ModelPrice };
  /** Models that runs have called, with the price that holds for each. */
  models: {
    id: string;
    /** Null: it has no price, so its runs have no cost. */
    price: ModelPrice | null;
    /** Where the price comes from. `set`: from `PUT /prices`. */
    origin: "set" | "environment" | "list" | null;
  }[];
};

export type PublicAccess = {
  isAllowed: boolean;
  /** The server's environment decides: it cannot be chosen over the API. */
  isFixed: boolean;
};

export type PublicAccessChoice = {
  isAllowed: boolean;
};

export type RefreshedToken = {
  /** Send it as Authorization: Bearer <token>. Empty if the request had the header X-Weft-Session: cookie: then the token is in a cookie that scripts cannot read, and counts for requests with the same header */
  token: string;
  expiresAt: string;
};

export type RequestDescription = {
  requests: {
    name: string;
    description: string;
    /** Whether the request may change data in the called API */
    changes: boolean;
    /** JSON Schema of the parameters */
    input: { [key: string]: Json };
  }[];
  /** Templates in the settings that need a value */
  references: string[];
};

export type RequestDescriptionQuery = {
  /** `request-get`, `request-post`, `request-put`, `request-delete`, `openapi-toolkit` or `http` */
  type: string;
  /** The settings, as stored in a flow */
  config: { [key: string]: Json };
};

export type RequestTrial = {
  /** Null if there was no response */
  status: number | null;
  /** Without secrets and without the query values from the settings */
  url: string;
  /** What a model or the next step would receive; truncated to 20,000 characters */
  output: string;
  isError: boolean;
  durationMs: number;
};

export type RequestTrialRequest = {
  /** `request-get`, `request-post`, `request-put`, `request-delete`, `openapi-toolkit` or `http` */
  type: string;
  /** The settings, as stored in a flow */
  config: { [key: string]: Json };
  /** Name of the request, if the settings define several */
  name?: string;
  /** Parameters, as a model would provide them */
  input?: { [key: string]: Json };
  /** Template values, keyed by the text between the braces */
  values?: { [key: string]: Json };
};

export type Retention = {
  kind: "runs" | "payloads" | "upserts" | "visitor-chats" | "chats" | "leads" | "uploads" | "unsent-files" | "audit" | "logs";
  /** Null: until it is deleted by a person or a request. 0: the server keeps none. */
  keptSeconds: number | null;
  /** Environment variable that changes it; null: none does. */
  setting: string | null;
};

export type RoleGrants = {
  role: "owner" | "admin" | "editor" | "operator" | "analyst" | "viewer";
  permissions: string[];
};

export type Schedule = {
  chatflowid: string;
  cron: string;
  timeZone: string;
  endDate: string | null;
  catchUp: string;
  enabled: boolean;
  nextRunDate: string | null;
  createdDate: string;
  updatedDate: string;
};

export type ScheduleLog = {
  id: string;
  executionId: string | null;
  status: "RUNNING" | "SUCCEEDED" | "FAILED" | "SKIPPED";
  scheduledDate: string;
  /** Why no run was started. */
  error: string | null;
  createdDate: string;
};

export type ScheduleStatus = {
  enabled: boolean;
  canEnable: boolean;
  /** Why it cannot be enabled. */
  reason: string | null;
  record: Schedule | null;
};

export type ServedModel = {
  id: string;
  object: "model";
  /** Seconds since the epoch. */
  created: number;
  owned_by: string;
};

export type ServedModelList = {
  object: "list";
  data: ServedModel[];
};

export type Session = {
  /** Send it as Authorization: Bearer <token>. Empty if the request had the header X-Weft-Session: cookie: then the token is in a cookie that scripts cannot read, and counts for requests with the same header */
  token: string;
  expiresAt: string;
  user: Account;
};

export type SetUpState = {
  isNeeded: boolean;
};

export type Setup = {
  /** The one-time token that the server printed at startup */
  token: string;
  email: string;
  password: string;
  name?: string;
};

export type SignInAnswer = {
  /** The query of the redirect's address */
  answer: string;
  /** Of the start, unless it is in a cookie */
  token?: string;
};

export type SignInOptions = {
  providers: {
    slug: string;
    name: string;
  }[];
};

export type SignInStart = {
  /** Where the browser goes */
  url: string;
  /** Send it with the provider's answer. Empty if the request had the header X-Weft-Session: cookie: then it is in a cookie that scripts cannot read */
  token: string;
  expiresAt: string;
};

export type SignInTrial = {
  claims: { [key: string]: unknown };
  /** The role that the provider's settings give; null: none */
  role: "owner" | "admin" | "editor" | "operator" | "analyst" | "viewer" | null;
};

export type StartForm = {
  title: string;
  description: string;
  fields: {
    /** Key in the `form` of a prediction request */
    name: string;
    /** If empty, the name is used */
    label: string;
    type: "string" | "number" | "boolean" | "options";
    options: string[];
    required: boolean;
    default?: string | number | boolean;
  }[];
};

export type Stats = {
  range: "24h" | "7d" | "30d";
  /** Runs that ended or paused in this time. */
  runs: number;
  /** Runs among them that failed or timed out. */
  failures: number;
  /** Runs that are running now. */
  running: number;
  /** Runs that wait for a person now. */
  waiting: number;
  /** 95 of 100 runs that finished or failed took at most this long; null without any. */
  p95DurationMs: number | null;
  totalTokens: number;
  /** Sum of the runs whose cost is known, in US dollars; null without any. */
  costDollars: number | null;
  /** Runs that used tokens of a model without a known price. */
  unpricedRuns: number;
  /** Equal parts of the range, the oldest first: 24 hours, 28 quarters of a day, or 30 days. */
  volume: {
    startDate: string;
    /** Runs that ended or paused in this time. */
    runs: number;
    /** Runs among them that failed or timed out. */
    failures: number;
  }[];
  /** The ten agents with most runs. */
  agents: {
    agentflowId: string;
    agentName: string | null;
    /** Runs that ended or paused in this time. */
    runs: number;
    /** Runs among them that failed or timed out. */
    failures: number;
    totalTokens: number;
  }[];
  /** Five at most, the latest first. */
  latestFailures: ExecutionSummary[];
};

export type StoreCheck = {
  /** Ask all questions after every upsert that changed something */
  afterIndexing: boolean;
  /** `waiting`: upserts changed something, and the questions are asked once they have ended */
  state: "idle" | "waiting" | "running";
  /** Why the last check after an upsert failed; null if it did not */
  error: string | null;
};

export type StoreCheckSettings = {
  /** Ask all questions after every upsert that changed something */
  afterIndexing: boolean;
};

export type StoreEvaluation = {
  id: string;
  storeId: string;
  createdDate: string;
  questions: number;
  /** Mean share of the expected documents that came first */
  recallAt1: number;
  /** Mean share of the expected documents among the first five */
  recallAt5: number;
  meanReciprocalRank: number;
  /** Milliseconds */
  timeTaken: number;
  settings: {
    /** Id of the embedding model */
    embedding: string;
    vectorStore: string;
    splitters: string[];
    mode: string;
    /** What judged the passages again; `none` where nothing did */
    reranker: string;
  };
  /** What steps of the searches could not do */
  warnings: string[];
  /** Whether a user requested the evaluation or an upsert triggered it */
  cause: "request" | "indexing";
  /** By how much recall@5 of the questions that were asked before, too, is lower than in the evaluation before in the same mode; null for up to 0.02 */
  recallDrop: number | null;
};

export type StoreEvaluationDetail = {
  id: string;
  storeId: string;
  createdDate: string;
  questions: number;
  /** Mean share of the expected documents that came first */
  recallAt1: number;
  /** Mean share of the expected documents among the first five */
  recallAt5: number;
  meanReciprocalRank: number;
  /** Milliseconds */
  timeTaken: number;
  settings: {
    /** Id of the embedding model */
    embedding: string;
    vectorStore: string;
    splitters: string[];
    mode: string;
    /** What judged the passages again; `none` where nothing did */
    reranker: string;
  };
  /** What steps of the searches could not do */
  warnings: string[];
  /** Whether a user requested the evaluation or an upsert triggered it */
  cause: "request" | "indexing";
  /** By how much recall@5 of the questions that were asked before, too, is lower than in the evaluation before in the same mode; null for up to 0.02 */
  recallDrop: number | null;
  outcomes: {
    questionId: string;
    question: string;
    relevant: string[];
    words: string[];
    /** Place of the first right document; null: not found */
    rank: number | null;
    /** Its place in the evaluation before, if it was asked there */
    previousRank?: number | null;
    found: {
      document: string;
      chunkNo: number;
      text: string;
      isRight: boolean;
    }[];
  }[];
};

export type StoreEvaluationRequest = {
  /** Default: the store's */
  mode?: "vector" | "keyword" | "hybrid";
};

export type StoreQuestion = {
  id: string;
  storeId: string;
  question: string;
  relevant: string[];
  words: string[];
  createdDate: string;
  updatedDate: string;
};

export type StoreQuestionImport = {
  /** A question file of `retrieve-eval`, YAML or JSON */
  text: string;
};

export type StoreQuestionImportResult = {
  added: number;
  /** Questions that the store has already */
  skipped: number;
};

export type StoreQuestionInput = {
  question: string;
  /** Names of the documents that answer it, as the `source` (or else `title`) of their passages */
  relevant: string[];
  /** Texts that a passage must contain to be right */
  words?: string[];
};

export type StoreQuestionUpdate = {
  question?: string;
  /** Names of the documents that answer it, as the `source` (or else `title`) of their passages */
  relevant?: string[];
  /** Texts that a passage must contain to be right */
  words?: string[];
};

/** The loader, in the same format as in the store's loaders. `sameAs` lists documents of the store's other loaders that have the same text as one of its own: `{ document, loaderId, loaderName, source }`, at most 20. `isCopy` is true if all of its documents are also in loaders added before it, so nothing is lost by deleting it */
export type StoredLoader = { [key: string]: Json };

export type StreamingInfo = {
  isStreaming: boolean;
};

export type System = {
  /** In the order in which they started. */
  processes: SystemProcess[];
  queue: {
    /** Runs that have not begun, or that no process has. */
    waiting: number;
    /** Age of the oldest of them; 0 without any. */
    oldestWaitingSeconds: number;
    running: number;
    /** Runs that wait for a person, a signal or a later moment. */
    paused: number;
    /** The ten agents with the most waiting runs, then with the most running ones. */
    agents: {
      agentflowId: string;
      /** Null for document stores, and if the agent was deleted. */
      agentName: string | null;
      waiting: number;
      running: number;
    }[];
  };
  takeOvers: {
    /** Taken over and changed last within 24 hours. */
    runs: number;
    /** The one of them that changed last. */
    latest: {
      executionId: string;
      agentflowId: string;
      /** Null for document stores, and if the agent was deleted. */
      agentName: string | null;
      updatedDate: string;
    } | null;
  };
  database: {
    dialect: "sqlite" | "postgres";
    version: string;
    sizeBytes: number;
    /** Time of the smallest query there is, from this process. */
    latencyMs: number;
    /** Of the whole PostgreSQL server; null with SQLite. */
    connections: {
      used: number;
      limit: number;
    } | null;
  };
  /** As the process sees it that answers; `off`: `REDIS_URL` is not set. */
  redis: "off" | "connected" | "unreachable";
  /** The file system with the data folder of the process that answers; null if it cannot tell. */
  disk: {
    freeBytes: number;
    usedBytes: number;
  } | null;
  /** Vectors in the memory of the process that answers. They are read by the first question after a start, and given back after an hour without one. */
  vectorIndex: {
    memoryBytes: number;
    /** `VECTOR_MEMORY`. */
    limitBytes: number;
    /** Embedded collections that are in memory. */
    collections: number;
    /** Vectors that are there of collections that are being read; null while none is. */
    loading: {
      done: number;
      total: number;
    } | null;
  };
  callbacks: {
    /** How many there are; 1,000 are counted at most. */
    failing: number;
    /** Up to 50: those that are tried again, the next one first, then those that were given up. */
    list: FailingCallback[];
  };
};

export type SystemProcess = {
  id: string;
  role: "all" | "api" | "worker";
  version: string;
  /** Name of its machine or container. */
  host: string;
  pid: number;
  startedDate: string;
  /** By the database's clock. A process that has not been seen for 15 seconds is left out. */
  seenSecondsAgo: number;
  /** Runs that are in this process, those in line included. */
  runs: number;
  /** How many of them it executes at once; null for `api`, which leaves them to others. */
  maxRuns: number | null;
  memoryBytes: number;
  /** Whether it answered this request. */
  answered: boolean;
};

export type TakeOver = {
  /** As the person wants to be called; empty: not given */
  name: string;
  since: string;
};

export type TakeOverRequest = {
  /** How the person wants to be called. Whoever sent the messages reads it. */
  name?: string;
};

export type Template = {
  id: string;
  category: "support" | "research" | "data" | "content" | "operations";
  title: string;
  summary: string;
  /** What to fill in; what is not becomes a finding of the agent */
  needs: {
    /** `service`: an HTTP service whose address the flow reads from a variable */
    kind: "model" | "service" | "document-store" | "credential" | "agent";
    /** What stands for it in the flow: the variable of a service, else an id */
    name: string;
    title: string;
    /** An address as the service may have it */
    example?: string;
  }[];
  /** Messages to begin with */
  starters: string[];
  graph: {
    nodes: {
      id: string;
      type: string;
      label: string;
      position: {
        x: number;
        y: number;
      };
      /** The step around it, from whose corner its position counts */
      parent?: string;
    }[];
    edges: {
      source: string;
      sourcePort: string;
      target: string;
    }[];
  };
  /** The flow, as an agent's `flowData` */
  flowData: string;
};

export type TemplateSummary = {
  id: string;
  category: "support" | "research" | "data" | "content" | "operations";
  title: string;
  summary: string;
  /** What to fill in; what is not becomes a finding of the agent */
  needs: {
    /** `service`: an HTTP service whose address the flow reads from a variable */
    kind: "model" | "service" | "document-store" | "credential" | "agent";
    /** What stands for it in the flow: the variable of a service, else an id */
    name: string;
    title: string;
    /** An address as the service may have it */
    example?: string;
  }[];
  /** Messages to begin with */
  starters: string[];
  graph: {
    nodes: {
      id: string;
      type: string;
      label: string;
      position: {
        x: number;
        y: number;
      };
      /** The step around it, from whose corner its position counts */
      parent?: string;
    }[];
    edges: {
      source: string;
      sourcePort: string;
      target: string;
    }[];
  };
};

export type TextToSpeechRequest = {
  /** Id of the agent */
  chatflowId: string;
  chatId: string;
  chatMessageId: string;
  text: string;
};

export type TextToSpeechStop = {
  /** Id of the agent */
  chatflowId: string;
  chatId: string;
  chatMessageId: string;
};

export type TextToSpeechStopped = {
  message: string;
  chatId: string;
  chatMessageId: string;
};

export type Tool = {
  id: string;
  name: string;
  description: string;
  color: string;
  /** URL of an icon */
  iconSrc: string | null;
  /** JSON text: parameters of the function */
  schema: string | null;
  /** JavaScript: body of an async function */
  func: string | null;
  createdDate: string;
  updatedDate: string;
};

export type ToolCreate = {
  id?: string;
  name: string;
  description?: string | null;
  color?: string | null;
  iconSrc?: string | null;
  schema?: string | null;
  func?: string | null;
};

export type ToolTrial = {
  /** What a model would receive */
  output: string;
  isError: boolean;
  /** What the code wrote to the console */
  logs: string[];
  durationMs: number;
};

export type ToolTrialRequest = {
  /** Arguments, as a model would send them */
  input?: { [key: string]: Json };
  /** Values the code reads as $vars; stored variables are not used */
  vars?: { [key: string]: Json };
  /** Used instead of the stored one */
  schema?: string | null;
  /** Used instead of the stored one */
  func?: string | null;
  timeoutMs?: number;
};

export type ToolUpdate = {
  name?: string;
  description?: string | null;
  color?: string | null;
  iconSrc?: string | null;
  schema?: string | null;
  func?: string | null;
};

export type Upload = {
  /** `file:full`: `data` is the text of the file, as returned by the attachments endpoint. */
  type: "file" | "image" | "audio" | "url" | "file:full";
  name?: string;
  /** A base64 data URL; for `url`, an address; for `file:full`, plain text. */
  data: string;
  mime?: string;
};

export type UploadInfo = {
  isSpeechToTextEnabled: boolean;
  isImageUploadAllowed: boolean;
  isRAGFileUploadAllowed: boolean;
  imgUploadSizeAndTypes: {
    /** Media types */
    fileTypes: string[];
    /** Megabytes */
    maxUploadSize: number;
  }[];
  fileUploadSizeAndTypes: {
    /** Media types */
    fileTypes: string[];
    /** Megabytes */
    maxUploadSize: number;
  }[];
};

export type UpsertHistoryDelete = {
  ids: string[];
};

export type UpsertHistoryRecord = {
  id: string;
  chatflowid: string;
  /** JSON text */
  result: string;
  /** JSON text */
  flowData: string;
  date: string;
};

export type UpsertJob = {
  id: string;
  storeId: string;
  state: "RUNNING" | "FINISHED" | "FAILED" | "CANCELLED";
  /** Loaded so far */
  documents: number;
  /** Split so far */
  chunks: number;
  /** Chunks loaded so far that still have to be embedded and written; the others are already stored */
  planned: number;
  embedded: number;
  /** Written to the vector database */
  written: number;
  failed: {
    source: string;
    code: string;
    message: string;
  }[];
  error: {
    code: string;
    message: string;
  } | null;
  /** One result per loader, once the upsert has finished */
  results: {
    numAdded: number;
    numUpdated: number;
    numDeleted: number;
    numSkipped: number;
    docId: string;
  }[];
  createdDate: string;
};

export type UpsertResult = {
  numAdded: number;
  numUpdated: number;
  numDeleted: number;
  numSkipped: number;
  /** At most the first 1,000 */
  addedDocs: Document[];
  /** Id of the loader */
  docId: string;
  storeId: string;
  /** Sources that could not be loaded; all others were */
  failed: {
    source: string;
    code: string;
    message: string;
  }[];
};

export type Use = {
  resource: "agent" | "assistant" | "document-store" | "default-model";
  /** Of the resource; empty for the default model */
  id: string;
  name: string;
  /** Of the step that names it; null outside flows */
  nodeId: string | null;
  /** What the step is called */
  step: string | null;
  /** Where in the settings it is named, dotted */
  path: string;
  /** Whether the draft of the agent alone names it */
  isDraft: boolean;
};

export type UsedTool = {
  tool: string;
  toolInput: { [key: string]: Json };
  toolOutput: string;
  error?: string;
};

export type Variable = {
  id: string;
  name: string;
  /** Text in the format of the type */
  value: string | null;
  type: "string" | "number" | "boolean" | "json" | "runtime" | "static";
  createdDate: string;
  updatedDate: string;
};

export type VariableCreate = {
  id?: string;
  name: string;
  value?: string | null;
  type?: "string" | "number" | "boolean" | "json" | "runtime" | "static";
};

export type VariableUpdate = {
  name?: string;
  value?: string | null;
  type?: "string" | "number" | "boolean" | "json" | "runtime" | "static";
};

export type VectorQuery = {
  storeId: string;
  query: string;
  topK?: number | null;
  /** Search by meaning, by words, or by both (the default, which agents use) */
  mode?: "vector" | "keyword" | "hybrid" | null;
  /** Only passages whose metadata has these values: { name: value }, { name: { $op: value } }, $and, $or, $not. Operators: $eq, $ne, $in, $nin, $gt, $gte, $lt, $lte, $exists */
  filter?: { [key: string]: Json } | null;
  /** Settings in place of the store's own: judging again, threshold, other wordings, neighbours and others */
  settings?: {
    mode?: "hybrid" | "vector" | "keyword";
    rerank?: {
      provider?: "none" | "model-folder" | "cohere" | "jina" | "voyage" | "chat-model";
      model?: string;
      credential?: string;
      baseUrl?: string;
      candidates?: number;
    };
    scoreThreshold?: number;
    rewrite?: boolean;
    variants?: number;
    hypothetical?: boolean;
    chatModel?: {
      provider?: string;
      model?: string;
      baseUrl?: string;
      credential?: string;
    };
    mmrLambda?: number;
    neighbours?: number;
    parent?: "none" | "section" | "document";
    parentCharacters?: number;
  } | null;
  /** Include deleted passages whose vectors are still in the database */
  includeOrphans?: boolean | string | null;
  /** Overrides topK, mode and filter; for existing clients */
  inputs?: { [key: string]: Json } | null;
};

export type VectorQueryResult = {
  /** Milliseconds */
  timeTaken: number;
  docs: {
    pageContent: string;
    metadata: { [key: string]: Json };
    id: string;
    chunkNo: number;
    score: number;
    /** How well it answers, from 0 to 1 */
    relevance: number;
    relevanceWord: "strong" | "fair" | "weak";
  }[];
  /** What a step could not do, although the search was made */
  warnings: string[];
};

export type VectorStoreSettings = {
  storeId: string;
  /** Limits the deletion to the chunks of this loader */
  docId?: string | null;
  embeddingName?: string | null;
  embeddingConfig?: { [key: string]: Json } | null;
  vectorStoreName?: string | null;
  vectorStoreConfig?: { [key: string]: Json } | null;
  recordManagerName?: string | null;
  recordManagerConfig?: { [key: string]: Json } | null;
};

export type VectorUpsert = {
  /** Id of the vector store node, if the flow has several */
  stopNodeId?: string | null;
  /** loader, splitter, metadata, replaceExisting, deleteEmbeddings, docId, or text */
  overrideConfig?: { [key: string]: Json } | null;
  files?: Blob[];
};

export type Voice = {
  /** Value for `voice` in the agent's settings */
  id: string;
  name: string;
};

export type WaitingExecution = {
  id: string;
  agentflowId: string;
  /** Null if the agent was deleted. */
  agentflow: {
    id: string;
    name: string;
  } | null;
  chatId: string;
  sessionId: string;
  /** The question as text; truncated in lists. */
  question: string;
  createdDate: string;
  updatedDate: string;
  /** Who started the run. `visitor`: nobody who is known. */
  startedBy: "account" | "api-key" | "schedule" | "visitor";
  /** What the run asks, the oldest question first. */
  questions: {
    /** Markdown; truncated at 20,000 characters. */
    text: string;
    askedDate: string;
    action: MessageAction;
  }[];
};

export type WebhookAccepted = {
  chatId: string;
  executionId?: string;
  status: "PROCESSING";
};

export type WebhookSecret = {
  webhookSecret: string;
};

export type WebhookSecretCreate = {
  previousValidSeconds?: number;
};

export type WebhookSecretState = {
  exists: boolean;
  previousValidUntil: string | null;
};

/** The operations of the API by their names. */
export type Operations = {
  /** Stop the runs of a chat. `PUT /api/v1/chatmessage/abort/{agentId}/{chatId}` */
  abortChatMessage(params: { agentId: string; chatId: string }, options?: RequestOptions): Promise<{
    status: number;
    message: string;
  }>;
  /** Use a link: create the account, or choose a new password. `POST /api/v1/invitations/accept` */
  acceptInvitation(body: AccountLinkUse, options?: RequestOptions): Promise<Session>;
  /** Add a question with what it should find. `POST /api/v1/document-store/store/{id}/questions` */
  addStoreQuestion(params: { id: string }, body: StoreQuestionInput, options?: RequestOptions & { idempotencyKey?: string }): Promise<StoreQuestion>;
  /** Allow a credential to be sent to an address. An address with http is allowed without TLS, too. An API key can do so for credentials that it created. `POST /api/v1/credentials/{id}/destinations` */
  allowDestination(params: { id: string }, body: Destination, options?: RequestOptions): Promise<Credential>;
  /** Answer a run that is waiting for human input. Returns the run, which continues. `POST /api/v1/executions/{id}/answer` */
  answerExecution(params: { id: string }, body: ExecutionAnswer, options?: RequestOptions): Promise<Execution>;
  /** Ask a model outside of a run, as a stream of server-sent events. For comparing models: `token` events with pieces of the text, then `answer` with the whole text, its time, tokens and cost, or `error`. Nothing is stored. Closing the connection ends the call. The model's vendor charges for the tokens. `POST /api/v1/models/answers` */
  askModel(body: ModelQuestion, options?: RequestOptions): Promise<AsyncIterable<StreamFrame>>;
  /** Start a refresh without waiting for it. If items is omitted, every loader is refreshed. Sources that fail to load keep their chunks and vectors. `POST /api/v1/document-store/store/{id}/refreshes` */
  beginRefresh(params: { id: string }, body?: DocumentRefresh, options?: RequestOptions): Promise<UpsertJob>;
  /** Start an upsert without waiting for it. Send files as a multipart form. Without files, a loader or a docId, every loader of the store is upserted. Sources that cannot be loaded are listed in `failed`; the rest is written. Repeating an upsert adds nothing; if the same one is already running, the request waits for it. The upsert continues if the client disconnects. Returns the upsert that was started or was already running. `POST /api/v1/document-store/store/{id}/upserts` */
  beginUpsert(params: { id: string }, body: DocumentUpsertRequest | FormData, options?: RequestOptions): Promise<UpsertJob>;
  /** An agent as an MCP server with one tool. Stateless Streamable HTTP, revisions 2026-07-28 and 2025-11-25 of the Model Context Protocol. `POST /api/v1/mcp/{agentId}` */
  callAgentByMcp(params: { agentId: string }, body: McpMessage, options?: RequestOptions): Promise<McpAnswer>;
  /** All deployed agents as the tools of an MCP server. Stateless Streamable HTTP, revisions 2026-07-28 and 2025-11-25 of the Model Context Protocol. `POST /api/v1/mcp` */
  callAgentsByMcp(body: McpMessage, options?: RequestOptions): Promise<McpAnswer>;
  /** Cancel a running or waiting run. No new step starts once this returns. `POST /api/v1/executions/{id}/cancel` */
  cancelExecution(params: { id: string }, options?: RequestOptions): Promise<Execution>;
  /** End what is running, and remove the uploaded file and its key. What was imported before stays. `DELETE /api/v1/flowise-import` */
  cancelFlowiseImport(options?: RequestOptions): Promise<FlowiseImport>;
  /** Cancel an upsert. Whatever was written stays in the vector database; the previous chunks remain current. `POST /api/v1/document-store/upserts/{id}/cancel` */
  cancelUpsert(params: { id: string }, options?: RequestOptions): Promise<UpsertJob>;
  /** Change the password; every token of the account is revoked. `PUT /api/v1/auth/password` */
  changePassword(body: PasswordChange, options?: RequestOptions): Promise<Session>;
  /** Set the default model. The model used when a flow does not specify one. It takes precedence over the server's environment. Every flow can use its credential. `PUT /api/v1/models/default` */
  chooseDefaultModel(body: ModelChoice, options?: RequestOptions & { confirmDestinations?: "true" | "false" }): Promise<DefaultModel>;
  /** Choose whether public agents answer without credentials. Only where the environment does not decide with `ALLOW_PUBLIC_FLOWS`. `PUT /api/v1/public-access` */
  choosePublicAccess(body: PublicAccessChoice, options?: RequestOptions): Promise<PublicAccess>;
  /** Connect the caller's account with one at a provider. `POST /api/v1/auth/identities` */
  connectIdentity(body: SignInAnswer, options?: RequestOptions): Promise<AccountIdentity>;
  /** Create an agent. `POST /api/v1/chatflows` */
  createAgent(body: AgentCreate, options?: RequestOptions & { idempotencyKey?: string; confirmDestinations?: "true" | "false" }): Promise<Agent>;
  /** Create an API key. Only this response contains the key. Its permissions and agents must be among those of the caller. Keys with the same clientId share their chats. `chats:write` and `chats:all`, which give access to other owners' chats, must be granted explicitly: `*` does not include them. `POST /api/v1/apikey` */
  createApiKey(body: ApiKeyCreate, options?: RequestOptions): Promise<NewApiKey>;
  /** Create an assistant. Send predictions to the id of the assistant. `POST /api/v1/assistants` */
  createAssistant(body: AssistantCreate, options?: RequestOptions & { idempotencyKey?: string; confirmDestinations?: "true" | "false" }): Promise<Assistant>;
  /** Store files in a chat and return their text. Supports text, Markdown, HTML, CSV, JSON, XML, YAML, PDF, DOCX, XLSX, PPTX, ODT, ODS, ODP, RTF, EPUB, EML, SRT, WebVTT and Jupyter notebooks. Send the text with a question as uploads of type `file:full`. With base64, files of any type are accepted and returned unchanged. `POST /api/v1/attachments/{chatflowId}/{chatId}` */
  createAttachments(params: { chatflowId: string; chatId: string }, body: AttachmentForm | FormData, options?: RequestOptions): Promise<AttachmentResult[]>;
  /** Ask an agent through chat completions. `model` is the id or name of an agent. The last user message is the question; the messages before it serve as memory for this run only. Tool calls happen inside the agent. `POST /v1/chat/completions` */
  createChatCompletion(body: ChatCompletionRequest, options?: RequestOptions): Promise<ChatCompletion>;
  /** Store a credential. `POST /api/v1/credentials` */
  createCredential(body: CredentialCreate, options?: RequestOptions & { idempotencyKey?: string }): Promise<Credential>;
  /** Create a document store. By default it embeds and searches inside this server; no API key or network access is needed. `POST /api/v1/document-store/store` */
  createDocumentStore(body: DocumentStoreCreate, options?: RequestOptions & { idempotencyKey?: string; confirmDestinations?: "true" | "false" }): Promise<DocumentStore>;
  /** Leave feedback on a message. Each message has at most one feedback; creating it again updates it. The agent and chat must be those of the message. `POST /api/v1/feedback` */
  createFeedback(body: FeedbackCreate, options?: RequestOptions & { idempotencyKey?: string }): Promise<Feedback>;
  /** Leave feedback on a message. Leaves feedback only if messageId, rating or content is given in the query or in a JSON body; the query takes precedence. HEAD never leaves feedback. Otherwise it returns 400. `GET /api/v1/feedback` */
  createFeedbackByGet(params?: { id?: string; messageId?: string; rating?: "THUMBS_UP" | "THUMBS_DOWN"; content?: string | null; chatflowid?: string; chatId?: string; /** Accepted and ignored. */ createdDate?: unknown }, options?: RequestOptions): Promise<Feedback>;
  /** Leave feedback on a message, using its own id or the agent's id. Each message has at most one feedback; creating it again updates it. The agent and chat must be those of the message. `POST /api/v1/feedback/{id}` */
  createFeedbackWithId(params: { id: string }, body: FeedbackCreate, options?: RequestOptions & { idempotencyKey?: string }): Promise<Feedback>;
  /** Let people sign in at a provider by OpenID Connect. Register <address of this server>/sign-in/<slug> as redirect URI there. Nobody sets up a provider that gives a role which they may not give. `POST /api/v1/identity-providers` */
  createIdentityProvider(body: IdentityProviderCreate, options?: RequestOptions & { idempotencyKey?: string }): Promise<IdentityProvider>;
  /** Test an agent. Same as `createPrediction`, but messages are marked INTERNAL and a logged-in account does not need the agent's key. `POST /api/v1/internal-prediction/{id}` */
  createInternalPrediction(params: { id: string }, body: PredictionRequest | FormData, options?: RequestOptions & { idempotencyKey?: string }): Promise<PredictionResult>;
  /** Invite someone. Only this response contains the token. The link `/join#<token>` works once, for 7 days, and makes an account with this e-mail address and role. A new invitation for the same address replaces the earlier one. `POST /api/v1/invitations` */
  createInvitation(body: InvitationCreate, options?: RequestOptions): Promise<NewAccountLink>;
  /** Leave a name, e-mail address or phone number with an agent. `POST /api/v1/leads` */
  createLead(body: LeadCreate, options?: RequestOptions & { idempotencyKey?: string }): Promise<Lead>;
  /** Create a notice channel. At most 20. `mail` needs `SMTP_URL`; `webhook` is signed with `secret` by Standard Webhooks; `slack` sends `{"text": …}`, which Slack, Mattermost and, at addresses that end in `/slack`, Discord accept. `POST /api/v1/notice-channels` */
  createNoticeChannel(body: NoticeChannelCreate, options?: RequestOptions & { idempotencyKey?: string }): Promise<NoticeChannel>;
  /** Send a message to an agent. Returns JSON or, with `streaming: true`, server-sent events. `POST /api/v1/prediction/{id}` */
  createPrediction(params: { id: string }, body: PredictionRequest | FormData, options?: RequestOptions & { idempotencyKey?: string }): Promise<PredictionResult>;
  /** Create a tool. func is the body of an async JavaScript function. It can read each schema parameter as $name, and use $vars, $flow and fetch. Text that is not JavaScript is stored as a description and cannot be called. `POST /api/v1/tools` */
  createTool(body: ToolCreate, options?: RequestOptions & { idempotencyKey?: string }): Promise<Tool>;
  /** Create a variable. Flows read it as $vars.name. If several share a name, the one updated last wins. `POST /api/v1/variables` */
  createVariable(body: VariableCreate, options?: RequestOptions & { idempotencyKey?: string }): Promise<Variable>;
  /** Create the secret of an agent's webhook, which is shown only once. Used to sign requests according to Standard Webhooks. The previous secret stops working immediately or, with `previousValidSeconds`, after that time, so that callers can switch over. `POST /api/v1/chatflows/{id}/webhook-secret` */
  createWebhookSecret(params: { id: string }, body?: WebhookSecretCreate, options?: RequestOptions): Promise<WebhookSecret>;
  /** Leave a conversation whose agent asks for a person to the agent. `DELETE /api/v1/conversations/{id}/hand-over` */
  declineHandOver(params: { id: string }, options?: RequestOptions): Promise<Conversation>;
  /** Remove someone, with their sessions. Their agents, chats and runs stay. Of their API keys, `keys` decides. `DELETE /api/v1/accounts/{id}` */
  deleteAccount(params: { id: string; /** `remove` revokes the API keys of the account; `keep` leaves them valid without an owner. Required if it has some. */ keys?: "keep" | "remove" }, options?: RequestOptions): Promise<void>;
  /** Delete an agent and everything that belongs to it. Its executions are kept. `DELETE /api/v1/chatflows/{id}` */
  deleteAgent(params: { id: string }, options?: RequestOptions): Promise<void>;
  /** Revoke an API key. `DELETE /api/v1/apikey/{id}` */
  deleteApiKey(params: { id: string }, options?: RequestOptions): Promise<void>;
  /** Delete an assistant and everything that belongs to it. Its executions are kept. `DELETE /api/v1/assistants/{id}` */
  deleteAssistant(params: { id: string }, options?: RequestOptions): Promise<void>;
  /** Delete the messages of an agent that match the filters, and the feedback on them. With `hardDelete` the runs of these messages are erased too, with everything that their journals say; those that are under way are cancelled. Data held by third-party services is not deleted; the response says so in the header X-Hard-Delete. `DELETE /api/v1/chatmessage/{id}` */
  deleteChatMessages(params: { id: string; /** INTERNAL or EXTERNAL; may be repeated or sent as a JSON array */ chatType?: string | string[]; startDate?: string; endDate?: string; /** THUMBS_UP or THUMBS_DOWN; may be repeated or sent as a JSON array */ feedbackType?: string | string[]; chatId?: string; sessionId?: string; memoryType?: string; /** true or false */ hardDelete?: string }, options?: RequestOptions): Promise<void>;
  /** Delete a chunk. Its vector is deleted first. `DELETE /api/v1/document-store/chunks/{storeId}/{loaderId}/{chunkId}` */
  deleteChunk(params: { storeId: string; loaderId: string; chunkId: string }, options?: RequestOptions): Promise<void>;
  /** Delete a credential. `DELETE /api/v1/credentials/{id}` */
  deleteCredential(params: { id: string }, options?: RequestOptions): Promise<void>;
  /** Delete a document store with its loaders, chunks and vectors. `DELETE /api/v1/document-store/store/{id}` */
  deleteDocumentStore(params: { id: string }, options?: RequestOptions): Promise<void>;
  /** Delete a run with its steps. Their messages are kept. A running or waiting run is cancelled first. `DELETE /api/v1/executions/{id}` */
  deleteExecution(params: { id: string }, options?: RequestOptions): Promise<ExecutionDeleted>;
  /** Delete runs with their steps. Their messages are kept. A running or waiting run is cancelled first. `DELETE /api/v1/executions` */
  deleteExecutions(body: ExecutionDelete, options?: RequestOptions): Promise<ExecutionDeleted>;
  /** Delete an identity provider. People who signed in with it keep their accounts. `DELETE /api/v1/identity-providers/{id}` */
  deleteIdentityProvider(params: { id: string }, options?: RequestOptions): Promise<void>;
  /** Revoke an invitation or a password link. `DELETE /api/v1/invitations/{id}` */
  deleteInvitation(params: { id: string }, options?: RequestOptions): Promise<void>;
  /** Delete a lead. By the id of the lead. The messages of its chat lose the address too. `DELETE /api/v1/leads/{id}` */
  deleteLead(params: { id: string }, options?: RequestOptions): Promise<void>;
  /** Delete a loader with its chunks. Vectors stay in the vector database; delete them first with `deleteVectors`. `DELETE /api/v1/document-store/loader/{storeId}/{loaderId}` */
  deleteLoader(params: { storeId: string; loaderId: string }, options?: RequestOptions): Promise<void>;
  /** Delete a notice channel. `DELETE /api/v1/notice-channels/{id}` */
  deleteNoticeChannel(params: { id: string }, options?: RequestOptions): Promise<void>;
  /** Delete a question of a document store. `DELETE /api/v1/document-store/store/{id}/questions/{questionId}` */
  deleteStoreQuestion(params: { id: string; questionId: string }, options?: RequestOptions): Promise<void>;
  /** Delete a tool. `DELETE /api/v1/tools/{id}` */
  deleteTool(params: { id: string }, options?: RequestOptions): Promise<void>;
  /** Delete upserts from the history. Marks the upserts as deleted so that they are no longer listed. Returns 404 if none of them are listed. `PATCH /api/v1/upsert-history` */
  deleteUpsertHistory(body: UpsertHistoryDelete, options?: RequestOptions): Promise<void>;
  /** Delete upserts from the history of an agent. Marks the upserts as deleted so that they are no longer listed. Returns 404 if none of them are listed. `PATCH /api/v1/upsert-history/{id}` */
  deleteUpsertHistoryOfAgent(params: { id: string }, body: UpsertHistoryDelete, options?: RequestOptions): Promise<void>;
  /** Delete a variable. `DELETE /api/v1/variables/{id}` */
  deleteVariable(params: { id: string }, options?: RequestOptions): Promise<void>;
  /** Delete the vectors tracked by the record manager. Chunks are kept and can be upserted again. With `docId`, only the vectors of that loader are deleted. `DELETE /api/v1/document-store/vectorstore/{id}` */
  deleteVectors(params: { id: string; docId?: string }, options?: RequestOptions): Promise<void>;
  /** Delete the secret of an agent's webhook. `DELETE /api/v1/chatflows/{id}/webhook-secret` */
  deleteWebhookSecret(params: { id: string }, options?: RequestOptions): Promise<void>;
  /** List the requests that given settings would send and the values they need. The API is only called if its description has to be loaded from a link. `POST /api/v1/flows/requests` */
  describeRequests(body: RequestDescriptionQuery, options?: RequestOptions): Promise<RequestDescription>;
  /** Discard the draft of an agent. `DELETE /api/v1/chatflows/{id}/draft` */
  discardAgentDraft(params: { id: string }, options?: RequestOptions): Promise<void>;
  /** No longer sign in with an account at a provider. `DELETE /api/v1/auth/identities/{id}` */
  disconnectIdentity(params: { id: string }, options?: RequestOptions): Promise<void>;
  /** Draft a flow from a description, or the change of one, as a stream of server-sent events. A chat model edits a flow in memory: `edit` events tell what it does, then comes `draft`, or `error`. Nothing is stored, published or run, and no secret is sent to the model. Closing the connection cancels it. The model's vendor charges for the tokens. `POST /api/v1/flows/drafts` */
  draftFlow(body: FlowDraftRequest, options?: RequestOptions): Promise<AsyncIterable<StreamFrame>>;
  /** End every session of the account: all its tokens are revoked, this one too. `DELETE /api/v1/auth/sessions` */
  endSessions(options?: RequestOptions): Promise<void>;
  /** Erase everything that is kept of a person. Runs that are under way are cancelled first. What is erased is in no table, index or file of the database any more, and in no later backup. Send the request again after a 409, or when it was interrupted. `POST /api/v1/privacy/erase` */
  erasePersonalData(body: Person, options?: RequestOptions): Promise<Erased>;
  /** Ask all questions of a document store, as a stream of server-sent events. `progress` events say how many questions of how many were asked. Then comes `evaluation`, which is kept, or `error`. Closing the connection cancels it. `POST /api/v1/document-store/store/{id}/evaluations` */
  evaluateStore(params: { id: string }, body: StoreEvaluationRequest, options?: RequestOptions): Promise<AsyncIterable<StreamFrame>>;
  /** Download the audit log, the oldest entry first. One JSON object a line, or CSV for spreadsheets. The answer is sent as it is read. `GET /api/v1/audit/export` */
  exportAudit(params?: { /** Id, e-mail address or key name of who did it, or `operator` */ actor?: string; action?: string; /** Id of what it was done to */ thing?: string; from?: string; to?: string; /** Default: what Accept asks for, else ndjson */ format?: "ndjson" | "csv" }, options?: RequestOptions): Promise<Blob>;
  /** Export agents, tools, variables, assistants and document stores, without secrets. One file that POST /import takes. Credentials are named and never exported, and neither are API keys, documents, chats and executions. `GET /api/v1/export` */
  exportInstallation(params?: { /** Whether agents bring their earlier flows */ versions?: "all" | "current" }, options?: RequestOptions): Promise<ExportFile>;
  /** Export everything that is kept of a person. Messages, feedback, leads, files, documents that a chat brought, and runs with their steps. The answer is sent as it is read. `POST /api/v1/privacy/export` */
  exportPersonalData(body: Person, options?: RequestOptions): Promise<PersonalData>;
  /** Export the questions as the YAML file that `retrieve-eval` reads. `GET /api/v1/document-store/store/{id}/question-file` */
  exportStoreQuestions(params: { id: string }, options?: RequestOptions): Promise<string>;
  /** End a sign-in at a provider. `POST /api/v1/auth/oidc/finish` */
  finishSignIn(body: SignInAnswer, options?: RequestOptions): Promise<Session>;
  /** Show what an identity provider says, without signing anybody in. `POST /api/v1/identity-providers/trial` */
  finishSignInTrial(body: SignInAnswer, options?: RequestOptions): Promise<SignInTrial>;
  /** Read an account. `GET /api/v1/accounts/{id}` */
  getAccount(params: { id: string }, options?: RequestOptions): Promise<Account>;
  /** Read an agent. `GET /api/v1/chatflows/{id}` */
  getAgent(params: { id: string }, options?: RequestOptions): Promise<Agent>;
  /** Read the agent that is bound to an API key. Takes the key or its id. If several agents are bound to it, the most recently updated one is returned. `GET /api/v1/chatflows/apikey/{apikey}` */
  getAgentByApiKey(params: { apikey: string }, options?: RequestOptions): Promise<Agent>;
  /** Read the draft of an agent. Without a draft, the published flow with `isDraft: false`. `GET /api/v1/chatflows/{id}/draft` */
  getAgentDraft(params: { id: string }, options?: RequestOptions): Promise<AgentDraft>;
  /** Read a saved flow of an agent. `GET /api/v1/chatflows/{id}/versions/{number}` */
  getAgentVersion(params: { id: string; number: number }, options?: RequestOptions): Promise<AgentVersion>;
  /** Read an API key, without the key itself. `GET /api/v1/apikey/{id}` */
  getApiKey(params: { id: string }, options?: RequestOptions): Promise<ApiKey>;
  /** Read an assistant. Returns 422 if the id belongs to another kind of resource. `GET /api/v1/assistants/{id}` */
  getAssistant(params: { id: string }, options?: RequestOptions): Promise<Assistant>;
  /** List who did what to which thing, the newest first. Each change has an entry that is written in the transaction of the change. Sign-ins, requests that were refused to signed-in callers, and accounts that read chats of others have one, too. `GET /api/v1/audit` */
  getAuditLog(params?: { /** Id, e-mail address or key name of who did it, or `operator` */ actor?: string; action?: string; /** Id of what it was done to */ thing?: string; from?: string; to?: string; /** Only entries before this `seq`: `next` of the page before */ before?: number; limit?: number }, options?: RequestOptions): Promise<AuditPage>;
  /** Get the owner of the token or API key. `GET /api/v1/auth/me` */
  getCaller(options?: RequestOptions): Promise<Caller>;
  /** Get the appearance and features of an agent's chat. `GET /api/v1/public-chatbotConfig/{id}` */
  getChatConfig(params: { id: string; /** Whether to use the agent's draft. Only for callers that may edit agents. */ draft?: "true" | "false" }, options?: RequestOptions): Promise<ChatConfig>;
  /** Count the messages, sessions and ratings of an agent. `GET /api/v1/stats/{id}` */
  getChatStats(params: { id: string; /** INTERNAL or EXTERNAL; may be repeated or sent as a JSON array */ chatType?: string | string[]; startDate?: string; endDate?: string; /** THUMBS_UP or THUMBS_DOWN; may be repeated or sent as a JSON array */ feedbackType?: string | string[] }, options?: RequestOptions): Promise<ChatStats>;
  /** Get a conversation. Its messages are listed by `listChatMessages`, with its chat id. `GET /api/v1/conversations/{id}` */
  getConversation(params: { id: string }, options?: RequestOptions): Promise<Conversation>;
  /** Read a credential, without its values. `GET /api/v1/credentials/{id}` */
  getCredential(params: { id: string }, options?: RequestOptions): Promise<Credential>;
  /** Get the default model. `GET /api/v1/models/default` */
  getDefaultModel(options?: RequestOptions): Promise<DefaultModel>;
  /** Download a file that was uploaded into a document store. A passage names its loader in `metadata.docId` and its file in `metadata.source`. Files that a loader fetched from elsewhere are not kept. `GET /api/v1/document-store/file/{loaderId}` */
  getDocumentFile(params: { loaderId: string; /** File name, as in the passage's `source` */ fileName: string }, options?: RequestOptions): Promise<Blob>;
  /** Read a document store. `GET /api/v1/document-store/store/{id}` */
  getDocumentStore(params: { id: string }, options?: RequestOptions): Promise<DocumentStore>;
  /** The reference event API as an OpenAPI 3.0 document. `GET /event-api.yaml` */
  getEventApiDocument(options?: RequestOptions): Promise<string>;
  /** Get a run with its steps. `GET /api/v1/executions/{id}` */
  getExecution(params: { id: string; /** The `nodeKey` of a step whose values are not cut. */ wholeStep?: string }, options?: RequestOptions): Promise<Execution>;
  /** Show the uploaded file of Flowise, and the progress or report of its import. `GET /api/v1/flowise-import` */
  getFlowiseImport(options?: RequestOptions): Promise<FlowiseImport>;
  /** Read an identity provider, without its secret. `GET /api/v1/identity-providers/{id}` */
  getIdentityProvider(params: { id: string }, options?: RequestOptions): Promise<IdentityProvider>;
  /** Check whether the process is running. `GET /livez` */
  getLiveness(options?: RequestOptions): Promise<{
    status: "ok";
  }>;
  /** Read a loader with its full configuration. `GET /api/v1/document-store/loader/{storeId}/{loaderId}` */
  getLoader(params: { storeId: string; loaderId: string }, options?: RequestOptions): Promise<StoredLoader>;
  /** Get metrics for Prometheus. Runs, steps, models, the database and the process, in Prometheus' text format. Counts are those of the process that answers; `weft_runs_running` and `weft_runs_waiting` are those of the database. While the database does not answer, `weft_database_up` is 0, and a bearer that was proven within the last day still gets an answer. `GET /metrics` */
  getMetrics(options?: RequestOptions): Promise<string>;
  /** Read a notice channel. `GET /api/v1/notice-channels/{id}` */
  getNoticeChannel(params: { id: string }, options?: RequestOptions): Promise<NoticeChannel>;
  /** This API as an OpenAPI 3.1 document. `GET /openapi.json` */
  getOpenApi(options?: RequestOptions): Promise<{ [key: string]: Json }>;
  /** Get what model calls cost. US dollars for a million tokens. A model is looked for as it is named, then without its date or revision. A model without a price has no cost, which is not the same as 0. `GET /api/v1/prices` */
  getPrices(options?: RequestOptions): Promise<Prices>;
  /** Get whether public agents answer without credentials. `GET /api/v1/public-access` */
  getPublicAccess(options?: RequestOptions): Promise<PublicAccess>;
  /** Get an agent's public configuration. The flow is reduced to the form of its start node, without keys, settings or prompts. `GET /api/v1/public-chatflows/{id}` */
  getPublicAgent(params: { id: string }, options?: RequestOptions): Promise<Agent>;
  /** Check whether the server is ready for requests. `GET /readyz` */
  getReadiness(options?: RequestOptions): Promise<{
    status: "ok";
  }>;
  /** Get an agent's schedule and its next run. `GET /api/v1/chatflows/{id}/schedule/status` */
  getScheduleStatus(params: { id: string }, options?: RequestOptions): Promise<ScheduleStatus>;
  /** Get an agent, as a model. `GET /v1/models/{id}` */
  getServedModel(params: { id: string }, options?: RequestOptions): Promise<ServedModel>;
  /** Check whether the first account still has to be created. `GET /api/v1/auth/setup` */
  getSetUp(options?: RequestOptions): Promise<SetUpState>;
  /** Where people can sign in, besides with a password. `GET /api/v1/auth/oidc` */
  getSignInOptions(options?: RequestOptions): Promise<SignInOptions>;
  /** Get what happened lately: runs, failures, durations, tokens and costs. A run counts in the hour in which it ended or paused, over whole hours up to now. An API key sees the runs that it reaches. `GET /api/v1/stats` */
  getStats(params?: { range?: "24h" | "7d" | "30d"; /** Only runs of this agent. */ agentflowId?: string }, options?: RequestOptions): Promise<Stats>;
  /** Get whether the questions of a document store are checked after every upsert. `GET /api/v1/document-store/store/{id}/evaluation-settings` */
  getStoreCheck(params: { id: string }, options?: RequestOptions): Promise<StoreCheck>;
  /** Get an evaluation with the outcome of each question. Only the newest evaluation keeps its outcomes. `GET /api/v1/document-store/store/{id}/evaluations/{evaluationId}` */
  getStoreEvaluation(params: { id: string; evaluationId: string }, options?: RequestOptions): Promise<StoreEvaluationDetail>;
  /** Check whether an agent's answers can be streamed. Always true, even for an unknown agent, so it reveals nothing about an agent. It needs no credentials because published SDKs only send theirs with the prediction. `GET /api/v1/chatflows-streaming/{id}` */
  getStreamingInfo(params: { id: string }, options?: RequestOptions): Promise<StreamingInfo>;
  /** Get the state of the whole installation. The processes on the database, the queue, take-overs, the database, Redis, the disk, vectors in memory, and callbacks that fail. A failing callback is sent again by `POST /chatflows/{agentflowId}/deliveries/{id}/resend`. An API key that is limited to agents sees no others. `GET /api/v1/system` */
  getSystem(options?: RequestOptions): Promise<System>;
  /** Get a template with its flow. `GET /api/v1/templates/{id}` */
  getTemplate(params: { id: string }, options?: RequestOptions): Promise<Template>;
  /** Read a tool. `GET /api/v1/tools/{id}` */
  getTool(params: { id: string }, options?: RequestOptions): Promise<Tool>;
  /** Download a file of a chat. Images, audio and video are served for display in a browser; everything else is served as a download. `GET /api/v1/get-upload-file` */
  getUploadFile(params: { chatflowId: string; chatId: string; /** File name, as given in the chat message */ fileName: string; /** Always serve the file as a download */ download?: "true" | "false" }, options?: RequestOptions): Promise<Blob>;
  /** Get the file types an agent accepts. `GET /api/v1/chatflows-uploads/{id}` */
  getUploadInfo(params: { id: string }, options?: RequestOptions): Promise<UploadInfo>;
  /** Get the progress or result of an upsert. `GET /api/v1/document-store/upserts/{id}` */
  getUpsert(params: { id: string }, options?: RequestOptions): Promise<UpsertJob>;
  /** Read a variable. `GET /api/v1/variables/{id}` */
  getVariable(params: { id: string }, options?: RequestOptions): Promise<Variable>;
  /** Get the version of the server. `GET /api/v1/version` */
  getVersion(options?: RequestOptions): Promise<{
    version: string;
  }>;
  /** Get whether an agent's webhook has a secret; the secret itself is never returned. `GET /api/v1/chatflows/{id}/webhook-secret` */
  getWebhookSecretState(params: { id: string }, options?: RequestOptions): Promise<WebhookSecretState>;
  /** Let the agent answer a conversation again. Also one that someone else took over. The agent remembers what was said meanwhile. `DELETE /api/v1/conversations/{id}/take-over` */
  handBackConversation(params: { id: string }, options?: RequestOptions): Promise<Conversation>;
  /** Create an agent from exported files. Takes the files that `/flows/read` takes. Secrets in them are stored as credentials, if you may write credentials, and never appear in the flow. Nothing is executed. `POST /api/v1/flows/import` */
  importFlow(body: FlowImportRequest, options?: RequestOptions & { idempotencyKey?: string }): Promise<FlowImport>;
  /** Import an export file. Checks the whole file before anything is written. What is here under the same id is left alone if it is the same; mode says what happens to the rest. Import the file again to complete an interrupted import. `POST /api/v1/import` */
  importInstallation(params: { /** skip keeps what differs here, overwrite takes what the file says */ mode?: "skip" | "overwrite"; /** Only report what an import would do */ dryRun?: boolean | string }, body: ImportFile, options?: RequestOptions): Promise<ImportReport>;
  /** Add the questions of a file that `retrieve-eval` reads, YAML or JSON. Questions that the store has already are skipped. `POST /api/v1/document-store/store/{id}/question-file` */
  importStoreQuestions(params: { id: string }, body: StoreQuestionImport, options?: RequestOptions): Promise<StoreQuestionImportResult>;
  /** Embed the existing chunks of a store and write them to the vector database. With `Prefer: respond-async` it answers 202 at once, with the upsert to follow. `POST /api/v1/document-store/vectorstore/insert` */
  insertVectors(body: VectorStoreSettings, options?: RequestOptions): Promise<UpsertResult[]>;
  /** List the accounts, by e-mail address. `GET /api/v1/accounts` */
  listAccounts(options?: RequestOptions): Promise<Account[]>;
  /** List the accounts, by e-mail address. `GET /api/v1/accounts` */
  listAccounts(params: { /** With `limit`: the page to return, from 1 */ page: number; /** With `page`: entries per page. With only one of the two the list is complete. */ limit: number }, options?: RequestOptions): Promise<{
    data: Account[];
    total: number;
  }>;
  /** Check the draft of an agent. `GET /api/v1/chatflows/{id}/draft/findings` */
  listAgentDraftFindings(params: { id: string }, options?: RequestOptions): Promise<{
    level: "error" | "warning";
    code: string;
    nodeId: string | null;
    path?: string;
    message: string;
    bind?: {
      credential: string;
      name: string;
      host: string;
      destination: string;
    };
    fix?: {
      title: string;
      path: string;
      value: Json;
    };
  }[]>;
  /** Check the saved flow of an agent. `GET /api/v1/chatflows/{id}/findings` */
  listAgentFindings(params: { id: string }, options?: RequestOptions): Promise<{
    level: "error" | "warning";
    code: string;
    nodeId: string | null;
    path?: string;
    message: string;
    bind?: {
      credential: string;
      name: string;
      host: string;
      destination: string;
    };
    fix?: {
      title: string;
      path: string;
      value: Json;
    };
  }[]>;
  /** List how each agent fared in the last seven days, and its last run. Runs are counted as in `GET /stats`, in seven days of whole hours up to now. Agents that never ran are left out. An API key sees the runs that it reaches. `GET /api/v1/stats/agents` */
  listAgentStats(options?: RequestOptions): Promise<AgentStats[]>;
  /** List the saved flows of an agent, newest first. `GET /api/v1/chatflows/{id}/versions` */
  listAgentVersions(params: { id: string }, options?: RequestOptions): Promise<AgentVersionSummary[]>;
  /** List the agents, most recently updated first. `GET /api/v1/chatflows` */
  listAgents(params?: { type?: "AGENTFLOW" | "CHATFLOW" | "MULTIAGENT" | "ASSISTANT" }, options?: RequestOptions): Promise<Agent[]>;
  /** List the agents, most recently updated first. `GET /api/v1/chatflows` */
  listAgents(params: { /** With `limit`: the page to return, from 1 */ page: number; /** With `page`: entries per page. With only one of the two the list is complete. */ limit: number; type?: "AGENTFLOW" | "CHATFLOW" | "MULTIAGENT" | "ASSISTANT" }, options?: RequestOptions): Promise<{
    data: Agent[];
    total: number;
  }>;
  /** List the API keys, without the keys themselves. `GET /api/v1/apikey` */
  listApiKeys(options?: RequestOptions): Promise<ApiKey[]>;
  /** List the API keys, without the keys themselves. `GET /api/v1/apikey` */
  listApiKeys(params: { /** With `limit`: the page to return, from 1 */ page: number; /** With `page`: entries per page. With only one of the two the list is complete. */ limit: number }, options?: RequestOptions): Promise<{
    data: ApiKey[];
    total: number;
  }>;
  /** List the assistants, most recently updated first. `GET /api/v1/assistants` */
  listAssistants(options?: RequestOptions): Promise<Assistant[]>;
  /** List the assistants, most recently updated first. `GET /api/v1/assistants` */
  listAssistants(params: { /** With `limit`: the page to return, from 1 */ page: number; /** With `page`: entries per page. With only one of the two the list is complete. */ limit: number }, options?: RequestOptions): Promise<{
    data: Assistant[];
    total: number;
  }>;
  /** List the deliveries to an agent's callback address, newest first. `GET /api/v1/chatflows/{id}/deliveries` */
  listCallbackDeliveries(params: { id: string; page?: number; limit?: number; state?: "PENDING" | "DELIVERED" | "FAILED" | "STOPPED"; /** Only the deliveries of this run. */ executionId?: string }, options?: RequestOptions): Promise<{
    data: CallbackDelivery[];
    total: number;
  }>;
  /** List the messages of an agent, oldest first. An unknown agent has no messages. With `feedback=true`, only messages with feedback are listed, together with that feedback. `GET /api/v1/chatmessage/{id}` */
  listChatMessages(params: { id: string; /** INTERNAL or EXTERNAL; may be repeated or sent as a JSON array */ chatType?: string | string[]; startDate?: string; endDate?: string; /** THUMBS_UP or THUMBS_DOWN; may be repeated or sent as a JSON array */ feedbackType?: string | string[]; chatId?: string; sessionId?: string; memoryType?: string; messageId?: string; order?: "ASC" | "DESC"; /** true or false */ feedback?: string }, options?: RequestOptions): Promise<ChatMessage[]>;
  /** List the messages of an agent, oldest first. An unknown agent has no messages. With `feedback=true`, only messages with feedback are listed, together with that feedback. `GET /api/v1/chatmessage/{id}` */
  listChatMessages(params: { id: string; /** With `limit`: the page to return, from 1 */ page: number; /** With `page`: entries per page. With only one of the two the list is complete. */ limit: number; /** INTERNAL or EXTERNAL; may be repeated or sent as a JSON array */ chatType?: string | string[]; startDate?: string; endDate?: string; /** THUMBS_UP or THUMBS_DOWN; may be repeated or sent as a JSON array */ feedbackType?: string | string[]; chatId?: string; sessionId?: string; memoryType?: string; messageId?: string; order?: "ASC" | "DESC"; /** true or false */ feedback?: string }, options?: RequestOptions): Promise<{
    data: ChatMessage[];
    total: number;
  }>;
  /** Get what people wrote in a chat in place of the agent. At most 100 replies: the newest ones, or those after a message. While a person answers a chat, predictions in it return `takenOver`; ask for replies every few seconds then. `GET /api/v1/chatmessage/replies/{agentId}/{chatId}` */
  listChatReplies(params: { agentId: string; chatId: string; /** Id of a message of the chat: only what came after it */ after?: string }, options?: RequestOptions): Promise<ChatReplies>;
  /** List a loader's chunks, 50 per page. `GET /api/v1/document-store/chunks/{storeId}/{loaderId}/{page}` */
  listChunks(params: { storeId: string; loaderId: string; page: number; /** Only chunks that contain this text */ search?: string }, options?: RequestOptions): Promise<ChunkPage>;
  /** List the conversations of all agents, the newest first. A conversation is what an agent and someone said to each other under one chat id. The list looks at the last 5,000 messages, those before `endDate` if one is given; `olderThan` leads to older ones. `GET /api/v1/conversations` */
  listConversations(params?: { page?: number; limit?: number; agentId?: string; chatType?: "INTERNAL" | "EXTERNAL"; /** Words of some message, in any case */ search?: string; /** Some answer was rated like this */ rating?: "THUMBS_UP" | "THUMBS_DOWN"; label?: string; /** `hand-over`: the agent asks for a person; `taken-over`: a person answers; `waiting`: a run waits for an answer; `failed`: a run failed */ state?: "hand-over" | "taken-over" | "waiting" | "failed"; startDate?: string; endDate?: string }, options?: RequestOptions): Promise<{
    data: Conversation[];
    total: number;
    /** The oldest message that was looked at; with it as `endDate`, the list looks at older ones. Null: all were looked at. */
    olderThan: string | null;
  }>;
  /** List the credential types with their fields. `GET /api/v1/credential-types` */
  listCredentialTypes(options?: RequestOptions): Promise<CredentialType[]>;
  /** List the credentials, without their values. `GET /api/v1/credentials` */
  listCredentials(params?: { credentialName?: string | string[] }, options?: RequestOptions): Promise<Credential[]>;
  /** List the credentials, without their values. `GET /api/v1/credentials` */
  listCredentials(params: { /** With `limit`: the page to return, from 1 */ page: number; /** With `page`: entries per page. With only one of the two the list is complete. */ limit: number; credentialName?: string | string[] }, options?: RequestOptions): Promise<{
    data: Credential[];
    total: number;
  }>;
  /** List the document stores, most recently updated first. `GET /api/v1/document-store/store` */
  listDocumentStores(options?: RequestOptions): Promise<DocumentStore[]>;
  /** List the document stores, most recently updated first. `GET /api/v1/document-store/store` */
  listDocumentStores(params: { /** With `limit`: the page to return, from 1 */ page: number; /** With `page`: entries per page. With only one of the two the list is complete. */ limit: number }, options?: RequestOptions): Promise<{
    data: DocumentStore[];
    total: number;
  }>;
  /** List the available embedding models with their settings. `GET /api/v1/document-store/components/embeddings` */
  listEmbeddingProviders(options?: RequestOptions): Promise<DocumentComponent[]>;
  /** List runs, the most recently updated first. `state=STOPPED` lists runs waiting for human input, a signal, or a later moment. Dates refer to the start of the run and are inclusive. With `page` and `limit` each row includes `executionData` and a page has at most 50 rows, unless `executionData=false`. `GET /api/v1/executions` */
  listExecutions(params?: { page?: number; limit?: number; /** Whether rows include their steps when page and limit are given. */ executionData?: "true" | "false"; id?: string; agentflowId?: string; /** Part of the agent's name. */ agentflowName?: string; sessionId?: string; chatId?: string; state?: "INPROGRESS" | "FINISHED" | "ERROR" | "TERMINATED" | "TIMEOUT" | "STOPPED"; /** Looks at the 20,000 runs updated last. */ origin?: "builder" | "api" | "visitor" | "schedule" | "webhook"; startDate?: string; endDate?: string; /** Part of the question or of the session's id, or the beginning of the run's id. Looks at the 20,000 runs updated last. */ search?: string }, options?: RequestOptions): Promise<{
    data: ExecutionSummary[];
    total: number;
  }>;
  /** List the feedback of an agent, oldest first, or leave feedback. Leaves feedback only if messageId, rating or content is given in the query or in a JSON body; the query takes precedence. HEAD never leaves feedback. To leave feedback, the id is that of the feedback, and the key also needs feedback:write. To list, it is the agent's id; an unknown agent has no feedback. `GET /api/v1/feedback/{id}` */
  listFeedback(params: { id: string; messageId?: string; rating?: "THUMBS_UP" | "THUMBS_DOWN"; content?: string | null; chatflowid?: string; chatId?: string; /** Accepted and ignored. */ createdDate?: unknown; sortOrder?: "asc" | "desc"; /** Same as sortOrder, which takes precedence if both are given. */ order?: "ASC" | "DESC"; startDate?: string; endDate?: string }, options?: RequestOptions): Promise<Feedback[]>;
  /** List the feedback of an agent, oldest first, or leave feedback. Leaves feedback only if messageId, rating or content is given in the query or in a JSON body; the query takes precedence. HEAD never leaves feedback. To leave feedback, the id is that of the feedback, and the key also needs feedback:write. To list, it is the agent's id; an unknown agent has no feedback. `GET /api/v1/feedback/{id}` */
  listFeedback(params: { id: string; /** With `limit`: the page to return, from 1 */ page: number; /** With `page`: entries per page. With only one of the two the list is complete. */ limit: number; messageId?: string; rating?: "THUMBS_UP" | "THUMBS_DOWN"; content?: string | null; chatflowid?: string; chatId?: string; /** Accepted and ignored. */ createdDate?: unknown; sortOrder?: "asc" | "desc"; /** Same as sortOrder, which takes precedence if both are given. */ order?: "ASC" | "DESC"; startDate?: string; endDate?: string }, options?: RequestOptions): Promise<{
    data: Feedback[];
    total: number;
  }>;
  /** List the identity providers, without their secrets. `GET /api/v1/identity-providers` */
  listIdentityProviders(options?: RequestOptions): Promise<IdentityProvider[]>;
  /** List the integrations. `GET /api/v1/integrations` */
  listIntegrations(options?: RequestOptions): Promise<Integration[]>;
  /** List the messages of an agent's chats in the builder, oldest first. `GET /api/v1/internal-chatmessage/{id}` */
  listInternalChatMessages(params: { id: string; startDate?: string; endDate?: string; /** THUMBS_UP or THUMBS_DOWN; may be repeated or sent as a JSON array */ feedbackType?: string | string[]; chatId?: string; sessionId?: string; memoryType?: string; messageId?: string; order?: "ASC" | "DESC"; /** true or false */ feedback?: string }, options?: RequestOptions): Promise<ChatMessage[]>;
  /** List the messages of an agent's chats in the builder, oldest first. `GET /api/v1/internal-chatmessage/{id}` */
  listInternalChatMessages(params: { id: string; /** With `limit`: the page to return, from 1 */ page: number; /** With `page`: entries per page. With only one of the two the list is complete. */ limit: number; startDate?: string; endDate?: string; /** THUMBS_UP or THUMBS_DOWN; may be repeated or sent as a JSON array */ feedbackType?: string | string[]; chatId?: string; sessionId?: string; memoryType?: string; messageId?: string; order?: "ASC" | "DESC"; /** true or false */ feedback?: string }, options?: RequestOptions): Promise<{
    data: ChatMessage[];
    total: number;
  }>;
  /** List the open invitations and password links, without their tokens. `GET /api/v1/invitations` */
  listInvitations(options?: RequestOptions): Promise<AccountLink[]>;
  /** List the leads of an agent, oldest first. Returns 404 if there are none. `GET /api/v1/leads/{id}` */
  listLeads(params: { id: string }, options?: RequestOptions): Promise<Lead[]>;
  /** List the leads of an agent, oldest first. Returns 404 if there are none. `GET /api/v1/leads/{id}` */
  listLeads(params: { id: string; /** With `limit`: the page to return, from 1 */ page: number; /** With `page`: entries per page. With only one of the two the list is complete. */ limit: number }, options?: RequestOptions): Promise<{
    data: Lead[];
    total: number;
  }>;
  /** List the available loaders with their settings. `GET /api/v1/document-store/components/loaders` */
  listLoaderTypes(options?: RequestOptions): Promise<DocumentComponent[]>;
  /** List the model providers. `GET /api/v1/models` */
  listModelProviders(options?: RequestOptions): Promise<ModelProvider[]>;
  /** List the node types. `GET /api/v1/nodes` */
  listNodeTypes(options?: RequestOptions): Promise<NodeType[]>;
  /** List the notice channels, most recently updated first. Most recently updated first. Of the address of a webhook only the beginning is returned. `GET /api/v1/notice-channels` */
  listNoticeChannels(options?: RequestOptions): Promise<NoticeChannel[]>;
  /** List the notice channels, most recently updated first. Most recently updated first. Of the address of a webhook only the beginning is returned. `GET /api/v1/notice-channels` */
  listNoticeChannels(params: { /** With `limit`: the page to return, from 1 */ page: number; /** With `page`: entries per page. With only one of the two the list is complete. */ limit: number }, options?: RequestOptions): Promise<{
    data: NoticeChannel[];
    total: number;
  }>;
  /** List notices: open ones first, then the latest. What people should look at, such as failing runs, spent budgets and people who are waited for. Callers see what their permissions and agents cover. Resolved ones are kept for 30 days. `GET /api/v1/notices` */
  listNotices(params?: { page?: number; limit?: number }, options?: RequestOptions): Promise<{
    data: Notice[];
    total: number;
    /** Open notices that the caller has not seen */
    unseen: number;
  }>;
  /** List the accounts at providers that the caller signs in with. `GET /api/v1/auth/identities` */
  listOwnIdentities(options?: RequestOptions): Promise<AccountIdentity[]>;
  /** List the available record managers with their settings. `GET /api/v1/document-store/components/recordmanager` */
  listRecordManagers(options?: RequestOptions): Promise<DocumentComponent[]>;
  /** List how long data is kept. For each kind of data, with the environment variable of the server that changes it. `GET /api/v1/retention` */
  listRetention(options?: RequestOptions): Promise<Retention[]>;
  /** List the available settings of searches with their settings. `GET /api/v1/document-store/components/retrieval` */
  listRetrievalSettings(options?: RequestOptions): Promise<DocumentComponent[]>;
  /** List the roles, with what each may do. `GET /api/v1/roles` */
  listRoles(options?: RequestOptions): Promise<RoleGrants[]>;
  /** List the times an agent's schedule was due, newest first. `GET /api/v1/chatflows/{id}/schedule/trigger-logs` */
  listScheduleLogs(params: { id: string; page?: number; limit?: number; status?: "RUNNING" | "SUCCEEDED" | "FAILED" | "SKIPPED" }, options?: RequestOptions): Promise<{
    data: ScheduleLog[];
    total: number;
    page: number;
    limit: number;
  }>;
  /** List the schedules of all agents, the soonest first. Agents whose published flow starts on no valid schedule are left out. Those that are off are last. `GET /api/v1/schedules` */
  listSchedules(options?: RequestOptions): Promise<Schedule[]>;
  /** List the agents available to the caller, as models. `GET /v1/models` */
  listServedModels(options?: RequestOptions): Promise<ServedModelList>;
  /** List the available splitters with their settings. `GET /api/v1/document-store/components/splitters` */
  listSplitters(options?: RequestOptions): Promise<DocumentComponent[]>;
  /** List how well a document store answered its questions, newest first. The newest 200 are kept. `GET /api/v1/document-store/store/{id}/evaluations` */
  listStoreEvaluations(params: { id: string }, options?: RequestOptions): Promise<StoreEvaluation[]>;
  /** List the questions of a document store, oldest first. `GET /api/v1/document-store/store/{id}/questions` */
  listStoreQuestions(params: { id: string }, options?: RequestOptions): Promise<StoreQuestion[]>;
  /** List the templates for new agents, without their flows. `GET /api/v1/templates` */
  listTemplates(options?: RequestOptions): Promise<TemplateSummary[]>;
  /** List the tools, most recently updated first. `GET /api/v1/tools` */
  listTools(options?: RequestOptions): Promise<Tool[]>;
  /** List the tools, most recently updated first. `GET /api/v1/tools` */
  listTools(params: { /** With `limit`: the page to return, from 1 */ page: number; /** With `page`: entries per page. With only one of the two the list is complete. */ limit: number }, options?: RequestOptions): Promise<{
    data: Tool[];
    total: number;
  }>;
  /** List the upserts of an agent, oldest first. Returns an empty list for an unknown agent. `GET /api/v1/upsert-history/{id}` */
  listUpsertHistory(params: { id: string; order?: "ASC" | "DESC"; startDate?: string; endDate?: string }, options?: RequestOptions): Promise<UpsertHistoryRecord[]>;
  /** List the upserts of an agent, oldest first. Returns an empty list for an unknown agent. `GET /api/v1/upsert-history/{id}` */
  listUpsertHistory(params: { id: string; /** With `limit`: the page to return, from 1 */ page: number; /** With `page`: entries per page. With only one of the two the list is complete. */ limit: number; order?: "ASC" | "DESC"; startDate?: string; endDate?: string }, options?: RequestOptions): Promise<{
    data: UpsertHistoryRecord[];
    total: number;
  }>;
  /** List the recent upserts of a store, newest first. `GET /api/v1/document-store/store/{id}/upserts` */
  listUpserts(params: { id: string }, options?: RequestOptions): Promise<UpsertJob[]>;
  /** List where a credential, agent, document store, tool or variable is used. Steps of agents and of their drafts, assistants, document stores and the default model. An API key sees the agents that it reaches, and stores with document-stores:read. `GET /api/v1/uses` */
  listUses(params: { kind: "credential" | "agent" | "document-store" | "tool" | "variable"; /** Its id; of a variable, its name */ id: string }, options?: RequestOptions): Promise<Use[]>;
  /** List the variables. Most recently updated first. The environment values of runtime variables are not shown. `GET /api/v1/variables` */
  listVariables(options?: RequestOptions): Promise<Variable[]>;
  /** List the variables. Most recently updated first. The environment values of runtime variables are not shown. `GET /api/v1/variables` */
  listVariables(params: { /** With `limit`: the page to return, from 1 */ page: number; /** With `page`: entries per page. With only one of the two the list is complete. */ limit: number }, options?: RequestOptions): Promise<{
    data: Variable[];
    total: number;
  }>;
  /** List the available vector databases with their settings. `GET /api/v1/document-store/components/vectorstore` */
  listVectorStores(options?: RequestOptions): Promise<DocumentComponent[]>;
  /** List the voices that a service reads aloud in. ElevenLabs is asked for the voices of the credential's account; OpenAI's voices are the same for all. `GET /api/v1/text-to-speech/voices` */
  listVoices(params: { /** As `textToSpeech` of an agent names the service */ provider: "openai" | "elevenlabs"; /** If absent or empty, the server's own key */ credentialId?: string }, options?: RequestOptions): Promise<Voice[]>;
  /** List runs that are waiting for human input, the most recent question first. Each with all of its open questions; answer one with `POST /executions/{id}/answer` and the `id` of its action as `waitId`. An API key sees its own runs, and with `chats:write` those of everyone who uses its agents. `GET /api/v1/executions/waiting` */
  listWaitingExecutions(params?: { page?: number; /** 0: only the total is returned. */ limit?: number }, options?: RequestOptions): Promise<{
    data: WaitingExecution[];
    total: number;
  }>;
  /** Log in. After 5 failed attempts for an e-mail address from one network, further attempts from that network get 429 for a period that grows with each failure; see Retry-After. The same applies after 20 failures for an e-mail address from anywhere, and after 20 from one network, except from places where the account has logged in before. `POST /api/v1/auth/login` */
  logIn(body: Login, options?: RequestOptions): Promise<Session>;
  /** Revoke the token of this request. `POST /api/v1/auth/logout` */
  logOut(options?: RequestOptions): Promise<void>;
  /** Read what the token of a link is for. `POST /api/v1/invitations/look` */
  lookAtInvitation(body: AccountLinkToken, options?: RequestOptions): Promise<AccountLink>;
  /** Mark notices as seen by the caller. Ids of notices that do not exist, or that the caller may not see, are left out. `POST /api/v1/notices/seen` */
  markNoticesSeen(body: NoticesSeen, options?: RequestOptions): Promise<{
    unseen: number;
  }>;
  /** Create a link with which someone chooses a new password. The password stays valid until the link is used. Then every session of the account ends. `POST /api/v1/accounts/{id}/password-reset` */
  offerPasswordReset(params: { id: string }, options?: RequestOptions): Promise<NewAccountLink>;
  /** Return pong. `GET /api/v1/ping` */
  ping(options?: RequestOptions): Promise<string>;
  /** Preview a loader and a splitter without storing anything. `POST /api/v1/document-store/loader/preview` */
  previewLoader(body: LoaderPreviewBody, options?: RequestOptions): Promise<LoaderPreview>;
  /** Load and split the sources of a loader without embedding them. Returns the first chunks when done. With `Prefer: respond-async` it returns 202 immediately. `POST /api/v1/document-store/loader/process/{loaderId}` */
  processLoader(params: { loaderId: string }, body: LoaderProcess, options?: RequestOptions): Promise<ChunkPage>;
  /** Search a document store. `POST /api/v1/document-store/vectorstore/query` */
  queryDocumentStore(body: VectorQuery, options?: RequestOptions): Promise<VectorQueryResult>;
  /** Read an answer aloud. Streams `tts_start`, `tts_data` with the pieces of an MP3 file in base64, and `tts_end`, as server-sent events; `tts_error` if the service fails in the middle. The agent's settings choose service and voice. Without credentials the stored answer is read, whatever `text` says, within the agent's budget and once, or again if the service broke off. `POST /api/v1/text-to-speech/generate` */
  readAloud(body: TextToSpeechRequest, options?: RequestOptions): Promise<AsyncIterable<StreamFrame>>;
  /** Convert a flow of any dialect to the native format and check it. Takes any value accepted as an agent's `flowData` or the text of an exported file, or files of another builder: a Foundry workflow with its agents, or the code that Agent Builder exports. Nothing is stored or executed. `POST /api/v1/flows/read` */
  readFlow(body: FlowReadingRequest, options?: RequestOptions): Promise<FlowReading>;
  /** Reload the documents of a store and write what has changed. If items is omitted, every loader is refreshed. Sources that fail to load keep their chunks and vectors. `POST /api/v1/document-store/refresh/{id}` */
  refreshDocuments(params: { id: string }, body?: DocumentRefresh, options?: RequestOptions): Promise<UpsertResult[]>;
  /** Exchange the token of this request for a new one. `POST /api/v1/auth/refresh` */
  refreshToken(options?: RequestOptions): Promise<RefreshedToken>;
  /** No longer allow a credential to be sent to an address. `DELETE /api/v1/credentials/{id}/destinations` */
  removeDestination(params: { id: string }, options?: RequestOptions): Promise<Credential>;
  /** Run an agent again from one of a run's steps. Returns the new run, which has already started, in a chat of its own. What finished before the step is not repeated, and can be changed. From the step on, every call that changes something waits for a person to approve it. With `draft` the agent's draft is run, with its pinned outputs. `POST /api/v1/executions/{id}/replay` */
  replayExecution(params: { id: string }, body: ExecutionReplay, options?: RequestOptions): Promise<Execution>;
  /** Write to a conversation that one has taken over. `POST /api/v1/conversations/{id}/replies` */
  replyToConversation(params: { id: string }, body: PersonReply, options?: RequestOptions & { idempotencyKey?: string }): Promise<{
    id: string;
    author: string;
    text: string;
    createdDate: string;
  }>;
  /** Resend a delivery to the callback address. Sends it immediately with the same `webhook-id`, and retries for up to a day if it fails. `POST /api/v1/chatflows/{id}/deliveries/{deliveryId}/resend` */
  resendCallbackDelivery(params: { id: string; deliveryId: string }, options?: RequestOptions): Promise<CallbackDelivery>;
  /** Reset the default model to the one from the server's environment. `DELETE /api/v1/models/default` */
  resetDefaultModel(options?: RequestOptions): Promise<DefaultModel>;
  /** Restore an earlier flow of an agent. Publishes it at once, as the newest version. The draft stays as it is. `POST /api/v1/chatflows/{id}/versions/{number}/restore` */
  restoreAgentVersion(params: { id: string; number: number }, options?: RequestOptions & { confirmDestinations?: "true" | "false" }): Promise<Agent>;
  /** Retry a failed run from the step that failed. Returns the new run, which has already started. Finished steps are not repeated; the failed step and any unfinished ones are attempted again, even if it is unknown whether they took effect. `POST /api/v1/executions/{id}/retry` */
  retryExecution(params: { id: string }, options?: RequestOptions): Promise<Execution>;
  /** Rotate an API key. Only this response contains the new value; the previous one stops working immediately. Agents stay bound to the key, and its chats continue. To use both for a while, create another key with the same clientId. `POST /api/v1/apikey/{id}/rotate` */
  rotateApiKey(params: { id: string }, options?: RequestOptions): Promise<NewApiKey>;
  /** Save the draft of an agent. Omitted fields keep their values. Nothing but test runs uses a draft; to publish it, update the agent with the same `flowData`. A draft that no longer differs from the published flow, and pins nothing, is removed. `PUT /api/v1/chatflows/{id}/draft` */
  saveAgentDraft(params: { id: string }, body: AgentDraftUpdate, options?: RequestOptions & { ifMatch?: string }): Promise<AgentDraft>;
  /** Add or change a loader without loading anything. `POST /api/v1/document-store/loader/save` */
  saveLoader(body: LoaderBody, options?: RequestOptions & { confirmDestinations?: "true" | "false" }): Promise<StoredLoader>;
  /** Save the embedding, vector store and record manager of a store. `POST /api/v1/document-store/vectorstore/save` */
  saveVectorStoreSettings(body: VectorStoreSettings, options?: RequestOptions & { confirmDestinations?: "true" | "false" }): Promise<DocumentStore>;
  /** Send a test request. Sends a real request, using the credential from the settings and the server's rules on allowed addresses. Error statuses, disallowed addresses and missing credentials are returned with isError. `POST /api/v1/flows/requests/test` */
  sendTestRequest(body: RequestTrialRequest, options?: RequestOptions): Promise<RequestTrial>;
  /** Set prices of models. Replaces all prices set here. Runs that end or pause from now on use them; earlier costs stay. `PUT /api/v1/prices` */
  setPrices(body: PriceChoice, options?: RequestOptions): Promise<Prices>;
  /** Enable or disable an agent's schedule. `PATCH /api/v1/chatflows/{id}/schedule/enabled` */
  setScheduleEnabled(params: { id: string }, body: {
    enabled: boolean;
  }, options?: RequestOptions): Promise<Schedule>;
  /** Create the first account. Works only once, with the token the server prints at startup while no account exists. `POST /api/v1/auth/setup` */
  setUp(body: Setup, options?: RequestOptions): Promise<Session>;
  /** End every session of an account. `POST /api/v1/accounts/{id}/sign-out` */
  signOutAccount(params: { id: string }, options?: RequestOptions): Promise<void>;
  /** Send a signal to a run that is waiting for it. Ends all waits of the run for this signal, once, and returns the run, which continues. If the run is not waiting for the signal, it is refused with 409 and has no effect: it is not kept for a later wait. `POST /api/v1/executions/{id}/signals/{name}` */
  signalExecution(params: { id: string; name: string }, body: ExecutionSignal, options?: RequestOptions): Promise<Execution>;
  /** Begin to connect the caller's account with one at a provider. `POST /api/v1/auth/identities/{slug}/start` */
  startConnecting(params: { slug: string }, options?: RequestOptions): Promise<SignInStart>;
  /** Begin a dry run or an import of the uploaded file. Takes over what the file holds, under the same ids. What is here already is left alone, so an import that was interrupted can be repeated. Ask for the progress and the report with GET. After an import the file and the key are removed. `POST /api/v1/flowise-import` */
  startFlowiseImport(body: FlowiseImportStart, options?: RequestOptions): Promise<FlowiseImport>;
  /** Begin to sign in at a provider. Open `url` in the browser. The provider leads back to /sign-in/<slug> of this server; send the query of that address to /auth/oidc/finish within 10 minutes. `POST /api/v1/auth/oidc/{slug}/start` */
  startSignIn(params: { slug: string }, options?: RequestOptions): Promise<SignInStart>;
  /** Begin to try an identity provider. Like a sign-in, but the answer only shows the claims that the provider sends about the person. `POST /api/v1/identity-providers/{id}/trial` */
  startSignInTrial(params: { id: string }, options?: RequestOptions): Promise<SignInStart>;
  /** Stop reading an answer aloud. Closing the stream does the same. `POST /api/v1/text-to-speech/abort` */
  stopReadingAloud(body: TextToSpeechStop, options?: RequestOptions): Promise<TextToSpeechStopped>;
  /** Stream a run, from the start or from where the stream was cut off. Returns the same events as the prediction's stream: with `Last-Event-ID`, the id of an event, everything after that event, otherwise everything, and then new events until `end`. When a run waits for human input, its stream ends; the last event leads to the stream that follows the answer. `GET /api/v1/executions/{executionId}/events` */
  streamExecution(params: { executionId: string; /** For clients that cannot set the header Last-Event-ID. */ lastEventId?: string }, options?: RequestOptions): Promise<AsyncIterable<StreamFrame>>;
  /** Stream the progress of an upsert as server-sent events until it ends. Each `progress` event carries the full state, so a client that loses the stream can simply reconnect. `GET /api/v1/document-store/upserts/{id}/events` */
  streamUpsert(params: { id: string }, options?: RequestOptions): Promise<AsyncIterable<StreamFrame>>;
  /** Answer a conversation in place of its agent. Until it is handed back, its messages start no run and wait for replies. An answer that is being written is finished. `PUT /api/v1/conversations/{id}/take-over` */
  takeOverConversation(params: { id: string }, body: TakeOverRequest, options?: RequestOptions): Promise<Conversation>;
  /** Test a model. Asks the model for one word to check that the provider, its address and its credential work. The vendor may charge for the call. `POST /api/v1/models/test` */
  testModel(body: ModelChoice, options?: RequestOptions): Promise<ModelTrial>;
  /** Send a test to a notice channel, and tell what the other end said. `POST /api/v1/notice-channels/{id}/test` */
  testNoticeChannel(params: { id: string }, options?: RequestOptions): Promise<NoticeTest>;
  /** Test a tool. Calls the tool as an agent would, with real effects. Send schema and func to test unsaved changes. If the code fails, the result has isError. `POST /api/v1/tools/{id}/test` */
  testTool(params: { id: string }, body: ToolTrialRequest, options?: RequestOptions): Promise<ToolTrial>;
  /** Rename someone, or give them another role. A role holds from the next request on; in other processes within a second. Nobody gives a role with more rights than their own, and the last owner stays one. `PUT /api/v1/accounts/{id}` */
  updateAccount(params: { id: string }, body: PersonUpdate, options?: RequestOptions & { ifMatch?: string }): Promise<Account>;
  /** Change an agent. Omitted fields keep their values. Changing the flow creates a new version, and `version` says what to write about it. `PUT /api/v1/chatflows/{id}` */
  updateAgent(params: { id: string }, body: AgentUpdate, options?: RequestOptions & { ifMatch?: string; confirmDestinations?: "true" | "false" }): Promise<Agent>;
  /** Name a saved flow of an agent, or write a note about it. `PATCH /api/v1/chatflows/{id}/versions/{number}` */
  updateAgentVersion(params: { id: string; number: number }, body: AgentVersionUpdate, options?: RequestOptions): Promise<AgentVersionSummary>;
  /** Rename an API key, or change its permissions, agents or client. `PUT /api/v1/apikey/{id}` */
  updateApiKey(params: { id: string }, body: ApiKeyUpdate, options?: RequestOptions & { ifMatch?: string }): Promise<ApiKey>;
  /** Change an assistant. Omitted fields keep their values, including those inside details. `PUT /api/v1/assistants/{id}` */
  updateAssistant(params: { id: string }, body: AssistantUpdate, options?: RequestOptions & { ifMatch?: string; confirmDestinations?: "true" | "false" }): Promise<Assistant>;
  /** Change a chunk. Its vector is deleted: searches find the chunk again after the next upsert. `PUT /api/v1/document-store/chunks/{storeId}/{loaderId}/{chunkId}` */
  updateChunk(params: { storeId: string; loaderId: string; chunkId: string }, body: ChunkUpdate, options?: RequestOptions): Promise<ChunkPage>;
  /** Change the labels and the note of a conversation. `PATCH /api/v1/conversations/{id}` */
  updateConversation(params: { id: string }, body: ConversationUpdate, options?: RequestOptions): Promise<Conversation>;
  /** Change a credential. Values are merged: absent, empty or redacted fields keep their values; null removes one. `PUT /api/v1/credentials/{id}` */
  updateCredential(params: { id: string }, body: CredentialUpdate, options?: RequestOptions & { ifMatch?: string }): Promise<Credential>;
  /** Change a document store. Omitted fields keep their values. Changing the embedding or vector store makes earlier upserts stale. `PUT /api/v1/document-store/store/{id}` */
  updateDocumentStore(params: { id: string }, body: DocumentStoreUpdate, options?: RequestOptions & { ifMatch?: string; confirmDestinations?: "true" | "false" }): Promise<DocumentStore>;
  /** Change the rating or the content of feedback. Omitted fields keep their values. `PUT /api/v1/feedback/{id}` */
  updateFeedback(params: { id: string }, body: FeedbackUpdate, options?: RequestOptions & { ifMatch?: string }): Promise<Feedback>;
  /** Change an identity provider. Absent fields stay unchanged, the secret included; a new issuer needs the secret again. `PUT /api/v1/identity-providers/{id}` */
  updateIdentityProvider(params: { id: string }, body: IdentityProviderUpdate, options?: RequestOptions & { ifMatch?: string }): Promise<IdentityProvider>;
  /** Change a notice channel. Omitted fields keep their values. A new address or secret is tried at once. Switched off, it forgets what it was to send. `PUT /api/v1/notice-channels/{id}` */
  updateNoticeChannel(params: { id: string }, body: NoticeChannelUpdate, options?: RequestOptions & { ifMatch?: string }): Promise<NoticeChannel>;
  /** Turn the check of a document store's questions after every upsert on or off. Once no upsert of the store is under way, all questions are asked, and the evaluation is listed with the cause `indexing`. Several upserts in a row are checked once. Turning it off gives up a check that is waiting or running. `PUT /api/v1/document-store/store/{id}/evaluation-settings` */
  updateStoreCheck(params: { id: string }, body: StoreCheckSettings, options?: RequestOptions): Promise<StoreCheck>;
  /** Change a question of a document store. `PUT /api/v1/document-store/store/{id}/questions/{questionId}` */
  updateStoreQuestion(params: { id: string; questionId: string }, body: StoreQuestionUpdate, options?: RequestOptions): Promise<StoreQuestion>;
  /** Change a tool. Omitted fields keep their values. Agents use the version of the tool current when they run. `PUT /api/v1/tools/{id}` */
  updateTool(params: { id: string }, body: ToolUpdate, options?: RequestOptions & { ifMatch?: string }): Promise<Tool>;
  /** Change a variable. Omitted fields keep their values. Runs already in progress keep the value they started with. `PUT /api/v1/variables/{id}` */
  updateVariable(params: { id: string }, body: VariableUpdate, options?: RequestOptions & { ifMatch?: string }): Promise<Variable>;
  /** Upload database.sqlite or ExportData.json of Flowise, whole or in parts. At most 2 GiB. Of several parts each says where it begins, and the first one replaces an earlier file. The last one is refused if Flowise did not write the file. `PUT /api/v1/flowise-import/file` */
  uploadFlowiseFile(params: { /** Name of the file */ name: string; /** Size of the whole file */ sizeBytes: number; /** Where in the file the part begins */ offset?: number }, body: Blob, options?: RequestOptions): Promise<FlowiseImport>;
  /** Load documents, split and embed them, and write them to the vector database. Send files as a multipart form. Without files, a loader or a docId, every loader of the store is upserted. Sources that cannot be loaded are listed in `failed`; the rest is written. Repeating an upsert adds nothing; if the same one is already running, the request waits for it. The upsert continues if the client disconnects. `POST /api/v1/document-store/upsert/{id}` */
  upsertDocuments(params: { id: string }, body: DocumentUpsertRequest | FormData, options?: RequestOptions & { idempotencyKey?: string }): Promise<UpsertResult>;
  /** Write documents into the document store of an agent's vector store node. Send files as a multipart form. Without files or a loader, every loader of the store is reloaded. `POST /api/v1/vector/upsert/{id}` */
  upsertVectors(params: { id: string }, body: VectorUpsert | FormData, options?: RequestOptions & { idempotencyKey?: string }): Promise<UpsertResult>;
  /** Check whether an API key is valid. Returns 401 for a key that does not exist. `GET /api/v1/verify/apikey/{apikey}` */
  verifyApiKey(params: { apikey: string }, options?: RequestOptions): Promise<"OK">;
};

/** What a call of each operation consists of. */
export const operations: Record<keyof Operations, OperationDescription> = {
  abortChatMessage: {"method":"PUT","path":"/api/v1/chatmessage/abort/{agentId}/{chatId}","answer":"json"},
  acceptInvitation: {"method":"POST","path":"/api/v1/invitations/accept","body":"json","answer":"json"},
  addStoreQuestion: {"method":"POST","path":"/api/v1/document-store/store/{id}/questions","headers":{"idempotencyKey":"Idempotency-Key"},"body":"json","answer":"json"},
  allowDestination: {"method":"POST","path":"/api/v1/credentials/{id}/destinations","body":"json","answer":"json"},
  answerExecution: {"method":"POST","path":"/api/v1/executions/{id}/answer","body":"json","answer":"json"},
  askModel: {"method":"POST","path":"/api/v1/models/answers","body":"json","answer":"events"},
  beginRefresh: {"method":"POST","path":"/api/v1/document-store/store/{id}/refreshes","body":"json","answer":"json"},
  beginUpsert: {"method":"POST","path":"/api/v1/document-store/store/{id}/upserts","body":"json","answer":"json"},
  callAgentByMcp: {"method":"POST","path":"/api/v1/mcp/{agentId}","body":"json","answer":"json"},
  callAgentsByMcp: {"method":"POST","path":"/api/v1/mcp","body":"json","answer":"json"},
  cancelExecution: {"method":"POST","path":"/api/v1/executions/{id}/cancel","answer":"json"},
  cancelFlowiseImport: {"method":"DELETE","path":"/api/v1/flowise-import","answer":"json"},
  cancelUpsert: {"method":"POST","path":"/api/v1/document-store/upserts/{id}/cancel","answer":"json"},
  changePassword: {"method":"PUT","path":"/api/v1/auth/password","body":"json","answer":"json"},
  chooseDefaultModel: {"method":"PUT","path":"/api/v1/models/default","queryOptions":["confirmDestinations"],"body":"json","answer":"json"},
  choosePublicAccess: {"method":"PUT","path":"/api/v1/public-access","body":"json","answer":"json"},
  connectIdentity: {"method":"POST","path":"/api/v1/auth/identities","body":"json","answer":"json"},
  createAgent: {"method":"POST","path":"/api/v1/chatflows","queryOptions":["confirmDestinations"],"headers":{"idempotencyKey":"Idempotency-Key"},"body":"json","answer":"json"},
  createApiKey: {"method":"POST","path":"/api/v1/apikey","body":"json","answer":"json"},
  createAssistant: {"method":"POST","path":"/api/v1/assistants","queryOptions":["confirmDestinations"],"headers":{"idempotencyKey":"Idempotency-Key"},"body":"json","answer":"json"},
  createAttachments: {"method":"POST","path":"/api/v1/attachments/{chatflowId}/{chatId}","body":"multipart","answer":"json"},
  createChatCompletion: {"method":"POST","path":"/v1/chat/completions","body":"json","answer":"json"},
  createCredential: {"method":"POST","path":"/api/v1/credentials","headers":{"idempotencyKey":"Idempotency-Key"},"body":"json","answer":"json"},
  createDocumentStore: {"method":"POST","path":"/api/v1/document-store/store","queryOptions":["confirmDestinations"],"headers":{"idempotencyKey":"Idempotency-Key"},"body":"json","answer":"json"},
  createFeedback: {"method":"POST","path":"/api/v1/feedback","headers":{"idempotencyKey":"Idempotency-Key"},"body":"json","answer":"json"},
  createFeedbackByGet: {"method":"GET","path":"/api/v1/feedback","query":["id","messageId","rating","content","chatflowid","chatId","createdDate"],"answer":"json"},
  createFeedbackWithId: {"method":"POST","path":"/api/v1/feedback/{id}","headers":{"idempotencyKey":"Idempotency-Key"},"body":"json","answer":"json"},
  createIdentityProvider: {"method":"POST","path":"/api/v1/identity-providers","headers":{"idempotencyKey":"Idempotency-Key"},"body":"json","answer":"json"},
  createInternalPrediction: {"method":"POST","path":"/api/v1/internal-prediction/{id}","headers":{"idempotencyKey":"Idempotency-Key"},"body":"json","answer":"json"},
  createInvitation: {"method":"POST","path":"/api/v1/invitations","body":"json","answer":"json"},
  createLead: {"method":"POST","path":"/api/v1/leads","headers":{"idempotencyKey":"Idempotency-Key"},"body":"json","answer":"json"},
  createNoticeChannel: {"method":"POST","path":"/api/v1/notice-channels","headers":{"idempotencyKey":"Idempotency-Key"},"body":"json","answer":"json"},
  createPrediction: {"method":"POST","path":"/api/v1/prediction/{id}","headers":{"idempotencyKey":"Idempotency-Key"},"body":"json","answer":"json"},
  createTool: {"method":"POST","path":"/api/v1/tools","headers":{"idempotencyKey":"Idempotency-Key"},"body":"json","answer":"json"},
  createVariable: {"method":"POST","path":"/api/v1/variables","headers":{"idempotencyKey":"Idempotency-Key"},"body":"json","answer":"json"},
  createWebhookSecret: {"method":"POST","path":"/api/v1/chatflows/{id}/webhook-secret","body":"json","answer":"json"},
  declineHandOver: {"method":"DELETE","path":"/api/v1/conversations/{id}/hand-over","answer":"json"},
  deleteAccount: {"method":"DELETE","path":"/api/v1/accounts/{id}","query":["keys"],"answer":"none"},
  deleteAgent: {"method":"DELETE","path":"/api/v1/chatflows/{id}","answer":"none"},
  deleteApiKey: {"method":"DELETE","path":"/api/v1/apikey/{id}","answer":"none"},
  deleteAssistant: {"method":"DELETE","path":"/api/v1/assistants/{id}","answer":"none"},
  deleteChatMessages: {"method":"DELETE","path":"/api/v1/chatmessage/{id}","query":["chatType","startDate","endDate","feedbackType","chatId","sessionId","memoryType","hardDelete"],"answer":"none"},
  deleteChunk: {"method":"DELETE","path":"/api/v1/document-store/chunks/{storeId}/{loaderId}/{chunkId}","answer":"none"},
  deleteCredential: {"method":"DELETE","path":"/api/v1/credentials/{id}","answer":"none"},
  deleteDocumentStore: {"method":"DELETE","path":"/api/v1/document-store/store/{id}","answer":"none"},
  deleteExecution: {"method":"DELETE","path":"/api/v1/executions/{id}","answer":"json"},
  deleteExecutions: {"method":"DELETE","path":"/api/v1/executions","body":"json","answer":"json"},
  deleteIdentityProvider: {"method":"DELETE","path":"/api/v1/identity-providers/{id}","answer":"none"},
  deleteInvitation: {"method":"DELETE","path":"/api/v1/invitations/{id}","answer":"none"},
  deleteLead: {"method":"DELETE","path":"/api/v1/leads/{id}","answer":"none"},
  deleteLoader: {"method":"DELETE","path":"/api/v1/document-store/loader/{storeId}/{loaderId}","answer":"none"},
  deleteNoticeChannel: {"method":"DELETE","path":"/api/v1/notice-channels/{id}","answer":"none"},
  deleteStoreQuestion: {"method":"DELETE","path":"/api/v1/document-store/store/{id}/questions/{questionId}","answer":"none"},
  deleteTool: {"method":"DELETE","path":"/api/v1/tools/{id}","answer":"none"},
  deleteUpsertHistory: {"method":"PATCH","path":"/api/v1/upsert-history","body":"json","answer":"none"},
  deleteUpsertHistoryOfAgent: {"method":"PATCH","path":"/api/v1/upsert-history/{id}","body":"json","answer":"none"},
  deleteVariable: {"method":"DELETE","path":"/api/v1/variables/{id}","answer":"none"},
  deleteVectors: {"method":"DELETE","path":"/api/v1/document-store/vectorstore/{id}","query":["docId"],"answer":"none"},
  deleteWebhookSecret: {"method":"DELETE","path":"/api/v1/chatflows/{id}/webhook-secret","answer":"none"},
  describeRequests: {"method":"POST","path":"/api/v1/flows/requests","body":"json","answer":"json"},
  discardAgentDraft: {"method":"DELETE","path":"/api/v1/chatflows/{id}/draft","answer":"none"},
  disconnectIdentity: {"method":"DELETE","path":"/api/v1/auth/identities/{id}","answer":"none"},
  draftFlow: {"method":"POST","path":"/api/v1/flows/drafts","body":"json","answer":"events"},
  endSessions: {"method":"DELETE","path":"/api/v1/auth/sessions","answer":"none"},
  erasePersonalData: {"method":"POST","path":"/api/v1/privacy/erase","body":"json","answer":"json"},
  evaluateStore: {"method":"POST","path":"/api/v1/document-store/store/{id}/evaluations","body":"json","answer":"events"},
  exportAudit: {"method":"GET","path":"/api/v1/audit/export","query":["actor","action","thing","from","to","format"],"answer":"blob"},
  exportInstallation: {"method":"GET","path":"/api/v1/export","query":["versions"],"answer":"json"},
  exportPersonalData: {"method":"POST","path":"/api/v1/privacy/export","body":"json","answer":"json"},
  exportStoreQuestions: {"method":"GET","path":"/api/v1/document-store/store/{id}/question-file","answer":"text"},
  finishSignIn: {"method":"POST","path":"/api/v1/auth/oidc/finish","body":"json","answer":"json"},
  finishSignInTrial: {"method":"POST","path":"/api/v1/identity-providers/trial","body":"json","answer":"json"},
  getAccount: {"method":"GET","path":"/api/v1/accounts/{id}","answer":"json"},
  getAgent: {"method":"GET","path":"/api/v1/chatflows/{id}","answer":"json"},
  getAgentByApiKey: {"method":"GET","path":"/api/v1/chatflows/apikey/{apikey}","answer":"json"},
  getAgentDraft: {"method":"GET","path":"/api/v1/chatflows/{id}/draft","answer":"json"},
  getAgentVersion: {"method":"GET","path":"/api/v1/chatflows/{id}/versions/{number}","answer":"json"},
  getApiKey: {"method":"GET","path":"/api/v1/apikey/{id}","answer":"json"},
  getAssistant: {"method":"GET","path":"/api/v1/assistants/{id}","answer":"json"},
  getAuditLog: {"method":"GET","path":"/api/v1/audit","query":["actor","action","thing","from","to","before","limit"],"answer":"json"},
  getCaller: {"method":"GET","path":"/api/v1/auth/me","answer":"json"},
  getChatConfig: {"method":"GET","path":"/api/v1/public-chatbotConfig/{id}","query":["draft"],"answer":"json"},
  getChatStats: {"method":"GET","path":"/api/v1/stats/{id}","query":["chatType","startDate","endDate","feedbackType"],"answer":"json"},
  getConversation: {"method":"GET","path":"/api/v1/conversations/{id}","answer":"json"},
  getCredential: {"method":"GET","path":"/api/v1/credentials/{id}","answer":"json"},
  getDefaultModel: {"method":"GET","path":"/api/v1/models/default","answer":"json"},
  getDocumentFile: {"method":"GET","path":"/api/v1/document-store/file/{loaderId}","query":["fileName"],"answer":"blob"},
  getDocumentStore: {"method":"GET","path":"/api/v1/document-store/store/{id}","answer":"json"},
  getEventApiDocument: {"method":"GET","path":"/event-api.yaml","answer":"text"},
  getExecution: {"method":"GET","path":"/api/v1/executions/{id}","query":["wholeStep"],"answer":"json"},
  getFlowiseImport: {"method":"GET","path":"/api/v1/flowise-import","answer":"json"},
  getIdentityProvider: {"method":"GET","path":"/api/v1/identity-providers/{id}","answer":"json"},
  getLiveness: {"method":"GET","path":"/livez","answer":"json"},
  getLoader: {"method":"GET","path":"/api/v1/document-store/loader/{storeId}/{loaderId}","answer":"json"},
  getMetrics: {"method":"GET","path":"/metrics","answer":"text"},
  getNoticeChannel: {"method":"GET","path":"/api/v1/notice-channels/{id}","answer":"json"},
  getOpenApi: {"method":"GET","path":"/openapi.json","answer":"json"},
  getPrices: {"method":"GET","path":"/api/v1/prices","answer":"json"},
  getPublicAccess: {"method":"GET","path":"/api/v1/public-access","answer":"json"},
  getPublicAgent: {"method":"GET","path":"/api/v1/public-chatflows/{id}","answer":"json"},
  getReadiness: {"method":"GET","path":"/readyz","answer":"json"},
  getScheduleStatus: {"method":"GET","path":"/api/v1/chatflows/{id}/schedule/status","answer":"json"},
  getServedModel: {"method":"GET","path":"/v1/models/{id}","answer":"json"},
  getSetUp: {"method":"GET","path":"/api/v1/auth/setup","answer":"json"},
  getSignInOptions: {"method":"GET","path":"/api/v1/auth/oidc","answer":"json"},
  getStats: {"method":"GET","path":"/api/v1/stats","query":["range","agentflowId"],"answer":"json"},
  getStoreCheck: {"method":"GET","path":"/api/v1/document-store/store/{id}/evaluation-settings","answer":"json"},
  getStoreEvaluation: {"method":"GET","path":"/api/v1/document-store/store/{id}/evaluations/{evaluationId}","answer":"json"},
  getStreamingInfo: {"method":"GET","path":"/api/v1/chatflows-streaming/{id}","answer":"json"},
  getSystem: {"method":"GET","path":"/api/v1/system","answer":"json"},
  getTemplate: {"method":"GET","path":"/api/v1/templates/{id}","answer":"json"},
  getTool: {"method":"GET","path":"/api/v1/tools/{id}","answer":"json"},
  getUploadFile: {"method":"GET","path":"/api/v1/get-upload-file","query":["chatflowId","chatId","fileName","download"],"answer":"blob"},
  getUploadInfo: {"method":"GET","path":"/api/v1/chatflows-uploads/{id}","answer":"json"},
  getUpsert: {"method":"GET","path":"/api/v1/document-store/upserts/{id}","answer":"json"},
  getVariable: {"method":"GET","path":"/api/v1/variables/{id}","answer":"json"},
  getVersion: {"method":"GET","path":"/api/v1/version","answer":"json"},
  getWebhookSecretState: {"method":"GET","path":"/api/v1/chatflows/{id}/webhook-secret","answer":"json"},
  handBackConversation: {"method":"DELETE","path":"/api/v1/conversations/{id}/take-over","answer":"json"},
  importFlow: {"method":"POST","path":"/api/v1/flows/import","headers":{"idempotencyKey":"Idempotency-Key"},"body":"json","answer":"json"},
  importInstallation: {"method":"POST","path":"/api/v1/import","query":["mode","dryRun"],"body":"json","answer":"json"},
  importStoreQuestions: {"method":"POST","path":"/api/v1/document-store/store/{id}/question-file","body":"json","answer":"json"},
  insertVectors: {"method":"POST","path":"/api/v1/document-store/vectorstore/insert","body":"json","answer":"json"},
  listAccounts: {"method":"GET","path":"/api/v1/accounts","query":["page","limit"],"answer":"json"},
  listAgentDraftFindings: {"method":"GET","path":"/api/v1/chatflows/{id}/draft/findings","answer":"json"},
  listAgentFindings: {"method":"GET","path":"/api/v1/chatflows/{id}/findings","answer":"json"},
  listAgentStats: {"method":"GET","path":"/api/v1/stats/agents","answer":"json"},
  listAgentVersions: {"method":"GET","path":"/api/v1/chatflows/{id}/versions","answer":"json"},
  listAgents: {"method":"GET","path":"/api/v1/chatflows","query":["page","limit","type"],"answer":"json"},
  listApiKeys: {"method":"GET","path":"/api/v1/apikey","query":["page","limit"],"answer":"json"},
  listAssistants: {"method":"GET","path":"/api/v1/assistants","query":["page","limit"],"answer":"json"},
  listCallbackDeliveries: {"method":"GET","path":"/api/v1/chatflows/{id}/deliveries","query":["page","limit","state","executionId"],"answer":"json"},
  listChatMessages: {"method":"GET","path":"/api/v1/chatmessage/{id}","query":["page","limit","chatType","startDate","endDate","feedbackType","chatId","sessionId","memoryType","messageId","order","feedback"],"answer":"json"},
  listChatReplies: {"method":"GET","path":"/api/v1/chatmessage/replies/{agentId}/{chatId}","query":["after"],"answer":"json"},
  listChunks: {"method":"GET","path":"/api/v1/document-store/chunks/{storeId}/{loaderId}/{page}","query":["search"],"answer":"json"},
  listConversations: {"method":"GET","path":"/api/v1/conversations","query":["page","limit","agentId","chatType","search","rating","label","state","startDate","endDate"],"answer":"json"},
  listCredentialTypes: {"method":"GET","path":"/api/v1/credential-types","answer":"json"},
  listCredentials: {"method":"GET","path":"/api/v1/credentials","query":["page","limit","credentialName"],"answer":"json"},
  listDocumentStores: {"method":"GET","path":"/api/v1/document-store/store","query":["page","limit"],"answer":"json"},
  listEmbeddingProviders: {"method":"GET","path":"/api/v1/document-store/components/embeddings","answer":"json"},
  listExecutions: {"method":"GET","path":"/api/v1/executions","query":["page","limit","executionData","id","agentflowId","agentflowName","sessionId","chatId","state","origin","startDate","endDate","search"],"answer":"json"},
  listFeedback: {"method":"GET","path":"/api/v1/feedback/{id}","query":["page","limit","id","messageId","rating","content","chatflowid","chatId","createdDate","sortOrder","order","startDate","endDate"],"answer":"json"},
  listIdentityProviders: {"method":"GET","path":"/api/v1/identity-providers","answer":"json"},
  listIntegrations: {"method":"GET","path":"/api/v1/integrations","answer":"json"},
  listInternalChatMessages: {"method":"GET","path":"/api/v1/internal-chatmessage/{id}","query":["page","limit","startDate","endDate","feedbackType","chatId","sessionId","memoryType","messageId","order","feedback"],"answer":"json"},
  listInvitations: {"method":"GET","path":"/api/v1/invitations","answer":"json"},
  listLeads: {"method":"GET","path":"/api/v1/leads/{id}","query":["page","limit"],"answer":"json"},
  listLoaderTypes: {"method":"GET","path":"/api/v1/document-store/components/loaders","answer":"json"},
  listModelProviders: {"method":"GET","path":"/api/v1/models","answer":"json"},
  listNodeTypes: {"method":"GET","path":"/api/v1/nodes","answer":"json"},
  listNoticeChannels: {"method":"GET","path":"/api/v1/notice-channels","query":["page","limit"],"answer":"json"},
  listNotices: {"method":"GET","path":"/api/v1/notices","query":["page","limit"],"answer":"json"},
  listOwnIdentities: {"method":"GET","path":"/api/v1/auth/identities","answer":"json"},
  listRecordManagers: {"method":"GET","path":"/api/v1/document-store/components/recordmanager","answer":"json"},
  listRetention: {"method":"GET","path":"/api/v1/retention","answer":"json"},
  listRetrievalSettings: {"method":"GET","path":"/api/v1/document-store/components/retrieval","answer":"json"},
  listRoles: {"method":"GET","path":"/api/v1/roles","answer":"json"},
  listScheduleLogs: {"method":"GET","path":"/api/v1/chatflows/{id}/schedule/trigger-logs","query":["page","limit","status"],"answer":"json"},
  listSchedules: {"method":"GET","path":"/api/v1/schedules","answer":"json"},
  listServedModels: {"method":"GET","path":"/v1/models","answer":"json"},
  listSplitters: {"method":"GET","path":"/api/v1/document-store/components/splitters","answer":"json"},
  listStoreEvaluations: {"method":"GET","path":"/api/v1/document-store/store/{id}/evaluations","answer":"json"},
  listStoreQuestions: {"method":"GET","path":"/api/v1/document-store/store/{id}/questions","answer":"json"},
  listTemplates: {"method":"GET","path":"/api/v1/templates","answer":"json"},
  listTools: {"method":"GET","path":"/api/v1/tools","query":["page","limit"],"answer":"json"},
  listUpsertHistory: {"method":"GET","path":"/api/v1/upsert-history/{id}","query":["page","limit","order","startDate","endDate"],"answer":"json"},
  listUpserts: {"method":"GET","path":"/api/v1/document-store/store/{id}/upserts","answer":"json"},
  listUses: {"method":"GET","path":"/api/v1/uses","query":["kind","id"],"answer":"json"},
  listVariables: {"method":"GET","path":"/api/v1/variables","query":["page","limit"],"answer":"json"},
  listVectorStores: {"method":"GET","path":"/api/v1/document-store/components/vectorstore","answer":"json"},
  listVoices: {"method":"GET","path":"/api/v1/text-to-speech/voices","query":["provider","credentialId"],"answer":"json"},
  listWaitingExecutions: {"method":"GET","path":"/api/v1/executions/waiting","query":["page","limit"],"answer":"json"},
  logIn: {"method":"POST","path":"/api/v1/auth/login","body":"json","answer":"json"},
  logOut: {"method":"POST","path":"/api/v1/auth/logout","answer":"none"},
  lookAtInvitation: {"method":"POST","path":"/api/v1/invitations/look","body":"json","answer":"json"},
  markNoticesSeen: {"method":"POST","path":"/api/v1/notices/seen","body":"json","answer":"json"},
  offerPasswordReset: {"method":"POST","path":"/api/v1/accounts/{id}/password-reset","answer":"json"},
  ping: {"method":"GET","path":"/api/v1/ping","answer":"text"},
  previewLoader: {"method":"POST","path":"/api/v1/document-store/loader/preview","body":"json","answer":"json"},
  processLoader: {"method":"POST","path":"/api/v1/document-store/loader/process/{loaderId}","body":"json","answer":"json"},
  queryDocumentStore: {"method":"POST","path":"/api/v1/document-store/vectorstore/query","body":"json","answer":"json"},
  readAloud: {"method":"POST","path":"/api/v1/text-to-speech/generate","body":"json","answer":"events"},
  readFlow: {"method":"POST","path":"/api/v1/flows/read","body":"json","answer":"json"},
  refreshDocuments: {"method":"POST","path":"/api/v1/document-store/refresh/{id}","body":"json","answer":"json"},
  refreshToken: {"method":"POST","path":"/api/v1/auth/refresh","answer":"json"},
  removeDestination: {"method":"DELETE","path":"/api/v1/credentials/{id}/destinations","answer":"json"},
  replayExecution: {"method":"POST","path":"/api/v1/executions/{id}/replay","body":"json","answer":"json"},
  replyToConversation: {"method":"POST","path":"/api/v1/conversations/{id}/replies","headers":{"idempotencyKey":"Idempotency-Key"},"body":"json","answer":"json"},
  resendCallbackDelivery: {"method":"POST","path":"/api/v1/chatflows/{id}/deliveries/{deliveryId}/resend","answer":"json"},
  resetDefaultModel: {"method":"DELETE","path":"/api/v1/models/default","answer":"json"},
  restoreAgentVersion: {"method":"POST","path":"/api/v1/chatflows/{id}/versions/{number}/restore","queryOptions":["confirmDestinations"],"answer":"json"},
  retryExecution: {"method":"POST","path":"/api/v1/executions/{id}/retry","answer":"json"},
  rotateApiKey: {"method":"POST","path":"/api/v1/apikey/{id}/rotate","answer":"json"},
  saveAgentDraft: {"method":"PUT","path":"/api/v1/chatflows/{id}/draft","headers":{"ifMatch":"If-Match"},"body":"json","answer":"json"},
  saveLoader: {"method":"POST","path":"/api/v1/document-store/loader/save","queryOptions":["confirmDestinations"],"body":"json","answer":"json"},
  saveVectorStoreSettings: {"method":"POST","path":"/api/v1/document-store/vectorstore/save","queryOptions":["confirmDestinations"],"body":"json","answer":"json"},
  sendTestRequest: {"method":"POST","path":"/api/v1/flows/requests/test","body":"json","answer":"json"},
  setPrices: {"method":"PUT","path":"/api/v1/prices","body":"json","answer":"json"},
  setScheduleEnabled: {"method":"PATCH","path":"/api/v1/chatflows/{id}/schedule/enabled","body":"json","answer":"json"},
  setUp: {"method":"POST","path":"/api/v1/auth/setup","body":"json","answer":"json"},
  signOutAccount: {"method":"POST","path":"/api/v1/accounts/{id}/sign-out","answer":"none"},
  signalExecution: {"method":"POST","path":"/api/v1/executions/{id}/signals/{name}","body":"json","answer":"json"},
  startConnecting: {"method":"POST","path":"/api/v1/auth/identities/{slug}/start","answer":"json"},
  startFlowiseImport: {"method":"POST","path":"/api/v1/flowise-import","body":"json","answer":"json"},
  startSignIn: {"method":"POST","path":"/api/v1/auth/oidc/{slug}/start","answer":"json"},
  startSignInTrial: {"method":"POST","path":"/api/v1/identity-providers/{id}/trial","answer":"json"},
  stopReadingAloud: {"method":"POST","path":"/api/v1/text-to-speech/abort","body":"json","answer":"json"},
  streamExecution: {"method":"GET","path":"/api/v1/executions/{executionId}/events","query":["lastEventId"],"answer":"events"},
  streamUpsert: {"method":"GET","path":"/api/v1/document-store/upserts/{id}/events","answer":"events"},
  takeOverConversation: {"method":"PUT","path":"/api/v1/conversations/{id}/take-over","body":"json","answer":"json"},
  testModel: {"method":"POST","path":"/api/v1/models/test","body":"json","answer":"json"},
  testNoticeChannel: {"method":"POST","path":"/api/v1/notice-channels/{id}/test","answer":"json"},
  testTool: {"method":"POST","path":"/api/v1/tools/{id}/test","body":"json","answer":"json"},
  updateAccount: {"method":"PUT","path":"/api/v1/accounts/{id}","headers":{"ifMatch":"If-Match"},"body":"json","answer":"json"},
  updateAgent: {"method":"PUT","path":"/api/v1/chatflows/{id}","queryOptions":["confirmDestinations"],"headers":{"ifMatch":"If-Match"},"body":"json","answer":"json"},
  updateAgentVersion: {"method":"PATCH","path":"/api/v1/chatflows/{id}/versions/{number}","body":"json","answer":"json"},
  updateApiKey: {"method":"PUT","path":"/api/v1/apikey/{id}","headers":{"ifMatch":"If-Match"},"body":"json","answer":"json"},
  updateAssistant: {"method":"PUT","path":"/api/v1/assistants/{id}","queryOptions":["confirmDestinations"],"headers":{"ifMatch":"If-Match"},"body":"json","answer":"json"},
  updateChunk: {"method":"PUT","path":"/api/v1/document-store/chunks/{storeId}/{loaderId}/{chunkId}","body":"json","answer":"json"},
  updateConversation: {"method":"PATCH","path":"/api/v1/conversations/{id}","body":"json","answer":"json"},
  updateCredential: {"method":"PUT","path":"/api/v1/credentials/{id}","headers":{"ifMatch":"If-Match"},"body":"json","answer":"json"},
  updateDocumentStore: {"method":"PUT","path":"/api/v1/document-store/store/{id}","queryOptions":["confirmDestinations"],"headers":{"ifMatch":"If-Match"},"body":"json","answer":"json"},
  updateFeedback: {"method":"PUT","path":"/api/v1/feedback/{id}","headers":{"ifMatch":"If-Match"},"body":"json","answer":"json"},
  updateIdentityProvider: {"method":"PUT","path":"/api/v1/identity-providers/{id}","headers":{"ifMatch":"If-Match"},"body":"json","answer":"json"},
  updateNoticeChannel: {"method":"PUT","path":"/api/v1/notice-channels/{id}","headers":{"ifMatch":"If-Match"},"body":"json","answer":"json"},
  updateStoreCheck: {"method":"PUT","path":"/api/v1/document-store/store/{id}/evaluation-settings","body":"json","answer":"json"},
  updateStoreQuestion: {"method":"PUT","path":"/api/v1/document-store/store/{id}/questions/{questionId}","body":"json","answer":"json"},
  updateTool: {"method":"PUT","path":"/api/v1/tools/{id}","headers":{"ifMatch":"If-Match"},"body":"json","answer":"json"},
  updateVariable: {"method":"PUT","path":"/api/v1/variables/{id}","headers":{"ifMatch":"If-Match"},"body":"json","answer":"json"},
  uploadFlowiseFile: {"method":"PUT","path":"/api/v1/flowise-import/file","query":["name","sizeBytes","offset"],"body":"binary","answer":"json"},
  upsertDocuments: {"method":"POST","path":"/api/v1/document-store/upsert/{id}","headers":{"idempotencyKey":"Idempotency-Key"},"body":"json","answer":"json"},
  upsertVectors: {"method":"POST","path":"/api/v1/vector/upsert/{id}","headers":{"idempotencyKey":"Idempotency-Key"},"body":"json","answer":"json"},
  verifyApiKey: {"method":"GET","path":"/api/v1/verify/apikey/{apikey}","answer":"json"},
};
