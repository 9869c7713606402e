import type { Database, Tables } from "@weft/database";
import type { IdSource, WallClock } from "@weft/engine/ports/clock";
import { type Reach, reaches, reachesAgent } from "@weft/http/identity";
import { defineRows, listOrPage } from "@weft/http/rows";
import { type Lead, type LeadCreate, type PageQuery, toMoment, WeftError } from "@weft/schema";
import type { Kysely } from "kysely";

type LeadServiceDeps = {
  database: Database;
  clock: WallClock;
  ids: IdSource;
  /** Whether the agent exists; if so, nobody deletes it before the transaction ends. */
  holdAgent(tx: Kysely<Tables>, agentId: string): Promise<boolean>;
  /** Writes the address to those messages of the chat that have none. */
  nameMessages?(tx: Kysely<Tables>, lead: LeadRow): Promise<void>;
  /** Takes the address from those messages of the chat that have it. */
  unnameMessages?(tx: Kysely<Tables>, lead: LeadRow): Promise<void>;
};

/** People who left an address in a chat. They belong to the agent that they chatted with. */
export type LeadService = {
  /** Those within reach, oldest first. Rejects with `leads-not-found` when the agent has none, or is unknown. */
  list(agentId: string, query: PageQuery & { reach: Reach }): Promise<Lead[] | { data: Lead[]; total: number }>;
  /** Undefined when there is none. */
  find(id: string): Promise<Lead | undefined>;
  /** Rejects with `not-found` for an unknown agent, with `conflict` when the body's own id is taken. */
  create(body: LeadCreate, by: { owner: string; reach: Reach }): Promise<Lead>;
  /** Its address goes from the messages of its chat, too. Rejects with `not-found`, also where it is not reached. */
  remove(id: string, reach: Reach): Promise<void>;
  /** Removes some of those that an agent has from before a moment. False: none is left. */
  removeBefore(agentId: string, before: string): Promise<boolean>;
  /** For the transaction that deletes an agent. */
  removeOfAgent(tx: Kysely<Tables>, agentId: string): Promise<void>;
};

export function createLeadService(deps: LeadServiceDeps): LeadService {
  const { database, clock, ids, holdAgent, nameMessages, unnameMessages } = deps;
  const { read } = database;
  const removeOne = async (tx: Kysely<Tables>, lead: LeadRow) => {
    await tx.deleteFrom("leads").where("id", "=", lead.id).execute();
    if (lead.email !== "") await unnameMessages?.(tx, lead);
  };
  return {
    async list(agentId, { reach, ...page }) {
      const leads = await listOrPage(reachedLeads(read, agentId, reach), page, (lead) => lead);
      if (("total" in leads ? leads.total : leads.length) === 0) throw new WeftError("leads-not-found");
      return leads;
    },

    find: (id) => rows.find(read, id),

    create({ id = ids.uuid(), chatflowid, name = "", email = "", phone = "", chatId }, { owner, reach }) {
      const createdDate = toMoment(clock.now());
      const lead = { id, chatflowid, chatId: chatId || ids.uuid(), name, email, phone, createdDate, owner };
      const write = async (tx: Kysely<Tables>) => {
        if (!reachesAgent(reach.agents, chatflowid) || !(await holdAgent(tx, chatflowid))) {
          throw new WeftError("not-found", { params: { resource: "agent", id: chatflowid } });
        }
        await rows.insert(tx, lead);
        if (email !== "") await nameMessages?.(tx, lead);
        return lead;
      };
      // It begins with the agent's row, held: who would delete the agent waits.
      return database.write(write, { isolation: "read-committed" });
    },

    async remove(id, reach) {
      await database.write(
        async (tx) => {
          const lead = await rows.get(tx, id);
          const isReached = reaches(reach, { agentId: lead.chatflowid, owner: lead.owner });
          await removeOne(tx, rows.found(isReached ? lead : undefined, id));
        },
        { isolation: "read-committed" },
      );
    },

    removeBefore(agentId, before) {
      const write = async (tx: Kysely<Tables>) => {
        const ofAgent = tx.selectFrom("leads").selectAll().where("chatflowid", "=", agentId);
        const old = await ofAgent.where("createdDate", "<", before).limit(removedAtOnce).execute();
        for (const lead of old) await removeOne(tx, lead);
        return old.length > 0;
      };
      return database.write(write, { isolation: "read-committed" });
    },

    removeOfAgent: deleteLeads,
  };
}

const removedAtOnce = 50;

type LeadRow = {
  id: string;
  chatflowid: string;
  chatId: string;
  name: string;
  email: string;
  phone: string;
  createdDate: string;
  /** Whose chat it is: `account:<id>`, `client:<id>`, `anonymous`, or empty where it is from before owners. */
  owner: string;
};

declare module "@weft/database" {
  interface Tables {
    leads: LeadRow;
  }
}

type Handle = Kysely<Tables>;

const rows = defineRows<LeadRow>("leads", "lead");

/** The leads of an agent that are within reach, oldest first. */
function reachedLeads(db: Handle, agentId: string, reach: Reach) {
  const ofAgent = db.selectFrom("leads").where("chatflowid", "=", reachesAgent(reach.agents, agentId) ? agentId : "");
  const leads = ofAgent.selectAll().orderBy("createdDate").orderBy("id");
  return reach.owners === "all" ? leads : leads.where("owner", "in", reach.owners);
}

async function deleteLeads(tx: Handle, agentId: string): Promise<void> {
  await tx.deleteFrom("leads").where("chatflowid", "=", agentId).execute();
}
