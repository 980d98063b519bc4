import type { outageCopy as english } from '../en/outage.js';
import type { Translation } from '../translation.js';

export const outageCopy: Translation<typeof english> = {
  waiting: 'Der Dienst ist nicht erreichbar. Die Verbindung wird wiederhergestellt…',
  pageFailed: 'Diese Seite konnte nicht angezeigt werden',
  pageFailedHint: 'Laden Sie die Seite neu. Wenn das nicht hilft, informieren Sie Ihren Administrator.',
  reload: 'Seite neu laden',
  notFoundHint: 'Der Link ist möglicherweise falsch, oder die Seite wurde verschoben.',
  toStart: 'Zur Startseite',
};
