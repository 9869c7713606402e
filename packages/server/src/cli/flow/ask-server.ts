import { createEgressClient, toAllowEntry } from "@weft/egress";
import { errorBodySchema, type FlowReading, flowReadingSchema, WeftError } from "@weft/schema";
import { UsageError } from "./usage-error.ts";

export type Server = { url: string; token: string };

/** The server that a command names. Undefined where it names none. Throws `UsageError`. */
export function toServer(url: string | undefined, token: string | undefined): Server | undefined {
  if (url === undefined && token === undefined) return undefined;
  if (url === undefined) throw new UsageError("--token needs --server: name the server, too.");
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) {
    throw new UsageError(`--server ${url} is not a valid address. Use one such as http://localhost:3000.`);
  }
  if (!token)
    throw new UsageError(
      "--server needs --token: an API key with agents:read, or the token that npm run -s token prints.",
    );
  return { url: url.replace(/\/+$/, ""), token };
}

/**
 * What a running server says of a flow: of its models, credentials, tools, document stores and agents, too. Throws
 * `UsageError` when it does not answer, or refuses.
 */
export async function askServer({ url, token }: Server, flowData: string): Promise<FlowReading> {
  const egress = createEgressClient({ allow: [toAllowEntry(url)] });
  const request = {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ flowData }),
  };
  try {
    return await read(url, await egress.fetch(`${url}/api/v1/flows/read`, request));
  } catch (cause) {
    if (!(cause instanceof WeftError)) throw cause;
    throw new UsageError(`${url} does not answer: ${cause.message} Check the address and that the server is running.`);
  } finally {
    await egress.close();
  }
}

async function read(url: string, response: Response): Promise<FlowReading> {
  const answer: unknown = await response.json().catch(() => undefined);
  if (!response.ok) {
    const said = errorBodySchema.safeParse(answer).data?.message ?? "";
    throw new UsageError(`${url} answered ${response.status}. ${said}`.trim());
  }
  const reading = flowReadingSchema.safeParse(answer);
  if (!reading.success) throw new UsageError(`${url} does not answer as this version of Weft does.`);
  return reading.data;
}
