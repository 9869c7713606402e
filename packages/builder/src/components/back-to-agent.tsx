import { Anchor } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { ArrowLeft } from "lucide-react";
import { agentsStrings } from "../strings/agents.ts";

/** From a page about an agent to its canvas. */
export function BackToAgent({ agentId }: { agentId: string }) {
  return (
    <Anchor size="sm" c="dimmed" renderRoot={(props) => <Link {...props} to="/agents/$agentId" params={{ agentId }} />}>
      <ArrowLeft size={14} aria-hidden style={{ verticalAlign: "-2px" }} /> {agentsStrings.back}
    </Anchor>
  );
}
