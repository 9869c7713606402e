import type { ChatClientAccess, RawRequest, Visited } from "./define-route.ts";

/** Decides about chat clients of agents, and about pages of other origins. Absent: it admits neither. */
export type Gate = {
  /** Whether pages of an origin may use the whole API. */
  trusts(origin: string): boolean;
  /** A request of a chat client. Nothing of it is read until a method needs it. */
  visit(access: ChatClientAccess, request: RawRequest): Visit;
};

/** A request of a chat client for the agent that it names. */
export type Visit = {
  /** Whether it needs no credentials. */
  isOpen(): Promise<boolean>;
  /** Admits the request, and counts it. Throws `forbidden-origin` and `rate-limited`. */
  admit(sender: Sender): Promise<void>;
  /** Throws `validation-failed` if the parsed parts of a request without credentials prove too little. */
  check(parts: Readonly<Record<string, unknown>>): void;
  /** Whether pages of an origin may read the answer. */
  isReadBy(origin: string): Promise<boolean>;
  /** What was read of the agent so far, for the handler. */
  visited(): Visited | undefined;
  /** Whether the request names no agent so far, and could name an open one: a preflight does not know the body. */
  isUndecided(): Promise<boolean>;
};

export type Sender = {
  /** Sends no credentials. */
  isAnonymous: boolean;
  /** The Origin header: the site of the page that sends the request. Null for other programs, and for our own pages. */
  origin: string | null;
  clientAddress(): string;
  /** Collects headers for the answer, also if it is a refusal. */
  headers: Record<string, string>;
};
