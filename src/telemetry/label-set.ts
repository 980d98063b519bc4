/** Limits how many values a label can have. */
export class LabelSet {
  readonly #known = new Set<string>();
  readonly #max: number;

  constructor(max: number) {
    this.#max = max;
  }

  /** The value itself, or `other` if there are too many already. */
  labelOf(value: string): string {
    if (this.#known.has(value)) return value;
    if (this.#known.size >= this.#max) return 'other';
    this.#known.add(value);
    return value;
  }
}
