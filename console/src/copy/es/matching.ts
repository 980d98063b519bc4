import type { matchingCopy as english } from '../en/matching.js';
import { formatNumber } from '../format.js';
import type { Translation } from '../translation.js';
import { choose, users } from './plural.js';

export const matchingCopy: Translation<typeof english> = {
  preview: 'Vista previa',
  filters: (count) =>
    choose(count, 'Usuarios que cumplen este filtro:', 'Usuarios que cumplen todos estos filtros:'),
  loading: 'Comprobando qué cambiaría…',
  cannotPreview: 'No se pudo obtener la vista previa',
  failed: 'No se pudo hacer el cambio',
  tooMany: (limit) =>
    `Coinciden más de ${users(limit)}, el máximo que se puede modificar de una vez. Hay que añadir filtros y modificarlos por partes.`,
  numberChanged: (before, now) =>
    `El número de usuarios ha pasado de ${formatNumber(before)} a ${formatNumber(now)}, así que no se ha hecho nada. Hay que revisar la nueva vista previa y volver a confirmar.`,
  willChange: (count) => `${users(count)} ${choose(count, 'cambiará', 'cambiarán')}.`,
  willStay: (count) => `${users(count)} no ${choose(count, 'necesita', 'necesitan')} cambios.`,
  willFail: (count) => `${users(count)} no se ${choose(count, 'puede', 'pueden')} modificar.`,
  nothing: 'No cambiaría ningún usuario.',
  typeToConfirm: (count) => `Para confirmar, escribir ${count}`,
  confirm: (count) => `Modificar ${users(count)}`,
  doneTitle: 'Listo',
  changed: (count) => `${users(count)} ${choose(count, 'modificado', 'modificados')}.`,
  stayed: (count) => `${users(count)} no ${choose(count, 'necesitaba', 'necesitaban')} cambios.`,
  didFail: (count) => `${users(count)} no se ${choose(count, 'pudo', 'pudieron')} modificar.`,
  nothingDone: 'No se ha modificado ningún usuario.',
  failuresTitle: { preview: 'No se pueden modificar', done: 'Sin modificar' },
  failuresTable: 'Usuarios que no se pueden modificar',
  reason: 'Motivo',
  changesTitle: 'Cambios',
  changesTable: 'Usuarios que cambian',
  fields: 'Antes → después',
  undo: 'Deshacer…',
  viewCall: 'Ver en Actividad',
};
