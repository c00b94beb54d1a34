import { SingleBar, Presets } from 'cli-progress';

/** What a command may say. Results go to stdout, everything else to stderr, so that pipes stay clean. */
export interface Terminal {
  json: boolean;
  /** The result: `data` as one JSON line under `--json`, else `text`. */
  result: (data: unknown, text: string) => void;
  /** A remark for the person at the terminal; silent under `--json`. */
  note: (text: string) => void;
  /** A bar on stderr; draws nothing when stderr is no terminal or under `--json`. */
  progress: (total: number, unit: string) => Progress;
}

export interface Progress {
  update: (done: number, total?: number) => void;
  stop: () => void;
}

export function createTerminal(json: boolean): Terminal {
  return {
    json,
    result: (data, text) => void process.stdout.write(`${json ? JSON.stringify(data) : text}\n`),
    note: (text) => void (json || process.stderr.write(`${text}\n`)),
    progress: (total, unit) => (json || !process.stderr.isTTY ? SILENT : drawBar(total, unit)),
  };
}

const SILENT: Progress = { update: () => undefined, stop: () => undefined };

export function drawBar(total: number, unit: string): Progress {
  const format = `{bar} {percentage}% · {value}/{total} ${unit} · {eta_formatted} left`;
  const bar = new SingleBar({ format, stream: process.stderr, hideCursor: true, barsize: 30 }, Presets.shades_classic);
  bar.start(total, 0);
  return {
    update: (done, newTotal) => {
      if (newTotal !== undefined) bar.setTotal(newTotal);
      bar.update(done);
    },
    stop: () => bar.stop(),
  };
}
