import type { userPageCopy as english, userLanguageCopy as englishLanguage } from '../en/user-page.js';
import { formatNumber } from '../format.js';
import type { Translation } from '../translation.js';
import { choose, plural } from './plural.js';

export const userPageCopy: Translation<typeof english> = {
  tabsLabel: 'Secciones',
  tabs: { details: 'Datos', chart: 'Organigrama', history: 'Historial' },
  unsaved: 'sin guardar',
  changeRole: 'Cambiar el rol…',
  copyEmployeeId: (employeeID) => `Copiar el número de empleado ${employeeID}`,
  copySerial: 'Copiar el ID permanente',
  copy: 'Copiar',
  copied: 'Copiado',
  noOrganization: 'Sin organización',
  reportsTo: 'Depende de',
  removedManager: 'un usuario eliminado',
  chart: {
    managers: 'Responsables, desde arriba',
    reports: (count, isMore) =>
      isMore
        ? `Más de ${formatNumber(count)} personas a su cargo`
        : choose(count, '1 persona a su cargo', `${formatNumber(count)} personas a su cargo`),
    moreManagers: (count) => `… ${formatNumber(count)} más arriba`,
    fewerManagers: 'Mostrar menos responsables',
    reportsOf: (name, reports) => `${name}: ${reports}`,
    noReports: (name) => `Nadie depende de ${name}.`,
    noManager: (name) => `${name} no tiene responsable.`,
    all: 'Ver todas en una lista',
    notLoaded: 'No se pudo cargar el organigrama',
  },
  lastSignIn: 'Último inicio de sesión',
  neverSignedIn: 'Ninguno registrado',
  signsInWith: 'Inicia sesión con',
  viewUser: (name) => `Ver a ${name}`,
  changedBy: 'Modificado por:',
  erased: 'Este usuario se borró definitivamente',
  erasedHint: (at) =>
    at === undefined
      ? 'Se eliminaron sus datos personales. Solo se conserva cuándo hubo cambios.'
      : `Sus datos personales se eliminaron el ${at}. Solo se conserva cuándo hubo cambios.`,
  failedMessage: {
    title: 'No se pudo entregar el último mensaje con una contraseña',
    correct: { email: 'Ir al correo electrónico', phone: 'Ir al teléfono' },
  },
  timeline: {
    filter: 'Mostrar',
    filters: {
      all: 'Todo',
      changes: 'Datos',
      roles: 'Rol',
      messages: 'Mensajes',
      access: 'Inicios de sesión y acceso',
    },
    today: 'Hoy',
    yesterday: 'Ayer',
    empty: {
      all: 'Aún no hay nada registrado.',
      changes: 'No hay cambios de datos registrados.',
      roles: 'El rol no se ha cambiado nunca.',
      messages: 'No se ha enviado ningún mensaje a este usuario.',
      access: 'No hay inicios de sesión registrados.',
    },
    more: 'Mostrar entradas anteriores',
    complete: (count) => choose(count, 'Es la única entrada registrada.', 'No hay más entradas registradas.'),
    notLoaded: 'No se pudo cargar el historial',
    by: 'Hecho por:',
    address: (address) => `desde ${address}`,
    attempts: (count) => plural(count, 'intento', 'intentos'),
    sentAt: (time) => `enviado el ${time}`,
    nextAttempt: (time) => `próximo intento: ${time}`,
    titles: {
      created: 'Creado',
      updated: 'Modificado',
      renamed: 'Número de empleado cambiado',
      deactivated: 'Desactivado',
      reactivated: 'Reactivado',
      role: 'Rol cambiado',
      rehired: 'Reincorporado',
      deleted: 'Eliminado',
      erased: 'Borrado definitivamente',
    },
    someCall: 'Cambio masivo',
    call: (kind, source) => (source === null ? `Cambio masivo: ${kind}` : `${kind}: ${source}`),
  },
};

export const userLanguageCopy: Translation<typeof englishLanguage> = {
  label: 'Idioma de los mensajes',
  hint: 'Las contraseñas y los avisos se envían en este idioma.',
  standard: (language) => `Predeterminado (${language})`,
  done: (name, language) => `Idioma de los mensajes a ${name}: ${language}.`,
  notLoaded: 'No se pudo cargar el idioma',
  failed: 'No se pudo cambiar el idioma',
};
