import { readableTime } from '../readable-time.js';
import { countsText, type NoticeTexts, numbersIn, rowsNamed } from './texts.js';

const { number, plural } = numbersIn('es');

const countLabels = {
  rows: 'filas',
  created: 'creados',
  rehired: 'reincorporados',
  updated: 'modificados',
  renamed: 'con número de empleado nuevo',
  reactivated: 'reactivados',
  deactivated: 'desactivados',
  failed: 'con error',
};

const callKinds = {
  'create-bulk': 'crea usuarios',
  'update-bulk': 'modifica usuarios',
  'upsert-bulk': 'crea y modifica usuarios',
  'update-matching': 'modifica los usuarios que coinciden con un filtro',
  'rename-organization': 'cambia el nombre de una organización',
  'merge-organization': 'combina organizaciones',
  'rename-tag': 'cambia el nombre de una etiqueta',
  'merge-tag': 'combina etiquetas',
  'delete-attribute': 'elimina un atributo',
  'erase-bulk': 'borra usuarios definitivamente',
  undo: 'deshace una operación anterior',
};

const time = (text: string) => readableTime(new Date(text), 'es');

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
  callApproval: ({ call, effectiveAt }) => ({
    title: 'Una operación masiva espera aprobación',
    lines: [
      `Una operación masiva que ${callKinds[call.kind]} espera aprobación. Tiene ${plural(call.items, 'elemento', 'elementos')} y todavía no ha cambiado nada.`,
      effectiveAt === null
        ? 'Se ejecutará en cuanto se apruebe.'
        : `Una vez aprobada, se ejecutará en este momento: ${time(effectiveAt)}.`,
      'Conviene revisar la vista previa y, después, aprobar o cancelar la operación.',
    ],
  }),
  webhookDisabled: ({ webhook }, more) => ({
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
  scimTargetFailing: ({ target, isPaused }, more) => {
    const state = isPaused ? 'Se ha pausado un destino SCIM' : 'Un destino SCIM no funciona';
    return {
      title: more === 0 ? state : `${number(more + 1)} destinos SCIM no funcionan`,
      lines: [
        isPaused
          ? `Rollcall ya no envía usuarios a «${target.name}», porque el destino ha fallado durante días.`
          : `Desde hace cerca de una hora, Rollcall no puede enviar usuarios a «${target.name}». Lo sigue intentando.`,
        ...(more > 0
          ? [
              more === 1
                ? 'Tampoco funciona otro destino.'
                : `Tampoco funcionan otros ${number(more)} destinos.`,
            ]
          : []),
        isPaused
          ? 'La lista de destinos muestra el error. Cuando el destino funcione, se puede reanudar: continuará donde se detuvo.'
          : 'La lista de destinos muestra el error y qué hacer.',
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
  backupFailed: ({ at }, more) => ({
    title: 'Ha fallado una copia de seguridad programada',
    lines: [
      `La copia de seguridad programada ha fallado. Momento: ${time(at)}.`,
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
    calls: 'Actividad → Operaciones masivas',
    webhooks: 'Configuración → Webhooks',
    targets: 'Configuración → Aprovisionamiento saliente',
    provisioning: 'Configuración → Aprovisionamiento (SCIM)',
    status: 'Configuración → Estado',
  },
  open: 'Abrir en Rollcall',
};
