import { Divider, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { Agent } from "@weft/client";
import { useState } from "react";
import { agentsQuery } from "../api/agents.ts";
import { queryClient } from "../api/client.ts";
import { defaultModelQuery, modelProvidersQuery } from "../api/settings.ts";
import { ModelConnectionForm } from "../connections/credential-dialog.tsx";
import { sessionStrings } from "../strings.ts";
import { Action } from "../ui/controls/actions.tsx";
import { ListBody } from "../ui/page/notices.tsx";
import { Hint } from "../ui/text/hint.tsx";
import { markWelcomed } from "./is-welcome-due.ts";
import { Standalone } from "./standalone.tsx";

/** The first decision: which model answers. Leads to a demonstration agent with its chat open. */
export function WelcomePage() {
  const openDemo = useOpenDemo();
  const current = useQuery(defaultModelQuery);
  const providers = useQuery(modelProvidersQuery);
  if (current.data !== undefined && current.data.provider !== "rehearsal") {
    const title = providers.data?.find(({ name }) => name === current.data.provider)?.title ?? current.data.provider;
    return (
      <Standalone title={sessionStrings.connectedTitle} text={sessionStrings.connectedText({ model: title })}>
        <OpenDemoButton onClick={openDemo} label={sessionStrings.openDemo} />
      </Standalone>
    );
  }
  return (
    <Standalone title={sessionStrings.welcomeTitle} text={sessionStrings.welcomeText}>
      <ListBody query={providers}>
        {(list) => <ModelConnectionForm providers={list} submitLabel={sessionStrings.connect} onConnected={openDemo} />}
      </ListBody>
      <Divider my="lg" label={sessionStrings.or} />
      <Stack gap="xs">
        <OpenDemoButton onClick={openDemo} label={sessionStrings.rehearse} variant="default" />
        <Hint size="xs">
          <strong>{sessionStrings.rehearsalTitle}</strong> {sessionStrings.rehearsalText}
        </Hint>
      </Stack>
    </Standalone>
  );
}

type OpenDemoButtonProps = { onClick: () => Promise<void>; label: string; variant?: "default" };

function OpenDemoButton({ onClick, label, variant }: OpenDemoButtonProps) {
  const [isOpening, setIsOpening] = useState(false);
  const open = () => {
    setIsOpening(true);
    void onClick().finally(() => setIsOpening(false));
  };
  return <Action label={label} size="md" fullWidth variant={variant ?? "filled"} loading={isOpening} onClick={open} />;
}

/** Opens the demo agent's chat, or the list of agents if there is no demo agent. */
function useOpenDemo(): () => Promise<void> {
  const navigate = useNavigate();
  return async () => {
    markWelcomed();
    const agents = await queryClient.fetchQuery(agentsQuery).catch(() => []);
    const demo = findDemoAgent(agents);
    if (demo === undefined) await navigate({ to: "/agents" });
    else await navigate({ to: "/agents/$agentId", params: { agentId: demo.id }, search: { chat: true } });
  };
}

/** The demonstration agent that was there first; undefined once all are deleted. */
function findDemoAgent(agents: readonly Agent[]): Agent | undefined {
  return agents
    .filter(({ category }) => category.split(";").includes("Demonstration"))
    .sort((a, b) => a.createdDate.localeCompare(b.createdDate))[0];
}
