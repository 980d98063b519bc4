import { bulkOverHttp, updateOverHttp } from '../bulk-calls.js';
import { type Figures, figuresOf, shown, spread } from '../figures.js';
import { createRate } from '../http-load.js';
import { newPeople } from '../new-people.js';
import { People, type Person } from '../people.js';
import { startProbe } from '../probe-thread.js';
import type { Section } from '../report.js';
import type { Service } from '../service.js';
import { progress, type Stage } from '../stage.js';

const users = 10_000;

interface Measured {
  readonly what: string;
  readonly unit: 'ms' | 'per second';
  readonly figures: Figures;
  /** The slowest GET /healthz meanwhile, in ms. */
  readonly longestWaitMs: number;
}

/** For information only: there is no bare SQL to compare with, because nothing else can open the embedded database. */
export async function embedded(stage: Stage): Promise<Section> {
  const service = await stage.startService({ databaseUrl: null });
  const newcomers = newPeople(users);
  await bulkOverHttp(service, '/service/users/create-bulk', newcomers);
  const people = People.of(newcomers.map(personOf));
  const times = (count: number) => (stage.options.quick ? 1 : count);

  const measured = [
    await measure(service, '10,000 items', 'ms', times(4), () =>
      updateOverHttp(service, people.changes(10_000, 'mixed')),
    ),
    await measure(service, '1,000 items', 'ms', times(12), () =>
      updateOverHttp(service, people.changes(1_000, 'mixed')),
    ),
    await measure(service, 'creates, 1 concurrent', 'per second', times(5), () =>
      createRate(service, 100, 1),
    ),
    await measure(service, 'creates, 32 concurrent', 'per second', times(5), () =>
      createRate(service, 400, 32),
    ),
  ];
  await service.stop();
  return reportOf(measured);
}

function personOf({ employeeID, name, username, phone, isActive, tagSerials }: Person): Person {
  return { employeeID, name, username, phone, isActive, tagSerials };
}

async function measure(
  service: Service,
  what: string,
  unit: Measured['unit'],
  times: number,
  run: () => Promise<number>,
): Promise<Measured> {
  progress(`embedded: ${what}`);
  await run();
  const stopProbe = await startProbe(service.url);
  const values: number[] = [];
  for (let time = 0; time < times; time++) values.push(await run());
  return { what, unit, figures: figuresOf(values), longestWaitMs: await stopProbe() };
}

function reportOf(measured: readonly Measured[]): Section {
  return {
    title: 'The embedded database',
    intro: `The same service on the embedded database, with ${users.toLocaleString('en')} users. Calls change names, phones, status and tags, in turn. There are no
targets: the database has one session and syncs every commit to disk.`,
    tables: [
      {
        caption: 'Embedded',
        head: ['', 'unit', 'median', 'p25 – p75', 'slowest GET /healthz, ms'],
        rows: measured.map(({ what, unit, figures, longestWaitMs }) => [
          what,
          unit,
          shown(figures.median),
          spread(figures),
          shown(longestWaitMs),
        ]),
      },
    ],
    notes: [],
    data: measured,
  };
}
