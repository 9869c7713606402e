import type { Database, Tables } from "@weft/database";
import type { Clock, IdSource } from "@weft/engine/ports/clock";
import type { Logger } from "@weft/http/logger";
import type { Kysely } from "kysely";
import { createChatMessageService, type IsThere } from "./chat-messages/index.ts";
import { createConversationService } from "./conversations/index.ts";
import { feedbackRoutes } from "./feedback/feedback.routes.ts";
import { createFeedbackService } from "./feedback/feedback.service.ts";
import { createFileService, createFileSweeper, fileRoutes, type VisitorFileLimits } from "./files/index.ts";
import { leadRoutes } from "./leads/lead.routes.ts";
import { createLeadService } from "./leads/lead.service.ts";
import { createPersonalChats } from "./personal/personal-chats.ts";

/** Whether it exists; if so, locks it against deletion until the transaction ends. */
type Hold = (tx: Kysely<Tables>, id: string) => Promise<boolean>;

export type ChatsDeps = {
  database: Database;
  clock: Clock;
  ids: IdSource;
  logger: Logger;
  holdAgent: Hold;
  holdAgentOrAssistant: Hold;
  isThere: IsThere;
  limits: {
    visitorFiles: VisitorFileLimits;
    /** How long files stay in a chat that does not begin. */
    unsentFilesMs: number;
    /** How long runs are kept; 0: forever. */
    executionRetentionMs: number;
  };
};

/** What people leave with agents. */
export function createChats(deps: ChatsDeps) {
  const { database, clock, ids, logger, holdAgent, limits } = deps;
  const { visitorFiles, unsentFilesMs, executionRetentionMs } = limits;
  const files = createFileService({ database, clock, ids, visitorFiles, holdAgent: deps.holdAgentOrAssistant });
  const messages = createChatMessageService({
    database,
    clock,
    isThere: deps.isThere,
    async onRemove(tx, agentId, chats) {
      await files.removeOfChats(tx, agentId, chats);
      await conversations.removeEmptied(tx, agentId, chats);
    },
  });
  const conversations = createConversationService({
    database,
    clock,
    ids,
    turnStatement: messages.turnStatement,
    holdAgent: deps.holdAgentOrAssistant,
  });
  const leads = createLeadService({
    database,
    clock,
    ids,
    holdAgent,
    nameMessages: messages.nameLead,
    unnameMessages: messages.unnameLead,
  });
  const feedback = createFeedbackService({ database, clock, ids, messages });
  return {
    files,
    fileSweeper: createFileSweeper({ files, clock, logger, unsentFilesMs, executionRetentionMs }),
    messages,
    conversations,
    leads,
    personal: createPersonalChats(database, { messages, files, conversations }),
    routes: {
      feedback: feedbackRoutes(feedback),
      leads: leadRoutes(leads),
      files: fileRoutes(files),
    },
  };
}
