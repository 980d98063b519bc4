import type { ChatFormat } from '../contract/notices.js';
import type { NoticeText } from './notice-text.js';

/** The limits of Slack, less the characters that escaping adds. Teams allows more. */
const titleMaxLength = 150;
const lineMaxLength = 600;
const linesMax = 40;

/** The body of the request that posts a notice to a chat. */
export function chatPayload(format: ChatFormat, notice: NoticeText): object {
  const text = {
    ...notice,
    title: clipped(notice.title, titleMaxLength),
    lines: notice.lines.slice(0, linesMax).map((line) => clipped(line, lineMaxLength)),
  };
  if (format === 'teams') return teamsPayload(text);
  return format === 'slack' ? slackPayload(text) : { text: mrkdwn(text) };
}

function slackPayload(text: NoticeText): object {
  const section = (content: string) => ({ type: 'section', text: { type: 'mrkdwn', text: content } });
  return {
    text: mrkdwn(text),
    blocks: [
      { type: 'header', text: { type: 'plain_text', text: text.title, emoji: false } },
      ...text.lines.map((line) => section(escaped(line))),
      section(placeOf(text)),
    ],
  };
}

/** What Slack shows in notifications, and what others that read the same format show as a whole. */
function mrkdwn(text: NoticeText): string {
  return [escaped(text.title), ...text.lines.map(escaped), placeOf(text)].join('\n');
}

function placeOf({ link, open, place }: NoticeText): string {
  return link === null ? escaped(place) : `<${escaped(link)}|${escaped(open)}>`;
}

/** Otherwise a text could be a link, or a mention of everybody. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Rich text, because the other blocks of a card read their text as Markdown. */
function teamsPayload({ title, lines, link, open, place }: NoticeText): object {
  const block = (text: string, style: object = {}) => ({
    type: 'RichTextBlock',
    inlines: [{ type: 'TextRun', text, ...style }],
  });
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    fallbackText: title,
    msteams: { width: 'Full' },
    body: [
      block(title, { weight: 'Bolder', size: 'Medium' }),
      ...lines.map((line) => block(line)),
      ...(link === null ? [block(place)] : []),
    ],
    ...(link === null ? {} : { actions: [{ type: 'Action.OpenUrl', title: open, url: link }] }),
  };
  return {
    type: 'message',
    attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content }],
  };
}

function clipped(text: string, maxLength: number): string {
  const characters = [...text];
  return characters.length <= maxLength ? text : `${characters.slice(0, maxLength - 1).join('')}…`;
}
