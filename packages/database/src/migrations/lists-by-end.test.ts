import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { sql } from "kysely";
import { openTestStorage } from "../testing/test-databases.ts";

const lists = { runsByDate: sql`1 = 1`, runsByAgent: sql`"agentId" = 'a'`, runsByOwner: sql`"owner" = 'o'` };

test("indexes of runs by their end fill their pages, and give lists their order without sorting", async (t) => {
  const database = await (await openTestStorage("sqlite", t)).open();
  t.after(() => database.close());
  const columns = sql.raw(
    `"id", "agentId", "owner", "updatedDate", "createdDate", "status", "agentVersionId", "chatId", "sessionId", "chatType", "lastSeq", "leaseEpoch", "leaseUntil", "cancelRequested"`,
  );
  await database.write(async (tx) => {
    for (let index = 0; index < 3_000; index += 1) {
      const moment = new Date(1_750_000_000_000 + Math.floor(index / 2)).toISOString();
      await sql`insert into "runs" (${columns}) values (${randomUUID()}, 'a', 'o', ${moment}, ${moment}, 'completed',
        'v', 'c', 's', 'EXTERNAL', 1, 1, 0, 0)`.execute(tx);
    }
  });
  for (const [name, condition] of Object.entries(lists)) {
    const { rows: sizes } = await sql<{ used: number }>`
      select 1.0 - sum("unused") * 1.0 / sum("pgsize") as "used" from "dbstat" where "name" = ${name}`.execute(
      database.read,
    );
    assert.ok((sizes[0]?.used ?? 0) > 0.7, `${name} is ${sizes[0]?.used} full`);
    const list = sql`select "id" from "runs" where "status" <> 'running' and ${condition}
      order by "updatedDate" desc, "id" limit 10`;
    const { rows: plan } = await sql<{ detail: string }>`explain query plan ${list}`.execute(database.read);
    assert.match(plan.map(({ detail }) => detail).join("\n"), new RegExp(`^(SEARCH|SCAN) runs USING [A-Z ]+ ${name}`));
    assert.equal(plan.length, 1, "is sorted");
  }
});
