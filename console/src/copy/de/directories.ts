import type { directoriesCopy as english } from '../en/directories.js';
import { formatNumber } from '../format.js';
import type { Translation } from '../translation.js';
import { choose, plural, users } from './plural.js';

const organizations = (count: number) => plural(count, 'Organisation', 'Organisationen');

export const directoriesCopy: Translation<typeof english> = {
  title: { organizations: 'Organisationen', tags: 'Schlagwörter' },
  searchHint: 'Name oder ID',
  empty: (kind) => (kind === 'tags' ? 'Noch keine Schlagwörter' : 'Noch keine Organisationen'),
  emptyHint: {
    organizations:
      'Organisationen zeigen, wohin Benutzer gehören, zum Beispiel zu einem Unternehmen, einer Abteilung oder einem Standort. Jede Organisation, der ein Benutzer zugeordnet ist, steht hier.',
    tags: 'Schlagwörter kennzeichnen Benutzer, die etwas gemeinsam haben, zum Beispiel Ersthelfer oder Teilzeitkräfte. Jedes Schlagwort, das einem Benutzer zugewiesen ist, steht hier.',
  },
  name: 'Name',
  id: 'ID',
  addName: 'Namen hinzufügen',
  addNameTo: (id) => `Namen hinzufügen: ${id}`,
  partsOf: (name) => `Untergeordnete Organisationen von ${name}`,
  path: (names) => names.join(' › '),
  users: 'Benutzer',
  activeUsers: 'Aktive Benutzer',
  actions: 'Aktionen',
  actionsFor: (name) => `Aktionen für ${name}`,
  usersOf: (name, count) => `${name}: ${users(count)}`,
  usersWithParts: 'Mit untergeordneten',
  usersWithPartsOf: (name, count) =>
    `Benutzer von ${name} mit untergeordneten Organisationen: ${formatNumber(count)} insgesamt`,
  withPartsShort: (count) => `${formatNumber(count)} insgesamt`,
  activeUsersOf: (name, count) => `${name}: ${plural(count, 'aktiver Benutzer', 'aktive Benutzer')}`,
  activeShort: (count) => `${formatNumber(count)} aktiv`,

  fields: {
    displayName: 'Anzeigename',
    displayNameHint: 'Wird anstelle der ID angezeigt. Leer lassen, um die ID anzuzeigen.',
    parent: 'Gehört zu',
    parentHint: 'Die übergeordnete Organisation, falls es eine gibt.',
  },
  add: {
    action: (kind) => (kind === 'tags' ? 'Schlagwort hinzufügen' : 'Organisation hinzufügen'),
    idHint: {
      organizations: 'Wie in Ihren anderen Systemen, zum Beispiel eine Abteilungs- oder Kostenstellennummer.',
      tags: 'Wie in Ihren anderen Systemen, oder ein kurzer Code wie ERSTHELFER.',
    },
    exists: (name) => `${name} gibt es bereits.`,
    editInstead: 'Stattdessen bearbeiten',
    done: (name) => `${name} hinzugefügt.`,
    failed: (kind) =>
      kind === 'tags'
        ? 'Das Schlagwort konnte nicht hinzugefügt werden'
        : 'Die Organisation konnte nicht hinzugefügt werden',
  },
  edit: {
    action: 'Bearbeiten…',
    title: (name) => `${name} bearbeiten`,
    saved: (name) => `${name} gespeichert.`,
    failed: 'Die Änderungen konnten nicht gespeichert werden',
  },
  remove: {
    action: 'Löschen…',
    title: (name) => `${name} löschen?`,
    text: (kind) =>
      kind === 'tags'
        ? 'Dieses Schlagwort hat keine Benutzer. Sein Name geht verloren: Wird die ID später einem Benutzer zugewiesen, erscheint sie hier wieder ohne Namen.'
        : 'Diese Organisation hat keine Benutzer. Ihr Name geht verloren: Wird die ID später einem Benutzer zugewiesen, erscheint sie hier wieder ohne Namen.',
    parts: (names, count) => {
      const others = count - names.length;
      const listed = others === 0 ? names : [...names, `${formatNumber(others)} weitere`];
      return `${organizations(count)} ${choose(count, 'gehört', 'gehören')} dazu: ${listed.join('; ')}.`;
    },
    newParent: 'Neue übergeordnete Organisation',
    newParentHint: 'Leer lassen für keine.',
    partsLoading: 'Es wird nach untergeordneten Organisationen gesucht',
    partsNotLoaded: 'Untergeordnete Organisationen konnten nicht geprüft werden',
    confirm: 'Löschen',
    confirmWithParts: (count) => `${organizations(count)} verschieben und löschen`,
    done: (name) => `${name} gelöscht.`,
    failed: (kind) =>
      kind === 'tags'
        ? 'Das Schlagwort konnte nicht gelöscht werden'
        : 'Die Organisation konnte nicht gelöscht werden',
  },
  rename: {
    action: 'ID ändern…',
    title: (name) => `ID von ${name} ändern`,
    lead: {
      organizations:
        'Alle Benutzer dieser Organisation erhalten die neue ID. Name, Zuordnung und untergeordnete Organisationen bleiben gleich, und Sie können die Änderung rückgängig machen. Passen Sie auch Dateien und andere Systeme an, die die alte ID verwenden: Sonst entsteht daraus wieder eine eigene Organisation.',
      tags: 'Alle Benutzer mit diesem Schlagwort erhalten die neue ID. Der Name bleibt gleich, und Sie können die Änderung rückgängig machen. Passen Sie auch Dateien und andere Systeme an, die die alte ID verwenden: Sonst entsteht daraus wieder ein eigenes Schlagwort.',
    },
    currentId: 'Aktuelle ID',
    newId: 'Neue ID',
    sameId: 'Das ist die aktuelle ID.',
    taken: (name) => `${name} hat diese ID bereits.`,
    takenNoName: (kind) =>
      kind === 'tags'
        ? 'Ein anderes Schlagwort hat diese ID bereits.'
        : 'Eine andere Organisation hat diese ID bereits.',
    mergeInstead: 'Um beide zu vereinen, verwenden Sie',
    summary: (from, to) => `Die ID ändert sich von ${from} in ${to}.`,
    confirm: (count) =>
      count === 0 ? 'ID ändern' : `ID bei ${users(count)}${choose(count, '', 'n')} ändern`,
    done: 'Die ID wurde geändert.',
  },
  merge: {
    action: 'Zusammenführen mit…',
    title: (kind, name) =>
      kind === 'tags'
        ? `${name} mit einem anderen Schlagwort zusammenführen`
        : `${name} mit einer anderen Organisation zusammenführen`,
    lead: {
      organizations:
        'Alle Benutzer dieser Organisation wechseln in die, die Sie auswählen. Sonst ändert sich für sie nichts, und Sie können die Änderung rückgängig machen. Diese Organisation bleibt ohne Benutzer in der Liste, bis Sie sie löschen, und behält ihre untergeordneten Organisationen.',
      tags: 'Alle Benutzer mit diesem Schlagwort erhalten stattdessen das, das Sie auswählen. Sonst ändert sich für sie nichts, und Sie können die Änderung rückgängig machen. Dieses Schlagwort bleibt ohne Benutzer in der Liste, bis Sie es löschen.',
    },
    into: 'Zusammenführen mit',
    summary: {
      organizations: (from, to) => `Alle Benutzer von ${from} wechseln zu ${to}.`,
      tags: (from, to) =>
        `Alle Benutzer mit ${from} erhalten stattdessen ${to}. Wer beide hat, verliert nur ${from}.`,
    },
    confirm: {
      organizations: (count) => `${users(count)} verschieben`,
      tags: (count) => `${users(count)} ändern`,
    },
    oldStays: (from) =>
      `${from} bleibt ohne Benutzer in der Liste, damit Sie dies rückgängig machen können. Löschen Sie den Eintrag, sobald Sie ihn nicht mehr benötigen.`,
  },
};
