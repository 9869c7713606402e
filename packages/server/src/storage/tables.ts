/**
 * Rows as both databases hold them. Column names are the API's field names, so nothing is mapped twice.
 * Dates are ISO 8601 UTC text with milliseconds (they sort as text); flags are 0 or 1; JSON is text, byte for byte.
 */
export type Tables = {
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
};

/** Facts about this installation, such as whether the demonstration agents were seeded. */
export type SettingRow = { name: string; value: string };

export type AccountRow = {
  id: string;
  email: string;
  name: string;
  /** PHC string of an argon2id hash. */
  passwordHash: string;
  /** Tokens issued before this moment are void. */
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
};

export type RunEventRow = {
  runId: string;
  seq: number;
  at: number;
  type: string;
  /** JSON text of the whole event. */
  event: string;
};
