import type { Failure } from '../contract/errors.js';
import { attributeLimits } from '../contract/limits.js';
import type { Origin } from '../domain/read-fields.js';
import { TimeSlice, yieldToEventLoop } from '../domain/yield-to-event-loop.js';
import {
  encodingProblem,
  FieldNames,
  placeholder,
  readJsonBody,
  scanFailure,
  startOf,
  TextPosition,
  textAt,
  valueMaxBytes,
} from './json-body.js';
import { type JsonListener, JsonScanner } from './json-scanner.js';

/** The expected form of a body with a long list: `{ "<list>": [ … ] }`. */
export interface ListShape {
  readonly list: string;
  /** The fields that an element can have if it is an object. */
  readonly fields: readonly string[];
  /** The one of them whose value is an object. */
  readonly objectField?: string;
  /** Further elements are counted but not parsed. */
  readonly elementsMax: number;
}

const scanSliceBytes = 128 * 1024;
const parseSliceBytes = 64 * 1024;

/** A larger element, or one with more values, cannot be valid. */
const elementMaxBytes = 2 * valueMaxBytes + attributeLimits.objectMaxBytes;
const elementMaxValues = 256;

/** Fields beside the list. An envelope with more is rejected. */
const unknownFieldsMax = 100;

/** Unknown fields of an element. More are not named. */
const unknownNamedMax = 20;

/** A flag next to the field bits: the fields are not in the order in which the operation lists them. */
const outOfOrder = 1 << 30;
/** Another flag: the element has a field that the operation does not list. */
const hasOtherField = 1 << 29;

/** An object is larger than any other value. */
function maxBytesOf(bytes: Buffer, start: number): number {
  return bytes[start] === 0x7b ? attributeLimits.objectMaxBytes : valueMaxBytes;
}

/** The current field is none of the listed ones, or the element is not an object. */
const unknownField = -2;
const noField = -1;

export type ReadList =
  | { readonly ok: true; readonly body: ListBody }
  | { readonly ok: false; readonly failure: Failure };

/**
 * Reads a body of up to many megabytes. Checks that it is JSON and locates its elements in slices, before any value is
 * built. Values are then built from a few elements at a time; elements that cannot be valid are never built.
 */
export async function readListBody(bytes: Buffer, shape: ListShape): Promise<ReadList> {
  if (bytes.length > scanSliceBytes) await yieldToEventLoop(); // its buffers have just been concatenated
  const problem = encodingProblem(bytes);
  if (problem) return { ok: false, failure: problem };
  const body = new ListBody(bytes, shape);
  const scanner = new JsonScanner(bytes, startOf(bytes), body);
  body.scanner = scanner;
  const slice = new TimeSlice();
  while (scanner.scan(scanSliceBytes) === 'unfinished') if (slice.isOver) await slice.yield();
  if (scanner.state === 'done') return { ok: true, body };
  return { ok: false, failure: scanFailure(scanner, await textPositionAt(bytes, scanner.at)) };
}

async function textPositionAt(bytes: Buffer, at: number): Promise<TextPosition> {
  const slice = new TimeSlice();
  const place = new TextPosition(bytes);
  while (place.at < at) {
    if (slice.isOver) await slice.yield();
    place.advance(Math.min(at, place.at + scanSliceBytes));
  }
  return place;
}

type Range = readonly [start: number, end: number];

type ElementOrigin = Origin & { readonly position: number };

/** Facts about an element that cannot simply be parsed. */
interface IrregularElement {
  /** The names of the first unknown fields with a value, and of the first one that is null. */
  readonly unknown: readonly Range[];
  readonly unknownNull: Range | undefined;
  readonly repeated: number;
}

export class ListBody implements JsonListener {
  readonly depthMax = 3;
  readonly bytes: Buffer;
  /** The number of elements in the list. */
  count = 0;
  /** The body without its elements, for the rules of the operation. */
  envelope: unknown = undefined;
  /** Set if the list occurs twice. */
  repeatedField: string | undefined;
  /** The scanner that calls this listener. */
  scanner: Pick<JsonScanner, 'values' | 'fields' | 'longNumbers'> = { values: 0, fields: 0, longNumbers: 0 };

  readonly #shape: ListShape;
  readonly #listName: FieldNames;
  readonly #names: FieldNames;
  /** Per element: start and end, its fields as bits, and start and end of each field's value. */
  #table: Int32Array;
  readonly #width: number;
  readonly #irregular = new Map<number, IrregularElement>();
  readonly #objectField: number;
  /** How many fields the object of an element has in the text. */
  readonly #objectFields = new Map<number, number>();

  /** The elements whose object has numbers that parsing may change. */
  readonly #withLongNumbers = new Set<number>();

  #isInList = false;
  #listGiven = false;
  #list: unknown = undefined;
  readonly #unknownFields = new Set<string>();
  // The current element:
  #field = noField;
  #fieldsSeen = 0;
  #fieldsCounted = 0;
  #fieldsBefore = 0;
  /** Fields and values inside the object that an element can have. */
  #nestedFields = 0;
  #nestedValues = 0;
  #fieldsAtField = 0;
  #valuesAtField = 0;
  #longNumbersAtField = 0;
  #valuesBefore = 0;
  #fieldName: Range = [0, 0];
  #unknown: Range[] = [];
  #unknownNull: Range | undefined;
  #repeated = -1;
  #isTooLarge = false;

  constructor(bytes: Buffer, shape: ListShape) {
    this.bytes = bytes;
    this.#shape = shape;
    this.#listName = new FieldNames([shape.list]);
    this.#names = new FieldNames(shape.fields);
    this.#objectField = shape.objectField === undefined ? noField : shape.fields.indexOf(shape.objectField);
    this.#width = 3 + 2 * shape.fields.length;
    this.#table = new Int32Array(64 * this.#width);
  }

  field(depth: number, start: number, end: number): void {
    if (depth === 1) this.#enter(start, end);
    else if (depth === 3 && this.#isInList) this.#enterField(start, end);
  }

  value(depth: number, start: number, end: number): void {
    if (depth === 0) this.envelope = this.#envelopeOf(start);
    else if (!this.#isInList) return;
    else if (depth === 3) this.#endField(start, end);
    else if (depth === 2) this.#endElement(start, end);
    else if (this.bytes[start] === 0x5b) this.#list = new Array(Math.min(this.count, 1)).fill(null);
    else {
      this.count = 0;
      this.#list = placeholder(this.bytes, start);
    }
  }

  #enter(start: number, end: number): void {
    const isList = this.#listName.indexAt(this.bytes, start, end) === 0;
    if (!isList) this.#noteUnknown(start, end);
    else if (this.#listGiven) this.repeatedField = this.#shape.list;
    this.#isInList = isList && !this.#listGiven;
    this.#listGiven ||= isList;
    this.#beginElement();
  }

  #envelopeOf(start: number): unknown {
    if (this.bytes[start] !== 0x7b) return placeholder(this.bytes, start);
    const envelope: Record<string, unknown> = Object.create(null); // "__proto__" is a field like any other
    if (this.#listGiven) envelope[this.#shape.list] = this.#list;
    for (const name of this.#unknownFields) envelope[name] = null;
    return envelope;
  }

  #noteUnknown(start: number, end: number): void {
    if (this.#unknownFields.size <= unknownFieldsMax) this.#unknownFields.add(textAt(this.bytes, start, end));
  }

  #beginElement(): void {
    this.#fieldsSeen = 0;
    this.#fieldsCounted = 0;
    this.#fieldsBefore = this.scanner.fields;
    this.#nestedFields = 0;
    this.#nestedValues = 0;
    this.#valuesBefore = this.scanner.values;
    this.#unknown = [];
    this.#unknownNull = undefined;
    this.#repeated = -1;
    this.#isTooLarge = false;
  }

  #enterField(start: number, end: number): void {
    const index = this.#names.indexAt(this.bytes, start, end);
    this.#field = index < 0 ? unknownField : index;
    this.#fieldsCounted++;
    this.#fieldsAtField = this.scanner.fields;
    this.#valuesAtField = this.scanner.values;
    this.#longNumbersAtField = this.scanner.longNumbers;
    if (index < 0) {
      this.#fieldName = [start, end];
      this.#fieldsSeen |= hasOtherField;
    } else if (this.#fieldsSeen & (1 << index)) this.#repeated = this.#repeated < 0 ? index : this.#repeated;
    else this.#fieldsSeen |= (1 << index) | (this.#fieldsSeen >> index ? outOfOrder : 0);
  }

  #endField(start: number, end: number): void {
    const field = this.#field;
    this.#field = noField;
    if (field === unknownField) this.#endUnknownField(start);
    if (field < 0 || this.count >= this.#shape.elementsMax) return;
    if (end - start > maxBytesOf(this.bytes, start)) this.#isTooLarge = true;
    if (field === this.#objectField && this.bytes[start] === 0x7b) {
      this.#nestedFields += this.scanner.fields - this.#fieldsAtField;
      this.#nestedValues += this.scanner.values - this.#valuesAtField;
      if (this.scanner.longNumbers > this.#longNumbersAtField) this.#withLongNumbers.add(this.count);
    }
    const place = this.count * this.#width + 3 + 2 * field;
    this.#table[place] = start;
    this.#table[place + 1] = end;
  }

  /** Null is harmless, and in every item of some callers. Any other value is an error that names the field. */
  #endUnknownField(start: number): void {
    if (this.bytes[start] === 0x6e) this.#unknownNull ??= this.#fieldName;
    else if (this.#unknown.length < unknownNamedMax) this.#unknown.push(this.#fieldName);
  }

  #endElement(start: number, end: number): void {
    const position = this.count++;
    if (position < this.#shape.elementsMax) {
      const row = position * this.#width;
      this.#table[row] = start;
      this.#table[row + 1] = end;
      this.#table[row + 2] = this.#fieldsSeen;
      const isIrregular =
        this.#isTooLarge ||
        this.#unknown.length > 0 ||
        this.#repeated >= 0 ||
        end - start > elementMaxBytes ||
        this.scanner.values - this.#valuesBefore - this.#nestedValues > elementMaxValues ||
        // Objects nested in an element: no other field accepts one.
        this.scanner.fields - this.#fieldsBefore !== this.#fieldsCounted + this.#nestedFields;
      if (this.#nestedFields > 1) this.#objectFields.set(position, this.#nestedFields);
      if (isIrregular) {
        const [unknown, unknownNull, repeated] = [this.#unknown, this.#unknownNull, this.#repeated];
        this.#irregular.set(position, { unknown, unknownNull, repeated });
      }
      this.#grow();
    }
    this.#beginElement();
  }

  #grow(): void {
    if ((this.count + 1) * this.#width <= this.#table.length) return;
    const larger = new Int32Array(2 * this.#table.length);
    larger.set(this.#table);
    this.#table = larger;
  }

  /** Visits every element in order. */
  async each(visit: (value: unknown, origin: ElementOrigin) => void): Promise<void> {
    const slice = new TimeSlice();
    for (const [value, origin] of this.elements()) {
      if (slice.isOver) await slice.yield();
      visit(value, origin);
    }
  }

  /** All elements in order. They are not retained. A long list is to be visited in slices. */
  *elements(): Generator<readonly [value: unknown, origin: ElementOrigin], void, void> {
    const count = Math.min(this.count, this.#shape.elementsMax);
    for (let position = 0; position < count; ) {
      const irregular = this.#irregular.get(position);
      if (irregular) {
        const repeatedField = this.#shape.fields[irregular.repeated];
        const outline = this.#outlineOf(position, irregular);
        const repeatsKey = this.#repeatsKey(position, outline);
        yield [outline, { position, repeatedField, repeatsKey, ...this.#changedNumbers(position) }];
        position++;
        continue;
      }
      const end = this.#endOfRun(position, count);
      const text = this.bytes.toString('utf8', this.#startOf(position), this.#endOf(end - 1));
      for (const value of JSON.parse(`[${text}]`) as unknown[]) {
        const repeatsKey = this.#repeatsKey(position, value);
        const isPlain = !repeatsKey && !this.#withLongNumbers.has(position);
        yield [value, isPlain ? { position } : { position, repeatsKey, ...this.#changedNumbers(position) }];
        position++;
      }
    }
  }

  /** Whether the object of an element has a key twice, of which only the last remains. */
  #repeatsKey(position: number, element: unknown): boolean {
    const fields = this.#objectFields.get(position);
    if (fields === undefined) return false;
    const object = (element as Record<string, unknown>)[this.#shape.objectField as string];
    // If the field itself is repeated, its last value may be something else.
    return typeof object === 'object' && object !== null && Object.keys(object).length !== fields;
  }

  #changedNumbers(position: number): Pick<Origin, 'changedNumbers'> | undefined {
    const hasLong = this.#withLongNumbers.has(position);
    const range = hasLong ? this.rangeOf(position, this.#objectField) : undefined;
    const read = range && readJsonBody(this.bytes.subarray(...range));
    return read?.ok ? { changedNumbers: read.body.changedNumbers } : undefined;
  }

  /** The end of the run of elements that are parsed together with the one at this position. */
  #endOfRun(position: number, count: number): number {
    const start = this.#startOf(position);
    let end = position + 1;
    while (end < count && !this.#irregular.has(end) && this.#endOf(end) - start <= parseSliceBytes) end++;
    return end;
  }

  /** An element with its known fields and its first unknown fields, without values that are too large. */
  #outlineOf(position: number, { unknown, unknownNull }: IrregularElement): unknown {
    const start = this.#startOf(position);
    if (this.bytes[start] !== 0x7b) return placeholder(this.bytes, start);
    const outline: Record<string, unknown> = Object.create(null);
    for (const [index, name] of this.#shape.fields.entries()) {
      const place = this.rangeOf(position, index);
      if (place) outline[name] = this.#small(index, ...place);
    }
    if (unknownNull) outline[textAt(this.bytes, ...unknownNull)] = null;
    for (const name of unknown) outline[textAt(this.bytes, ...name)] = true;
    return outline;
  }

  #small(field: number, start: number, end: number): unknown {
    const isStray = this.bytes[start] === 0x7b && field !== this.#objectField;
    if (isStray || end - start > maxBytesOf(this.bytes, start)) return placeholder(this.bytes, start);
    return JSON.parse(this.bytes.toString('utf8', start, end)) as unknown;
  }

  #startOf(position: number): number {
    return this.#table[position * this.#width] as number;
  }

  #endOf(position: number): number {
    return this.#table[position * this.#width + 1] as number;
  }

  /** The byte range of the element if it is an object with exactly these fields (as bits), in order. */
  rangeIfOnly(position: number, fields: number): readonly [start: number, end: number] | undefined {
    const start = this.#startOf(position);
    const isOther = this.bytes[start] !== 0x7b || this.#irregular.has(position);
    const seen = this.#table[position * this.#width + 2] as number;
    return isOther || (seen & ~fields) !== 0 ? undefined : [start, this.#endOf(position)];
  }

  /** The byte range of a field's value; the last one if it occurs twice. */
  rangeOf(position: number, field: number): readonly [start: number, end: number] | undefined {
    const row = position * this.#width;
    if (!((this.#table[row + 2] as number) & (1 << field))) return undefined;
    const place = row + 3 + 2 * field;
    return [this.#table[place] as number, this.#table[place + 1] as number];
  }
}
