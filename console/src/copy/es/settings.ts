import type { settingsCopy as english } from '../en/settings.js';
import { formatNumber } from '../format.js';
import type { Translation } from '../translation.js';
import { plural } from './plural.js';

export const settingsCopy: Translation<typeof english> = {
  title: 'Configuración',
  tabs: {
    attributes: 'Atributos',
    clients: 'Clientes de API',
    applications: 'Aplicaciones',
    provisioning: 'Recibir usuarios (SCIM)',
    targets: 'Enviar usuarios (SCIM)',
    webhooks: 'Webhooks',
  },
  systemTabs: {
    status: 'Estado',
    limits: 'Límites',
  },
  test: {
    action: 'Enviar evento de prueba',
    delivered: (name, status, durationMs) =>
      `${name} recibió el evento de prueba y respondió con ${status} en ${formatNumber(durationMs)} ms.`,
    notDelivered: (name) => `${name} no recibió el evento de prueba`,
    responded: (status) =>
      `El receptor respondió con ${status}. Debe responder con un estado entre 200 y 299.`,
    noResponse:
      'No se pudo acceder al receptor, o no respondió a tiempo. Hay que comprobar la URL y el receptor.',
    failed: 'No se pudo enviar el evento de prueba',
  },
  unsent: {
    title: {
      all: 'Los mensajes no se envían a nadie',
      email: 'Los correos electrónicos no se envían a nadie',
      sms: 'Los SMS no se envían a nadie',
    },
    text: {
      all: 'Los usuarios no reciben sus contraseñas hasta que su departamento de TI configure el envío. Hasta entonces, los mensajes solo se escriben en archivos, aunque su estado sea «Enviado».',
      email:
        'Los usuarios con correo electrónico no reciben sus contraseñas hasta que su departamento de TI configure el envío. Hasta entonces, los correos solo se escriben en archivos, aunque su estado sea «Enviado».',
      sms: 'Los usuarios sin correo electrónico no reciben sus contraseñas hasta que su departamento de TI configure el envío. Hasta entonces, los SMS solo se escriben en archivos, aunque su estado sea «Enviado».',
    },
  },
  limits: {
    lead: 'Lo que permite la configuración de este servicio. Estos valores no se cambian en la consola, sino en la configuración del servicio, por parte de quienes lo operan.',
    cannotLoad: 'No se pudo cargar la configuración',
    groups: {
      service: 'Servicio',
      safety: 'Seguridad de los cambios masivos',
      bulk: 'Cambios masivos e importaciones',
      signIn: 'Inicio de sesión y contraseñas',
      names: 'Números de empleado y nombres de usuario',
      messages: 'Mensajes',
    },
    names: {
      version: 'Versión',
      database: 'Base de datos',
      timeZone: 'Zona horaria',
      directories: 'Organizaciones y etiquetas',
      safetyLimitPercent: 'Límite de seguridad',
      safetyApproval: 'Si se supera el límite de seguridad',
      plannedCallExpiryHours: 'Caducidad de los cambios programados',
      bulkItemsMax: 'Usuarios por cambio masivo',
      bulkBodyMaxBytes: 'Tamaño de un cambio masivo',
      matchingUsersMax: 'Usuarios modificados a la vez con un filtro',
      sessionLifetimeSeconds: 'Duración de la sesión',
      sessionIdleSeconds: 'Cierre de la sesión sin uso tras',
      initialPassword: 'Contraseñas iniciales',
      initialPasswordLifetimeHours: 'Caducidad de las contraseñas iniciales',
      initialPasswordRules: 'Reglas para las contraseñas iniciales',
      signInDelayMaxSeconds: 'Espera máxima tras inicios de sesión fallidos',
      employeeIdQuarantineDays: 'Período de reserva de los números de empleado',
      usernameQuarantineDays: 'Período de reserva de los nombres de usuario',
      changeNotices: 'Avisos de cambios en la cuenta',
      bulkChangeNotices: 'Avisos de cambios por importaciones y cambios masivos',
      deliveriesPerMinuteMax: 'Mensajes por minuto',
    },
    database: { embedded: 'Integrada', postgres: 'PostgreSQL' },
    directories: { open: 'Se admite cualquier ID', strict: 'Solo se admiten los ID existentes' },
    initialPassword: { message: 'Van en el mensaje', link: 'Se eligen con un enlace' },
    passwordRules: { any: 'Cualquier contraseña', full: 'Las mismas que para las contraseñas propias' },
    percent: (value) => `${formatNumber(value)}\u00a0% de todos los usuarios`,
    refused: 'Se debe confirmar',
    approval: 'Queda pendiente de aprobación',
    on: 'Sí',
    off: 'No',
    none: 'Ninguno',
    never: 'Nunca',
    days: (count) => plural(count, 'día', 'días'),
    hours: (count) => plural(count, 'hora', 'horas'),
    minutes: (count) => plural(count, 'minuto', 'minutos'),
    megabytes: (count) => `${formatNumber(count)} MB`,
  },
};
