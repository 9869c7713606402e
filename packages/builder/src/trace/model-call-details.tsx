import type { Json } from "@weft/client";
import { CodeBlock } from "../chat/code-block.tsx";
import { prettyJson } from "../chat/pretty-json.ts";
import { executionStrings } from "../strings/executions.ts";
import { readModelCall, type SentMessage } from "./read-model-call.ts";
import classes from "./row-details.module.css";
import { Section, Value } from "./value-section.tsx";

/** What a model was asked and answered. What is too long to be read as that is shown as it is. */
export function ModelCallDetails({ input, output }: { input: Json; output: Json }) {
  const { messages, tools, parameters, text, toolCalls, finishReason } = readModelCall(input, output);
  const isCut = typeof input === "string" || typeof output === "string";
  return (
    <>
      {isCut && <Value label={executionStrings.input} value={input} />}
      {isCut && <Value label={executionStrings.output} value={output} />}
      {messages.length > 0 && (
        <Section label={executionStrings.sentMessages}>
          {messages.map((message, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the list is fixed.
            <Message key={index} message={message} />
          ))}
        </Section>
      )}
      {text !== "" && <Value label={executionStrings.answer} value={text} />}
      {toolCalls.length > 0 && <Value label={executionStrings.askedCalls} value={toolCalls} />}
      {finishReason !== "" && <Value label={executionStrings.finishReason} value={finishReason} />}
      {tools.length > 0 && <Value label={executionStrings.offeredTools} value={tools.join("\n")} />}
      {Object.keys(parameters).length > 0 && <Value label={executionStrings.parameters} value={parameters} />}
    </>
  );
}

function Message({ message: { role, text, toolCalls } }: { message: SentMessage }) {
  const content = [text, toolCalls.length > 0 ? prettyJson(toolCalls) : ""].filter((part) => part !== "").join("\n\n");
  const label = executionStrings.roles[role] ?? role;
  return (
    <div className={classes.message}>
      <div className={classes.role}>{label}</div>
      <CodeBlock text={content || executionStrings.nothing} label={label} />
    </div>
  );
}
