import { Alert, Group, Title } from "@mantine/core";
import type { StoreEvaluation } from "@weft/client";
import { TrendingDown } from "../../../icons/icons.gen.ts";
import { withDecimals } from "../../../languages/index.ts";
import { documentStoresStrings, storeQuestionsStrings as strings } from "../../../strings.ts";
import { formatMoment } from "../../../ui/content/format.ts";
import { Moment } from "../../../ui/content/time.tsx";
import { Hint } from "../../../ui/text/hint.tsx";
import classes from "./questions.module.css";

const measures = [
  ["recallAt1", "Recall@1", strings.recall1Help],
  ["recallAt5", "Recall@5", strings.recall5Help],
  ["meanReciprocalRank", "MRR", strings.mrrHelp],
] as const;

/** The numbers of the newest evaluation against the one before, and all of them over time. `evaluations`: newest first. */
export function EvaluationSummary({ evaluations }: { evaluations: readonly StoreEvaluation[] }) {
  const [last, before] = evaluations;
  if (last === undefined) return null;
  const { embedding, mode, splitters, reranker } = last.settings;
  const modes: Readonly<Record<string, string>> = documentStoresStrings.query.modes;
  return (
    <div className={classes.summary}>
      <Group gap="sm" align="baseline">
        <Title order={3} size="h5">
          {strings.results}
        </Title>
        <Moment at={last.createdDate} />
        {last.cause === "indexing" && <Hint>{strings.causedByIndexing}</Hint>}
      </Group>
      {last.recallDrop !== null && (
        <Alert
          color="red"
          variant="light"
          icon={<TrendingDown size={18} aria-hidden />}
          title={strings.dropTitle({ drop: last.recallDrop })}
        >
          {strings.dropText}
        </Alert>
      )}
      {last.warnings.map((warning) => (
        <Alert key={warning} color="yellow" variant="light">
          {warning}
        </Alert>
      ))}
      <dl className={classes.measures}>
        {measures.map(([key, name, help]) => (
          <div key={key}>
            <dt title={help} data-measure={key}>
              {name}
            </dt>
            <dd>
              {withDecimals(last[key], 3)}
              {before !== undefined && <Change difference={last[key] - before[key]} />}
            </dd>
          </div>
        ))}
      </dl>
      <Hint size="xs" style={{ overflowWrap: "anywhere" }}>
        {strings.settings({
          model: embedding,
          mode: modes[mode] ?? mode,
          splitters: splitters.join(", ") || "–",
          reranker: reranker === "none" ? strings.noReranker : reranker,
        })}
        {" · "}
        {strings.took({ questions: last.questions, ms: last.timeTaken })}
      </Hint>
      {evaluations.length > 1 && <Chart evaluations={evaluations.toReversed()} />}
    </div>
  );
}

function Change({ difference }: { difference: number }) {
  const isSame = Math.abs(difference) < 0.0005;
  return (
    <span className={classes.change} data-tone={isSame ? undefined : difference > 0 ? "better" : "worse"}>
      {isSame ? strings.unchanged : `${difference > 0 ? "+" : "−"}${withDecimals(Math.abs(difference), 3)}`}
    </span>
  );
}

function pointTitle(evaluation: StoreEvaluation): string {
  const numbers = measures.map(([key, name]) => `${name} ${withDecimals(evaluation[key], 3)}`);
  const cause = evaluation.cause === "indexing" ? [strings.causedByIndexing] : [];
  return [[formatMoment(evaluation.createdDate), ...cause].join(", "), ...numbers].join("\n");
}

const stepPx = 20;
const heightPx = 80;

/** One line for each measure. `evaluations`: oldest first. */
function Chart({ evaluations }: { evaluations: readonly StoreEvaluation[] }) {
  const widthPx = (evaluations.length - 1) * stepPx;
  const shown = (evaluation: StoreEvaluation | undefined) => withDecimals(evaluation?.meanReciprocalRank ?? 0, 3);
  const lineOf = (key: (typeof measures)[number][0]) =>
    evaluations.map((one, index) => `${index * stepPx},${heightPx - one[key] * heightPx}`).join(" ");
  return (
    <figure className={classes.chart}>
      <figcaption>{strings.chart}</figcaption>
      <div className={classes.plot}>
        <div className={classes.scale} aria-hidden>
          <span>1</span>
          <span>0</span>
        </div>
        <svg
          viewBox={`0 0 ${widthPx} ${heightPx}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={strings.chartSummary({
            checks: evaluations.length,
            first: shown(evaluations[0]),
            last: shown(evaluations.at(-1)),
          })}
        >
          {measures.map(([key]) => (
            <polyline key={key} points={lineOf(key)} data-measure={key} vectorEffect="non-scaling-stroke" />
          ))}
          {evaluations.map((one, index) => (
            <rect key={one.id} x={(index - 0.5) * stepPx} y={0} width={stepPx} height={heightPx} fill="transparent">
              <title>{pointTitle(one)}</title>
            </rect>
          ))}
        </svg>
      </div>
      <div className={classes.ends} aria-hidden>
        <span>{formatMoment(evaluations[0]?.createdDate ?? "")}</span>
        <span>{formatMoment(evaluations.at(-1)?.createdDate ?? "")}</span>
      </div>
    </figure>
  );
}
