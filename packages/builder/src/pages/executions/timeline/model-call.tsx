import type { Json } from "@weft/client";
import { toJsonList, toJsonObject } from "@weft/schema";
import type { LucideIcon } from "../../../icons/create-icon.ts";
import { Bot, ScrollText, UserRound, Wrench } from "../../../icons/icons.gen.ts";
import { executionStrings, textFor } from "../../../strings.ts";
import { LongText } from "../../../ui/json/long-text.tsx";
import classes from "./model-call.module.css";
import { DetailsSection, Value } from "./value.tsx";

type JsonObject = { [key: string]: Json };

/** A message sent to a model. `toolCalls`: calls the model requested in an earlier message of its own. */
type SentMessage = { role: string; text: string; toolCalls: Json[] };

/** A model call as stored in the journal; values that are not stored are empty. */
type ReadModelCall = {
  /** Those that an earlier call of the same step did not have. */
  messages: SentMessage[];
  tools: string[];
  parameters: JsonObject;
  text: string;
  /** Tool calls the model requests in this response. */
  toolCalls: Json[];
  finishReason: string;
};

export function readModelCall(input: Json, output: Json): ReadModelCall {
  const [asked, answered] = [toJsonObject(input), toJsonObject(output)];
  return {
    messages: toJsonList(asked.messages).map(toMessage),
    tools: toJsonList(asked.tools).map(String),
    parameters: toJsonObject(asked.parameters ?? null),
    text: toText(answered.text),
    toolCalls: toJsonList(answered.toolCalls),
    finishReason: toText(answered.finishReason),
  };
}

function toMessage(value: Json): SentMessage {
  const { role, content, toolCalls } = toJsonObject(value);
  const text = Array.isArray(content) ? content.map(toPart).join("\n") : toText(content);
  return { role: toText(role), text, toolCalls: toJsonList(toolCalls) };
}

/** A part of a message: a text, or a description of an image. */
function toPart(part: Json): string {
  const { type, text } = toJsonObject(part);
  return type === "text" ? toText(text) : JSON.stringify(part);
}

function toText(value: Json | undefined): string {
  return typeof value === "string" ? value : value === undefined || value === null ? "" : JSON.stringify(value);
}

const icons: Readonly<Record<string, LucideIcon>> = {
  system: ScrollText,
  user: UserRound,
  assistant: Bot,
  tool: Wrench,
};

/** What a model was sent and what it answered, as a conversation. Values that are not all there are shown as they are. */
export function ModelCall({ input, output }: { input: Json; output: Json }) {
  const { messages, tools, parameters, text, toolCalls, finishReason } = readModelCall(input, output);
  const hasAnswer = text !== "" || toolCalls.length > 0;
  return (
    <>
      {typeof input === "string" && <Value label={executionStrings.input} value={input} />}
      {messages.length > 0 && (
        <DetailsSection label={executionStrings.sentMessages}>
          <ol className={classes.messages}>
            {messages.map((message, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the list is fixed.
              <Bubble key={index} message={message} />
            ))}
          </ol>
        </DetailsSection>
      )}
      {typeof output === "string" && <Value label={executionStrings.output} value={output} />}
      {hasAnswer && (
        <DetailsSection label={executionStrings.answer}>
          <ol className={classes.messages}>
            <Bubble message={{ role: "assistant", text, toolCalls }} />
          </ol>
        </DetailsSection>
      )}
      {finishReason !== "" && <Value label={executionStrings.finishReason} value={finishReason} />}
      {tools.length > 0 && <Value label={executionStrings.offeredTools} value={tools.join("\n")} />}
      {Object.keys(parameters).length > 0 && <Value label={executionStrings.parameters} value={parameters} />}
    </>
  );
}

const longestText = 3_000;

/** One message, at the side and in the colour of its role. */
function Bubble({ message: { role, text, toolCalls } }: { message: SentMessage }) {
  const Icon = icons[role] ?? ScrollText;
  const label = textFor(executionStrings.roles, role) ?? role;
  return (
    <li className={classes.message} data-role={role}>
      <div className={classes.role}>
        <Icon size={13} aria-hidden /> {label}
      </div>
      <div className={classes.bubble}>
        {text !== "" && <LongText text={text} limit={longestText} className={classes.text} />}
        {text === "" && toolCalls.length === 0 && <span className={classes.nothing}>{executionStrings.nothing}</span>}
        {toolCalls.map((call, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list is fixed.
          <ToolCall key={index} call={call} />
        ))}
      </div>
    </li>
  );
}

/** A call that the model asks for, with its arguments. */
function ToolCall({ call }: { call: Json }) {
  const { name, arguments: given = null } = toJsonObject(call);
  const title = typeof name === "string" ? name : executionStrings.categories.tool;
  return (
    <div className={classes.call}>
      <div className={classes.callName}>
        <Wrench size={13} aria-hidden /> {title}
      </div>
      <Value
        label={executionStrings.argumentsOf({ tool: title })}
        value={typeof name === "string" ? given : call}
        isBare
      />
    </div>
  );
}
