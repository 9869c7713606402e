import type { CallbackDeliveryState } from "@weft/schema";
import type {
  DocumentChunkRow,
  DocumentCollectionRow,
  DocumentFilePartRow,
  DocumentFileRow,
  DocumentLoaderRow,
  DocumentRecordRow,
  DocumentStoreRow,
  DocumentStoreUseRow,
  UpsertJobRow,
} from "./document-tables.ts";
import type { VectorTables } from "./vector-tables.ts";

/**
 * Rows as both databases hold them. Column names are the API's field names, so nothing is mapped twice.
 * Dates are ISO 8601 UTC text with milliseconds (they sort as text); flags are 0 or 1; JSON is text, byte for byte.
 */
export type Tables = VectorTables & {
  settings: SettingRow;
  accounts: AccountRow;
  revokedTokens: RevokedTokenRow;
  apiKeys: ApiKeyRow;
  credentials: CredentialRow;
  agents: AgentRow;
  agentVersions: AgentVersionRow;
  chatMessages: ChatMessageRow;
  runs: RunRow;
  runEvents: RunEventRow;
  variables: VariableRow;
  tools: ToolRow;
  assistants: AssistantRow;
  feedback: FeedbackRow;
  leads: LeadRow;
  upsertHistory: UpsertHistoryRow;
  files: FileRow;
  fileParts: FilePartRow;
  accountNetworks: AccountNetworkRow;
  idempotencyKeys: IdempotencyKeyRow;
  schedules: ScheduleRow;
  scheduleFirings: ScheduleFiringRow;
  callbacks: CallbackRow;
  callbackDeliveries: CallbackDeliveryRow;
  documentStores: DocumentStoreRow;
  documentLoaders: DocumentLoaderRow;
  documentFileParts: DocumentFilePartRow;
  documentFiles: DocumentFileRow;
  documentChunks: DocumentChunkRow;
  documentRecords: DocumentRecordRow;
  documentCollections: DocumentCollectionRow;
  documentStoreUses: DocumentStoreUseRow;
  upsertJobs: UpsertJobRow;
};

/** Facts about this installation, such as whether the demonstration agents were seeded. */
export type SettingRow = { name: string; value: string };

export type AccountRow = {
  id: string;
  email: string;
  name: string;
  /** PHC string of an argon2id hash. */
  passwordHash: string;
  /** Since when the present generation of tokens is valid; those of every earlier one are void. */
  tokensValidFrom: string;
  createdDate: string;
  updatedDate: string;
};

export type RevokedTokenRow = { jti: string; expiresAt: string };

export type ApiKeyRow = {
  id: string;
  keyName: string;
  /** SHA-256 of the key, hex. */
  keyHash: string;
  /** What a list may show of the key: its first characters. */
  keyHint: string;
  /** JSON text: array of permissions. */
  permissions: string;
  /** The owner of its chats, shared with the client's other keys. */
  clientId: string;
  /** JSON text: array of the ids of the agents that it is limited to; empty: none. */
  agents: string;
  createdDate: string;
  updatedDate: string;
  lastUsedDate: string | null;
};

export type CredentialRow = {
  id: string;
  name: string;
  credentialName: string;
  /** AES-256-GCM: key id, nonce, ciphertext and tag, base64. */
  encryptedData: string;
  /** JSON list of the hosts that it is bound to; null until those that flows use are entered, once. */
  hosts: string | null;
  createdDate: string;
  updatedDate: string;
};

export type AgentRow = {
  id: string;
  name: string;
  flowData: string;
  deployed: number;
  isPublic: number;
  apikeyid: string;
  chatbotConfig: string;
  apiConfig: string;
  analytic: string;
  speechToText: string;
  category: string;
  type: string;
  createdDate: string;
  updatedDate: string;
  /** Id of the version that new runs use. */
  versionId: string;
};

/** A saved flow. Rows are never changed: runs keep the version they began with. */
export type AgentVersionRow = {
  id: string;
  agentId: string;
  /** 1, 2, 3 … per agent. */
  number: number;
  flowData: string;
  createdDate: string;
};

export type ChatMessageRow = {
  id: string;
  role: string;
  chatflowid: string;
  content: string;
  sourceDocuments: string;
  usedTools: string;
  fileAnnotations: string;
  agentReasoning: string;
  fileUploads: string;
  action: string;
  chatType: string;
  chatId: string;
  memoryType: string;
  sessionId: string;
  createdDate: string;
  leadEmail: string;
  executionId: string | null;
  /** Whose chat it is: `account:<id>`, `client:<id>`, `anonymous`, or empty where it is from before owners. */
  owner: string;
};

/** What the journal says of a run, kept beside it so that lists and recovery need not fold it. */
export type RunRow = {
  id: string;
  agentId: string;
  agentVersionId: string;
  chatId: string;
  sessionId: string;
  chatType: string;
  /** `running`, `suspended`, `completed`, `failed` or `cancelled`. */
  status: string;
  /** Last sequence number of the journal. */
  lastSeq: number;
  /** Fencing token: raised by every take-over. */
  leaseEpoch: number;
  /** Process that owns the run, null when none does. */
  leaseOwner: string | null;
  /** Milliseconds since the epoch on the database's clock. */
  leaseUntil: number;
  /** A cancel was asked for. */
  cancelRequested: number;
  createdDate: string;
  updatedDate: string;
  /** When the run ended. */
  stoppedDate: string | null;
  /** What it failed with. */
  errorCode: string | null;
  /** JSON text of what lists show of the run. */
  summary: string | null;
  /** Whose chat it is: `account:<id>`, `client:<id>`, `anonymous`, or empty where it is from before owners. */
  owner: string;
  /** The place in the session, while the run runs; null for a run that has none (`runs/session-turns.ts`). */
  turnOrder: number | null;
  /** How often the run was taken over in succession without getting further than `takeOverSeq`. */
  takeOvers: number;
  /** `lastSeq` when the run was last taken over. */
  takeOverSeq: number;
};

export type RunEventRow = {
  runId: string;
  seq: number;
  at: number;
  type: string;
  /** JSON text of the whole event. */
  event: string;
};

export type VariableRow = {
  id: string;
  name: string;
  /** `string`, `number`, `boolean`, `json` or `runtime`. */
  type: string;
  createdDate: string;
  updatedDate: string;
  value: string | null;
};

export type ToolRow = {
  id: string;
  name: string;
  description: string;
  color: string;
  createdDate: string;
  updatedDate: string;
  iconSrc: string | null;
  /** JSON text, in any form that clients send. */
  schema: string | null;
  func: string | null;
};

export type AssistantRow = {
  id: string;
  credential: string;
  iconSrc: string;
  createdDate: string;
  updatedDate: string;
  /** Id of the version, in `agentVersions`, that new runs use: the flow that the details amount to. */
  versionId: string;
  /** JSON text of an object. */
  details: string;
};

/** One for each rated message. */
export type FeedbackRow = {
  id: string;
  chatflowid: string;
  chatId: string;
  messageId: string;
  rating: string;
  createdDate: string;
  content: string;
};

export type LeadRow = {
  id: string;
  chatflowid: string;
  chatId: string;
  name: string;
  email: string;
  phone: string;
  createdDate: string;
  /** Whose chat it is: `account:<id>`, `client:<id>`, `anonymous`, or empty where it is from before owners. */
  owner: string;
};

export type UpsertHistoryRow = {
  id: string;
  chatflowid: string;
  date: string;
  /** When it was deleted; null while it is listed. */
  deletedDate: string | null;
  /** JSON text. */
  result: string;
  /** JSON text. */
  flowData: string;
};

/** A file that came with a chat. */
export type FileRow = {
  id: string;
  agentId: string;
  chatId: string;
  /** As the client named it: data, never a path. */
  name: string;
  mime: string;
  sizeBytes: number;
  createdDate: string;
  /** None when the file is kept in parts. */
  bytes: Uint8Array;
  /** Whose chat it is: `account:<id>`, `client:<id>`, `anonymous`, or empty where it is from before owners. */
  owner: string;
};

/** A part of a long file, so that no statement has much to do. Parts are counted from 0. */
export type FilePartRow = { fileId: string; partNo: number; bytes: Uint8Array };

/** A network from which an account has proved its password. */
export type AccountNetworkRow = { accountId: string; networkHash: string; usedDate: string };

/** What a request with an Idempotency-Key made. */
export type IdempotencyKeyRow = {
  /** SHA-256 of the caller, the operation and the key. */
  keyHash: string;
  /** SHA-256 of the request. */
  bodyHash: string;
  /** Id of what the request makes, fixed before it is made. */
  resourceId: string;
  createdDate: string;
  /** Text of the answer; null until there is one. */
  answer: string | null;
};

/** When an agent starts by itself. It stays when the flow has no schedule any more, for the operator's switch. */
export type ScheduleRow = {
  agentId: string;
  /** Empty: the saved flow has no schedule that can be kept. */
  cron: string;
  timeZone: string;
  /** Empty: for ever. */
  endDate: string;
  /** `skip` or `latest`. */
  catchUp: string;
  enabled: number;
  /** The moment of the next firing; null when there is none. */
  nextDate: string | null;
  createdDate: string;
  updatedDate: string;
};

/** One moment at which a schedule was due: at most one row, so at most one run. */
export type ScheduleFiringRow = {
  agentId: string;
  dueDate: string;
  /** Fixed before the run begins. */
  runId: string;
  /** `pending`, `begun`, `refused` or `skipped`. */
  state: string;
  /** Why it was refused or skipped. */
  message: string;
  createdDate: string;
};

/** Somebody who is to be told how a run ended. */
export type CallbackRow = {
  runId: string;
  agentId: string;
  url: string;
  /** Id of the credential that signs; empty: the secret of the agent's webhook. */
  credential: string;
  /** Last event of the run that a delivery tells of; 0: none. */
  sentSeq: number;
  createdDate: string;
};

/** One message about a run, and how far it got. */
export type CallbackDeliveryRow = {
  id: string;
  runId: string;
  agentId: string;
  url: string;
  credential: string;
  /** Last event of the run that it tells of. */
  seq: number;
  state: CallbackDeliveryState;
  attempts: number;
  /** Not tried before, while it is pending. */
  nextDate: string;
  /** What the receiver answered last; 0: nothing. */
  lastStatus: number;
  error: string | null;
  attemptDate: string | null;
  createdDate: string;
};
