/** Metrics in Prometheus' text format 0.0.4. */

export const PROMETHEUS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

export interface Sample {
  labels?: Readonly<Record<string, string>>;
  value: number;
}

export interface Metric {
  /** With its unit last; of a counter `…_total`. */
  name: string;
  help: string;
  type: 'counter' | 'gauge';
  samples: readonly Sample[];
}

const escapeHelp = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
const escapeLabel = (text: string): string => escapeHelp(text).replaceAll('"', '\\"');

function writeValue(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  return Number.isFinite(value) ? String(value) : value > 0 ? '+Inf' : '-Inf';
}

function writeSample(name: string, { labels = {}, value }: Sample): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escapeLabel(text)}"`);
  return `${name}${pairs.length > 0 ? `{${pairs.join(',')}}` : ''} ${writeValue(value)}\n`;
}

export function writePrometheus(metrics: readonly Metric[]): string {
  return metrics
    .map(({ name, help, type, samples }) => {
      const head = `# HELP ${name} ${escapeHelp(help)}\n# TYPE ${name} ${type}\n`;
      return head + samples.map((sample) => writeSample(name, sample)).join('');
    })
    .join('');
}
