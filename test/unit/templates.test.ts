import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type NoticeSubject, noticeSubjects } from '../../src/contract/enums.js';
import type { NoticeMessage, PasswordKind } from '../../src/delivery/message.js';
import { loadTemplates, renderMail, renderSms } from '../../src/delivery/templates.js';
import { StartupError } from '../../src/storage/errors.js';
import { aPasswordMessage, serviceUrl } from '../support/password-message.js';
import { temporaryDirectory } from '../support/temporary-directory.js';

const kinds: readonly PasswordKind[] = ['initial-password', 'reset-password'];
const bundled = loadTemplates(undefined);

/** A directory of an operator with the given files. */
function directoryWith(files: Record<string, string | Buffer>): string {
  const directory = temporaryDirectory();
  for (const [name, content] of Object.entries(files)) writeFileSync(join(directory, name), content);
  return directory;
}

function refusal(directory: string): string {
  try {
    loadTemplates(directory);
  } catch (error) {
    expect(error).toBeInstanceOf(StartupError);
    return (error as Error).message;
  }
  return '';
}

/** The texts of a mail whose text template is the given one. */
function rendered(text: string, user: { name?: string; username?: string | null } = {}): string {
  const templates = loadTemplates(directoryWith({ 'initial-password.txt': `${text}{{password}}` }));
  const message = aPasswordMessage();
  const mail = renderMail(templates, { ...message, user: { ...message.user, ...user } }, serviceUrl);
  return mail.text.slice(0, -message.password.length);
}

describe.each(kinds)('the bundled texts of %s', (kind) => {
  const message = aPasswordMessage({ kind });
  const nameless = aPasswordMessage({ kind, user: { ...message.user, username: null } });
  const mail = renderMail(bundled, message, serviceUrl);
  const sms = renderSms(bundled, message, serviceUrl);

  test('say the username, where to sign in and until when the password works', () => {
    for (const text of [mail.text, mail.html, sms]) {
      expect(text).toContain('ada');
      expect(text).toContain(serviceUrl);
      expect(text).toContain('22 November 2026, 08:30 UTC');
      expect(text).toMatch(/change/i);
      expect(text).toContain('Rollcall');
    }
  });

  test('have the password on a line of its own, where it can be marked and copied', () => {
    expect(mail.text.split('\n')).toContain(message.password);
    expect(sms.split('\n')).toContain(message.password);
    expect(mail.html).toContain(`>${message.password}</p>`);
  });

  test('say to ask the administrator when there is no username', () => {
    const { text, html } = renderMail(bundled, nameless, serviceUrl);
    for (const words of [text, html, renderSms(bundled, nameless, serviceUrl)]) {
      expect(words).toMatch(/your administrator will tell you your username/i);
      expect(words).not.toMatch(/username(:| is)/);
    }
    expect(`${mail.text}${mail.html}${sms}`).not.toMatch(/your administrator will tell/i);
  });

  test('leave no tag and no gap behind', () => {
    for (const text of [mail.subject, mail.text, mail.html, sms]) expect(text).not.toMatch(/\{\{|\}\}/);
    expect(mail.text).not.toMatch(/\n\n\n/);
    expect(mail.subject).not.toBe('');
  });

  test('fetch nothing from outside and set no colour that a dark reader cannot turn', () => {
    expect(mail.html).not.toMatch(/<(?:img|script|link|iframe)\b|url\(|@import/i);
    expect(mail.html).not.toMatch(/(?:^|[\s;"])(?:background|color)\s*:/i);
    expect(mail.html).toContain('<meta name="color-scheme" content="light dark"');
  });

  test('never put the password into the subject', () => {
    expect(mail.subject).not.toContain(message.password);
  });
});

describe('the bundled texts of account-changed', () => {
  const { deliveryId, attempt, to, user } = aPasswordMessage();
  const about = (...changed: NoticeSubject[]): NoticeMessage => ({
    ...{ deliveryId, attempt, to, user, changed },
    kind: 'account-changed',
    changedAt: new Date('2026-11-22T08:30:00Z'),
  });
  const sentences = {
    email: /email address (?:of your account )?was changed/i,
    username: /username was changed/i,
    password: /password was changed/i,
    role: /role was changed/i,
  };

  test.each(noticeSubjects)('say that the %s changed, and nothing of the others', (changed) => {
    const mail = renderMail(bundled, about(changed), serviceUrl);
    for (const text of [mail.text, mail.html, renderSms(bundled, about(changed), serviceUrl)]) {
      expect(noticeSubjects.filter((subject) => sentences[subject].test(text))).toEqual([changed]);
      expect(text).toMatch(/contact your administrator immediately/);
      expect(text).not.toMatch(/\{\{|\}\}/);
    }
    expect(mail.text).toContain('22 November 2026, 08:30 UTC');
    expect(mail.text).not.toMatch(/\n\n\n/);
  });

  test('can be replaced, and cannot use a password', () => {
    const directory = directoryWith({
      'account-changed.sms.txt': 'Acme: {{#roleChanged}}role{{/roleChanged}}',
    });
    expect(renderSms(loadTemplates(directory), about('role'), serviceUrl)).toBe('Acme: role');
    const message = refusal(directoryWith({ 'account-changed.txt': 'Your password {{password}}' }));
    expect(message).toContain('/account-changed.txt uses {{password}}, but');
  });
});

describe('values', () => {
  const odd = aPasswordMessage({
    user: { name: '<script>alert("1")</script> & Søn 👩🏽‍🚀', username: 'ada', employeeID: 'E1001' },
    password: `<b>&"'`,
  });

  test('are escaped in HTML', () => {
    const { html } = renderMail(bundled, odd, 'https://people.example.com/?a=1&b="2"');
    expect(html).toContain('&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; Søn 👩🏽‍🚀');
    expect(html).toContain('&lt;b&gt;&amp;&quot;&#39;');
    expect(html).toContain('href="https://people.example.com/?a=1&amp;b=&quot;2&quot;"');
    expect(html).not.toContain('<script');
  });

  test('are themselves in plain text', () => {
    const { text } = renderMail(bundled, odd, serviceUrl);
    expect(text).toContain('Hello <script>alert("1")</script> & Søn 👩🏽‍🚀,');
    expect(text).toContain(`\n<b>&"'\n`);
    expect(renderSms(bundled, odd, serviceUrl)).toContain(`\n<b>&"'\n`);
  });

  test.each(['{{password}}', '{{#username}}', '{{/username}}', '$&', '$1', '{{'])(
    'are no templates: a person called %s is called so',
    (name) => {
      const message = aPasswordMessage({ user: { name, username: 'ada', employeeID: 'E1001' } });
      expect(renderMail(bundled, message, serviceUrl).text).toContain(`Hello ${name},\n`);
    },
  );

  test('write no lines of their own', () => {
    expect(rendered('Hello {{name}}.', { name: 'Ada\r\n\r\nPS: send money\u2028now' })).toBe(
      'Hello Ada PS: send money now.',
    );
  });

  test('leave the password as it is, spaces and all', () => {
    const message = aPasswordMessage({ password: '  a\tb  ' });
    expect(renderMail(bundled, message, serviceUrl).text).toContain('\n  a\tb  \n');
  });

  test('become one line in the subject, so that a name adds no header', () => {
    const templates = loadTemplates(
      directoryWith({ 'initial-password.subject.txt': '\n Welcome,\n {{name}} \n\n' }),
    );
    const user = { name: 'Ada\r\nBcc: eve@example.com\u0000\u0085x', username: null, employeeID: 'E1' };
    const { subject } = renderMail(templates, aPasswordMessage({ user }), serviceUrl);
    expect(subject).toBe('Welcome, Ada Bcc: eve@example.com x');
  });
});

describe('sections', () => {
  test('are kept by presence', () => {
    const template = '{{#username}}as {{username}}{{/username}}{{^username}}nameless{{/username}}';
    expect(rendered(template)).toBe('as ada');
    expect(rendered(template, { username: null })).toBe('nameless');
    expect(rendered(template, { username: '' })).toBe('nameless');
  });

  test('can lie within one another', () => {
    const template = '{{#name}}a{{^username}}b{{#employeeID}}c{{/employeeID}}{{/username}}d{{/name}}';
    expect(rendered(template)).toBe('ad');
    expect(rendered(template, { username: null })).toBe('abcd');
  });

  test.each(['\n', '\r\n'])('take the whole line when they have it to themselves (%j)', (end) => {
    const lines = ['one', '{{#username}}', 'two', '  {{/username}}  ', 'three', ''];
    expect(rendered(lines.join(end))).toBe(['one', 'two', 'three', ''].join(end));
    expect(rendered(lines.join(end), { username: null })).toBe(['one', 'three', ''].join(end));
  });

  test('allow spaces within the braces', () => {
    expect(rendered('{{# username }}{{ name }}{{/ username }}')).toBe('Ada Lovelace');
  });
});

describe("the operator's directory", () => {
  test('wins file by file', () => {
    const directory = directoryWith({
      'initial-password.subject.txt': 'Welcome to Acme',
      'reset-password.sms.txt': 'Acme: {{password}}\n',
      'notes.md': 'not a template {{',
    });
    const templates = loadTemplates(directory);
    const initial = aPasswordMessage();
    const reset = aPasswordMessage({ kind: 'reset-password' });
    expect(renderMail(templates, initial, serviceUrl)).toEqual({
      ...renderMail(bundled, initial, serviceUrl),
      subject: 'Welcome to Acme',
    });
    expect(renderSms(templates, initial, serviceUrl)).toBe(renderSms(bundled, initial, serviceUrl));
    expect(renderSms(templates, reset, serviceUrl)).toBe(`Acme: ${reset.password}`);
    expect(renderMail(templates, reset, serviceUrl)).toEqual(renderMail(bundled, reset, serviceUrl));
  });

  test('can replace the layout of all HTML, which must have a place for the content', () => {
    const templates = loadTemplates(directoryWith({ 'layout.html': '<main>{{content}}</main>' }));
    for (const kind of kinds) {
      const { html } = renderMail(templates, aPasswordMessage({ kind }), serviceUrl);
      expect(html).toMatch(/^<main><p>Hello Ada Lovelace,<\/p>.*<\/main>\n?$/s);
    }
    const message = refusal(directoryWith({ 'layout.html': '<main></main>' }));
    expect(message).toContain('/layout.html does not contain {{content}}.');
  });

  test('can hold whole HTML documents, which get no layout', () => {
    const html = '<!doctype html>\n<p>{{password}}</p>';
    const templates = loadTemplates(directoryWith({ 'initial-password.html': html }));
    const message = aPasswordMessage({ password: 'horse' });
    expect(renderMail(templates, message, serviceUrl).html).toBe('<!doctype html>\n<p>horse</p>');
  });

  test('can hold files that begin with a byte order mark', () => {
    const templates = loadTemplates(directoryWith({ 'initial-password.subject.txt': '\ufeffHello' }));
    expect(renderMail(templates, aPasswordMessage(), serviceUrl).subject).toBe('Hello');
  });

  test('is refused when it is not there', () => {
    expect(refusal('/nowhere/templates')).toBe(
      'The templates directory /nowhere/templates cannot be read (ENOENT).',
    );
  });

  test('is refused when it is a file', () => {
    const directory = directoryWith({ file: '' });
    expect(refusal(join(directory, 'file'))).toContain('cannot be read (ENOTDIR)');
  });

  test('is refused when a template in it cannot be read', () => {
    const directory = temporaryDirectory();
    mkdirSync(join(directory, 'reset-password.html'));
    expect(refusal(directory)).toMatch(/reset-password\.html cannot be read \(EISDIR\)\.$/);
  });

  test('is refused when a template in it is not UTF-8', () => {
    const directory = directoryWith({ 'reset-password.html': Buffer.from([0x7b, 0xff]) });
    expect(refusal(directory)).toMatch(/reset-password\.html is not UTF-8\.$/);
  });

  test('is refused for an unknown value, with the file and the known values', () => {
    const directory = directoryWith({ 'initial-password.html': 'Hello {{firstName}} {{password}}' });
    expect(refusal(directory)).toBe(
      `The template ${directory}/initial-password.html uses {{firstName}}, but the available values are {{name}}, {{username}}, {{employeeID}}, {{password}}, {{expiresAt}}, {{serviceUrl}}.`,
    );
  });

  test.each([
    [
      'a section that is not closed',
      '{{#username}}x {{password}}',
      'does not close the section {{#username}}.',
    ],
    ['an inverted one', '{{^name}}x {{password}}', 'does not close the section {{^name}}.'],
    [
      'a section closed twice',
      '{{password}}{{/name}}',
      'has a {{/name}} that does not match the open section',
    ],
    [
      'sections that overlap',
      '{{#name}}{{#username}}{{/name}}{{/username}}{{password}}',
      'has a {{/name}} that does not match the open section',
    ],
    ['a section of an unknown value', '{{#boss}}{{/boss}}{{password}}', 'uses {{#boss}}'],
    ['braces that are not closed', '{{password}} {{name', 'has a {{ without a matching }}'],
    ['three braces', '{{{password}}}', 'uses {{{password}}'],
    ['a comment', '{{! hello }}{{password}}', 'uses {{! hello}}'],
    ['a name of every object', '{{constructor}}{{password}}', 'uses {{constructor}}'],
    ['an empty tag', '{{}}{{password}}', 'uses {{}}'],
    ['no password', 'Hello {{name}}', 'does not contain {{password}}'],
  ])('is refused for %s', (_why, source, sentence) => {
    for (const file of ['initial-password.txt', 'reset-password.sms.txt', 'reset-password.html']) {
      const message = refusal(directoryWith({ [file]: source }));
      expect(message).toContain(`/${file} `);
      expect(message).toContain(sentence);
    }
  });

  test('is refused for a subject with the password in it', () => {
    const directory = directoryWith({ 'reset-password.subject.txt': 'Your password {{password}}' });
    expect(refusal(directory)).toContain('/reset-password.subject.txt uses {{password}}, but');
  });
});
