import { Alert, Checkbox, Group, Stack, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import type { FlowDraft } from "@weft/schema";
import { useState } from "react";
import { draftedKey } from "../../../api/agents.ts";
import { changesTo, type FlowModel, toDocument, toModel, useCanvas } from "../../../canvas/index.ts";
import { shownLabel } from "../../../described/node-title.ts";
import { DescribeForm, useDrafting } from "../../../drafting/index.ts";
import { X } from "../../../icons/icons.gen.ts";
import { draftingStrings as strings } from "../../../strings.ts";
import { Action, IconAction } from "../../../ui/controls/actions.tsx";
import { NodeIcon } from "../../../ui/node-icon.tsx";
import { Hint } from "../../../ui/text/hint.tsx";
import { type Proposal, type ProposedItem, toProposal } from "./choose-changes.ts";
import classes from "./drafting-panel.module.css";

type Proposed = { draft: FlowDraft; proposal: Proposal };

/** Beside the canvas: what a model drafted, and what it should change. Nothing changes before someone accepts it. */
export function DraftingPanel({ agentId, onClose }: { agentId: string; onClose(): void }) {
  const { editor, lastRun } = useCanvas();
  const drafted = useQueryClient().getQueryData<FlowDraft>(draftedKey(agentId));
  const [proposed, setProposed] = useState<Proposed>();
  const [base, setBase] = useState<FlowModel>();
  const drafting = useDrafting((draft) => {
    if (base !== undefined) setProposed({ draft, proposal: toProposal(changesTo(base, toModel(draft.flow))) });
  });
  const ask = (request: string, evidence?: string) => {
    const { model } = editor.state();
    setProposed(undefined);
    setBase(model);
    drafting.start({
      request,
      flowData: JSON.stringify(toDocument(model)),
      ...(evidence !== undefined && { evidence }),
    });
  };
  const failed = [...editor.state().model.nodes.values()].find(({ id }) => lastRun.get(id)?.error !== undefined);
  return (
    <div className={classes.panel}>
      <header className={classes.head}>
        <h2 className={classes.title}>{strings.panel.title}</h2>
        <IconAction icon={X} label={strings.panel.close} onClick={onClose} iconSize={16} />
      </header>
      <Stack className={classes.body} gap="md">
        {drafted !== undefined && proposed === undefined && <Told draft={drafted} />}
        <DescribeForm
          drafting={drafting}
          label={strings.panel.label}
          placeholder={strings.panel.placeholder}
          submitLabel={strings.panel.submit}
          onSubmit={(request) => ask(request)}
        />
        {!drafting.isRunning && proposed === undefined && (
          <Group gap="xs">
            <Action size="xs" label={strings.panel.explain} onClick={() => ask(strings.panel.explainRequest)} />
            {failed !== undefined && (
              <Action
                size="xs"
                label={strings.panel.mend({ step: failed.label })}
                onClick={() => ask(strings.panel.mendRequest({ step: failed.label }), lastRun.get(failed.id)?.error)}
              />
            )}
          </Group>
        )}
        {proposed !== undefined && <Proposed {...proposed} onDone={() => setProposed(undefined)} />}
      </Stack>
    </div>
  );
}

/** What the model says of its draft, and what it left to people. */
function Told({ draft: { summary, open } }: { draft: Pick<FlowDraft, "summary" | "open"> }) {
  return (
    <Stack gap="xs">
      <Text size="sm" className={classes.summary}>
        {summary}
      </Text>
      {open.length > 0 && (
        <Alert variant="light" color="orange" p="sm" title={strings.open}>
          <ul className={classes.open}>
            {open.map((choice) => (
              <li key={choice}>{choice}</li>
            ))}
          </ul>
        </Alert>
      )}
    </Stack>
  );
}

function Proposed({ draft, proposal, onDone }: Proposed & { onDone(): void }) {
  const { editor, elements } = useCanvas();
  const { items } = proposal;
  const [chosen, setChosen] = useState<ReadonlySet<string>>(() => new Set(items.map(({ id }) => id)));
  const [isStale, setStale] = useState(false);
  const toggle = (id: string) =>
    setChosen((before) => {
      const next = new Set(before);
      if (!next.delete(id)) next.add(id);
      return next;
    });
  const accept = () => {
    const choice = proposal.choose(chosen, editor.state().model);
    editor.seal();
    editor.edit(choice.changes);
    elements.select(items.filter(({ id, kind }) => kind !== "removed" && chosen.has(id)).map(({ id }) => id));
    if (choice.isStale) setStale(true);
    else onDone();
  };
  const { inputTokens, outputTokens } = draft.usage;
  return (
    <Stack gap="md">
      <Told draft={draft} />
      {items.length === 0 ? (
        <Hint>{strings.nothing}</Hint>
      ) : (
        <fieldset className={classes.items}>
          <legend>{strings.proposed}</legend>
          {items.map((item) => (
            <ItemRow key={item.id} item={item} isChosen={chosen.has(item.id)} onToggle={() => toggle(item.id)} />
          ))}
        </fieldset>
      )}
      {isStale && <Hint role="status">{strings.stale}</Hint>}
      <Group justify="space-between" gap="xs">
        <Hint size="xs">{strings.usage({ model: draft.model, tokens: inputTokens + outputTokens })}</Hint>
        <Group gap="xs">
          <Action size="xs" label={items.length === 0 || isStale ? strings.done : strings.discard} onClick={onDone} />
          {items.length > 0 && !isStale && (
            <Action
              size="xs"
              variant="filled"
              label={strings.accept({ count: chosen.size })}
              disabled={chosen.size === 0}
              onClick={accept}
            />
          )}
        </Group>
      </Group>
    </Stack>
  );
}

function ItemRow({ item, isChosen, onToggle }: { item: ProposedItem; isChosen: boolean; onToggle(): void }) {
  const { catalogue } = useCanvas();
  const type = item.kind === "connections" ? undefined : catalogue.typeOf(item.node);
  const label = item.kind === "connections" ? strings.connections : shownLabel(item.node.label, type) || item.node.id;
  return (
    <Checkbox
      className={classes.item}
      checked={isChosen}
      onChange={onToggle}
      label={
        <span className={classes.row}>
          {item.kind !== "connections" && <NodeIcon icon={type?.icon} group={type?.group} size="sm" />}
          <span className={classes.label}>{label}</span>
          <span className={classes.kind} data-kind={item.kind}>
            {strings.kinds[item.kind]}
          </span>
        </span>
      }
    />
  );
}
