import type { importReviewCopy as english } from '../en/import-review.js';
import { formatNumber } from '../format.js';
import type { Translation } from '../translation.js';
import { choose, plural, users } from './plural.js';

export const importReviewCopy: Translation<typeof english> = {
  otherName: (row) =>
    `La fila ${formatNumber(row)} tiene el mismo número de empleado, pero otro nombre. Hay que corregir una de las dos u omitir una.`,
  unusualID: (digits, usual) =>
    `Este número de empleado tiene ${choose(digits, 'solo una cifra', `${formatNumber(digits)} cifras`)}. Lo habitual son ${formatNumber(usual)}.`,
  emailTaken: 'Otro usuario tiene este correo electrónico:',
  phoneWithoutDigits: 'Este número de teléfono no contiene cifras.',
  incompleteEmail: 'Este correo electrónico parece incompleto: al final falta algo como «.com».',
  formerID: 'Este es un número de empleado anterior. El usuario que lo tenía ahora tiene otro:',
  formerIDs: (from, to, count) =>
    `${plural(count, 'fila tiene', 'filas tienen')} un número de empleado anterior, como ${from}, que ahora es ${to}.`,
  currentIDsFix: (count) => `Usar los números de empleado actuales en ${plural(count, 'fila', 'filas')}`,
  rowsForUsers: (rows, count) => `Se envían ${plural(rows, 'fila', 'filas')}, que cambian ${users(count)}.`,
  restored: {
    text: (file, time, edits) =>
      edits === 0
        ? `Restaurado: ${file}, tal como quedó el ${time}.`
        : `Restaurado: ${file} con ${plural(edits, 'cambio', 'cambios')}, tal como quedó el ${time}.`,
    where:
      'Solo lo conserva este navegador, hasta que termine la importación o se cierre la sesión, un día como máximo.',
    discard: 'Descartar esta importación',
  },
  replace: {
    title: (heading) => `Buscar y reemplazar en «${heading}»`,
    find: 'Buscar',
    replaceWith: 'Reemplazar por',
    wholeCell: 'Solo si es la celda completa',
    found: (count) => `Encontrado en ${plural(count, 'fila', 'filas')}.`,
    confirm: (count) => `Reemplazar en ${plural(count, 'fila', 'filas')}`,
    failed: 'No se pudo reemplazar el texto',
  },
  emailOfRow: (name, row) => `${name}, en la fila ${formatNumber(row)}, tiene el mismo correo electrónico.`,
  lostZeros: (digits, from, count) =>
    choose(
      count,
      `¿Ha quitado una hoja de cálculo los ceros iniciales? Los números de empleado suelen tener ${plural(digits, 'cifra', 'cifras')}, pero el archivo contiene ${from}.`,
      `¿Ha quitado una hoja de cálculo los ceros iniciales? Los números de empleado suelen tener ${plural(digits, 'cifra', 'cifras')}, pero en ${plural(count, 'fila', 'filas')} hay menos, como ${from}.`,
    ),
  wrongColumn: (heading, count) =>
    `${plural(count, 'fila no es válida', 'filas no son válidas')} por la columna «${heading}». La importación puede prescindir de ella.`,
  lastNameFirst: (from, count) =>
    choose(
      count,
      `En «${from}», el apellido va delante.`,
      `En ${plural(count, 'nombre', 'nombres')}, como «${from}», el apellido va delante.`,
    ),
  lastNameFirstFix: (to, count) =>
    choose(count, `Cambiarlo por «${to}»`, `Invertir ${plural(count, 'nombre', 'nombres')}: «${to}»`),
  spacedIDs: (from, count) =>
    choose(
      count,
      `El número de empleado «${from}» contiene un espacio.`,
      `${plural(count, 'número de empleado contiene', 'números de empleado contienen')} espacios, como «${from}».`,
    ),
  spacedIDsFix: (to, count) =>
    choose(
      count,
      `Quitar el espacio: ${to}`,
      `Quitar los espacios en ${plural(count, 'fila', 'filas')}: ${to}`,
    ),
  skipColumn: (heading) => `Omitir la columna «${heading}»`,
  fields: {
    title: 'Qué cambia',
    line: (field, text) => `${field}: ${text}`,
    users,
    newOrganizations: (count, names) =>
      `${plural(count, 'organización nueva', 'organizaciones nuevas')} (${names})`,
    newTags: (count, names) => `${plural(count, 'etiqueta nueva', 'etiquetas nuevas')} (${names})`,
  },
  andMore: (count) => `${formatNumber(count)} más`,
  confirm: {
    title: (count) => `¿Importar ${users(count)}?`,
    numbers: 'Qué hace la importación',
    kinds: {
      created: (count) => `Se ${choose(count, 'crea', 'crean')} ${users(count)}.`,
      updated: (count) => `Se ${choose(count, 'modifica', 'modifican')} ${users(count)}.`,
      renamed: (count) => `${users(count)} ${choose(count, 'recibe', 'reciben')} otro número de empleado.`,
      deactivated: (count) => `Se ${choose(count, 'desactiva', 'desactivan')} ${users(count)}.`,
      reactivated: (count) => `Se ${choose(count, 'reactiva', 'reactivan')} ${users(count)}.`,
    },
    passwords: {
      now: (count) =>
        `Se ${choose(count, 'envía', 'envían')} ${plural(count, 'contraseña', 'contraseñas')} por correo electrónico o SMS.`,
      hold: (count) =>
        `Se ${choose(count, 'retiene', 'retienen')} ${plural(count, 'contraseña', 'contraseñas')} hasta que un administrador ${choose(count, 'la', 'las')} libere.`,
    },
    inactive: (count) =>
      `${plural(count, 'usuario inactivo recibirá', 'usuarios inactivos recibirán')} la contraseña solo cuando se ${choose(count, 'active', 'activen')}.`,
    leftOut: (count) =>
      `Se ${choose(count, 'omite', 'omiten')} ${plural(count, 'fila no válida', 'filas no válidas')}.`,
    deactivation:
      'Al desactivar usuarios, se cierra su sesión y pierden sus roles. Si se deshace la importación, vuelven a estar activos, pero no recuperan sus roles.',
    renaming: 'Los usuarios sin nombre de usuario inician sesión con el nuevo número de empleado.',
    cannotRecall: 'Los mensajes con contraseñas no se pueden retirar una vez enviados.',
    now: 'La importación se ejecuta de inmediato.',
    onDate: (day) => `La importación se ejecuta el ${day}.`,
    afterApproval: 'La importación se ejecuta cuando otra persona la apruebe.',
    afterApprovalFrom: (day) =>
      `La importación se ejecuta cuando otra persona la apruebe, no antes del ${day}.`,
    start: { now: 'Iniciar importación', date: 'Programar importación', approval: 'Solicitar aprobación' },
    failed: 'No se pudo iniciar la importación',
  },
  result: {
    done: (count) => `Importación hecha: ${users(count)}.`,
    kinds: (kinds) => `${kinds}.`,
    kind: {
      created: (count) => plural(count, 'nuevo', 'nuevos'),
      updated: (count) => plural(count, 'modificado', 'modificados'),
      renamed: (count) => `${formatNumber(count)} con otro número de empleado`,
      deactivated: (count) => plural(count, 'desactivado', 'desactivados'),
      reactivated: (count) => plural(count, 'reactivado', 'reactivados'),
    },
    failed: (count) => choose(count, '1 fila falló.', `${plural(count, 'fila', 'filas')} fallaron.`),
    leftOut: (count) =>
      `Se ${choose(count, 'omitió', 'omitieron')} ${plural(count, 'fila no válida', 'filas no válidas')}.`,
    held: (count) =>
      choose(
        count,
        '1 mensaje con contraseña está retenido y no se ha enviado.',
        `${plural(count, 'mensaje', 'mensajes')} con contraseña están retenidos y no se han enviado.`,
      ),
    release: 'Ver y liberar',
    parts: (count) =>
      `Las filas se enviaron en ${plural(count, 'parte', 'partes')}, porque el servicio solo admite cierta cantidad a la vez.`,
    call: (succeeded, failed) =>
      `${plural(succeeded, 'fila correcta', 'filas correctas')}, ${formatNumber(failed)} con error`,
    plannedCall: (planned, failed) =>
      `${plural(planned, 'fila programada', 'filas programadas')}, ${formatNumber(failed)} con error`,
  },
  language: (language) =>
    `Los mensajes a los usuarios nuevos están en el idioma de esta instalación: ${language}. Mientras una contraseña esté retenida, se puede elegir otro idioma en los datos del usuario.`,
  lostLetters:
    'Parece que en este nombre se han perdido letras. Hay que corregirlo, o volver a guardar el archivo como libro de Excel (.xlsx) o como CSV UTF-8.',
};
