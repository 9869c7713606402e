import { Anchor, Menu } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { ArrowLeft, Code2, MessagesSquare, SlidersHorizontal } from "../../icons/icons.gen.ts";
import { agentsStrings } from "../../strings.ts";

/** Where else one can go from an agent; for the menus of its card and of its editor. */
export function AgentMenuItems({ agentId }: { agentId: string }) {
  return (
    <>
      <Menu.Item
        leftSection={<MessagesSquare size={16} aria-hidden />}
        renderRoot={(props) => <Link to="/agents/$agentId/messages" params={{ agentId }} {...props} />}
      >
        {agentsStrings.messages}
      </Menu.Item>
      <Menu.Item
        leftSection={<Code2 size={16} aria-hidden />}
        renderRoot={(props) => <Link to="/agents/$agentId/api" params={{ agentId }} {...props} />}
      >
        {agentsStrings.apiAccess}
      </Menu.Item>
      <Menu.Item
        leftSection={<SlidersHorizontal size={16} aria-hidden />}
        renderRoot={(props) => <Link to="/agents/$agentId/settings" params={{ agentId }} {...props} />}
      >
        {agentsStrings.settings}
      </Menu.Item>
    </>
  );
}

/** From a page about an agent to its canvas. */
export function BackToAgent({ agentId }: { agentId: string }) {
  return (
    <Anchor size="sm" c="dimmed" renderRoot={(props) => <Link {...props} to="/agents/$agentId" params={{ agentId }} />}>
      <ArrowLeft size={14} aria-hidden style={{ verticalAlign: "-2px" }} /> {agentsStrings.back}
    </Anchor>
  );
}
