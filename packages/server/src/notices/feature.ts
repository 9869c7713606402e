import { createEgressClient } from "@weft/egress";
import { defineResource, defineRoute, type Route } from "@weft/http";
import { createPoller, type Poller } from "@weft/run-host";
import {
  noticeChannelCreateSchema,
  noticeChannelSchema,
  noticeChannelUpdateSchema,
  noticePageSchema,
  noticesSeenSchema,
  noticeTestSchema,
  pageNumberQuerySchema,
  parseJsonObject,
  uuidSchema,
  wholeNumberQuery,
} from "@weft/schema";
import { z } from "zod";
import type { Context } from "../context.ts";
import { defineFeature, type Needs } from "../feature.ts";
import { concealing } from "../known-secrets.ts";
import { createPlainRule } from "../vault.ts";
import { type ChannelService, createChannelService } from "./channel.service.ts";
import { createChannelSender } from "./channel-sender.ts";
import { createNoticeService, type NoticeService } from "./notice.service.ts";
import { createNoticeKeeper } from "./notice-keeper.ts";
import { createTransport } from "./transport.ts";

declare module "../feature.ts" {
  interface Services {
    notices: { notices: NoticeService; channels: ChannelService; poller: Poller; close(): Promise<void> };
  }
}

const everyMs = 5_000;

export const notices = defineFeature({
  name: "notices",
  needs: ["credentials", "runnables"],
  tables: ["notices", "noticesSeen", "noticeChannels", "noticeQueue"],
  service(context, needs) {
    const { config, clock, limits, logger, vault } = context;
    const { mail, publicUrl } = config;
    if (mail !== undefined && !mail.password.isEmpty) vault.know(mail.password.reveal());
    // The operator named the mail server, so it may be anywhere; nothing else is reached through this client.
    const mailHttp = mail && createEgressClient({ allow: [`${mail.host}:${mail.port}`], vault });
    const transport = createTransport({
      ...context,
      mail: mail && mailHttp && { ...mail, connect: mailHttp.connect },
      conceal: concealing(vault).value,
    });
    const { sealing } = needs.credentials;
    const sending = { ...context, sealing, transport, publicUrl };
    const keeper = createNoticeKeeper({
      ...context,
      thresholds: config.notices,
      findAgent: agentFinder(context, needs),
    });
    const sender = createChannelSender(sending);
    return {
      notices: createNoticeService(context),
      channels: createChannelService({
        ...{ ...sending, limits, hasMailServer: mail !== undefined, allowsPlain: createPlainRule(config) },
      }),
      poller: createPoller({
        clock,
        everyMs,
        async round(signal) {
          await keeper.round();
          await sender.round(signal);
        },
        onFailure: (cause) => logger.error("notices-failed", { cause }),
      }),
      close: async () => mailHttp?.close(),
    };
  },
  routes: noticeRoutes,
  on: ({ notices }) => ({ agentDeleted: notices.removeOfAgent }),
  start: ({ poller }) => poller.start(),
  async stop({ poller, close }) {
    await poller.stop();
    await close();
  },
  startedBy: ["all", "worker"],
});

/** Assistants have no settings: their names stand in their details, and no budget but the operator's limits them. */
function agentFinder({ database: { read } }: Context, { runnables }: Needs<"runnables">) {
  return async (id: string) => {
    const agent = await runnables.findSettings(id);
    if (agent !== undefined) return { name: agent.name, budget: runnables.budgetIn(agent.apiConfig) };
    const assistant = await read.selectFrom("assistants").select("details").where("id", "=", id).executeTakeFirst();
    if (assistant === undefined) return undefined;
    const { name } = parseJsonObject(assistant.details) ?? {};
    return { name: typeof name === "string" ? name : id, budget: runnables.budgetIn("{}") };
  };
}

const tag = "Notices";
const params = z.object({ id: uuidSchema });
const listQuery = z.object({
  page: pageNumberQuerySchema.default(1),
  limit: wholeNumberQuery(1, 100).default(50),
});

function noticeRoutes({ notices, channels }: { notices: NoticeService; channels: ChannelService }): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "/api/v1/notices",
      operationId: "listNotices",
      summary: "List notices: open ones first, then the latest",
      description:
        "What people should look at, such as failing runs, spent budgets and people who are waited for. Callers see what their permissions and agents cover. Resolved ones are kept for 30 days.",
      tag,
      permission: "executions:read",
      agent: "reach",
      query: listQuery,
      returns: { schema: noticePageSchema },
      errors: [400],
      handle: ({ query, identity }) => notices.list(identity, query),
    }),
    defineRoute({
      method: "POST",
      path: "/api/v1/notices/seen",
      operationId: "markNoticesSeen",
      audit: false,
      summary: "Mark notices as seen by the caller",
      description: "Ids of notices that do not exist, or that the caller may not see, are left out.",
      tag,
      permission: "executions:read",
      agent: "reach",
      body: noticesSeenSchema,
      returns: { schema: z.object({ unseen: z.number().int() }) },
      errors: [400],
      handle: ({ body, identity }) => notices.see(identity, body.ids),
    }),
    ...channelRoutes(channels),
  ];
}

function channelRoutes(service: ChannelService): Route[] {
  const channels = defineResource({
    path: "/api/v1/notice-channels",
    name: "notice channel",
    tag,
    permission: { read: "server:read", write: "settings:write" },
    schema: noticeChannelSchema,
    service: { get: service.get },
  });
  return [
    channels.list({
      description: "Most recently updated first. Of the address of a webhook only the beginning is returned.",
      handle: ({ query }) => service.list(query),
    }),
    channels.get(),
    channels.create({
      description:
        'At most 20. `mail` needs `SMTP_URL`; `webhook` is signed with `secret` by Standard Webhooks; `slack` sends `{"text": …}`, which Slack, Mattermost and, at addresses that end in `/slack`, Discord accept.',
      body: noticeChannelCreateSchema,
      handle: ({ body, newId, identity }) => service.create({ ...body, id: body.id ?? newId }, identity),
    }),
    channels.update({
      description:
        "Omitted fields keep their values. A new address or secret is tried at once. Switched off, it forgets what it was to send.",
      body: noticeChannelUpdateSchema,
      handle: ({ params, body, identity, assertMatches }) =>
        service.update(params.id, body, { editor: identity, assertMatches }),
    }),
    channels.delete({ handle: ({ params, identity }) => service.remove(params.id, identity) }),
    defineRoute({
      method: "POST",
      path: "/api/v1/notice-channels/{id}/test",
      operationId: "testNoticeChannel",
      summary: "Send a test to a notice channel, and tell what the other end said",
      tag,
      permission: "settings:write",
      params,
      returns: { schema: noticeTestSchema },
      errors: [400, 404, 429],
      handle: ({ params: { id }, identity, signal }) => service.test(id, identity, signal),
    }),
  ];
}
