import { Badge, Collapse, Input, Text, UnstyledButton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { Json, JsonObject } from "@weft/schema";
import { ChevronRight } from "lucide-react";
import { useState } from "react";
import { agentsQuery } from "../../api/agents.ts";
import { integrationsQuery } from "../../api/integrations.ts";
import { toolsQuery } from "../../api/tools.ts";
import { formStrings } from "../../strings/forms.ts";
import type { Field } from "../fields/field.ts";
import { joinPath } from "../fields/field-problems.ts";
import { toForm } from "../fields/to-field.ts";
import { asObject, withProperty } from "../fields/update-value.ts";
import { FieldList } from "../form/field-list.tsx";
import classes from "../form/form.module.css";
import { useFormScope } from "../form/form-scope.ts";
import { ToolIcon } from "./tool-icon.tsx";
import { toolTitle } from "./tool-options.ts";

type Props = {
  /** What a reference has besides its type and its settings. */
  others: readonly Field[];
  value: JsonObject;
  onChange(value: JsonObject): void;
  path: string;
  menu: React.ReactNode;
  isNew: boolean;
  /** Says what is wrong with the tool as a whole, where no frame around it does. */
  saysProblems?: boolean;
};

/** A chosen tool: its settings are a form of their own, drawn from the integration's schema. */
export function ToolCard({ others, value, onChange, path, menu, isNew, saysProblems = false }: Props) {
  const { context, problems } = useFormScope();
  const [isOpen, setOpen] = useState(isNew);
  const { data: integrations, isSuccess } = useQuery(integrationsQuery);
  const { data: tools = [] } = useQuery(toolsQuery);
  const { data: agents = [] } = useQuery(agentsQuery);
  const type = String(value.type ?? "");
  const config = asObject(value.config);
  const integration = integrations?.find((one) => one.type === type);
  const title = toolTitle({ type, config }, { integrations: integrations ?? [], tools, agents });
  const count = problems.count(path);
  const asks = others.some(({ name }) => name === "requiresApproval") && value.requiresApproval === true;
  const change = (name: string, changed: Json | undefined) => onChange(withProperty(value, name, changed));
  return (
    <div className={classes.card}>
      <div className={classes.cardHeader}>
        <UnstyledButton className={classes.cardToggle} onClick={() => setOpen(!isOpen)} aria-expanded={isOpen}>
          <ChevronRight size={14} className={classes.chevron} data-open={isOpen || undefined} aria-hidden />
          <ToolIcon icon={integration?.icon} group={integration?.group} />
          <span className={classes.cardTitle}>{title ?? (isSuccess ? formStrings.unknownTool(type) : type)}</span>
          {asks && (
            <Badge variant="light" size="sm" tt="none">
              {formStrings.asksFirst}
            </Badge>
          )}
          {count > 0 && !isOpen && (
            <Text span size="xs" c="var(--mantine-color-error)">
              {formStrings.problems(count)}
            </Text>
          )}
        </UnstyledButton>
        {menu}
      </div>
      {saysProblems && problems.at(path).length > 0 && (
        <Input.Error px={12} pb={8}>
          {problems.at(path).join(" ")}
        </Input.Error>
      )}
      <Collapse expanded={isOpen} keepMounted={false}>
        <div className={`${classes.cardBody} ${classes.list}`}>
          <Text size="xs" c="dimmed">
            {integration?.summary ?? (isSuccess ? formStrings.unknownToolHelp : formStrings.loading)}
          </Text>
          {integration !== undefined && (
            <FieldList
              fields={toForm(integration.config).fields}
              value={config}
              onChange={(name, changed) => change("config", withProperty(config, name, changed))}
              path={joinPath(path, "config")}
            />
          )}
          {context.renderTrial?.(type, config)}
          <FieldList fields={others} value={value} onChange={change} path={path} />
        </div>
      </Collapse>
    </div>
  );
}
