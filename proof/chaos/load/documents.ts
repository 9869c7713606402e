import { randomUUID } from "node:crypto";
import { waitFor } from "../house/wait-for.ts";
import { expectOk, type PlayerOptions } from "./player.ts";

type Job = { id: string; state: string; error: { message: string } | null };
type Result = { docId: string };
type Chunks = { chunks: { pageContent: string }[]; count: number };

const passages = 20;
const splitter = { name: "recursiveCharacterTextSplitter", config: { chunkSize: 60, chunkOverlap: 0 } };
const textOf = (title: string) =>
  Array.from({ length: passages }, (_, index) => `Passage ${index} of the book ${title}.`).join("\n\n");

/** Texts and files that are written to a document store, files in newer and newer versions of one name. */
export const documents: PlayerOptions = {
  name: "documents",
  weight: 2,
  async prepare(world) {
    const { client, cluster, services, random } = world;
    const config = { basePath: services.embeddingUrl, modelName: "scripted" };
    const embeddingConfig = JSON.stringify({ name: "localAIEmbeddings", config });
    const { id } = await cluster.call<{ id: string }>("POST", "/document-store/store", {
      name: "Books",
      embeddingConfig,
    });
    let loaders = new Map<string, string>();
    let version = 0;

    async function finished(jobId: string): Promise<Job | undefined> {
      const job = (await client.ask("GET", `/document-store/upserts/${jobId}`)).json<Job>();
      return job.state === "RUNNING" ? undefined : job;
    }

    async function upsertText(): Promise<void> {
      const title = randomUUID().slice(0, 8);
      const body = { loader: { name: "plainText", config: { text: textOf(title) } }, splitter };
      const begun = await client.ask("POST", `/document-store/store/${id}/upserts`, body);
      const job = expectOk<Job>(world, begun, "An upsert");
      if (!job) return;
      const done = await waitFor(client, () => finished(job.id), `The upsert ${job.id} is not over`);
      if (done.state !== "FINISHED")
        world.facts.odd.push(`The upsert ${job.id} is ${done.state}: ${done.error?.message}`);
      else for (const { docId } of (done as Job & { results: Result[] }).results) loaders.set(docId, title);
    }

    async function uploadFile(): Promise<void> {
      const name = `file-${random.between(1, 2)}.txt`;
      version += 1;
      const form = new FormData();
      form.append("files", new File([textOf(`${name} in version ${version}`)], name, { type: "text/plain" }));
      form.append("splitter", JSON.stringify(splitter));
      const answer = await client.ask("POST", `/document-store/upsert/${id}`, undefined, { form, key: randomUUID() });
      const result = expectOk<Result>(world, answer, "An upload");
      if (result) loaders.set(result.docId, name);
    }

    return {
      play: () => (random.next() < 0.5 ? upsertText() : uploadFile()),
      async collect() {
        for (const [docId, title] of loaders) {
          const page = await cluster.call<Chunks>("GET", `/document-store/chunks/${id}/${docId}/1`);
          const books = new Set(page.chunks.map(({ pageContent }) => /of the book (.*)\.$/.exec(pageContent)?.[1]));
          const [book = ""] = books;
          const isWhole = page.chunks.length === passages && books.size === 1 && book.startsWith(title);
          world.facts.writes.push({
            what: `The document ${title} (${docId}, ${page.chunks.length} chunks)`,
            isThere: isWhole,
          });
          const query = { storeId: id, query: `Passage 7 of the book ${book}.`, topK: 5 };
          const { docs } = await cluster.call<{ docs: { pageContent: string }[] }>(
            "POST",
            "/document-store/vectorstore/query",
            query,
          );
          const times = docs.filter(({ pageContent }) => pageContent === query.query).length;
          world.facts.onlyOnce.push({ what: `The passage “${query.query}”`, times });
        }
        loaders = new Map();
      },
    };
  },
};
