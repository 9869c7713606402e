/**
 * MCP servers that run as commands beside the platform: those that its operator named, and no others. A message is a
 * line of JSON in either direction. Source: MCP 2026-07-28, "stdio".
 */
export type CommandServers = {
  readonly names: readonly string[];
  /** Starts the command of one of `names`. One that cannot be started has ended. */
  start(name: string, events: CommandEvents): CommandProcess;
};

export type CommandEvents = {
  line(text: string): void;
  /** Called once, when the process is gone. */
  ended(): void;
};

export type CommandProcess = {
  write(line: string): void;
  /** Resolves when the process is gone. */
  end(): Promise<void>;
};
