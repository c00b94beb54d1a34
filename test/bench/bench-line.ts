/** One row of the table: two numbers taken in one run, and what the ratio should be. */
export interface BenchLine {
  what: string;
  measured: string;
  against: string;
  ratio: number;
  asked: string;
}

export function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
}
