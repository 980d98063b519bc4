import { table } from '../../src/cli/terminal/table.js';
import { thisMachine } from '../machine.js';
import { saveSection } from '../report.js';
import { comparePeers } from './compare.js';
import { peersSection } from './section.js';

const started = performance.now();
const results = await comparePeers((line) => {
  const seconds = Math.round((performance.now() - started) / 1_000);
  process.stderr.write(`${String(seconds).padStart(4)} s  ${line}\n`);
});
const section = peersSection(results);
const { title, intro, tables, notes, data } = section;
if (process.argv.includes('--save')) saveSection('peers', section, thisMachine(results.postgres));
if (process.argv.includes('--json')) {
  console.log(JSON.stringify(data, null, 2));
} else {
  console.log(`${title}\n\n${intro}`);
  for (const { caption, head, rows } of tables) console.log(`\n${caption}\n\n${table([head, ...rows])}`);
  console.log(`\n${notes.map((note) => `- ${note}`).join('\n')}`);
}
