import { Code } from "@mantine/core";
import type { AuditEntry } from "@weft/client";
import { auditStrings } from "../../strings.ts";
import { TextLink } from "../../ui/controls/links.tsx";
import { Hint } from "../../ui/text/hint.tsx";

type Kind = keyof typeof auditStrings.kinds;

const isKind = (kind: string): kind is Kind => Object.hasOwn(auditStrings.kinds, kind);

/** What it was done to, as a link to where it is shown, unless it was deleted. */
export function ThingLink({ entry: { action, thing } }: { entry: AuditEntry }) {
  const name = isKind(thing.kind) ? auditStrings.kinds[thing.kind] : thing.kind;
  const isGone = action.startsWith("delete");
  return (
    <>
      {isGone ? name : <Linked kind={thing.kind} id={thing.id} name={name} />}
      {thing.id !== "" && (
        <Hint title={thing.id}>
          <Code>{thing.id.length > shown ? `${thing.id.slice(0, shown)}…` : thing.id}</Code>
        </Hint>
      )}
    </>
  );
}

const shown = 36;

function Linked({ kind, id, name }: { kind: string; id: string; name: string }) {
  if (kind === "people" || kind === "accounts" || kind === "invitations")
    return <TextLink to="/people">{name}</TextLink>;
  if (kind === "credentials") return <TextLink to="/credentials">{name}</TextLink>;
  if (kind === "variables") return <TextLink to="/variables">{name}</TextLink>;
  if (kind === "apikey") return <TextLink to="/api-keys">{name}</TextLink>;
  if (kind === "prices") return <TextLink to="/prices">{name}</TextLink>;
  if (kind === "identity-providers") return <TextLink to="/settings/sign-in">{name}</TextLink>;
  return id === "" ? name : <LinkedById kind={kind} id={id} name={name} />;
}

function LinkedById({ kind, id, name }: { kind: string; id: string; name: string }) {
  switch (kind) {
    case "chatflows":
      return (
        <TextLink to="/agents/$agentId" params={{ agentId: id }}>
          {name}
        </TextLink>
      );
    case "assistants":
      return (
        <TextLink to="/assistants/$assistantId" params={{ assistantId: id }}>
          {name}
        </TextLink>
      );
    case "tools":
      return (
        <TextLink to="/tools/$toolId" params={{ toolId: id }}>
          {name}
        </TextLink>
      );
    case "executions":
      return (
        <TextLink to="/executions/$executionId" params={{ executionId: id }}>
          {name}
        </TextLink>
      );
    case "conversations":
      return (
        <TextLink to="/conversations" search={{ open: id }}>
          {name}
        </TextLink>
      );
    default:
      return name;
  }
}
