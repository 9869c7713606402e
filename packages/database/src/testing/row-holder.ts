import { openDatabase } from "../open-database.ts";

/**
 * A process for tests to stop: opens the database at the address given as its argument, changes the setting `held` in a
 * write that does not end, and prints a line when it holds the row.
 */
const database = await openDatabase({ databaseUrl: process.argv[2] ?? "", dataDir: "" });
await database.write(
  async (tx) => {
    await tx.updateTable("settings").set({ value: "held" }).where("name", "=", "held").execute();
    process.stdout.write("held\n");
    await new Promise((resolve) => setTimeout(resolve, 2 ** 30));
  },
  { isolation: "read-committed" },
);
