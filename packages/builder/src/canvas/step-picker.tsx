import { Combobox, NativeSelect, TextInput, useCombobox } from "@mantine/core";
import { useClickOutside, useFocusTrap, useMergedRef } from "@mantine/hooks";
import type { NodeType } from "@weft/client";
import { type KeyboardEvent, useEffect, useId, useState } from "react";
import { Search } from "../icons/icons.gen.ts";
import { canvasStrings } from "../strings.ts";
import { NodeIcon } from "../ui/node-icon.tsx";
import { useCanvas, useEditorState } from "./canvas-context.ts";
import { insertableTypes } from "./insertion.ts";
import { nodeHeaderPx, type Point } from "./model/box.ts";
import { connectionChoices, titleOf, waysOut } from "./model/connection-rules.ts";
import type { FlowModel } from "./model/flow-model.ts";
import { type NodeCatalogue, searchNodeTypes } from "./model/node-catalogue.ts";
import classes from "./step-picker.module.css";
import type { StepRequest } from "./use-canvas-input.ts";

const { connect: strings } = canvasStrings;

type Props = {
  request: StepRequest;
  /** Position of its corner, in pixels from the corner of the canvas. */
  place: Point;
  onRefused(reason: string): void;
  onClose(): void;
};

/** Lets the user choose the target of a connection, a step to insert into one, or a step for a position. */
export function StepPicker({ request, place, onRefused, onClose }: Props) {
  const { catalogue } = useCanvas();
  const model = useEditorState((state) => state.model);
  const source = request.kind === "connect" ? model.nodes.get(request.source) : undefined;
  const ports = source ? waysOut(source, catalogue) : [];
  const [chosenPort, setPort] = useState(request.kind === "connect" ? request.sourcePort : undefined);
  const [query, setQuery] = useState("");
  const sourcePort = chosenPort ?? ports[0]?.id ?? "";
  const { steps, types } = choicesFor(request, { model, catalogue, sourcePort, query });
  const take = useChoice(request, sourcePort, onRefused);
  const listId = useId();
  const combobox = useCombobox();
  const ref = useMergedRef(useFocusTrap(), useClickOutside(onClose));
  // Only once the list exists, so that the field can reference it for screen readers.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is open as long as there is a picker
  useEffect(() => combobox.openDropdown(), []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another list begins with its first entry
  useEffect(() => void combobox.selectFirstOption(), [query, sourcePort]);
  if (request.kind === "connect" && !source) return null;

  const label = source
    ? strings.title({ label: titleOf(source, catalogue) })
    : strings[request.kind === "insert" ? "insert" : "put"];
  const search = source ? strings.search : canvasStrings.palette.search;
  const choose = (value: string) => {
    take({
      type: types.find((candidate) => value === toAdd(candidate)),
      target: steps.find((candidate) => value === toLead(candidate))?.id,
    });
    onClose();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "Escape") return;
    event.preventDefault();
    event.stopPropagation();
    onClose();
  };
  return (
    <div
      ref={ref}
      role="dialog"
      aria-label={label}
      className={classes.picker}
      style={{ left: place.x, top: place.y }}
      onKeyDown={onKeyDown}
    >
      {request.kind === "connect" && request.sourcePort === undefined && ports.length > 1 && (
        <PortSelect ports={ports} value={sourcePort} onChange={setPort} />
      )}
      <Combobox store={combobox} onOptionSubmit={choose}>
        <Combobox.EventsTarget withExpandedAttribute>
          <TextInput
            data-autofocus
            size="sm"
            aria-label={search}
            placeholder={search}
            leftSection={<Search size={16} aria-hidden />}
            value={query}
            onChange={(event) => setQuery(event.currentTarget.value)}
          />
        </Combobox.EventsTarget>
        <Combobox.Options id={listId} className={classes.list} aria-label={search}>
          <Choices steps={steps} types={types} query={query} />
        </Combobox.Options>
      </Combobox>
    </div>
  );
}

type ChoiceOptions = { model: FlowModel; catalogue: NodeCatalogue; sourcePort: string; query: string };

function choicesFor(request: StepRequest, { model, catalogue, sourcePort, query }: ChoiceOptions) {
  if (request.kind === "connect")
    return connectionChoices(model, catalogue, { source: request.source, sourcePort, query });
  const types = request.kind === "insert" ? insertableTypes(catalogue, query) : searchNodeTypes(catalogue.types, query);
  return { steps: [], types };
}

type Chosen = { type: NodeType | undefined; target: string | undefined };

function useChoice(request: StepRequest, sourcePort: string, onRefused: (reason: string) => void) {
  const { commands } = useCanvas();
  const addStep = (type: NodeType) => {
    if (request.kind === "insert") return commands.insert(type, request.edge);
    const at = request.droppedAt && cornerOf(request.droppedAt);
    if (request.kind === "add") return commands.add(type, { at });
    return commands.add(type, { from: { source: request.source, sourcePort }, at });
  };
  return ({ type, target }: Chosen) => {
    if (type) addStep(type);
    if (target !== undefined && request.kind === "connect")
      onRefused(commands.connect({ source: request.source, sourcePort, target }) ?? "");
  };
}

type PortSelectProps = { ports: ReturnType<typeof waysOut>; value: string; onChange(port: string): void };

function PortSelect({ ports, value, onChange }: PortSelectProps) {
  return (
    <NativeSelect
      size="xs"
      aria-label={strings.port}
      value={value}
      data={ports.map(({ id, title }) => ({ value: id, label: title }))}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

type ChoicesProps = ReturnType<typeof connectionChoices> & { query: string };

/** The possible targets of the connection, and the types of new steps. */
function Choices({ steps, types, query }: ChoicesProps) {
  const { catalogue } = useCanvas();
  return (
    <>
      {steps.length > 0 && (
        <Combobox.Group label={strings.steps}>
          {steps.map((step) => {
            const type = catalogue.typeOf(step);
            return (
              <Choice
                key={step.id}
                value={toLead(step)}
                icon={type?.icon}
                group={type?.group}
                title={titleOf(step, catalogue)}
              />
            );
          })}
        </Combobox.Group>
      )}
      {types.length > 0 && (
        <Combobox.Group label={strings.add}>
          {types.map((type) => (
            <Choice key={type.type} value={toAdd(type)} icon={type.icon} group={type.group} title={type.title} />
          ))}
        </Combobox.Group>
      )}
      {steps.length + types.length === 0 && <Combobox.Empty>{canvasStrings.palette.nothing({ query })}</Combobox.Empty>}
    </>
  );
}

type ChoiceProps = { value: string; title: string; icon?: string | undefined; group?: string | undefined };

function Choice({ value, title, icon, group }: ChoiceProps) {
  return (
    <Combobox.Option value={value} className={classes.choice}>
      <NodeIcon icon={icon} group={group} size="sm" />
      <span className={classes.choiceTitle}>{title}</span>
    </Combobox.Option>
  );
}

// A step's id may be the name of a type.
const toLead = ({ id }: { id: string }) => `to ${id}`;
const toAdd = ({ type }: { type: string }) => `add ${type}`;

/** Position for a step whose input is where the connection was released. */
function cornerOf({ x, y }: Point): Point {
  return { x, y: y - nodeHeaderPx / 2 };
}
