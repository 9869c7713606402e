import type { Json, JsonObject } from "@weft/schema";
import type { ScriptedQdrant } from "../../../../../vector-stores/src/qdrant/testing/scripted-qdrant.ts";
import type { ScriptedProvider } from "../../../identity/testing/scripted-provider.ts";
import type { ApiDocument, ApiOperation } from "../../api-document.ts";
import type { TestPlatform } from "../../test-platform.ts";
import type { FailingDatabase } from "./failing-database.ts";

/** What a request of an operation consists of. */
export type Parts = {
  params?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, string>>;
  /** Sent as JSON, unless it is a form. */
  body?: Json | FormData | undefined;
  headers?: Readonly<Record<string, string>>;
  /** Default: the operator's. */
  token?: string;
};

export type SendOptions = {
  /** In place of the body, as it is. */
  text?: string;
  /** In place of the token of the parts; null: no credentials. */
  token?: string | null;
};

/** A question that was answered. */
export type Turn = { agentId: string; chatId: string; chatMessageId: string; executionId: string };

/** A platform to make requests to, and what is needed to make them. */
export type World = {
  platform: TestPlatform;
  document: ApiDocument;
  store: FailingDatabase;
  /** How the model answers from now on. */
  model: { fails: boolean };
  /** A vector database beside the platform's own. */
  vectors: ScriptedQdrant;
  /** Address of a service that reads texts aloud. */
  voiceUrl: string;
  /** Where people sign in, as `sso`. */
  provider: ScriptedProvider;
  /** Makes a request of the operation. */
  send(operation: ApiOperation, parts: Parts, options?: SendOptions): Promise<Response>;
  /** As `send`, to a server whose handlers all throw. */
  sendToFaulty(operation: ApiOperation, parts: Parts): Promise<Response>;
  /** A number that nothing else has, so that what one request makes is not in the way of the next. */
  next(): number;
  /** Creates through the operation, with its example and these fields, and gives the answer. */
  create(operationId: string, fields?: JsonObject): Promise<JsonObject & { id: string }>;
  /** Id of a public agent that answers. No agent of this server may be used without credentials, public or not. */
  agent(): Promise<string>;
  turn(): Promise<Turn>;
  /** A key with this permission alone. */
  keyWith(permission: string): Promise<string>;
  /** Another one, where public agents may be used without credentials, once a minute. */
  openStrict(): Promise<World>;
  /** A platform of its own, on which nothing was done yet. */
  openFresh(): Promise<TestPlatform>;
};
