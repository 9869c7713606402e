import type { ApiOperation } from "../../../api-document.ts";
import type { Scenarios } from "../scenario.ts";
import type { World } from "../world.ts";

/** No server may be called there, so that a test is answered at once. */
const address = "https://127.0.0.1:9/hook";

/** There may be twenty, and each case makes its own. */
async function newChannel({ platform }: World) {
  for (const { id } of await platform.json<{ id: string }[]>("GET", "/notice-channels"))
    await platform.json("DELETE", `/notice-channels/${id}`);
  const body = { name: "On call", kind: "slack", address };
  const { id } = await platform.json<{ id: string }>("POST", "/notice-channels", body);
  return { params: { id } };
}

export const noticeScenarios: Scenarios = {
  getNoticeChannel: { valid: newChannel },
  updateNoticeChannel: { valid: async (world) => ({ ...(await newChannel(world)), body: { isEnabled: false } }) },
  deleteNoticeChannel: { valid: newChannel },
  testNoticeChannel: {
    valid: newChannel,
    special: {
      429: {
        how: "the eleventh test within a minute",
        async request(world, operation: ApiOperation) {
          const channel = await newChannel(world);
          for (let count = 0; count < 10; count += 1) await world.send(operation, channel);
          return channel;
        },
      },
    },
  },
};
