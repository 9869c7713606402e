// Asks an agent and prints its answer while it is written. Then reads the same stream again, from the journal.
import { agentNamed, check, post, readEvents } from "./weft.ts";

const agentId = await agentNamed("OpenAPI");
const answer = await post(`prediction/${agentId}`, { question: "List all events", streaming: true });

let text = "";
let executionId = "";
for await (const { event, data } of readEvents(answer)) {
  if (event === "token") {
    text += data;
    process.stdout.write(String(data));
  }
  if (event === "metadata") ({ executionId } = data as { executionId: string });
}
check(text !== "", "The stream had no words.");
check(executionId !== "", "The stream did not name its run.");
console.log(`\nThe run is ${executionId}.`);

// A client that was cut off sends the id of the last frame that it has as Last-Event-ID; without it, all come again.
const again = await post(`executions/${executionId}/events`, undefined, { method: "GET" });
let events = 0;
for await (const _ of readEvents(again)) events += 1;
check(events > 0, "The journal has no events.");
console.log(`Read again from the journal: ${events} frames.`);
