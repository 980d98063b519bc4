import { firstNames, lastNames } from '../names.js';
import { Dice } from './dice.js';
import { type Column, cell, type Row, type Sheet, withCells } from './sheet.js';

/** Nights that must not be stopped. */
export const goodNights = [
  'weekend or holiday',
  'ordinary night',
  'first of a month',
  'reorganization',
] as const;
/** Nights that may wait for a person, who knows about them. */
export const announcedNights = ['merger', 'renumbering of a site', 'new phone system'] as const;
export type NightKind = (typeof goodNights)[number] | (typeof announcedNights)[number];

export function isAnnounced(kind: NightKind): boolean {
  return announcedNights.some((announced) => announced === kind);
}

export interface Night {
  readonly at: string;
  readonly kind: NightKind;
  readonly sheet: Sheet;
}

const msPerDay = 86_400_000;
const departments =
  'Sales,Support,Finance,Legal,Vertrieb Süd,Vertrieb Nord,Production,Research,IT,Purchasing,Qualität,Logistics'.split(
    ',',
  );
const titles = 'Engineer,Clerk,Manager,Technician,Analyst,Driver,Buyer,Consultant,Assistant,Director'.split(
  ',',
);
const sites = 'Hamburg,München,Köln,Berlin,Wien,Zürich,Leeds'.split(',');
const holidays = ['01-01', '04-18', '04-21', '05-01', '10-03', '12-24', '12-25', '12-26', '12-31'];
const corrections = 0.03;

/** An employer whose HR system exports all employees every night. */
export class Company {
  readonly #dice: Dice;
  readonly #prefix: string;
  readonly #events: ReadonlyMap<number, NightKind>;
  readonly #appliesMonthOnFirst: boolean;
  /** Some companies change more than others. */
  readonly #pace: number;
  readonly #start: number;
  #rows: Row[] = [];
  #left: Row[] = [];
  #interns = new Set<string>();
  #corrections: { readonly id: string; readonly column: Column; readonly value: string }[] = [];
  #hired = 0;
  #night = -1;
  #isMonthDue = false;

  constructor(employees: number, nights: number, seed: number, prefix = '') {
    this.#dice = new Dice(seed);
    this.#prefix = prefix;
    this.#start = Date.UTC(2025, 0, 6) + this.#dice.below(365) * msPerDay;
    this.#appliesMonthOnFirst = this.#dice.chance(0.5);
    this.#pace = 0.5 + this.#dice.next();
    this.#events = this.#planned(nights);
    for (let count = 0; count < employees; count++) this.#hire();
  }

  /** What the HR system exports after the next day. */
  nextNight(): Night {
    this.#night++;
    const date = new Date(this.#start + this.#night * msPerDay);
    const kind = this.#live(date);
    return { at: date.toISOString(), kind, sheet: { rows: [...this.#rows] } };
  }

  /** Days on which people work and no month begins, so that nothing else happens on them. */
  #planned(nights: number): Map<number, NightKind> {
    const suitable = Array.from({ length: nights }, (_, night) => night).filter((night) => {
      const date = new Date(this.#start + night * msPerDay);
      return night >= nights / 10 && isWorkingDay(date) && date.getUTCDate() > 5 && date.getUTCDate() < 27;
    });
    const kinds: NightKind[] = ['reorganization', 'reorganization', ...announcedNights];
    if (this.#dice.chance(0.5)) kinds.push('reorganization');
    return new Map(
      this.#dice.some(suitable, kinds.length).map((night, index) => [night, kinds[index] as NightKind]),
    );
  }

  #live(date: Date): NightKind {
    if (date.getUTCDate() === 1) this.#isMonthDue = true;
    const isWorking = isWorkingDay(date);
    const isMonth = this.#isMonthDue && (isWorking || this.#appliesMonthOnFirst);
    if (isMonth) {
      this.#isMonthDue = false;
      this.#beginMonth(date.getUTCMonth() + 1);
    }
    if (isWorking) this.#workDay();
    const event = this.#events.get(this.#night);
    if (event) this.#hold(event);
    return event ?? (isMonth ? 'first of a month' : isWorking ? 'ordinary night' : 'weekend or holiday');
  }

  #workDay(): void {
    this.#correct();
    this.#leave(this.#count(0.00012));
    this.#join(this.#count(0.00015));
    if (this.#dice.chance(0.01 * this.#pace)) this.#return();
    this.#change(this.#count(0.001), (row) => ({ phone: this.#phone(row) }));
    if (this.#dice.chance(0.025))
      this.#change(this.#share(0.005, 0.015), (row) => ({ phone: this.#phone(row) }));
    this.#change(this.#count(0.0005), () => ({ mobile: this.#dice.chance(0.1) ? '' : this.#mobile() }));
    this.#change(this.#count(0.0008), () => ({ title: this.#dice.one(titles) }));
    this.#change(this.#count(0.0005), () => this.#department());
    this.#change(this.#count(0.0001), (row) => ({
      name: `${cell(row, 'name').split(' ')[0]} ${this.#dice.one(lastNames)}`,
    }));
  }

  /** Contracts and promotions begin and end with a month. */
  #beginMonth(month: number): void {
    this.#leave(this.#count(0.007));
    this.#join(this.#count(0.008));
    this.#change(this.#count(0.01), () => ({ title: this.#dice.one(titles) }));
    this.#change(this.#count(0.006), () => this.#department());
    if (month === 3 || month === 9) {
      for (let count = this.#count(0.02); count > 0; count--)
        this.#interns.add(this.#dice.chance(0.4) ? this.#return() : this.#hire());
    }
    if (month === 2 || month === 8) {
      this.#remove(this.#interns);
      this.#interns = new Set();
    }
  }

  #hold(event: NightKind): void {
    if (event === 'merger') for (let count = this.#rows.length / 4; count > 0; count--) this.#hire('M');
    if (event === 'reorganization') this.#change(this.#share(0.1, 0.3), () => this.#department());
    if (event === 'new phone system')
      this.#rows = this.#rows.map((row) => withCells(row, { phone: this.#phone(row) }));
    if (event === 'renumbering of a site')
      this.#change(this.#share(0.08, 0.08), (row) => ({
        employeeID: `N${cell(row, 'employeeID')}`,
        previousID: cell(row, 'employeeID'),
      }));
  }

  #hire(kind = ''): string {
    const name = `${this.#dice.one(firstNames)} ${this.#dice.one(lastNames)}`;
    const employeeID = `${this.#prefix}${kind}${String(++this.#hired).padStart(6, '0')}`;
    // A few rows of real files always fail.
    const email = this.#dice.chance(0.004) ? 'n/a' : `${employeeID.toLowerCase()}@${this.#prefix}example.com`;
    const row: Row = [employeeID, '', name, email, '', '', '', '', '', '', ''];
    this.#rows.push(
      withCells(row, {
        phone: `+49 40 ${this.#dice.below(9_000_000)}`,
        mobile: this.#dice.chance(0.3) ? this.#mobile() : '',
        title: this.#dice.one(titles),
        site: this.#dice.one(sites),
        ...this.#department(),
      }),
    );
    return employeeID;
  }

  #return(): string {
    const [row] = this.#left.splice(this.#dice.below(this.#left.length), 1);
    if (!row) return this.#hire();
    this.#rows.push(row);
    return cell(row, 'employeeID');
  }

  #join(count: number): void {
    for (let left = count; left > 0; left--) this.#hire();
  }

  #leave(count: number): void {
    this.#remove(new Set(this.#dice.some(this.#rows, count).map((row) => cell(row, 'employeeID'))));
  }

  #remove(ids: ReadonlySet<string>): void {
    if (ids.size === 0) return;
    this.#left.push(...this.#rows.filter((row) => ids.has(cell(row, 'employeeID'))));
    this.#rows = this.#rows.filter((row) => !ids.has(cell(row, 'employeeID')));
  }

  #change(count: number, changeOf: (row: Row) => Partial<Record<Column, string>>): void {
    const places = this.#rows.map((_, place) => place);
    for (const place of this.#dice.some(places, count)) {
      const row = this.#rows[place] as Row; // its place is one of the rows
      const change = changeOf(row);
      const [column] = Object.keys(change) as Column[]; // Object.keys forgets the type's keys
      if (column && column !== 'employeeID' && this.#dice.chance(corrections))
        this.#corrections.push({ id: cell(row, 'employeeID'), column, value: cell(row, column) });
      this.#rows[place] = withCells(row, change);
    }
  }

  /** Some changes were mistakes, which are taken back on the next working day. */
  #correct(): void {
    for (const { id, column, value } of this.#corrections.splice(0)) {
      const place = this.#rows.findIndex((row) => cell(row, 'employeeID') === id);
      const row = this.#rows[place];
      if (row) this.#rows[place] = withCells(row, { [column]: value });
    }
  }

  #department(): Partial<Record<Column, string>> {
    const department = this.#dice.one(departments);
    const manager = this.#rows.length === 0 ? '' : cell(this.#dice.one(this.#rows), 'employeeID');
    return {
      department,
      organization: `ORG-${department.slice(0, 3)}`,
      manager,
      costCenter: `${this.#dice.below(40)}00`,
    };
  }

  #phone(row: Row): string {
    return `+49 ${cell(row, 'site').length}${this.#dice.below(90)} ${this.#dice.below(9_000_000)}`;
  }

  #mobile(): string {
    return `+49 170 ${this.#dice.below(9_000_000)}`;
  }

  #count(rate: number): number {
    return this.#dice.poisson(this.#rows.length * rate * this.#pace);
  }

  #share(least: number, most: number): number {
    return Math.round(this.#rows.length * (least + this.#dice.next() * (most - least)));
  }
}

function isWorkingDay(date: Date): boolean {
  const isWeekend = date.getUTCDay() === 0 || date.getUTCDay() === 6;
  return !isWeekend && !holidays.includes(date.toISOString().slice(5, 10));
}
