import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { languages, type NoticeSubject, noticeSubjects } from '../../src/contract/enums.js';
import type { InvitationMessage, NoticeMessage, PasswordKind } from '../../src/delivery/message.js';
import { loadTemplates, renderMail, renderSms } from '../../src/delivery/templates.js';
import { StartupError } from '../../src/storage/errors.js';
import { aPasswordMessage, serviceUrl } from '../support/password-message.js';
import { temporaryDirectory } from '../support/temporary-directory.js';

const kinds: readonly PasswordKind[] = ['initial-password', 'reset-password'];
const bundled = loadTemplates(undefined);
const service = { serviceUrl, timeZone: 'UTC' };

/** A template directory with the given files. */
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

/** The text of an email rendered from the given template. */
function rendered(text: string, user: { name?: string; username?: string | null } = {}): string {
  const templates = loadTemplates(directoryWith({ 'initial-password.txt': `${text}{{password}}` }));
  const message = aPasswordMessage();
  const mail = renderMail(templates, { ...message, user: { ...message.user, ...user } }, service);
  return mail.text.slice(0, -message.password.length);
}

describe.each(kinds)('bundled texts for %s', (kind) => {
  const message = aPasswordMessage({ kind });
  const nameless = aPasswordMessage({ kind, user: { ...message.user, username: null, signInName: null } });
  const mail = renderMail(bundled, message, service);
  const sms = renderSms(bundled, message, service);

  test('state the username, where to sign in and when the password expires', () => {
    for (const text of [mail.text, mail.html, sms]) {
      expect(text).toContain('ada');
      expect(text).toContain(serviceUrl);
      expect(text).toContain('22 November 2026, 08:30 UTC');
      expect(text).toMatch(/change/i);
      expect(text).toContain('Rollcall');
    }
  });

  test('are in the time zone of the service', () => {
    const { text } = renderMail(bundled, message, { serviceUrl, timeZone: 'Europe/Berlin' });
    expect(text).toContain('22 November 2026, 09:30 CET');
  });

  test('have the password on its own line, for easy copying', () => {
    expect(mail.text.split('\n')).toContain(message.password);
    expect(sms.split('\n')).toContain(message.password);
    expect(mail.html).toContain(`>${message.password}</p>`);
  });

  test('refer to the administrator if there is no username', () => {
    const { text, html } = renderMail(bundled, nameless, service);
    for (const words of [text, html, renderSms(bundled, nameless, service)]) {
      expect(words).toMatch(/ask your administrator for a username/i);
      expect(words).not.toMatch(/username(:| is)/);
    }
    expect(`${mail.text}${mail.html}${sms}`).not.toMatch(/your administrator will tell/i);
  });

  test('contain no leftover tags or gaps', () => {
    for (const text of [mail.subject, mail.text, mail.html, sms]) expect(text).not.toMatch(/\{\{|\}\}/);
    expect(mail.text).not.toMatch(/\n\n\n/);
    expect(mail.subject).not.toBe('');
  });

  test('load nothing external and set no colors that break dark mode', () => {
    expect(mail.html).not.toMatch(/<(?:img|script|link|iframe)\b|url\(|@import/i);
    expect(mail.html).not.toMatch(/(?:^|[\s;"])(?:background|color)\s*:/i);
    expect(mail.html).toContain('<meta name="color-scheme" content="light dark"');
  });

  test('never have the password in the subject', () => {
    expect(mail.subject).not.toContain(message.password);
  });
});

describe.each(languages)('bundled texts for initial-link (%s)', (language) => {
  const { kind: _kind, password: _password, ...common } = aPasswordMessage({ language });
  const token = 'rcl_token';
  const texts = [false, true].map((isReset) => {
    const message: InvitationMessage = { ...common, kind: 'initial-link', isReset, token };
    return { mail: renderMail(bundled, message, service), sms: renderSms(bundled, message, service) };
  });

  test('state the link, the name to sign in with and until when, but never a password', () => {
    for (const { mail, sms } of texts) {
      for (const text of [mail.text, mail.html, sms]) {
        expect(text).toContain(`${serviceUrl}/new-password#${token}`);
        expect(text).toMatch(/\bada\b/);
        expect(text).toContain('2026');
        expect(text).not.toMatch(/\{\{|\}\}/);
      }
      expect(mail.subject).not.toContain(token);
      expect(mail.text).not.toMatch(/\n\n\n/);
    }
  });

  test('differ for new users and for those whose password was reset', () => {
    const [created, reset] = texts;
    expect(created?.mail.subject).not.toBe(reset?.mail.subject);
    expect(created?.mail.text).not.toBe(reset?.mail.text);
    expect(created?.sms).not.toBe(reset?.sms);
  });
});

describe('bundled texts for account-changed', () => {
  const { deliveryId, attempt, to, user } = aPasswordMessage();
  const about = (...changed: NoticeSubject[]): NoticeMessage => ({
    ...{ deliveryId, attempt, to, user, changed },
    language: 'en',
    kind: 'account-changed',
    changedAt: new Date('2026-11-22T08:30:00Z'),
  });
  const sentences = {
    email: /email address (?:of your account )?was changed/i,
    username: /username was changed/i,
    password: /password was changed/i,
    role: /role was changed/i,
    factorAdded: /second factor was added/i,
    factorRemoved: /second factor was removed/i,
    factorsReset: /all second factors/i,
    recoveryCodesReplaced: /recovery codes were replaced/i,
    recoveryCodeUsed: /one of your recovery codes was used/i,
  };

  test.each(noticeSubjects)('say what happened (%s), and do not mention others', (changed) => {
    const mail = renderMail(bundled, about(changed), service);
    for (const text of [mail.text, mail.html, renderSms(bundled, about(changed), service)]) {
      expect(noticeSubjects.filter((subject) => sentences[subject].test(text))).toEqual([changed]);
      expect(text).toMatch(/contact your administrator immediately/);
      expect(text).not.toMatch(/\{\{|\}\}/);
    }
    expect(mail.text).toContain('22 November 2026, 08:30 UTC');
    expect(mail.text).not.toMatch(/\n\n\n/);
  });

  test('can be replaced, but cannot use a password', () => {
    const directory = directoryWith({
      'account-changed.sms.txt': 'Acme: {{#roleChanged}}role{{/roleChanged}}',
    });
    expect(renderSms(loadTemplates(directory), about('role'), service)).toBe('Acme: role');
    const message = refusal(directoryWith({ 'account-changed.txt': 'Your password {{password}}' }));
    expect(message).toContain('/account-changed.txt uses {{password}}, but');
  });
});

describe('languages', () => {
  const german = aPasswordMessage({ language: 'de' });
  const spanish = aPasswordMessage({ language: 'es' });

  test.each(kinds)('have their own texts for %s, with the date in that language', (kind) => {
    const mail = renderMail(bundled, { ...german, kind }, service);
    for (const text of [mail.text, mail.html, renderSms(bundled, { ...german, kind }, service)]) {
      expect(text).toContain('22. November 2026, 08:30 Uhr (UTC)');
      expect(text).toContain(german.password);
      expect(text).not.toMatch(/\{\{|\}\}|\b(?:the|your|password|sign in)\b/i);
    }
    expect(mail.html).toContain('<html lang="de">');
    const inSpanish = renderMail(bundled, { ...spanish, kind }, service);
    expect(inSpanish.text).toContain('22 de noviembre de 2026, 08:30 (UTC)');
    expect(inSpanish.html).toContain('<html lang="es">');
    expect(new Set([mail.subject, inSpanish.subject]).size).toBe(2);
  });

  test("use the operator's file for a language, and otherwise the one for all", () => {
    const directory = directoryWith({ 'initial-password.subject.txt': 'Welcome' });
    const subjectIn = (message: typeof german) =>
      renderMail(loadTemplates(directory), message, service).subject;
    expect([german, spanish].map(subjectIn)).toEqual(['Welcome', 'Welcome']);
    mkdirSync(join(directory, 'de'));
    writeFileSync(join(directory, 'de/initial-password.subject.txt'), 'Willkommen');
    expect([german, spanish].map(subjectIn)).toEqual(['Willkommen', 'Welcome']);
  });

  test('are all checked at the start', () => {
    const directory = directoryWith({});
    mkdirSync(join(directory, 'es'));
    writeFileSync(join(directory, 'es/reset-password.txt'), 'Hola {{nombre}}');
    expect(refusal(directory)).toContain('/es/reset-password.txt uses {{nombre}}, but');
  });
});

describe('values', () => {
  const odd = aPasswordMessage({
    user: {
      name: '<script>alert("1")</script> & Søn 👩🏽‍🚀',
      username: 'ada',
      employeeID: 'E1001',
      signInName: 'ada',
    },
    password: `<b>&"'`,
  });

  test('are escaped in HTML', () => {
    const { html } = renderMail(bundled, odd, {
      ...service,
      serviceUrl: 'https://people.example.com/?a=1&b="2"',
    });
    expect(html).toContain('&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; Søn 👩🏽‍🚀');
    expect(html).toContain('&lt;b&gt;&amp;&quot;&#39;');
    expect(html).toContain('href="https://people.example.com/?a=1&amp;b=&quot;2&quot;"');
    expect(html).not.toContain('<script');
  });

  test('are not escaped in plain text', () => {
    const { text } = renderMail(bundled, odd, service);
    expect(text).toContain('Hello <script>alert("1")</script> & Søn 👩🏽‍🚀,');
    expect(text).toContain(`\n<b>&"'\n`);
    expect(renderSms(bundled, odd, service)).toContain(`\n<b>&"'\n`);
  });

  test.each(['{{password}}', '{{#username}}', '{{/username}}', '$&', '$1', '{{'])(
    'are not parsed as templates: %s',
    (name) => {
      const message = aPasswordMessage({
        user: { name, username: 'ada', employeeID: 'E1001', signInName: 'ada' },
      });
      expect(renderMail(bundled, message, service).text).toContain(`Hello ${name},\n`);
    },
  );

  test('cannot add lines', () => {
    expect(rendered('Hello {{name}}.', { name: 'Ada\r\n\r\nPS: send money\u2028now' })).toBe(
      'Hello Ada PS: send money now.',
    );
  });

  test('leave the password unchanged, including spaces', () => {
    const message = aPasswordMessage({ password: '  a\tb  ' });
    expect(renderMail(bundled, message, service).text).toContain('\n  a\tb  \n');
  });

  test('are on one line in the subject, so that a name cannot add headers', () => {
    const templates = loadTemplates(
      directoryWith({ 'initial-password.subject.txt': '\n Welcome,\n {{name}} \n\n' }),
    );
    const user = {
      name: 'Ada\r\nBcc: eve@example.com\u0000\u0085x',
      username: null,
      employeeID: 'E1',
      signInName: 'E1',
    };
    const { subject } = renderMail(templates, aPasswordMessage({ user }), service);
    expect(subject).toBe('Welcome, Ada Bcc: eve@example.com x');
  });
});

describe('sections', () => {
  test('are included if the value is present', () => {
    const template = '{{#username}}as {{username}}{{/username}}{{^username}}nameless{{/username}}';
    expect(rendered(template)).toBe('as ada');
    expect(rendered(template, { username: null })).toBe('nameless');
    expect(rendered(template, { username: '' })).toBe('nameless');
  });

  test('can be nested', () => {
    const template = '{{#name}}a{{^username}}b{{#employeeID}}c{{/employeeID}}{{/username}}d{{/name}}';
    expect(rendered(template)).toBe('ad');
    expect(rendered(template, { username: null })).toBe('abcd');
  });

  test.each(['\n', '\r\n'])('remove the whole line if they are alone on it (%j)', (end) => {
    const lines = ['one', '{{#username}}', 'two', '  {{/username}}  ', 'three', ''];
    expect(rendered(lines.join(end))).toBe(['one', 'two', 'three', ''].join(end));
    expect(rendered(lines.join(end), { username: null })).toBe(['one', 'three', ''].join(end));
  });

  test('allow spaces within the braces', () => {
    expect(rendered('{{# username }}{{ name }}{{/ username }}')).toBe('Ada Lovelace');
  });
});

describe("operator's directory", () => {
  test('overrides individual files', () => {
    const directory = directoryWith({
      'initial-password.subject.txt': 'Welcome to Acme',
      'reset-password.sms.txt': 'Acme: {{password}}\n',
      'notes.md': 'not a template {{',
    });
    const templates = loadTemplates(directory);
    const initial = aPasswordMessage();
    const reset = aPasswordMessage({ kind: 'reset-password' });
    expect(renderMail(templates, initial, service)).toEqual({
      ...renderMail(bundled, initial, service),
      subject: 'Welcome to Acme',
    });
    expect(renderSms(templates, initial, service)).toBe(renderSms(bundled, initial, service));
    expect(renderSms(templates, reset, service)).toBe(`Acme: ${reset.password}`);
    expect(renderMail(templates, reset, service)).toEqual(renderMail(bundled, reset, service));
  });

  test('can replace the HTML layout, which must have a place for the content', () => {
    const templates = loadTemplates(directoryWith({ 'layout.html': '<main>{{content}}</main>' }));
    for (const kind of kinds) {
      const { html } = renderMail(templates, aPasswordMessage({ kind }), service);
      expect(html).toMatch(/^<main><p>Hello Ada Lovelace,<\/p>.*<\/main>\n?$/s);
    }
    const message = refusal(directoryWith({ 'layout.html': '<main></main>' }));
    expect(message).toContain('/layout.html does not contain {{content}}.');
  });

  test('can contain complete HTML documents, which get no layout', () => {
    const html = '<!doctype html>\n<p>{{password}}</p>';
    const templates = loadTemplates(directoryWith({ 'initial-password.html': html }));
    const message = aPasswordMessage({ password: 'horse' });
    expect(renderMail(templates, message, service).html).toBe('<!doctype html>\n<p>horse</p>');
  });

  test('can contain files that start with a byte order mark', () => {
    const templates = loadTemplates(directoryWith({ 'initial-password.subject.txt': '\ufeffHello' }));
    expect(renderMail(templates, aPasswordMessage(), service).subject).toBe('Hello');
  });

  test('is rejected if it does not exist', () => {
    expect(refusal('/nowhere/templates')).toBe(
      'The templates directory /nowhere/templates cannot be read (ENOENT).',
    );
  });

  test('is rejected if it is a file', () => {
    const directory = directoryWith({ file: '' });
    expect(refusal(join(directory, 'file'))).toContain('cannot be read (ENOTDIR)');
  });

  test('is rejected if a template cannot be read', () => {
    const directory = temporaryDirectory();
    mkdirSync(join(directory, 'reset-password.html'));
    expect(refusal(directory)).toMatch(/reset-password\.html cannot be read \(EISDIR\)\.$/);
  });

  test('is rejected if a template is not UTF-8', () => {
    const directory = directoryWith({ 'reset-password.html': Buffer.from([0x7b, 0xff]) });
    expect(refusal(directory)).toMatch(/reset-password\.html is not UTF-8\.$/);
  });

  test('is rejected for an unknown value, with the file and the known values', () => {
    const directory = directoryWith({ 'initial-password.html': 'Hello {{firstName}} {{password}}' });
    expect(refusal(directory)).toBe(
      `The template ${directory}/initial-password.html uses {{firstName}}, but the available values are {{name}}, {{username}}, {{employeeID}}, {{signInName}}, {{serviceUrl}}, {{language}}, {{password}}, {{expiresAt}}.`,
    );
  });

  test.each([
    ['an unclosed section', '{{#username}}x {{password}}', 'does not close the section {{#username}}.'],
    ['an unclosed inverted section', '{{^name}}x {{password}}', 'does not close the section {{^name}}.'],
    [
      'a section closed twice',
      '{{password}}{{/name}}',
      'has a {{/name}} that does not match the open section',
    ],
    [
      'overlapping sections',
      '{{#name}}{{#username}}{{/name}}{{/username}}{{password}}',
      'has a {{/name}} that does not match the open section',
    ],
    ['a section for an unknown value', '{{#boss}}{{/boss}}{{password}}', 'uses {{#boss}}'],
    ['unclosed braces', '{{password}} {{name', 'has a {{ without a matching }}'],
    ['three braces', '{{{password}}}', 'uses {{{password}}'],
    ['a comment', '{{! hello }}{{password}}', 'uses {{! hello}}'],
    ['the name of an inherited property', '{{constructor}}{{password}}', 'uses {{constructor}}'],
    ['an empty tag', '{{}}{{password}}', 'uses {{}}'],
    ['no password', 'Hello {{name}}', 'does not contain {{password}}'],
  ])('is rejected for %s', (_why, source, sentence) => {
    for (const file of ['initial-password.txt', 'reset-password.sms.txt', 'reset-password.html']) {
      const message = refusal(directoryWith({ [file]: source }));
      expect(message).toContain(`/${file} `);
      expect(message).toContain(sentence);
    }
  });

  test('is rejected for a subject that contains the password', () => {
    const directory = directoryWith({ 'reset-password.subject.txt': 'Your password {{password}}' });
    expect(refusal(directory)).toContain('/reset-password.subject.txt uses {{password}}, but');
  });
});
