import { parseArgs } from 'node:util';
import { thisMachine } from '../machine.js';
import { saveSection } from '../report.js';
import { targetsText, textOf } from '../report-text.js';
import { comparePeers } from './compare.js';
import { compareScim } from './scim.js';
import { peersSection } from './section.js';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: 'boolean', default: false },
    save: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
  },
});
const [wanted = 'peers'] = positionals;
const started = performance.now();
const progress = (line: string) => {
  const seconds = Math.round((performance.now() - started) / 1_000);
  process.stderr.write(`${String(seconds).padStart(4)} s  ${line}\n`);
};
const { postgres, section } = await (wanted === 'scim' ? compareScim(progress, options) : peers());
if (options.save) saveSection(wanted, section, thisMachine(postgres));
process.stdout.write(
  options.json
    ? `${JSON.stringify(section.data, null, 2)}\n`
    : `${textOf(section)}${targetsText({ [wanted]: section })}`,
);

async function peers() {
  const results = await comparePeers(progress);
  return { postgres: results.postgres, section: peersSection(results) };
}
