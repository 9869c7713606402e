/** The environment of a command: its variables, its streams and its exit status. `process` is one. */
export type Shell = {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly stdout: Output;
  readonly stderr: Output & { readonly isTTY?: boolean };
  exitCode?: number | string | null | undefined;
};

type Output = { write(text: string): unknown };
