/** What a call of an operation consists of. */
export type OperationDescription = {
  readonly method: string;
  /** Parameters in braces: `/api/v1/chatflows/{id}`. */
  readonly path: string;
  /** Names of the query parameters. */
  readonly query?: readonly string[];
  /** Names of query parameters that are given as options. */
  readonly queryOptions?: readonly string[];
  /** Header names by the options that set them. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: "json" | "multipart" | "binary";
  readonly answer: "json" | "text" | "blob" | "events" | "none";
};

/** Given with any call. */
export type RequestOptions = {
  signal?: AbortSignal;
  headers?: Record<string, string>;
  /** Sees the answer before it is read: its status and headers, such as `ETag`. */
  onResponse?(response: Response): void;
};

/** One frame of an event stream. `id` is what a reader reconnects with. */
export type StreamFrame = { id: string; event: string; data: unknown };
