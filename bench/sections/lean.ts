import { updateOverHttp } from '../bulk-calls.js';
import { type Figures, figuresOf, ratio, shown, spread, timedMs } from '../figures.js';
import { untilIndexed } from '../indexed.js';
import { interleaved } from '../interleaved.js';
import { createLeanTwin, type LeanField, updateLeanTwin } from '../lean-twin.js';
import type { Section } from '../section.js';
import { progress, type Stage } from '../stage.js';
import { Users, userCount } from '../users.js';

const workloads = [
  { workload: 'phones', fields: ['phone'], ratioMax: 1 },
  { workload: 'status', fields: ['isActive'], ratioMax: 1.4 },
  { workload: 'names', fields: ['name'], ratioMax: 1.6 },
  { workload: 'all', fields: ['name', 'phone', 'isActive'], ratioMax: 1.8 },
] as const satisfies readonly { fields: readonly LeanField[]; [key: string]: unknown }[];
const sizes = [10_000, 100] as const;
const smallRatioMax = 1.5;

interface Measured {
  readonly workload: string;
  readonly size: number;
  readonly ratioMax: number;
  readonly shipped: Figures | undefined;
  readonly twin: Figures | undefined;
  /** How long the indexer takes afterwards, in ms. */
  readonly indexing: Figures;
}

/** The same calls next to a table that has nothing but what an update needs. */
export async function lean(stage: Stage): Promise<Section> {
  const databaseUrl = await stage.users(userCount);
  const client = await stage.connect(databaseUrl);
  const service = await stage.startService({ databaseUrl });
  await createLeanTwin(client);
  const users = await Users.read(client);
  const twins = await Users.read(client);
  const measured: Measured[] = [];
  for (const size of sizes) {
    for (const { workload, fields, ratioMax } of workloads) {
      progress(`a lean twin: ${workload}, ${size}`);
      const indexing: number[] = [];
      const variants = {
        'as shipped': async () => {
          const ms = await updateOverHttp(service, users.changes(size, workload));
          // The next large call would compete with the indexer. A small one hardly does, and it would be unfair to let
          // the service, but not the twin, cool down in between.
          if (size > 100) indexing.push(await timedMs(() => untilIndexed(client)));
          return ms;
        },
        'lean twin': () => updateLeanTwin(client, twins.changes(size, workload), fields),
      };
      const rounds = stage.options.quick ? 2 : size === 100 ? 40 : 12;
      if (!stage.options.quick) await interleaved(size === 100 ? 20 : 3, variants);
      indexing.length = 0;
      const figures = await interleaved(rounds, variants);
      if (size === 100) indexing.push(await timedMs(() => untilIndexed(client)));
      measured.push({
        workload,
        size,
        ratioMax: size === 100 ? smallRatioMax : ratioMax,
        shipped: figures['as shipped'],
        twin: figures['lean twin'],
        indexing: figuresOf(indexing),
      });
    }
  }
  await service.stop();
  return reportOf(measured);
}

function reportOf(measured: readonly Measured[]): Section {
  return {
    title: 'Next to a lean table',
    intro: `The same calls over HTTP next to the least that they could cost in plain SQL: a table with only its primary key and the two unique names, and a
log with only its primary key; lock, one UPDATE, one log row per user; one connection, ${userCount.toLocaleString('en')} users. What lists and searches need is
indexed afterwards, in the background; "until indexed" is how long that takes, including up to half a second until it starts. Small
calls follow each other without a pause.`,
    tables: [
      {
        caption: 'Bulk updates, ms',
        head: [
          'items',
          'change',
          'as shipped',
          'p25 – p75',
          'lean twin',
          'p25 – p75',
          '× lean twin',
          'until indexed',
          'calls',
        ],
        rows: measured.map(({ workload, size, shipped, twin, indexing }) => [
          size.toLocaleString('en'),
          workload === 'all' ? 'names, phones and status' : workload,
          shown(shipped?.median ?? Number.NaN),
          shipped ? spread(shipped) : '–',
          shown(twin?.median ?? Number.NaN),
          twin ? spread(twin) : '–',
          shown(ratio(shipped, twin)),
          shown(indexing.median),
          String(shipped?.rounds ?? 0),
        ]),
      },
    ],
    notes: [],
    targets: measured.map(({ workload, size, ratioMax, shipped, twin }) => ({
      target: `${size.toLocaleString('en')} items (${workload}): at most ${ratioMax} × a lean table`,
      measured: `${shown(ratio(shipped, twin))} ×`,
      met: ratio(shipped, twin) <= ratioMax,
    })),
    data: measured,
  };
}
