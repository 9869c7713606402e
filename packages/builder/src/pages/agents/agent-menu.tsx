import { Code2, MessagesSquare, SlidersHorizontal } from "../../icons/icons.gen.ts";
import { agentsStrings } from "../../strings.ts";
import { BackLink, MenuLink } from "../../ui/controls/links.tsx";

/** Where else one can go from an agent; for the menus of its card and of its editor. */
export function AgentMenuItems({ agentId }: { agentId: string }) {
  return (
    <>
      <MenuLink
        to="/agents/$agentId/messages"
        params={{ agentId }}
        icon={MessagesSquare}
        label={agentsStrings.messages}
      />
      <MenuLink to="/agents/$agentId/api" params={{ agentId }} icon={Code2} label={agentsStrings.apiAccess} />
      <MenuLink
        to="/agents/$agentId/settings"
        params={{ agentId }}
        icon={SlidersHorizontal}
        label={agentsStrings.settings}
      />
    </>
  );
}

/** From a page about an agent to its canvas. */
export function BackToAgent({ agentId }: { agentId: string }) {
  return <BackLink to="/agents/$agentId" params={{ agentId }} label={agentsStrings.back} />;
}
