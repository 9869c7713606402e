import assert from "node:assert/strict";
import type { Caller } from "./caller.ts";
import { type Attack, defineAttack } from "./define-attack.ts";
import type { FlowSketch, House } from "./open-house.ts";
import { callsOnce, llmFlow } from "./sketches.ts";

/** Pieces that readers of text have stumbled over: repeated, each takes a pattern with two quantifiers minutes. */
const pieces = ["<doc name=''>", "`` ` ", '\\"', "\n ", "[", "{{ a"];

/** Sends one text to a surface. Resolves with the status, or with what else shows that the text was read. */
export type Send = (text: string) => Promise<number>;
export type Surface = {
  name: string;
  /** How long a text is. Default 200,000 characters. */
  length?: number;
  /** A text that is accepted, which proves that the surface reads texts. Default "Good day." */
  harmless?: string;
  open(house: House): Promise<Send>;
};

export const predict = (id: string) => `/api/v1/prediction/${id}`;
export const json = (caller: Caller, path: string, toBody: (text: string) => object): Send => {
  return async (text) => (await caller.send("POST", path, toBody(text))).status;
};

/** An agent with a model, and a caller that nobody knows. */
export async function asked(house: House, toBody: (text: string) => object): Promise<Send> {
  return json(house.visitor(), predict(await house.agent(llmFlow())), toBody);
}

export async function ofKey(house: House, path: string, toBody: (text: string) => object): Promise<Send> {
  return json(await house.keyHolder({ permissions: ["*"] }), path, toBody);
}

export async function store(house: House): Promise<string> {
  return (await house.owner<{ id: string }>("POST", "/document-store/store", { name: "Handbook" })).id;
}

/** What a model says. */
export async function answered(house: House, sketch: FlowSketch): Promise<Send> {
  const agent = await house.agent(sketch);
  const visitor = house.visitor();
  return async (text) => {
    house.script(() => ({ text }));
    return (await visitor.send("POST", predict(agent), { question: "Hi" })).status;
  };
}

/** What a called service says. */
export async function fetched(house: House, toSketch: (url: string) => FlowSketch): Promise<Send> {
  let said = "";
  let timesSaid = 0;
  const shop = await house.shop((_, response) => {
    timesSaid += 1;
    response.setHeader("content-type", "application/json").end(said);
  });
  const agent = await house.agent(toSketch(shop.url));
  const visitor = house.visitor();
  house.script(callsOnce("get_order", {}));
  return async (text) => {
    said = text;
    timesSaid = 0;
    const { status } = await visitor.send("POST", predict(agent), { question: "Hi" });
    assert.ok(timesSaid > 0, "The service was not called, so its answer was not read.");
    return status;
  };
}

export function form(fields: Record<string, string>, file?: { name: string; bytes: string }): FormData {
  const made = new FormData();
  for (const [name, value] of Object.entries(fields)) made.set(name, value);
  if (file) made.set("files", new Blob([file.bytes]), file.name);
  return made;
}

export async function sendForm(caller: Caller, path: string, body: FormData): Promise<number> {
  const encoded = new Response(body);
  const headers = { "content-type": encoded.headers.get("content-type") ?? "" };
  return (await caller.send("POST", path, new Uint8Array(await encoded.arrayBuffer()), { headers })).status;
}

/** Sends long texts of every piece to a surface. */
export function toAttack({ name, length = 200_000, harmless = "Good day.", open }: Surface): Attack {
  return defineAttack({
    name: `${name} of pieces that make patterns read for minutes`,
    async run(house) {
      const send = await open(house);
      const usual = await send(harmless);
      assert.ok(usual >= 200 && usual < 300, `A harmless text is answered with ${usual}, so no text is read.`);
      const statuses = new Map<number, number>();
      for (const piece of length > 1_000_000 ? pieces.slice(0, 2) : pieces) {
        const status = await send(piece.repeat(Math.ceil(length / piece.length)).slice(0, length));
        assert.ok(
          ![0, 401, 403, 404, 503].includes(status),
          `It was answered with ${status}, so the text was not read.`,
        );
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
      const told = [...statuses].map(([status, count]) => `${count} with ${status}`).join(", ");
      return `Texts of ${length} characters were answered: ${told}.`;
    },
  });
}
