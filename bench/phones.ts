import { closeSync, openSync, writeSync } from 'node:fs';
import { bulkOverHttp } from './bulk-calls.js';
import type { Service } from './service.js';
import { filledUser } from './users.js';

/** The phones of all users, some of which change before each sync. */
export class Phones {
  readonly #versions: Uint32Array;
  #last = 30; // the area code of the phones in the filled table

  constructor(users: number) {
    this.#versions = new Uint32Array(users + 1).fill(this.#last);
  }

  /** Changes the phone of every nth user. */
  change(every: number): void {
    this.#last++;
    for (let number = every; number < this.#versions.length; number += every)
      this.#versions[number] = this.#last;
  }

  of(number: number): string {
    return `+49 ${this.#versions[number]} ${1_000_000 + number}`;
  }

  get users(): number {
    return this.#versions.length - 1;
  }
}

const rowsAtOnce = 10_000;

/** A full export of all users, as an HR system would write it. */
export function writeUsersFile(path: string, phones: Phones): void {
  const file = openSync(path, 'w');
  let text = 'employeeID,name,phone,isActive\n';
  for (let number = 1; number <= phones.users; number++) {
    const { employeeID, name, isActive } = filledUser(number);
    text += `${employeeID},${name},${phones.of(number)},${isActive}\n`;
    if (number % rowsAtOnce === 0) {
      writeSync(file, text);
      text = '';
    }
  }
  writeSync(file, text);
  closeSync(file);
}

export const itemsPerCall = 10_000;

/** Items per second when new phones are sent in consecutive calls, by a client with minimal overhead. */
export async function newPhonesRate(service: Service, phones: Phones): Promise<number> {
  phones.change(1);
  let ms = 0;
  for (let first = 1; first <= phones.users; first += itemsPerCall) {
    const numbers = Array.from({ length: itemsPerCall }, (_, index) => first + index);
    const items = numbers.map((number) => ({ ...filledUser(number), phone: phones.of(number) }));
    ms += (await bulkOverHttp(service, '/service/users/update-bulk', items)).ms;
  }
  return (phones.users / ms) * 1_000;
}
