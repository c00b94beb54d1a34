/** One event, serialised when it was reported, so that a re-send is the same bytes. */
export interface QueuedEvent {
  line: string;
  /** Batch items count one each towards the server's limit. */
  weight: number;
  write: boolean;
}

export interface BatchLimits {
  eventsMax: number;
  bytesMax: number;
}

/**
 * A bounded queue. Writes leave first and are dropped last: a lost write hides money, a lost read only a number.
 * The order in which events arrive means nothing to Readback.
 */
export class EventQueue {
  readonly #writes: QueuedEvent[] = [];
  readonly #others: QueuedEvent[] = [];
  readonly #eventsMax: number;

  constructor(eventsMax: number) {
    this.#eventsMax = eventsMax;
  }

  get length(): number {
    return this.#writes.length + this.#others.length;
  }

  /** @returns how many events had to be dropped to stay within the bound (0 or 1). */
  push(event: QueuedEvent): number {
    (event.write ? this.#writes : this.#others).push(event);
    if (this.length <= this.#eventsMax) return 0;
    if (this.#others.length > 0) this.#others.shift();
    else this.#writes.shift();
    return 1;
  }

  /** Takes the next batch; always at least one event while there is one. */
  take(limits: BatchLimits): QueuedEvent[] {
    const batch: QueuedEvent[] = [];
    let weight = 0;
    let bytes = 0;
    for (const source of [this.#writes, this.#others]) {
      let taken = 0;
      for (const event of source) {
        const fits = weight + event.weight <= limits.eventsMax && bytes + event.line.length < limits.bytesMax;
        if (!fits && batch.length > 0) break;
        batch.push(event);
        weight += event.weight;
        bytes += event.line.length + 1;
        taken += 1;
      }
      source.splice(0, taken);
    }
    return batch;
  }
}
