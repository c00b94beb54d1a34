/** How many bytes of request bodies one process holds at once, over all requests. */
export class ByteBudget {
  private used = 0;

  constructor(private readonly bytesMax: number) {}

  lease(): ByteLease {
    return new ByteLease(
      (bytes) => {
        if (this.used + bytes > this.bytesMax) return false;
        this.used += bytes;
        return true;
      },
      (bytes) => {
        this.used -= bytes;
      },
    );
  }

  get usedBytes(): number {
    return this.used;
  }
}

/** What one request holds of the budget, until `release`. */
export class ByteLease {
  private held = 0;

  constructor(
    private readonly take: (bytes: number) => boolean,
    private readonly give: (bytes: number) => void,
  ) {}

  grow(bytes: number): boolean {
    if (!this.take(bytes)) return false;
    this.held += bytes;
    return true;
  }

  release(): void {
    this.give(this.held);
    this.held = 0;
  }
}
