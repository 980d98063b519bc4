import type { Schemas } from '@rollcall/client';

export type Feed = Schemas['Feed'];
export type FeedSettings = Schemas['CreateFeed'];
export type Source = FeedSettings['source'];
export type Schedule = NonNullable<FeedSettings['schedule']>;
export type FeedMapping = FeedSettings['mapping'];
export type Rules = NonNullable<FeedSettings['rules']>;
export type Limits = NonNullable<FeedSettings['limits']>;
export type Inform = NonNullable<FeedSettings['inform']>;

/** The values of optional settings that are set: null and undefined restore the default. */
export function withoutEmpty<T extends object>(settings: T): T {
  const given = Object.entries(settings).filter(([, value]) => value !== '' && value != null);
  return Object.fromEntries(given) as T; // only optional settings can be empty
}
