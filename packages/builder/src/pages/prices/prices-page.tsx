import { Anchor, Autocomplete, Badge, Code, Group, SimpleGrid, Text, TextInput } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { Prices } from "@weft/client";
import { useState } from "react";
import { client } from "../../api/client.ts";
import { pricesQuery } from "../../api/settings.ts";
import { Coins, Pencil, Plus, RotateCcw } from "../../icons/icons.gen.ts";
import { formatDollars } from "../../languages/index.ts";
import { pricesStrings as strings } from "../../strings.ts";
import { Action, MenuAction } from "../../ui/controls/actions.tsx";
import { actionsColumn, type Column, RowMenu, SearchedTable } from "../../ui/list/list-page.tsx";
import { FormDialog } from "../../ui/page/dialogs.tsx";
import { ListBody, notifyDone, notifyFailed } from "../../ui/page/notices.tsx";
import { EmptyState, Fact, Page, Section } from "../../ui/page/page.tsx";
import { Hint } from "../../ui/text/hint.tsx";
import { VendorMark } from "../../ui/vendor-mark.tsx";
import { markOf } from "../../ui/vendor-marks.ts";
import {
  errorsOf,
  type PriceDraft,
  type PriceRow,
  parseDollars,
  toRows,
  withoutPrice,
  withPrice,
} from "./price-draft.ts";

/** What model calls cost: the models that runs called with their prices, and prices that people set here. */
export function PricesPage() {
  const prices = useQuery(pricesQuery);
  const save = useSavePrices();
  const [dialog, setDialog] = useState<PriceRow | "new">();
  const remove = (model: string) =>
    save((chosen) => withoutPrice(chosen, model)).then(() => notifyDone(strings.removed({ model })), notifyFailed);
  const addButton = <Action icon={Plus} label={strings.add} onClick={() => setDialog("new")} variant="filled" />;
  return (
    <Page title={strings.title} summary={strings.summary} actions={addButton}>
      <ListBody query={prices}>
        {(data) => {
          const rows = toRows(data);
          return (
            <>
              {rows.length === 0 ? (
                <EmptyState icon={Coins} title={strings.emptyTitle} text={strings.emptyText} action={addButton} />
              ) : (
                <SearchedTable
                  label={strings.table}
                  searchLabel={strings.search}
                  textOf={({ model }) => model}
                  columns={toColumns({
                    prices: data.prices,
                    onEdit: setDialog,
                    onRemove: (model) => void remove(model),
                  })}
                  rows={rows}
                  idOf={({ model }) => model}
                />
              )}
              <Source prices={data} />
              {dialog !== undefined && (
                <PriceDialog
                  prices={data}
                  row={dialog === "new" ? undefined : dialog}
                  onClose={() => setDialog(undefined)}
                />
              )}
            </>
          );
        }}
      </ListBody>
    </Page>
  );
}

/** Changes the prices that are set, from what is set at that moment: another person may have changed others. */
function useSavePrices() {
  const queries = useQueryClient();
  return async (change: (chosen: Prices["prices"]) => Prices["prices"]) => {
    const { prices } = await client.getPrices();
    queries.setQueryData(pricesQuery.queryKey, await client.setPrices({ prices: change(prices) }));
  };
}

function Source({ prices: { source, list } }: { prices: Prices }) {
  return (
    <Section
      title={strings.sourceTitle}
      text={strings.sourceText({ count: Object.keys(list).length, date: source.date })}
    >
      <SimpleGrid cols={{ base: 1, xs: 3 }}>
        <div>
          <Hint size="xs">{strings.source}</Hint>
          <Anchor href={source.url} target="_blank" rel="noreferrer" size="sm">
            {source.name}
          </Anchor>
        </div>
        <Fact name={strings.licence} value={source.licence} />
        <Fact name={strings.date} value={source.date} />
      </SimpleGrid>
    </Section>
  );
}

function ModelName({ model }: { model: string }) {
  const [provider = ""] = model.split("/");
  return (
    <Group gap={6} wrap="nowrap">
      {markOf(provider) !== undefined && <VendorMark name={provider} title="" />}
      <Code>{model}</Code>
    </Group>
  );
}

const badgeColours = { set: "iris", environment: "teal", list: "gray", none: "yellow" } as const;

type ColumnDeps = {
  prices: Prices["prices"];
  onEdit: (row: PriceRow) => void;
  onRemove: (model: string) => void;
};

function toColumns({ prices, onEdit, onRemove }: ColumnDeps): Column<PriceRow>[] {
  const dollars = (amount: number | undefined) => (
    <Text size="sm">{amount === undefined ? strings.none : toPrice(amount)}</Text>
  );
  const own = new Set(Object.keys(prices).map((name) => name.toLowerCase()));
  return [
    { key: "model", header: strings.model, cell: ({ model }) => <ModelName model={model} /> },
    { key: "input", header: strings.input, isNarrow: true, isNumber: true, cell: ({ price }) => dollars(price?.input) },
    {
      key: "output",
      header: strings.output,
      isNarrow: true,
      isNumber: true,
      cell: ({ price }) => dollars(price?.output),
    },
    {
      key: "origin",
      header: strings.origin,
      cell: ({ origin }) => (
        <>
          <Badge variant="light" color={badgeColours[origin]} tt="none">
            {strings.origins[origin]}
          </Badge>
          {origin === "none" && (
            <Hint size="xs" mt={2}>
              {strings.noPriceHint}
            </Hint>
          )}
        </>
      ),
    },
    actionsColumn((row) => (
      <RowMenu name={row.model}>
        <MenuAction icon={Pencil} label={strings.edit} onClick={() => onEdit(row)} />
        {own.has(row.model.toLowerCase()) && (
          <MenuAction icon={RotateCcw} label={strings.reset} onClick={() => onRemove(row.model)} />
        )}
      </RowMenu>
    )),
  ];
}

const mostSuggestions = 30;

type PriceDialogProps = {
  prices: Prices;
  /** Undefined: of any model. */
  row: PriceRow | undefined;
  onClose: () => void;
};

function PriceDialog({ prices, row, onClose }: PriceDialogProps) {
  const save = useSavePrices();
  const text = (amount: number | undefined) => (amount === undefined ? "" : String(amount));
  const [draft, setDraft] = useState<PriceDraft>({
    model: row?.model ?? "",
    input: text(row?.price?.input),
    output: text(row?.price?.output),
  });
  const [isTried, setTried] = useState(false);
  const errors = errorsOf(draft);
  const change = (part: Partial<PriceDraft>) => setDraft({ ...draft, ...part });
  const sentence = (isWrong: boolean, typed: string, words: string) =>
    isWrong && (isTried || typed !== "") ? words : undefined;
  const submit = async () => {
    const model = draft.model.trim();
    const [input = 0, output = 0] = [parseDollars(draft.input), parseDollars(draft.output)];
    const cachedInput = row?.origin === "set" ? row.price?.cachedInput : undefined;
    const price = { input, output, ...(cachedInput !== undefined && { cachedInput }) };
    await save((chosen) => withPrice(chosen, model, price));
  };
  return (
    <FormDialog
      title={row === undefined ? strings.addTitle : strings.editTitle({ model: row.model })}
      isComplete={!(errors.model || errors.input || errors.output)}
      onSubmit={submit}
      done={strings.saved({ model: draft.model.trim() })}
      onClose={onClose}
    >
      {row === undefined && (
        <Autocomplete
          label={strings.model}
          description={strings.modelHint}
          data-autofocus
          data={Object.keys(prices.list)}
          limit={mostSuggestions}
          value={draft.model}
          error={isTried ? sentence(errors.model, draft.model, strings.badModel) : undefined}
          onChange={(model) => change({ model })}
          onBlur={() => setTried(true)}
        />
      )}
      {!errors.model && <Known prices={prices} model={draft.model.trim()} />}
      {(["input", "output"] as const).map((part) => (
        <TextInput
          key={part}
          label={part === "input" ? strings.inputLabel : strings.outputLabel}
          inputMode="decimal"
          autoComplete="off"
          value={draft[part]}
          error={sentence(errors[part], draft[part], strings.badPrice)}
          onChange={(event) => change({ [part]: event.currentTarget.value })}
        />
      ))}
    </FormDialog>
  );
}

/** What is known of a model beside its own price: what the list says, or that nobody has heard of it. */
function Known({ prices: { list, models }, model }: { prices: Prices; model: string }) {
  const listed = list[model.toLowerCase()];
  const words = listed
    ? strings.listed({ input: toPrice(listed.input), output: toPrice(listed.output) })
    : models.some(({ id }) => id === model)
      ? undefined
      : strings.unknownModel;
  return words === undefined ? null : <Hint role="status">{words}</Hint>;
}

/** A price of a million tokens. */
function toPrice(dollars: number): string {
  return formatDollars(dollars, 2, 6);
}
