import { createInterface } from "node:readline";
import { openDatabase } from "../open-database.ts";

/**
 * A process for tests to kill: opens the database in the directory given as its argument, writes rows from sixteen
 * writers, and prints each row's name when its write is acknowledged. Ends with its standard input.
 */
const database = await openDatabase({ databaseUrl: "", dataDir: process.argv[2] ?? "" });
let isRunning = true;
createInterface({ input: process.stdin }).on("close", () => {
  isRunning = false;
});

async function write(writer: number): Promise<void> {
  for (let count = 0; isRunning; count += 1) {
    const name = `${writer}-${count}`;
    await database.write((tx) =>
      tx
        .insertInto("settings")
        .values({ name, value: "x".repeat(200) })
        .execute(),
    );
    process.stdout.write(`${name}\n`);
  }
}

await Promise.all(Array.from({ length: 16 }, (_, writer) => write(writer)));
await database.close();
