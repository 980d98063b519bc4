/** What a command has written to its terminal. */
export class Screen {
  text = '';
  #hasEnded = false;
  readonly #waiting = new Set<() => void>();

  write(text: string): void {
    this.text += text;
    this.#wake();
  }

  /** The command has ended. */
  end(): void {
    this.#hasEnded = true;
    this.#wake();
  }

  /** Waits until the text is there. Fails with everything that is if the command ends first. */
  until(text: string | RegExp): Promise<void> {
    return new Promise((resolve, reject) => {
      const look = () => {
        const isThere = typeof text === 'string' ? this.text.includes(text) : text.test(this.text);
        if (!isThere && !this.#hasEnded) return;
        this.#waiting.delete(look);
        if (isThere) resolve();
        else reject(new Error(`"${text}" never appeared: ${this.text}`));
      };
      this.#waiting.add(look);
      look();
    });
  }

  #wake(): void {
    for (const look of this.#waiting) look();
  }
}
