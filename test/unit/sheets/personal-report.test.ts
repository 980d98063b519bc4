import { describe, expect, test } from 'vitest';
import { personalReport, type ReportTexts } from '../../../sheets/src/index.js';

const texts: ReportTexts = {
  language: 'de',
  title: 'Data of <Ada>',
  lead: 'Everything.',
  nothing: 'Nothing.',
  nameOf: (name) => name.toUpperCase(),
  textOf: (part, name, value) => `${part}.${name}=${value}`,
};

describe('a report of personal data', () => {
  test('has a heading and a table for each part that is given, and says which are empty', () => {
    const data = {
      user: { serial: 's1', name: 'Ada', manager: { name: 'Grace' }, attributes: { site: 'Lyon' } },
      sessions: [],
      upcomingChanges: [{ effectiveAt: 'soon', effect: { fields: 'new phone' }, callId: 'c1' }],
    };
    const html = personalReport(data, texts);
    expect(html).toContain('<html lang="de">');
    expect([...html.matchAll(/<h2>(.*?)<\/h2>/g)].map(([, name]) => name)).toEqual([
      'USER',
      'SESSIONS',
      'UPCOMINGCHANGES',
    ]);
    expect(html).toContain('<th scope="row">MANAGER</th><td>user.manager=Grace</td>');
    expect(html).toContain('<td>user.site=Lyon</td>');
    expect(html).toContain('<p class="nothing">Nothing.</p>');
    expect(html).toContain('<td>upcomingChanges.fields=new phone</td>');
    expect(html).not.toContain('s1'); // only programs need it
  });

  test('shows what people have entered as text', () => {
    const html = personalReport({ user: { name: `<script>alert("1")</script>&'` } }, texts);
    expect(html).toContain('<title>Data of &lt;Ada&gt;</title>');
    expect(html).toContain('&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&amp;&#39;');
    expect(html).not.toContain('<script>');
  });
});
