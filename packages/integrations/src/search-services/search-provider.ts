import type { CredentialType } from "@weft/schema";
import { z } from "zod";

/** One page that was found. */
export type SearchResult = { title: string; url: string; snippet: string };

type SearchRequest = { query: string; count: number; apiKey: string; engineId: string };

/** A web search service: its requests, and the parser of its responses. */
export type SearchProvider = {
  /** Undefined: the operator hosts the service and sets its address. */
  readonly baseUrl: string | undefined;
  /**
   * Type of its key, with the id of a search engine if the key's owner created one. Absent: it needs no key, and uses
   * that of any credential.
   */
  readonly credential?: CredentialType;
  toCall(baseUrl: string, request: SearchRequest): SearchCall;
  /** Undefined if the response is not as documented. */
  parse(answer: unknown): SearchResult[] | undefined;
};

type SearchCall = {
  method: "GET" | "POST";
  url: string;
  /** The URL for traces. Absent: the whole URL. */
  shownUrl?: string;
  headers: Record<string, string>;
  body?: string;
};

/** An optional text. */
export const text = z
  .string()
  .nullish()
  .transform((value) => value ?? "");

/** Creates a parser of responses of one form. */
export function reader<T>(schema: z.ZodType<T>, toResults: (answer: T) => SearchResult[]): SearchProvider["parse"] {
  return (answer) => {
    const parsed = schema.safeParse(answer);
    return parsed.success ? toResults(parsed.data) : undefined;
  };
}
