import { ActionIcon, Menu } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { Agent } from "@weft/client";
import { Copy, Download, EllipsisVertical, History, Keyboard, Upload } from "lucide-react";
import { useRef } from "react";
import { client } from "../../api/client.ts";
import { errorSentence } from "../../api/error-sentence.ts";
import { useCanvas } from "../../canvas/canvas-context.ts";
import { toDocument } from "../../canvas/model/flow-model.ts";
import { AgentMenuItems } from "../../components/agent-menu-items.tsx";
import { canvasStrings } from "../../strings/canvas.ts";
import { downloadFlow } from "./download-flow.ts";
import type { EditorDialog } from "./editor-dialog.ts";

const { menu } = canvasStrings.editor;
const icon = { size: 16, "aria-hidden": true } as const;

type Props = { agent: Agent; name: string; onOpen(dialog: EditorDialog): void };

/** What is done with an agent as a whole. */
export function EditorMenu({ agent, name, onOpen }: Props) {
  const { editor } = useCanvas();
  const navigate = useNavigate();
  const button = useRef<HTMLButtonElement>(null);
  const duplicate = useMutation({
    mutationFn: () => {
      const { chatbotConfig, apiConfig, analytic, speechToText, category, type } = agent;
      const flowData = JSON.stringify(toDocument(editor.state().model));
      const settings = { chatbotConfig, apiConfig, analytic, speechToText, category, type };
      return client.createAgent({ ...settings, name: menu.copyOf(name), flowData });
    },
    onSuccess: ({ id }) => navigate({ to: "/agents/$agentId", params: { agentId: id } }),
    onError: (error) => notifications.show({ color: "red", message: errorSentence(error) }),
  });
  return (
    <Menu position="bottom-end" width={220}>
      <Menu.Target>
        <ActionIcon ref={button} variant="subtle" color="gray" size={36} aria-label={menu.label}>
          <EllipsisVertical size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      {/* What an item opens gives the focus back to what had it: the item is gone then. */}
      <Menu.Dropdown onClickCapture={() => button.current?.focus()}>
        <Menu.Item leftSection={<History {...icon} />} onClick={() => onOpen("versions")}>
          {menu.versions}
        </Menu.Item>
        <Menu.Item leftSection={<Copy {...icon} />} onClick={() => duplicate.mutate()}>
          {menu.duplicate}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item leftSection={<Upload {...icon} />} onClick={() => onOpen("import")}>
          {menu.import}
        </Menu.Item>
        <Menu.Item leftSection={<Download {...icon} />} onClick={() => downloadFlow(name, editor.state().model)}>
          {menu.export}
        </Menu.Item>
        <Menu.Divider />
        <AgentMenuItems agentId={agent.id} />
        <Menu.Divider />
        <Menu.Item leftSection={<Keyboard {...icon} />} onClick={() => onOpen("help")}>
          {menu.help}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
