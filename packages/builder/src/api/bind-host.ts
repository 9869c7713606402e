import type { Credential } from "@weft/client";
import type { Finding } from "@weft/schema";
import { client, isApiError } from "./client.ts";

const preconditionFailed = 412;

/** Adds the host to those that the credential may be sent to, beside whatever others change at the same time. */
export async function bindHost({ credential: id, host }: NonNullable<Finding["bind"]>): Promise<Credential> {
  for (;;) {
    let ifMatch = "";
    const onResponse = (response: Response) => {
      ifMatch = response.headers.get("etag") ?? "";
    };
    const { hosts } = await client.getCredential({ id }, { onResponse });
    try {
      return await client.updateCredential({ id }, { hosts: [...hosts, host] }, ifMatch === "" ? {} : { ifMatch });
    } catch (error) {
      if (!isApiError(error) || error.status !== preconditionFailed) throw error;
    }
  }
}
