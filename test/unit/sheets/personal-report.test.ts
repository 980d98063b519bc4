import { describe, expect, test } from 'vitest';
import { personalReport, type ReportTexts } from '../../../sheets/src/index.js';

const texts: ReportTexts = {
  language: 'de',
  title: 'Data of <Ada>',
  lead: 'Everything.',
  nothing: (parts) => `Nothing: ${parts.join(', ')}.`,
  nameOf: (name) => name.toUpperCase(),
  textOf: (part, name, value) => `${part}.${name}=${value}`,
  whoOf: (actor) => (actor === null ? 'the service' : `${actor.kind} ${actor.name}`),
};

describe('a report of personal data', () => {
  test('has a heading and a table for each part that is given, and says which are empty', () => {
    const data = {
      user: { serial: 's1', name: 'Ada', manager: { name: 'Grace' }, attributes: { site: 'Lyon' } },
      sessions: [],
      upcomingChanges: [
        { effectiveAt: 'soon', effect: { fields: { phone: { before: null, after: '1' } } }, callId: 'c1' },
      ],
    };
    const html = personalReport(data, texts);
    expect(html).toContain('<html lang="de">');
    expect([...html.matchAll(/<h2>(.*?)<\/h2>/g)].map(([, name]) => name)).toEqual([
      'USER',
      'UPCOMINGCHANGES',
    ]);
    expect(html).toContain('<th scope="row">MANAGER</th><td>user.manager=Grace</td>');
    expect(html).toContain('<td>user.site=Lyon</td>');
    expect(html).toContain('<p class="nothing">Nothing: SESSIONS.</p>');
    expect(html).toContain('<td>PHONE: changes.phone=null → changes.phone=1</td>');
    expect(html).not.toContain('s1'); // only programs need it
  });

  test('says names where there are any, and who made a change', () => {
    const html = personalReport(
      {
        user: { organizationSerial: 'O1', tagSerials: ['T1', 'T2'] },
        changes: [
          { actor: { kind: 'client', id: 'c1' }, fields: { managerSerial: { before: null, after: 'u1' } } },
          { actor: null, fields: { attributes: { before: { site: 'Lyon' }, after: { site: 'Paris' } } } },
          { by: 'self', fields: { organizationSerial: { before: 'O1', after: 'O2' } } },
        ],
        names: {
          organizations: { O1: 'Sales' },
          tags: { T1: 'First aiders' },
          users: { u1: 'Grace' },
          clients: { c1: 'HR' },
        },
      },
      texts,
    );
    expect(html).toContain('user.organizationSerial=Sales<');
    expect(html).toContain('user.tagSerials=First aiders,T2<');
    expect(html).toContain(
      '<td>client HR</td><td>MANAGERSERIAL: changes.managerSerial=null → person Grace</td>',
    );
    expect(html).toContain('<td>the service</td><td>ATTRIBUTES.SITE: changes.attributes.site=Lyon →');
    expect(html).toContain(
      '<td>changes.by=self</td><td>ORGANIZATIONSERIAL: changes.organizationSerial=Sales →',
    );
    expect(html).toContain('→ changes.organizationSerial=O2<');
  });

  test('says where each message went, at the time when it did', () => {
    const message = { createdAt: '2026-01-02', sentAt: null, toEmail: null, toPhone: null };
    const html = personalReport(
      {
        user: { email: 'now@example.com', phone: '1' },
        changes: [
          { at: '2026-01-04', kind: 'updated', fields: { email: { before: 'second@example.com' } } },
          { at: '2026-01-03', kind: 'updated', fields: { email: { before: 'first@example.com' } } },
          { at: '2026-01-03', kind: 'created', fields: { email: { before: null } } },
        ],
        messages: [
          { ...message, state: 'sent', channel: 'email', sentAt: '2026-01-05' },
          { ...message, state: 'parked', channel: null },
          { ...message, state: 'sent', channel: 'sms', sentAt: '2026-01-03' },
          { ...message, state: 'sent', channel: 'email', toEmail: 'notice@example.com' },
          { ...message, state: 'waiting', channel: null },
        ],
      },
      texts,
    );
    expect([...html.matchAll(/messages\.sentTo=([^<]*)/g)].map(([, to]) => to)).toEqual([
      'now@example.com',
      'first@example.com',
      '1',
      'notice@example.com',
      'null',
    ]);
  });

  test('shows what people have entered as text', () => {
    const html = personalReport({ user: { name: `<script>alert("1")</script>&'` } }, texts);
    expect(html).toContain('<title>Data of &lt;Ada&gt;</title>');
    expect(html).toContain('&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&amp;&#39;');
    expect(html).not.toContain('<script>');
  });
});
