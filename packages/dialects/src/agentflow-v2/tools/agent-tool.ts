import { present } from "../node-converter.ts";
import type { ToolConverter } from "./tool-converter.ts";

export const chatflowTool = convertAgentTool("selectedChatflow");
export const agentAsTool = convertAgentTool("selectedAgentflow");

/** Another flow that the model may ask. It is asked here, in this process and in the run's own session. */
function convertAgentTool(key: string): ToolConverter {
  return ({ name, settings, report }) => {
    const agentId = settings.text(key);
    if (agentId === "") {
      report.refuse("tool-missing", `The flow that its tool ${name} asks is not chosen. Choose one.`);
      return undefined;
    }
    const unused = ["baseURL", "overrideConfig", "startNewSession", "useQuestionFromChat", "customInput"];
    const set = settings.keys().filter((setting) => unused.includes(setting));
    if (set.length > 0) {
      report.warn(
        "tool-settings-ignored",
        `These settings of its tool ${name} are not used here: ${set.join(", ")}. The flow is one of this server and gets the model's question. Check that this is enough.`,
      );
    }
    const config = {
      agentId,
      name: settings.text("name") || undefined,
      description: settings.text("description") || undefined,
      returnDirect: settings.flag("returnDirect") || undefined,
    };
    return { type: "agent", config: present(config) };
  };
}
