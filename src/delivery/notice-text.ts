import type { Language } from '../contract/enums.js';
import type { NoticeContent } from '../domain/notices/notices.js';
import { german } from './notice-texts/de.js';
import { english } from './notice-texts/en.js';
import { spanish } from './notice-texts/es.js';
import type { NoticeBody, NoticeDetails, NoticeTexts } from './notice-texts/texts.js';

const languages: Readonly<Record<Language, NoticeTexts>> = { en: english, de: german, es: spanish };

/** A notice in the language of its reader. */
export interface NoticeText extends NoticeBody {
  /** Where to look in the console, as its navigation calls it. */
  readonly place: string;
  /** The page of the console; null if nobody knows where the console is. */
  readonly link: string | null;
  /** What the link says. */
  readonly open: string;
}

interface TextOptions extends Omit<NoticeDetails, 'style'> {
  readonly language: Language;
  readonly timeZone: string;
  /** Where the console is; undefined if it isn't configured. */
  readonly consoleUrl: string | undefined;
}

export function noticeText(
  content: NoticeContent,
  { language, timeZone, more, people, consoleUrl }: TextOptions,
): NoticeText {
  const texts = languages[language];
  const { path, place } = pageOf(content);
  return {
    ...bodyOf(texts, content, { more, people, style: { language, timeZone } }),
    place: texts.places[place],
    link: consoleUrl === undefined ? null : `${consoleUrl.replace(/\/+$/, '')}${path}`,
    open: texts.open,
  };
}

function bodyOf(texts: NoticeTexts, { topic, facts }: NoticeContent, details: NoticeDetails): NoticeBody {
  // TypeScript doesn't relate the function of a topic to its facts, which NoticeContent does.
  const write = texts[topic] as (facts: unknown, details: NoticeDetails) => NoticeBody;
  return write(facts, details);
}

/** Where the reader can do something about it. */
function pageOf(content: NoticeContent): {
  readonly path: string;
  readonly place: keyof NoticeTexts['places'];
} {
  switch (content.topic) {
    case 'feedFailed':
    case 'feedStopped': {
      const { feed, run } = content.facts;
      return {
        path: `/feeds/${encodeURIComponent(feed.id)}/runs/${encodeURIComponent(run.id)}`,
        place: 'feeds',
      };
    }
    case 'feedDigest':
      return { path: '/feeds', place: 'feeds' };
    case 'callApproval':
    case 'callDecided':
      return { path: `/activity/calls/${content.facts.call.id}`, place: 'calls' };
    case 'webhookDisabled':
      return { path: '/settings/webhooks', place: 'webhooks' };
    case 'scimTargetFailing':
      return { path: '/settings/targets', place: 'targets' };
    case 'scimDeactivationLimit': {
      const { clientId } = content.facts.provider;
      return { path: `/settings/provisioning/${encodeURIComponent(clientId)}`, place: 'provisioning' };
    }
    case 'backupFailed':
      return { path: '/system/status', place: 'status' };
  }
}
