import type { Schemas } from '#client';
import { type JsonOption, print, printJson, printRecord } from '../output.js';
import { connectInteractive } from '../session/connect.js';
import { formatTime } from '../terminal/format-time.js';
import { out } from '../terminal/style.js';
import { table } from '../terminal/table.js';
import { attentionText } from './attention-text.js';
import { backupText, databaseText, indexingText, queueTexts } from './queue-text.js';

export type Status = Schemas['StatusReply']['data'];

/** `rollcall status` */
export async function status({ json }: JsonOption): Promise<void> {
  const { data } = (await connectInteractive().call('getStatus')).body;
  if (json) return printJson(data);
  print(table([headings, ...data.nodes.map(nodeRow)]));
  print('');
  printRecord(data, {}, () => [
    ['database', databaseText(data.database)],
    ...queueTexts(data.queues),
    ['indexing', indexingText(data.queues.indexing)],
    ['last backup', backupText(data.lastBackup)],
  ]);
  print('');
  if (data.attention.length === 0) print('Nothing needs attention.');
  else print(out.bold('Needs attention'));
  for (const item of data.attention) print(`  ${attentionText(item)}`);
}

const headings = ['NODE', 'STATE', 'VERSION', 'PROCESSES', 'STARTED', 'LAST SEEN'];

function nodeRow(node: Status['nodes'][number]): string[] {
  return [
    node.id,
    node.isAlive ? 'running' : 'not seen',
    node.versions.join(', '),
    String(node.processes),
    formatTime(node.startedAt),
    formatTime(node.lastSeenAt),
  ];
}
