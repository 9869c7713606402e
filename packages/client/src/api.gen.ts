// Made from openapi.json by `npm run -s client`. Changes are made there.
import type { OperationDescription, RequestOptions, StreamFrame } from "./operation.ts";

export type Account = {
  id: string;
  email: string;
  name: string;
  createdDate: string;
  updatedDate: string;
};

export type Agent = {
  id: string;
  name: string;
  /** JSON text */
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

export type AgentReasoning = {
  agentName: string;
  messages: string[];
  nodeName: string;
  nodeId: string;
  usedTools: UsedTool[];
  sourceDocuments: Document[];
  state: { [key: string]: Json };
};

export type AgentUpdate = {
  name?: string;
  flowData?: string;
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
  /** JSON text */
  flowData: string;
};

export type AgentVersionSummary = {
  id: string;
  agentId: string;
  number: number;
  current: boolean;
  createdDate: string;
};

export type ApiKey = {
  id: string;
  keyName: string;
  /** First characters of the key */
  keyHint: string;
  permissions: string[];
  /** Ids of the agents that it is limited to; empty: all */
  agents: string[];
  /** Whom its chats belong to. Keys of one client share them. */
  clientId: string;
  createdDate: string;
  updatedDate: string;
  /** To the minute; null until the first use */
  lastUsedDate: string | null;
};

export type ApiKeyCreate = {
  id?: string;
  keyName: string;
  /** Default: what a chat client needs; nothing that reads what others wrote */
  permissions?: string[];
  /** Ids of the agents and assistants that the key is limited to; empty: all */
  agents?: string[];
  /** Whom the key's chats belong to. A key of a client that exists goes on with its chats. */
  clientId?: string;
};

export type ApiKeyUpdate = {
  keyName?: string;
  permissions?: string[];
  /** Ids of the agents and assistants that the key is limited to; empty: all */
  agents?: string[];
  /** Whom the key's chats belong to. A key of a client that exists goes on with its chats. */
  clientId?: string;
};

export type Assistant = {
  id: string;
  details: AssistantDetails;
  /** Id of the model's credential; empty: the server's own */
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
  /** Model id; empty: the provider's, or the server's default */
  model: string;
  /** Name of the model's provider; absent: the server's */
  provider?: string;
  /** System prompt; may hold {{ current_date_time }} and the like */
  instructions: string;
  temperature: number;
  top_p: number;
  tools: ("function" | "code_interpreter" | "file_search")[];
  /** For function: {"function": {"tool_ids": […]}}, ids of custom tools. For file_search: {"file_search": {"vector_store_ids": […]}}, ids of document stores */
  tool_resources: { [key: string]: Json };
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

export type CallbackDelivery = {
  /** What the receiver reads as `webhook-id`, the same in every attempt. */
  id: string;
  executionId: string;
  url: string;
  state: "PENDING" | "DELIVERED" | "FAILED" | "STOPPED";
  attempts: number;
  /** What the receiver answered last. */
  lastStatus: number | null;
  /** Why the last attempt failed. */
  error: string | null;
  /** When it is tried next. */
  nextDate: string | null;
  /** When it was tried last. */
  attemptDate: string | null;
  createdDate: string;
};

export type Caller = {
  kind: "account" | "operator" | "api-key";
  user: Account | null;
  /** * means all */
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
  /** Id of an agent, or the name that `/v1/models` lists. */
  model: string;
  messages: {
    role: "system" | "developer" | "user" | "assistant" | "tool" | "function";
    content?: string | {
      type: string;
      text?: string;
      image_url?: {
        /** A data URL in base64, or an http(s) address. */
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
  uploads: UploadInfo;
  /** JSON text of a start node in the format of AgentFlow V2: whether it takes a message, or which form; nothing else of the flow is shown */
  flowData: string;
  isTTSEnabled: boolean;
  /** Absent when the agent takes messages */
  form?: StartForm;
  /** Whether a model of the agent is the rehearsal model: rules, not an AI */
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
    /** Bytes; absent where it is not known */
    size?: number;
    /** Where the stored file is read; absent where only its text came */
    url?: string;
  }[];
  action: MessageAction[];
  chatType: "INTERNAL" | "EXTERNAL";
  chatId: string;
  memoryType: string;
  sessionId: string;
  createdDate: string;
  leadEmail: string;
  /** Run that wrote the message; empty when none did */
  executionId: string;
  feedback?: Feedback;
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
  /** Of all pages */
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

/** Without a name: settings that are laid over those of the loader that docId names */
export type ComponentSettings = {
  name?: string;
  config?: { [key: string]: Json } | null;
};

export type Credential = {
  id: string;
  name: string;
  /** Type of the credential, for example openAIApi */
  credentialName: string;
  /** Names of the values that are set */
  fields: string[];
  /** False when the stored values cannot be decrypted with the present key. Enter them again. */
  readable: boolean;
  /** Hosts that it may be sent to besides the vendor's own, for example api.example.com or *.example.com */
  hosts: string[];
  /** Hosts that its type and its base URL imply */
  impliedHosts: string[];
  createdDate: string;
  updatedDate: string;
};

export type CredentialCreate = {
  id?: string;
  name: string;
  credentialName: string;
  /** Values by field name. They are encrypted and never shown again. */
  plainDataObj: { [key: string]: string | number | boolean | null };
  /** Hosts that it may be sent to besides the vendor's own; the list replaces the one before */
  hosts?: string[];
};

export type CredentialType = {
  /** The credential's credentialName */
  name: string;
  title: string;
  purpose: "model" | "other";
  /** False for names that only existing credentials have */
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
  /** Values by field name. They are encrypted and never shown again. */
  plainDataObj?: { [key: string]: string | number | boolean | null };
  /** Hosts that it may be sent to besides the vendor's own; the list replaces the one before */
  hosts?: string[];
};

export type DefaultModel = {
  provider: string;
  model: string;
  credential: string;
  /** chosen: set by PUT; configuration: what the server's environment names */
  source: "chosen" | "configuration";
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

/** Without items every loader of the store is meant */
export type DocumentRefresh = {
  items?: {
    /** Id of a loader of the store: its settings are used where the body has none */
    docId?: string | "" | null;
    /** Laid over the metadata of every document */
    metadata?: { [key: string]: Json } | null | null;
    /** The new chunks replace the loader's. Vectors that are in the database stay there */
    replaceExisting?: boolean | string | null;
    /** With replaceExisting: the vectors of the chunks that were replaced go, too */
    deleteEmbeddings?: boolean | string | null;
    /** What people call the loader */
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
  /** JSON text: array of the ids of agents and assistants that name it */
  whereUsed: string;
  status: "EMPTY" | "NEW" | "SYNCING" | "SYNC" | "STALE" | "UPSERTING" | "UPSERTED";
  /** JSON text: { name, config }; {} is the embedded one */
  vectorStoreConfig: string;
  /** JSON text: { name, config }; {} is the embedded one */
  embeddingConfig: string;
  /** JSON text: { name, config: { cleanup: none, incremental or full } } */
  recordManagerConfig: string;
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
  /** JSON text of an array of loaders, as the store shows them. New ones are added unprocessed, those of a known id are changed; none is deleted */
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
  /** JSON text of an array of loaders, as the store shows them. New ones are added unprocessed, those of a known id are changed; none is deleted */
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
  /** Id of a loader of the store: its settings are used where the body has none */
  docId?: string | "" | null;
  /** Laid over the metadata of every document */
  metadata?: { [key: string]: Json } | null | null;
  /** The new chunks replace the loader's. Vectors that are in the database stay there */
  replaceExisting?: boolean | string | null;
  /** With replaceExisting: the vectors of the chunks that were replaced go, too */
  deleteEmbeddings?: boolean | string | null;
  /** What people call the loader */
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

export type Error = {
  statusCode: number;
  success: false;
  /** What went wrong and what to do */
  message: string;
  /** A stable name of the error */
  code: string;
  /** The code as a URI */
  type: string;
  title: string;
  status: number;
  detail: string;
  /** Path of the request */
  instance: string;
  /** Each mistake of a request with the dotted path to it */
  errors: {
    path: string;
    message: string;
  }[];
  requestId: string;
  /** Whether the same request may succeed later */
  retryable?: boolean;
  /** What an outside service answered, when it was the cause */
  upstream?: {
    status: number;
    retryAfterSeconds?: number;
  };
  /** The run that was accepted, and whose failure this is */
  executionId?: string;
  /** Where the events of that run are */
  events?: string;
};

export type Execution = {
  id: string;
  agentflowId: string;
  /** Null when the agent is gone. */
  agentflow: {
    id: string;
    name: string;
  } | null;
  chatId: string;
  sessionId: string;
  /** `STOPPED`: it waits for a human. */
  state: "INPROGRESS" | "FINISHED" | "ERROR" | "TERMINATED" | "TIMEOUT" | "STOPPED";
  /** What the run was asked, in words; cut in lists. */
  question: string;
  /** The answer, or what the run asks; cut in lists. */
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
  /** Tokens until the run ended or began to wait. */
  usage: {
    inputTokens: number;
    outputTokens: number;
    totalTokens: number;
  };
  /** What the run waits for. */
  action: MessageAction | null;
  createdDate: string;
  updatedDate: string;
  stoppedDate: string | null;
  /** From beginning to end; null before. */
  durationMs: number | null;
  /** JSON text: the executed steps, as predictions answer them. */
  executionData: string;
  agentVersionId: string;
  /** In the order in which they began. */
  steps: ExecutionStep[];
  warnings: {
    code: string;
    message: string;
  }[];
  /** The failed run that this one goes on from. */
  retriedFrom: string | null;
};

export type ExecutionAnswer = {
  /** `proceed` (or `approve`) or `reject`, in any case. */
  type: string;
  /** What the person says with it. */
  feedback?: string | null;
  /** The `id` of the action. Default: what was asked last. */
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
  /** What the model that wanted it had just been told: the question, results, documents. */
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
};

export type ExecutionStep = {
  /** Unique in the run: scope, node and pass. */
  nodeKey: string;
  nodeId: string;
  nodeLabel: string;
  type: string;
  /** The iteration that the step is in. */
  parentNodeId?: string;
  iterationIndex?: number;
  status: "INPROGRESS" | "FINISHED" | "STOPPED" | "ERROR" | "TERMINATED";
  attempt: number;
  startedAt: string;
  finishedAt: string | null;
  durationMs: number | null;
  /** Of the start, an item of an iteration, or a human's answer; else null. */
  input: Json;
  output: Json;
  /** Of the last attempt that failed. */
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
  /** When the step waited for a human; the last `finishedAt` is null while it does. */
  waits: {
    startedAt: string;
    finishedAt: string | null;
    /** The e-mail address of the account, or the name of the API key. Absent for visitors. */
    answeredBy?: string;
  }[];
  effects: ExecutionEffect[];
};

export type ExecutionSummary = {
  id: string;
  agentflowId: string;
  /** Null when the agent is gone. */
  agentflow: {
    id: string;
    name: string;
  } | null;
  chatId: string;
  sessionId: string;
  /** `STOPPED`: it waits for a human. */
  state: "INPROGRESS" | "FINISHED" | "ERROR" | "TERMINATED" | "TIMEOUT" | "STOPPED";
  /** What the run was asked, in words; cut in lists. */
  question: string;
  /** The answer, or what the run asks; cut in lists. */
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
  /** Tokens until the run ended or began to wait. */
  usage: {
    inputTokens: number;
    outputTokens: number;
    totalTokens: number;
  };
  /** What the run waits for. */
  action: MessageAction | null;
  createdDate: string;
  updatedDate: string;
  stoppedDate: string | null;
  /** From beginning to end; null before. */
  durationMs: number | null;
  /** JSON text: the executed steps, in lists with `page` and `limit`. */
  executionData?: string;
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

export type FlowReading = {
  dialect: "native" | "agentflow-v2" | "classic" | "workspace" | "unknown";
  /** Without nodes where it has no native form */
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
      host: string;
    };
    fix?: {
      title: string;
      path: string;
      value: Json;
    };
  }[];
  /** The flows of a workspace, each to be read on its own */
  flows: {
    name: string;
    /** JSON text */
    flowData: string;
  }[];
};

export type FlowReadingRequest = {
  flowData: string;
};

export type Integration = {
  /** As a flow names it */
  type: string;
  title: string;
  summary: string;
  group: string;
  /** Name of an icon */
  icon?: string;
  /** JSON Schema of the integration's config, with form hints. */
  config: { [key: string]: Json };
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
  /** Of a loader that is changed */
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
  /** Of a loader that is changed */
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
  /** A provider of GET /models */
  provider: string;
  /** Empty: the provider's own default */
  model?: string;
  /** Id of a credential; empty: the key of the server's configuration */
  credential?: string | "";
};

export type ModelProvider = {
  /** As a flow names it */
  name: string;
  title: string;
  summary: string;
  /** Whether it answers where a flow names no model */
  isDefault: boolean;
  /** Whether pictures can be sent to its models */
  acceptsImages: boolean;
  /** Suggested models, the default first; any other may be named */
  models: string[];
  credentialFields: {
    name: string;
    title: string;
    help?: string;
    secret: boolean;
    required: boolean;
  }[];
};

export type ModelTrial = {
  ok: boolean;
  /** As in openai/gpt-4o-mini; empty when none was found */
  model: string;
  durationMs: number;
  /** What the model answered, or why it did not */
  message: string;
};

export type NewApiKey = {
  id: string;
  keyName: string;
  /** First characters of the key */
  keyHint: string;
  permissions: string[];
  /** Ids of the agents that it is limited to; empty: all */
  agents: string[];
  /** Whom its chats belong to. Keys of one client share them. */
  clientId: string;
  createdDate: string;
  updatedDate: string;
  /** To the minute; null until the first use */
  lastUsedDate: string | null;
  /** The key. It is not shown again. */
  apiKey: string;
};

export type NodeType = {
  type: string;
  version: number;
  title: string;
  summary: string;
  group: string;
  /** Name of its picture; a builder that has none shows the group's */
  icon: string;
  /** Fields of the config that say in a line what a node does */
  outline: string[];
  /** Whether it is a step: others are notes, with no way in, out or to fail */
  executes: boolean;
  /** Whether nodes can lie inside of it */
  hasSubFlow: boolean;
  /** Which output ports a node has, by its config */
  ports: PortRule[];
  /** JSON Schema of the node's config, with form hints. */
  config: { [key: string]: Json };
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

export type PortRule = {
  id: string;
  /** Shown unless the field of `titleField` says otherwise */
  title: string;
  /** Field of the config that holds the title */
  titleField?: string;
  /** Field of the config without which there is no such port */
  onlyWith?: string;
} | {
  /** Field of the config with a list: a port for each entry, named by its `id` */
  each: string;
  /** Field of an entry that holds the title */
  titleField?: string;
  /** Shown where there is none; {n} counts from 1, {id} is the entry's */
  title: string;
};

export type PredictionRequest = {
  /** Message sent to the agent. */
  question?: string;
  /** Form fields, an alternative to question. */
  form?: { [key: string]: Json } | null;
  /** Answers as a stream of server-sent events. */
  streaming?: boolean | "true" | "false";
  /** Conversation; a new one when absent. */
  chatId?: string | null;
  /** Overrides at run time: sessionId, vars, temperature, maxTokens, topP, and settings of nodes. Accounts override anything but credentials and addresses; API keys and visitors what the agent's apiConfig enables. Everything else is ignored with a warning. */
  overrideConfig?: { [key: string]: Json } | null;
  /** Replaces the stored memory for this run, unless it is empty. Of visitors without credentials it counts only where the agent enables it. */
  history?: {
    role: "apiMessage" | "userMessage";
    content: string;
  } | {
    type: "apiMessage" | "userMessage";
    message: string;
  }[] | null;
  /** Files that come with the question. */
  uploads?: Upload[] | null;
  /** Answers the run of this chat that waits for a human, in place of a question. */
  humanInput?: {
    /** `proceed` (or `approve`) or `reject`, in any case. */
    type: string;
    /** What the person says with it. */
    feedback?: string | null;
  };
  /** The run that humanInput answers. Default: what asked last. */
  executionId?: string;
  /** The question that humanInput answers, as it was answered. Default: what was asked last. */
  action?: {
    id: string;
  } | null;
  leadEmail?: string | null;
};

export type PredictionResult = {
  text: string;
  json?: Json;
  /** What was asked, or transcribed; empty for a form */
  question: string;
  form?: { [key: string]: Json };
  chatId: string;
  chatMessageId: string;
  sessionId: string;
  memoryType: string;
  sourceDocuments: Document[];
  usedTools: UsedTool[];
  /** Files that tools or the model made */
  fileAnnotations: {
    filePath: string;
    fileName: string;
  }[];
  /** What each agent did, where several work on the answer; else empty */
  agentReasoning: AgentReasoning[];
  executionId: string;
  /** What the run waits for; absent when it has ended. */
  action?: MessageAction;
  agentFlowExecutedData: {
    nodeId: string;
    nodeLabel: string;
    data: {
      id: string;
      name: string;
      output: Json;
      error?: string;
      state?: { [key: string]: Json };
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

export type RefreshedToken = {
  /** Send it as Authorization: Bearer <token> */
  token: string;
  expiresAt: string;
};

export type RequestDescription = {
  requests: {
    name: string;
    description: string;
    /** Whether it may change something at the called API */
    changes: boolean;
    /** JSON Schema of the parameters */
    input: { [key: string]: Json };
  }[];
  /** Templates of the settings that need a value */
  references: string[];
};

export type RequestDescriptionQuery = {
  /** `request-get`, `request-post`, `request-put`, `request-delete`, `openapi-toolkit` or `http` */
  type: string;
  /** Its settings, as a flow holds them */
  config: { [key: string]: Json };
};

export type RequestTrial = {
  /** Null: no answer came */
  status: number | null;
  /** Without secrets and the values of the settings' own query */
  url: string;
  /** What a model, or the next step, would read; cut at 20,000 characters */
  output: string;
  isError: boolean;
  durationMs: number;
};

export type RequestTrialRequest = {
  /** `request-get`, `request-post`, `request-put`, `request-delete`, `openapi-toolkit` or `http` */
  type: string;
  /** Its settings, as a flow holds them */
  config: { [key: string]: Json };
  /** Which request, where the settings make several */
  name?: string;
  /** Parameters, as a model would fill them in */
  input?: { [key: string]: Json };
  /** Values of the templates, by what stands between their braces */
  values?: { [key: string]: Json };
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
  /** Why no run began. */
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
  /** Send it as Authorization: Bearer <token> */
  token: string;
  expiresAt: string;
  user: Account;
};

export type SetUpState = {
  isNeeded: boolean;
};

export type Setup = {
  /** The one-time token that the server printed at its start */
  token: string;
  email: string;
  password: string;
  name?: string;
};

export type StartForm = {
  title: string;
  description: string;
  fields: {
    /** Key in `form` of a prediction */
    name: string;
    /** Empty: the name */
    label: string;
    type: "string" | "number" | "boolean" | "options";
    options: string[];
    required: boolean;
    default?: string | number | boolean;
  }[];
};

/** The loader, as in the store's loaders */
export type StoredLoader = { [key: string]: Json };

export type StreamingInfo = {
  isStreaming: boolean;
};

export type Tool = {
  id: string;
  name: string;
  description: string;
  color: string;
  /** URL of an icon */
  iconSrc: string | null;
  /** JSON text: what the function takes */
  schema: string | null;
  /** JavaScript: the body of an async function */
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
  /** What a model would read */
  output: string;
  isError: boolean;
  /** What the code wrote to the console */
  logs: string[];
  durationMs: number;
};

export type ToolTrialRequest = {
  /** Arguments, as a model would send them */
  input?: { [key: string]: Json };
  /** What the code reads as $vars. Stored variables are not read */
  vars?: { [key: string]: Json };
  /** In place of the stored one */
  schema?: string | null;
  /** In place of the stored one */
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
  /** `file:full`: `data` is the text of the file, as attachments answered it. */
  type: "file" | "image" | "audio" | "url" | "file:full";
  name?: string;
  /** A data URL in base64; an address for `url`; a text for `file:full`. */
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
  /** To be embedded and written, of what is loaded so far: the others are there already */
  planned: number;
  embedded: number;
  /** Durable in the vector database */
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
  /** One for each loader, at the end */
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
  /** Sources that could not be loaded. The others were */
  failed: {
    source: string;
    code: string;
    message: string;
  }[];
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
  /** Text that fits the type */
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
  /** By meaning, by words, or by both, which is the default and what agents search with */
  mode?: "vector" | "keyword" | "hybrid" | null;
  /** Only passages whose metadata equals these values */
  filter?: { [key: string]: Json } | null;
  /** Also passages that were deleted and whose vectors are still in the database */
  includeOrphans?: boolean | string | null;
  /** As existing clients send it: overrides topK, mode and filter */
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
  }[];
};

export type VectorStoreSettings = {
  storeId: string;
  /** Only the chunks of this loader */
  docId?: string | null;
  embeddingName?: string | null;
  embeddingConfig?: { [key: string]: Json } | null;
  vectorStoreName?: string | null;
  vectorStoreConfig?: { [key: string]: Json } | null;
  recordManagerName?: string | null;
  recordManagerConfig?: { [key: string]: Json } | null;
};

export type VectorUpsert = {
  /** The vector store node that is meant, where the flow has several */
  stopNodeId?: string | null;
  /** loader, splitter, metadata, replaceExisting, deleteEmbeddings, docId, or text */
  overrideConfig?: { [key: string]: Json } | null;
  files?: Blob[];
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

/** The operations of the API by their names. */
export type Operations = {
  /** Stop the runs of a chat. `PUT /api/v1/chatmessage/abort/{agentId}/{chatId}` */
  abortChatMessage(params: { agentId: string; chatId: string }, options?: RequestOptions): Promise<{
    status: number;
    message: string;
  }>;
  /** Answer a run that waits for a human. Answers the run, which goes on. `POST /api/v1/executions/{id}/answer` */
  answerExecution(params: { id: string }, body: ExecutionAnswer, options?: RequestOptions): Promise<Execution>;
  /** As refreshDocuments, without waiting. Without items every loader is meant. What failed to load keeps its chunks and vectors. `POST /api/v1/document-store/store/{id}/refreshes` */
  beginRefresh(params: { id: string }, body?: DocumentRefresh, options?: RequestOptions): Promise<UpsertJob>;
  /** As upsertDocuments, without waiting. Files come as a form. Without files, a loader or a docId every loader of the store is meant. What cannot be loaded is named in `failed`; the rest is written. The same upsert twice adds nothing; one that is under way is waited for. It goes on when the client leaves. Answers the upsert that was begun, or that the request attached to. `POST /api/v1/document-store/store/{id}/upserts` */
  beginUpsert(params: { id: string }, body: DocumentUpsertRequest | FormData, options?: RequestOptions): Promise<UpsertJob>;
  /** An agent as an MCP server with one tool. Streamable HTTP without sessions, revisions 2026-07-28 and 2025-11-25 of the Model Context Protocol. `POST /api/v1/mcp/{agentId}` */
  callAgentByMcp(params: { agentId: string }, body: McpMessage, options?: RequestOptions): Promise<McpAnswer>;
  /** All deployed agents as the tools of an MCP server. Streamable HTTP without sessions, revisions 2026-07-28 and 2025-11-25 of the Model Context Protocol. `POST /api/v1/mcp` */
  callAgentsByMcp(body: McpMessage, options?: RequestOptions): Promise<McpAnswer>;
  /** End a run that goes on or waits. When this answers no new step starts any more. `POST /api/v1/executions/{id}/cancel` */
  cancelExecution(params: { id: string }, options?: RequestOptions): Promise<Execution>;
  /** End an upsert. What was written stays in the vector database; the chunks of before stay the current ones. `POST /api/v1/document-store/upserts/{id}/cancel` */
  cancelUpsert(params: { id: string }, options?: RequestOptions): Promise<UpsertJob>;
  /** Change the password; every token of the account is revoked. `PUT /api/v1/auth/password` */
  changePassword(body: PasswordChange, options?: RequestOptions): Promise<Session>;
  /** Choose which model answers where a flow names none. The choice goes before what the server's environment names. Every flow may use its credential. `PUT /api/v1/models/default` */
  chooseDefaultModel(body: ModelChoice, options?: RequestOptions): Promise<DefaultModel>;
  /** Create an agent. `POST /api/v1/chatflows` */
  createAgent(body: AgentCreate, options?: RequestOptions & { idempotencyKey?: string }): Promise<Agent>;
  /** Create an API key. Only this answer contains the key. Its permissions and agents are among those of the caller. Keys with one clientId share their chats; `chats:write` and `chats:all`, which open those of others, have to be named: `*` does not cover them. `POST /api/v1/apikey` */
  createApiKey(body: ApiKeyCreate, options?: RequestOptions): Promise<NewApiKey>;
  /** Create an assistant. Predictions can be sent to its id. `POST /api/v1/assistants` */
  createAssistant(body: AssistantCreate, options?: RequestOptions & { idempotencyKey?: string }): Promise<Assistant>;
  /** Store files with a chat and get their texts. Reads text, Markdown, HTML, CSV, JSON, XML, YAML, PDF, DOCX, XLSX and PPTX. Send the texts on with a question as uploads of the type `file:full`. With base64 any files are taken, and answered as they came. `POST /api/v1/attachments/{chatflowId}/{chatId}` */
  createAttachments(params: { chatflowId: string; chatId: string }, body: AttachmentForm | FormData, options?: RequestOptions): Promise<AttachmentResult[]>;
  /** Ask an agent as a model. `model` is the id or the name of an agent. The last user message is the question; the messages before it are the memory of this run, and nothing is remembered for the next. Tool calls happen inside the agent. `POST /v1/chat/completions` */
  createChatCompletion(body: ChatCompletionRequest, options?: RequestOptions): Promise<ChatCompletion>;
  /** Store a credential. `POST /api/v1/credentials` */
  createCredential(body: CredentialCreate, options?: RequestOptions & { idempotencyKey?: string }): Promise<Credential>;
  /** Create a document store. Without further settings it embeds and searches inside of this server: no key, no network. `POST /api/v1/document-store/store` */
  createDocumentStore(body: DocumentStoreCreate, options?: RequestOptions & { idempotencyKey?: string }): Promise<DocumentStore>;
  /** Leave feedback on a message. A message has one feedback: a second create changes it. The agent and the chat are the message's. `POST /api/v1/feedback` */
  createFeedback(body: FeedbackCreate, options?: RequestOptions & { idempotencyKey?: string }): Promise<Feedback>;
  /** Leave feedback on a message. Leaves feedback if and only if messageId, rating or content is given, in the query or in a JSON body; the query counts where both name a field. HEAD never does. Without them the answer is 400. `GET /api/v1/feedback` */
  createFeedbackByGet(params?: { id?: string; messageId?: string; rating?: "THUMBS_UP" | "THUMBS_DOWN"; content?: string | null; chatflowid?: string; chatId?: string; /** Accepted and ignored. */ createdDate?: unknown }, options?: RequestOptions): Promise<Feedback>;
  /** Leave feedback on a message, with an id, or below the agent's. A message has one feedback: a second create changes it. The agent and the chat are the message's. `POST /api/v1/feedback/{id}` */
  createFeedbackWithId(params: { id: string }, body: FeedbackCreate, options?: RequestOptions & { idempotencyKey?: string }): Promise<Feedback>;
  /** Try an agent out. As `createPrediction`; its messages are marked INTERNAL, and who logged in needs no key of the agent. `POST /api/v1/internal-prediction/{id}` */
  createInternalPrediction(params: { id: string }, body: PredictionRequest | FormData, options?: RequestOptions & { idempotencyKey?: string }): Promise<PredictionResult>;
  /** Leave a name, an e-mail address or a telephone number with an agent. `POST /api/v1/leads` */
  createLead(body: LeadCreate, options?: RequestOptions & { idempotencyKey?: string }): Promise<Lead>;
  /** Send a message to an agent. Answers as JSON, or with `streaming: true` as server-sent events. `POST /api/v1/prediction/{id}` */
  createPrediction(params: { id: string }, body: PredictionRequest | FormData, options?: RequestOptions & { idempotencyKey?: string }): Promise<PredictionResult>;
  /** Create a tool. func is the body of an async JavaScript function. It reads each parameter of the schema as $name, besides $vars, $flow and fetch. Text that is no JavaScript is kept as a description, and cannot be called. `POST /api/v1/tools` */
  createTool(body: ToolCreate, options?: RequestOptions & { idempotencyKey?: string }): Promise<Tool>;
  /** Create a variable. Flows read it as $vars.name. Of several with one name the one that was updated last has the say. `POST /api/v1/variables` */
  createVariable(body: VariableCreate, options?: RequestOptions & { idempotencyKey?: string }): Promise<Variable>;
  /** Make the secret of an agent's webhook, which is shown once. It signs as Standard Webhooks describes. The previous secret stops working at once, or keeps working for `previousValidSeconds`, so that callers can change over. `POST /api/v1/chatflows/{id}/webhook-secret` */
  createWebhookSecret(params: { id: string }, body?: WebhookSecretCreate, options?: RequestOptions): Promise<WebhookSecret>;
  /** Delete an agent and what belongs to it. Its executions stay. `DELETE /api/v1/chatflows/{id}` */
  deleteAgent(params: { id: string }, options?: RequestOptions): Promise<void>;
  /** Revoke an API key. `DELETE /api/v1/apikey/{id}` */
  deleteApiKey(params: { id: string }, options?: RequestOptions): Promise<void>;
  /** Delete an assistant and what belongs to it. Its executions stay. `DELETE /api/v1/assistants/{id}` */
  deleteAssistant(params: { id: string }, options?: RequestOptions): Promise<void>;
  /** Delete the messages of an agent that match the filters, and the feedback on them. No third-party service is asked to forget: with `hardDelete` the answer says so in the header X-Hard-Delete. `DELETE /api/v1/chatmessage/{id}` */
  deleteChatMessages(params: { id: string; /** INTERNAL or EXTERNAL; may be repeated, or be a JSON array */ chatType?: string | string[]; startDate?: string; endDate?: string; /** THUMBS_UP or THUMBS_DOWN; may be repeated, or be a JSON array */ feedbackType?: string | string[]; chatId?: string; sessionId?: string; memoryType?: string; /** true or false */ hardDelete?: string }, options?: RequestOptions): Promise<void>;
  /** Delete a chunk. Its vector stays until the store is upserted again. `DELETE /api/v1/document-store/chunks/{storeId}/{loaderId}/{chunkId}` */
  deleteChunk(params: { storeId: string; loaderId: string; chunkId: string }, options?: RequestOptions): Promise<void>;
  /** Delete a credential. `DELETE /api/v1/credentials/{id}` */
  deleteCredential(params: { id: string }, options?: RequestOptions): Promise<void>;
  /** Delete a document store with its loaders, chunks and vectors. `DELETE /api/v1/document-store/store/{id}` */
  deleteDocumentStore(params: { id: string }, options?: RequestOptions): Promise<void>;
  /** Delete a run with its steps. Their messages stay. A run that goes on or waits is cancelled first. `DELETE /api/v1/executions/{id}` */
  deleteExecution(params: { id: string }, options?: RequestOptions): Promise<ExecutionDeleted>;
  /** Delete runs with their steps. Their messages stay. A run that goes on or waits is cancelled first. `DELETE /api/v1/executions` */
  deleteExecutions(body: ExecutionDelete, options?: RequestOptions): Promise<ExecutionDeleted>;
  /** Delete a loader with its chunks. What is in the vector database stays there: delete it first with `deleteVectors`. `DELETE /api/v1/document-store/loader/{storeId}/{loaderId}` */
  deleteLoader(params: { storeId: string; loaderId: string }, options?: RequestOptions): Promise<void>;
  /** Delete a tool. `DELETE /api/v1/tools/{id}` */
  deleteTool(params: { id: string }, options?: RequestOptions): Promise<void>;
  /** Delete upserts from the history. They are marked as deleted and listed no more. 404 when none of them is listed. `PATCH /api/v1/upsert-history` */
  deleteUpsertHistory(body: UpsertHistoryDelete, options?: RequestOptions): Promise<void>;
  /** Delete upserts from the history of an agent. They are marked as deleted and listed no more. 404 when none of them is listed. `PATCH /api/v1/upsert-history/{id}` */
  deleteUpsertHistoryOfAgent(params: { id: string }, body: UpsertHistoryDelete, options?: RequestOptions): Promise<void>;
  /** Delete a variable. `DELETE /api/v1/variables/{id}` */
  deleteVariable(params: { id: string }, options?: RequestOptions): Promise<void>;
  /** Delete the vectors that the record manager knows. Chunks stay, and can be upserted again. With `docId` only those of one loader. `DELETE /api/v1/document-store/vectorstore/{id}` */
  deleteVectors(params: { id: string; docId?: string }, options?: RequestOptions): Promise<void>;
  /** Delete the secret of an agent's webhook. `DELETE /api/v1/chatflows/{id}/webhook-secret` */
  deleteWebhookSecret(params: { id: string }, options?: RequestOptions): Promise<void>;
  /** What requests some settings make, and what they need. Calls the API that the settings name only to load its description from a link. `POST /api/v1/flows/requests` */
  describeRequests(body: RequestDescriptionQuery, options?: RequestOptions): Promise<RequestDescription>;
  /** Read an agent. `GET /api/v1/chatflows/{id}` */
  getAgent(params: { id: string }, options?: RequestOptions): Promise<Agent>;
  /** Read the agent that is bound to an API key. Takes the key or its id. Of several agents the most recently updated one is answered. `GET /api/v1/chatflows/apikey/{apikey}` */
  getAgentByApiKey(params: { apikey: string }, options?: RequestOptions): Promise<Agent>;
  /** Read a saved flow of an agent. `GET /api/v1/chatflows/{id}/versions/{number}` */
  getAgentVersion(params: { id: string; number: number }, options?: RequestOptions): Promise<AgentVersion>;
  /** Read an API key, without the key itself. `GET /api/v1/apikey/{id}` */
  getApiKey(params: { id: string }, options?: RequestOptions): Promise<ApiKey>;
  /** Read an assistant. The id of another kind of resource is answered with 422. `GET /api/v1/assistants/{id}` */
  getAssistant(params: { id: string }, options?: RequestOptions): Promise<Assistant>;
  /** Who the token or key belongs to. `GET /api/v1/auth/me` */
  getCaller(options?: RequestOptions): Promise<Caller>;
  /** How a chat with an agent looks, and what it offers. `GET /api/v1/public-chatbotConfig/{id}` */
  getChatConfig(params: { id: string }, options?: RequestOptions): Promise<ChatConfig>;
  /** Count the messages, sessions and ratings of an agent. `GET /api/v1/stats/{id}` */
  getChatStats(params: { id: string; /** INTERNAL or EXTERNAL; may be repeated, or be a JSON array */ chatType?: string | string[]; startDate?: string; endDate?: string; /** THUMBS_UP or THUMBS_DOWN; may be repeated, or be a JSON array */ feedbackType?: string | string[] }, options?: RequestOptions): Promise<ChatStats>;
  /** Read a credential, without its values. `GET /api/v1/credentials/{id}` */
  getCredential(params: { id: string }, options?: RequestOptions): Promise<Credential>;
  /** Which model answers where a flow names none. `GET /api/v1/models/default` */
  getDefaultModel(options?: RequestOptions): Promise<DefaultModel>;
  /** Read a document store. `GET /api/v1/document-store/store/{id}` */
  getDocumentStore(params: { id: string }, options?: RequestOptions): Promise<DocumentStore>;
  /** The reference event API as an OpenAPI 3.0 document. `GET /event-api.yaml` */
  getEventApiDocument(options?: RequestOptions): Promise<string>;
  /** One run with its steps. `GET /api/v1/executions/{id}` */
  getExecution(params: { id: string }, options?: RequestOptions): Promise<Execution>;
  /** Whether the process runs. `GET /livez` */
  getLiveness(options?: RequestOptions): Promise<{
    status: "ok";
  }>;
  /** Read a loader with its whole configuration. `GET /api/v1/document-store/loader/{storeId}/{loaderId}` */
  getLoader(params: { storeId: string; loaderId: string }, options?: RequestOptions): Promise<StoredLoader>;
  /** This API as an OpenAPI 3.1 document. `GET /openapi.json` */
  getOpenApi(options?: RequestOptions): Promise<{ [key: string]: Json }>;
  /** Read what an agent shows to its visitors. Of the flow the form of its start node alone; no key, no settings, no prompt. `GET /api/v1/public-chatflows/{id}` */
  getPublicAgent(params: { id: string }, options?: RequestOptions): Promise<Agent>;
  /** Whether the server can take requests. `GET /readyz` */
  getReadiness(options?: RequestOptions): Promise<{
    status: "ok";
  }>;
  /** Whether an agent starts by itself, and when next. `GET /api/v1/chatflows/{id}/schedule/status` */
  getScheduleStatus(params: { id: string }, options?: RequestOptions): Promise<ScheduleStatus>;
  /** An agent, as a model. `GET /v1/models/{id}` */
  getServedModel(params: { id: string }, options?: RequestOptions): Promise<ServedModel>;
  /** Whether the first account is still to be created. `GET /api/v1/auth/setup` */
  getSetUp(options?: RequestOptions): Promise<SetUpState>;
  /** Whether an agent's answers can be streamed. Every agent's can, so this tells nothing of one, not even whether it is there. It needs no credentials: published SDKs send theirs with the prediction alone. `GET /api/v1/chatflows-streaming/{id}` */
  getStreamingInfo(params: { id: string }, options?: RequestOptions): Promise<StreamingInfo>;
  /** Read a tool. `GET /api/v1/tools/{id}` */
  getTool(params: { id: string }, options?: RequestOptions): Promise<Tool>;
  /** Download a file of a chat. Pictures, audio and video may be shown by a browser, everything else is to be saved. `GET /api/v1/get-upload-file` */
  getUploadFile(params: { chatflowId: string; chatId: string; /** The name as the chat message shows it */ fileName: string; /** Always to be saved */ download?: "true" | "false" }, options?: RequestOptions): Promise<Blob>;
  /** Which files an agent takes. `GET /api/v1/chatflows-uploads/{id}` */
  getUploadInfo(params: { id: string }, options?: RequestOptions): Promise<UploadInfo>;
  /** How far an upsert is, or what it came to. `GET /api/v1/document-store/upserts/{id}` */
  getUpsert(params: { id: string }, options?: RequestOptions): Promise<UpsertJob>;
  /** Read a variable. `GET /api/v1/variables/{id}` */
  getVariable(params: { id: string }, options?: RequestOptions): Promise<Variable>;
  /** Version of the server. `GET /api/v1/version` */
  getVersion(options?: RequestOptions): Promise<{
    version: string;
  }>;
  /** Embed the chunks of a store as they are, and write them to the vector database. With `Prefer: respond-async` it answers 202 at once, with the upsert to follow. `POST /api/v1/document-store/vectorstore/insert` */
  insertVectors(body: VectorStoreSettings, options?: RequestOptions): Promise<UpsertResult[]>;
  /** Check the saved flow of an agent. `GET /api/v1/chatflows/{id}/findings` */
  listAgentFindings(params: { id: string }, options?: RequestOptions): Promise<{
    level: "error" | "warning";
    code: string;
    nodeId: string | null;
    path?: string;
    message: string;
    bind?: {
      credential: string;
      host: string;
    };
    fix?: {
      title: string;
      path: string;
      value: Json;
    };
  }[]>;
  /** List the saved flows of an agent, newest first. `GET /api/v1/chatflows/{id}/versions` */
  listAgentVersions(params: { id: string }, options?: RequestOptions): Promise<AgentVersionSummary[]>;
  /** List the agents, most recently updated first. `GET /api/v1/chatflows` */
  listAgents(params?: { type?: "AGENTFLOW" | "CHATFLOW" | "MULTIAGENT" | "ASSISTANT" }, options?: RequestOptions): Promise<Agent[]>;
  /** List the agents, most recently updated first. `GET /api/v1/chatflows` */
  listAgents(params: { page: number; limit: number; type?: "AGENTFLOW" | "CHATFLOW" | "MULTIAGENT" | "ASSISTANT" }, options?: RequestOptions): Promise<{
    data: Agent[];
    total: number;
  }>;
  /** List the API keys, without the keys themselves. `GET /api/v1/apikey` */
  listApiKeys(options?: RequestOptions): Promise<ApiKey[]>;
  /** List the API keys, without the keys themselves. `GET /api/v1/apikey` */
  listApiKeys(params: { page: number; limit: number }, options?: RequestOptions): Promise<{
    data: ApiKey[];
    total: number;
  }>;
  /** List the assistants, most recently updated first. `GET /api/v1/assistants` */
  listAssistants(options?: RequestOptions): Promise<Assistant[]>;
  /** List the assistants, most recently updated first. `GET /api/v1/assistants` */
  listAssistants(params: { page: number; limit: number }, options?: RequestOptions): Promise<{
    data: Assistant[];
    total: number;
  }>;
  /** What was sent to the callback address of an agent, newest first. `GET /api/v1/chatflows/{id}/deliveries` */
  listCallbackDeliveries(params: { id: string; page?: number; limit?: number; state?: "PENDING" | "DELIVERED" | "FAILED" | "STOPPED"; /** Only those of one run. */ executionId?: string }, options?: RequestOptions): Promise<{
    data: CallbackDelivery[];
    total: number;
  }>;
  /** List the messages of an agent, oldest first. An unknown agent has no messages. With `feedback=true` only messages with feedback are listed, and they carry it. `GET /api/v1/chatmessage/{id}` */
  listChatMessages(params: { id: string; /** INTERNAL or EXTERNAL; may be repeated, or be a JSON array */ chatType?: string | string[]; startDate?: string; endDate?: string; /** THUMBS_UP or THUMBS_DOWN; may be repeated, or be a JSON array */ feedbackType?: string | string[]; chatId?: string; sessionId?: string; memoryType?: string; messageId?: string; order?: "ASC" | "DESC"; /** true or false */ feedback?: string }, options?: RequestOptions): Promise<ChatMessage[]>;
  /** List the messages of an agent, oldest first. An unknown agent has no messages. With `feedback=true` only messages with feedback are listed, and they carry it. `GET /api/v1/chatmessage/{id}` */
  listChatMessages(params: { id: string; page: number; limit: number; /** INTERNAL or EXTERNAL; may be repeated, or be a JSON array */ chatType?: string | string[]; startDate?: string; endDate?: string; /** THUMBS_UP or THUMBS_DOWN; may be repeated, or be a JSON array */ feedbackType?: string | string[]; chatId?: string; sessionId?: string; memoryType?: string; messageId?: string; order?: "ASC" | "DESC"; /** true or false */ feedback?: string }, options?: RequestOptions): Promise<{
    data: ChatMessage[];
    total: number;
  }>;
  /** One page of a loader's chunks, 50 each. `GET /api/v1/document-store/chunks/{storeId}/{loaderId}/{page}` */
  listChunks(params: { storeId: string; loaderId: string; page: number; /** Only chunks that have this text */ search?: string }, options?: RequestOptions): Promise<ChunkPage>;
  /** List the kinds of credentials, with their fields. `GET /api/v1/credential-types` */
  listCredentialTypes(options?: RequestOptions): Promise<CredentialType[]>;
  /** List the credentials, without their values. `GET /api/v1/credentials` */
  listCredentials(params?: { credentialName?: string | string[] }, options?: RequestOptions): Promise<Credential[]>;
  /** List the credentials, without their values. `GET /api/v1/credentials` */
  listCredentials(params: { page: number; limit: number; credentialName?: string | string[] }, options?: RequestOptions): Promise<{
    data: Credential[];
    total: number;
  }>;
  /** List the document stores, most recently updated first. `GET /api/v1/document-store/store` */
  listDocumentStores(options?: RequestOptions): Promise<DocumentStore[]>;
  /** List the document stores, most recently updated first. `GET /api/v1/document-store/store` */
  listDocumentStores(params: { page: number; limit: number }, options?: RequestOptions): Promise<{
    data: DocumentStore[];
    total: number;
  }>;
  /** List the embedding models that there are, with their settings. `GET /api/v1/document-store/components/embeddings` */
  listEmbeddingProviders(options?: RequestOptions): Promise<DocumentComponent[]>;
  /** List runs, the most recently updated first. `state=STOPPED` lists what waits for a human. Dates are of the run's beginning, and inclusive. With `page` and `limit` each row carries `executionData`, and a page has 50 rows at most, unless `executionData=false`. `GET /api/v1/executions` */
  listExecutions(params?: { page?: number; limit?: number; /** Whether rows carry their steps where page and limit are given. */ executionData?: "true" | "false"; id?: string; agentflowId?: string; /** Part of the agent's name. */ agentflowName?: string; sessionId?: string; chatId?: string; state?: "INPROGRESS" | "FINISHED" | "ERROR" | "TERMINATED" | "TIMEOUT" | "STOPPED"; startDate?: string; endDate?: string }, options?: RequestOptions): Promise<{
    data: ExecutionSummary[];
    total: number;
  }>;
  /** List the feedback of an agent, oldest first, or leave feedback. Leaves feedback if and only if messageId, rating or content is given, in the query or in a JSON body; the query counts where both name a field. HEAD never does. Then the id is the feedback's and the key needs feedback:write, too. In a list it is the agent's; an unknown agent has no feedback. `GET /api/v1/feedback/{id}` */
  listFeedback(params: { id: string; messageId?: string; rating?: "THUMBS_UP" | "THUMBS_DOWN"; content?: string | null; chatflowid?: string; chatId?: string; /** Accepted and ignored. */ createdDate?: unknown; sortOrder?: "asc" | "desc"; /** As sortOrder, which counts where both are given. */ order?: "ASC" | "DESC"; startDate?: string; endDate?: string }, options?: RequestOptions): Promise<Feedback[]>;
  /** List the feedback of an agent, oldest first, or leave feedback. Leaves feedback if and only if messageId, rating or content is given, in the query or in a JSON body; the query counts where both name a field. HEAD never does. Then the id is the feedback's and the key needs feedback:write, too. In a list it is the agent's; an unknown agent has no feedback. `GET /api/v1/feedback/{id}` */
  listFeedback(params: { id: string; page: number; limit: number; messageId?: string; rating?: "THUMBS_UP" | "THUMBS_DOWN"; content?: string | null; chatflowid?: string; chatId?: string; /** Accepted and ignored. */ createdDate?: unknown; sortOrder?: "asc" | "desc"; /** As sortOrder, which counts where both are given. */ order?: "ASC" | "DESC"; startDate?: string; endDate?: string }, options?: RequestOptions): Promise<{
    data: Feedback[];
    total: number;
  }>;
  /** List the integrations. `GET /api/v1/integrations` */
  listIntegrations(options?: RequestOptions): Promise<Integration[]>;
  /** List the messages of an agent's chats in the builder, oldest first. `GET /api/v1/internal-chatmessage/{id}` */
  listInternalChatMessages(params: { id: string; startDate?: string; endDate?: string; /** THUMBS_UP or THUMBS_DOWN; may be repeated, or be a JSON array */ feedbackType?: string | string[]; chatId?: string; sessionId?: string; memoryType?: string; messageId?: string; order?: "ASC" | "DESC"; /** true or false */ feedback?: string }, options?: RequestOptions): Promise<ChatMessage[]>;
  /** List the messages of an agent's chats in the builder, oldest first. `GET /api/v1/internal-chatmessage/{id}` */
  listInternalChatMessages(params: { id: string; page: number; limit: number; startDate?: string; endDate?: string; /** THUMBS_UP or THUMBS_DOWN; may be repeated, or be a JSON array */ feedbackType?: string | string[]; chatId?: string; sessionId?: string; memoryType?: string; messageId?: string; order?: "ASC" | "DESC"; /** true or false */ feedback?: string }, options?: RequestOptions): Promise<{
    data: ChatMessage[];
    total: number;
  }>;
  /** List the leads of an agent, oldest first. 404 when there is none. `GET /api/v1/leads/{id}` */
  listLeads(params: { id: string }, options?: RequestOptions): Promise<Lead[]>;
  /** List the leads of an agent, oldest first. 404 when there is none. `GET /api/v1/leads/{id}` */
  listLeads(params: { id: string; page: number; limit: number }, options?: RequestOptions): Promise<{
    data: Lead[];
    total: number;
  }>;
  /** List the loaders that there are, with their settings. `GET /api/v1/document-store/components/loaders` */
  listLoaderTypes(options?: RequestOptions): Promise<DocumentComponent[]>;
  /** List the model providers. `GET /api/v1/models` */
  listModelProviders(options?: RequestOptions): Promise<ModelProvider[]>;
  /** List the node types. `GET /api/v1/nodes` */
  listNodeTypes(options?: RequestOptions): Promise<NodeType[]>;
  /** List the record managers that there are, with their settings. `GET /api/v1/document-store/components/recordmanager` */
  listRecordManagers(options?: RequestOptions): Promise<DocumentComponent[]>;
  /** The moments at which an agent's schedule was due, newest first. `GET /api/v1/chatflows/{id}/schedule/trigger-logs` */
  listScheduleLogs(params: { id: string; page?: number; limit?: number; status?: "RUNNING" | "SUCCEEDED" | "FAILED" | "SKIPPED" }, options?: RequestOptions): Promise<{
    data: ScheduleLog[];
    total: number;
    page: number;
    limit: number;
  }>;
  /** The agents that the caller may use, as models. `GET /v1/models` */
  listServedModels(options?: RequestOptions): Promise<ServedModelList>;
  /** List the splitters that there are, with their settings. `GET /api/v1/document-store/components/splitters` */
  listSplitters(options?: RequestOptions): Promise<DocumentComponent[]>;
  /** List the tools, most recently updated first. `GET /api/v1/tools` */
  listTools(options?: RequestOptions): Promise<Tool[]>;
  /** List the tools, most recently updated first. `GET /api/v1/tools` */
  listTools(params: { page: number; limit: number }, options?: RequestOptions): Promise<{
    data: Tool[];
    total: number;
  }>;
  /** List the upserts of an agent, oldest first. An unknown agent has none. `GET /api/v1/upsert-history/{id}` */
  listUpsertHistory(params: { id: string; order?: "ASC" | "DESC"; startDate?: string; endDate?: string }, options?: RequestOptions): Promise<UpsertHistoryRecord[]>;
  /** List the upserts of an agent, oldest first. An unknown agent has none. `GET /api/v1/upsert-history/{id}` */
  listUpsertHistory(params: { id: string; page: number; limit: number; order?: "ASC" | "DESC"; startDate?: string; endDate?: string }, options?: RequestOptions): Promise<{
    data: UpsertHistoryRecord[];
    total: number;
  }>;
  /** The last upserts of a store, the newest first. `GET /api/v1/document-store/store/{id}/upserts` */
  listUpserts(params: { id: string }, options?: RequestOptions): Promise<UpsertJob[]>;
  /** List the variables. Most recently updated first. What a runtime variable reads of the environment is not shown. `GET /api/v1/variables` */
  listVariables(options?: RequestOptions): Promise<Variable[]>;
  /** List the variables. Most recently updated first. What a runtime variable reads of the environment is not shown. `GET /api/v1/variables` */
  listVariables(params: { page: number; limit: number }, options?: RequestOptions): Promise<{
    data: Variable[];
    total: number;
  }>;
  /** List the vector databases that there are, with their settings. `GET /api/v1/document-store/components/vectorstore` */
  listVectorStores(options?: RequestOptions): Promise<DocumentComponent[]>;
  /** Log in. After 5 failures of an e-mail address from one network, every further attempt from there is answered 429 for a time that grows with each failure: see Retry-After. So it is after 20 failures of an e-mail address from anywhere, and after 20 of one network, except where the account has logged in before. `POST /api/v1/auth/login` */
  logIn(body: Login, options?: RequestOptions): Promise<Session>;
  /** Revoke the token of this request. `POST /api/v1/auth/logout` */
  logOut(options?: RequestOptions): Promise<void>;
  /** Answer pong. `GET /api/v1/ping` */
  ping(options?: RequestOptions): Promise<string>;
  /** Try a loader and a splitter without storing anything. `POST /api/v1/document-store/loader/preview` */
  previewLoader(body: LoaderPreviewBody, options?: RequestOptions): Promise<LoaderPreview>;
  /** Load and split what a loader names, without embedding it. Answers the first chunks when it is done. With `Prefer: respond-async` it answers 202 at once. `POST /api/v1/document-store/loader/process/{loaderId}` */
  processLoader(params: { loaderId: string }, body: LoaderProcess, options?: RequestOptions): Promise<ChunkPage>;
  /** Search a document store. `POST /api/v1/document-store/vectorstore/query` */
  queryDocumentStore(body: VectorQuery, options?: RequestOptions): Promise<VectorQueryResult>;
  /** Read a flow of any dialect as a native one, and check it. Takes what an agent's `flowData` may hold, or the text of an exported file. Stores nothing and executes nothing. `POST /api/v1/flows/read` */
  readFlow(body: FlowReadingRequest, options?: RequestOptions): Promise<FlowReading>;
  /** Load documents of a store again, and write what has changed. Without items every loader is meant. What failed to load keeps its chunks and vectors. `POST /api/v1/document-store/refresh/{id}` */
  refreshDocuments(params: { id: string }, body?: DocumentRefresh, options?: RequestOptions): Promise<UpsertResult[]>;
  /** Exchange the token of this request for a new one. `POST /api/v1/auth/refresh` */
  refreshToken(options?: RequestOptions): Promise<RefreshedToken>;
  /** Send a message to the callback address again. At once, under the same `webhook-id`, and then as often as it takes within a day. `POST /api/v1/chatflows/{id}/deliveries/{deliveryId}/resend` */
  resendCallbackDelivery(params: { id: string; deliveryId: string }, options?: RequestOptions): Promise<CallbackDelivery>;
  /** Let the server's environment name the default model again. `DELETE /api/v1/models/default` */
  resetDefaultModel(options?: RequestOptions): Promise<DefaultModel>;
  /** Make an earlier flow of an agent the newest one. `POST /api/v1/chatflows/{id}/versions/{number}/restore` */
  restoreAgentVersion(params: { id: string; number: number }, options?: RequestOptions): Promise<Agent>;
  /** Go on from where a run failed. Answers the new run, which has begun. What finished is not done again; the step that failed, and what was unfinished, is attempted anew, also where it is unknown whether it took effect. `POST /api/v1/executions/{id}/retry` */
  retryExecution(params: { id: string }, options?: RequestOptions): Promise<Execution>;
  /** Give an API key another value. Only this answer contains the new value; the previous one stops working at once. Agents that are bound to the key stay bound, and its chats go on. To use both for a while, create a further key with the same clientId. `POST /api/v1/apikey/{id}/rotate` */
  rotateApiKey(params: { id: string }, options?: RequestOptions): Promise<NewApiKey>;
  /** Add a loader to a store, or change one, without loading anything. `POST /api/v1/document-store/loader/save` */
  saveLoader(body: LoaderBody, options?: RequestOptions): Promise<StoredLoader>;
  /** Keep what a store embeds with and writes to. `POST /api/v1/document-store/vectorstore/save` */
  saveVectorStoreSettings(body: VectorStoreSettings, options?: RequestOptions): Promise<DocumentStore>;
  /** Send a test request. Sends it for real, with the credential of the settings and under the rules for what may be called. Error statuses, refused addresses and missing credentials are answers with isError. `POST /api/v1/flows/requests/test` */
  sendTestRequest(body: RequestTrialRequest, options?: RequestOptions): Promise<RequestTrial>;
  /** Switch an agent's schedule on or off. `PATCH /api/v1/chatflows/{id}/schedule/enabled` */
  setScheduleEnabled(params: { id: string }, body: {
    enabled: boolean;
  }, options?: RequestOptions): Promise<Schedule>;
  /** Create the first account. Works once, with the token that the server prints when it starts without an account. `POST /api/v1/auth/setup` */
  setUp(body: Setup, options?: RequestOptions): Promise<Session>;
  /** The stream of a run, from the start or where it was cut off. Answers what the stream of the prediction would have: with `Last-Event-ID`, the id of a frame, everything after that frame, else everything; then goes on until `end`. A run that waits for a human ends its stream; the last frame of that one leads to the stream that follows the answer. `GET /api/v1/executions/{executionId}/events` */
  streamExecution(params: { executionId: string; /** For clients that cannot set the header Last-Event-ID. */ lastEventId?: string }, options?: RequestOptions): Promise<AsyncIterable<StreamFrame>>;
  /** An upsert's progress as server-sent events, until it is over. Each `progress` says everything, so that a client that lost the stream only asks again. `GET /api/v1/document-store/upserts/{id}/events` */
  streamUpsert(params: { id: string }, options?: RequestOptions): Promise<AsyncIterable<StreamFrame>>;
  /** Ask a model for one word. Finds out whether a provider, its address and its credential work. It costs what the vendor takes. `POST /api/v1/models/test` */
  testModel(body: ModelChoice, options?: RequestOptions): Promise<ModelTrial>;
  /** Call a tool to see what it does. Calls it as an agent would, for real. schema and func may be given to try what is not saved yet. A failure of the code is an answer with isError. `POST /api/v1/tools/{id}/test` */
  testTool(params: { id: string }, body: ToolTrialRequest, options?: RequestOptions): Promise<ToolTrial>;
  /** Change an agent. What the body leaves out stays as it is. Another flow makes a new version. `PUT /api/v1/chatflows/{id}` */
  updateAgent(params: { id: string }, body: AgentUpdate, options?: RequestOptions & { ifMatch?: string }): Promise<Agent>;
  /** Rename an API key, or change its permissions, agents or client. `PUT /api/v1/apikey/{id}` */
  updateApiKey(params: { id: string }, body: ApiKeyUpdate, options?: RequestOptions & { ifMatch?: string }): Promise<ApiKey>;
  /** Change an assistant. What the body leaves out stays as it is, inside of details, too. `PUT /api/v1/assistants/{id}` */
  updateAssistant(params: { id: string }, body: AssistantUpdate, options?: RequestOptions & { ifMatch?: string }): Promise<Assistant>;
  /** Change a chunk. Its vector stays as it is until the store is upserted again. `PUT /api/v1/document-store/chunks/{storeId}/{loaderId}/{chunkId}` */
  updateChunk(params: { storeId: string; loaderId: string; chunkId: string }, body: ChunkUpdate, options?: RequestOptions): Promise<ChunkPage>;
  /** Change a credential. Values are merged: what is absent, empty or redacted stays as it is; null removes a value. `PUT /api/v1/credentials/{id}` */
  updateCredential(params: { id: string }, body: CredentialUpdate, options?: RequestOptions & { ifMatch?: string }): Promise<Credential>;
  /** Change a document store. What the body leaves out stays as it is. Another embedding or vector store outdates what was upserted. `PUT /api/v1/document-store/store/{id}` */
  updateDocumentStore(params: { id: string }, body: DocumentStoreUpdate, options?: RequestOptions & { ifMatch?: string }): Promise<DocumentStore>;
  /** Change the rating or the content of feedback. What the body leaves out stays as it is. `PUT /api/v1/feedback/{id}` */
  updateFeedback(params: { id: string }, body: FeedbackUpdate, options?: RequestOptions & { ifMatch?: string }): Promise<Feedback>;
  /** Change a tool. What the body leaves out stays as it is. Agents use the tool as it is when they run. `PUT /api/v1/tools/{id}` */
  updateTool(params: { id: string }, body: ToolUpdate, options?: RequestOptions & { ifMatch?: string }): Promise<Tool>;
  /** Change a variable. What the body leaves out stays as it is. Runs that have begun keep the value they began with. `PUT /api/v1/variables/{id}` */
  updateVariable(params: { id: string }, body: VariableUpdate, options?: RequestOptions & { ifMatch?: string }): Promise<Variable>;
  /** Load documents, split and embed them, and write them to the vector database. Files come as a form. Without files, a loader or a docId every loader of the store is meant. What cannot be loaded is named in `failed`; the rest is written. The same upsert twice adds nothing; one that is under way is waited for. It goes on when the client leaves. `POST /api/v1/document-store/upsert/{id}` */
  upsertDocuments(params: { id: string }, body: DocumentUpsertRequest | FormData, options?: RequestOptions): Promise<UpsertResult>;
  /** Write documents into the document store of an agent's vector store node. Files come as a form. Without files and without a loader, every loader of the store is loaded again. `POST /api/v1/vector/upsert/{id}` */
  upsertVectors(params: { id: string }, body: VectorUpsert | FormData, options?: RequestOptions): Promise<UpsertResult>;
  /** Check whether an API key is valid. Answers 401 for a key that does not exist. `GET /api/v1/verify/apikey/{apikey}` */
  verifyApiKey(params: { apikey: string }, options?: RequestOptions): Promise<"OK">;
};

/** What a call of each operation consists of. */
export const operations: Record<keyof Operations, OperationDescription> = {
  abortChatMessage: {"method":"PUT","path":"/api/v1/chatmessage/abort/{agentId}/{chatId}","answer":"json"},
  answerExecution: {"method":"POST","path":"/api/v1/executions/{id}/answer","body":"json","answer":"json"},
  beginRefresh: {"method":"POST","path":"/api/v1/document-store/store/{id}/refreshes","body":"json","answer":"json"},
  beginUpsert: {"method":"POST","path":"/api/v1/document-store/store/{id}/upserts","body":"json","answer":"json"},
  callAgentByMcp: {"method":"POST","path":"/api/v1/mcp/{agentId}","body":"json","answer":"json"},
  callAgentsByMcp: {"method":"POST","path":"/api/v1/mcp","body":"json","answer":"json"},
  cancelExecution: {"method":"POST","path":"/api/v1/executions/{id}/cancel","answer":"json"},
  cancelUpsert: {"method":"POST","path":"/api/v1/document-store/upserts/{id}/cancel","answer":"json"},
  changePassword: {"method":"PUT","path":"/api/v1/auth/password","body":"json","answer":"json"},
  chooseDefaultModel: {"method":"PUT","path":"/api/v1/models/default","body":"json","answer":"json"},
  createAgent: {"method":"POST","path":"/api/v1/chatflows","headers":{"idempotencyKey":"Idempotency-Key"},"body":"json","answer":"json"},
  createApiKey: {"method":"POST","path":"/api/v1/apikey","body":"json","answer":"json"},
  createAssistant: {"method":"POST","path":"/api/v1/assistants","headers":{"idempotencyKey":"Idempotency-Key"},"body":"json","answer":"json"},
  createAttachments: {"method":"POST","path":"/api/v1/attachments/{chatflowId}/{chatId}","body":"multipart","answer":"json"},
  createChatCompletion: {"method":"POST","path":"/v1/chat/completions","body":"json","answer":"json"},
  createCredential: {"method":"POST","path":"/api/v1/credentials","headers":{"idempotencyKey":"Idempotency-Key"},"body":"json","answer":"json"},
  createDocumentStore: {"method":"POST","path":"/api/v1/document-store/store","headers":{"idempotencyKey":"Idempotency-Key"},"body":"json","answer":"json"},
  createFeedback: {"method":"POST","path":"/api/v1/feedback","headers":{"idempotencyKey":"Idempotency-Key"},"body":"json","answer":"json"},
  createFeedbackByGet: {"method":"GET","path":"/api/v1/feedback","query":["id","messageId","rating","content","chatflowid","chatId","createdDate"],"answer":"json"},
  createFeedbackWithId: {"method":"POST","path":"/api/v1/feedback/{id}","headers":{"idempotencyKey":"Idempotency-Key"},"body":"json","answer":"json"},
  createInternalPrediction: {"method":"POST","path":"/api/v1/internal-prediction/{id}","headers":{"idempotencyKey":"Idempotency-Key"},"body":"json","answer":"json"},
  createLead: {"method":"POST","path":"/api/v1/leads","headers":{"idempotencyKey":"Idempotency-Key"},"body":"json","answer":"json"},
  createPrediction: {"method":"POST","path":"/api/v1/prediction/{id}","headers":{"idempotencyKey":"Idempotency-Key"},"body":"json","answer":"json"},
  createTool: {"method":"POST","path":"/api/v1/tools","headers":{"idempotencyKey":"Idempotency-Key"},"body":"json","answer":"json"},
  createVariable: {"method":"POST","path":"/api/v1/variables","headers":{"idempotencyKey":"Idempotency-Key"},"body":"json","answer":"json"},
  createWebhookSecret: {"method":"POST","path":"/api/v1/chatflows/{id}/webhook-secret","body":"json","answer":"json"},
  deleteAgent: {"method":"DELETE","path":"/api/v1/chatflows/{id}","answer":"none"},
  deleteApiKey: {"method":"DELETE","path":"/api/v1/apikey/{id}","answer":"none"},
  deleteAssistant: {"method":"DELETE","path":"/api/v1/assistants/{id}","answer":"none"},
  deleteChatMessages: {"method":"DELETE","path":"/api/v1/chatmessage/{id}","query":["chatType","startDate","endDate","feedbackType","chatId","sessionId","memoryType","hardDelete"],"answer":"none"},
  deleteChunk: {"method":"DELETE","path":"/api/v1/document-store/chunks/{storeId}/{loaderId}/{chunkId}","answer":"none"},
  deleteCredential: {"method":"DELETE","path":"/api/v1/credentials/{id}","answer":"none"},
  deleteDocumentStore: {"method":"DELETE","path":"/api/v1/document-store/store/{id}","answer":"none"},
  deleteExecution: {"method":"DELETE","path":"/api/v1/executions/{id}","answer":"json"},
  deleteExecutions: {"method":"DELETE","path":"/api/v1/executions","body":"json","answer":"json"},
  deleteLoader: {"method":"DELETE","path":"/api/v1/document-store/loader/{storeId}/{loaderId}","answer":"none"},
  deleteTool: {"method":"DELETE","path":"/api/v1/tools/{id}","answer":"none"},
  deleteUpsertHistory: {"method":"PATCH","path":"/api/v1/upsert-history","body":"json","answer":"none"},
  deleteUpsertHistoryOfAgent: {"method":"PATCH","path":"/api/v1/upsert-history/{id}","body":"json","answer":"none"},
  deleteVariable: {"method":"DELETE","path":"/api/v1/variables/{id}","answer":"none"},
  deleteVectors: {"method":"DELETE","path":"/api/v1/document-store/vectorstore/{id}","query":["docId"],"answer":"none"},
  deleteWebhookSecret: {"method":"DELETE","path":"/api/v1/chatflows/{id}/webhook-secret","answer":"none"},
  describeRequests: {"method":"POST","path":"/api/v1/flows/requests","body":"json","answer":"json"},
  getAgent: {"method":"GET","path":"/api/v1/chatflows/{id}","answer":"json"},
  getAgentByApiKey: {"method":"GET","path":"/api/v1/chatflows/apikey/{apikey}","answer":"json"},
  getAgentVersion: {"method":"GET","path":"/api/v1/chatflows/{id}/versions/{number}","answer":"json"},
  getApiKey: {"method":"GET","path":"/api/v1/apikey/{id}","answer":"json"},
  getAssistant: {"method":"GET","path":"/api/v1/assistants/{id}","answer":"json"},
  getCaller: {"method":"GET","path":"/api/v1/auth/me","answer":"json"},
  getChatConfig: {"method":"GET","path":"/api/v1/public-chatbotConfig/{id}","answer":"json"},
  getChatStats: {"method":"GET","path":"/api/v1/stats/{id}","query":["chatType","startDate","endDate","feedbackType"],"answer":"json"},
  getCredential: {"method":"GET","path":"/api/v1/credentials/{id}","answer":"json"},
  getDefaultModel: {"method":"GET","path":"/api/v1/models/default","answer":"json"},
  getDocumentStore: {"method":"GET","path":"/api/v1/document-store/store/{id}","answer":"json"},
  getEventApiDocument: {"method":"GET","path":"/event-api.yaml","answer":"text"},
  getExecution: {"method":"GET","path":"/api/v1/executions/{id}","answer":"json"},
  getLiveness: {"method":"GET","path":"/livez","answer":"json"},
  getLoader: {"method":"GET","path":"/api/v1/document-store/loader/{storeId}/{loaderId}","answer":"json"},
  getOpenApi: {"method":"GET","path":"/openapi.json","answer":"json"},
  getPublicAgent: {"method":"GET","path":"/api/v1/public-chatflows/{id}","answer":"json"},
  getReadiness: {"method":"GET","path":"/readyz","answer":"json"},
  getScheduleStatus: {"method":"GET","path":"/api/v1/chatflows/{id}/schedule/status","answer":"json"},
  getServedModel: {"method":"GET","path":"/v1/models/{id}","answer":"json"},
  getSetUp: {"method":"GET","path":"/api/v1/auth/setup","answer":"json"},
  getStreamingInfo: {"method":"GET","path":"/api/v1/chatflows-streaming/{id}","answer":"json"},
  getTool: {"method":"GET","path":"/api/v1/tools/{id}","answer":"json"},
  getUploadFile: {"method":"GET","path":"/api/v1/get-upload-file","query":["chatflowId","chatId","fileName","download"],"answer":"blob"},
  getUploadInfo: {"method":"GET","path":"/api/v1/chatflows-uploads/{id}","answer":"json"},
  getUpsert: {"method":"GET","path":"/api/v1/document-store/upserts/{id}","answer":"json"},
  getVariable: {"method":"GET","path":"/api/v1/variables/{id}","answer":"json"},
  getVersion: {"method":"GET","path":"/api/v1/version","answer":"json"},
  insertVectors: {"method":"POST","path":"/api/v1/document-store/vectorstore/insert","body":"json","answer":"json"},
  listAgentFindings: {"method":"GET","path":"/api/v1/chatflows/{id}/findings","answer":"json"},
  listAgentVersions: {"method":"GET","path":"/api/v1/chatflows/{id}/versions","answer":"json"},
  listAgents: {"method":"GET","path":"/api/v1/chatflows","query":["page","limit","type"],"answer":"json"},
  listApiKeys: {"method":"GET","path":"/api/v1/apikey","query":["page","limit"],"answer":"json"},
  listAssistants: {"method":"GET","path":"/api/v1/assistants","query":["page","limit"],"answer":"json"},
  listCallbackDeliveries: {"method":"GET","path":"/api/v1/chatflows/{id}/deliveries","query":["page","limit","state","executionId"],"answer":"json"},
  listChatMessages: {"method":"GET","path":"/api/v1/chatmessage/{id}","query":["page","limit","chatType","startDate","endDate","feedbackType","chatId","sessionId","memoryType","messageId","order","feedback"],"answer":"json"},
  listChunks: {"method":"GET","path":"/api/v1/document-store/chunks/{storeId}/{loaderId}/{page}","query":["search"],"answer":"json"},
  listCredentialTypes: {"method":"GET","path":"/api/v1/credential-types","answer":"json"},
  listCredentials: {"method":"GET","path":"/api/v1/credentials","query":["page","limit","credentialName"],"answer":"json"},
  listDocumentStores: {"method":"GET","path":"/api/v1/document-store/store","query":["page","limit"],"answer":"json"},
  listEmbeddingProviders: {"method":"GET","path":"/api/v1/document-store/components/embeddings","answer":"json"},
  listExecutions: {"method":"GET","path":"/api/v1/executions","query":["page","limit","executionData","id","agentflowId","agentflowName","sessionId","chatId","state","startDate","endDate"],"answer":"json"},
  listFeedback: {"method":"GET","path":"/api/v1/feedback/{id}","query":["page","limit","id","messageId","rating","content","chatflowid","chatId","createdDate","sortOrder","order","startDate","endDate"],"answer":"json"},
  listIntegrations: {"method":"GET","path":"/api/v1/integrations","answer":"json"},
  listInternalChatMessages: {"method":"GET","path":"/api/v1/internal-chatmessage/{id}","query":["page","limit","startDate","endDate","feedbackType","chatId","sessionId","memoryType","messageId","order","feedback"],"answer":"json"},
  listLeads: {"method":"GET","path":"/api/v1/leads/{id}","query":["page","limit"],"answer":"json"},
  listLoaderTypes: {"method":"GET","path":"/api/v1/document-store/components/loaders","answer":"json"},
  listModelProviders: {"method":"GET","path":"/api/v1/models","answer":"json"},
  listNodeTypes: {"method":"GET","path":"/api/v1/nodes","answer":"json"},
  listRecordManagers: {"method":"GET","path":"/api/v1/document-store/components/recordmanager","answer":"json"},
  listScheduleLogs: {"method":"GET","path":"/api/v1/chatflows/{id}/schedule/trigger-logs","query":["page","limit","status"],"answer":"json"},
  listServedModels: {"method":"GET","path":"/v1/models","answer":"json"},
  listSplitters: {"method":"GET","path":"/api/v1/document-store/components/splitters","answer":"json"},
  listTools: {"method":"GET","path":"/api/v1/tools","query":["page","limit"],"answer":"json"},
  listUpsertHistory: {"method":"GET","path":"/api/v1/upsert-history/{id}","query":["page","limit","order","startDate","endDate"],"answer":"json"},
  listUpserts: {"method":"GET","path":"/api/v1/document-store/store/{id}/upserts","answer":"json"},
  listVariables: {"method":"GET","path":"/api/v1/variables","query":["page","limit"],"answer":"json"},
  listVectorStores: {"method":"GET","path":"/api/v1/document-store/components/vectorstore","answer":"json"},
  logIn: {"method":"POST","path":"/api/v1/auth/login","body":"json","answer":"json"},
  logOut: {"method":"POST","path":"/api/v1/auth/logout","answer":"none"},
  ping: {"method":"GET","path":"/api/v1/ping","answer":"text"},
  previewLoader: {"method":"POST","path":"/api/v1/document-store/loader/preview","body":"json","answer":"json"},
  processLoader: {"method":"POST","path":"/api/v1/document-store/loader/process/{loaderId}","body":"json","answer":"json"},
  queryDocumentStore: {"method":"POST","path":"/api/v1/document-store/vectorstore/query","body":"json","answer":"json"},
  readFlow: {"method":"POST","path":"/api/v1/flows/read","body":"json","answer":"json"},
  refreshDocuments: {"method":"POST","path":"/api/v1/document-store/refresh/{id}","body":"json","answer":"json"},
  refreshToken: {"method":"POST","path":"/api/v1/auth/refresh","answer":"json"},
  resendCallbackDelivery: {"method":"POST","path":"/api/v1/chatflows/{id}/deliveries/{deliveryId}/resend","answer":"json"},
  resetDefaultModel: {"method":"DELETE","path":"/api/v1/models/default","answer":"json"},
  restoreAgentVersion: {"method":"POST","path":"/api/v1/chatflows/{id}/versions/{number}/restore","answer":"json"},
  retryExecution: {"method":"POST","path":"/api/v1/executions/{id}/retry","answer":"json"},
  rotateApiKey: {"method":"POST","path":"/api/v1/apikey/{id}/rotate","answer":"json"},
  saveLoader: {"method":"POST","path":"/api/v1/document-store/loader/save","body":"json","answer":"json"},
  saveVectorStoreSettings: {"method":"POST","path":"/api/v1/document-store/vectorstore/save","body":"json","answer":"json"},
  sendTestRequest: {"method":"POST","path":"/api/v1/flows/requests/test","body":"json","answer":"json"},
  setScheduleEnabled: {"method":"PATCH","path":"/api/v1/chatflows/{id}/schedule/enabled","body":"json","answer":"json"},
  setUp: {"method":"POST","path":"/api/v1/auth/setup","body":"json","answer":"json"},
  streamExecution: {"method":"GET","path":"/api/v1/executions/{executionId}/events","query":["lastEventId"],"answer":"events"},
  streamUpsert: {"method":"GET","path":"/api/v1/document-store/upserts/{id}/events","answer":"events"},
  testModel: {"method":"POST","path":"/api/v1/models/test","body":"json","answer":"json"},
  testTool: {"method":"POST","path":"/api/v1/tools/{id}/test","body":"json","answer":"json"},
  updateAgent: {"method":"PUT","path":"/api/v1/chatflows/{id}","headers":{"ifMatch":"If-Match"},"body":"json","answer":"json"},
  updateApiKey: {"method":"PUT","path":"/api/v1/apikey/{id}","headers":{"ifMatch":"If-Match"},"body":"json","answer":"json"},
  updateAssistant: {"method":"PUT","path":"/api/v1/assistants/{id}","headers":{"ifMatch":"If-Match"},"body":"json","answer":"json"},
  updateChunk: {"method":"PUT","path":"/api/v1/document-store/chunks/{storeId}/{loaderId}/{chunkId}","body":"json","answer":"json"},
  updateCredential: {"method":"PUT","path":"/api/v1/credentials/{id}","headers":{"ifMatch":"If-Match"},"body":"json","answer":"json"},
  updateDocumentStore: {"method":"PUT","path":"/api/v1/document-store/store/{id}","headers":{"ifMatch":"If-Match"},"body":"json","answer":"json"},
  updateFeedback: {"method":"PUT","path":"/api/v1/feedback/{id}","headers":{"ifMatch":"If-Match"},"body":"json","answer":"json"},
  updateTool: {"method":"PUT","path":"/api/v1/tools/{id}","headers":{"ifMatch":"If-Match"},"body":"json","answer":"json"},
  updateVariable: {"method":"PUT","path":"/api/v1/variables/{id}","headers":{"ifMatch":"If-Match"},"body":"json","answer":"json"},
  upsertDocuments: {"method":"POST","path":"/api/v1/document-store/upsert/{id}","body":"json","answer":"json"},
  upsertVectors: {"method":"POST","path":"/api/v1/vector/upsert/{id}","body":"json","answer":"json"},
  verifyApiKey: {"method":"GET","path":"/api/v1/verify/apikey/{apikey}","answer":"json"},
};
