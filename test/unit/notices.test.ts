import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { languages } from '../../src/contract/enums.js';
import { chatFormatOf, noticeTopics } from '../../src/contract/notices.js';
import { chatPayload } from '../../src/delivery/chat-payload.js';
import { type NoticeText, noticeText } from '../../src/delivery/notice-text.js';
import { loadTemplates, renderNotice } from '../../src/delivery/templates.js';
import type { NoticeContent, NoticeFacts } from '../../src/domain/notices/notices.js';
import { temporaryDirectory } from '../support/temporary-directory.js';

const run: NoticeFacts['feedFailed'] = {
  feed: { id: 'hr', name: 'HR' },
  run: { id: '0198c0de-7a11-7000-8000-5f1e2d3c4b5a' },
  counts: { rows: 12_345, created: 3, updated: 0, failed: 1 },
  reasons: ['Phone changes in 61% of rows, usually 0.4%.'],
  rowNumbers: [7],
};
const facts: NoticeFacts = {
  feedFailed: run,
  feedStopped: run,
  feedDigest: { feeds: [{ name: 'HR', runs: 1_234, counts: run.counts, state: 'stopped' }] },
  callApproval: {
    call: { id: '0198c0de-7a11-7000-8000-5f1e2d3c4b5b', kind: 'update-bulk', items: 1_234 },
    effects: { created: 0, deactivated: 1_234 },
    effectiveAt: '2026-11-22T08:30:00.000Z',
  },
  callDecided: {
    call: { id: '0198c0de-7a11-7000-8000-5f1e2d3c4b5b', kind: 'update-bulk', items: 4 },
    effects: { deactivated: 4 },
    effectiveAt: '2026-11-22T08:30:00.000Z',
    isApproved: true,
  },
  webhookDisabled: { webhook: { id: '0198c0de-7a11-7000-8000-5f1e2d3c4b5c', host: 'hooks.example.com' } },
  scimTargetFailing: {
    target: { id: '0198c0de-7a11-7000-8000-5f1e2d3c4b5d', name: 'Wiki' },
    isPaused: false,
  },
  scimDeactivationLimit: { provider: { clientId: 'client-okta', name: 'Okta' }, limit: 1_234 },
  backupFailed: { at: '2026-11-22T08:30:00.000Z' },
};
const contents = noticeTopics.map((topic) => ({ topic, facts: facts[topic] }) as NoticeContent);
const consoleUrl = 'https://people.example.com/';
const english = { language: 'en', more: 0, timeZone: 'UTC', consoleUrl } as const;

function contentOf<Topic extends NoticeContent['topic']>(
  topic: Topic,
  change: Partial<NoticeFacts[Topic]> = {},
): NoticeContent {
  return { topic, facts: { ...facts[topic], ...change } } as NoticeContent;
}

const mailOf = (text: NoticeText, directory?: string) =>
  renderNotice(loadTemplates(directory), {
    ...{ deliveryId: 'x', attempt: 1, language: 'en', to: 'ada@example.com' },
    ...{ name: 'Ada', text },
  });

describe('the text of a notice', () => {
  const texts = languages.map((language) =>
    contents.map((content) => noticeText(content, { language, more: 0, timeZone: 'UTC', consoleUrl })),
  );

  test('is whole sentences in each language, and differs between them', () => {
    for (const text of texts.flat()) {
      expect(text.title).not.toMatch(/[.!]$|undefined|NaN/);
      expect(text.lines.length).toBeGreaterThan(0);
      for (const line of text.lines) expect(line).toMatch(/[^\s.]\.$/);
      expect(text.lines.join(' ')).not.toMatch(/undefined|NaN|null|\[object/);
    }
    for (const [index] of noticeTopics.entries()) {
      expect(new Set(texts.map((inLanguage) => inLanguage[index]?.title)).size).toBe(languages.length);
    }
  });

  test.each([
    ['en', '12,345', '1,234', '22 November 2026, 08:30 UTC'],
    ['de', '12.345', '1.234', '22. November 2026, 08:30 Uhr (UTC)'],
    ['es', '12.345', '1.234', '22 de noviembre de 2026, 08:30 (UTC)'],
  ] as const)('has the numbers and times of %s', (language, rows, items, time) => {
    const linesOf = (content: NoticeContent) =>
      noticeText(content, { language, more: 0, timeZone: 'UTC', consoleUrl }).lines.join(' ');
    expect(linesOf(contentOf('feedFailed'))).toContain(rows);
    expect(linesOf(contentOf('feedDigest'))).toContain(items);
    expect(linesOf(contentOf('callApproval'))).toContain(items);
    expect(linesOf(contentOf('callApproval'))).toContain(time);
    expect(linesOf(contentOf('backupFailed'))).toContain(time);
  });

  const people = {
    author: 'Tobias Lindqvist',
    decider: 'Ada Lovelace',
    cancelReason: 'Two of them stay.',
    users: ['Hannah Berger', 'Anna Berger', 'Clara Weiß'],
    note: 'Their contracts end.',
  };

  test.each([
    [
      'en',
      'Tobias Lindqvist asks for approval: deactivate 4 users on 30 November 2026',
      'Tobias Lindqvist wants to deactivate 4 users: Hannah Berger, Anna Berger, Clara Weiß and 1 other.',
      'Note: Their contracts end.',
      'Nothing has changed yet.',
      'Once approved, the bulk change runs at the start of 30 November 2026.',
    ],
    [
      'de',
      'Tobias Lindqvist bittet um Genehmigung: 4 Benutzer deaktivieren, am 30. November 2026',
      'Tobias Lindqvist möchte 4 Benutzer deaktivieren: Hannah Berger, Anna Berger, Clara Weiß und 1 weitere Person.',
      'Notiz: Their contracts end.',
      'Bisher hat sich nichts geändert.',
      'Nach der Genehmigung wird die Sammeländerung zu Beginn des 30. November 2026 ausgeführt.',
    ],
    [
      'es',
      'Tobias Lindqvist solicita aprobación: desactivar 4 usuarios el 30 de noviembre de 2026',
      'Tobias Lindqvist quiere desactivar 4 usuarios: Hannah Berger, Anna Berger, Clara Weiß y 1 persona más.',
      'Nota: Their contracts end.',
      'Todavía no ha cambiado nada.',
      'Una vez aprobado, el cambio masivo se ejecutará al comienzo del 30 de noviembre de 2026.',
    ],
  ] as const)(
    'says in %s who asks for what, for whom, why and from which day on',
    (language, title, ...lines) => {
      const content = contentOf('callApproval', {
        effects: { deactivated: 4 },
        effectiveAt: '2026-11-29T23:00:00.000Z',
      });
      const text = noticeText(content, { language, timeZone: 'Europe/Berlin', more: 0, people, consoleUrl });
      expect(text).toMatchObject({ title, lines: [...lines, expect.any(String)] });
    },
  );

  test.each([
    [
      'en',
      'Tobias Lindqvist asks for approval: deactivate 4 users, last working day 30 November 2026',
      'Once approved, they stay active until the end of 30 November 2026 and are inactive from 1 December 2026.',
      'They stay active until the end of 30 November 2026 and are inactive from 1 December 2026.',
    ],
    [
      'de',
      'Tobias Lindqvist bittet um Genehmigung: 4 Benutzer deaktivieren, letzter Arbeitstag 30. November 2026',
      'Nach der Genehmigung gilt: aktiv bis Ende des 30. November 2026, inaktiv ab dem 1. Dezember 2026.',
      'Die Personen sind bis Ende des 30. November 2026 aktiv und ab dem 1. Dezember 2026 inaktiv.',
    ],
    [
      'es',
      'Tobias Lindqvist solicita aprobación: desactivar 4 usuarios, último día de trabajo 30 de noviembre de 2026',
      'Una vez aprobado, seguirán activos hasta el final del 30 de noviembre de 2026 y estarán inactivos desde el 1 de diciembre de 2026.',
      'Seguirán activos hasta el final del 30 de noviembre de 2026 y estarán inactivos desde el 1 de diciembre de 2026.',
    ],
  ] as const)('names in %s the last working day that was entered', (language, title, asked, approved) => {
    const plan = {
      effects: { deactivated: 4 },
      effectiveAt: '2026-11-30T23:00:00.000Z',
      lastWorkingDay: '2026-11-30',
    };
    const options = { language, timeZone: 'Europe/Berlin', more: 0, people, consoleUrl };
    const request = noticeText(contentOf('callApproval', plan), options);
    expect(request.title).toBe(title);
    expect(request.lines).toContain(asked);
    const decided = noticeText(contentOf('callDecided', { ...plan, isApproved: true }), options);
    expect(decided.lines).toContain(approved);
  });

  test.each([
    ['en', 'Ada Lovelace rejected your bulk change: deactivate 4 users', 'Reason: Two of them stay.'],
    [
      'de',
      'Ada Lovelace hat Ihre Sammeländerung abgelehnt: 4 Benutzer deaktivieren',
      'Grund: Two of them stay.',
    ],
    ['es', 'Ada Lovelace ha rechazado la solicitud: desactivar 4 usuarios', 'Motivo: Two of them stay.'],
  ] as const)('tells in %s who rejected a change, and why', (language, title, reason) => {
    const content = contentOf('callDecided', { isApproved: false, effectiveAt: null });
    const text = noticeText(content, { language, timeZone: 'UTC', more: 0, people, consoleUrl });
    expect(text).toMatchObject({
      title,
      lines: [expect.stringContaining('Hannah'), reason, expect.anything()],
    });
  });

  test('names nobody if it is not told whom, as in a chat, and says when it runs if that is not a day', () => {
    const content = contentOf('callApproval', { effects: { created: 1, updated: 2 } });
    const { title, lines } = noticeText(content, { ...english, timeZone: 'Europe/Berlin' });
    expect(title).toBe(
      'Approval needed: create 1 user and change data of 2 users on 22 November 2026, 09:30 CET',
    );
    expect(lines[0]).toBe('Someone wants to create 1 user and change data of 2 users.');
  });

  test('counts what happened in a run, and nothing that did not', () => {
    const { lines } = noticeText(contentOf('feedStopped'), english);
    expect(lines).toEqual([
      'A run of the feed "HR" was stopped before it changed anything.',
      'Phone changes in 61% of rows, usually 0.4%.',
      'Rows: 12,345; new: 3; failed: 1.',
      'Affected row: 7.',
      'Check what the run would do, then approve or cancel it.',
    ]);
  });

  test('names the first rows only', () => {
    const rowNumbers = Array.from({ length: 1_030 }, (_, index) => index + 2);
    const { lines } = noticeText(contentOf('feedFailed', { rowNumbers }), english);
    expect(lines.at(-1)).toMatch(/^Affected rows: 2, 3, .*, 21, and 1,010 more\.$/);
  });

  test('says how many later notices it stands for', () => {
    for (const language of languages) {
      const { title, lines } = noticeText(contentOf('webhookDisabled'), {
        language,
        more: 2,
        timeZone: 'UTC',
        consoleUrl,
      });
      expect(title).toContain('3');
      expect(lines.join(' ')).toContain('2');
    }
  });

  test('links to the page where one can do something, or names it if the address of the console is unknown', () => {
    const links = contents.map((content) => noticeText(content, english).link);
    expect(links).toEqual([
      `${consoleUrl}feeds/hr/runs/${run.run.id}`,
      `${consoleUrl}feeds/hr/runs/${run.run.id}`,
      `${consoleUrl}feeds`,
      `${consoleUrl}activity/calls/${facts.callApproval.call.id}`,
      `${consoleUrl}activity/calls/${facts.callDecided.call.id}`,
      `${consoleUrl}settings/webhooks`,
      `${consoleUrl}settings/targets`,
      `${consoleUrl}settings/provisioning/client-okta`,
      `${consoleUrl}system/status`,
    ]);
    expect(noticeText(contentOf('backupFailed'), { ...english, consoleUrl: undefined })).toMatchObject({
      link: null,
      place: 'Settings → Status',
    });
  });
});

describe('the email of a notice', () => {
  const text = noticeText(contentOf('feedFailed', { feed: { id: 'x', name: '<b>HR</b> & Co\r\nBcc: a' } }), {
    ...english,
    consoleUrl: 'https://people.example.com',
  });

  test('has every line as a paragraph, escaped in HTML, and a subject on one line', () => {
    const mail = mailOf(text);
    expect(mail.subject).toBe('Rollcall: The feed "<b>HR</b> & Co Bcc: a" failed');
    expect(mail.text).toMatch(/^Hello Ada,\n\nA run of the feed "<b>HR<\/b> & Co Bcc: a" failed\.\n\nPhone/);
    expect(mail.text).toContain(`\n\n${text.link}\n\nYou get this message`);
    expect(mail.html).toContain('<p>Phone changes in 61% of rows, usually 0.4%.</p>\n<p>Rows: 12,345;');
    expect(mail.html).toContain('&lt;b&gt;HR&lt;/b&gt; &amp; Co Bcc: a');
    expect(`${mail.text}${mail.html}`).not.toMatch(/\{\{|\}\}/);
  });

  test('names the page if there is no link', () => {
    const { text: plain, html } = mailOf({ ...text, link: null, place: 'Feeds' });
    expect(plain).toContain('\n\nIn Rollcall: Feeds\n\n');
    expect(html).toContain('<p>In Rollcall: Feeds</p>');
    expect(html).not.toContain('<a ');
  });

  test('can be replaced', () => {
    const directory = temporaryDirectory();
    const template = '{{^lines}}none{{/lines}}{{#lines}}[{{line}} {{name}}]{{/lines}}';
    writeFileSync(join(directory, 'notice.txt'), template);
    const lines = ['One.', '{{name}}'];
    expect(mailOf({ ...text, lines }, directory).text).toBe('[One. Ada][{{name}} Ada]');
    expect(mailOf({ ...text, lines: [] }, directory).text).toBe('none');
  });
});

describe('the message to a chat', () => {
  const text = noticeText(
    contentOf('feedFailed', { feed: { id: 'x', name: '<!channel> & [a](b)' } }),
    english,
  );

  test('escapes what Slack would read as a mention or a link', () => {
    expect(chatPayload('slack', text)).toEqual({
      text: expect.stringContaining('The feed "&lt;!channel&gt; &amp; [a](b)" failed\n'),
      blocks: [
        { type: 'header', text: { type: 'plain_text', text: text.title, emoji: false } },
        ...text.lines.map((line) => ({
          type: 'section',
          text: {
            type: 'mrkdwn',
            text: line.replace('<!channel> &', '&lt;!channel&gt; &amp;'),
          },
        })),
        { type: 'section', text: { type: 'mrkdwn', text: `<${text.link}|Open in Rollcall>` } },
      ],
    });
  });

  test('is a card for Teams, whose text is not read as Markdown', () => {
    const payload = chatPayload('teams', text);
    expect(payload).toMatchObject({
      type: 'message',
      attachments: [
        {
          contentType: 'application/vnd.microsoft.card.adaptive',
          content: {
            type: 'AdaptiveCard',
            version: '1.4',
            actions: [{ type: 'Action.OpenUrl', title: 'Open in Rollcall', url: text.link }],
          },
        },
      ],
    });
    const types = JSON.stringify(payload).match(/"type":"Text[A-Za-z]*"/g);
    expect(new Set(types)).toEqual(new Set(['"type":"TextRun"']));
    expect(chatPayload('teams', { ...text, link: null })).not.toHaveProperty('attachments.0.content.actions');
  });

  test('is one text for other chats', () => {
    expect(chatPayload('text', { ...text, link: null })).toEqual({
      text: expect.stringMatching(/^The feed [\s\S]*\nFeeds$/),
    });
  });

  test('stays within the limits of Slack, however long a text is', () => {
    const long = { ...text, title: '&'.repeat(9_999), lines: Array(99).fill('&'.repeat(9_999)) };
    const { blocks } = chatPayload('slack', long) as { blocks: { text: { text: string } }[] };
    expect(blocks.length).toBeLessThanOrEqual(50);
    expect(blocks[0]?.text.text).toHaveLength(150);
    for (const block of blocks) expect(block.text.text.length).toBeLessThanOrEqual(3_000);
  });

  test.each([
    ['https://hooks.slack.com/services/T0/B0/x', 'slack'],
    ['https://HOOKS.slack.com/services/T0/B0/x', 'slack'],
    ['https://acme.webhook.office.com/webhookb2/x', 'teams'],
    ['https://prod-1.westeurope.logic.azure.com:443/workflows/x', 'teams'],
    ['https://default1.01.environment.api.powerplatform.com/powerautomate/x', 'teams'],
    ['https://chat.example.com/hooks/x', 'text'],
    ['https://hooks.slack.com.example.com/x', 'text'],
    ['https://evilwebhook.office.com/x', 'text'],
  ])('takes its format from the host of %s', (url, format) => {
    expect(chatFormatOf(url)).toBe(format);
  });
});
