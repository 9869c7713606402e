import { Badge, Button, Collapse, Combobox, Group, Input, Text, UnstyledButton, useCombobox } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type Json, type JsonObject, toJsonObject } from "@weft/schema";
import { type ReactElement, useRef, useState } from "react";
import { agentsQuery, integrationsQuery, toolsQuery } from "../../api/agents.ts";
import type { LucideIcon } from "../../icons/create-icon.ts";
import {
  Bot,
  Boxes,
  Calculator,
  ChevronDown,
  ChevronRight,
  Clock,
  Globe,
  Hand,
  Plug,
  Plus,
  Search,
  SquareFunction,
  Wrench,
  X,
} from "../../icons/icons.gen.ts";
import { formStrings } from "../../strings.ts";
import { Action, IconAction } from "../../ui/controls/actions.tsx";
import { Hint } from "../../ui/text/hint.tsx";
import { VendorMark } from "../../ui/vendor-mark.tsx";
import { markOf } from "../../ui/vendor-marks.ts";
import { joinPath } from "../fields/field-problems.ts";
import { type Field, toForm } from "../fields/to-field.ts";
import { shownValue, withProperty } from "../fields/values.ts";
import { useEntries } from "../form/entries.tsx";
import { FieldList } from "../form/field-list.tsx";
import classes from "../form/form.module.css";
import { useFormScope, type WidgetProps } from "../form/form-scope.ts";
import { type ToolOption, toolTitle, toToolOptions } from "./tool-options.ts";

/** The tools of an agent. */
export const toolWidgets = {
  tool: { component: ToolWidget, frame: "group" },
  tools: { component: ToolsWidget, frame: "group" },
} as const;

function ToolsWidget(props: WidgetProps) {
  const { field, isDisabled } = props;
  const { rows, add } = useEntries(props);
  const newIndex = useRef(-1);
  return (
    <div className={classes.rows}>
      {rows.map(({ entry, path, replace, menu }, index) => (
        <ToolCard
          key={String(index)}
          saysProblems
          others={othersOf(field.entry)}
          value={toJsonObject(entry)}
          onChange={replace}
          path={path}
          isNew={newIndex.current === index}
          menu={menu}
        />
      ))}
      <ToolChoice
        onChoose={(tool) => {
          newIndex.current = rows.length;
          add(tool);
        }}
      >
        {(toggle, isOpen) => (
          <Action
            icon={Plus}
            label={formStrings.addTool}
            className={classes.add}
            size="xs"
            onClick={toggle}
            disabled={isDisabled}
            aria-haspopup="listbox"
            aria-expanded={isOpen}
          />
        )}
      </ToolChoice>
    </div>
  );
}

function ToolWidget({ field, value, onChange, path, isDisabled }: WidgetProps) {
  const reference = toJsonObject(shownValue(field, value));
  const isChosen = typeof reference.type === "string" && reference.type !== "";
  return (
    <div className={classes.rows}>
      {isChosen && (
        <ToolCard
          key={String(reference.type)}
          others={othersOf(field)}
          value={reference}
          onChange={onChange}
          path={path}
          isNew
          menu={
            <IconAction
              icon={X}
              label={formStrings.removeEntry({ name: field.title })}
              onClick={() => onChange(undefined)}
              disabled={isDisabled}
              size={28}
              iconSize={16}
            />
          }
        />
      )}
      <ToolChoice onChoose={onChange}>
        {(toggle, isOpen) => (
          <Button
            className={classes.add}
            variant="default"
            size="xs"
            rightSection={<ChevronDown size={14} aria-hidden />}
            onClick={toggle}
            disabled={isDisabled}
            aria-haspopup="listbox"
            aria-expanded={isOpen}
          >
            {isChosen ? formStrings.changeTool : formStrings.chooseTool}
          </Button>
        )}
      </ToolChoice>
    </div>
  );
}

function othersOf(reference: Field | undefined): readonly Field[] {
  return reference?.fields.filter(({ name }) => name !== "type" && name !== "config") ?? [];
}

type ToolCardProps = {
  /** Properties of a reference besides its type and settings. */
  others: readonly Field[];
  value: JsonObject;
  onChange(value: JsonObject): void;
  path: string;
  menu: React.ReactNode;
  isNew: boolean;
  /** Shows problems of the whole tool if no surrounding frame does. */
  saysProblems?: boolean;
};

/** A chosen tool: its settings are a form of their own, drawn from the integration's schema. */
function ToolCard({ others, value, onChange, path, menu, isNew, saysProblems = false }: ToolCardProps) {
  const { context, problems } = useFormScope();
  const [isOpen, setOpen] = useState(isNew);
  const { data: integrations, isSuccess } = useQuery(integrationsQuery);
  const { data: tools = [] } = useQuery(toolsQuery);
  const { data: agents = [] } = useQuery(agentsQuery);
  const type = String(value.type ?? "");
  const config = toJsonObject(value.config);
  const integration = integrations?.find((one) => one.type === type);
  const title = toolTitle({ type, config }, { integrations: integrations ?? [], tools, agents });
  const said = saysProblems ? problems.at(path) : [];
  const count = problems.count(path) - said.length;
  const asks = others.some(({ name }) => name === "requiresApproval") && value.requiresApproval === true;
  const change = (name: string, changed: Json | undefined) => onChange(withProperty(value, name, changed));
  return (
    <div className={classes.card}>
      <div className={classes.cardHeader}>
        <UnstyledButton className={classes.cardToggle} onClick={() => setOpen(!isOpen)} aria-expanded={isOpen}>
          <ChevronRight size={14} className={classes.chevron} data-open={isOpen || undefined} aria-hidden />
          <ToolIcon
            icon={integration?.icon}
            group={integration?.group}
            vendor={typeof config.provider === "string" ? config.provider : type}
          />
          <span className={classes.cardTitle}>{title ?? (isSuccess ? formStrings.unknownTool({ type }) : type)}</span>
          {asks && (
            <Badge variant="light" size="sm" tt="none">
              {formStrings.asksFirst}
            </Badge>
          )}
          {count > 0 && !isOpen && (
            <Text span size="xs" c="var(--mantine-color-error)">
              {formStrings.problems({ count })}
            </Text>
          )}
        </UnstyledButton>
        {menu}
      </div>
      {said.length > 0 && (
        <Input.Error px={12} pb={8}>
          {said.join(" ")}
        </Input.Error>
      )}
      <Collapse expanded={isOpen} keepMounted={false}>
        <div className={`${classes.cardBody} ${classes.list}`}>
          <Hint size="xs">
            {integration?.summary ?? (isSuccess ? formStrings.unknownToolHelp : formStrings.loading)}
          </Hint>
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

type ToolChoiceProps = {
  /** The element that opens the list; it must accept a ref. */
  children: (toggle: () => void, isOpen: boolean) => ReactElement;
  onChoose(tool: { type: string; config: JsonObject }): void;
};

/** A searchable list of everything an agent can call: integrations, stored tools and other agents. */
function ToolChoice({ children, onChoose }: ToolChoiceProps) {
  const [search, setSearch] = useState("");
  const { data: integrations = [], isError } = useQuery(integrationsQuery);
  const { data: tools = [] } = useQuery(toolsQuery);
  const { data: agents = [] } = useQuery(agentsQuery);
  const combobox = useCombobox({
    onDropdownClose: () => {
      combobox.resetSelectedOption();
      setSearch("");
    },
    onDropdownOpen: () => combobox.focusSearchInput(),
  });
  const { context } = useFormScope();
  const options = toToolOptions({ integrations, tools, agents: agents.filter(({ id }) => id !== context.agentId) });
  const words = search.trim().toLowerCase();
  const found = options.filter(({ title, summary }) => `${title} ${summary}`.toLowerCase().includes(words));
  const groups = [...new Set(found.map(({ group }) => group))];
  return (
    <Combobox
      store={combobox}
      width={340}
      position="bottom-start"
      withinPortal
      onOptionSubmit={(key) => {
        const chosen = options.find((option) => option.key === key);
        combobox.closeDropdown();
        if (chosen) onChoose({ type: chosen.type, config: chosen.config });
      }}
    >
      <Combobox.Target withAriaAttributes={false}>
        {children(() => combobox.toggleDropdown(), combobox.dropdownOpened)}
      </Combobox.Target>
      <Combobox.Dropdown>
        <Combobox.Search
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
          placeholder={formStrings.toolSearch}
          aria-label={formStrings.toolSearch}
        />
        <Combobox.Options mah={320} style={{ overflowY: "auto" }}>
          {found.length === 0 && (
            <Combobox.Empty>{isError ? formStrings.loadFailed : formStrings.noMatch}</Combobox.Empty>
          )}
          {groups.map((group) => (
            <Combobox.Group key={group} label={group}>
              {found
                .filter((option) => option.group === group)
                .map((option) => (
                  <Option key={option.key} option={option} />
                ))}
            </Combobox.Group>
          ))}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  );
}

function Option({ option }: { option: ToolOption }) {
  return (
    <Combobox.Option value={option.key}>
      <Group gap="sm" wrap="nowrap">
        <ToolIcon icon={option.icon} group={option.iconGroup} vendor={option.type} />
        <div style={{ minWidth: 0 }}>
          <Text size="sm" truncate>
            {option.title}
          </Text>
          <Hint size="xs" truncate>
            {option.summary}
          </Hint>
        </div>
      </Group>
    </Combobox.Option>
  );
}

const icons: Readonly<Record<string, LucideIcon>> = {
  agent: Bot,
  calculator: Calculator,
  clock: Clock,
  hand: Hand,
  function: SquareFunction,
  mcp: Plug,
  search: Search,
  request: Globe,
  toolkit: Boxes,
};

type ToolIconProps = { icon?: string | undefined; group?: string | undefined; vendor: string };

/** The mark of a tool's vendor, else the picture of an integration, else that of its group. */
function ToolIcon({ icon = "", group = "", vendor }: ToolIconProps) {
  if (markOf(vendor) !== undefined) {
    return (
      <span className={classes.icon}>
        <VendorMark name={vendor} title="" />
      </span>
    );
  }
  const Icon = icons[icon] ?? icons[group] ?? Wrench;
  return (
    <span className={classes.icon}>
      <Icon size={15} strokeWidth={1.9} aria-hidden />
    </span>
  );
}
