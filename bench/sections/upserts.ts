import { bulkOverHttp, itemOf } from '../bulk-calls.js';
import { type Figures, ratio, shown, spread } from '../figures.js';
import { interleaved } from '../interleaved.js';
import { newUsers } from '../new-users.js';
import type { SectionTable, Target } from '../section.js';
import type { Service } from '../service.js';
import type { Users } from '../users.js';

const items = 10_000;
const rounds = 6;
const warmUpRounds = 2;

const upsertVariants = [
  'upsert-bulk, all new',
  'upsert-bulk, all existing',
  'upsert-bulk, half new',
] as const;
type UpsertVariant = (typeof upsertVariants)[number];
type Variant = 'create-bulk' | 'update-bulk' | UpsertVariant;
/** In ms per call. */
export type UpsertFigures = Partial<Record<Variant, Figures>>;

/** Upserts next to the calls that they replace. Existing users get a new phone number. */
export async function measureUpserts(service: Service, users: Users, quick: boolean): Promise<UpsertFigures> {
  const existing = (count: number) => users.changes(count, 'phones').map(itemOf);
  const send = async (call: string, some: readonly object[]) =>
    (await bulkOverHttp(service, `/service/users/${call}`, some)).ms;
  const variants = {
    'create-bulk': () => send('create-bulk', newUsers(items)),
    'update-bulk': () => send('update-bulk', existing(items)),
    'upsert-bulk, all new': () => send('upsert-bulk', newUsers(items)),
    'upsert-bulk, all existing': () => send('upsert-bulk', existing(items)),
    'upsert-bulk, half new': () => send('upsert-bulk', alternating(newUsers(items / 2), existing(items / 2))),
  };
  await interleaved(quick ? 1 : warmUpRounds, variants);
  return interleaved(quick ? 3 : rounds, variants);
}

function alternating(some: readonly object[], others: readonly object[]): object[] {
  return some.flatMap((each, index) => [each, others[index] as object]);
}

/** The call that does the same work, or, for both kinds of items at once, the slower of the two. */
function comparedWith(variant: Variant, figures: UpsertFigures): Figures | undefined {
  const { 'create-bulk': create, 'update-bulk': update } = figures;
  if (variant === 'upsert-bulk, all new') return create;
  if (variant === 'upsert-bulk, all existing') return update;
  if (variant !== 'upsert-bulk, half new') return undefined;
  return create && update && create.median < update.median ? update : create;
}

const ratioMax = 1.15;

export function upsertTable(figures: UpsertFigures): SectionTable {
  return {
    caption: `Upserts of ${items.toLocaleString('en')} items, compared with create-bulk and update-bulk (the slower of the two if half are new)`,
    head: ['variant', 'ms', 'p25 – p75', 'µs per item', '× compared call', 'calls'],
    rows: (Object.entries(figures) as [Variant, Figures][]).map(([variant, each]) => {
      const compared = comparedWith(variant, figures);
      return [
        variant,
        shown(each.median),
        spread(each),
        shown((each.median / items) * 1_000),
        compared ? shown(ratio(each, compared)) : '',
        String(each.rounds),
      ];
    }),
  };
}

export function upsertTargets(figures: UpsertFigures): Target[] {
  return upsertVariants.map((variant) => {
    const times = ratio(figures[variant], comparedWith(variant, figures));
    return {
      target: `10,000 items, ${variant}: at most ${ratioMax} × create-bulk or update-bulk`,
      measured: `${shown(times)} ×`,
      met: times <= ratioMax,
    };
  });
}
