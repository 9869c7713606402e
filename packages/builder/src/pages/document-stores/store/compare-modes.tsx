import { Highlight, Text, Title, UnstyledButton } from "@mantine/core";
import type { VectorQueryResult } from "@weft/client";
import { type JsonObject, toJsonObject } from "@weft/schema";
import { type CSSProperties, useId, useState } from "react";
import type { StoreView } from "../../../api/document-stores.ts";
import { documentStoresStrings, storeQueryStrings as strings } from "../../../strings.ts";
import { ErrorNotice } from "../../../ui/page/notices.tsx";
import { Hint } from "../../../ui/text/hint.tsx";
import classes from "./compare-modes.module.css";
import { type Found, markedWords, PassageSource, RightPassage } from "./passage-parts.tsx";
import {
  comparedDepth,
  type Mode,
  modes,
  type Places,
  placesOf,
  type Ranked,
  sharedPassages,
} from "./passage-places.ts";

/** Settings that leave out every step of a store's own: what its vectors and words alone find. */
export const plainSearch = {
  rerank: { provider: "none" },
  scoreThreshold: 0,
  rewrite: false,
  variants: 0,
  hypothetical: false,
  mmrLambda: 1,
  neighbours: 0,
  parent: "none",
} as const;

/** Whether the settings of a store do anything but choose a mode. */
export function hasSteps(settings: JsonObject): boolean {
  const { rerank, ...steps } = plainSearch;
  const { provider = rerank.provider } = toJsonObject(settings.rerank);
  const isJudged = provider !== rerank.provider;
  return isJudged || Object.entries(steps).some(([name, off]) => (settings[name] ?? off) !== off);
}

/** What one mode answered: its passages, as many as are compared, or why it failed. */
export type ModeAnswer = { mode: Mode; result: VectorQueryResult } | { mode: Mode; error: unknown };

type Props = {
  store: StoreView;
  question: string /** How many passages are shown of each. */;
  topK: number;
  answers: readonly ModeAnswer[];
};

/** One question in every mode, side by side. The same passage has the same colour everywhere, and says its other places. */
export function CompareModes({ store, question, topK, answers }: Props) {
  const [active, setActive] = useState<string>();
  const group = useId();
  const ranked = toRanked(answers);
  const shared = sharedPassages(ranked, topK);
  const words = markedWords(question);
  const elementId = (mode: Mode, id: string) => `${group}-${mode}-${id}`;
  return (
    <div className={classes.columns}>
      {modes.map((mode) => {
        const answer = answers.find((one) => one.mode === mode);
        if (answer === undefined) return null;
        const docs = "result" in answer ? answer.result.docs.slice(0, topK) : [];
        return (
          <section key={mode} className={classes.column} aria-label={strings.column({ mode: modeName(mode) })}>
            <Head answer={answer} shown={docs.length} />
            <ol className={classes.passages}>
              {docs.map((found, index) => (
                <li
                  key={found.id}
                  id={elementId(mode, found.id)}
                  tabIndex={-1}
                  className={classes.passage}
                  style={toneOf(shared.get(found.id))}
                  data-shared={shared.has(found.id) || undefined}
                  data-active={active === found.id || undefined}
                  onMouseEnter={() => setActive(found.id)}
                  onMouseLeave={() => setActive(undefined)}
                  onFocus={() => setActive(found.id)}
                >
                  <div className={classes.head}>
                    <span className={classes.place}>{index + 1}</span>
                    <PassageSource store={store} found={found} />
                  </div>
                  <PlaceList
                    places={placesOf(found.id, mode, ranked)}
                    shown={topK}
                    onGo={(other) => document.getElementById(elementId(other, found.id))?.focus()}
                  />
                  <PassageText text={found.pageContent} words={words} />
                  <RightPassage store={store} found={found} question={question} />
                </li>
              ))}
            </ol>
          </section>
        );
      })}
    </div>
  );
}

function modeName(mode: Mode): string {
  return mode === "store" ? strings.asSetUp : documentStoresStrings.query.modes[mode];
}

function Head({ answer, shown }: { answer: ModeAnswer; shown: number }) {
  const { query } = documentStoresStrings;
  return (
    <div>
      <Title order={3} size="h5">
        {modeName(answer.mode)}
      </Title>
      {"error" in answer ? (
        <ErrorNotice error={answer.error} />
      ) : (
        <>
          <Hint size="xs" role="status">
            {shown === 0 ? query.none : query.found({ number: shown, ms: answer.result.timeTaken })}
          </Hint>
          {answer.result.warnings.map((warning) => (
            <Text key={warning} size="xs" className={classes.warning}>
              {warning}
            </Text>
          ))}
        </>
      )}
    </div>
  );
}

/** A text of so many characters has more lines than are shown of it at first. */
const longText = 280;

function PassageText({ text, words }: { text: string; words: string[] }) {
  const [isOpen, setOpen] = useState(false);
  const isLong = text.length > longText;
  return (
    <>
      <Highlight
        size="sm"
        component="div"
        className={classes.text ?? ""}
        highlight={words}
        wholeWord
        {...(isLong && !isOpen && { lineClamp: 6 })}
      >
        {text}
      </Highlight>
      {isLong && (
        <UnstyledButton className={classes.more} onClick={() => setOpen(!isOpen)} aria-expanded={isOpen}>
          {isOpen ? strings.showLess : strings.showAll}
        </UnstyledButton>
      )}
    </>
  );
}

type PlaceListProps = { places: Places; shown: number; onGo(mode: Mode): void };

/** Why a passage ranks: its places in the other modes, as ways to it where they are shown. */
function PlaceList({ places, shown, onGo }: PlaceListProps) {
  return (
    <div className={classes.places}>
      {modes.map((mode) => {
        const place = places[mode];
        if (place === undefined) return null;
        if (place === null) return <span key={mode}>{strings.absent[mode]({ depth: comparedDepth })}</span>;
        if (place > shown) return <span key={mode}>{strings.places[mode]({ place })}</span>;
        return (
          <UnstyledButton key={mode} className={classes.way} onClick={() => onGo(mode)}>
            {strings.places[mode]({ place })}
          </UnstyledButton>
        );
      })}
    </div>
  );
}

function toRanked(answers: readonly ModeAnswer[]): Ranked {
  const lists = answers.flatMap((answer) =>
    "result" in answer ? [[answer.mode, answer.result.docs.map(({ id }: Found) => id)] as const] : [],
  );
  return Object.fromEntries(lists);
}

/** Neighbours differ most: each hue is the golden angle away from the one before. */
function toneOf(number: number | undefined): CSSProperties {
  return number === undefined ? {} : { "--hue": String(Math.round(210 + number * 137.5) % 360) };
}
