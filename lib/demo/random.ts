/** mulberry32's step, mixed with Murmur's finaliser: small, fast and the same everywhere. */
function mix(value: number): number {
  let mixed = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

/** Chance that can be thrown again: the same seeds give the same week. */
export class Random {
  #state: number;

  constructor(...seeds: number[]) {
    this.#state = seeds.reduce((state, seed) => mix((state ^ (seed >>> 0)) + 0x9e3779b9), 0x5eed);
  }

  /** [0, 1). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  between(from: number, to: number): number {
    return from + this.next() * (to - from);
  }

  /** Whole number in [from, to]. */
  int(from: number, to: number): number {
    return Math.floor(this.between(from, to + 1));
  }

  chance(share: number): boolean {
    return this.next() < share;
  }

  pick<T>(values: readonly T[]): T {
    return values[Math.floor(this.next() * values.length)] as T;
  }

  /** Picks by weight; the last one when the weights' sum is not reached. */
  weighted<T>(values: readonly (readonly [T, number])[]): T {
    const sum = values.reduce((total, [, weight]) => total + weight, 0);
    let left = this.next() * sum;
    for (const [value, weight] of values) {
      left -= weight;
      if (left < 0) return value;
    }
    return values[values.length - 1]?.[0] as T;
  }

  /** A duration with a long tail around `medianMs` (log-normal, spread 0.6). */
  latencyMs(medianMs: number): number {
    const normal = Math.sqrt(-2 * Math.log(1 - this.next())) * Math.cos(2 * Math.PI * this.next());
    return Math.max(1, Math.round(medianMs * Math.exp(0.6 * normal)));
  }

  /** How many of a thing with that mean (Poisson; rounded mean above 50). */
  count(mean: number): number {
    if (mean <= 0) return 0;
    if (mean > 50) return Math.round(mean * this.between(0.9, 1.1));
    const limit = Math.exp(-mean);
    let product = this.next();
    let count = 0;
    while (product > limit) {
      product *= this.next();
      count += 1;
    }
    return count;
  }

  bytes(length: number): Uint8Array {
    return Uint8Array.from({ length }, () => this.int(0, 255));
  }
}
