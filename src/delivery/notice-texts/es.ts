import { importNoteText } from '#sheets';
import type { NoticeFacts } from '../../domain/notices/notices.js';
import { readableTime } from '../readable-time.js';
import {
  countsText,
  effectsText,
  type NoticeDetails,
  type NoticeTexts,
  namesText,
  numbersIn,
  rowsNamed,
  type Start,
  startOf,
  withoutStop,
} from './texts.js';

const { number, plural } = numbersIn('es');

const countLabels = {
  rows: 'filas',
  created: 'nuevos',
  rehired: 'reincorporados',
  updated: 'modificados',
  renamed: 'con número de empleado nuevo',
  reactivated: 'reactivados',
  deactivated: 'desactivados',
  failed: 'con error',
};

const users = (count: number) => plural(count, 'usuario', 'usuarios');
const does = {
  created: (count: number) => `crear ${users(count)}`,
  rehired: (count: number) => `reincorporar ${users(count)}`,
  deactivated: (count: number) => `desactivar ${users(count)}`,
  reactivated: (count: number) => `reactivar ${users(count)}`,
  renumbered: (count: number) => `cambiar el número de empleado de ${users(count)}`,
  updated: (count: number) => `modificar datos de ${users(count)}`,
  deleted: (count: number) => `eliminar ${users(count)}`,
};

/** When a call takes effect, as part of a title and in sentences. */
function timing(start: Start | undefined) {
  if (start?.lastDay) {
    const days = `activos hasta el final del ${start.lastDay} y estarán inactivos desde el ${start.day}.`;
    return {
      when: `, último día de trabajo ${start.lastDay}`,
      asked: `Una vez aprobado, seguirán ${days}`,
      approved: `Seguirán ${days}`,
    };
  }
  if (!start) {
    return {
      when: '',
      asked: 'El cambio masivo se ejecutará en cuanto se apruebe.',
      approved: 'El cambio masivo se ejecutará ahora.',
    };
  }
  const at = start.day ? `al comienzo del ${start.day}` : `el ${start.time}`;
  return {
    when: ` el ${start.day ?? start.time}`,
    asked: `Una vez aprobado, el cambio masivo se ejecutará ${at}.`,
    approved: `El cambio masivo se ejecutará ${at}.`,
  };
}

const leftOut = (count: number) => plural(count, 'fila no válida omitida', 'filas no válidas omitidas');

/** What a call does, to whom and when. */
function callParts(facts: NoticeFacts['callApproval'], { people, style }: NoticeDetails) {
  const { call, effects } = facts;
  const what =
    effectsText(effects, does, 'es') || `hacer un cambio masivo de ${plural(call.items, 'fila', 'filas')}`;
  const others = (count: number) => plural(count, 'persona más', 'personas más');
  const names = namesText(people?.users ?? [], effects, { language: 'es', others });
  const { when, ...effect } = timing(startOf(facts, style));
  return {
    what: `${what}${when}`,
    whom: names === '' ? what : `${what}: ${names}`,
    note: people?.note ? [`Nota: ${withoutStop(importNoteText(people.note, leftOut))}.`] : [],
    ...effect,
  };
}

function rowsLine(rowNumbers: readonly number[] = []): string[] {
  if (rowNumbers.length === 0) return [];
  const { list, beyond } = rowsNamed(rowNumbers);
  const row = rowNumbers.length === 1 ? 'Fila afectada' : 'Filas afectadas';
  return [`${row}: ${list}${beyond > 0 ? ` y ${number(beyond)} más` : ''}.`];
}

export const spanish: NoticeTexts = {
  feedFailed: ({ feed, counts, reasons, rowNumbers }) => ({
    title: `Error en el feed «${feed.name}»`,
    lines: [
      `Una ejecución del feed «${feed.name}» ha fallado.`,
      ...reasons,
      ...countsText(counts, countLabels, number),
      ...rowsLine(rowNumbers),
    ],
  }),
  feedStopped: ({ feed, counts, reasons, rowNumbers }) => ({
    title: `El feed «${feed.name}» espera aprobación`,
    lines: [
      `Una ejecución del feed «${feed.name}» se ha detenido antes de cambiar nada.`,
      ...reasons,
      ...countsText(counts, countLabels, number),
      ...rowsLine(rowNumbers),
      'Conviene revisar lo que cambiaría y, después, aprobar o cancelar la ejecución.',
    ],
  }),
  feedDigest: ({ feeds }) => ({
    title: 'Resumen de los feeds',
    lines: feeds.map(({ name, runs, counts, state }) =>
      [
        `${name}: ${runs === 0 ? 'ninguna ejecución' : plural(runs, 'ejecución', 'ejecuciones')}.`,
        ...countsText(counts, countLabels, number),
        ...(state === 'failed' ? ['La última ejecución ha fallado.'] : []),
        ...(state === 'stopped' ? ['La última ejecución espera aprobación.'] : []),
      ].join(' '),
    ),
  }),
  callApproval: (facts, details) => {
    const { what, whom, note, asked } = callParts(facts, details);
    const author = details.people?.author;
    return {
      title: author ? `${author} solicita aprobación: ${what}` : `Se necesita aprobación: ${what}`,
      lines: [
        `${author ?? 'Alguien'} quiere ${whom}.`,
        ...(facts.call.kind === 'undo' ? ['Así se deshace un cambio masivo anterior.'] : []),
        ...note,
        'Todavía no ha cambiado nada.',
        asked,
        'Conviene revisar la vista previa y, después, aprobar o rechazar el cambio masivo.',
      ],
    };
  },
  callDecided: (facts, details) => {
    const { what, whom, approved } = callParts(facts, details);
    const { decider, cancelReason } = details.people ?? {};
    const [verb, state] = facts.isApproved ? ['ha aprobado', 'aprobada'] : ['ha rechazado', 'rechazada'];
    return {
      title: decider ? `${decider} ${verb} la solicitud: ${what}` : `Solicitud ${state}: ${what}`,
      lines: [
        `${decider ?? 'Alguien'} ${verb} la solicitud de ${whom}.`,
        ...(cancelReason ? [`Motivo: ${withoutStop(cancelReason)}.`] : []),
        facts.isApproved
          ? approved
          : 'No ha cambiado nada. Si el cambio sigue siendo necesario, hay que programarlo de nuevo.',
      ],
    };
  },
  webhookDisabled: ({ webhook }, { more }) => ({
    title: more === 0 ? 'Se ha desactivado un webhook' : `Se han desactivado ${number(more + 1)} webhooks`,
    lines: [
      `Rollcall ya no envía eventos al webhook de ${webhook.host}: el receptor ha fallado durante demasiado tiempo o ha respondido que ya no existe.`,
      ...(more > 0
        ? [
            more === 1
              ? 'Lo mismo ha ocurrido con otro webhook.'
              : `Lo mismo ha ocurrido con otros ${number(more)} webhooks.`,
          ]
        : []),
      'La lista de webhooks muestra el error. Cuando el receptor funcione, se puede activar el webhook: continuará donde se detuvo.',
    ],
  }),
  scimTargetFailing: ({ target, isPaused }, { more }) => {
    const state = isPaused
      ? 'Se ha pausado el envío de usuarios a un servicio'
      : 'No funciona el envío de usuarios a un servicio';
    return {
      title: more === 0 ? state : `No funciona el envío de usuarios a ${number(more + 1)} servicios`,
      lines: [
        isPaused
          ? `Rollcall ya no envía usuarios a «${target.name}», porque el servicio ha fallado durante días.`
          : `Desde hace cerca de una hora, Rollcall no puede enviar usuarios a «${target.name}». Lo sigue intentando.`,
        ...(more > 0
          ? [
              more === 1
                ? 'También está afectado otro servicio.'
                : `También están afectados otros ${number(more)} servicios.`,
            ]
          : []),
        isPaused
          ? 'La lista de servicios muestra el error. Cuando el servicio funcione, se puede reanudar la conexión: continuará donde se detuvo.'
          : 'La lista de servicios muestra el error y qué hacer.',
      ],
    };
  },
  scimDeactivationLimit: ({ provider, limit }) => ({
    title: 'Un proveedor de identidad ha alcanzado su límite de desactivaciones',
    lines: [
      `«${provider.name}» ha desactivado ${plural(limit, 'usuario', 'usuarios')} en 24 horas, el máximo permitido. Rollcall rechaza más desactivaciones de este proveedor.`,
      'Conviene comprobar si alguien ha quitado asignaciones por error. Si las desactivaciones son intencionadas, se pueden permitir más en la página del proveedor.',
    ],
  }),
  backupFailed: ({ at }, { more, style }) => ({
    title: 'Ha fallado una copia de seguridad programada',
    lines: [
      `La copia de seguridad programada ha fallado. Momento: ${readableTime(new Date(at), style)}.`,
      ...(more > 0
        ? [
            more === 1
              ? 'Después ha fallado otra copia.'
              : `Después han fallado otras ${number(more)} copias.`,
          ]
        : []),
      'Rollcall sigue intentándolo y registra cada error. No habrá más avisos hasta que una copia se complete.',
    ],
  }),
  places: {
    feeds: 'Feeds',
    calls: 'Actividad → Cambios masivos',
    webhooks: 'Configuración → Webhooks',
    targets: 'Configuración → Enviar usuarios (SCIM)',
    provisioning: 'Configuración → Recibir usuarios (SCIM)',
    status: 'Configuración → Estado',
  },
  open: 'Abrir en Rollcall',
};
