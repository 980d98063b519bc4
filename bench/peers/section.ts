import { type Figures, shown } from '../figures.js';
import type { Section } from '../section.js';
import { bareSql, type PeerResult, type PeersResults } from './compare.js';
import { createMs, itemsPerCall, type Kind, kinds, type Rates } from './measure.js';
import { badCallItems } from './one-bad-item.js';
import { rollcallName } from './rollcall.js';
import { filledCount } from './users.js';

const headings: Record<Kind, string> = {
  'create 1': 'creates/s, 1 client',
  'create 32': 'creates/s, 32 clients',
  update: 'updates/s',
};
const nothing = '–';

export function peersSection(results: PeersResults): Section {
  const ours = results.peers.find(({ name }) => name === rollcallName)?.rates ?? {};
  return {
    title: 'Comparison with other products',
    intro:
      `The same work over HTTP, in users per second: creates with one user per request, and updates with ` +
      `${thousands(itemsPerCall)} users per call, each with a new name and phone. × is how many times faster Rollcall is. ` +
      `Medians of ${ours.update?.rounds ?? 0} alternating rounds after a warm-up; creates for ${createMs / 1_000} s per round. ` +
      `Each product starts with ${thousands(filledCount)} users in its own database on the same PostgreSQL ` +
      `${results.postgres}, and runs on Node.js ${results.node.slice(1)}.`,
    tables: [
      {
        caption: 'Users per second',
        head: ['', 'version', ...kinds.flatMap((kind) => [headings[kind], '×'])],
        rows: [
          ...results.peers.map(({ name, version, rates }) => [name, version, ...cellsOf(rates, ours)]),
          [bareSql, results.postgres, ...cellsOf(results.bareSql, ours)],
        ],
      },
      {
        caption: `One invalid item in an update of ${badCallItems}: it requests an employee ID that another user has`,
        head: ['', 'result', 'error message'],
        rows: results.peers.map(({ name, oneBadItem }) => [
          name,
          oneBadItem?.sentence ?? nothing,
          oneBadItem?.says ?? nothing,
        ]),
      },
    ],
    notes: [
      'All products run with NODE_ENV=production, one process each, and their default of ten connections to PostgreSQL. One ' +
        'process generates the load on the same cores, with the Node.js HTTP client and persistent connections, which costs ' +
        'the faster products more.',
      ...results.peers.flatMap(notesOf),
      `${bareSql}: one UPDATE … FROM unnest(…) on Rollcall's table, without a report or a change log.`,
    ],
    data: results,
  };
}

function cellsOf(rates: Rates, ours: Rates): string[] {
  return kinds.flatMap((kind) => [figure(rates[kind]), times(ours[kind], rates[kind])]);
}

function figure(figures: Figures | undefined): string {
  return figures ? shown(figures.median) : nothing;
}

function times(ours: Figures | undefined, theirs: Figures | undefined): string {
  return ours && theirs && ours !== theirs ? shown(ours.median / theirs.median) : nothing;
}

function notesOf({ name, version, calls, remarks, failure }: PeerResult): string[] {
  return [
    ...(failure === undefined ? [] : [`${name} ${version} ${failure}`]),
    `${name}: ${calls.create}; ${calls.update}. ${remarks.join(' ')}`,
  ];
}

function thousands(count: number): string {
  return count.toLocaleString('en');
}
