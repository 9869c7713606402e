/** Description of a metric. `labels`: their names; values are given in this order. */
export type MetricSpec = {
  /** With its unit, and `_total` for a counter, by Prometheus' conventions. */
  name: string;
  help: string;
  labels?: readonly string[];
};

export type Counter = { add(amount: number, ...labels: string[]): void };

export type Histogram = { observe(value: number, ...labels: string[]): void };

/** A current value, and the values of its labels. */
export type Reading = { value: number; labels?: readonly string[] };

/** `read` is called at every scrape, and may return nothing. */
export type GaugeSpec = MetricSpec & { type?: "gauge" | "counter" | "summary"; read(): readonly Reading[] };

export type Registry = {
  /** Without labels it is 0 from the start. */
  counter(spec: MetricSpec): Counter;
  /** `buckets`: upper bounds in ascending order, without the infinite one. */
  histogram(spec: MetricSpec & { buckets: readonly number[] }): Histogram;
  gauge(spec: GaugeSpec): void;
  /** All metrics in Prometheus' text format 0.0.4, in registration order, including names without counts yet. */
  write(): string;
};

/** Counting and observing take one lookup each and never wait. Throws if a name is registered twice. */
export function createRegistry(): Registry {
  const writers = new Map<string, () => string>();

  function register(spec: MetricSpec, type: string, lines: () => string[]): void {
    if (writers.has(spec.name)) throw new Error(`Two metrics have the name ${spec.name}.`);
    writers.set(spec.name, () => {
      const samples = lines().map((line) => `${line}\n`);
      return `# HELP ${spec.name} ${escapeHelp(spec.help)}\n# TYPE ${spec.name} ${type}\n${samples.join("")}`;
    });
  }

  return {
    counter(spec) {
      const series = new Map<string, { labels: string[]; total: number }>();
      if (spec.labels === undefined) series.set("", { labels: [], total: 0 });
      register(spec, "counter", () =>
        [...series.values()].map(({ labels, total }) => sample(spec.name, labelPairs(spec, labels), total)),
      );
      return {
        add(amount, ...labels) {
          const key = labels.join(separator);
          const known = series.get(key);
          if (known === undefined) series.set(key, { labels, total: amount });
          else known.total += amount;
        },
      };
    },
    histogram(spec) {
      const series = new Map<string, HistogramSeries>();
      if (spec.labels === undefined) series.set("", emptySeries(spec.buckets, []));
      register(spec, "histogram", () => [...series.values()].flatMap((one) => histogramLines(spec, one)));
      return {
        observe(value, ...labels) {
          const key = labels.join(separator);
          const known = series.get(key) ?? emptySeries(spec.buckets, labels);
          if (known.sum === 0) series.set(key, known);
          let bucket = 0;
          while (bucket < spec.buckets.length && value > (spec.buckets[bucket] ?? 0)) bucket += 1;
          known.counts[bucket] = (known.counts[bucket] ?? 0) + 1;
          known.sum += value;
        },
      };
    },
    gauge(spec) {
      register(spec, spec.type ?? "gauge", () =>
        spec.read().map(({ value, labels = [] }) => sample(spec.name, labelPairs(spec, labels), value)),
      );
    },
    write: () => [...writers.values()].map((write) => write()).join(""),
  };
}

/** Separates the values of a key: no value contains it. */
const separator = "\u0000";

/** `counts`: per bucket, not cumulative, the infinite one last. */
type HistogramSeries = { labels: readonly string[]; counts: number[]; sum: number };

function emptySeries(buckets: readonly number[], labels: readonly string[]): HistogramSeries {
  return { labels, counts: new Array<number>(buckets.length + 1).fill(0), sum: 0 };
}

function histogramLines(spec: MetricSpec & { buckets: readonly number[] }, series: HistogramSeries): string[] {
  const pairs = labelPairs(spec, series.labels);
  let count = 0;
  const lines = series.counts.map((inBucket, index) => {
    count += inBucket;
    const bound = spec.buckets[index];
    return sample(`${spec.name}_bucket`, [...pairs, `le="${bound === undefined ? "+Inf" : bound}"`], count);
  });
  return [...lines, sample(`${spec.name}_sum`, pairs, series.sum), sample(`${spec.name}_count`, pairs, count)];
}

function labelPairs({ labels = [] }: MetricSpec, values: readonly string[]): string[] {
  return labels.map((label, index) => `${label}="${escapeLabel(values[index] ?? "")}"`);
}

function sample(name: string, pairs: readonly string[], value: number): string {
  return `${pairs.length === 0 ? name : `${name}{${pairs.join(",")}}`} ${writeNumber(value)}`;
}

/** In the format of Go's ParseFloat. */
function writeNumber(value: number): string {
  if (Number.isFinite(value)) return String(value);
  if (Number.isNaN(value)) return "NaN";
  return value > 0 ? "+Inf" : "-Inf";
}

function escapeHelp(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n");
}

/** A lone surrogate is not valid UTF-8, and would make the whole scrape fail. */
function escapeLabel(value: string): string {
  return escapeHelp(value.toWellFormed()).replaceAll('"', '\\"');
}

/** Values beyond the first `most` of a label count under this one. */
const otherValue = "other";

/** Bounds the values of a label: returns the first `most` distinct values unchanged, `other` for all later ones. */
export function createLabelBound(most: number): (value: string) => string {
  const seen = new Set<string>();
  return (value) => {
    if (seen.has(value)) return value;
    if (seen.size >= most) return otherValue;
    seen.add(value);
    return value;
  };
}
