/**
 * Measures how fast the service is, compared with the database alone. Run it with `npm run bench`, or with `npm run
 * bench -- bulk creates` for some sections. `--json` prints the figures as JSON, `--save` writes them to
 * docs/performance.md, and `--quick` checks within a minute that everything runs. Settings of the service come from the
 * environment, so that two values can be compared: `ROLLCALL_BULK_CHUNK_ITEMS=10000 npm run bench -- bulk`.
 */
import { parseArgs } from 'node:util';
import pg from 'pg';
import { thisMachine } from './machine.js';
import { withPostgres } from './processes.js';
import { saveSection } from './report.js';
import { targetsText, textOf } from './report-text.js';
import type { Section } from './section.js';
import { sections } from './sections.js';
import { openStage } from './stage.js';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: 'boolean', default: false },
    save: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
    long: { type: 'boolean', default: false },
  },
});
const known = Object.keys(sections);
const unknown = positionals.filter((name) => !known.includes(name));
if (unknown.length > 0) {
  process.stderr.write(`Unknown section: ${unknown.join(', ')}. Available sections: ${known.join(', ')}.\n`);
  process.exit(1);
}
if (options.save && options.quick) {
  process.stderr.write('A quick run is not precise enough to save. Omit --save or --quick.\n');
  process.exit(1);
}
const wanted = known.filter((name) => positionals.length === 0 || positionals.includes(name));

await withPostgres(async (bench) => {
  const { stage, close } = openStage(bench, options);
  const machine = thisMachine(await postgresVersion(bench.databaseUrl));
  const done: Record<string, Section> = {};
  for (const name of wanted) {
    const start = performance.now();
    process.stderr.write(`${name}\n`);
    const section = await sections[name]?.(stage);
    if (!section) continue;
    done[name] = section;
    process.stderr.write(`  ${((performance.now() - start) / 1_000).toFixed(0)} s\n`);
    if (options.save) saveSection(name, section, machine);
    if (!options.json) process.stdout.write(textOf(section));
  }
  await close();
  process.stdout.write(
    options.json ? `${JSON.stringify({ machine, sections: done }, null, 2)}\n` : targetsText(done),
  );
});

async function postgresVersion(databaseUrl: string): Promise<string> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query<{ server_version: string }>('SHOW server_version');
  await client.end();
  return rows[0]?.server_version ?? '';
}
