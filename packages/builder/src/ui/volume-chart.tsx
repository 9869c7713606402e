import type { Stats } from "@weft/client";
import { formatNumber } from "../languages/index.ts";
import { volumeStrings } from "../strings.ts";
import { formatMoment } from "./content/format.ts";
import classes from "./volume-chart.module.css";

const heightPx = 120;
const stepPx = 20;
const barPx = 14;
/** So that a part with a single run is seen. */
const minBarPx = 2;

type Props = { stats: Stats /** Half as tall, without dates below. */; isCompact?: boolean };

/** Runs over time as bars, their failures in red at the foot, beside a scale up to the most in one part. */
export function VolumeChart({ stats: { volume, runs, failures }, isCompact = false }: Props) {
  const most = Math.max(1, ...volume.map((part) => part.runs));
  const scale = (count: number) => (count === 0 ? 0 : Math.max(minBarPx, (count / most) * heightPx));
  return (
    <div className={classes.plot} data-compact={isCompact || undefined}>
      <div className={classes.scale} aria-hidden>
        <span>{formatNumber(most)}</span>
        <span>{formatNumber(0)}</span>
      </div>
      <svg
        className={classes.chart}
        viewBox={`0 0 ${volume.length * stepPx} ${heightPx}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={volumeStrings.volumeSummary({ runs, failures })}
      >
        {volume.map((part, index) => {
          const [height, failed] = [scale(part.runs), scale(part.failures)];
          const x = index * stepPx + (stepPx - barPx) / 2;
          return (
            <g key={part.startDate}>
              <title>
                {volumeStrings.part({ start: formatMoment(part.startDate), runs: part.runs, failures: part.failures })}
              </title>
              <rect x={x} y={heightPx - height} width={barPx} height={height} rx={2} className={classes.bar} />
              <rect
                x={x}
                y={heightPx - failed}
                width={barPx}
                height={failed}
                rx={2}
                className={classes.bar}
                data-failed
              />
            </g>
          );
        })}
      </svg>
      {!isCompact && (
        <div className={classes.ends} aria-hidden>
          {[0, Math.floor(volume.length / 2), volume.length - 1].map((index) => (
            <span key={index}>{formatMoment(volume[index]?.startDate ?? "")}</span>
          ))}
        </div>
      )}
    </div>
  );
}
