import { type Figures, shown } from '../figures.js';
import type { Section } from '../report.js';
import { bareSql, type PeerResult, type PeersResults } from './compare.js';
import { createMs, itemsPerCall, type Kind, kinds, type Rates } from './measure.js';
import { badCallItems } from './one-bad-item.js';
import { filledCount } from './people.js';
import { rollcallName } from './rollcall.js';

const headings: Record<Kind, string> = {
  'create 1': 'creates/s, 1 client',
  'create 32': 'creates/s, 32 clients',
  update: 'updates/s',
};
const nothing = '–';

export function peersSection(results: PeersResults): Section {
  const ours = results.peers.find(({ name }) => name === rollcallName)?.rates ?? {};
  return {
    title: 'Beside what people use instead',
    intro:
      `The same work over HTTP in people per second: creates of one person per request, and updates of ` +
      `${thousands(itemsPerCall)} people per call, each with a new name and phone. The × beside a figure is how many times ` +
      `as many Rollcall does. ${ours.update?.rounds ?? 0} rounds by turns after a warm-up, medians; creates for ${createMs / 1_000} s per ` +
      `round. Every one has ${thousands(filledCount)} people beforehand, in a database of its own on the same PostgreSQL ` +
      `${results.postgres}, and runs on Node.js ${results.node.slice(1)}.`,
    tables: [
      {
        caption: 'People per second',
        head: ['', 'version', ...kinds.flatMap((kind) => [headings[kind], '×'])],
        rows: [
          ...results.peers.map(({ name, version, rates }) => [name, version, ...cellsOf(rates, ours)]),
          [bareSql, results.postgres, ...cellsOf(results.bareSql, ours)],
        ],
      },
      {
        caption: `One bad item in an update of ${badCallItems}: it asks for an employee ID that somebody else has`,
        head: ['', 'what happens', 'what it says'],
        rows: results.peers.map(({ name, oneBadItem }) => [
          name,
          oneBadItem?.sentence ?? nothing,
          oneBadItem?.says ?? nothing,
        ]),
      },
    ],
    notes: [
      'All run with NODE_ENV=production, one process each, with their own default of ten connections to PostgreSQL. One ' +
        'process sends the load, with the client of Node.js and connections that stay open, on the same processors; the ' +
        'faster a peer is, the more that costs it.',
      ...results.peers.flatMap(notesOf),
      `${bareSql}: one UPDATE … FROM unnest(…) on Rollcall's table, with no report and no change log.`,
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
