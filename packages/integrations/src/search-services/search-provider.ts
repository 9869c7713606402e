import type { CredentialType } from "@weft/schema";
import { z } from "zod";

/** One page that was found. */
export type SearchResult = { title: string; url: string; snippet: string };

type SearchRequest = { query: string; count: number; apiKey: string; engineId: string };

/** One web search service: how it is asked, and how its answer is read. */
export type SearchProvider = {
  /** Undefined: the operator runs the service and says where. */
  readonly baseUrl: string | undefined;
  /**
   * What holds its key, and beside it the id of the search engine where the key's owner made one. Absent: it needs no key,
   * and takes that of any credential.
   */
  readonly credential?: CredentialType;
  toCall(baseUrl: string, request: SearchRequest): SearchCall;
  /** Undefined when the answer is not what the service documents. */
  parse(answer: unknown): SearchResult[] | undefined;
};

type SearchCall = {
  method: "GET" | "POST";
  url: string;
  /** The address as traces may show it. Absent: all of it. */
  shownUrl?: string;
  headers: Record<string, string>;
  body?: string;
};

/** A text that may be missing. */
export const text = z
  .string()
  .nullish()
  .transform((value) => value ?? "");

/** Reads answers of one form. */
export function reader<T>(schema: z.ZodType<T>, toResults: (answer: T) => SearchResult[]): SearchProvider["parse"] {
  return (answer) => {
    const parsed = schema.safeParse(answer);
    return parsed.success ? toResults(parsed.data) : undefined;
  };
}
