import { z } from "zod";
import { defineIntegration } from "./define-integration.ts";
import { areOpen, dayNames, describeHours, localTime, type OfficeHours } from "./hand-over/office-hours.ts";
import { invalidTool, toToolName } from "./tool-name.ts";

const timeOfDay = (pattern: RegExp, fallback: string) =>
  z.string().trim().regex(pattern, "Write a time like 09:00").default(fallback);

const hoursSchema = z.strictObject({
  days: z
    .enum(dayNames)
    .default("weekdays")
    .meta({
      title: "Days",
      labels: {
        "every-day": "Every day",
        weekdays: "Monday to Friday",
        weekend: "Saturday and Sunday",
        monday: "Monday",
        tuesday: "Tuesday",
        wednesday: "Wednesday",
        thursday: "Thursday",
        friday: "Friday",
        saturday: "Saturday",
        sunday: "Sunday",
      },
    }),
  from: timeOfDay(/^([01]\d|2[0-3]):[0-5]\d$/, "09:00").meta({ title: "From" }),
  to: timeOfDay(/^(([01]\d|2[0-3]):[0-5]\d|24:00)$/, "17:00").meta({ title: "To" }),
});

/** Lets the model ask for a person to take the conversation over. It goes on answering until someone does. */
export const handOver = defineIntegration({
  type: "hand-over",
  title: "Hand over to a person",
  summary: "Asks a person to take over the conversation.",
  group: "built-in",
  icon: "hand",
  config: z.object({
    name: z.string().max(200).default("").meta({ title: "Name", help: "Name the model uses for this tool." }),
    description: z.string().max(4_000).default("").meta({
      title: "Description",
      help: "Tells the model when to ask for a person, for example before a refund.",
      widget: "textarea",
    }),
    hours: z.array(hoursSchema).max(20).default([]).meta({
      title: "Office hours",
      help: "When people answer. If empty, always.",
      widget: "rows",
      item: "hours",
    }),
    timeZone: z.string().trim().max(100).default("UTC").meta({ title: "Time zone", widget: "time-zone" }),
    awayMessage: z.string().max(2_000).default("").meta({
      title: "Message outside office hours",
      help: "What the agent says while nobody is there, for example to leave an e-mail address.",
      widget: "textarea",
    }),
  }),
  build({ name, description, awayMessage, ...settings }, { clock }) {
    const toolName = toToolName(name, "hand_over_to_a_person");
    const hours: OfficeHours = { spans: settings.hours, timeZone: settings.timeZone || "UTC" };
    if (localTime(0, hours.timeZone) === undefined) {
      const reason = `its time zone ${hours.timeZone} is not known. Use an IANA name, for example Europe/Berlin.`;
      throw invalidTool(toolName, reason);
    }
    return [
      {
        name: toolName,
        description:
          description.trim() ||
          "Asks a person to take over this conversation. Use it when the user asks for a person, or when you cannot help.",
        parameters: {
          type: "object",
          properties: {
            reason: { type: "string", description: "What the user needs, in one or two sentences, for the person." },
          },
          required: ["reason"],
          additionalProperties: false,
        },
        // Asking again changes nothing.
        kind: "idempotent",
        // Nothing outside of the conversation changes.
        effect: "read",
        async call({ reason }, { askForPerson }) {
          if (askForPerson === undefined) {
            return { content: "Only the agent that the user writes to can ask for a person.", isError: true };
          }
          await askForPerson(String(reason));
          return { content: areOpen(hours, clock.now()) ? asked : away(hours, awayMessage.trim()) };
        },
      },
    ];
  },
});

const asked = "A person has been asked. Tell the user that someone will answer here, and go on helping until then.";

function away(hours: OfficeHours, message: string): string {
  const facts = `Nobody is there now. People answer ${describeHours(hours)}, and will see this conversation then.`;
  return `${facts} ${message === "" ? "Tell the user so, and go on helping." : `Tell the user: ${message}`}`;
}
