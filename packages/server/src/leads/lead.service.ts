import type { Clock, IdSource } from "@weft/engine";
import { type Lead, type LeadCreate, type PageQuery, toMoment, WeftError } from "@weft/schema";
import type { Kysely } from "kysely";
import type { Database } from "../storage/database.ts";
import type { Tables } from "../storage/tables.ts";
import * as store from "./lead.store.ts";

export type LeadServiceDeps = {
  database: Database;
  clock: Pick<Clock, "now">;
  ids: IdSource;
  /** Whether the agent exists; if so, nobody deletes it before the transaction ends. */
  holdAgent(tx: Kysely<Tables>, agentId: string): Promise<boolean>;
};

/** People who left an address in a chat. They belong to the agent that they chatted with. */
export type LeadService = {
  /** Oldest first. Rejects with `leads-not-found` when the agent has none, or is unknown. */
  list(agentId: string, query: PageQuery): Promise<Lead[] | { data: Lead[]; total: number }>;
  /** Undefined when there is none. */
  find(id: string): Promise<Lead | undefined>;
  /** Rejects with `not-found` for an unknown agent, with `conflict` when the body's own id is taken. */
  create(body: LeadCreate): Promise<Lead>;
  /** For the transaction that deletes an agent. */
  removeOfAgent(tx: Kysely<Tables>, agentId: string): Promise<void>;
};

export function createLeadService({ database, clock, ids, holdAgent }: LeadServiceDeps): LeadService {
  const { read } = database;
  return {
    async list(agentId, { page, limit }) {
      if (page === undefined || limit === undefined) {
        const leads = await store.listLeads(read, agentId);
        if (leads.length === 0) throw new WeftError("leads-not-found");
        return leads;
      }
      const total = await store.countLeads(read, agentId);
      if (total === 0) throw new WeftError("leads-not-found");
      return { data: await store.listLeads(read, agentId, { offset: (page - 1) * limit, limit }), total };
    },

    find: (id) => store.findLead(read, id),

    create({ id = ids.uuid(), chatflowid, name = "", email = "", phone = "", chatId }) {
      const createdDate = toMoment(clock.now());
      const lead = { id, chatflowid, chatId: chatId || ids.uuid(), name, email, phone, createdDate };
      const write = async (tx: Kysely<Tables>) => {
        if (!(await holdAgent(tx, chatflowid))) {
          throw new WeftError("not-found", { params: { resource: "agent", id: chatflowid } });
        }
        if (await store.insertLead(tx, lead)) return lead;
        throw new WeftError("conflict", { params: { reason: `A lead with the id ${id} exists already.` } });
      };
      // It begins with the agent's row, held: who would delete the agent waits.
      return database.write(write, { isolation: "read-committed" });
    },

    removeOfAgent: store.deleteLeads,
  };
}
