import { WeftError } from "@weft/schema";
import { type Exchange, fetchAnswer } from "../web/fetch-answer.ts";
import { parseRobots, type Robots } from "./robots.ts";

/** The name under which robots.txt may speak of this program: the start of its User-Agent header. */
const crawlerName = "weft";

/**
 * What the site of an address asks. A site without robots.txt asks nothing; where it cannot be read, nothing may be
 * read (RFC 9309, 2.3.1), and this rejects with `egress-failed`.
 */
export async function fetchRobots(origin: string, exchange: Exchange): Promise<Robots> {
  const url = `${origin}/robots.txt`;
  const { status, body } = await fetchAnswer({ url }, exchange);
  if (status >= 500) {
    const reason = `it answered with status ${status}, and a site whose robots.txt cannot be read is not read; try again later`;
    throw new WeftError("egress-failed", { params: { url, reason }, retryable: true });
  }
  const isThere = status >= 200 && status < 300;
  return parseRobots(isThere ? new TextDecoder().decode(body) : "", crawlerName);
}
