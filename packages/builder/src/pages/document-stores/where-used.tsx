import { Anchor, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Fragment } from "react";
import { agentsQuery } from "../../api/agents.ts";
import { assistantsQuery } from "../../api/assistants.ts";
import { documentStoresStrings as strings } from "../../strings/document-stores.ts";
import classes from "./where-used.module.css";

const shownAtMost = 2;

/** The agents and assistants that search a store, as links. */
export function WhereUsed({ ids }: { ids: readonly string[] }) {
  if (ids.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {strings.unused}
      </Text>
    );
  }
  const more = ids.length - shownAtMost;
  return (
    <Text size="sm" component="div">
      {ids.slice(0, shownAtMost).map((id, index) => (
        <Fragment key={id}>
          {index > 0 && " "}
          <span className={classes.entry}>
            <User id={id} />
            {index < Math.min(ids.length, shownAtMost) - 1 && ","}
          </span>
        </Fragment>
      ))}
      {more > 0 && ` ${strings.moreUsers(more)}`}
    </Text>
  );
}

function User({ id }: { id: string }) {
  const { data: agents } = useQuery(agentsQuery);
  const { data: assistants } = useQuery(assistantsQuery);
  const assistant = assistants?.find((one) => one.id === id);
  if (assistant !== undefined) {
    return (
      <Anchor
        size="sm"
        className={classes.user ?? ""}
        renderRoot={(props) => <Link {...props} to="/assistants/$assistantId" params={{ assistantId: id }} />}
      >
        {assistant.details.name}
      </Anchor>
    );
  }
  const agent = agents?.find((one) => one.id === id);
  return (
    <Anchor
      size="sm"
      className={classes.user ?? ""}
      renderRoot={(props) => <Link {...props} to="/agents/$agentId" params={{ agentId: id }} />}
    >
      {agent?.name ?? strings.unknownUser}
    </Anchor>
  );
}
