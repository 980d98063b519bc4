import type pg from 'pg';
import type { HttpClient, Reply } from './http-client.js';

/** The record that is kept of a person, in every peer with the same fields. */
export interface Person {
  readonly employeeID: string;
  readonly name: string;
  readonly email: string;
  readonly phone: string;
}

/** A person as they shall be; the employee ID is the present one. */
export interface Change extends Person {
  readonly newEmployeeID?: string;
}

/** What a reply says about one item of a call. */
export interface ItemAnswer {
  readonly done: boolean;
  readonly text: string;
}

/** What a peer is given to live on. */
export interface Place {
  /** A database of its own, empty, and a connection to it for what is not measured. */
  readonly databaseUrl: string;
  readonly database: pg.Client;
  /** Where its packages are installed; it may leave files here. */
  readonly folder: string;
  /** Opens the client that all peers are measured with. */
  client(url: string, headers: Readonly<Record<string, string>>): HttpClient;
  /** Aborted when the run is interrupted: whatever was started has to end at once. */
  readonly signal: AbortSignal;
}

export interface Peer {
  readonly name: string;
  readonly version: string;
  /** Exact versions by name; empty for what is not installed. */
  readonly packages: Readonly<Record<string, string>>;
  /** Packages that do not work without their install script. */
  readonly built?: readonly string[];
  /** The calls that are measured. */
  readonly calls: { readonly create: string; readonly update: string };
  /** What was set, apart from the address and the database, and what a reader has to know to judge the figures. */
  readonly remarks: readonly string[];
  start(place: Place): Promise<RunningPeer>;
}

/** The same work, said in the language of each peer. */
export interface RunningPeer {
  createOne(person: Person): Promise<void>;
  /** Not measured. */
  createMany(people: readonly Person[]): Promise<void>;
  /** In one call, from the changes to the last byte of the reply. */
  updateMany(changes: readonly Change[]): Promise<Reply>;
  /** One for each item, in any order; none if the reply speaks only of the call as a whole. */
  itemAnswers(reply: Reply): readonly ItemAnswer[];
  /** What a refusal of the whole call says. */
  refusal(reply: Reply): string;
  /** How many people have one of these phones, as its database tells. */
  countPhones(phones: readonly string[]): Promise<number>;
  stop(): Promise<void>;
}
