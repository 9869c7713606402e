import { useQuery } from "@tanstack/react-query";
import { agentsQuery } from "../../api/agents.ts";
import { formStrings } from "../../strings/forms.ts";
import type { WidgetProps } from "../form/form-scope.ts";
import { ResourceWidget } from "./resource-widget.tsx";

/** Another agent. */
export function AgentWidget(props: WidgetProps) {
  return <ResourceWidget {...props} query={useQuery(agentsQuery)} placeholder={formStrings.chooseAgent} />;
}
