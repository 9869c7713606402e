import type { Database, LeadRow, Tables } from "@weft/database";
import type { Clock, IdSource } from "@weft/engine";
import { type Reach, reachesAgent } from "@weft/http";
import { type Lead, type LeadCreate, type PageQuery, toMoment, WeftError } from "@weft/schema";
import type { Kysely } from "kysely";
import * as store from "./lead.store.ts";

export type LeadServiceDeps = {
  database: Database;
  clock: Pick<Clock, "now">;
  ids: IdSource;
  /** Whether the agent exists; if so, nobody deletes it before the transaction ends. */
  holdAgent(tx: Kysely<Tables>, agentId: string): Promise<boolean>;
  /** Writes the address to those messages of the chat that have none. */
  nameMessages?(tx: Kysely<Tables>, lead: Pick<LeadRow, "chatflowid" | "chatId" | "email" | "owner">): Promise<void>;
};

/** People who left an address in a chat. They belong to the agent that they chatted with. */
export type LeadService = {
  /** Those within reach, oldest first. Rejects with `leads-not-found` when the agent has none, or is unknown. */
  list(agentId: string, query: PageQuery & { reach: Reach }): Promise<Lead[] | { data: Lead[]; total: number }>;
  /** Undefined when there is none. */
  find(id: string): Promise<Lead | undefined>;
  /** The address that was left in a chat last; empty when none was. */
  emailOf(tx: Kysely<Tables>, chat: { agentId: string; chatId: string; owner: string }): Promise<string>;
  /** Rejects with `not-found` for an unknown agent, with `conflict` when the body's own id is taken. */
  create(body: LeadCreate, by: { owner: string; reach: Reach }): Promise<Lead>;
  /** For the transaction that deletes an agent. */
  removeOfAgent(tx: Kysely<Tables>, agentId: string): Promise<void>;
};

export function createLeadService({ database, clock, ids, holdAgent, nameMessages }: LeadServiceDeps): LeadService {
  const { read } = database;
  return {
    async list(agentId, { page, limit, reach }) {
      const mine = { agentId, reach };
      if (page === undefined || limit === undefined) {
        const leads = await store.listLeads(read, mine);
        if (leads.length === 0) throw new WeftError("leads-not-found");
        return leads;
      }
      const total = await store.countLeads(read, mine);
      if (total === 0) throw new WeftError("leads-not-found");
      return { data: await store.listLeads(read, mine, { offset: (page - 1) * limit, limit }), total };
    },

    find: (id) => store.findLead(read, id),

    async emailOf(tx, chat) {
      const [last] = await store.findEmails(tx, chat);
      return last?.email ?? "";
    },

    create({ id = ids.uuid(), chatflowid, name = "", email = "", phone = "", chatId }, { owner, reach }) {
      const createdDate = toMoment(clock.now());
      const lead = { id, chatflowid, chatId: chatId || ids.uuid(), name, email, phone, createdDate, owner };
      const write = async (tx: Kysely<Tables>) => {
        if (!reachesAgent(reach, chatflowid) || !(await holdAgent(tx, chatflowid))) {
          throw new WeftError("not-found", { params: { resource: "agent", id: chatflowid } });
        }
        if (!(await store.insertLead(tx, lead))) {
          throw new WeftError("conflict", { params: { reason: `A lead with the id ${id} already exists.` } });
        }
        if (email !== "") await nameMessages?.(tx, lead);
        return lead;
      };
      // It begins with the agent's row, held: who would delete the agent waits.
      return database.write(write, { isolation: "read-committed" });
    },

    removeOfAgent: store.deleteLeads,
  };
}
